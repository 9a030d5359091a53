/* SPDX-License-Identifier: MIT */
/* Disks, snapshots and images: where they may go, what is refused, what they cost. */
#include "stage-case.h"

static void made(struct stage *s, const char *path, const char *body, char id[64])
{
	stage_ok(s, 202, "POST", path, body);
	snprintf(id, 64, "%s", stage_text(s, "id"));
}

static void act(struct stage *s, const char *kind, const char *id, const char *verb,
	const char *body, int status)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/%s/%s%s%s", kind, id, verb ? "/" : "", verb ? verb : "");
	stage_ok(s, status, verb ? "POST" : "DELETE", path, body);
}

static void get(struct stage *s, const char *kind, const char *id)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/%s/%s", kind, id);
	stage_ok(s, 200, "GET", path, NULL);
}

#define MACHINE "{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\"}"

static void hot_plug(void **state)
{
	struct stage *s = *state;
	char i[64], j[64], d[64], path[200];

	made(s, "/v1/instances", MACHINE, i);
	made(s, "/v1/instances", "{\"name\":\"u\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\"}",
		j);
	made(s, "/v1/disks", "{\"name\":\"d\",\"size_gib\":10,\"labels\":{\"k\":\"v\"}}", d);
	stage_expect(s, "status", "available");
	stage_expect(s, "type", "data");
	act(s, "disks", d, "attach", "{\"instance\":\"t\",\"path\":\"/data\"}", 202);
	stage_expect(s, "status", "attached");
	stage_expect(s, "attachment.instance", i);
	stage_expect(s, "attachment.path", "/data");
	stage_expect(s, "attachment.state", "attached");
	stage_ok(s, 200, "GET", "/v1/disks?instance=nope", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 0);
	snprintf(path, sizeof(path), "/v1/disks?instance=%s", i);
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 2); /* its own and this one */
	act(s, "disks", d, "attach", "{\"instance\":\"t\",\"path\":\"/data\"}", 200);
	act(s, "disks", d, "attach", "{\"instance\":\"u\",\"path\":\"/data\"}", 409);
	act(s, "disks", d, NULL, NULL, 409);
	s->engine.busy = 1;
	act(s, "disks", d, "detach", NULL, 409);
	stage_expect(s, "code", "disk_busy");
	stage_expect(s, "detail", "process 7 stands in it");
	stage_expect(s, "suggestion", "end what uses it, or change its directory");
	act(s, "disks", d, "resize", "{\"size_gib\":99}", 409);
	stage_expect(s, "code", "disk_busy");
	snprintf(path, sizeof(path), "svctl disk detach %s", d);
	stage_expect(s, "suggestion", path);
	get(s, "disks", d);
	stage_expect(s, "attachment.state", "attached");
	s->engine.busy = 0;
	act(s, "disks", d, "detach", NULL, 202);
	stage_expect(s, "status", "available");
	assert_true(cJSON_IsNull(stage_at(s, "attachment")));
	act(s, "disks", d, "detach", NULL, 200);
	get(s, "instances", i);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "mounts")), 0);
	act(s, "instances", j, "stop", "{}", 202);
	act(s, "disks", d, "attach", "{\"instance\":\"u\",\"path\":\"/data\",\"read_only\":true}",
		200);
	stage_expect(s, "attachment.state", "planned");
	act(s, "instances", j, "start", "{}", 202);
	get(s, "disks", d);
	stage_expect(s, "attachment.state", "attached");
	act(s, "instances", j, NULL, NULL, 202);
	get(s, "disks", d);
	stage_expect(s, "status", "available");
	act(s, "disks", d, NULL, NULL, 202);
	stage_expect(s, "status", "deleted");
	act(s, "disks", d, NULL, NULL, 200);
}

