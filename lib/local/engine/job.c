/* SPDX-License-Identifier: MIT */
/* Forked jobs: the daemon forks, the child works and writes one result into a pipe that the
 * daemon's loop reads. A queued job forks at once, so that it owns a copy of its arguments, and
 * waits for the earlier ones of its id. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/buf.h>
#include <base/file.h>
#include <starverse/common.h>

#define RESULT_FD 3
#define GO_FD     4

struct job {
	pid_t pid;
	int fd, go; /* go: a byte lets a queued job begin; -1 once it runs */
	char id[BOX_ID_MAX];
	const struct job_kind *kind;
	engine_done *done;
	void *data;
	struct watch watch;
	struct sv_buf reply;
	struct job *next; /* oldest first */
};

int sv_fail(struct engine_result *r, int code, const char *wire, const char *fmt, ...)
{
	va_list ap;

	r->code = code;
	snprintf(r->wire, sizeof(r->wire), "%s", wire ? wire : "");
	va_start(ap, fmt);
	vsnprintf(r->message, sizeof(r->message), fmt, ap);
	va_end(ap);
	return code;
}

int sv_fail_errno(struct engine_result *r, const char *what)
{
	int error = errno;
	int full = error == ENOSPC || error == EDQUOT;

	return sv_fail(r, full ? SV_FAILED : SV_IO, NULL, "%s: %s", what,
		full ? "the disk of this machine is full" : sv_errno_text(error));
}

/* Only the two pipes stay: a job, and what it leaves running, must not hold the daemon's sockets
 * and database. */
static void detach_descriptors(int result, int go)
{
	int null = open("/dev/null", O_RDWR);
	int keep_result = fcntl(result, F_DUPFD, 16),
	    keep_go = go < 0 ? -1 : fcntl(go, F_DUPFD, 16);

	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(keep_result, RESULT_FD);
	if (keep_go >= 0)
		dup2(keep_go, GO_FD);
	else
		close(GO_FD);
	close_range(5, ~0U, 0);
	fcntl(RESULT_FD, F_SETFD, FD_CLOEXEC);
}

static void job_child(struct engine *e, const struct job_kind *kind, const struct work *w,
	int result, int go) __attribute__((noreturn));

static void job_child(
	struct engine *e, const struct job_kind *kind, const struct work *w, int result, int go)
{
	struct engine_result r = { .bytes = -1 };
	char c;

	sv_signals_default();
	sv_signal_ignore(SIGPIPE);
	setsid(); /* what interrupts the daemon's terminal leaves half-done work alone */
	detach_descriptors(result, go);
	umask(022);
	if (go >= 0) {
		ssize_t n;

		while ((n = read(GO_FD, &c, 1)) < 0 && errno == EINTR)
			;
		if (n != 1) /* the daemon is gone: what was never begun was never acknowledged */
			_exit(0);
		close(GO_FD);
	}
	r.code = kind->body(e, w, &r);
	if (r.code && !r.message[0])
		snprintf(r.message, sizeof(r.message), "%s", sv_errno_text(errno));
	(void)sv_write_all(RESULT_FD, &r, sizeof(r));
	(void)sv_write_all(RESULT_FD, r.out ? r.out : "", r.out_len);
	(void)sv_write_all(RESULT_FD, r.err ? r.err : "", r.err_len);
	_exit(0);
}

static void job_free(struct job *j)
{
	sv_buf_free(&j->reply);
	if (j->fd >= 0)
		close(j->fd);
	if (j->go >= 0)
		close(j->go);
	sv_mfree(j);
}

static void queue_next(struct engine *e, const char *id)
{
	for (struct job *j = e->jobs; j; j = j->next)
		if (j->kind->queued && !strcmp(j->id, id)) {
			if (j->go >= 0) {
				(void)sv_write_all(j->go, "g", 1);
				close(j->go);
			}
			j->go = -1;
			return;
		}
}

