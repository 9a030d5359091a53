/* SPDX-License-Identifier: MIT */
/* A switch that fails at each of its calls, and a daemon that dies at each of its turns: one
 * instance runs and is billed afterwards, with the disk; never none, never two. */
#include "stage.h"

static char old_id[64], disk_id[64];

static void scene(struct stage *s)
{
	stage_open(s, 1);
	stage_ok(s, 202, "POST", "/v1/disks", "{\"name\":\"ckpt\",\"size_gib\":1}");
	snprintf(disk_id, sizeof(disk_id), "%s", stage_text(s, "id"));
	stage_settle(s);
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"gpu_count\":4,\"image\":\"pytorch-2.2\","
		"\"disks\":[{\"disk\":\"ckpt\",\"path\":\"/data\"}],\"env\":{\"A\":\"1\"}}");
	snprintf(old_id, sizeof(old_id), "%s", stage_text(s, "id"));
	stage_expect(s, "status", "provisioning");
	stage_settle(s);
	stage_step(s, 10);
}

static void get(struct stage *s, const char *kind, const char *id)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/%s/%s", kind, id);
	stage_ok(s, 200, "GET", path, NULL);
}

static void begin(struct stage *s, char op[64], char new_id[64])
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/instances/%s/switch", old_id);
	stage_ok(s, 202, "POST", path, "{\"gpu\":\"tpu-sim\",\"gpu_count\":4}");
	stage_expect(s, "status", "switching");
	assert_true(cJSON_IsFalse(stage_at(s, "billing_active")));
	snprintf(op, 64, "%s", stage_text(s, "operation_id"));
	get(s, "operations", op);
	snprintf(new_id, 64, "%s", stage_text(s, "resource"));
	assert_string_not_equal(new_id, old_id);
}

/* How many instances are billed; what the engine has of each must agree. */
static int billed(struct stage *s)
{
	struct engine_status st;
	int n, count = 0;

	stage_ok(s, 200, "GET", "/v1/instances?all=true", NULL);
	n = cJSON_GetArraySize(stage_at(s, "items"));
	for (int i = 0; i < n; i++) {
		const cJSON *one = cJSON_GetArrayItem(stage_at(s, "items"), i);
		const char *status = cJSON_GetObjectItem(one, "status")->valuestring;

		count += cJSON_IsTrue(cJSON_GetObjectItem(one, "billing_active"));
		stage_status(&s->engine, cJSON_GetObjectItem(one, "id")->valuestring, &st);
		if (!strcmp(status, "running"))
			assert_int_equal(st.state, ENGINE_RUNNING);
		else if (!strcmp(status, "stopped"))
			assert_int_equal(st.state, ENGINE_STOPPED);
		else
			assert_int_equal(st.state, ENGINE_ABSENT);
	}
	return count;
}

static void expect_old(struct stage *s, const char *new_id)
{
	get(s, "instances", new_id);
	stage_expect(s, "status", "released");
	stage_expect(s, "status_reason.code", "switch_failed");
	assert_true(cJSON_IsNull(stage_at(s, "system_disk")));
	get(s, "instances", old_id);
	stage_expect(s, "status", "running");
	stage_expect(s, "name", "t");
	stage_expect(s, "mounts.0.id", disk_id);
	assert_true(cJSON_IsNull(stage_at(s, "switched_to")));
	assert_true(cJSON_IsNull(stage_at(s, "operation_id")));
	get(s, "disks", disk_id);
	stage_expect(s, "attachment.instance", old_id);
	stage_expect(s, "attachment.state", "attached");
	assert_int_equal(billed(s), 1);
}

static void expect_new(struct stage *s, const char *new_id)
{
	get(s, "instances", old_id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "name", "t-1");
	stage_expect(s, "switched_to", new_id);
	stage_expect(s, "stopped_by", "switch");
	get(s, "instances", new_id);
	stage_expect(s, "status", "running");
	stage_expect(s, "name", "t");
	stage_expect(s, "backend", "tpu");
	stage_expect(s, "env.A", "1");
	stage_expect(s, "env.STARVERSE_BACKEND", "tpu");
	stage_expect(s, "mounts.0.id", disk_id);
	get(s, "disks", disk_id);
	stage_expect(s, "attachment.instance", new_id);
	assert_int_equal(billed(s), 1);
}