/* The engine's refusal comes late and is the answer all the same. */
static void busy_late(void **state)
{
	struct stage s;
	char i[64], d[64];

	(void)state;
	stage_open(&s, 1);
	made(&s, "/v1/instances", MACHINE, i);
	made(&s, "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}", d);
	stage_settle(&s);
	act(&s, "disks", d, "attach", "{\"instance\":\"t\",\"path\":\"/data\"}", 202);
	stage_expect(&s, "status", "attaching");
	act(&s, "disks", d, "detach", NULL, 409);
	stage_expect(&s, "code", "operation_in_progress");
	stage_settle(&s);
	s.engine.busy = 1;
	act(&s, "disks", d, "detach", NULL, 409);
	stage_expect(&s, "code", "disk_busy");
	stage_settle(&s);
	get(&s, "disks", d);
	stage_expect(&s, "status", "attached");
	s.engine.busy = 0;
	act(&s, "disks", d, "detach", NULL, 202);
	stage_expect(&s, "status", "available");
	stage_verify(&s);
	stage_close(&s);
}

static void refusals(void **state)
{
	static const char *const paths[] = { "/", "/usr", "/proc/x", "relative", "/a/../b", "/a//b",
		"/a/", "/root", "" };
	struct stage *s = *state;
	char i[64], d[64], system[64], body[100];

	made(s, "/v1/instances", MACHINE, i);
	snprintf(system, sizeof(system), "%s", stage_text(s, "system_disk"));
	made(s, "/v1/disks", "{\"name\":\"d\",\"size_gib\":10}", d);
	for (size_t k = 0; k < sizeof(paths) / sizeof(paths[0]); k++) {
		snprintf(body, sizeof(body), "{\"instance\":\"t\",\"path\":\"%s\"}", paths[k]);
		act(s, "disks", d, "attach", body, 422);
		stage_expect(s, "errors.0.field", "path");
	}
	act(s, "disks", d, "attach", "{\"instance\":\"nope\",\"path\":\"/data\"}", 422);
	stage_expect(s, "errors.0.field", "instance");
	act(s, "disks", d, "resize", "{\"size_gib\":9}", 422);
	stage_expect(s, "errors.0.field", "size_gib");
	act(s, "disks", d, "resize", "{\"size_gib\":10}", 200);
	stage_ok(s, 422, "POST", "/v1/disks", "{\"name\":\"x\",\"size_gib\":-1}");
	stage_ok(s, 422, "POST", "/v1/disks", "{\"name\":\"x\",\"size_gib\":100000000}");
	stage_ok(s, 422, "POST", "/v1/disks",
		"{\"name\":\"x\",\"size_gib\":1,\"snapshot\":\"nope\"}");
	stage_expect(s, "errors.0.field", "snapshot");
	get(s, "disks", system);
	stage_expect(s, "type", "system");
	stage_expect(s, "attachment.instance", i);
	act(s, "disks", system, "detach", NULL, 409);
	act(s, "disks", system, NULL, NULL, 409);
	act(s, "disks", system, "attach", "{\"instance\":\"t\",\"path\":\"/data\"}", 409);
	act(s, "instances", i, NULL, NULL, 202);
	get(s, "disks", system);
	stage_expect(s, "status", "deleted");
}

/* 100 GiB for 3 days, then twice as much for as long: a tenth of the month's price, exactly. */
static void metered(void **state)
{
	struct stage *s = *state;
	char d[64];
	int64_t price;

	made(s, "/v1/disks", "{\"name\":\"d\",\"size_gib\":100}", d);
	assert_int_equal(sv_parse_money(stage_text(s, "price_per_gib_month"), &price), SV_OK);
	stage_step(s, 3 * 86400);
	assert_int_equal(ledger_cost(s->p.ledger, d, s->p.clock.at), 10 * price);
	act(s, "disks", d, "resize", "{\"size_gib\":200}", 202);
	stage_expect(s, "status", "available");
	assert_int_equal(stage_number(s, "size_gib"), 200);
	stage_step(s, 3 * 86400);
	assert_int_equal(ledger_cost(s->p.ledger, d, s->p.clock.at), 30 * price);
	act(s, "disks", d, NULL, NULL, 202);
	stage_step(s, 86400);
	assert_int_equal(ledger_cost(s->p.ledger, d, s->p.clock.at), 30 * price);
}

