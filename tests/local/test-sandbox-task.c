/* SPDX-License-Identifier: MIT */
/* Commands that the sandbox looks after: how they end, whoever is there to see it, and what stays
 * of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox-world.h"

#define PATIENCE 60000

static int n_ended;
static char last_ended[64];

static void on_task(void *data, const char *task)
{
	(void)data;
	snprintf(last_ended, sizeof(last_ended), "%s", task);
	n_ended++;
}

/* The daemon's part dies without a word, or comes up again. */
static void reopen(struct world *w)
{
	struct engine_config c = { .state_dir = w->state,
		.grace_ms = 1500,
		.lost = on_lost,
		.task_ended = on_task,
		.data = w };

	w->o->close(w->e);
	assert_int_equal(w->o->open(&c, &w->e, w->text, sizeof(w->text)), 0);
	w->o->adopt(w->e, "ins_a");
}

static int64_t log_most;

static int begin(struct world *w, const char *task, const char *line)
{
	static const char *const env[] = { "STARVERSE_GPU=own", "MORE=1", NULL };
	const char *argv[] = { "sh", "-c", line, NULL };
	struct engine_task t = { .id = task,
		.argv = argv,
		.env = env,
		.workdir = "/root/job/a",
		.log_most = log_most };
	int code = ended(w, w->o->task_start(w->e, "ins_a", &t, on_done, fresh(w)));

	return code ? code : w->o->task_watch(w->e, "ins_a", task);
}

static struct engine_task_status task(struct world *w, const char *id)
{
	struct engine_task_status s;

	assert_int_equal(w->o->task_status(w->e, "ins_a", id, &s), 0);
	return s;
}

/* Waits until it has ended. */
static struct engine_task_status over(struct world *w, const char *id)
{
	int64_t end = sv_mono_ms() + PATIENCE;

	while (task(w, id).state == ENGINE_TASK_RUNNING && sv_mono_ms() < end)
		turn(w, 100);
	assert_int_equal(task(w, id).state, ENGINE_TASK_ENDED);
	turn(w, 0);
	return task(w, id);
}