/* Both halves of the bill, to the micro-yuan: 10 s at 56, then what follows. */
static void expect_cost(struct stage *s, const char *id, const char *cost)
{
	get(s, "instances", id);
	stage_expect(s, "cost", cost);
}

static void works(void **state)
{
	struct stage s;
	char op[64], new_id[64];

	(void)state;
	scene(&s);
	begin(&s, op, new_id);
	stage_settle(&s);
	get(&s, "operations", op);
	stage_expect(&s, "status", "succeeded");
	expect_new(&s, new_id);
	stage_step(&s, 10);
	expect_cost(&s, old_id, "0.155556");
	expect_cost(&s, new_id, "0.077778");
	stage_verify(&s);
	stage_close(&s);
}

/* A cap holds for the old and the new together, also one that was changed meanwhile. */
static void keeps_the_cap(void **state)
{
	struct stage s;
	char op[64], new_id[64], path[100];

	(void)state;
	scene(&s);
	begin(&s, op, new_id);
	snprintf(path, sizeof(path), "/v1/instances/%s", old_id);
	stage_ok(&s, 200, "PATCH", path, "{\"auto_stop\":{\"max_cost\":\"0.30\"}}");
	stage_settle(&s);
	get(&s, "instances", new_id);
	stage_expect(&s, "auto_stop.max_cost", "0.144444");
	stage_expect(&s, "next_stop.cause", "max_cost");
	/* 28 an hour: 18 s are 0.14, the 19th is too much */
	stage_step(&s, 60);
	stage_settle(&s);
	get(&s, "instances", new_id);
	stage_expect(&s, "stopped_by", "max_cost");
	stage_expect(&s, "cost", "0.140000");
	stage_verify(&s);
	stage_close(&s);
}

static void fails_at_each_call(void **state)
{
	int succeeded = 0, failed = 0;

	(void)state;
	for (int n = 0; !succeeded; n++) {
		struct stage s;
		char op[64], new_id[64];

		assert_true(n < 40);
		scene(&s);
		s.engine.calls = 0;
		s.engine.fail = n;
		begin(&s, op, new_id);
		stage_settle(&s);
		get(&s, "operations", op);
		if (!strcmp(stage_text(&s, "status"), "failed")) {
			failed++;
			stage_expect(&s, "error.message", "the engine was told to fail");
			expect_old(&s, new_id);
			stage_step(&s, 10);
			expect_cost(&s, old_id, "0.311112");
		} else if (!s.engine.failed[0]) {
			succeeded = 1;
			expect_new(&s, new_id);
		} else {
			/* After the new one has taken over nothing turns back. */
			assert_string_equal(s.engine.failed, "stop");
			stage_expect(&s, "status", "succeeded");
		}
		stage_verify(&s);
		stage_close(&s);
	}
	assert_int_equal(failed, 5);
}

static void dies_at_each_turn(void **state)
{
	int done = 0, undone = 0, completed = 0;

	(void)state;
	for (int n = 0; !done; n++) {
		struct stage s;
		char op[64], new_id[64];

		assert_true(n < 100);
		scene(&s);
		begin(&s, op, new_id);
		for (int i = 0; i < n && flow_open(&s.p); i++)
			platform_turn(&s.p);
		done = !flow_open(&s.p);
		stage_crash(&s);
		s.p.clock.at += 5;
		stage_up(&s);
		stage_settle(&s);
		assert_int_equal(flow_open(&s.p), 0);
		get(&s, "operations", op);
		if (!strcmp(stage_text(&s, "status"), "failed")) {
			undone++;
			expect_old(&s, new_id);
		} else {
			completed++;
			stage_expect(&s, "status", "succeeded");
			expect_new(&s, new_id);
		}
		stage_verify(&s);
		stage_close(&s);
	}
	assert_true(undone >= 4);
	assert_true(completed >= 2);
}

