/* SPDX-License-Identifier: MIT */
/* Instances over engine "none" and stepped time: states, refusals, and money to the second. */
#include "stage-case.h"

static void make(struct stage *s, const char *gpu, int count, char id[64])
{
	char body[300];

	snprintf(body, sizeof(body),
		"{\"name\":\"t\",\"gpu\":\"%s\",\"gpu_count\":%d,\"image\":\"pytorch-2.2\"}", gpu,
		count);
	stage_ok(s, 202, "POST", "/v1/instances", body);
	stage_expect(s, "status", "running");
	snprintf(id, 64, "%s", stage_text(s, "id"));
}

static void act(struct stage *s, const char *id, const char *verb, const char *body, int status)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/instances/%s/%s", id, verb);
	stage_ok(s, status, "POST", path, body);
}

static void get(struct stage *s, const char *kind, const char *id)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/%s/%s", kind, id);
	stage_ok(s, 200, "GET", path, NULL);
}

static void lives(void **state)
{
	struct stage *s = *state;
	char id[64], op[64], path[200];

	make(s, "rtx-4090", 4, id);
	stage_expect(s, "desired_status", "running");
	stage_expect(s, "price_per_hour", "56.000000");
	stage_expect(s, "env.STARVERSE_BACKEND", "cuda");
	stage_expect(s, "env.STARVERSE_GPU", "rtx-4090");
	stage_expect(s, "env.STARVERSE_GPU_COUNT", "4");
	assert_true(cJSON_IsTrue(stage_at(s, "billing_active")));
	assert_true(cJSON_IsTrue(stage_at(s, "simulated")));
	snprintf(op, sizeof(op), "%s", stage_text(s, "operation_id"));
	assert_true(op[0]);
	get(s, "operations", op);
	stage_expect(s, "status", "succeeded");
	stage_expect(s, "type", "instance.create");
	stage_expect(s, "steps.1.status", "succeeded");
	assert_int_equal(stage_number(s, "progress_percent"), 100);
	get(s, "instances", id);
	assert_true(cJSON_IsNull(stage_at(s, "operation_id")));
	stage_step(s, 3600);
	get(s, "instances", id);
	stage_expect(s, "cost", "56.000000");
	act(s, id, "stop", "{}", 202);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "stopped_by", "user");
	assert_true(cJSON_IsFalse(stage_at(s, "billing_active")));
	stage_step(s, 7200);
	get(s, "instances", id);
	stage_expect(s, "cost", "56.000000");
	act(s, id, "start", "{}", 202);
	stage_step(s, 7);
	act(s, id, "stop", NULL, 202);
	get(s, "instances", id);
	stage_expect(s, "cost", "56.108889");
	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 202, "DELETE", path, NULL);
	stage_expect(s, "status", "released");
	stage_ok(s, 200, "DELETE", path, NULL);
	get(s, "instances", id);
	stage_expect(s, "status", "released");
	stage_expect(s, "cost", "56.108889");
	stage_ok(s, 200, "GET", "/v1/instances", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 0);
	stage_ok(s, 200, "GET", "/v1/instances?all=true", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 1);
}

/* What a goal that holds already answers, and what a state refuses. */
static void goals(void **state)
{
	struct stage *s = *state;
	char id[64];
	int64_t version;

	make(s, "rtx-4090", 1, id);
	get(s, "instances", id);
	version = stage_number(s, "version");
	act(s, id, "start", "{}", 200);
	act(s, id, "resize", "{\"gpu_count\":1}", 200);
	act(s, id, "switch", "{\"gpu\":\"rtx-4090\",\"gpu_count\":1}", 200);
	get(s, "instances", id);
	assert_int_equal(stage_number(s, "version"), version);
	act(s, id, "start", "{\"gpu\":\"h100-80g\"}", 409);
	stage_expect(s, "code", "invalid_state");
	act(s, id, "stop", "{}", 202);
	act(s, id, "stop", "{}", 200);
	act(s, id, "restart", NULL, 409);
	stage_expect(s, "code", "invalid_state");
	act(s, id, "exec", "{\"command\":[\"true\"]}", 409);
	act(s, id, "switch", "{\"gpu\":\"tpu-sim\"}", 409);
	act(s, id, "extend", "{\"seconds\":5}", 409);
}

