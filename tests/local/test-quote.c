/* SPDX-License-Identifier: MIT */
/* Prices of what is not an instance itself, and of what a job would make. */
#include "platform-world.h"

#define says(w, part) \
	do { \
		if (!has(w, part)) \
			fail_msg("%s is not in %s", part, (w)->text); \
	} while (0)

static void quote(struct world *w, const char *kind, const char *body, int status)
{
	char text[400];

	snprintf(text, sizeof(text), "{\"kind\":\"%s\",\"body\":%s}", kind, body);
	if (ask(w, "POST", "/v1/billing/quote", text) != status)
		fail_msg("%s: %s", body, w->text);
}

/* A job is priced as the instance that would be made for it. */
static void a_job(void **state)
{
	struct world *w = *state;

	quote(w, "job",
		"{\"gpu\":\"h100-80g\",\"gpu_count\":2,\"image\":\"pytorch-2.3\","
		"\"command\":[\"true\"]}",
		200);
	says(w, "\"kind\":\"job\"");
	says(w, "\"price_per_hour\":\"9.600000\",\"price_per_day\":\"230.400000\"");
	says(w, "\"minimum_seconds\":3600,\"minimum_charge\":\"9.600000\"");
	quote(w, "job", "{\"app\":\"llama-3-8b-pretrain\"}", 200);
	says(w, "\"price_per_hour\":\"56.000000\",\"price_per_day\"");
	quote(w, "job", "{\"gpu\":\"h100-80g\",\"image\":\"pytorch-2.3\"}", 422);
	quote(w, "job",
		"{\"gpu\":\"tpu-sim\",\"image\":\"cuda-devel\",\"command\":[\"true\"]}", 422);
	says(w, "\"incompatible\"");
	/* Nothing was made. */
	assert_int_equal(ask(w, "GET", "/v1/jobs", NULL), 200);
	says(w, "\"items\":[]");
	assert_int_equal(ask(w, "GET", "/v1/instances?all=true", NULL), 200);
	says(w, "\"items\":[]");
}

/* Where something is billed already a job costs nothing more. */
static void a_job_where_an_instance_is(void **state)
{
	struct world *w = *state;

	quote(w, "job", "{\"instance\":\"ins_1\",\"command\":[\"true\"]}", 200);
	says(w, "\"price_per_hour\":\"0.000000\",\"price_per_day\":\"0.000000\"");
}

/* 100 GiB at 0.05 a month are 5: a thirtieth of it a day, on or off. */
static void a_storage(void **state)
{
	struct world *w = *state;

	quote(w, "storage", "{\"size_gib\":100}", 200);
	says(w, "\"item\":\"storage\"");
	says(w, "\"price_per_day\":\"0.166667\",\"residual_price_per_day\":\"0.166667\"");
	quote(w, "storage", "{\"size_gib\":-1}", 422);
	says(w, "size_gib");
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_job),
		CASE(a_job_where_an_instance_is),
		CASE(a_storage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
