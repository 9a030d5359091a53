/* SPDX-License-Identifier: MIT */
/* The first process of an instance: builds the root, runs the start-up command, reaps, and ends
 * everything when told. It keeps more rights than what it starts, so that nothing inside can look
 * into it. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/time.h>
#include <starverse/common.h>

enum { LOG_FD = 3, STATUS_FD, READY_FD, NETWORK_FD, KEPT };

/* Files only, never a directory: what init holds open must not lead outside. */
static void keep_descriptors(struct init_plan *p)
{
	int fds[] = { p->log_fd, p->status_fd, p->ready_fd, p->network_fd };
	int null = open("/dev/null", O_RDWR);

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		fds[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, 1000);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (int i = 0; i < (int)(sizeof(fds) / sizeof(*fds)); i++)
		if (fds[i] < 0)
			close(LOG_FD + i);
		else
			dup3(fds[i], LOG_FD + i, O_CLOEXEC);
	close_range(KEPT, ~0U, 0);
}

/* What it says goes through a pipe: a file that it could write itself would have no ceiling. */
static pid_t run_command(const struct init_plan *p, struct task_log *log)
{
	const char *argv[] = { "/bin/sh", "-c", p->command, NULL };
	int piped = !sv_task_log_open(log, LOG_FD, -1, BOX_LOG_MAX);
	int said = piped ? log->said : LOG_FD;
	pid_t pid = fork();

	if (!pid) {
		setsid();
		if (dup2(said, 1) < 0 || dup2(said, 2) < 0)
			_exit(126);
		sv_exec_inside(argv, p->env, p->single);
	}
	if (piped)
		close(said);
	else
		log->over = 1;
	return pid;
}

static void record(int status)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%d %lld\n", status, (long long)sv_now());

	if (ftruncate(STATUS_FD, 0) || pwrite(STATUS_FD, line, (size_t)n, 0) != n)
		return;
	fsync(STATUS_FD);
}

static int reap(pid_t command, struct task_log *log)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != command)
			continue;
		if (!log->over) /* first, so that who sees it ended sees all it said */
			sv_task_log_turn(log);
		record(status);
	}
	return pid < 0 && errno == ECHILD;
}

/* A signal, or 0: something was said. */
static int await(int signals, struct task_log *log)
{
	struct pollfd p[2] = { { .fd = signals, .events = POLLIN },
		{ .fd = log->over ? -1 : log->from, .events = POLLIN } };
	struct signalfd_siginfo s;

	poll(p, 2, -1);
	if (p[1].revents)
		sv_task_log_turn(log);
	return p[0].revents && read(signals, &s, sizeof(s)) == sizeof(s) ? (int)s.ssi_signo : 0;
}

static void serve(const struct init_plan *p)
{
	struct task_log log = { .over = 1 };
	sigset_t set;
	pid_t command = 0;
	int stopping = 0, alone, signals;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		_exit(1);
	if (p->command)
		command = run_command(p, &log);
	for (;;) {
		int sig = await(signals, &log);

		if (sig == SIGTERM && !stopping) {
			stopping = 1;
			kill(-1, SIGTERM);
			kill(-1, SIGCONT);
		}
		alone = reap(command, &log);
		if (stopping && alone)
			_exit(0);
	}
}

static void answer(const char *text)
{
	size_t len = strlen(text) + 1;

	if (write(READY_FD, text, len) != (ssize_t)len)
		_exit(1);
}

void sv_init_run(struct init_plan *p)
{
	char text[256] = "", c;

	prctl(PR_SET_NAME, "sv-init");
	/* The byte says that the ids are mapped and that we are on record; without it nobody would
	 * find us again. */
	if (read(p->wait_fd, &c, 1) != 1)
		_exit(1);
	if (setresgid(0, 0, 0) || setresuid(0, 0, 0))
		_exit(1);
	setsid();
	umask(022);
	environ = NULL;
	sv_arguments_hide();
	sv_loopback_up();
	if (sv_root_make(&p->root, text, sizeof(text))) {
		keep_descriptors(p);
		answer(text[0] ? text : "the root file system could not be made");
		_exit(1);
	}
	keep_descriptors(p);
	prctl(PR_SET_DUMPABLE, p->as_root ? 0 : 1);
	answer("");
	close(READY_FD);
	serve(p);
	_exit(0);
}
