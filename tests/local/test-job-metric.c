/* SPDX-License-Identifier: MIT */
/* What jobs measure, and jobs side by side. */
#include "job-stage.h"
#include <sys/stat.h>

/* What a job has said, or measured, since. */
static void says(struct stage *s, const char *id, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	s->p.ops->task_path(s->p.engine, id, name, path, sizeof(path));
	f = fopen(path, "a");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void forgets(struct stage *s, const char *id)
{
	static const char *const names[] = { "log", "metrics" };
	char path[300];

	for (size_t i = 0; i < 2; i++) {
		s->p.ops->task_path(s->p.engine, id, names[i], path, sizeof(path));
		unlink(path);
	}
}

static double real(struct stage *s, const char *path)
{
	const cJSON *at = stage_at(s, path);

	assert_true(cJSON_IsNumber(at));
	return at->valuedouble;
}

static void measures(void **state)
{
	struct stage *s = *state;
	char id[64], path[200];

	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"100\"]}", id);
	says(s, id, "log", "begins\n::metric loss=4.5 step=25\n ::metric no=1\n::metric loss=");
	snprintf(path, sizeof(path), "/v1/jobs/%s/metrics", id);
	stage_ok(s, 200, "GET", path, NULL);
	stage_expect(s, "series.0.name", "loss");
	assert_int_equal(stage_number(s, "series.0.count"), 1);
	assert_null(stage_at(s, "series.1"));
	says(s, id, "log", "3.5 step=50 lr=1e-3 bad=x\n::metric loss=nan step=75\n");
	says(s, id, "metrics",
		"{\"step\":50,\"accuracy\":0.5,\"reward\":-2,\"note\":\"x\","
		"\"time\":7,\"in\":{\"a\":1}}\n"
		"not json\n{\"accuracy\":0.75}");
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "series")), 4);
	stage_expect(s, "series.0.name", "accuracy");
	assert_int_equal(stage_number(s, "series.0.count"), 1);
	assert_true(real(s, "series.0.points.0.step") == 50);
	stage_expect(s, "series.1.name", "loss");
	assert_int_equal(stage_number(s, "series.1.count"), 3);
	assert_true(cJSON_IsNull(stage_at(s, "series.1.last")));
	assert_true(real(s, "series.1.minimum") == 3.5);
	assert_true(real(s, "series.1.maximum") == 4.5);
	assert_true(real(s, "series.1.points.1.step") == 50);
	assert_true(real(s, "series.1.points.1.value") == 3.5);
	assert_true(cJSON_IsNull(stage_at(s, "series.1.points.2.value")));
	stage_expect(s, "series.2.name", "lr");
	stage_expect(s, "series.3.name", "reward");
	assert_true(real(s, "series.3.last") == -2);
	/* Read once, also by a daemon that comes after. */
	platform_commit(&s->p);
	stage_crash(s);
	stage_up(s);
	says(s, id, "log", "::metric loss=2.25 step=100");
	stage_step(s, 200);
	get(s, "jobs", id);
	stage_expect(s, "status", "succeeded");
	assert_true(real(s, "metrics.loss") == 2.25);
	assert_true(real(s, "metrics.accuracy") == 0.75);
	assert_true(real(s, "metrics.step") == 100);
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(stage_number(s, "series.1.count"), 4);
	snprintf(path, sizeof(path), "/v1/jobs/%s/metrics?name=loss&points=2", id);
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "series")), 1);
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "series.0.points")), 2);
	assert_true(real(s, "series.0.points.1.value") == 2.25);
	snprintf(path, sizeof(path), "/v1/jobs/%s/metrics?points=1", id);
	stage_ok(s, 422, "GET", path, NULL);
	forgets(s, id);
}

/* What comes when the log is full is among the objects. What was read takes no room any more. */
static void measures_behind_a_full_log(void **state)
{
	struct stage *s = *state;
	char id[64], path[300];
	struct stat st;

	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"100\"]}", id);
	says(s, id, "metrics", "::metric a=1 step=2\n{\"a\":3,\"step\":4}\n::other a=5\n");
	snprintf(path, sizeof(path), "/v1/jobs/%s/metrics", id);
	for (int i = 0; i < 20000; i++)
		says(s, id, "metrics", "{\"b\":0.123456789,\"step\":123456789}\n");
	stage_ok(s, 200, "GET", path, NULL);
	stage_expect(s, "series.0.name", "a");
	assert_int_equal(stage_number(s, "series.0.count"), 2);
	assert_true(real(s, "series.0.points.0.step") == 2);
	assert_int_equal(stage_number(s, "series.1.count"), 20000);
	says(s, id, "metrics", "::metric a=7 step=8\n");
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(stage_number(s, "series.0.count"), 3);
	s->p.ops->task_path(s->p.engine, id, "metrics", path, sizeof(path));
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > 700000 && st.st_blocks * 512 <= 8192);
	stage_step(s, 200);
	forgets(s, id);
}

