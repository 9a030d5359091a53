/* SPDX-License-Identifier: MIT */
/* The process inside that looks after one task: it begins the command, ends it when told, and
 * writes down how it ended, since nobody outside may be there to see. It ignores the TERM of an
 * instance that stops, so that the end of its command is seen even then, and keeps more rights than
 * the command, so that nothing inside can look into it. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/time.h>
#include <starverse/common.h>

#define FIRST_FD 3
#define LOOK_MS  200 /* between two looks at what it measures */
#define FRESH_MS 2000 /* between two looks at its memory, which cost more */

#define FD(name) (FIRST_FD + TASK_##name)

struct run {
	struct task_plan *p;
	struct task_look look;
	struct task_log log;
	pid_t pid;
	int status;
	int64_t told_at, seen_at, kept_at, looked_at; /* milliseconds, 0: not yet */
	int64_t own;                       /* what the command had of us before its exec, bytes */
};

static void keep_descriptors(struct task_plan *p)
{
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; i < TASK_FDS; i++)
		p->fds[i] = fcntl(p->fds[i], F_DUPFD_CLOEXEC, 1000);
	for (int fd = 0; fd < FIRST_FD; fd++)
		dup2(null, fd);
	for (int i = 0; i < TASK_FDS; i++)
		dup3(p->fds[i], FIRST_FD + i, O_CLOEXEC);
	close_range(FIRST_FD + TASK_FDS, ~0U, 0);
}

static void say(int fd, const char *text, size_t len)
{
	if (write(fd, text, len) != (ssize_t)len)
		return;
}

static int same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=") + 1;

	return !strncmp(a, b, n);
}

/* The instance's environment with the task's own on top. For a process that is about to exec. */
static const char *const *environment(const struct task_plan *p)
{
	size_t n = 0, m = 0, k = 0;
	const char **all;

	while (p->env && p->env[n])
		n++;
	while (p->task->env && p->task->env[m])
		m++;
	all = sv_malloc((n + m + 1) * sizeof(*all));
	if (!all)
		return p->env;
	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		while (j < m && !same_name(p->task->env[j], p->env[i]))
			j++;
		if (j == m)
			all[k++] = p->env[i];
	}
	for (size_t j = 0; j < m; j++)
		all[k++] = p->task->env[j];
	all[k] = NULL;
	return all;
}

static void give_up(const char *what, int code) __attribute__((noreturn));

static void give_up(const char *what, int code)
{
	char line[1200];
	int n = snprintf(line, sizeof(line), "%.1000s: %s\n", what, sv_errno_text(errno));

	say(2, line, (size_t)n);
	_exit(code);
}

static void run_command(const struct task_plan *p, int said) __attribute__((noreturn));

static void run_command(const struct task_plan *p, int said)
{
	const struct engine_task *t = p->task;

	setsid();
	if (dup2(said, 1) < 0 || dup2(said, 2) < 0 || sv_box_confine(p->single))
		_exit(126);
	umask(022);
	if (sv_dirs_make(t->workdir, 0755) || chdir(t->workdir))
		give_up(t->workdir, 126);
	environ = (char **)environment(p);
	sv_signals_default();
	execvp(t->argv[0], (char *const *)t->argv);
	give_up(t->argv[0], errno == ENOENT ? 127 : 126);
}

static int take_lock(void)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char line[32];
	int n = snprintf(line, sizeof(line), "%lld\n", (long long)sv_now());

	if (fcntl(FD(RUN), F_SETLK, &l))
		return -1;
	return pwrite(FD(RUN), line, (size_t)n, 0) == n && !fsync(FD(RUN)) ? 0 : -1;
}

