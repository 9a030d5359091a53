/* SPDX-License-Identifier: MIT */
/* An engine to try, with its helpers; see the header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox-world.h"

void on_done(void *data, const struct engine_result *r)
{
	struct reply *p = data;

	assert_false(p->over);
	p->r = *r;
	snprintf(p->out, sizeof(p->out), "%s", r->out ? r->out : "");
	snprintf(p->err, sizeof(p->err), "%s", r->err ? r->err : "");
	p->over = 1;
}

void on_lost(void *data, const char *id, const struct engine_status *s)
{
	struct world *w = data;

	assert_int_equal(s->state, ENGINE_STOPPED);
	snprintf(w->lost, sizeof(w->lost), "%s", id);
	w->n_lost++;
}

void turn(struct world *w, int ms)
{
	struct pollfd p = { .fd = w->o->fd(w->e), .events = POLLIN };

	poll(&p, 1, ms);
	w->o->tick(w->e);
}

/* For each call: its own code, or how it ended. */
int ended(struct world *w, int code)
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

struct reply *fresh(struct world *w)
{
	memset(&w->reply, 0, sizeof(w->reply));
	return &w->reply;
}

static const char *const env[] = { "STARVERSE_GPU=rtx-4090", "STARVERSE_GPU_COUNT=4",
	"STARVERSE_BACKEND=cuda", "ODD=a b \"c\" $d 'e' \\", NULL };

struct engine_spec spec(struct world *w, const char *id)
{
	static const char *keys[2];

	keys[0] = w->key_text;
	return (struct engine_spec){
		.id = id, .hostname = id, .env = env, .authorized = keys, .network = "none"
	};
}

int start(struct world *w, const struct engine_spec *s)
{
	int code = ended(w, w->o->create(w->e, s, on_done, fresh(w)));

	return code ? code : ended(w, w->o->start(w->e, s, on_done, fresh(w)));
}

int stop(struct world *w, const char *id)
{
	return ended(w, w->o->stop(w->e, id, on_done, fresh(w)));
}

int destroy(struct world *w, const char *id)
{
	return ended(w, w->o->destroy(w->e, id, on_done, fresh(w)));
}

/* The exit status of a shell line inside; its output is in w->reply.out. */
int sh(struct world *w, const char *id, const char *line)
{
	const char *argv[] = { "sh", "-c", line, NULL };

	assert_int_equal(ended(w, w->o->exec(w->e, id, argv, 30000, 60000, on_done, fresh(w))), 0);
	return w->reply.r.exit_code;
}

struct engine_status status(struct world *w, const char *id)
{
	struct engine_status s;

	assert_int_equal(w->o->status(w->e, id, &s), 0);
	return s;
}

/* A program of the host, while the engine goes on serving. Its exit status; what it printed is in
 * out. */
int host(struct world *w, char *out, size_t size, const char *line)
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

int ssh(struct world *w, const char *id, char *out, size_t size, const char *format)
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

int open_engine(struct world *w)
{
	struct engine_config c = {
		.state_dir = w->state, .grace_ms = 1500, .lost = on_lost, .data = w
	};

	return w->o->open(&c, &w->e, w->text, sizeof(w->text));
}

int set_up(void **state)
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

static void on_nothing(void *data, const struct engine_result *r)
{
	(void)data;
	(void)r;
}

/* What a test that failed has left: it still runs, and only from inside can its files be removed.
 * Returns how many there were. */
static int destroy_left(struct world *w)
{
	char path[sizeof(w->state) + 16];
	struct dirent *n;
	int left = 0;
	DIR *d;

	snprintf(path, sizeof(path), "%s/instances", w->state);
	d = opendir(path);
	while (d && (n = readdir(d)))
		if (n->d_name[0] != '.') {
			left++;
			w->o->destroy(w->e, n->d_name, on_nothing, NULL);
		}
	if (d)
		closedir(d);
	return left;
}

int tear_down(void **state)
{
	struct world *w = *state;
	char line[256];

	if (w->e) {
		int64_t end = sv_mono_ms() + 30000;

		snprintf(line, sizeof(line), "rm -rf %s", w->dir);
		while (destroy_left(w) && sv_mono_ms() < end)
			turn(w, 1000);
		w->o->close(w->e);
		/* Files of subordinate ids can only be removed from inside; destroy did that. */
		assert_int_equal(system(line), 0);
	}
	free(w);
	return 0;
}

struct world *world(void **state, unsigned caps, const char *what)
{
	struct world *w = *state;

	if (!w->e || (w->caps & caps) != caps) {
		print_message("# skipped: %s\n", w->e ? what : w->text);
		skip();
	}
	return w;
}

void leaves_nothing(void **state)
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
	/* The names that a platform gives are longer than a test's. */
	host(w, out, sizeof(out),
		"find /sys/fs/cgroup -regextype posix-extended "
		"-regex '.*/starverse-ins_[a-z0-9_]{1,12}' | head -3");
	assert_string_equal(out, "");
}