/* The engine's call was made, the turn that noted it was not committed. */
static void dies_before_commit(void **state)
{
	int done = 0;

	(void)state;
	for (int n = 0; !done; n++) {
		struct stage s;
		char op[64], new_id[64];

		assert_true(n < 100);
		scene(&s);
		begin(&s, op, new_id);
		for (int i = 0; i < n && flow_open(&s.p); i++)
			platform_turn(&s.p);
		done = !flow_open(&s.p);
		stage_tick(&s.engine);
		flow_turn(&s.p);
		stage_crash(&s);
		stage_up(&s);
		stage_settle(&s);
		get(&s, "operations", op);
		if (!strcmp(stage_text(&s, "status"), "failed"))
			expect_old(&s, new_id);
		else
			expect_new(&s, new_id);
		stage_verify(&s);
		stage_close(&s);
	}
}

static void cancelled_at_each_turn(void **state)
{
	int done = 0, cancelled = 0;

	(void)state;
	for (int n = 0; !done; n++) {
		struct stage s;
		char op[64], new_id[64], path[200];
		int status;

		assert_true(n < 100);
		scene(&s);
		begin(&s, op, new_id);
		for (int i = 0; i < n && flow_open(&s.p); i++)
			platform_turn(&s.p);
		done = !flow_open(&s.p);
		snprintf(path, sizeof(path), "/v1/operations/%s/cancel", op);
		status = stage_call(&s, "POST", path, NULL);
		stage_settle(&s);
		get(&s, "operations", op);
		if (status == 200 && !strcmp(stage_text(&s, "status"), "cancelled")) {
			cancelled++;
			expect_old(&s, new_id);
		} else {
			stage_expect(&s, "status", "succeeded");
			expect_new(&s, new_id);
		}
		stage_verify(&s);
		stage_close(&s);
	}
	assert_true(cancelled >= 4);
}

static void releases_the_old(void **state)
{
	struct stage s;
	char path[200];

	(void)state;
	scene(&s);
	snprintf(path, sizeof(path), "/v1/instances/%s/switch", old_id);
	stage_ok(&s, 202, "POST", path,
		"{\"gpu\":\"ascend-910b\",\"gpu_count\":4,\"release_old\":true}");
	stage_ok(&s, 409, "POST", path, "{\"gpu\":\"ascend-910b\",\"gpu_count\":4}");
	stage_expect(&s, "code", "operation_in_progress");
	snprintf(path, sizeof(path), "/v1/instances/%s/stop", old_id);
	stage_ok(&s, 409, "POST", path, NULL);
	stage_settle(&s);
	get(&s, "instances", old_id);
	stage_expect(&s, "status", "released");
	stage_ok(&s, 200, "GET", "/v1/instances", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(&s, "items")), 1);
	stage_expect(&s, "items.0.name", "t");
	stage_expect(&s, "items.0.backend", "ascend");
	assert_int_equal(billed(&s), 1);
	stage_verify(&s);
	stage_close(&s);
}

/* The card that the image does not fit, and the one that the balance does not pay, are refused
 * before anything. */
static void refuses(void **state)
{
	struct stage s;
	char path[200];

	(void)state;
	scene(&s);
	snprintf(path, sizeof(path), "/v1/instances/%s/switch", old_id);
	stage_ok(&s, 404, "POST", path, "{\"gpu\":\"nope\"}");
	stage_ok(&s, 422, "POST", path, "{\"gpu\":\"tpu-sim\",\"gpu_count\":5000}");
	stage_ok(&s, 422, "POST", path, "{}");
	get(&s, "instances", old_id);
	stage_expect(&s, "status", "running");
	assert_int_equal(billed(&s), 1);
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(works),
		cmocka_unit_test(keeps_the_cap),
		cmocka_unit_test(fails_at_each_call),
		cmocka_unit_test(dies_at_each_turn),
		cmocka_unit_test(dies_before_commit),
		cmocka_unit_test(cancelled_at_each_turn),
		cmocka_unit_test(releases_the_old),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
