/* SPDX-License-Identifier: MIT */
/* The sandbox engine, really: instances, commands, ssh, a daemon that dies. As root or as an
 * ordinary user; what this machine cannot do is skipped with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox-world.h"

static void starts_and_stops(void **state)
{
	struct world *w = world(state, 0, "");
	struct engine_spec s = spec(w, "ins_a");
	int64_t begin;

	assert_int_equal(status(w, "ins_a").state, ENGINE_ABSENT);
	assert_int_equal(ended(w, w->o->create(w->e, &s, on_done, fresh(w))), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_STOPPED);
	begin = sv_mono_ms();
	assert_int_equal(ended(w, w->o->start(w->e, &s, on_done, fresh(w))), 0);
	print_message("# started in %lld ms\n", (long long)(sv_mono_ms() - begin));
	assert_int_equal(status(w, "ins_a").state, ENGINE_RUNNING);
	assert_int_equal(start(w, &s), 0); /* again: nothing changes */
	assert_int_equal(sh(w, "ins_a",
				 "hostname; echo kept > /root/f; echo kept > /srv/f; echo kept > "
				 "/usr/local/f"),
		0);
	assert_string_equal(w->reply.out, "ins_a\n");
	assert_int_equal(stop(w, "ins_a"), 0);
	assert_int_equal(stop(w, "ins_a"), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_STOPPED);
	assert_true(status(w, "ins_a").exited_at > 0);
	assert_int_equal(w->n_lost, 0);
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(sh(w, "ins_a", "cat /root/f /srv/f /usr/local/f"), 0);
	assert_string_equal(w->reply.out, "kept\nkept\nkept\n");
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_ABSENT);
}

static void is_apart(void **state)
{
	static const char *const names[] = { "mnt", "pid", "uts", "ipc", "net", "user" };
	struct world *w = world(state, 0, "");
	struct engine_spec a = spec(w, "ins_a"), b = spec(w, "ins_b");
	char line[512];

	assert_int_equal(start(w, &a), 0);
	assert_int_equal(start(w, &b), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char mine[64], first[64];
		ssize_t n;

		snprintf(line, sizeof(line), "readlink /proc/self/ns/%s", names[i]);
		n = readlink(line + 9, mine, sizeof(mine) - 1);
		mine[n > 0 ? n : 0] = '\0';
		sh(w, "ins_a", line);
		snprintf(first, sizeof(first), "%.60s", w->reply.out);
		first[strcspn(first, "\n")] = '\0';
		assert_string_not_equal(first, mine);
		sh(w, "ins_b", line);
		w->reply.out[strcspn(w->reply.out, "\n")] = '\0';
		assert_string_not_equal(first, w->reply.out);
	}
	snprintf(line, sizeof(line), "cat %s", w->sentinel);
	assert_int_not_equal(sh(w, "ins_a", line), 0);
	assert_null(strstr(w->reply.out, "secret"));
	assert_int_not_equal(
		sh(w, "ins_a", "cat /proc/1/root/etc/hostname || cat /proc/1/environ"), 0);
	assert_int_not_equal(sh(w, "ins_a", "echo x > /proc/sys/kernel/core_pattern"), 0);
	assert_int_not_equal(sh(w, "ins_a", "umount /proc/sys"), 0);
	assert_int_not_equal(sh(w, "ins_a", "mount -t tmpfs x /mnt"), 0);
	assert_int_not_equal(sh(w, "ins_a", "kill -9 1; sleep 0.1; ls /proc/2000000"), 0);
	assert_int_equal(
		sh(w, "ins_a", "ls -d /proc/[0-9]* | wc -l | { read n; [ \"$n\" -lt 8 ]; }"), 0);
	assert_int_equal(
		sh(w, "ins_a", "test \"$(stat -fc %T /tmp)\" != '' && test -w /root"), 0);
	/* Where this source lies is the host's affair. */
	snprintf(line, sizeof(line), "test ! -e '%s'", getenv("SV_SOURCE"));
	assert_int_equal(sh(w, "ins_a", line), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_RUNNING);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
}

