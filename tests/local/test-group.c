/* SPDX-License-Identifier: MIT */
/* Scaling groups: as many as desired, none twice, whatever fails or dies meanwhile. */
#include "stage.h"

#include <stdio.h>
#include <string.h>

#define TEMPLATE "\"template\":{\"gpu\":\"tpu-sim\",\"image\":\"pytorch-2.2\"}"
#define GROUP(n) "{\"name\":\"g\"," TEMPLATE ",\"desired\":" n "}"

static char group[64];

/* For a call whose answer does not matter. */
static void ignore(void *data, const struct engine_result *r)
{
	(void)data, (void)r;
}

/* Until nothing moves any more. */
static void calm(struct stage *s)
{
	for (int i = 0; i < 300 && (flow_open(&s->p) || s->p.groups == GROUPS_LOOK || i < 4); i++)
		platform_turn(&s->p);
	assert_int_equal(flow_open(&s->p), 0);
}

static void make(struct stage *s, const char *body)
{
	stage_ok(s, 202, "POST", "/v1/groups", body);
	snprintf(group, sizeof(group), "%s", stage_text(s, "id"));
}

static void get(struct stage *s)
{
	char path[100];

	snprintf(path, sizeof(path), "/v1/groups/%s", group);
	stage_ok(s, 200, "GET", path, NULL);
}

static void act(struct stage *s, int status, const char *method, const char *what, const char *body)
{
	char path[100];

	snprintf(path, sizeof(path), "/v1/groups/%s%s", group, what);
	stage_ok(s, status, method, path, body);
}

static int members(struct stage *s)
{
	get(s);
	return cJSON_GetArraySize(stage_at(s, "instances"));
}

/* How many instances have this status; NULL: how many there ever were. */
static int count(struct stage *s, const char *status)
{
	char path[100];

	snprintf(path, sizeof(path), "/v1/instances?all=true&limit=1000%s%s",
		status ? "&status=" : "", status ? status : "");
	stage_ok(s, 200, "GET", path, NULL);
	return cJSON_GetArraySize(stage_at(s, "items"));
}

static void is(struct stage *s, const char *status, int running)
{
	get(s);
	stage_expect(s, "status", status);
	assert_int_equal(count(s, "running"), running);
}

static const char *member(struct stage *s, int at, char id[64])
{
	char path[32];

	get(s);
	snprintf(path, sizeof(path), "instances.%d", at);
	snprintf(id, 64, "%s", stage_text(s, path));
	return id;
}

static const char *name_of(struct stage *s, const char *id)
{
	char path[100];

	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 200, "GET", path, NULL);
	return stage_text(s, "name");
}

static void on(struct stage *s, const char *id, const char *method, const char *what,
	const char *body)
{
	char path[100];
	int status;

	snprintf(path, sizeof(path), "/v1/instances/%s%s", id, what);
	status = stage_call(s, method, path, body);
	assert_true(status == 200 || status == 202);
	calm(s);
}

static void test_scales(void **state)
{
	struct stage s;
	char id[64], first[64];

	(void)state;
	stage_open(&s, 1);
	make(&s, "{\"name\":\"g\"," TEMPLATE ",\"desired\":3,\"minimum\":1,\"maximum\":5}");
	stage_expect(&s, "status", "scaling");
	calm(&s);
	is(&s, "ready", 3);
	assert_int_equal(members(&s), 3);
	assert_string_equal(name_of(&s, member(&s, 0, first)), "g-1");
	act(&s, 202, "POST", "/scale", "{\"desired\":5}");
	calm(&s);
	is(&s, "ready", 5);
	act(&s, 422, "POST", "/scale", "{\"desired\":6}");
	act(&s, 422, "POST", "/scale", "{\"desired\":0}");
	act(&s, 200, "POST", "/scale", "{\"desired\":5}");
	/* The newest go. */
	act(&s, 202, "POST", "/scale", "{\"desired\":2}");
	calm(&s);
	is(&s, "ready", 2);
	assert_string_equal(member(&s, 0, id), first);
	assert_string_equal(name_of(&s, member(&s, 1, id)), "g-2");
	assert_int_equal(count(&s, NULL), 5);
	/* Names are not used again. */
	act(&s, 202, "POST", "/scale", "{\"desired\":3}");
	calm(&s);
	assert_string_equal(name_of(&s, member(&s, 2, id)), "g-6");
	stage_close(&s);
}

