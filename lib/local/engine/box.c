/* SPDX-License-Identifier: MIT */
/* The daemon's view of its instances: what runs is watched, what ends by itself is reported.
 * Everything else is read from the state directory, so that a new daemon knows as much. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/str.h>
#include <base/time.h>
#include <starverse/common.h>

int sv_watch_add(struct engine *e, int fd, struct watch *w)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = w };

	return epoll_ctl(e->epoll, EPOLL_CTL_ADD, fd, &ev) ? SV_IO : SV_OK;
}

struct box *sv_box_find(struct engine *e, const char *id)
{
	struct box *b = e->boxes;

	while (b && strcmp(b->id, id))
		b = b->next;
	return b;
}

struct box *sv_box_take(struct engine *e, const char *id)
{
	struct box *b = sv_box_find(e, id);

	if (b)
		return b;
	b = sv_malloc(sizeof(*b));
	if (!b)
		return NULL;
	memset(b, 0, sizeof(*b));
	snprintf(b->id, sizeof(b->id), "%s", id);
	b->pidfd = b->listener = -1;
	b->cpu_ticks = -1;
	b->next = e->boxes;
	e->boxes = b;
	return b;
}

static void shut(struct engine *e, int *fd)
{
	if (*fd < 0)
		return;
	epoll_ctl(e->epoll, EPOLL_CTL_DEL, *fd, NULL);
	close(*fd);
	*fd = -1;
}

void sv_box_forget_process(struct engine *e, struct box *b)
{
	shut(e, &b->pidfd);
	shut(e, &b->listener);
	if (b->init.pid > 0) /* ours to reap, unless an earlier daemon started it */
		waitpid(b->init.pid, NULL, WNOHANG);
	b->init.pid = 0;
	b->cpu_ticks = -1;
}

void sv_box_drop(struct engine *e, struct box *b)
{
	struct box **p = &e->boxes;

	while (*p && *p != b)
		p = &(*p)->next;
	if (*p)
		*p = b->next;
	sv_box_forget_process(e, b);
	sv_mfree(b);
}

int sv_box_exists(const struct engine *e, const char *id)
{
	char path[BOX_PATH_MAX];
	struct stat st;

	return !sv_state_path(e, path, sizeof(path), "instances/%s", id) && !stat(path, &st);
}

int sv_box_paused(const struct engine *e, const char *id)
{
	char path[BOX_PATH_MAX];

	return !sv_state_path(e, path, sizeof(path), "instances/%s/paused", id) &&
	       !access(path, F_OK);
}

/* Init of a running instance, with its record's rest ("NETWORK UNHELD"); SV_NOTFOUND when it does
 * not run. */
int sv_box_read(const struct engine *e, const char *id, struct proc *ret, char *rest, size_t size)
{
	char path[BOX_PATH_MAX];

	if (sv_state_path(e, path, sizeof(path), "instances/%s/run", id) ||
		sv_proc_read(path, ret, rest, size))
		return SV_NOTFOUND;
	return sv_proc_alive(ret) ? SV_OK : SV_NOTFOUND;
}

/* Jobs of a dead daemon may still be at work on the same instance. Ends with the process. */
int sv_box_lock(const struct engine *e, const char *id, struct engine_result *r)
{
	char path[BOX_PATH_MAX];
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd;

	if (sv_state_path(e, path, sizeof(path), "locks"))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	mkdir(path, 0700);
	if (sv_state_path(e, path, sizeof(path), "locks/%s", id))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return sv_fail_errno(r, "locking the instance");
	while (fcntl(fd, F_SETLKW, &l))
		if (errno != EINTR)
			return sv_fail_errno(r, "locking the instance");
	return SV_OK; /* the descriptor stays open: closing it would end the lock */
}

static void note_end(const struct engine *e, const char *id)
{
	char path[BOX_PATH_MAX], text[32];
	struct stat st;
	int n = snprintf(text, sizeof(text), "%lld\n", (long long)sv_now());

	if (!sv_state_path(e, path, sizeof(path), "instances/%s/ended", id) && stat(path, &st))
		sv_file_write(path, text, (size_t)n, 0600);
}

static void box_exited(struct engine *e, struct watch *w)
{
	struct box *b = w->owner;
	struct engine_status st;
	char id[BOX_ID_MAX];

	memcpy(id, b->id, sizeof(id));
	sv_box_forget_process(e, b);
	note_end(e, id);
	if (b->stopping)
		return;
	sv_cgroup_drop(e, id);
	if (e->lost && !sv_box_status(e, id, &st))
		e->lost(e->data, id, &st);
}

int sv_box_adopt(struct engine *e, const char *id)
{
	char path[BOX_PATH_MAX], text[32];
	struct proc init;
	struct box *b;
	int64_t port = 0;
	int code;

	if (!sv_id_valid(id))
		return SV_INVALID;
	if (sv_box_read(e, id, &init, NULL, 0))
		return SV_NOTFOUND;
	b = sv_box_take(e, id);
	if (!b)
		return SV_NOMEM;
	if (b->pidfd >= 0 && b->init.pid == init.pid && b->init.start == init.start)
		return SV_OK;
	sv_box_forget_process(e, b);
	b->pidfd = sv_pidfd_open(init.pid);
	if (b->pidfd < 0 || !sv_proc_alive(&init)) {
		sv_box_forget_process(e, b);
		return SV_NOTFOUND;
	}
	b->init = init;
	b->stopping = 0;
	b->on_exit = (struct watch){ .ready = box_exited, .owner = b };
	code = sv_watch_add(e, b->pidfd, &b->on_exit);
	if (!sv_state_path(e, path, sizeof(path), "instances/%s/port", id) &&
		!sv_file_read(path, text, sizeof(text), NULL)) {
		text[strcspn(text, "\n")] = '\0';
		sv_parse_int(text, &port);
	}
	return code ? code : sv_ssh_listen(e, b, (int)port);
}

static int64_t number_of(const struct engine *e, const char *id, const char *file, int64_t unknown)
{
	char path[BOX_PATH_MAX], text[64];
	int64_t v;

	if (sv_state_path(e, path, sizeof(path), "instances/%s/%s", id, file) ||
		sv_file_read(path, text, sizeof(text), NULL))
		return unknown;
	text[strcspn(text, " \n")] = '\0';
	return sv_parse_int(text, &v) ? unknown : v;
}

int sv_box_status(struct engine *e, const char *id, struct engine_status *ret)
{
	struct engine_status s = { .state = ENGINE_ABSENT, .exit_status = -1 };
	char rest[256] = "";
	struct proc init;
	struct box *b;
	char *space;

	if (!sv_id_valid(id))
		return SV_INVALID;
	if (sv_box_exists(e, id)) {
		b = sv_box_find(e, id);
		s.state = ENGINE_STOPPED;
		s.ssh_port = b && b->port ? b->port : (int)number_of(e, id, "port", 0);
		sv_ssh_host_key(e, id, s.host_key, sizeof(s.host_key));
		s.exit_status = (int)number_of(e, id, "exit", -1);
		if (!sv_box_read(e, id, &init, rest, sizeof(rest))) {
			s.state = sv_box_paused(e, id) ? ENGINE_PAUSED : ENGINE_RUNNING;
			s.pid = init.pid;
		} else {
			s.exited_at = number_of(e, id, "ended", 0);
		}
		space = strchr(rest, ' ');
		if (space)
			*space++ = '\0';
		snprintf(s.network, sizeof(s.network), "%.15s", rest[0] ? rest : "none");
		snprintf(s.unheld, sizeof(s.unheld), "%.127s", space ? space : "");
	}
	*ret = s;
	return SV_OK;
}
