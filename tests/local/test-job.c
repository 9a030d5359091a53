/* SPDX-License-Identifier: MIT */
/* Jobs over engine "none" and stepped time: what ends them, what becomes of their instances, and
 * the bill to the second. */
#include "job-stage.h"
#include "local/job.h"

/* A cap of 0.10 at 56 an hour: second 6, 0.093333. */
static void caps_its_cost(void **state)
{
	struct stage *s = *state;
	char id[64];

	run(s, "{\"name\":\"j\"," ON_NEW "\"command\":[\"train\"],\"max_cost\":\"0.10\"}", id);
	get(s, "jobs", id);
	stage_expect(s, "status", "running");
	stage_expect(s, "price_per_hour", "56.000000");
	stage_step(s, 5);
	get(s, "jobs", id);
	stage_expect(s, "status", "running");
	stage_expect(s, "cost", "0.077778");
	stage_step(s, 3600);
	get(s, "jobs", id);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "max_cost");
	stage_expect(s, "message", "the cost limit of 0.10 is reached");
	stage_expect(s, "cost", "0.093333");
	assert_true(cJSON_IsNull(stage_at(s, "exit_code")));
	get_instance(s, id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "stopped_by", "job");
	stage_expect(s, "cost", "0.093333");
	get(s, "billing", "usage?kind=compute");
	assert_int_equal(stage_number(s, "items.0.seconds"), 6);
	stage_expect(s, "items.0.cost", "0.093333");
}

/* The same on an instance that had cost something before, and goes on. */
static void caps_what_is_its_own(void **state)
{
	struct stage *s = *state;
	char id[64], machine[64];

	make(s, machine);
	stage_step(s, 100);
	run(s, "{\"name\":\"j\",\"instance\":\"t\",\"command\":[\"train\"],\"max_cost\":\"0.10\"}",
		id);
	stage_step(s, 60);
	get(s, "jobs", id);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "max_cost");
	stage_expect(s, "cost", "0.093333");
	stage_expect(s, "then", "keep");
	get(s, "instances", machine);
	stage_expect(s, "status", "running");
	stage_expect(s, "cost", "2.488889"); /* 160 s */
}

/* The cards become more while it runs: the cap holds all the same. */
static void caps_at_any_rate(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	run(s, "{\"name\":\"j\"," ON_NEW "\"command\":[\"train\"],\"max_cost\":\"1.00\"}", id);
	get_instance(s, id);
	stage_step(s, 10); /* 0.155556 */
	snprintf(path, sizeof(path), "/v1/instances/%s/resize", stage_text(s, "id"));
	stage_ok(s, 202, "POST", path, "{\"gpu_count\":8}");
	stage_step(s, 3600); /* 112 an hour: 27 s are 0.840000, 28 would be too much */
	get(s, "jobs", id);
	stage_expect(s, "reason", "max_cost");
	stage_expect(s, "cost", "0.995556");
}

static void ends_by_itself(void **state)
{
	struct stage *s = *state;
	char id[64], other[64];

	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"100\"]}", id);
	get(s, "jobs", id);
	stage_expect(s, "name", "sleep");
	stage_expect(s, "then", "stop");
	stage_step(s, 7200);
	get(s, "jobs", id);
	stage_expect(s, "status", "succeeded");
	assert_int_equal(stage_number(s, "exit_code"), 0);
	stage_expect(s, "cost", "1.555556");
	assert_true(cJSON_IsNull(stage_at(s, "reason")));
	get_instance(s, id);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "cost", "1.555556");
	/* A failure is one, and acts no less. */
	run(s, "{" ON_NEW "\"command\":[\"false\"],\"then\":\"release\"}", other);
	stage_step(s, 1);
	get(s, "jobs", other);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "exit_code");
	stage_expect(s, "message", "exit code 1");
	assert_int_equal(stage_number(s, "exit_code"), 1);
	get_instance(s, other);
	stage_expect(s, "status", "released");
	get(s, "jobs", other);
	stage_expect(s, "status", "failed");
	/* The bill knows the job. */
	get(s, "billing", "usage?kind=compute");
	assert_int_equal(stage_number(s, "items.0.seconds"), 100);
}

