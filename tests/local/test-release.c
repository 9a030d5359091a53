/* SPDX-License-Identifier: MIT */
/* A release that falls due while an operation holds the instance happens when that is over. */
#include "job-stage.h"
#include "local/due.h"
#include "local/job.h"

/* So many seconds later, while what is under way stands still. */
static void pass(struct stage *s, int64_t seconds)
{
	s->p.clock.at += seconds;
	assert_int_equal(due_run(&s->p, s->p.clock.at), SV_OK);
}

static void turns(struct stage *s)
{
	for (int i = 0; i < 60; i++)
		platform_turn(&s->p);
}

static void act(struct stage *s, const char *id, const char *verb, const char *body)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/instances/%s%s%s", id, *verb ? "/" : "", verb);
	stage_ok(s, *verb ? 202 : 200, *verb ? "POST" : "PATCH", path, body);
}

/* Stopped, to be released in 100 s; a snapshot of it is under way. */
static void hold_stopped(struct stage *s, char id[64])
{
	char body[200];

	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"gpu_count\":4,\"image\":\"pytorch-2.2\","
		"\"auto_stop\":{\"release_after_stopped_seconds\":100}}");
	snprintf(id, 64, "%s", stage_text(s, "id"));
	stage_settle(s);
	act(s, id, "stop", NULL);
	stage_settle(s);
	snprintf(body, sizeof(body), "{\"name\":\"s\",\"instance\":\"%s\"}", id);
	stage_ok(s, 202, "POST", "/v1/snapshots", body);
	assert_true(flow_of(&s->p, id, 1) != NULL);
}

static void waits_for_a_snapshot(void **state)
{
	struct stage *s = *state;
	char id[64];

	hold_stopped(s, id);
	pass(s, 150);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_settle(s);
	get(s, "instances", id);
	stage_expect(s, "status", "released");
	stage_expect(s, "status_reason.code", "auto_release");
	stage_ok(s, 200, "GET", "/v1/snapshots", NULL);
	stage_expect(s, "items.0.status", "ready");
}

/* Who puts it off while it waits has put it off. */
static void may_be_put_off(void **state)
{
	struct stage *s = *state;
	char id[64];

	hold_stopped(s, id);
	pass(s, 150);
	act(s, id, "", "{\"auto_stop\":{\"release_after_stopped_seconds\":500}}");
	stage_settle(s);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_step(s, 499);
	get(s, "instances", id);
	stage_expect(s, "status", "stopped");
	stage_step(s, 1);
	get(s, "instances", id);
	stage_expect(s, "status", "released");
}

/* A job that is to end with its instance ends at 10 s, while an operation holds that. */
static void hold_job(struct stage *s, const char *then, const char *verb, const char *body,
	char job[64], char id[64])
{
	char text[300];

	snprintf(text, sizeof(text),
		"{" ON_NEW "\"command\":[\"sleep\",\"100\"],\"max_runtime_seconds\":10,"
		"\"then\":\"%s\"}",
		then);
	stage_ok(s, 202, "POST", "/v1/jobs", text);
	snprintf(job, 64, "%s", stage_text(s, "id"));
	turns(s);
	get(s, "jobs", job);
	stage_expect(s, "status", "running");
	snprintf(id, 64, "%s", stage_text(s, "instance"));
	pass(s, 4);
	act(s, id, verb, body);
	pass(s, 6);
	for (int i = 0; i < 2; i++) /* the job is over, the operation is not */
		jobs_turn(&s->p);
	platform_commit(&s->p);
	get(s, "jobs", job);
	stage_expect(s, "status", "failed");
	assert_true(flow_of(&s->p, id, 1) != NULL);
	get(s, "instances", id);
	assert_true(cJSON_IsFalse(stage_at(s, "billing_active")));
}

static void waits_for_a_resize(void **state)
{
	struct stage *s = *state;
	char job[64], id[64];

	hold_job(s, "release", "resize", "{\"gpu_count\":2}", job, id);
	pass(s, 20);
	turns(s);
	get(s, "instances", id);
	stage_expect(s, "status", "released");
	stage_expect(s, "cost", "0.155556"); /* 10 s at 56 an hour */
}

/* What takes its place is not left behind, nor billed. */
static void ends_what_takes_its_place(void **state)
{
	static const char *const then[] = { "release", "stop" }, *const now[] = { "released",
		"stopped" };

	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (int crash = 0; crash < 2; crash++) {
			struct stage *s = malloc(sizeof(*s));
			char job[64], id[64], next[64];

			stage_open(s, 1);
			hold_job(s, then[k], "switch", "{\"gpu\":\"tpu-sim\",\"gpu_count\":4}", job,
				id);
			snprintf(next, sizeof(next), "%s", flow_of(&s->p, id, 1)->other);
			if (crash) { /* which undoes the switch */
				stage_crash(s);
				stage_up(s);
			}
			turns(s);
			get(s, "instances", id);
			stage_expect(s, "status", now[k]);
			stage_expect(s, "cost", "0.062222"); /* 4 s at 56 an hour */
			get(s, "instances", next);
			stage_expect(s, "status", crash ? "released" : now[k]);
			stage_expect(s, "cost", "0.000000");
			stage_verify(s);
			stage_close(s);
			free(s);
		}
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup_slow, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(waits_for_a_snapshot),
		CASE(may_be_put_off),
		CASE(waits_for_a_resize),
		cmocka_unit_test(ends_what_takes_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
