/* SPDX-License-Identifier: MIT */
/* Tasks, as the daemon sees them. A task has a directory of its own, which outlives its instance:
 * log, metrics, run (when it began; locked as long as the process that looks after it lives) and
 * exit. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/str.h>
#include <starverse/common.h>

#define BEGIN_MS 30000

struct task {
	char id[BOX_ID_MAX];
	int pidfd;
	struct watch watch;
	struct task *next;
};

int sv_task_path(struct engine *e, const char *task, const char *name, char *path, size_t size)
{
	return sv_id_valid(task) ? sv_state_path(e, path, size, "tasks/%s/%s", task, name)
				 : SV_INVALID;
}

/* The process that looks after it; 0 when there is none. */
static pid_t keeper_of(const struct engine *e, const char *task)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[BOX_PATH_MAX];
	int fd, bad;

	if (sv_state_path(e, path, sizeof(path), "tasks/%s/run", task))
		return 0;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return 0;
	bad = fcntl(fd, F_GETLK, &l);
	close(fd);
	return bad || l.l_type == F_UNLCK ? 0 : l.l_pid;
}

/* The numbers of a small file, -1 where there is none. */
static void numbers(const struct engine *e, const char *task, const char *name, int64_t *v, int n)
{
	char path[BOX_PATH_MAX], text[128] = "", *at = text;

	if (!sv_state_path(e, path, sizeof(path), "tasks/%s/%s", task, name))
		sv_file_read(path, text, sizeof(text), NULL);
	for (int i = 0; i < n; i++) {
		size_t len = strcspn(at, " \n");
		int more = at[len] != '\0';

		at[len] = '\0';
		v[i] = -1;
		if (len && sv_parse_int(at, &v[i]))
			v[i] = -1;
		at += len + (size_t)more;
	}
}

int sv_task_status(
	struct engine *e, const char *id, const char *task, struct engine_task_status *ret)
{
	int64_t began, end[3];
	int status;

	(void)id;
	if (!sv_id_valid(task))
		return SV_INVALID;
	*ret = (struct engine_task_status){ .exit_code = -1, .peak_bytes = -1, .lasts = -1 };
	/* In this order: one that ends meanwhile has written its exit before its lock is gone. */
	ret->state = keeper_of(e, task) ? ENGINE_TASK_RUNNING : ENGINE_TASK_ENDED;
	numbers(e, task, "run", &began, 1);
	ret->started_at = began > 0 ? began : 0;
	if (began < 0)
		ret->state = ENGINE_TASK_ABSENT;
	if (ret->state != ENGINE_TASK_ENDED)
		return SV_OK;
	numbers(e, task, "exit", end, 3);
	ret->ended_at = end[1] > 0 ? end[1] : 0;
	ret->peak_bytes = end[2];
	if (end[0] < 0)
		return SV_OK;
	status = (int)end[0];
	ret->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return SV_OK;
}

static int open_files(struct engine *e, const struct engine_task *t, int fds[TASK_FDS])
{
	static const char *const names[] = { "log", "metrics", "run", "exit" };
	char path[BOX_PATH_MAX];

	if (sv_state_path(e, path, sizeof(path), "tasks/%s", t->id) ||
		(mkdir(path, 0700) && errno != EEXIST))
		return -1;
	for (int i = 0; i < TASK_READY; i++) {
		if (sv_state_path(e, path, sizeof(path), "tasks/%s/%s", t->id, names[i]))
			return -1;
		fds[i] = open(path, O_RDWR | O_CREAT | O_CLOEXEC | (i < TASK_RUN ? O_APPEND : 0),
			0600);
		if (fds[i] < 0)
			return -1;
	}
	return 0;
}

/* Says how the beginning went: one byte, or what failed. */
static int await(int fd, struct engine_result *r)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char text[200];
	ssize_t n;
	int got;

	while ((got = poll(&p, 1, BEGIN_MS)) < 0 && errno == EINTR)
		;
	n = got > 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (n < 1)
		return sv_fail(r, SV_FAILED, NULL, "the task did not begin");
	text[n] = '\0';
	return text[0] ? sv_fail(r, SV_FAILED, NULL, "%s", text) : SV_OK;
}