static void job_result(struct job *j, struct engine_result *r)
{
	size_t head = sizeof(*r);

	*r = (struct engine_result){ .bytes = -1 };
	if (j->reply.len < head) {
		sv_fail(r, SV_FAILED, NULL, "the engine's helper process died");
		return;
	}
	memcpy(r, j->reply.data, head);
	if (r->out_len > BOX_EXEC_MAX || r->err_len > BOX_EXEC_MAX ||
		j->reply.len != head + r->out_len + r->err_len)
		r->out_len = r->err_len = 0;
	r->out = j->reply.data + head;
	r->err = r->out + r->out_len;
}

static void job_end(struct engine *e, struct job *j)
{
	struct job **p = &e->jobs;
	struct engine_result r;
	char *out = NULL, empty[1] = "";

	while (*p != j)
		p = &(*p)->next;
	*p = j->next;
	epoll_ctl(e->epoll, EPOLL_CTL_DEL, j->fd, NULL);
	while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
		;
	job_result(j, &r);
	if (r.out_len) { /* both streams NUL-ended: out moves aside to make room for its own */
		out = sv_malloc(r.out_len + 1);
		if (out) {
			memcpy(out, r.out, r.out_len);
			out[r.out_len] = '\0';
		}
		r.out = out;
		r.out_len = out ? r.out_len : 0;
	}
	if (!r.out_len)
		r.out = empty;
	if (!r.err_len)
		r.err = empty;
	if (j->kind->after)
		j->kind->after(e, j->id, &r);
	queue_next(e, j->id);
	if (j->done)
		j->done(j->data, &r);
	sv_mfree(out);
	job_free(j);
}

static void job_ready(struct engine *e, struct watch *w)
{
	struct job *j = w->owner;
	char buf[65536];

	for (;;) {
		ssize_t n = read(j->fd, buf, sizeof(buf));

		if (n > 0) {
			sv_buf_add(&j->reply, buf, (size_t)n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		break;
	}
	job_end(e, j);
}

static int must_wait(const struct engine *e, const struct job_kind *kind, const char *id)
{
	for (const struct job *j = e->jobs; kind->queued && j; j = j->next)
		if (j->kind->queued && !strcmp(j->id, id))
			return 1;
	return 0;
}

int sv_work_start(struct engine *e, const struct job_kind *kind, const struct work *w,
	engine_done *done, void *data)
{
	int result[2] = { -1, -1 }, go[2] = { -1, -1 }, wait = must_wait(e, kind, w->id);
	struct job **tail = &e->jobs, *j = sv_malloc(sizeof(*j));

	if (!j)
		return SV_NOMEM;
	memset(j, 0, sizeof(*j));
	j->fd = j->go = -1;
	sv_buf_init(&j->reply, sizeof(struct engine_result) + 2 * (size_t)BOX_EXEC_MAX);
	if (pipe2(result, O_CLOEXEC) || (wait && pipe2(go, O_CLOEXEC)))
		goto fail;
	j->pid = fork();
	if (!j->pid) {
		if (wait)
			close(go[1]);
		job_child(e, kind, w, result[1], go[0]);
	}
	if (j->pid < 0)
		goto fail;
	close(result[1]);
	if (wait)
		close(go[0]);
	j->fd = result[0];
	j->go = go[1];
	fcntl(j->fd, F_SETFL, O_NONBLOCK);
	snprintf(j->id, sizeof(j->id), "%s", w->id);
	j->kind = kind;
	j->done = done;
	j->data = data;
	j->watch = (struct watch){ .ready = job_ready, .owner = j };
	while (*tail)
		tail = &(*tail)->next;
	*tail = j;
	return sv_watch_add(e, j->fd, &j->watch);
fail:
	for (int i = 0; i < 2; i++) {
		if (result[i] >= 0)
			close(result[i]);
		if (go[i] >= 0)
			close(go[i]);
	}
	sv_mfree(j);
	return SV_IO;
}

/* The daemon leaves: what runs comes to its end by itself, what waits is dropped; nobody is told.
 */
void sv_works_drop(struct engine *e)
{
	while (e->jobs) {
		struct job *j = e->jobs;

		e->jobs = j->next;
		job_free(j);
	}
}

int sv_run_program(const char *const *argv)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
