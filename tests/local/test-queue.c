/* SPDX-License-Identifier: MIT */
/* What cannot be had now: other offers, and waiting for the cards. */
#include "local/capacity.h"
#include "stage-case.h"

static void get(struct stage *s, const char *id)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 200, "GET", path, NULL);
}

static void act(struct stage *s, const char *id, const char *verb, const char *body, int status)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/instances/%s/%s", id, verb);
	stage_ok(s, status, "POST", path, body);
}

static void create(struct stage *s, const char *name, const char *rest, int status, char id[64])
{
	char body[400];

	snprintf(body, sizeof(body), "{\"name\":\"%s\",\"image\":\"pytorch-2.2\",%s}", name, rest);
	stage_ok(s, status, "POST", "/v1/instances", body);
	stage_settle(s);
	snprintf(id, 64, "%s", stage_text(s, "id"));
}

/* Takes all cards of h100-80g but so many; the ids of those that hold them. */
static int fill(struct stage *s, int64_t left, char ids[16][64])
{
	int n = 0;

	for (int64_t all = capacity_free(&s->p, "h100-80g", NULL); all > left && n < 16; n++) {
		int64_t count = all - left > 8 ? 8 : all - left;
		char rest[100];

		snprintf(rest, sizeof(rest), "\"gpu\":\"h100-80g\",\"gpu_count\":%d", (int)count);
		create(s, "holder", rest, 202, ids[n]);
		all -= count;
	}
	assert_int_equal(capacity_free(&s->p, "h100-80g", NULL), left);
	return n;
}

static void none_free(void **state)
{
	struct stage *s = *state;
	char ids[16][64], id[64];

	fill(s, 2, ids);
	create(s, "t", "\"gpu\":\"h100-80g\",\"gpu_count\":4", 409, id);
	stage_expect(s, "code", "insufficient_capacity");
	assert_int_equal(stage_number(s, "context.free"), 2);
	assert_non_null(strstr(stage_text(s, "suggestion"), "a100-80g:4"));
	assert_null(strstr(stage_text(s, "suggestion"), "h100-80g"));
	/* In order; too dear is passed over, what does not fit is refused although it is not
	 * needed. */
	create(s, "t",
		"\"gpu\":\"h100-80g\",\"gpu_count\":4,\"max_price_per_hour\":\"30\","
		"\"fallback\":[\"rtx-4090:4\",\"tpu-sim:4\",\"a100-80g:4\"]",
		202, id);
	stage_expect(s, "gpu", "tpu-sim");
	stage_expect(s, "backend", "tpu");
	stage_expect(s, "status", "running");
	create(s, "u", "\"gpu\":\"h100-80g\",\"fallback\":[\"nope\"]", 422, id);
	stage_expect(s, "errors.0.field", "fallback");
	stage_ok(s, 422, "POST", "/v1/instances",
		"{\"name\":\"u\",\"gpu\":\"h100-80g\",\"image\":\"cuda-devel\",\"fallback\":[\"tpu-"
		"sim\"]}");
	stage_expect(s, "errors.0.field", "fallback");
}

static void waits(void **state)
{
	struct stage *s = *state;
	char ids[16][64], first[64], second[64];

	fill(s, 0, ids);
	create(s, "first", "\"gpu\":\"h100-80g\",\"gpu_count\":8,\"wait_capacity\":true", 202,
		first);
	stage_expect(s, "status", "queued");
	stage_expect(s, "status_reason.code", "waiting_for_capacity");
	create(s, "second", "\"gpu\":\"h100-80g\",\"gpu_count\":8,\"wait_capacity\":true", 202,
		second);
	stage_step(s, 3600);
	get(s, first);
	stage_expect(s, "cost", "0.000000");
	/* The daemon's death loses nobody's place. */
	platform_commit(&s->p);
	stage_crash(s);
	stage_up(s);
	stage_settle(s);
	act(s, ids[0], "stop", "{}", 202);
	stage_settle(s);
	stage_step(s, 10);
	get(s, first);
	stage_expect(s, "status", "running");
	assert_true(cJSON_IsNull(stage_at(s, "status_reason")));
	get(s, second);
	stage_expect(s, "status", "queued");
	assert_int_equal(capacity_free(&s->p, "h100-80g", NULL), 0);
	get(s, first);
	/* 8 x 4.80 an hour, for the 10 seconds that it ran */
	stage_expect(s, "cost", "0.106667");
}

