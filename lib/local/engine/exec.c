/* SPDX-License-Identifier: MIT */
/* Running one command inside and capturing what it says; and trying that a login works. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/buf.h>
#include <base/time.h>
#include <starverse/common.h>

#define LOGIN_MS 20000

struct capture {
	int fds[2]; /* -1 once at its end */
	struct sv_buf bufs[2];
	int truncated;
};

static void take(struct capture *c, int i)
{
	char buf[65536];
	ssize_t n = read(c->fds[i], buf, sizeof(buf));
	size_t room = c->bufs[i].ceiling - 1 - c->bufs[i].len;

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		close(c->fds[i]);
		c->fds[i] = -1;
		return;
	}
	if ((size_t)n > room) {
		c->truncated = 1;
		n = (ssize_t)room;
	}
	sv_buf_add(&c->bufs[i], buf, (size_t)n);
}

/* Reads both streams and waits for the process. 0, or -1 when the time ran out. What it left
 * running in the background may hold the streams open: they are read no longer than a moment after
 * its end. */
static int follow(struct capture *c, pid_t pid, int64_t timeout_ms, int *status)
{
	int64_t end = sv_mono_ms() + timeout_ms;
	int exited = 0;

	for (;;) {
		struct pollfd p[2] = { { .fd = c->fds[0], .events = POLLIN },
			{ .fd = c->fds[1], .events = POLLIN } };
		int open_ones = (c->fds[0] >= 0) + (c->fds[1] >= 0), got;

		if (!exited && waitpid(pid, status, WNOHANG) == pid)
			exited = 1;
		if (exited && !open_ones)
			return 0;
		if (!exited && sv_mono_ms() >= end)
			return -1;
		got = poll(p, 2, exited ? 50 : open_ones ? 20 : 2);
		if (exited && got <= 0)
			return 0;
		for (int i = 0; got > 0 && i < 2; i++)
			if (p[i].revents)
				take(c, i);
	}
}

static void give(struct engine_result *r, struct capture *c, int status)
{
	r->out = c->bufs[0].data;
	r->out_len = c->bufs[0].len;
	r->err = c->bufs[1].data;
	r->err_len = c->bufs[1].len;
	r->truncated = c->truncated;
	r->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run_inside(struct engine *e, const struct work *w, const struct proc *init, int out,
	int err) __attribute__((noreturn));

/* Entered, it forks once more: the child is in the pid namespace. This one stays outside and passes
 * the status on. */
static void run_inside(
	struct engine *e, const struct work *w, const struct proc *init, int out, int err)
{
	const char *const *env = sv_env_load(e, w->id);
	int single = sv_box_single(e), status = 0;
	pid_t pid;

	if (dup2(out, 1) < 0 || dup2(err, 2) < 0 || sv_box_enter(e, w->id, init))
		_exit(125);
	pid = fork();
	if (!pid) {
		setsid();
		close_range(3, ~0U, 0);
		sv_exec_inside(w->argv, env, single);
	}
	close(1);
	close(2);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			_exit(125);
	_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static void kill_one(pid_t pid, void *data)
{
	pid_t *parent = data;
	char path[64], buf[1024], *p;
	int ppid = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (sv_file_read(path, buf, sizeof(buf), NULL) || !(p = strrchr(buf, ')')) || strlen(p) < 5)
		return;
	for (p += 4; *p >= '0' && *p <= '9'; p++)
		ppid = ppid * 10 + (*p - '0');
	if (ppid == *parent)
		kill(-pid, SIGKILL); /* it leads a session of its own */
}

static int exec_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	struct capture c = { .fds = { -1, -1 } };
	struct proc init;
	int out[2], err[2], status = 0, late;
	pid_t pid;

	if (sv_box_read(e, w->id, &init, NULL, 0))
		return sv_fail(r, SV_CONFLICT, "invalid_state", "the instance does not run");
	if (sv_box_paused(e, w->id))
		return sv_fail(r, SV_CONFLICT, "invalid_state", "the instance is paused");
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		return sv_fail_errno(r, "a pipe");
	pid = fork();
	if (!pid)
		run_inside(e, w, &init, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	if (pid < 0)
		return sv_fail_errno(r, "a process");
	c.fds[0] = out[0];
	c.fds[1] = err[0];
	sv_buf_init(&c.bufs[0], w->ceiling + 1);
	sv_buf_init(&c.bufs[1], w->ceiling + 1);
	late = follow(&c, pid, w->timeout_ms, &status);
	if (late) {
		sv_ns_each(sv_proc_ns(init.pid, "pid"), kill_one, &pid);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		c.truncated = 1;
		status = SIGKILL;
	}
	give(r, &c, status);
	if (late)
		r->exit_code = 124; /* what timeout(1) says */
	return SV_OK;
}

static int login_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	char port[16], key[BOX_PATH_MAX], known[BOX_PATH_MAX + 32], path[BOX_PATH_MAX],
		host_key[512], line[640];
	const char *argv[] = { "ssh", "-F", "none", "-T", "-p", port, "-i", key, "-o", known, "-o",
		"BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o",
		"ConnectTimeout=10", "-o", "HostKeyAlias=box", "-o",
		"GlobalKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "root@127.0.0.1", "true",
		NULL };
	int n;

	snprintf(port, sizeof(port), "%d", w->flag);
	if (sv_state_path(e, key, sizeof(key), "login_key") ||
		sv_state_path(e, path, sizeof(path), "instances/%s/ssh/known_hosts", w->id))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	sv_ssh_host_key(e, w->id, host_key, sizeof(host_key));
	n = snprintf(line, sizeof(line), "box %s\n", host_key);
	sv_file_write(path, line, (size_t)n, 0600);
	snprintf(known, sizeof(known), "UserKnownHostsFile=\"%s\"", path);
	alarm(LOGIN_MS / 1000);
	n = sv_run_program(argv);
	if (n && sv_sshd_find(e, path, sizeof(path)))
		return sv_fail(r, SV_UNSUPPORTED, NULL,
			"no sshd: cd %.120s && apt-get download openssh-server libwrap0 && "
			"for i in *.deb; do dpkg -x $i sshd; done",
			e->state);
	if (n == 127)
		return sv_fail(r, SV_UNSUPPORTED, NULL, "ssh (openssh-client) is missing");
	if (n)
		return sv_fail(r, SV_FAILED, NULL, "a login by ssh on port %s failed (status %d)",
			port, n);
	return SV_OK;
}

static const struct job_kind exec_job = { .body = exec_body };
static const struct job_kind login_job = { .body = login_body };

int sv_box_exec(struct engine *e, const char *id, const char *const *argv, int64_t timeout_ms,
	size_t ceiling, engine_done *done, void *data)
{
	struct work w = { .id = id, .argv = argv, .timeout_ms = timeout_ms, .ceiling = ceiling };

	if (!sv_id_valid(id) || !argv || !argv[0] || !argv[0][0])
		return SV_INVALID;
	if (w.timeout_ms <= 0)
		w.timeout_ms = INT32_MAX;
	if (!w.ceiling || w.ceiling > BOX_EXEC_MAX)
		w.ceiling = BOX_EXEC_MAX;
	return sv_work_start(e, &exec_job, &w, done, data);
}

int sv_ssh_login(struct engine *e, const char *id, engine_done *done, void *data)
{
	struct work w = { .id = id };
	struct box *b;

	if (!sv_id_valid(id))
		return SV_INVALID;
	b = sv_box_find(e, id);
	if (!b || b->listener < 0)
		return SV_CONFLICT;
	w.flag = b->port;
	return sv_work_start(e, &login_job, &w, done, data);
}
