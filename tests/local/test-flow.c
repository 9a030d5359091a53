/* SPDX-License-Identifier: MIT */
/* Every operation with an engine that is slow: at each of its calls the engine fails, at each of
 * its turns the daemon dies. Afterwards it is over, documents and engine agree, and the ledger adds
 * up. */
#include "stage.h"

struct scene {
	struct stage s;
	char instance[64], stopped[64], disk[64], attached[64], snapshot[64], image[64], op[64];
};

static int get(struct stage *s, const char *kind, const char *id)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/%s/%s", kind, id);
	return stage_call(s, "GET", path, NULL);
}

static void made(struct scene *c, const char *path, const char *body, char id[64])
{
	stage_ok(&c->s, 202, "POST", path, body);
	snprintf(id, 64, "%s", stage_text(&c->s, "id"));
	stage_settle(&c->s);
}

/* One running with a disk, one stopped, a free disk, a snapshot, an image. */
static void set_up(struct scene *c)
{
	char path[200], none[64];

	memset(c, 0, sizeof(*c));
	stage_open(&c->s, 1);
	made(c, "/v1/disks", "{\"name\":\"free\",\"size_gib\":1}", c->disk);
	made(c, "/v1/disks", "{\"name\":\"used\",\"size_gib\":1}", c->attached);
	made(c, "/v1/instances",
		"{\"name\":\"r\",\"gpu\":\"rtx-4090\",\"gpu_count\":2,\"image\":\"pytorch-2.2\","
		"\"disks\":[{\"disk\":\"used\",\"path\":\"/data\"}]}",
		c->instance);
	made(c, "/v1/instances", "{\"name\":\"s\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\"}",
		c->stopped);
	snprintf(path, sizeof(path), "/v1/instances/%s/stop", c->stopped);
	made(c, path, "{}", none);
	made(c, "/v1/snapshots", "{\"name\":\"snap\",\"instance\":\"s\"}", c->snapshot);
	snprintf(path, sizeof(path), "/v1/instances/%s/save_image", c->stopped);
	made(c, path, "{\"name\":\"mine\"}", none);
	stage_ok(&c->s, 200, "GET", "/v1/images?name=mine", NULL);
	snprintf(c->image, sizeof(c->image), "%s", stage_text(&c->s, "items.0.id"));
	stage_step(&c->s, 10);
}

/* Every operation that there is: %I running, %S stopped, %D free disk, %A attached one, %P
 * snapshot, %M image. */
static const struct {
	const char *method, *path, *body;
} all[] = {
	{ "POST", "/v1/instances",
		"{\"name\":\"n\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\",\"disks\":"
		"[{\"disk\":\"free\",\"path\":\"/data\"}]}" },
	{ "POST", "/v1/instances", "{\"name\":\"n\",\"gpu\":\"rtx-4090\",\"snapshot\":\"snap\"}" },
	{ "POST", "/v1/instances", "{\"name\":\"n\",\"gpu\":\"tpu-sim\",\"image\":\"mine\"}" },
	{ "POST", "/v1/instances/%S/start", "{}" },
	{ "POST", "/v1/instances/%I/stop", "{}" },
	{ "POST", "/v1/instances/%I/stop", "{\"save_image\":\"late\"}" },
	{ "POST", "/v1/instances/%I/restart", NULL },
	{ "POST", "/v1/instances/%I/resize", "{\"gpu_count\":4}" },
	{ "POST", "/v1/instances/%I/save_image", "{\"name\":\"now\"}" },
	{ "POST", "/v1/instances/%S/save_image", "{\"name\":\"now\"}" },
	{ "POST", "/v1/instances/%I/clone", "{\"name\":\"c\"}" },
	{ "POST", "/v1/instances/%I/switch", "{\"gpu\":\"tpu-sim\"}" },
	{ "DELETE", "/v1/instances/%I", NULL },
	{ "DELETE", "/v1/instances/%S", NULL },
	{ "POST", "/v1/disks", "{\"name\":\"more\",\"size_gib\":2}" },
	{ "POST", "/v1/disks/%D/attach", "{\"instance\":\"r\",\"path\":\"/more\"}" },
	{ "POST", "/v1/disks/%A/resize", "{\"size_gib\":5}" },
	{ "DELETE", "/v1/disks/%D", NULL },
	{ "POST", "/v1/snapshots", "{\"name\":\"x\",\"instance\":\"r\"}" },
	{ "POST", "/v1/snapshots", "{\"name\":\"x\",\"disk\":\"used\"}" },
	{ "DELETE", "/v1/snapshots/%P", NULL },
	{ "DELETE", "/v1/images/%M", NULL },
};