static void resize(void **state)
{
	struct stage *s = *state;
	char id[64];

	make(s, "rtx-4090", 4, id);
	stage_step(s, 10);
	act(s, id, "resize", "{\"gpu_count\":2}", 202);
	stage_expect(s, "status", "running");
	stage_expect(s, "price_per_hour", "28.000000");
	stage_step(s, 10);
	get(s, "instances", id);
	/* 56 an hour for 10 s is 0.155556, 28 an hour for 10 s is 0.077778 */
	stage_expect(s, "cost", "0.233334");
	act(s, id, "resize", "{\"gpu_count\":1000}", 422);
	act(s, id, "stop", "{}", 202);
	act(s, id, "resize", "{\"gpu_count\":1}", 200);
	stage_expect(s, "price_per_hour", "14.000000");
	stage_expect(s, "status", "stopped");
}

static void restart_and_save(void **state)
{
	struct stage *s = *state;
	char id[64], image[64];

	make(s, "rtx-4090", 4, id);
	stage_step(s, 5);
	act(s, id, "restart", NULL, 202);
	stage_expect(s, "status", "running");
	stage_step(s, 5);
	act(s, id, "save_image", "{\"name\":\"mine\"}", 202);
	stage_expect(s, "status", "running");
	stage_ok(s, 200, "GET", "/v1/images?name=mine", NULL);
	stage_expect(s, "items.0.visibility", "private");
	stage_expect(s, "items.0.status", "ready");
	stage_expect(s, "items.0.source_instance", id);
	snprintf(image, sizeof(image), "%s", stage_text(s, "items.0.id"));
	assert_true(cJSON_GetArraySize(stage_at(s, "items.0.backends")) > 1);
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"u\",\"gpu\":\"tpu-sim\",\"image\":\"mine\"}");
	stage_expect(s, "status", "running");
	act(s, id, "stop", "{\"save_image\":\"second\"}", 202);
	stage_ok(s, 200, "GET", "/v1/images?name=second", NULL);
	stage_expect(s, "items.0.status", "ready");
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "cost", "0.155556");
}

/* A cap, a time and a balance stop it at their own second. */
static void guards(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"gpu_count\":4,"
		"\"image\":\"pytorch-2.2\",\"auto_stop\":{\"max_cost\":\"0.10\",\"release_after_"
		"stopped_seconds\":100}}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	stage_expect(s, "next_stop.cause", "max_cost");
	stage_step(s, 60);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "stopped_by", "max_cost");
	stage_expect(s, "cost", "0.093333");
	assert_true(cJSON_IsString(stage_at(s, "release_at")));
	snprintf(path, sizeof(path), "/v1/events?type=instance.release_soon&resource=%s", id);
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 1);
	/* What is kept for people: it can be put off while it is stopped. */
	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 200, "PATCH", path, "{\"auto_stop\":{\"release_after_stopped_seconds\":200}}");
	stage_step(s, 199);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "auto_stop.max_cost", "0.100000");
	assert_true(cJSON_IsNull(stage_at(s, "auto_stop.idle")));
	stage_step(s, 1);
	get(s, "instances", id);
	stage_expect(s, "status", "released");
	stage_expect(s, "stopped_by", "max_cost");
	stage_expect(s, "status_reason.code", "auto_release");
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"u\",\"gpu\":\"rtx-4090\",\"gpu_count\":4,"
		"\"image\":\"pytorch-2.2\",\"auto_stop\":{\"max_runtime_seconds\":10}}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	act(s, id, "extend", "{\"seconds\":5}", 200);
	stage_step(s, 14);
	get(s, "instances", id);
	stage_expect(s, "status", "running");
	stage_step(s, 1);
	get(s, "instances", id);
	stage_expect(s, "stopped_by", "max_runtime");
	stage_expect(s, "cost", "0.233333");
	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	stage_ok(s, 200, "PATCH", path,
		"{\"auto_stop\":{\"max_runtime_seconds\":null},\"name\":\"v\"}");
	stage_expect(s, "name", "v");
	act(s, id, "start", "{}", 202);
	stage_step(s, 100);
	get(s, "instances", id);
	stage_expect(s, "status", "running");
}

