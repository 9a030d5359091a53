/* SPDX-License-Identifier: MIT */
/* The sandbox engine, really: instances, ssh, disks, snapshots, a daemon that dies. As root or as
 * an ordinary user; what this machine cannot do is skipped with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/time.h>
#include <local/engine.h>
#include <starverse/common.h>

struct reply {
	int over;
	struct engine_result r;
	char out[65536], err[4096];
};

struct world {
	const struct engine_ops *o;
	struct engine *e;
	unsigned caps;
	char dir[128], state[160], text[512], key[192], key_text[512], sentinel[256];
	struct reply reply;
	char lost[64];
	int n_lost;
};

static void on_done(void *data, const struct engine_result *r)
{
	struct reply *p = data;

	assert_false(p->over);
	p->r = *r;
	snprintf(p->out, sizeof(p->out), "%s", r->out ? r->out : "");
	snprintf(p->err, sizeof(p->err), "%s", r->err ? r->err : "");
	p->over = 1;
}

static void on_lost(void *data, const char *id, const struct engine_status *s)
{
	struct world *w = data;

	assert_int_equal(s->state, ENGINE_STOPPED);
	snprintf(w->lost, sizeof(w->lost), "%s", id);
	w->n_lost++;
}

static void turn(struct world *w, int ms)
{
	struct pollfd p = { .fd = w->o->fd(w->e), .events = POLLIN };

	poll(&p, 1, ms);
	w->o->tick(w->e);
}

/* For each call: its own code, or how it ended. */
static int ended(struct world *w, int code)
{
	int64_t end = sv_mono_ms() + 60000;

	if (code)
		return code;
	while (!w->reply.over && sv_mono_ms() < end)
		turn(w, 1000);
	assert_true(w->reply.over);
	if (w->reply.r.code)
		print_message(
			"# %d '%s' %s\n", w->reply.r.code, w->reply.r.wire, w->reply.r.message);
	return w->reply.r.code;
}

static struct reply *fresh(struct world *w)
{
	memset(&w->reply, 0, sizeof(w->reply));
	return &w->reply;
}

static const char *const env[] = { "STARVERSE_GPU=rtx-4090", "STARVERSE_GPU_COUNT=4",
	"STARVERSE_BACKEND=cuda", "ODD=a b \"c\" $d 'e' \\", NULL };

static struct engine_spec spec(struct world *w, const char *id)
{
	static const char *keys[2];

	keys[0] = w->key_text;
	return (struct engine_spec){
		.id = id, .hostname = id, .env = env, .authorized = keys, .network = "none"
	};
}

static int start(struct world *w, const struct engine_spec *s)
{
	int code = ended(w, w->o->create(w->e, s, on_done, fresh(w)));

	return code ? code : ended(w, w->o->start(w->e, s, on_done, fresh(w)));
}

static int stop(struct world *w, const char *id)
{
	return ended(w, w->o->stop(w->e, id, on_done, fresh(w)));
}

static int destroy(struct world *w, const char *id)
{
	return ended(w, w->o->destroy(w->e, id, on_done, fresh(w)));
}

/* The exit status of a shell line inside; its output is in w->reply.out. */
static int sh(struct world *w, const char *id, const char *line)
{
	const char *argv[] = { "sh", "-c", line, NULL };

	assert_int_equal(ended(w, w->o->exec(w->e, id, argv, 30000, 60000, on_done, fresh(w))), 0);
	return w->reply.r.exit_code;
}

static struct engine_status status(struct world *w, const char *id)
{
	struct engine_status s;

	assert_int_equal(w->o->status(w->e, id, &s), 0);
	return s;
}

/* A program of the host, while the engine goes on serving. Its exit status; what it printed is in
 * out. */