static void snapshots(void **state)
{
	struct stage *s = *state;
	char i[64], d[64], of_system[64], of_disk[64], image[64];

	made(s, "/v1/instances", MACHINE, i);
	snprintf(image, sizeof(image), "%s", stage_text(s, "image"));
	made(s, "/v1/disks", "{\"name\":\"d\",\"size_gib\":10}", d);
	made(s, "/v1/snapshots", "{\"name\":\"a\",\"instance\":\"t\"}", of_system);
	stage_expect(s, "status", "ready");
	stage_expect(s, "instance", i);
	assert_int_equal(stage_number(s, "progress_percent"), 100);
	made(s, "/v1/snapshots", "{\"name\":\"b\",\"disk\":\"d\"}", of_disk);
	assert_true(cJSON_IsNull(stage_at(s, "instance")));
	stage_ok(s, 422, "POST", "/v1/snapshots",
		"{\"name\":\"c\",\"disk\":\"d\",\"instance\":\"t\"}");
	stage_ok(s, 422, "POST", "/v1/snapshots", "{\"name\":\"c\",\"disk\":\"nope\"}");
	stage_ok(s, 422, "POST", "/v1/disks", "{\"name\":\"e\",\"size_gib\":5,\"snapshot\":\"b\"}");
	stage_expect(s, "errors.0.field", "size_gib");
	stage_ok(s, 422, "POST", "/v1/disks",
		"{\"name\":\"e\",\"size_gib\":500,\"snapshot\":\"a\"}");
	stage_ok(
		s, 202, "POST", "/v1/disks", "{\"name\":\"e\",\"size_gib\":10,\"snapshot\":\"b\"}");
	stage_expect(s, "status", "available");
	stage_ok(s, 422, "POST", "/v1/instances",
		"{\"name\":\"u\",\"gpu\":\"rtx-4090\",\"snapshot\":\"b\"}");
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"u\",\"gpu\":\"tpu-sim\",\"snapshot\":\"a\"}");
	stage_expect(s, "status", "running");
	stage_expect(s, "image", image);
	stage_expect(s, "backend", "tpu");
	/* Its layer stays as long as an instance stands on it. */
	s->engine.trail[0] = '\0';
	act(s, "snapshots", of_system, NULL, NULL, 202);
	stage_expect(s, "status", "deleted");
	assert_string_equal(s->engine.trail, "");
	stage_ok(s, 200, "GET", "/v1/instances?name=u", NULL);
	snprintf(i, sizeof(i), "%s", stage_text(s, "items.0.id"));
	act(s, "instances", i, NULL, NULL, 202);
	assert_string_equal(s->engine.trail, "stop destroy layer_drop ");
	act(s, "snapshots", of_disk, NULL, NULL, 202);
	assert_string_equal(s->engine.trail, "stop destroy layer_drop layer_drop ");
}

static void images(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	stage_ok(s, 200, "GET", "/v1/images?name=pytorch-2.2", NULL);
	snprintf(id, sizeof(id), "%s", stage_text(s, "items.0.id"));
	act(s, "images", id, NULL, NULL, 403);
	snprintf(path, sizeof(path), "/v1/images/%s", id);
	stage_ok(s, 403, "PATCH", path, "{\"name\":\"x\"}");
	get(s, "images", id);
	stage_expect(s, "name", "pytorch-2.2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(hot_plug, setup, teardown),
		cmocka_unit_test(busy_late),
		cmocka_unit_test_setup_teardown(refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(metered, setup, teardown),
		cmocka_unit_test_setup_teardown(snapshots, setup, teardown),
		cmocka_unit_test_setup_teardown(images, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