/* What is not known is busy; what is known to idle stops when it has done so long enough. */
static void idle(void **state)
{
	struct stage *s = *state;
	char id[64], at[40], path[120];

	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\",\"auto_stop\":{"
		"\"idle\":"
		"{\"after_seconds\":60,\"cpu_util_below\":5}}}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	stage_step(s, 600);
	get(s, "instances", id);
	stage_expect(s, "status", "running");
	s->engine.cpu = 10;
	stage_step(s, 600);
	get(s, "instances", id);
	stage_expect(s, "status", "running");
	s->engine.cpu = 2;
	stage_step(s, 59);
	get(s, "instances", id);
	stage_expect(s, "next_stop.cause", "idle");
	s->engine.cpu = 50;
	stage_step(s, 30);
	get(s, "instances", id);
	assert_string_not_equal(stage_text(s, "next_stop.cause"), "idle");
	s->engine.cpu = 2;
	stage_step(s, 45);
	/* A daemon that comes back at once goes on where it was. */
	platform_commit(&s->p);
	stage_crash(s);
	stage_up(s);
	get(s, "instances", id);
	stage_expect(s, "status", "running");
	snprintf(at, sizeof(at), "%s", stage_text(s, "next_stop.at"));
	stage_step(s, 30);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "stopped_by", "idle");
	stage_expect(s, "status_reason.code", "idle");
	snprintf(path, sizeof(path), "/v1/events?type=instance.stopping&resource=%s", id);
	stage_ok(s, 200, "GET", path, NULL);
	stage_expect(s, "items.0.created_at", at);
}

/* A guard may run a command first, and release instead of stop. */
static void hook_and_release(void **state)
{
	struct stage *s = *state;
	char id[64];

	s->engine.trail[0] = '\0';
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\",\"auto_stop\":"
		"{\"max_runtime_seconds\":10,\"hook\":\"save\"}}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	stage_step(s, 20);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "cost", "0.038889");
	assert_string_equal(s->engine.trail, "create start exec stop ");
	act(s, id, "start", "{}", 202);
	act(s, id, "stop", "{}", 202);
	assert_string_equal(s->engine.trail, "create start exec stop start stop ");
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"u\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\",\"auto_stop\":"
		"{\"max_runtime_seconds\":10,\"action\":\"release\",\"hook\":\"save\"}}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	s->engine.trail[0] = '\0';
	stage_step(s, 20);
	get(s, "instances", id);
	assert_string_equal(s->engine.trail, "exec stop destroy ");
	stage_expect(s, "status", "released");
	stage_expect(s, "stopped_by", "max_runtime");
	stage_expect(s, "cost", "0.038889");
}

static void refused(
	struct stage *s, const char *body, int status, const char *code, const char *field)
{
	stage_ok(s, status, "POST", "/v1/instances", body);
	stage_expect(s, "code", code);
	if (field)
		stage_expect(s, "errors.0.field", field);
	stage_ok(s, 200, "GET", "/v1/instances?all=true", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 0);
	stage_ok(s, 200, "GET", "/v1/disks?all=true", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 2);
}