static void runs_no_longer(void **state)
{
	struct stage *s = *state;
	char id[64];

	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"100\"],\"max_runtime_seconds\":90}", id);
	stage_step(s, 1000);
	get(s, "jobs", id);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "max_runtime");
	stage_expect(s, "message", "the longest running time of 1m30s is over");
	stage_expect(s, "cost", "1.400000");
}

static void is_cancelled(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	run(s, "{" ON_NEW "\"command\":[\"train\"],\"then\":\"release\"}", id);
	stage_step(s, 50);
	snprintf(path, sizeof(path), "/v1/jobs/%s/cancel", id);
	stage_ok(s, 202, "POST", path, NULL);
	stage_step(s, 50);
	get(s, "jobs", id);
	stage_expect(s, "status", "cancelled");
	stage_expect(s, "reason", "cancelled");
	stage_expect(s, "cost", "0.777778");
	get_instance(s, id);
	stage_expect(s, "status", "released");
	stage_ok(s, 200, "POST", path, NULL); /* that is what it is */
	stage_expect(s, "status", "cancelled");
}

/* Whatever else stops the instance ends the job, and is its reason. */
static void falls_with_its_instance(void **state)
{
	struct stage *s = *state;
	char id[64], path[200], machine[64];

	run(s, "{" ON_NEW "\"command\":[\"train\"]}", id);
	get_instance(s, id);
	snprintf(machine, sizeof(machine), "%s", stage_text(s, "id"));
	stage_step(s, 9);
	snprintf(path, sizeof(path), "/v1/instances/%s/stop", machine);
	stage_ok(s, 202, "POST", path, "{}");
	stage_step(s, 1);
	get(s, "jobs", id);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "user");
	stage_expect(s, "cost", "0.140000");
	/* Nothing to run on. */
	stage_ok(s, 409, "POST", "/v1/jobs", "{\"instance\":\"train\",\"command\":[\"true\"]}");
	stage_expect(s, "suggestion", "svctl instance start train");
}

static void takes_turns(void **state)
{
	struct stage *s = *state;
	char machine[64], one[64], two[64];

	make(s, machine);
	run(s, "{\"instance\":\"t\",\"command\":[\"sleep\",\"10\"],\"then\":\"stop\"}", one);
	run(s, "{\"instance\":\"t\",\"command\":[\"sleep\",\"10\"],\"then\":\"stop\"}", two);
	get(s, "jobs", two);
	stage_expect(s, "status", "queued");
	stage_expect(s, "reason", "turn");
	stage_step(s, 10);
	get(s, "jobs", one);
	stage_expect(s, "status", "succeeded");
	get(s, "instances", machine);
	stage_expect(s, "status", "running");
	stage_step(s, 100);
	get(s, "jobs", two);
	stage_expect(s, "status", "succeeded");
	stage_expect(s, "cost", "0.155555"); /* what the other's rounding left of 20 s */
	get(s, "instances", machine);
	stage_expect(s, "status", "stopped");
	stage_expect(s, "cost", "0.311111");
}