static const char *content(struct world *w, const char *id, const char *name)
{
	static char text[65536];
	char path[1024];
	FILE *f;

	assert_int_equal(w->o->task_path(w->e, id, name, path, sizeof(path)), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Waits until its log says so. */
static void says(struct world *w, const char *id, const char *part)
{
	int64_t end = sv_mono_ms() + PATIENCE;

	while (!strstr(content(w, id, "log"), part) && sv_mono_ms() < end)
		turn(w, 20);
	assert_non_null(strstr(content(w, id, "log"), part));
}

static void ends(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");
	struct engine_task_status st;

	reopen(w);
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(task(w, "job_a").state, ENGINE_TASK_ABSENT);
	assert_int_equal(begin(w, "job_a",
				 "echo out; echo err >&2; pwd; echo $STARVERSE_GPU "
				 "$STARVERSE_GPU_COUNT $MORE; read x; exit 7"),
		0);
	st = over(w, "job_a");
	assert_int_equal(st.exit_code, 7);
	assert_true(st.started_at > 0 && st.ended_at >= st.started_at);
	assert_int_equal(n_ended, 1);
	assert_string_equal(last_ended, "job_a");
	assert_string_equal(content(w, "job_a", "log"), "out\nerr\n/root/job/a\nown 4 1\n");
	/* Once is once, even when it is asked for again. */
	assert_int_equal(begin(w, "job_a", "echo twice"), SV_NOTFOUND);
	assert_int_equal(task(w, "job_a").exit_code, 7);
	assert_null(strstr(content(w, "job_a", "log"), "twice"));
	begin(w, "job_b", "kill -9 $$");
	assert_int_equal(over(w, "job_b").exit_code, 137);
	{
		const char *argv[] = { "no-such-program", NULL };
		struct engine_task t = { .id = "job_c", .argv = argv, .workdir = "/root" };

		assert_int_equal(
			ended(w, w->o->task_start(w->e, "ins_a", &t, on_done, fresh(w))), 0);
		assert_int_equal(over(w, "job_c").exit_code, 127);
		assert_non_null(strstr(content(w, "job_c", "log"), "no-such-program: "));
		t.id = "job_d";
		t.workdir = "/proc/nothing";
		assert_int_equal(
			ended(w, w->o->task_start(w->e, "ins_a", &t, on_done, fresh(w))), 0);
		assert_int_equal(over(w, "job_d").exit_code, 126);
	}
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_string_equal(content(w, "job_a", "log"), "out\nerr\n/root/job/a\nown 4 1\n");
}

static void survives_us(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");

	assert_int_equal(start(w, &s), 0);
	assert_int_equal(
		begin(w, "job_e", "echo begun; until test -e go; do sleep 0.05; done; exit 3"), 0);
	says(w, "job_e", "begun");
	reopen(w);
	assert_int_equal(task(w, "job_e").state, ENGINE_TASK_RUNNING);
	assert_int_equal(w->o->task_watch(w->e, "ins_a", "job_e"), 0);
	n_ended = 0;
	assert_int_equal(sh(w, "ins_a", "touch /root/job/a/go"), 0);
	assert_int_equal(over(w, "job_e").exit_code, 3);
	assert_int_equal(n_ended, 1);
	/* It ends while nobody is there. */
	sh(w, "ins_a", "rm /root/job/a/go");
	begin(w, "job_f", "until test -e go; do sleep 0.05; done; exit 4");
	sh(w, "ins_a", "(sleep 0.3; touch /root/job/a/go) >/dev/null 2>&1 &");
	w->o->close(w->e);
	sleep(1);
	w->e = NULL;
	assert_int_equal(open_engine(w), 0);
	reopen(w);
	assert_int_equal(over(w, "job_f").exit_code, 4);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

static void is_told_to_end(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");

	assert_int_equal(start(w, &s), 0);
	begin(w, "job_g", "trap 'echo bye; exit 9' TERM; echo begun; while :; do sleep 0.05; done");
	says(w, "job_g", "begun");
	assert_int_equal(w->o->task_stop(w->e, "ins_a", "job_g"), 0);
	assert_int_equal(over(w, "job_g").exit_code, 9);
	assert_non_null(strstr(content(w, "job_g", "log"), "bye"));
	begin(w, "job_h", "trap '' TERM; echo begun; while :; do sleep 0.05; done");
	says(w, "job_h", "begun");
	w->o->task_stop(w->e, "ins_a", "job_h");
	assert_int_equal(over(w, "job_h").exit_code, 137);
	/* An instance that stops lets its commands end, and how they did is known. */
	begin(w, "job_i", "trap 'echo bye; exit 8' TERM; echo begun; while :; do sleep 0.05; done");
	says(w, "job_i", "begun");
	assert_int_equal(stop(w, "ins_a"), 0);
	assert_int_equal(over(w, "job_i").exit_code, 8);
	/* One that dies takes them along. */
	assert_int_equal(start(w, &s), 0);
	begin(w, "job_j", "echo begun; sleep 1000");
	says(w, "job_j", "begun");
	kill((pid_t)status(w, "ins_a").pid, SIGKILL);
	assert_int_equal(over(w, "job_j").exit_code, -1);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(w->o->task_drop(w->e, "job_j"), 0);
	assert_int_equal(task(w, "job_j").state, ENGINE_TASK_ABSENT);
}

static void is_measured(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");

	assert_int_equal(start(w, &s), 0);
	sh(w, "ins_a", "mkdir -p /root/job/a && echo old > /root/job/a/metrics.jsonl");
	begin(w, "job_k",
		"echo one >> metrics.jsonl; sleep 0.5; echo two >> metrics.jsonl; "
		"exec python3 -c 'x = bytearray(200 << 20)'");
	assert_int_equal(over(w, "job_k").exit_code, 0);
	assert_string_equal(content(w, "job_k", "metrics"), "one\ntwo\n");
	assert_in_range(task(w, "job_k").peak_bytes, INT64_C(200) << 20, INT64_C(320) << 20);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

/* Whatever a task writes in its last moment is passed on, and nothing of it twice. */
static void is_read_to_the_end(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");
	char path[1024], line[64];
	int n = 0;
	FILE *f;

	assert_int_equal(start(w, &s), 0);
	begin(w, "job_l",
		"seq -f '{\"step\": %.0f, \"loss\": 0.5}' 200000 >metrics.jsonl; printf last "
		">>metrics.jsonl");
	assert_int_equal(over(w, "job_l").exit_code, 0);
	w->o->task_path(w->e, "job_l", "metrics", path, sizeof(path));
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) && line[0] == '{')
		if (strtol(line + 9, NULL, 10) != ++n)
			fail_msg("line %d is %s", n, line);
	assert_int_equal(n, 200000);
	assert_string_equal(line, "last");
	fclose(f);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

/* At its ceiling the log ends with a line that says so; the task goes on, and what it measures. */
static void has_a_ceiling(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");
	const char *log, *end;

	assert_int_equal(start(w, &s), 0);
	log_most = 5000;
	begin(w, "job_m",
		"rm -f metrics.jsonl; seq -f 'line %.0f' 2000; echo '::metric a=1 step=2'; "
		"yes | head -c 1000000; echo '::metric a=3 step=4'; echo '{\"b\":5}' "
		">>metrics.jsonl; "
		"touch done");
	assert_int_equal(over(w, "job_m").exit_code, 0);
	assert_int_equal(sh(w, "ins_a", "test -e /root/job/a/done"), 0);
	log = content(w, "job_m", "log");
	assert_in_range(strlen(log), 4980, 5200);
	end = strstr(log, "[truncated: the log has reached its 5000 bytes; the job and its "
			  "measurements go on]\n");
	assert_non_null(end);
	assert_int_equal(end[-1], '\n');
	assert_null(strchr(strchr(end, '\n') + 1, '\n'));
	assert_string_equal(content(w, "job_m", "metrics"),
		"::metric a=1 step=2\n::metric a=3 step=4\n{\"b\":5}\n");
	/* What nobody has read of the measurements has the same ceiling. */
	begin(w, "job_n",
		"seq -f '::metric a=%.0f' 100000; yes '{\"c\":1}' | head -n 100000 >metrics.jsonl");
	assert_int_equal(over(w, "job_n").exit_code, 0);
	assert_true(strlen(content(w, "job_n", "metrics")) < 40000);
	log_most = 0;
	assert_int_equal(destroy(w, "ins_a"), 0);
}

/* What it leaves running is listened to, too. */
static void hears_what_is_left(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");

	assert_int_equal(start(w, &s), 0);
	begin(w, "job_o", "(until test -e later; do sleep 0.05; done; echo late) & echo now");
	assert_int_equal(over(w, "job_o").exit_code, 0);
	assert_string_equal(content(w, "job_o", "log"), "now\n");
	sh(w, "ins_a", "touch /root/job/a/later");
	says(w, "job_o", "now\nlate\n");
	assert_int_equal(destroy(w, "ins_a"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends),
		cmocka_unit_test(survives_us),
		cmocka_unit_test(is_told_to_end),
		cmocka_unit_test(is_measured),
		cmocka_unit_test(is_read_to_the_end),
		cmocka_unit_test(has_a_ceiling),
		cmocka_unit_test(hears_what_is_left),
		cmocka_unit_test(leaves_nothing),
	};

	return cmocka_run_group_tests_name("sandbox-task", tests, set_up, tear_down);
}