/* Entered, it forks twice: what is left belongs to the instance's init, which reaps it. */
static int begin(struct engine *e, const struct work *w, const struct proc *init,
	struct task_plan *p, struct engine_result *r)
{
	int ready[2], status;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		return sv_fail_errno(r, "a pipe");
	p->fds[TASK_READY] = ready[1];
	if (sv_box_enter(e, w->id, init))
		return sv_fail(r, SV_CONFLICT, "invalid_state", "the instance does not run");
	pid = fork();
	if (!pid) {
		pid = fork();
		if (!pid)
			sv_task_supervise(p);
		_exit(pid < 0);
	}
	if (pid < 0)
		return sv_fail_errno(r, "a process");
	close(ready[1]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return await(ready[0], r);
}

static int start_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	struct task_plan p = {
		.task = w->task, .single = sv_box_single(e), .grace_ms = e->grace_ms
	};
	struct engine_task_status st;
	struct proc init;

	if (sv_box_lock(e, w->id, r))
		return r->code;
	if (!sv_task_status(e, w->id, w->task->id, &st) && st.state != ENGINE_TASK_ABSENT)
		return SV_OK;
	if (sv_box_read(e, w->id, &init, NULL, 0))
		return sv_fail(r, SV_CONFLICT, "invalid_state", "the instance does not run");
	if (sv_box_paused(e, w->id))
		return sv_fail(r, SV_CONFLICT, "invalid_state", "the instance is paused");
	if (open_files(e, w->task, p.fds))
		return sv_fail_errno(r, "the task's files");
	p.env = sv_env_load(e, w->id);
	return begin(e, w, &init, &p, r);
}

static const struct job_kind start_job = { .body = start_body, .queued = 1 };

int sv_task_start(struct engine *e, const char *id, const struct engine_task *t, engine_done *done,
	void *data)
{
	struct work w = { .id = id, .task = t };

	if (!sv_id_valid(id) || !sv_id_valid(t->id) || !t->argv || !t->argv[0] || !t->argv[0][0])
		return SV_INVALID;
	return sv_work_start(e, &start_job, &w, done, data);
}

int sv_task_stop(struct engine *e, const char *id, const char *task)
{
	pid_t pid = sv_id_valid(task) ? keeper_of(e, task) : 0;
	int fd = pid ? sv_pidfd_open(pid) : -1;

	(void)id;
	if (fd < 0)
		return SV_OK;
	if (keeper_of(e, task) == pid)
		sv_pidfd_kill(fd, SIGUSR1);
	close(fd);
	return SV_OK;
}

static void drop(struct engine *e, struct task *t)
{
	struct task **at = &e->tasks;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	epoll_ctl(e->epoll, EPOLL_CTL_DEL, t->pidfd, NULL);
	close(t->pidfd);
	sv_mfree(t);
}

static void task_exited(struct engine *e, struct watch *w)
{
	struct task *t = w->owner;
	char id[BOX_ID_MAX];

	memcpy(id, t->id, sizeof(id));
	drop(e, t);
	if (e->task_ended)
		e->task_ended(e->data, id);
}

int sv_task_watch(struct engine *e, const char *id, const char *task)
{
	pid_t pid = sv_id_valid(task) ? keeper_of(e, task) : 0;
	struct task *t;
	int fd;

	(void)id;
	for (t = e->tasks; t && pid; t = t->next)
		if (!strcmp(t->id, task))
			return SV_OK;
	fd = pid ? sv_pidfd_open(pid) : -1;
	if (fd < 0)
		return SV_NOTFOUND;
	t = keeper_of(e, task) == pid ? sv_malloc(sizeof(*t)) : NULL;
	if (!t) {
		close(fd);
		return SV_NOTFOUND;
	}
	memset(t, 0, sizeof(*t));
	snprintf(t->id, sizeof(t->id), "%s", task);
	t->pidfd = fd;
	t->watch = (struct watch){ .ready = task_exited, .owner = t };
	t->next = e->tasks;
	e->tasks = t;
	return sv_watch_add(e, fd, &t->watch);
}

int sv_task_drop(struct engine *e, const char *task)
{
	char path[BOX_PATH_MAX];

	if (!sv_id_valid(task) || sv_state_path(e, path, sizeof(path), "tasks/%s", task))
		return SV_INVALID;
	return sv_tree_remove(path) ? SV_IO : SV_OK;
}

void sv_tasks_drop(struct engine *e)
{
	while (e->tasks)
		drop(e, e->tasks);
}