static void waits_for_files(void **state)
{
	struct stage *s = *state;
	char id[64], late[64], path[200];

	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"10\"],\"hold\":true}", id);
	get(s, "jobs", id);
	stage_expect(s, "status", "waiting");
	stage_expect(s, "reason", "files");
	stage_step(s, 30);
	snprintf(path, sizeof(path), "/v1/jobs/%s/start", id);
	stage_ok(s, 200, "POST", path, NULL);
	stage_step(s, 60);
	get(s, "jobs", id);
	stage_expect(s, "status", "succeeded");
	stage_expect(s, "cost", "0.622222"); /* 40 s: its instance was there for it alone */
	stage_ok(s, 409, "POST", path, NULL);
	/* Files that never come do not keep an instance running for ever. */
	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"10\"],\"hold\":true}", late);
	stage_step(s, 7200);
	get(s, "jobs", late);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "files");
	stage_expect(s, "cost", "14.000000"); /* 900 s */
	/* While they come they are waited for. */
	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"10\"],\"hold\":true}", late);
	s->engine.processes = 3;
	stage_step(s, 3600);
	get(s, "jobs", late);
	stage_expect(s, "status", "waiting");
	s->engine.processes = 1;
	stage_step(s, 120);
	get(s, "jobs", late);
	stage_expect(s, "status", "failed");
}

static void keeps_checkpoints(void **state)
{
	struct stage *s = *state;
	char id[64], machine[64];

	stage_ok(s, 202, "POST", "/v1/disks", "{\"name\":\"ckpt\",\"size_gib\":10}");
	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"10\"],\"then\":\"release\","
	       "\"checkpoint\":{\"disk\":\"ckpt\",\"path\":\"/root/ckpt\",\"every_seconds\":60}}",
		id);
	get_instance(s, id);
	stage_expect(s, "mounts.0.path", "/root/ckpt");
	stage_step(s, 100);
	get(s, "jobs", id);
	stage_expect(s, "status", "succeeded");
	assert_int_equal(stage_number(s, "checkpoint.every_seconds"), 60);
	stage_ok(s, 200, "GET", "/v1/disks?name=ckpt", NULL);
	stage_expect(s, "items.0.status", "available");
	/* On an instance that is there it is brought, and stays. */
	make(s, machine);
	run(s, "{\"instance\":\"t\",\"command\":[\"sleep\",\"10\"],"
	       "\"checkpoint\":{\"disk\":\"ckpt\",\"path\":\"/root/ckpt\"}}",
		id);
	stage_step(s, 20);
	get(s, "jobs", id);
	stage_expect(s, "status", "succeeded");
	get(s, "instances", machine);
	stage_expect(s, "mounts.0.path", "/root/ckpt");
	run(s, "{\"instance\":\"t\",\"command\":[\"sleep\",\"10\"],"
	       "\"checkpoint\":{\"disk\":\"ckpt\",\"path\":\"/root/ckpt/run-2\"}}",
		id);
	get(s, "jobs", id);
	stage_expect(s, "status", "running");
	stage_ok(s, 422, "POST", "/v1/jobs",
		"{\"instance\":\"t\",\"command\":[\"true\"],"
		"\"checkpoint\":{\"disk\":\"ckpt\",\"path\":\"/root/other\"}}");
	stage_expect(s, "errors.0.field", "checkpoint.path");
	stage_ok(s, 422, "POST", "/v1/jobs",
		"{\"instance\":\"t\",\"command\":[\"true\"],"
		"\"checkpoint\":{\"disk\":\"none\",\"path\":\"/root/other\"}}");
	stage_expect(s, "errors.0.field", "checkpoint.disk");
	stage_ok(s, 422, "POST", "/v1/jobs",
		"{" ON_NEW "\"command\":[\"true\"],"
		"\"checkpoint\":{\"disk\":\"none\",\"path\":\"/root/other\"}}");
	stage_expect(s, "errors.0.field", "checkpoint.disk");
}