/* What follows the name and an image that is there; the field that is refused. */
static const struct {
	const char *rest, *field;
} wrong[] = {
	{ ",\"keys\":[\"none\"]", "keys" },
	{ ",\"models\":[\"none\"]", "models" },
	{ ",\"datasets\":[\"none\"]", "datasets" },
	{ ",\"env\":{\"A B\":\"1\"}", "env" },
	{ ",\"env\":{\"STARVERSE_GPU\":\"1\"}", "env" },
	{ ",\"snapshot\":\"x\"", "image" },
	{ ",\"gpu_count\":1000", "gpu_count" },
	{ ",\"disks\":[{\"disk\":\"none\",\"path\":\"/data\"}]", "disks.disk" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"/\"}]", "disks.path" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"data\"}]", "disks.path" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"/usr/x\"}]", "disks.path" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"/data/../etc\"}]", "disks.path" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"/data//x\"}]", "disks.path" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"/a\"},{\"disk\":\"d\",\"path\":\"/b\"}]",
		"disks.disk" },
	{ ",\"disks\":[{\"disk\":\"d\",\"path\":\"/a\"},{\"disk\":\"e\",\"path\":\"/a/b\"}]",
		"disks.path" },
	{ ",\"storages\":[{\"storage\":\"none\",\"path\":\"/s\"}]", "storages.storage" },
	{ ",\"auto_stop\":{\"stop_at\":\"2020-01-01T00:00:00Z\"}", "auto_stop.stop_at" },
	{ ",\"auto_stop\":{\"idle\":{\"after_seconds\":60,\"gpu_util_below\":5}}",
		"auto_stop.idle.gpu_util_below" },
};

static void refusals(void **state)
{
	struct stage *s = *state;
	const char *v = "validation_failed";
	char body[400];

	stage_ok(s, 202, "POST", "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}");
	stage_ok(s, 202, "POST", "/v1/disks", "{\"name\":\"e\",\"size_gib\":1}");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(body, sizeof(body),
			"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\"%s}",
			wrong[i].rest);
		refused(s, body, 422, v, wrong[i].field);
	}
	refused(s, "{\"name\":\"\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\"}", 422, v,
		"name");
	refused(s, "{\"name\":\"a\\u0001\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\"}", 422, v,
		"name");
	refused(s, "{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"nope\"}", 422, v, "image");
	refused(s, "{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"snapshot\":\"x\"}", 422, v, "snapshot");
	refused(s,
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\","
		"\"max_price_per_hour\":\"1.00\"}",
		422, "price_exceeds_limit", NULL);
	stage_verify(s);
}

static void keys(void **state)
{
	static const char pub[] =
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEH5grHDLPmI5lSRjUYExRuSSrhaGdQpaOfFZ7Hwk6Zg "
		"me@here";
	struct stage *s = *state;
	char body[400];

	snprintf(body, sizeof(body), "{\"name\":\"k\",\"public_key\":\"%s\\n\"}", pub);
	stage_ok(s, 201, "POST", "/v1/keys", body);
	stage_expect(s, "public_key", pub);
	assert_int_equal(strncmp(stage_text(s, "fingerprint"), "SHA256:", 7), 0);
	assert_int_equal(strlen(stage_text(s, "fingerprint")), 7 + 43);
	stage_ok(
		s, 422, "POST", "/v1/keys", "{\"name\":\"k\",\"public_key\":\"ssh-ed25519 AAAA\"}");
	stage_expect(s, "errors.0.field", "public_key");
	stage_ok(s, 422, "POST", "/v1/keys",
		"{\"name\":\"k\",\"public_key\":\"-----BEGIN OPENSSH PRIVATE KEY-----\"}");
	snprintf(body, sizeof(body), "{\"name\":\"k\",\"public_key\":\"%s\\ncommand=x\"}", pub);
	stage_ok(s, 422, "POST", "/v1/keys", body);
	snprintf(body, sizeof(body), "{\"name\":\"k\",\"public_key\":\"command=\\\"x\\\" %s\"}",
		pub);
	stage_ok(s, 422, "POST", "/v1/keys", body);
}