/* What waits may be given up, by its operation or by releasing it; what waits to start may, too. */
static void given_up(void **state)
{
	struct stage *s = *state;
	char ids[16][64], id[64], path[200];

	fill(s, 0, ids);
	create(s, "t", "\"gpu\":\"h100-80g\",\"wait_capacity\":true", 202, id);
	get(s, id);
	snprintf(path, sizeof(path), "/v1/operations/%s/cancel", stage_text(s, "operation_id"));
	stage_ok(s, 200, "POST", path, NULL);
	stage_settle(s);
	get(s, id);
	stage_expect(s, "status", "error");
	stage_expect(s, "status_reason.code", "cancelled");
	create(s, "u", "\"gpu\":\"h100-80g\",\"wait_capacity\":true", 202, id);
	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 202, "DELETE", path, NULL);
	stage_settle(s);
	get(s, id);
	stage_expect(s, "status", "released");
	stage_expect(s, "cost", "0.000000");
	act(s, ids[0], "stop", "{}", 202);
	stage_settle(s);
	create(s, "v", "\"gpu\":\"h100-80g\",\"gpu_count\":8", 202, id);
	act(s, ids[0], "start", "{}", 409);
	stage_expect(s, "code", "insufficient_capacity");
	act(s, ids[0], "start", "{\"wait_capacity\":true}", 202);
	stage_settle(s);
	get(s, ids[0]);
	stage_expect(s, "status", "queued");
	snprintf(path, sizeof(path), "/v1/operations/%s/cancel", stage_text(s, "operation_id"));
	stage_ok(s, 200, "POST", path, NULL);
	stage_settle(s);
	get(s, ids[0]);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "stopped_by", "user");
	act(s, ids[0], "start", "{\"wait_capacity\":true}", 202);
	act(s, id, "stop", "{}", 202);
	stage_settle(s);
	get(s, ids[0]);
	stage_expect(s, "status", "running");
}

/* When its turn comes the money must still be right. */
static void too_dear_by_then(void **state)
{
	struct stage *s = *state;
	char ids[16][64], id[64];
	int n = fill(s, 0, ids);

	create(s, "t", "\"gpu\":\"h100-80g\",\"gpu_count\":8,\"wait_capacity\":true", 202, id);
	for (int i = 0; i < 400 && n; i++) {
		stage_step(s, 86400);
		get(s, ids[0]);
		n = !strcmp(stage_text(s, "status"), "running");
	}
	stage_expect(s, "stopped_by", "arrears");
	stage_settle(s);
	get(s, id);
	stage_expect(s, "status", "error");
	stage_expect(s, "cost", "0.000000");
	stage_ok(s, 200, "GET", "/v1/operations?status=failed", NULL);
	stage_expect(s, "items.0.error.code", "insufficient_balance");
}

/* A release while it is being made undoes what was made. */
static void released_early(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"h100-80g\",\"image\":\"pytorch-2.2\"}");
	stage_expect(s, "status", "provisioning");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 202, "DELETE", path, NULL);
	assert_true(cJSON_IsNull(stage_at(s, "operation_id")));
	stage_settle(s);
	get(s, id);
	stage_expect(s, "status", "released");
	stage_expect(s, "cost", "0.000000");
	assert_int_equal(
		capacity_free(&s->p, "h100-80g", NULL), catalog_cards(s->p.catalog, "h100-80g"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(none_free, setup, teardown),
		cmocka_unit_test_setup_teardown(waits, setup, teardown),
		cmocka_unit_test_setup_teardown(given_up, setup, teardown),
		cmocka_unit_test_setup_teardown(too_dear_by_then, setup, teardown),
		cmocka_unit_test_setup_teardown(released_early, setup_slow, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