#define N_ALL ((int)(sizeof(all) / sizeof(all[0])))

static void begin(struct scene *c, int which)
{
	const char *mark = strchr(all[which].path, '%');
	char path[200];

	if (mark)
		snprintf(path, sizeof(path), "%.*s%s%s", (int)(mark - all[which].path),
			all[which].path,
			mark[1] == 'I'   ? c->instance
			: mark[1] == 'S' ? c->stopped
			: mark[1] == 'D' ? c->disk
			: mark[1] == 'A' ? c->attached
			: mark[1] == 'P' ? c->snapshot
					 : c->image,
			mark + 2);
	else
		snprintf(path, sizeof(path), "%s", all[which].path);
	stage_ok(&c->s, 202, all[which].method, path, all[which].body);
	snprintf(c->op, sizeof(c->op), "%s", stage_text(&c->s, "operation_id"));
	assert_true(c->op[0]);
}

static int state_of(struct scene *c, const char *id)
{
	struct engine_status st;

	memset(&st, 0, sizeof(st));
	stage_status(&c->s.engine, id, &st);
	return st.state;
}

static void check_instance(struct scene *c, const cJSON *one)
{
	const char *id = cJSON_GetObjectItem(one, "id")->valuestring;
	const char *status = cJSON_GetObjectItem(one, "status")->valuestring;
	int billed = cJSON_IsTrue(cJSON_GetObjectItem(one, "billing_active"));

	assert_true(cJSON_IsNull(cJSON_GetObjectItem(one, "operation_id")));
	assert_int_equal(billed, !strcmp(status, "running"));
	if (!strcmp(status, "running"))
		assert_int_equal(state_of(c, id), ENGINE_RUNNING);
	else if (!strcmp(status, "stopped"))
		assert_int_equal(state_of(c, id), ENGINE_STOPPED);
	else if (!strcmp(status, "released"))
		assert_int_equal(state_of(c, id), ENGINE_ABSENT);
	else
		assert_string_equal(status, "error");
}

/* Nothing passing is left anywhere, and each attachment has its mount. */
static void check_all(struct scene *c)
{
	static const char *const settled[] = { "available", "attached", "ready", "error", "deleted",
		NULL };
	static const char *const lists[] = { "/v1/disks?all=true", "/v1/snapshots", "/v1/images",
		NULL };

	stage_ok(&c->s, 200, "GET", "/v1/instances?all=true", NULL);
	for (int i = 0; i < cJSON_GetArraySize(stage_at(&c->s, "items")); i++)
		check_instance(c, cJSON_GetArrayItem(stage_at(&c->s, "items"), i));
	for (int k = 0; lists[k]; k++) {
		stage_ok(&c->s, 200, "GET", lists[k], NULL);
		for (int i = 0; i < cJSON_GetArraySize(stage_at(&c->s, "items")); i++) {
			const cJSON *one = cJSON_GetArrayItem(stage_at(&c->s, "items"), i);
			const char *status = cJSON_GetObjectItem(one, "status")->valuestring;
			int known = 0;

			for (int w = 0; settled[w]; w++)
				known |= !strcmp(settled[w], status);
			if (!known)
				fail_msg("%s: %s is left", lists[k], status);
			if (!strcmp(status, "available"))
				assert_true(cJSON_IsNull(cJSON_GetObjectItem(one, "attachment")));
		}
	}
	stage_verify(&c->s);
}