/* Makes what was written to the directory's file system durable. */
static void keep(const struct engine_task *t)
{
	int fd = t->keep ? open(t->keep, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	syncfs(fd);
	close(fd);
}

static void end_command(struct run *r, int sig)
{
	kill(r->pid, sig);
	kill(-r->pid, sig); /* it leads a session of its own */
	kill(-r->pid, SIGCONT);
}

/* 1 when the command has ended. */
static int reaped(struct run *r)
{
	struct rusage u = { 0 };
	int status;
	int64_t most;

	if (wait4(r->pid, &status, WNOHANG, &u) != r->pid)
		return 0;
	r->status = status;
	/* The kernel counts what it was before its exec, too. */
	most = (int64_t)u.ru_maxrss * 1024;
	if (most > r->own && most > r->look.peak)
		r->look.peak = most;
	return 1;
}

static void look(struct run *r, int64_t now)
{
	const struct engine_task *t = r->p->task;

	sv_task_lines(&r->look, FD(METRICS), t->log_most, 0);
	if (now - r->seen_at >= FRESH_MS) {
		sv_task_memory(&r->look);
		r->seen_at = sv_mono_ms();
	}
	if (t->keep_seconds > 0 && now - r->kept_at >= (int64_t)t->keep_seconds * 1000) {
		keep(t);
		r->kept_at = sv_mono_ms();
	}
	if (r->told_at && now - r->told_at >= r->p->grace_ms)
		end_command(r, SIGKILL);
}

static void record(const struct run *r, int64_t ended)
{
	char line[96];
	int n = snprintf(line, sizeof(line), "%d %lld %lld\n", r->status, (long long)ended,
		(long long)r->look.peak);

	if (pwrite(FD(EXIT), line, (size_t)n, 0) == n)
		fsync(FD(EXIT));
}

/* Until something is said, a signal comes, or it is time to look again; the signal, or 0. */
static int await(struct run *r, int signals)
{
	struct pollfd p[2] = { { .fd = signals, .events = POLLIN },
		{ .fd = r->log.over ? -1 : r->log.from, .events = POLLIN } };
	int64_t left = r->looked_at + LOOK_MS - sv_mono_ms();
	struct signalfd_siginfo s;

	poll(p, 2, left > 0 ? (int)left : 0);
	if (p[1].revents)
		sv_task_log_turn(&r->log);
	return p[0].revents && read(signals, &s, sizeof(s)) == sizeof(s) ? (int)s.ssi_signo : 0;
}

static void attend(struct run *r, int signals)
{
	const struct engine_task *t = r->p->task;
	int64_t ended;

	while (!reaped(r)) {
		int sig = await(r, signals);

		if (sig == SIGUSR1 && !r->told_at) {
			r->told_at = sv_mono_ms();
			end_command(r, SIGTERM);
		}
		if (sv_mono_ms() - r->looked_at >= LOOK_MS) {
			look(r, sv_mono_ms());
			r->looked_at = sv_mono_ms();
		}
	}
	ended = sv_now();
	if (r->told_at)
		kill(-r->pid, SIGKILL); /* what it left behind */
	sv_task_lines(&r->look, FD(METRICS), t->log_most, 1);
	keep(t);
	sv_task_log_rest(&r->log);
	record(r, ended);
}

void sv_task_supervise(struct task_plan *p)
{
	struct run r = { .p = p };
	struct rusage own;
	char file[BOX_PATH_MAX + 16];
	sigset_t set;
	int signals;

	prctl(PR_SET_NAME, "sv-task");
	prctl(PR_SET_DUMPABLE, 0);
	setsid();
	keep_descriptors(p);
	sigemptyset(&set);
	for (int sig = SIGHUP; sig <= SIGTERM; sig++)
		sigaddset(&set, sig);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	snprintf(file, sizeof(file), "%s/metrics.jsonl", p->task->workdir);
	r.look = (struct task_look){ .peak = -1, .file = file };
	sv_task_lines_begin(&r.look);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0 || take_lock() ||
		sv_task_log_open(&r.log, FD(LOG), FD(METRICS), p->task->log_most)) {
		say(FD(READY), "the task's files cannot be written", 35);
		_exit(1);
	}
	getrusage(RUSAGE_SELF, &own);
	r.own = (int64_t)own.ru_maxrss * 1024;
	r.kept_at = r.looked_at = sv_mono_ms();
	r.pid = fork();
	if (!r.pid)
		run_command(p, r.log.said);
	close(r.log.said);
	if (r.pid < 0) {
		r.status = 126 << 8;
		record(&r, sv_now());
		_exit(1);
	}
	r.look.session = r.pid;
	say(FD(READY), "", 1);
	close(FD(READY));
	attend(&r, signals);
	_exit(0);
}