/* What a person stops counts and goes first; what he releases is replaced. */
static void test_hands(void **state)
{
	struct stage s;
	char id[64], other[64];

	(void)state;
	stage_open(&s, 1);
	make(&s, GROUP("3"));
	calm(&s);
	on(&s, member(&s, 0, id), "POST", "/stop", "{}");
	is(&s, "error", 2);
	get(&s);
	stage_expect(&s, "status_reason.code", "stopped");
	assert_int_equal(members(&s), 3);
	on(&s, member(&s, 1, other), "DELETE", "", NULL);
	is(&s, "error", 2);
	assert_int_equal(members(&s), 3);
	act(&s, 202, "POST", "/scale", "{\"desired\":2}");
	calm(&s);
	is(&s, "ready", 2);
	name_of(&s, id);
	stage_expect(&s, "status", "released");
	/* Scaling replaces what is stopped. */
	on(&s, member(&s, 0, id), "POST", "/stop", "{}");
	act(&s, 202, "POST", "/scale", "{\"desired\":2}");
	calm(&s);
	is(&s, "ready", 2);
	name_of(&s, id);
	stage_expect(&s, "status", "released");
	stage_close(&s);
}

/* A switch's new instance is the member; the old one is its owner's. */
static void test_switch(void **state)
{
	struct stage s;
	char id[64], new[64];

	(void)state;
	stage_open(&s, 1);
	make(&s, GROUP("1"));
	calm(&s);
	on(&s, member(&s, 0, id), "POST", "/switch", "{\"gpu\":\"ascend-910b\"}");
	assert_string_not_equal(member(&s, 0, new), id);
	assert_string_equal(name_of(&s, new), "g-1");
	stage_expect(&s, "status", "running");
	is(&s, "ready", 1);
	assert_int_equal(count(&s, NULL), 2);
	stage_close(&s);
}

/* What is lost costs what it cost, and another takes its place. */
static void test_lost(void **state)
{
	struct stage s;
	char id[64];

	(void)state;
	stage_open(&s, 1);
	make(&s, GROUP("2"));
	calm(&s);
	stage_step(&s, 3600);
	sv_engine_none.stop(s.engine.host, member(&s, 0, id), ignore, NULL);
	instance_lost(&s.p, id, NULL);
	calm(&s);
	is(&s, "ready", 2);
	name_of(&s, id);
	stage_expect(&s, "status", "released");
	stage_step(&s, 3600);
	get(&s);
	stage_expect(&s, "cost", "28.000000"); /* 2 x 7.00, two hours */
	act(&s, 202, "DELETE", "", NULL);
	calm(&s);
	is(&s, "deleted", 0);
	get(&s);
	stage_expect(&s, "cost", "28.000000");
	assert_int_equal(members(&s), 0);
	act(&s, 200, "DELETE", "", NULL);
	act(&s, 409, "POST", "/scale", "{\"desired\":2}");
	stage_ok(&s, 200, "GET", "/v1/groups", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(&s, "items")), 0);
	stage_verify(&s);
	stage_close(&s);
}

static int never(struct engine *e, const struct engine_spec *spec, engine_done *done, void *data)
{
	struct engine_result r = { .code = SV_FAILED, .message = "no", .bytes = -1 };

	(void)spec;
	e->done = done;
	e->data = data;
	stage_answer(e, &r);
	return 0;
}

/* What cannot start is tried again, more and more seldom, and costs nothing. */
static void test_backs_off(void **state)
{
	int (*start)(struct engine *e, const struct engine_spec *spec, engine_done *done,
		void *data);
	struct stage s;

	(void)state;
	stage_open(&s, 1);
	start = s.ops.start;
	s.ops.start = never;
	make(&s, GROUP("1"));
	for (int i = 0; i < 20; i++)
		calm(&s);
	assert_int_equal(count(&s, NULL), 2);
	is(&s, "error", 0);
	get(&s);
	stage_expect(&s, "status_reason.code", "failed");
	stage_step(&s, 10);
	calm(&s);
	assert_int_equal(count(&s, NULL), 3);
	for (int i = 0; i < 360; i++) {
		stage_step(&s, 10);
		calm(&s);
	}
	assert_in_range(count(&s, NULL), 8, 16);
	get(&s);
	stage_expect(&s, "cost", "0.000000");
	s.ops.start = start;
	for (int i = 0; i < 70; i++) {
		stage_step(&s, 10);
		calm(&s);
	}
	is(&s, "ready", 1);
	stage_close(&s);
}

/* What is refused is said, and tried again when its time comes. */
static void test_refused(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, 1);
	stage_ok(&s, 422, "POST", "/v1/groups",
		"{\"name\":\"g\",\"desired\":1,\"template\":{\"gpu\":\"tpu-sim\",\"image\":"
		"\"pytorch-2.2\",\"max_price_per_hour\":\"6.99\"}}");
	stage_expect(&s, "code", "price_exceeds_limit");
	stage_expect(&s, "errors.0.field", "template.max_price_per_hour");
	stage_ok(&s, 422, "POST", "/v1/groups",
		"{\"name\":\"g\",\"desired\":1,\"template\":{\"gpu\":\"tpu-sim\"}}");
	stage_expect(&s, "errors.0.field", "template.image");
	stage_ok(&s, 422, "POST", "/v1/groups", GROUP("-1"));
	/* 64 cards there are. */
	make(&s, "{\"name\":\"g\",\"desired\":9,\"template\":{\"gpu\":\"tpu-sim\",\"gpu_count\":8,"
		 "\"image\":\"pytorch-2.2\"}}");
	calm(&s);
	is(&s, "error", 8);
	for (int i = 0; i < 10; i++) {
		stage_step(&s, 60);
		calm(&s);
	}
	is(&s, "error", 8);
	get(&s);
	stage_expect(&s, "status_reason.code", "insufficient_capacity");
	assert_int_equal(count(&s, NULL), 8);
	act(&s, 202, "POST", "/scale", "{\"desired\":8}");
	calm(&s);
	is(&s, "ready", 8);
	stage_close(&s);
}