static int host(struct world *w, char *out, size_t size, const char *line)
{
	int fds[2], st = 0;
	size_t n = 0;
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	pid = fork();
	if (!pid) {
		dup2(fds[1], 1);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	while (waitpid(pid, &st, WNOHANG) == 0) {
		ssize_t got = read(fds[0], out + n, size - 1 - n);

		n += got > 0 ? (size_t)got : 0;
		turn(w, 20);
	}
	for (ssize_t got; n + 1 < size && (got = read(fds[0], out + n, size - 1 - n)) > 0;)
		n += (size_t)got;
	close(fds[0]);
	out[n] = '\0';
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128;
}

static int ssh(struct world *w, const char *id, char *out, size_t size, const char *format)
{
	char options[512], line[1024];

	snprintf(options, sizeof(options),
		"-F none -i %s -o BatchMode=yes -o UserKnownHostsFile=/dev/null "
		"-o StrictHostKeyChecking=no -o LogLevel=ERROR -o IdentitiesOnly=yes -o "
		"IdentityAgent=none",
		w->key);
	/* %O the options, %P the port */
	size_t n = 0;
	for (const char *p = format; *p && n + 600 < sizeof(line) + 512 && n < sizeof(line) - 1;
		p++) {
		if (p[0] == '%' && p[1] == 'O')
			n += (size_t)snprintf(line + n, sizeof(line) - n, "%s", options), p++;
		else if (p[0] == '%' && p[1] == 'P')
			n += (size_t)snprintf(
				line + n, sizeof(line) - n, "%d", status(w, id).ssh_port),
				p++;
		else
			line[n++] = *p;
	}
	line[n < sizeof(line) ? n : sizeof(line) - 1] = '\0';
	return host(w, out, size, line);
}

static int open_engine(struct world *w)
{
	struct engine_config c = {
		.state_dir = w->state, .grace_ms = 1500, .lost = on_lost, .data = w
	};

	return w->o->open(&c, &w->e, w->text, sizeof(w->text));
}

static int set_up(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	const char *tmp = getenv("SV_SANDBOX_TMP");
	char line[512];
	FILE *f;

	*state = w;
	w->o = &sv_engine_sandbox;
	if (w->o->probe(&w->caps, w->text, sizeof(w->text))) {
		print_message("# skipped: %s\n", w->text);
		return 0;
	}
	snprintf(w->dir, sizeof(w->dir), "%s/sandbox-XXXXXX", tmp ? tmp : "/var/tmp");
	assert_non_null(mkdtemp(w->dir));
	snprintf(w->state, sizeof(w->state), "%s/engine", w->dir);
	snprintf(w->sentinel, sizeof(w->sentinel), "%s/sentinel", w->dir);
	f = fopen(w->sentinel, "w");
	fputs("secret\n", f);
	fclose(f);
	snprintf(w->key, sizeof(w->key), "%s/key", w->dir);
	snprintf(line, sizeof(line), "ssh-keygen -q -t ed25519 -N '' -f %s", w->key);
	assert_int_equal(open_engine(w), 0);
	assert_int_equal(host(w, w->key_text, sizeof(w->key_text), line), 0);
	snprintf(line, sizeof(line), "cat %s.pub", w->key);
	host(w, w->key_text, sizeof(w->key_text), line);
	w->key_text[strcspn(w->key_text, "\n")] = '\0';
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;
	char line[256];

	if (w->e) {
		snprintf(line, sizeof(line), "rm -rf %s", w->dir);
		w->o->close(w->e);
		/* Files of subordinate ids can only be removed from inside; destroy did that. */
		assert_int_equal(system(line), 0);
	}
	free(w);
	return 0;
}

static struct world *world(void **state, unsigned caps, const char *what)
{
	struct world *w = *state;

	if (!w->e || (w->caps & caps) != caps) {
		print_message("# skipped: %s\n", w->e ? what : w->text);
		skip();
	}
	return w;
}

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
		sh(w, "ins_a",
			"test \"$(stat -fc %T /tmp)\" != '' && test -w /root && test ! -e /work"),
		0);
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