/* However much it measures, what is kept has a ceiling, and is spread evenly. */
static void measures_much(void **state)
{
	struct stage *s = *state;
	char id[64], path[200], line[64];
	int64_t n;

	run(s, "{" ON_NEW "\"command\":[\"sleep\",\"100\"]}", id);
	for (int i = 0; i < 45000; i++) {
		snprintf(line, sizeof(line), "::metric a=%d step=%d\n", i, i);
		says(s, id, "log", line);
	}
	stage_step(s, 200);
	snprintf(path, sizeof(path), "/v1/jobs/%s/metrics?points=10000", id);
	stage_ok(s, 200, "GET", path, NULL);
	assert_int_equal(stage_number(s, "series.0.count"), 45000);
	assert_true(real(s, "series.0.last") == 44999);
	n = cJSON_GetArraySize(stage_at(s, "series.0.points"));
	assert_in_range(n, 9999, 10000);
	assert_true(real(s, "series.0.points.0.step") == 0);
	assert_true(real(s, "series.0.points.5000.step") > 22000 &&
		    real(s, "series.0.points.5000.step") < 23000);
	snprintf(path, sizeof(path), "/v1/jobs/%s/metrics", id);
	stage_ok(s, 200, "GET", path, NULL);
	n = cJSON_GetArraySize(stage_at(s, "series.0.points"));
	assert_in_range(n, 999, 1000);
	forgets(s, id);
}

/* 4 x RTX 4090 at 56 an hour against TPU-sim at half: by how much, in percent to the first. */
static void compares(void **state)
{
	struct stage *s = *state;
	char a[64], b[64], path[300];

	run(s, "{\"name\":\"cuda\"," ON_NEW "\"command\":[\"sleep\",\"120\"]}", a);
	run(s, "{\"name\":\"tpu\",\"gpu\":\"tpu-sim\",\"gpu_count\":4,\"image\":\"pytorch-2.2\","
	       "\"command\":[\"sleep\",\"100\"]}",
		b);
	for (int i = 1; i <= 4; i++) {
		char line[80];

		snprintf(line, sizeof(line), "::metric loss=%d.00 step=%d\n", 6 - i, 50 * i);
		says(s, a, "log", line);
		snprintf(line, sizeof(line), "::metric loss=%d.50 step=%d\n", 5 - i, 50 * i);
		says(s, b, "log", line);
	}
	stage_step(s, 300);
	snprintf(path, sizeof(path), "/v1/jobs/compare?id=%s&id=%s", a, b);
	stage_ok(s, 200, "GET", path, NULL);
	stage_expect(s, "jobs.0.name", "cuda");
	assert_true(cJSON_IsNull(stage_at(s, "jobs.0.difference")));
	assert_int_equal(stage_number(s, "jobs.0.seconds"), 120);
	assert_true(real(s, "jobs.0.steps") == 200);
	stage_expect(s, "jobs.0.price_per_hour", "56.000000");
	stage_expect(s, "jobs.0.cost", "1.866667");
	stage_expect(s, "jobs.0.cost_per_1000_steps", "9.333335");
	assert_true(cJSON_IsNull(stage_at(s, "jobs.0.peak_memory_bytes")));
	stage_expect(s, "jobs.1.price_per_hour", "28.000000");
	stage_expect(s, "jobs.1.cost", "0.777778");
	assert_true(real(s, "jobs.1.steps_per_second") == 2);
	assert_true(real(s, "jobs.1.metrics.loss") == 1.5);
	assert_true(real(s, "jobs.1.difference.price_per_hour") == -50);
	assert_true(real(s, "jobs.1.difference.metrics.loss") == -25);
	assert_true(real(s, "jobs.1.difference.steps_per_second") > 19.999 &&
		    real(s, "jobs.1.difference.steps_per_second") < 20.001);
	assert_true(cJSON_IsNull(stage_at(s, "jobs.1.difference.peak_memory_bytes")));
	assert_int_equal(cJSON_GetArraySize(stage_at(s, "jobs.1.series.0.points")), 4);
	stage_ok(s, 200, "GET", "/v1/jobs/compare?id=cuda&id=tpu", NULL);
	stage_ok(s, 422, "GET", "/v1/jobs/compare?id=cuda", NULL);
	stage_expect(s, "errors.0.field", "id");
	stage_ok(s, 422, "GET", "/v1/jobs/compare?id=cuda&id=none", NULL);
	forgets(s, a);
	forgets(s, b);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(measures),
		CASE(measures_behind_a_full_log),
		CASE(measures_much),
		CASE(compares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
