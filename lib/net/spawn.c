/* SPDX-License-Identifier: MIT */
/* Starts the local platform when its socket does not answer. It detaches itself: only the process
 * that was started is waited for, and never by blocking. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "net/engine.h"
#include "net/module.h"

#define MOST_MS  30000
#define MOST_ENV 4096

extern char **environ;

struct sv_spawn {
	pid_t pid;
	int out; /* what it says */
	int64_t until;
};

int sv_peer_pid(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct ucred who = { .pid = 0 };
	socklen_t len = sizeof(who), n;
	int fd;

	if (strlen(path) >= sizeof(a.sun_path))
		return 0;
	memcpy(a.sun_path, path, strlen(path));
	n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path) + (*path != '@'));
	if (*path == '@')
		a.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return 0;
	if (connect(fd, (struct sockaddr *)&a, n) ||
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len))
		who.pid = 0;
	close(fd);
	return (int)who.pid;
}

/* Set, or in the build tree, or where this library was installed, or where it was meant to be. */
static int command(const sv_client *c, char *buf, size_t size)
{
	const char *set = c->config->local_command;
	size_t dir_len, lib_len = strlen(SV_LIBDIR);
	char dir[PATH_MAX];

	if (set && *set) {
		snprintf(buf, size, "%s", set);
		return access(buf, X_OK);
	}
	if (!sv_module_dir(dir, sizeof(dir))) {
		dir_len = strlen(dir);
		snprintf(buf, size, "%s/../cli/svctl-local", dir);
		if (!access(buf, X_OK))
			return 0;
		if (dir_len >= lib_len && !strcmp(dir + dir_len - lib_len, SV_LIBDIR)) {
			snprintf(buf, size, "%.*s" SVCTL_LOCAL, (int)(dir_len - lib_len), dir);
			if (!access(buf, X_OK))
				return 0;
		}
	}
	snprintf(buf, size, "%s", SVCTL_LOCAL);
	return access(buf, X_OK);
}

static int secret(const char *variable)
{
	return !strncmp(variable, "STARVERSE_API_KEY", 17);
}

static int set_attr(posix_spawnattr_t *attr)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	return posix_spawnattr_setsigmask(attr, &none) ||
	       posix_spawnattr_setsigdefault(attr, &all) ||
	       posix_spawnattr_setflags(
		       attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
}

static int set_files(posix_spawn_file_actions_t *files, int out)
{
	return posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0) ||
	       posix_spawn_file_actions_adddup2(files, out, 1) ||
	       posix_spawn_file_actions_adddup2(files, out, 2) ||
	       posix_spawn_file_actions_addclosefrom_np(files, 3);
}

static int run(const sv_client *c, const char *path, struct sv_spawn *s)
{
	const char *argv[8] = { path, "--daemon" };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char **env = sv_malloc((MOST_ENV + 1) * sizeof(*env));
	size_t n = 0, a = 2;
	int r = env ? 0 : ENOMEM;

	for (char **e = environ; env && e && *e && n < MOST_ENV; e++)
		if (!secret(*e))
			env[n++] = *e;
	if (env)
		env[n] = NULL;
	if (c->config->local_socket) {
		argv[a++] = "--socket";
		argv[a++] = c->config->local_socket;
	}
	if (c->config->local_state) {
		argv[a++] = "--state";
		argv[a++] = c->config->local_state;
	}
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_init(&files);
	if (!r && (set_attr(&attr) || set_files(&files, s->out)))
		r = ENOMEM;
	if (!r)
		r = posix_spawn(&s->pid, path, &files, &attr, (char **)(uintptr_t)argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	sv_mfree(env);
	return r;
}

static int begin(sv_client *c, struct sv_error *err)
{
	char path[PATH_MAX + 32];
	struct sv_spawn *s;

	if (command(c, path, sizeof(path))) {
		sv_err(err, SV_CONFIG, "the local platform cannot be started: %s is not there",
			path);
		sv_err_hint(err, "set local_command or STARVERSE_LOCAL_COMMAND to svctl-local");
		return SV_CONFIG;
	}
	s = sv_malloc(sizeof(*s));
	if (!s)
		return sv_err(err, SV_NOMEM, "out of memory");
	*s = (struct sv_spawn){ .until = c->clock() + MOST_MS };
	s->out = memfd_create("svctl-local", MFD_CLOEXEC);
	if (s->out < 0 || run(c, path, s)) {
		if (s->out >= 0)
			close(s->out);
		sv_mfree(s);
		return sv_err(
			err, SV_NET, "the local platform cannot be started: %s does not run", path);
	}
	c->spawn = s;
	return SV_OK;
}

static void wait_for_it(sv_op *op)
{
	op->attempt--;
	sv_op_drop(op);
	op->state = SV_OP_WAIT;
	op->due = INT64_MAX;
}

int sv_spawn_for(sv_op *op)
{
	sv_client *c = op->client;

	if (!c->endpoint.local)
		return 0;
	if (!c->spawn && c->spawned && !*c->spawn_said)
		return 0;
	if (!c->spawn && c->spawned) {
		sv_err(&op->err, SV_NET, "the local platform did not start: %s", c->spawn_said);
		sv_op_end(op, SV_OP_FAILED);
		sv_op_drop(op);
		return 1;
	}
	if (!c->spawn) {
		c->spawned = 1;
		c->spawn_said[0] = '\0';
		sv_trace_note(op, "starting the local platform");
		if (begin(c, &op->err)) {
			c->spawned = 0;
			sv_op_end(op, SV_OP_FAILED);
			sv_op_drop(op);
			return 1;
		}
	}
	wait_for_it(op);
	return 1;
}

/* The last line that it said. */
static void hear(struct sv_spawn *s, char *buf, size_t size)
{
	char text[2048];
	ssize_t n = pread(s->out, text, sizeof(text) - 1, 0);
	char *last;

	while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' '))
		n--;
	text[n > 0 ? n : 0] = '\0';
	last = strrchr(text, '\n');
	snprintf(buf, size, "%s", n > 0 ? last ? last + 1 : text : "it said nothing");
}

void sv_spawn_pump(sv_client *c)
{
	struct sv_spawn *s = c->spawn;
	int status = 0;
	pid_t got;

	if (!s)
		return;
	got = waitpid(s->pid, &status, WNOHANG);
	if (got == 0 && c->clock() < s->until)
		return;
	if (got == 0)
		snprintf(c->spawn_said, sizeof(c->spawn_said), "it is not ready after %d s",
			MOST_MS / 1000);
	else if (got > 0 && status)
		hear(s, c->spawn_said, sizeof(c->spawn_said));
	sv_spawn_free(c);
	/* Another one may have been quicker, so that even a failure is worth one try. */
	for (sv_op *op = c->first; op; op = op->next)
		if (op->state == SV_OP_WAIT && op->due == INT64_MAX)
			op->due = c->clock();
}

void sv_spawn_free(sv_client *c)
{
	if (!c->spawn)
		return;
	close(c->spawn->out);
	sv_mfree(c->spawn);
	c->spawn = NULL;
}