static void plugs_disks(void **state)
{
	struct world *w = world(state, ENGINE_HOTPLUG, "no hot-plug");
	struct engine_spec a = spec(w, "ins_a"), b = spec(w, "ins_b");
	struct engine_mount m = { .disk = "dsk_a", .path = "/data" },
			    ro = { .disk = "dsk_a", .path = "/mnt/x", .read_only = 1 };

	a.command = "while [ ! -e /data/flag ]; do sleep 0.05; done; echo seen > /data/seen";
	assert_int_equal(start(w, &a), 0);
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 32 << 20, NULL, on_done, fresh(w))), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 32 << 20, NULL, on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(
		sh(w, "ins_a", "echo bytes > /data/f; touch /data/flag; sleep 0.4; cat /data/seen"),
		0);
	if (w->caps & ENGINE_DISK_LIMIT) {
		assert_int_not_equal(sh(w, "ins_a", "head -c 60000000 /dev/zero > /data/big"), 0);
		assert_non_null(strstr(w->reply.err, "No space left"));
		sh(w, "ins_a", "rm /data/big");
	}
	/* A second one reads the same bytes, and cannot write. */
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_b", &ro, on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_b", "cat /mnt/x/f"), 0);
	assert_string_equal(w->reply.out, "bytes\n");
	assert_int_not_equal(sh(w, "ins_b", "touch /mnt/x/no"), 0);
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_b", &ro, on_done, fresh(w))), 0);
	/* Busy: refused, with the culprit's name. */
	sh(w, "ins_a", "cd /data; setsid sleep 50 >/dev/null 2>&1 </dev/null &");
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), SV_CONFLICT);
	assert_string_equal(w->reply.r.wire, "disk_busy");
	assert_non_null(strstr(w->reply.r.message, "sleep"));
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), SV_CONFLICT);
	sh(w, "ins_a", "pkill -x sleep; sleep 0.2");
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_not_equal(sh(w, "ins_a", "test -e /data/f"), 0);
	/* It grows, and goes on with its bytes, in the list of a start. */
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 64 << 20, NULL, on_done, fresh(w))), 0);
	assert_int_equal(stop(w, "ins_b"), 0);
	b.mounts = &m;
	b.n_mounts = 1;
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(sh(w, "ins_b", "cat /data/f && head -c 40000000 /dev/zero > /data/g"), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), 0);
}