static void runs_commands(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	const char *loop[] = { "sh", "-c", "echo begun; sleep 60", NULL };
	const char *missing[] = { "no-such-program", NULL };
	const char *much[] = { "sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x", NULL };
	struct engine_spec s = spec(w, "ins_a");

	assert_int_equal(start(w, &s), 0);
	assert_int_equal(sh(w, "ins_a", "echo out; echo err >&2; exit 7"), 7);
	assert_string_equal(w->reply.out, "out\n");
	assert_string_equal(w->reply.err, "err\n");
	assert_int_equal(sh(w, "ins_a", "kill -TERM $$"), 128 + SIGTERM);
	assert_int_equal(sh(w, "ins_a", "printf '%s|' \"$STARVERSE_GPU\" \"$ODD\"; pwd; id -u"), 0);
	assert_string_equal(w->reply.out, "rtx-4090|a b \"c\" $d 'e' \\|/root\n0\n");
	assert_int_equal(sh(w, "ins_a", "starverse-smi | grep -c simulated"), 0);
	assert_int_equal(sh(w, "ins_a",
				 "command -v python3 >/dev/null || exit 0; python3 -c 'import "
				 "json, ssl, ctypes'"),
		0);
	assert_int_equal(
		ended(w, w->o->exec(w->e, "ins_a", loop, 400, 1000, on_done, fresh(w))), 0);
	assert_int_equal(w->reply.r.truncated, 1);
	assert_string_equal(w->reply.out, "begun\n");
	assert_int_not_equal(sh(w, "ins_a", "pgrep -x sleep"), 0); /* the late one is gone */
	assert_int_equal(
		ended(w, w->o->exec(w->e, "ins_a", much, 5000, 1000, on_done, fresh(w))), 0);
	assert_int_equal(w->reply.r.truncated, 1);
	assert_int_equal(w->reply.r.out_len, 1000);
	assert_int_equal(
		ended(w, w->o->exec(w->e, "ins_a", missing, 5000, 1000, on_done, fresh(w))), 0);
	assert_int_equal(w->reply.r.exit_code, 127);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(ended(w, w->o->exec(w->e, "ins_a", loop, 400, 1000, on_done, fresh(w))),
		SV_CONFLICT);
}