/* Status of the operation, which is over. */
static const char *over(struct scene *c)
{
	assert_int_equal(get(&c->s, "operations", c->op), 200);
	if (!strcmp(stage_text(&c->s, "status"), "running"))
		fail_msg("%s is not over", stage_text(&c->s, "type"));
	return stage_text(&c->s, "status");
}

static void fails_at_each_call(void **state)
{
	(void)state;
	for (int which = 0; which < N_ALL; which++) {
		for (int n = 0, more = 1; more; n++) {
			struct scene c;

			assert_true(n < 30);
			set_up(&c);
			c.s.engine.calls = 0;
			c.s.engine.fail = n;
			begin(&c, which);
			stage_settle(&c.s);
			more = c.s.engine.failed[0] != '\0';
			if (!more)
				assert_string_equal(over(&c), "succeeded");
			else if (!strcmp(over(&c), "failed"))
				stage_expect(&c.s, "error.message", "the engine was told to fail");
			/* A halt that failed leaves what it should have halted. */
			if (!more || strcmp(c.s.engine.failed, "stop") != 0)
				check_all(&c);
			stage_verify(&c.s);
			stage_close(&c.s);
		}
	}
}

static void dies(int which, int n, int committed, int *done)
{
	struct scene c;

	assert_true(n < 60);
	set_up(&c);
	begin(&c, which);
	for (int i = 0; i < n && flow_open(&c.s.p); i++)
		platform_turn(&c.s.p);
	*done = !flow_open(&c.s.p);
	if (!committed) {
		stage_tick(&c.s.engine);
		flow_turn(&c.s.p);
	}
	stage_crash(&c.s);
	stage_up(&c.s);
	stage_settle(&c.s);
	if (!strstr(all[which].path, "switch"))
		assert_string_equal(over(&c), "succeeded");
	else
		over(&c);
	check_all(&c);
	stage_close(&c.s);
}

static void dies_at_each_turn(void **state)
{
	(void)state;
	for (int which = 0; which < N_ALL; which++)
		for (int n = 0, done = 0; !done; n++)
			dies(which, n, 1, &done);
}

static void dies_before_commit(void **state)
{
	(void)state;
	for (int which = 0; which < N_ALL; which++)
		for (int n = 0, done = 0; !done; n++)
			dies(which, n, 0, &done);
}

static int no_commit(void *data)
{
	(void)data;
	return 1;
}

/* A turn whose commit the disk refuses: everything of it is undone. */
static void undone_turn(struct stage *s)
{
	sqlite3_commit_hook(store_db(s->p.store), no_commit, NULL);
	platform_turn(&s->p);
	sqlite3_commit_hook(store_db(s->p.store), NULL, NULL);
}

/* Turns that cannot be committed are done again: nothing that was asked for is lost. */
static void goes_on_after_an_undone_turn(void **state)
{
	(void)state;
	for (int which = 0; which < N_ALL; which++)
		for (int n = 0, done = 0; !done; n++) {
			struct scene c;

			assert_true(n < 60);
			set_up(&c);
			begin(&c, which);
			for (int i = 0; i < n && flow_open(&c.s.p); i++)
				platform_turn(&c.s.p);
			done = !flow_open(&c.s.p);
			undone_turn(&c.s);
			stage_settle(&c.s);
			assert_string_equal(over(&c), "succeeded");
			check_all(&c);
			stage_close(&c.s);
		}
}

/* A create that is given up leaves an error that says so, and free disks. */
static void cancels_a_create(void **state)
{
	struct scene c;
	char path[200], id[64];

	(void)state;
	set_up(&c);
	begin(&c, 0);
	snprintf(id, sizeof(id), "%s", stage_text(&c.s, "id"));
	snprintf(path, sizeof(path), "/v1/operations/%s/cancel", c.op);
	stage_ok(&c.s, 200, "POST", path, NULL);
	stage_settle(&c.s);
	assert_string_equal(over(&c), "cancelled");
	stage_ok(&c.s, 200, "POST", path, NULL);
	get(&c.s, "instances", id);
	stage_expect(&c.s, "status", "error");
	stage_expect(&c.s, "status_reason.code", "cancelled");
	get(&c.s, "disks", c.disk);
	stage_expect(&c.s, "status", "available");
	check_all(&c);
	stage_close(&c.s);
}