static void plugs_directories(void **state)
{
	struct world *w = world(state, ENGINE_HOTPLUG, "no hot-plug");
	struct engine_spec s = spec(w, "ins_a");
	char dir[256], line[600], out[64];
	struct engine_mount m = { .source = dir, .path = "/storage" };

	snprintf(dir, sizeof(dir), "%s/shared", w->dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(line, sizeof(line), "umask 077; echo token > %s/token", dir);
	host(w, out, sizeof(out), line);
	s.run_dir = dir;
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(sh(w, "ins_a", "cat /run/starverse/token && ! touch /run/starverse/x"), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_a", "cat /storage/token && echo back > /storage/back"), 0);
	snprintf(line, sizeof(line), "cat %s/back", dir);
	assert_int_equal(host(w, out, sizeof(out), line), 0);
	assert_string_equal(out, "back\n");
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

static void keeps_snapshots(void **state)
{
	struct world *w = world(state, ENGINE_SNAPSHOT, "no snapshots");
	struct engine_spec a = spec(w, "ins_a"), b = spec(w, "ins_b");
	const char *first[] = { "snp_a", NULL }, *second[] = { "snp_b", NULL };
	struct engine_mount m = { .disk = "dsk_b", .path = "/data" };

	assert_int_equal(start(w, &a), 0);
	assert_int_equal(sh(w, "ins_a",
				 "echo one > /root/f; ln /root/f /root/g; rm /etc/debian_version; "
				 "rm -rf /usr/share/doc/bash; "
				 "mkdir -p /opt/x && ln -s f /opt/x/l"),
		0);
	assert_int_equal(ended(w, w->o->snapshot(w->e, "ins_a", "snp_a", on_done, fresh(w))), 0);
	assert_true(w->reply.r.bytes > 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_RUNNING);
	assert_int_equal(sh(w, "ins_a", "echo later > /root/f"), 0);
	b.layers = first;
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(sh(w, "ins_b",
				 "cat /root/f /root/g; readlink /opt/x/l; ls /etc/debian_version "
				 "/usr/share/doc/bash 2>&1 "
				 "| grep -c 'No such'"),
		0);
	assert_string_equal(w->reply.out, "one\none\nf\n2\n");
	assert_int_equal(sh(w, "ins_b",
				 "rm /root/g; echo two > /root/h; rm -r /opt/x; mkdir /opt/x; "
				 "touch /opt/x/new"),
		0);
	assert_int_equal(ended(w, w->o->snapshot(w->e, "ins_b", "snp_b", on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_a", on_done, fresh(w))), 0);
	b.layers = second; /* stands alone: what was below it is gone */
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(sh(w, "ins_b",
				 "cat /root/f /root/h; ls /root/g 2>/dev/null; ls /opt/x; ls "
				 "/etc/debian_version 2>/dev/null"),
		2);
	assert_string_equal(w->reply.out, "one\ntwo\nnew\n");
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 16 << 20, NULL, on_done, fresh(w))), 0);
	m.disk = "dsk_a";
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_b", &m, on_done, fresh(w))), 0);
	sh(w, "ins_b", "echo disk > /data/d");
	assert_int_equal(ended(w, w->o->snapshot(w->e, "dsk_a", "snp_d", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_b", &m, on_done, fresh(w))), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_b", 16 << 20, "snp_d", on_done, fresh(w))), 0);
	m.disk = "dsk_b";
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_b", &m, on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_b", "cat /data/d"), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_b", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_b", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_d", on_done, fresh(w))), 0);
}

static void pauses_and_measures(void **state)
{
	struct world *w = world(state, ENGINE_PAUSE, "no pause");
	struct engine_spec s = spec(w, "ins_a");
	struct engine_metrics m;
	char before[64];

	s.command = "while :; do echo x >> /root/ticks; sleep 0.02; done";
	s.ram_bytes = 64 << 20;
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(w->o->metrics(w->e, "ins_a", &m), 0);
	turn(w, 700);
	assert_int_equal(w->o->metrics(w->e, "ins_a", &m), 0);
	assert_true(m.processes >= 2 && m.ram_bytes > 0 && m.cpu_percent >= 0);
	assert_int_equal(ended(w, w->o->pause(w->e, "ins_a", 1, on_done, fresh(w))), 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_PAUSED);
	usleep(300000);
	assert_int_equal(ended(w, w->o->pause(w->e, "ins_a", 0, on_done, fresh(w))), 0);
	sh(w, "ins_a", "wc -l < /root/ticks");
	snprintf(before, sizeof(before), "%.60s", w->reply.out);
	usleep(200000);
	sh(w, "ins_a", "wc -l < /root/ticks");
	assert_string_not_equal(before, w->reply.out);
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

static void leaves_nothing(void **state)
{
	struct world *w = world(state, 0, "");
	char line[600], out[4096];

	snprintf(line, sizeof(line), "grep -c %s /proc/self/mountinfo", w->dir);
	host(w, out, sizeof(out), line);
	assert_string_equal(out, "0\n");
	snprintf(line, sizeof(line),
		"ls -A %s/instances %s/disks %s/layers | grep -v :$ | tr -d '\\n'", w->state,
		w->state, w->state);
	host(w, out, sizeof(out), line);
	assert_string_equal(out, "");
	host(w, out, sizeof(out),
		"find /sys/fs/cgroup -name 'starverse-ins_*' 2>/dev/null | head -3");
	assert_string_equal(out, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_and_stops),
		cmocka_unit_test(is_apart),
		cmocka_unit_test(runs_commands),
		cmocka_unit_test(keeps_log_and_status),
		cmocka_unit_test(takes_logins),
		cmocka_unit_test(plugs_disks),
		cmocka_unit_test(plugs_directories),
		cmocka_unit_test(keeps_snapshots),
		cmocka_unit_test(pauses_and_measures),
		cmocka_unit_test(outlives_the_daemon),
		cmocka_unit_test(refuses_bad_input),
		cmocka_unit_test(leaves_nothing),
	};

	return cmocka_run_group_tests_name("sandbox", tests, set_up, tear_down);
}