static void keeps_log_and_status(void **state)
{
	struct world *w = world(state, 0, "");
	struct engine_spec s = spec(w, "ins_a");
	char path[512], line[600], out[256];

	s.command = "echo begun; exit 3";
	assert_int_equal(start(w, &s), 0);
	for (int i = 0; i < 100 && status(w, "ins_a").exit_status < 0; i++)
		turn(w, 20);
	assert_int_equal(WEXITSTATUS(status(w, "ins_a").exit_status), 3);
	assert_int_equal(w->o->log_path(w->e, "ins_a", path, sizeof(path)), 0);
	snprintf(line, sizeof(line), "cat %s", path);
	host(w, out, sizeof(out), line);
	assert_string_equal(out, "begun\n");
	/* TERM reaches what runs; it has the grace to say goodbye. */
	assert_int_equal(stop(w, "ins_a"), 0);
	s.command = "trap 'echo bye; exit 5' TERM; while :; do sleep 0.05; done";
	assert_int_equal(start(w, &s), 0);
	turn(w, 300);
	assert_int_equal(stop(w, "ins_a"), 0);
	host(w, out, sizeof(out), line);
	assert_non_null(strstr(out, "bye\n"));
	assert_int_equal(WEXITSTATUS(status(w, "ins_a").exit_status), 5);
	/* What refuses is killed. */
	s.command = "trap '' TERM; while :; do sleep 0.05; done";
	assert_int_equal(start(w, &s), 0);
	turn(w, 200);
	assert_int_equal(stop(w, "ins_a"), 0);
	/* An end that nobody asked for is reported. */
	s.command = NULL;
	assert_int_equal(start(w, &s), 0);
	kill((pid_t)status(w, "ins_a").pid, SIGKILL);
	for (int i = 0; i < 100 && !w->n_lost; i++)
		turn(w, 50);
	assert_int_equal(w->n_lost, 1);
	assert_string_equal(w->lost, "ins_a");
	w->n_lost = 0;
	assert_int_equal(w->o->adopt(w->e, "ins_a"), SV_NOTFOUND);
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

/* At its ceiling the log says so; the command goes on. */
static void has_a_ceiling(void **state)
{
	struct world *w = world(state, ENGINE_EXEC, "no exec");
	struct engine_spec s = spec(w, "ins_a");
	char path[512], line[600], out[256];
	int64_t end = sv_mono_ms() + 60000;
	struct stat st;

	s.command = "yes | head -c 80000000; echo x > /root/said; sleep 1000";
	assert_int_equal(start(w, &s), 0);
	while (sh(w, "ins_a", "test -s /root/said") && sv_mono_ms() < end)
		turn(w, 100);
	assert_int_equal(sh(w, "ins_a", "test -s /root/said"), 0);
	assert_int_equal(w->o->log_path(w->e, "ins_a", path, sizeof(path)), 0);
	snprintf(line, sizeof(line), "tail -n 1 %s", path);
	do
		host(w, out, sizeof(out), line);
	while (!strstr(out, "truncated") && sv_mono_ms() < end);
	assert_string_equal(out, "[truncated: the log has reached its 67108864 bytes; the command "
				 "goes on]\n");
	assert_int_equal(stat(path, &st), 0);
	assert_in_range(st.st_size, 67108864 - 10, 67108864 + 200);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

static void takes_logins(void **state)
{
	struct world *w = world(state, ENGINE_SSH, "no ssh on this machine");
	struct engine_spec s = spec(w, "ins_a");
	const char *none[] = { NULL };
	char out[4096];
	int64_t begin;

	assert_int_equal(start(w, &s), 0);
	begin = sv_mono_ms();
	assert_int_equal(ended(w, w->o->login(w->e, "ins_a", on_done, fresh(w))), 0);
	print_message("# first login in %lld ms\n", (long long)(sv_mono_ms() - begin));
	assert_int_equal(ssh(w, "ins_a", out, sizeof(out),
				 "ssh %O -p %P root@127.0.0.1 'hostname; echo $ODD; exit 7'"),
		7);
	assert_string_equal(out, "ins_a\na b \"c\" $d 'e' \\\n");
	assert_int_equal(
		ssh(w, "ins_a", out, sizeof(out), "ssh %O -tt -p %P root@127.0.0.1 tty </dev/null"),
		0);
	assert_non_null(strstr(out, "/dev/pts/"));
	assert_int_equal(ssh(w, "ins_a", out, sizeof(out),
				 "cd $(mktemp -d); head -c 5000000 /dev/urandom > a; "
				 "scp -q %O -P %P a root@127.0.0.1:b && scp -q %O -P %P "
				 "root@127.0.0.1:b c && cmp a c && rm -f a c"),
		0);
	assert_int_equal(ssh(w, "ins_a", out, sizeof(out),
				 "echo 'ls /' | sftp -q -b - %O -P %P root@127.0.0.1"),
		0);
	assert_non_null(strstr(out, "/etc"));
	assert_int_not_equal(
		ssh(w, "ins_a", out, sizeof(out), "ssh %O -p %P nobody@127.0.0.1 true 2>/dev/null"),
		0);
	assert_int_equal(w->o->authorize(w->e, "ins_a", none), 0);
	assert_int_equal(
		ssh(w, "ins_a", out, sizeof(out), "ssh %O -p %P root@127.0.0.1 true 2>/dev/null"),
		255);
	assert_int_equal(ended(w, w->o->login(w->e, "ins_a", on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

static void pauses_and_measures(void **state)
{
	struct world *w = world(state, ENGINE_PAUSE, "no pause");
	struct engine_spec s = spec(w, "ins_a");
	struct engine_metrics m;
	int64_t end = sv_mono_ms() + 30000;

	s.command = "while :; do echo x >> /root/ticks; sleep 0.02; done";
	s.ram_bytes = 64 << 20;
	assert_int_equal(start(w, &s), 0);
	/* A rate takes two looks, some time apart. */
	do {
		turn(w, 100);
		assert_int_equal(w->o->metrics(w->e, "ins_a", &m), 0);
	} while (m.cpu_percent < 0 && sv_mono_ms() < end);
	assert_true(m.processes >= 2 && m.ram_bytes > 0 && m.cpu_percent >= 0);
	assert_int_equal(ended(w, w->o->pause(w->e, "ins_a", 1, on_done, fresh(w))), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_PAUSED);
	usleep(300000);
	assert_int_equal(ended(w, w->o->pause(w->e, "ins_a", 0, on_done, fresh(w))), 0);
	/* It goes on; sh() gives up by itself. */
	assert_int_equal(
		sh(w, "ins_a",
			"n=$(wc -l < /root/ticks); while [ $(wc -l < /root/ticks) = $n ]; do :; "
			"done"),
		0);
	if (w->caps & ENGINE_RAM_LIMIT)
		assert_int_not_equal(
			sh(w, "ins_a", "head -c 200000000 /dev/zero | tail >/dev/null"), 0);
	assert_int_equal(ended(w, w->o->pause(w->e, "ins_a", 1, on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_a"), 0); /* also a paused one */
}

/* Another process is the daemon, and is killed. */
static void outlives_the_daemon(void **state)
{
	struct world *w = world(state, ENGINE_SSH, "no ssh on this machine");
	struct engine_spec s = spec(w, "ins_a");
	struct engine_mount m = { .disk = "dsk_a", .path = "/data" };
	int port, st;
	pid_t pid;

	assert_int_equal(stop(w, "ins_a"), 0);
	w->o->close(w->e);
	w->e = NULL;
	pid = fork();
	if (!pid) {
		if (open_engine(w) ||
			ended(w, w->o->disk_make(w->e, "dsk_a", 16 << 20, NULL, on_done, fresh(w))))
			_exit(1);
		s.mounts = &m;
		s.n_mounts = 1;
		if (start(w, &s) || sh(w, "ins_a", "echo alive > /data/f"))
			_exit(1);
		raise(SIGKILL);
	}
	waitpid(pid, &st, 0);
	assert_true(WIFSIGNALED(st));
	assert_int_equal(open_engine(w), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_RUNNING);
	port = status(w, "ins_a").ssh_port;
	assert_int_equal(w->o->adopt(w->e, "ins_a"), 0);
	assert_int_equal(status(w, "ins_a").ssh_port, port);
	assert_int_equal(ended(w, w->o->login(w->e, "ins_a", on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_a", "cat /data/f"), 0);
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), 0);
	assert_int_equal(w->n_lost, 0);
}

static void refuses_bad_input(void **state)
{
	static const char *const ids[] = { "", "../x", "a/b", "A", "a.b", "a b", NULL };
	static const char *const paths[] = { "", "/", "x", "/proc/x", "/usr/local/x", "/etc",
		"/a/../b", "/a//b", "/a/", "/root", "/./a", "/dev/x", NULL };
	struct world *w = world(state, 0, "");
	struct engine_spec s = spec(w, "ins_a");
	struct engine_mount m = { .disk = "dsk_none", .path = "/data" };

	for (size_t i = 0; ids[i]; i++) {
		s.id = ids[i];
		assert_int_equal(w->o->create(w->e, &s, on_done, NULL), SV_INVALID);
		assert_int_equal(w->o->start(w->e, &s, on_done, NULL), SV_INVALID);
		assert_int_equal(w->o->destroy(w->e, ids[i], on_done, NULL), SV_INVALID);
		assert_int_equal(
			w->o->disk_make(w->e, ids[i], 1 << 24, NULL, on_done, NULL), SV_INVALID);
		assert_int_equal(w->o->layer_drop(w->e, ids[i], on_done, NULL), SV_INVALID);
	}
	s = spec(w, "ins_a");
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), SV_NOTFOUND);
	m.disk = "dsk_a";
	for (size_t i = 0; paths[i]; i++) {
		m.path = paths[i];
		assert_int_equal(w->o->attach(w->e, "ins_a", &m, on_done, NULL), SV_INVALID);
	}
	assert_int_equal(destroy(w, "ins_a"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_and_stops),
		cmocka_unit_test(is_apart),
		cmocka_unit_test(runs_commands),
		cmocka_unit_test(keeps_log_and_status),
		cmocka_unit_test(has_a_ceiling),
		cmocka_unit_test(takes_logins),
		cmocka_unit_test(pauses_and_measures),
		cmocka_unit_test(outlives_the_daemon),
		cmocka_unit_test(refuses_bad_input),
		cmocka_unit_test(leaves_nothing),
	};

	return cmocka_run_group_tests_name("sandbox", tests, set_up, tear_down);
}