/* With no money left nothing is made, and nothing is made again and again. */
static void test_arrears(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, 1);
	make(&s, "{\"name\":\"g\",\"desired\":2,\"template\":{\"gpu\":\"rtx-4090\",\"gpu_count\":8,"
		 "\"image\":\"pytorch-2.2\"}}");
	calm(&s);
	is(&s, "ready", 2);
	for (int i = 0; i < 60; i++) { /* 1010 last 4.5 hours at 224 an hour */
		stage_step(&s, 600);
		calm(&s);
	}
	is(&s, "error", 0);
	assert_int_equal(count(&s, NULL), 2);
	assert_int_equal(members(&s), 2);
	stage_ok(&s, 200, "GET", "/v1/account", NULL);
	stage_expect(&s, "balance.available", "0.008888"); /* less than a second of both */
	act(&s, 202, "POST", "/scale", "{\"desired\":1}");
	calm(&s);
	for (int i = 0; i < 60; i++) {
		stage_step(&s, 600);
		calm(&s);
	}
	get(&s);
	stage_expect(&s, "status_reason.code", "insufficient_balance");
	assert_int_equal(count(&s, NULL), 2);
	stage_verify(&s);
	stage_close(&s);
}

/* The daemon dies after any turn: afterwards there are as many as desired, and were never more. */
static void test_crash(void **state)
{
	(void)state;
	for (int turns = 0; turns < 24; turns++) {
		struct stage s;

		stage_open(&s, 1);
		make(&s, GROUP("3"));
		for (int i = 0; i < turns; i++)
			platform_turn(&s.p);
		if (turns & 1)
			act(&s, 202, "POST", "/scale", "{\"desired\":2}");
		stage_crash(&s);
		stage_up(&s);
		calm(&s);
		is(&s, "ready", turns & 1 ? 2 : 3);
		assert_int_equal(members(&s), turns & 1 ? 2 : 3);
		assert_in_range(count(&s, NULL), 2, 3);
		act(&s, 202, "DELETE", "", NULL);
		for (int i = 0; i < turns; i++)
			platform_turn(&s.p);
		stage_crash(&s);
		stage_up(&s);
		calm(&s);
		is(&s, "deleted", 0);
		stage_verify(&s);
		stage_close(&s);
	}
}

/* What the host ended while the daemon was away is replaced, too. */
static void test_lost_away(void **state)
{
	struct stage s;
	char id[64];

	(void)state;
	stage_open(&s, 1);
	make(&s, GROUP("2"));
	calm(&s);
	member(&s, 0, id);
	stage_crash(&s);
	sv_engine_none.stop(s.engine.host, id, ignore, NULL);
	stage_up(&s);
	calm(&s);
	is(&s, "ready", 2);
	name_of(&s, id);
	stage_expect(&s, "status", "released");
	stage_verify(&s);
	stage_close(&s);
}

static void test_quote(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, 1);
	stage_ok(&s, 200, "POST", "/v1/billing/quote",
		"{\"kind\":\"group\",\"body\":{\"desired\":3,\"template\":{\"gpu\":\"a100-80g\","
		"\"image\":\"pytorch-2.2\",\"system_disk_gib\":130}}}");
	stage_expect(&s, "kind", "group");
	stage_expect(&s, "items.0.price_per_hour", "5.700000");
	stage_expect(&s, "items.1.price_per_hour", "-3.600000");
	assert_int_equal(stage_number(&s, "items.0.quantity"), 3);
	/* 3 x 0.70, and 3 x 100 GiB at 0.06 a month */
	stage_expect(&s, "price_per_hour", "2.125000");
	stage_expect(&s, "residual_price_per_day", "0.600000");
	stage_ok(&s, 200, "POST", "/v1/billing/quote",
		"{\"kind\":\"group\",\"body\":{\"desired\":9,\"template\":{\"gpu\":\"tpu-sim\","
		"\"gpu_count\":8,\"image\":\"pytorch-2.2\"}}}");
	stage_expect(&s, "price_per_hour", "504.000000");
	assert_true(cJSON_IsFalse(stage_at(&s, "available")));
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scales),
		cmocka_unit_test(test_hands),
		cmocka_unit_test(test_switch),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_backs_off),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_arrears),
		cmocka_unit_test(test_crash),
		cmocka_unit_test(test_lost_away),
		cmocka_unit_test(test_quote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
