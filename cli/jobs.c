/* SPDX-License-Identifier: MIT */
/* Commands in the background: each is a shell of one line, in a process group of its own, so that
 * it shares neither the connection nor the keyboard's signals. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "errors.h"
#include "out.h"
#include "shell.h"

#define JOBS_MAX 64
#define WAKE_MS  100 /* how soon an interrupt ends waiting */

extern char **environ;

static void flag(struct words *argv, const char *name, const char *value)
{
	if (!value)
		return;
	words_push(argv, name);
	words_push(argv, value);
}

/* The same program with the options that the shell itself was given. */
static void command(const struct shell *s, struct words *argv)
{
	const struct globals *g = &s->app->given;
	const struct {
		const char *name, *value;
	} values[] = { { "--profile", g->profile }, { "--endpoint", g->endpoint },
		{ "--socket", g->socket }, { "--cacert", g->cacert }, { "--color", g->color },
		{ "--lang", g->lang }, { "--timeout", g->timeout },
		{ "--request-timeout", g->request_timeout } };
	const struct {
		const char *name;
		int on;
	} switches[] = { { "--insecure", g->insecure }, { "--strict", g->strict },
		{ "--yes", g->yes }, { "--quiet", g->quiet }, { "--debug", g->debug } };

	words_push(argv, "svctl");
	for (size_t i = 0; i < COUNT(values); i++)
		flag(argv, values[i].name, values[i].value);
	for (size_t i = 0; i < COUNT(switches); i++)
		if (switches[i].on)
			words_push(argv, switches[i].name);
	words_push(argv, "shell");
}

static int spawn(const struct shell *s, int in, int out, int err, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	struct words argv = { 0 };
	sigset_t none, fresh;
	int why;

	sigemptyset(&none);
	sigemptyset(&fresh);
	sigaddset(&fresh, SIGINT);
	sigaddset(&fresh, SIGPIPE);
	command(s, &argv);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &fresh);
	posix_spawnattr_setflags(
		&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	why = posix_spawn(pid, "/proc/self/exe", &files, &attr, argv.v, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	words_free(&argv);
	return why;
}

static int memory(const char *text, size_t len)
{
	int fd = memfd_create("svctl", MFD_CLOEXEC);

	if (fd >= 0 && (write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))) {
		close(fd);
		return -1;
	}
	return fd;
}

static void job_close(struct job *j)
{
	const int each[] = { j->gone, j->out, j->err };

	for (size_t i = 0; i < COUNT(each); i++)
		if (each[i] >= 0)
			close(each[i]);
	mem_free(j->text);
}

int job_start(struct shell *s, const char *text, size_t len)
{
	struct job j = { .gone = -1, .out = memory("", 0), .err = memory("", 0) };
	int in = memory(text, len), why = 0;

	while (len && strchr(" \t\n", *text)) {
		text++;
		len--;
	}
	while (len && strchr(" \t\n", text[len - 1]))
		len--;
	j.text = mem_dup(text, len);
	if (s->n_jobs == JOBS_MAX)
		why = EAGAIN;
	else if (in < 0 || j.out < 0 || j.err < 0)
		why = errno;
	if (!why)
		why = spawn(s, in, j.out, j.err, &j.pid);
	if (in >= 0)
		close(in);
	if (!why && (j.gone = pidfd_open(j.pid, 0)) < 0)
		why = errno;
	if (why) {
		job_close(&j);
		return fail_text(
			s->app, 1, _("cannot run this in the background: %s"), strerror(why));
	}
	j.number = s->n_jobs ? s->last_job + 1 : 1;
	s->last_job = j.number;
	s->jobs = mem_grow(s->jobs, s->n_jobs + 1, sizeof(*s->jobs));
	s->jobs[s->n_jobs++] = j;
	if (s->app->in_tty)
		fprintf(stderr, "[%d] %ld\n", j.number, (long)j.pid);
	return 0;
}

static void copy(int from, int to)
{
	char piece[8192];
	ssize_t k;

	lseek(from, 0, SEEK_SET);
	while ((k = read(from, piece, sizeof(piece))) > 0)
		for (ssize_t done = 0, w; done < k; done += w) {
			w = write(to, piece + done, (size_t)(k - done));
			if (w <= 0)
				return;
		}
}

/* Its status, then what it said, each to where it would have said it. */
static int tell(struct shell *s, const struct job *j)
{
	struct text safe = { 0 };
	int st = 0, status = 1;

	if (waitpid(j->pid, &st, 0) == j->pid)
		status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
	safe_text(&safe, j->text);
	if (s->app->in_tty && status)
		fprintf(stderr, _("[%d] exit %d: %s\n"), j->number, status, text_of(&safe));
	else if (s->app->in_tty)
		fprintf(stderr, _("[%d] done: %s\n"), j->number, text_of(&safe));
	fflush(stderr);
	copy(j->err, STDERR_FILENO);
	copy(j->out, STDOUT_FILENO);
	text_free(&safe);
	return status;
}

static int ended(const struct job *j, int wait_ms)
{
	struct pollfd p = { .fd = j->gone, .events = POLLIN };

	return poll(&p, 1, wait_ms) > 0;
}

/* The i-th is over. Its status. */
static int finish(struct shell *s, size_t i)
{
	int status = tell(s, &s->jobs[i]);

	job_close(&s->jobs[i]);
	memmove(&s->jobs[i], &s->jobs[i + 1], (s->n_jobs - i - 1) * sizeof(*s->jobs));
	s->n_jobs--;
	return status;
}

void jobs_report(struct shell *s)
{
	for (size_t i = 0; i < s->n_jobs;)
		if (ended(&s->jobs[i], 0))
			finish(s, i);
		else
			i++;
}

int jobs_wait(struct shell *s)
{
	int status = 0;

	while (s->n_jobs && !hold_signal())
		for (size_t i = 0; i < s->n_jobs;)
			if (ended(&s->jobs[i], s->n_jobs == 1 ? WAKE_MS : WAKE_MS / 10))
				status = finish(s, i);
			else
				i++;
	return hold_signal() ? 128 + hold_signal() : status;
}

/* Those that still run go on by themselves. */
void jobs_free(struct shell *s)
{
	for (size_t i = 0; i < s->n_jobs; i++)
		job_close(&s->jobs[i]);
	mem_free(s->jobs);
	s->jobs = NULL;
	s->n_jobs = 0;
}