/* Each is refused whole, naming what is wrong, and leaves nothing. */
static void refuses(void **state)
{
	static const struct {
		const char *body, *field;
		int status;
	} tries[] = {
		{ "{\"instance\":\"none\",\"command\":[\"true\"]}", "instance", 422 },
		{ "{\"command\":[\"true\"]}", "instance", 422 },
		{ "{\"instance\":\"t\"," ON_NEW "\"command\":[\"true\"]}", "gpu", 422 },
		{ "{" ON_NEW "\"name\":\"j\"}", "command", 422 },
		{ "{" ON_NEW "\"command\":[\"\"]}", "command", 422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"workdir\":\"here\"}", "workdir", 422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"workdir\":\"/root/../etc\"}", "workdir",
			422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"name\":\" \"}", "name", 422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"env\":{\"STARVERSE_X\":\"1\"}}", "env",
			422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"max_cost\":\"0\"}", "max_cost", 422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"max_runtime_seconds\":0}",
			"max_runtime_seconds", 422 },
		{ "{" ON_NEW "\"command\":[\"true\"],\"then\":\"forget\"}", "then", 422 },
		{ "{\"gpu\":\"tpu-sim\",\"image\":\"none\",\"command\":[\"true\"]}", "image", 422 },
		{ "{\"app\":\"llama-3-8b-pretrain\"}", "command", 422 },
		/* An hour is the least that this card is rented for. */
		{ "{\"gpu\":\"h100-80g\",\"image\":\"pytorch-2.2\",\"command\":[\"true\"],"
		  "\"max_cost\":\"1.00\"}",
			"max_cost", 402 },
	};
	struct stage *s = *state;

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		stage_ok(s, tries[i].status, "POST", "/v1/jobs", tries[i].body);
		stage_expect(s, "errors.0.field", tries[i].field);
	}
	stage_expect(s, "code", "budget_exceeded");
	stage_ok(s, 200, "GET", "/v1/jobs", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 0);
	stage_ok(s, 200, "GET", "/v1/instances?all=true", NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "items")), 0);
}

/* The engine fails, is slow, and the daemon dies at any moment: a job ends as it would have. */
static void survives_crashes(void **state)
{
	(void)state;
	for (int at = 0; at < 40; at++) {
		struct stage *s = malloc(sizeof(*s));
		char id[64];

		stage_open(s, 1);
		stage_ok(s, 202, "POST", "/v1/jobs",
			"{" ON_NEW "\"command\":[\"sleep\",\"100\"],\"max_cost\":\"0.10\"}");
		snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
		for (int i = 0; i < at; i++)
			platform_turn(&s->p);
		stage_crash(s);
		stage_up(s);
		for (int i = 0; i < 60; i++)
			platform_turn(&s->p);
		get(s, "jobs", id);
		stage_expect(s, "status", "running");
		stage_step(s, 3600);
		if (at % 2) {
			stage_crash(s);
			stage_up(s);
		}
		for (int i = 0; i < 60; i++)
			platform_turn(&s->p);
		get(s, "jobs", id);
		stage_expect(s, "status", "failed");
		stage_expect(s, "reason", "max_cost");
		stage_expect(s, "cost", "0.093333");
		get_instance(s, id);
		stage_expect(s, "status", "stopped");
		stage_verify(s);
		stage_close(s);
		free(s);
	}
}

static void fails_to_begin(void **state)
{
	struct stage *s = malloc(sizeof(*s));
	char id[64];

	(void)state;
	stage_open(s, 1);
	s->engine.fail = s->engine.calls + 2; /* create, start, task_start */
	stage_ok(s, 202, "POST", "/v1/jobs", "{" ON_NEW "\"command\":[\"sleep\",\"100\"]}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	for (int i = 0; i < 60; i++)
		platform_turn(&s->p);
	assert_string_equal(s->engine.failed, "task_start");
	get(s, "jobs", id);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "start_failed");
	stage_expect(s, "message", "the engine was told to fail");
	get_instance(s, id);
	stage_expect(s, "status", "stopped");
	s->engine.fail = s->engine.calls + 1; /* the instance does not come up */
	stage_ok(s, 202, "POST", "/v1/jobs", "{" ON_NEW "\"command\":[\"sleep\",\"100\"]}");
	snprintf(id, sizeof(id), "%s", stage_text(s, "id"));
	for (int i = 0; i < 60; i++)
		platform_turn(&s->p);
	get(s, "jobs", id);
	stage_expect(s, "status", "failed");
	stage_expect(s, "reason", "instance");
	stage_expect(s, "message", "the engine was told to fail");
	stage_expect(s, "cost", "0.000000");
	stage_verify(s);
	stage_close(s);
	free(s);
}