/* A resize that is given up leaves the cards, the price and the limits as they were. */
static void cancels_a_resize(void **state)
{
	(void)state;
	for (int n = 0, late = 0; !late; n++) {
		struct scene c;
		char path[200];

		assert_true(n < 30);
		set_up(&c);
		snprintf(path, sizeof(path), "/v1/instances/%s/resize", c.instance);
		get(&c.s, "instances", c.instance);
		assert_true(stage_number(&c.s, "gpu_count") != 3);
		stage_ok(&c.s, 202, "POST", path, "{\"gpu_count\":3}");
		snprintf(c.op, sizeof(c.op), "%s", stage_text(&c.s, "operation_id"));
		for (int i = 0; i < n && flow_open(&c.s.p); i++)
			platform_turn(&c.s.p);
		c.s.engine.trail[0] = '\0';
		snprintf(path, sizeof(path), "/v1/operations/%s/cancel", c.op);
		late = stage_call(&c.s, "POST", path, NULL) != 200;
		stage_settle(&c.s);
		get(&c.s, "instances", c.instance);
		assert_int_equal(stage_number(&c.s, "gpu_count") == 3, late);
		stage_expect(&c.s, "status", "running");
		assert_string_equal(over(&c), late ? "succeeded" : "cancelled");
		check_all(&c);
		stage_close(&c.s);
	}
}

/* Processes end by themselves, or the whole host does. */
static void loses(void **state)
{
	struct scene c;
	struct engine_status st = { .exited_at = 0 };

	(void)state;
	set_up(&c);
	c.s.p.clock.at += 10;
	sv_engine_none.stop(c.s.engine.host, c.instance, NULL, NULL);
	st.exited_at = c.s.p.clock.at - 4;
	instance_lost(&c.s.p, c.instance, &st);
	platform_turn(&c.s.p);
	get(&c.s, "instances", c.instance);
	stage_expect(&c.s, "status", "stopped");
	stage_expect(&c.s, "status_reason.code", "host_failure");
	stage_expect(&c.s, "cost", "0.124444"); /* 28 an hour, 16 s of 20 */
	get(&c.s, "disks", c.attached);
	stage_expect(&c.s, "attachment.state", "planned");
	check_all(&c);
	stage_close(&c.s);
	set_up(&c);
	stage_verify(&c.s);
	sv_engine_none.stop(c.s.engine.host, c.instance, NULL, NULL);
	stage_crash(&c.s);
	c.s.p.clock.at += 1000;
	stage_up(&c.s);
	get(&c.s, "instances", c.instance);
	stage_expect(&c.s, "status", "stopped");
	stage_expect(&c.s, "status_reason.code", "host_failure");
	stage_expect(&c.s, "cost", "0.077778"); /* 10 s: the last second it was seen alive */
	check_all(&c);
	stage_close(&c.s);
}

/* A cap that falls due while an operation holds the instance stops the bill at once and the
 * instance afterwards. */
static void stops_after_an_operation(void **state)
{
	struct scene c;

	(void)state;
	set_up(&c);
	c.s.p.clock.at += 10;
	begin(&c, 15);
	assert_int_equal(
		instance_stop_at(&c.s.p, c.instance, c.s.p.clock.at - 3, "max_cost", "enough"),
		SV_OK);
	platform_turn(&c.s.p);
	stage_settle(&c.s);
	get(&c.s, "instances", c.instance);
	stage_expect(&c.s, "status", "stopped");
	stage_expect(&c.s, "stopped_by", "max_cost");
	stage_expect(&c.s, "cost", "0.132222"); /* 17 s */
	check_all(&c);
	stage_close(&c.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fails_at_each_call),
		cmocka_unit_test(dies_at_each_turn),
		cmocka_unit_test(dies_before_commit),
		cmocka_unit_test(goes_on_after_an_undone_turn),
		cmocka_unit_test(cancels_a_create),
		cmocka_unit_test(cancels_a_resize),
		cmocka_unit_test(loses),
		cmocka_unit_test(stops_after_an_operation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