static void deploy_and_clone(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	stage_ok(s, 200, "GET", "/v1/apps?name=llama-3-8b-pretrain", NULL);
	snprintf(path, sizeof(path), "/v1/apps/%s/deploy", stage_text(s, "items.0.id"));
	stage_ok(s, 202, "POST", path, "{\"gpu\":\"rtx-4090\",\"gpu_count\":4,\"name\":\"t\"}");
	stage_expect(s, "status", "running");
	assert_true(cJSON_IsString(stage_at(s, "app")));
	assert_true(cJSON_IsString(stage_at(s, "mounts.0.path")));
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	act(s, id, "clone", "{\"name\":\"u\"}", 202);
	stage_expect(s, "status", "running");
	stage_expect(s, "name", "u");
	assert_string_not_equal(stage_text(s, "id"), id);
	assert_true(cJSON_IsString(stage_at(s, "mounts.0.path")));
	act(s, id, "exec", "{\"command\":[\"false\"]}", 200);
	assert_int_equal(stage_number(s, "exit_code"), 1);
	stage_expect(s, "stdout", "done\n");
}

static void no_gpu(void **state)
{
	struct stage *s = *state;
	char id[64];

	make(s, "rtx-4090", 4, id);
	act(s, id, "stop", "{}", 202);
	act(s, id, "start", "{\"mode\":\"no_gpu\"}", 202);
	stage_expect(s, "status", "running");
	assert_int_equal(stage_number(s, "gpu_count"), 0);
	stage_expect(s, "price_per_hour", "0.100000");
	stage_expect(s, "env.STARVERSE_GPU_COUNT", "0");
	assert_null(stage_at(s, "env.STARVERSE_GPU"));
	assert_null(stage_at(s, "env.STARVERSE_BACKEND"));
	act(s, id, "stop", "{}", 202);
	act(s, id, "start", "{}", 202);
	assert_int_equal(stage_number(s, "gpu_count"), 4);
	stage_expect(s, "price_per_hour", "56.000000");
	act(s, id, "stop", "{}", 202);
	act(s, id, "start", "{\"gpu\":\"rtx-4090\",\"gpu_count\":8,\"fallback\":[\"tpu-sim:4\"]}",
		202);
	act(s, id, "stop", "{}", 202);
	act(s, id, "start", "{\"fallback\":[\"tpu-sim:x\"],\"gpu\":\"tpu-sim\",\"gpu_count\":4}",
		422);
	stage_expect(s, "errors.0.field", "fallback");
	act(s, id, "start", "{\"gpu\":\"tpu-sim\",\"gpu_count\":4}", 202);
	stage_expect(s, "backend", "tpu");
}

/* Instances first, then disks, then layers, although the engine answers late; a failure is told. */
static void reset(void **state)
{
	struct stage *s = *state;
	const char *destroyed, *dropped, *layer;
	char id[64];

	make(s, "rtx-4090", 1, id);
	stage_ok(s, 202, "POST", "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}");
	stage_ok(s, 202, "POST", "/v1/snapshots", "{\"name\":\"n\",\"instance\":\"t\"}");
	s->engine.trail[0] = '\0';
	s->engine.slow = 1;
	stage_ok(s, 200, "POST", "/local/reset", NULL);
	destroyed = strstr(s->engine.trail, "destroy");
	dropped = strstr(s->engine.trail, "disk_drop");
	layer = strstr(s->engine.trail, "layer_drop");
	assert_true(destroyed && dropped && layer && destroyed < dropped && dropped < layer);
	s->engine.slow = 0;
	s->engine.fail = s->engine.calls;
	stage_ok(s, 500, "POST", "/local/reset", NULL);
	s->engine.fail = -1;
	stage_ok(s, 200, "POST", "/local/reset", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lives, setup, teardown),
		cmocka_unit_test_setup_teardown(goals, setup, teardown),
		cmocka_unit_test_setup_teardown(resize, setup, teardown),
		cmocka_unit_test_setup_teardown(restart_and_save, setup, teardown),
		cmocka_unit_test_setup_teardown(guards, setup, teardown),
		cmocka_unit_test_setup_teardown(idle, setup, teardown),
		cmocka_unit_test_setup_teardown(hook_and_release, setup, teardown),
		cmocka_unit_test_setup_teardown(refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(keys, setup, teardown),
		cmocka_unit_test_setup_teardown(deploy_and_clone, setup, teardown),
		cmocka_unit_test_setup_teardown(no_gpu, setup, teardown),
		cmocka_unit_test_setup_teardown(reset, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