/* The engine of records forgets when the daemon ends, and takes the platform's word afterwards. */
static void outlives_the_daemon(void **state)
{
	static const struct {
		const char *command, *status;
		int64_t seconds;
	} tries[] = { { "\"sleep\",\"100\"", "succeeded", 100 }, { "\"train\"", "running", 200 } };
	struct stage *s = *state;
	char id[64], machine[64], body[200], text[100];

	for (size_t k = 0; k < 2; k++) {
		snprintf(body, sizeof(body), "{" ON_NEW "\"command\":[%s]}", tries[k].command);
		run(s, body, id);
		get_instance(s, id);
		snprintf(machine, sizeof(machine), "%s", stage_text(s, "id"));
		stage_step(s, 10);
		stage_crash(s);
		sv_engine_none.close(s->engine.host);
		sv_engine_none.open(NULL, &s->engine.host, text, sizeof(text));
		sv_engine_none.adopt(s->engine.host, machine);
		stage_up(s);
		get(s, "jobs", id);
		stage_expect(s, "status", "running");
		stage_step(s, 190);
		get(s, "jobs", id);
		stage_expect(s, "status", tries[k].status);
		get(s, "instances", machine);
		stage_expect(s, "cost", tries[k].seconds == 100 ? "1.555556" : "3.111111");
		snprintf(body, sizeof(body), "/v1/jobs/%s/cancel", id);
		stage_ok(s, k ? 202 : 200, "POST", body, "{}");
		stage_settle(s);
	}
	get(s, "jobs", id);
	stage_expect(s, "status", "cancelled");
}

/* Whatever stops the instance in the moment before. */
static void begins_on_none_that_ends(void **state)
{
	static const char *const ends[] = { "/stop", "" };

	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (int at = 0; at < 4; at++) {
			struct stage *s = malloc(sizeof(*s));
			char id[64], job[64], path[200];
			int began;

			stage_open(s, 1);
			make(s, id);
			stage_settle(s);
			stage_ok(s, 202, "POST", "/v1/jobs",
				"{\"instance\":\"t\",\"command\":[\"train\"]}");
			snprintf(job, sizeof(job), "%s", stage_text(s, "id"));
			for (int i = 0; i < at; i++)
				jobs_turn(&s->p);
			began = strstr(s->engine.trail, "task_start") != NULL;
			snprintf(path, sizeof(path), "/v1/instances/%s%s", id, ends[k]);
			stage_ok(s, 202, k ? "DELETE" : "POST", path, k ? NULL : "{}");
			for (int i = 0; i < 60; i++)
				platform_turn(&s->p);
			get(s, "jobs", job);
			stage_expect(s, "status", "failed");
			assert_int_equal(strstr(s->engine.trail, "task_start") != NULL, began);
			assert_int_equal(cJSON_IsNull(stage_at(s, "started_at")), 1);
			stage_expect(s, "cost", "0.000000");
			stage_verify(s);
			stage_close(s);
			free(s);
		}
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(caps_its_cost),
		CASE(caps_what_is_its_own),
		CASE(caps_at_any_rate),
		CASE(ends_by_itself),
		CASE(runs_no_longer),
		CASE(is_cancelled),
		CASE(falls_with_its_instance),
		CASE(takes_turns),
		CASE(waits_for_files),
		CASE(keeps_checkpoints),
		CASE(refuses),
		CASE(outlives_the_daemon),
		cmocka_unit_test(begins_on_none_that_ends),
		cmocka_unit_test(survives_crashes),
		cmocka_unit_test(fails_to_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
