/* SPDX-License-Identifier: MIT */
/* The sandbox engine's table: an instance is namespaces and overlays of this machine, made by the
 * daemon itself. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/arena.h>
#include <starverse/common.h>

#define GRACE_MS 3000
#define TURN_MAX 1024 /* events of one tick */

static void box_close(struct engine *e)
{
	if (!e)
		return;
	if (!e->jobs)
		sv_holder_close(e);
	sv_works_drop(e);
	sv_children_drop(e);
	sv_tasks_drop(e);
	while (e->boxes)
		sv_box_drop(e, e->boxes);
	if (e->epoll >= 0)
		close(e->epoll);
	sv_mfree(e->state);
	sv_mfree(e->library);
	sv_mfree(e->usage);
	sv_mfree(e);
}

static const char *const dirs[] = { "instances", "disks", "layers", "locks", "tasks", NULL };

static int open_dirs(struct engine *e, char *text, size_t size)
{
	char path[BOX_PATH_MAX];
	int code =
		strlen(e->state) < BOX_PATH_MAX - 256 ? sv_dirs_make(e->state, 0700) : SV_INVALID;

	for (size_t i = 0; !code && dirs[i]; i++)
		if (sv_state_path(e, path, sizeof(path), "%s", dirs[i]) ||
			(mkdir(path, 0700) && errno != EEXIST))
			code = SV_IO;
	if (code)
		snprintf(text, size, "%s: %s", e->state,
			code == SV_INVALID ? "the path is too long" : sv_errno_text(errno));
	return code;
}

static int box_open(const struct engine_config *c, struct engine **ret, char *text, size_t size)
{
	struct engine *e = sv_malloc(sizeof(*e));
	int code;

	if (!e)
		return SV_NOMEM;
	memset(e, 0, sizeof(*e));
	e->epoll = epoll_create1(EPOLL_CLOEXEC);
	e->as_root = geteuid() == 0;
	e->grace_ms = c->grace_ms > 0 ? c->grace_ms : GRACE_MS;
	e->lost = c->lost;
	e->task_ended = c->task_ended;
	e->data = c->data;
	e->state = sv_xstrdup(c->state_dir);
	e->library = sv_xstrdup(c->library);
	if (!e->state || e->epoll < 0 || (c->library && !e->library)) {
		box_close(e);
		return SV_NOMEM;
	}
	if (e->state[0] != '/') {
		snprintf(text, size, "state_dir: not an absolute path");
		box_close(e);
		return SV_INVALID;
	}
	code = open_dirs(e, text, size);
	if (!code)
		code = sv_holder_open(e, text, size);
	if (!code && sv_ssh_login_key(e)) {
		snprintf(text, size, "ssh-keygen is missing or failed: install openssh-client");
		code = SV_UNSUPPORTED;
	}
	if (code) {
		box_close(e);
		return code;
	}
	*ret = e;
	return SV_OK;
}

static int box_fd(struct engine *e)
{
	return e->epoll;
}

/* Not at once when it is opened: a daemon that then cannot begin leaves, and leaves nothing. */
static void prepare(struct engine *e)
{
	if (e->prepared)
		return;
	e->prepared = 1;
	sv_base_prepare(e);
	sv_sshd_prepare(e);
}

/* One event at a time: what one of them ends, the next must not touch. */
static void box_tick(struct engine *e)
{
	struct epoll_event ev;

	prepare(e);
	for (int i = 0; i < TURN_MAX && epoll_wait(e->epoll, &ev, 1, 0) == 1; i++) {
		struct watch *w = ev.data.ptr;

		w->ready(e, w);
	}
	sv_children_reap(e);
}

static int box_authorize(struct engine *e, const char *id, const char *const *keys)
{
	if (!sv_id_valid(id))
		return SV_INVALID;
	return sv_box_exists(e, id) ? sv_ssh_keys(e, id, keys) : SV_NOTFOUND;
}

static int box_log_path(struct engine *e, const char *id, char *path, size_t size)
{
	return sv_id_valid(id) ? sv_state_path(e, path, size, "instances/%s/log", id) : SV_INVALID;
}

static int box_enter(struct engine *e)
{
	return sv_holder_enter(e) ? SV_IO : SV_OK;
}

const struct engine_ops sv_engine_sandbox = {
	.name = "sandbox",
	.probe = sv_sandbox_probe,
	.open = box_open,
	.close = box_close,
	.create = sv_box_create,
	.start = sv_box_start,
	.stop = sv_box_stop,
	.adjust = sv_box_adjust,
	.destroy = sv_box_destroy,
	.pause = sv_box_pause,
	.login = sv_ssh_login,
	.status = sv_box_status,
	.adopt = sv_box_adopt,
	.exec = sv_box_exec,
	.authorize = box_authorize,
	.disk_make = sv_box_disk_make,
	.disk_drop = sv_box_disk_drop,
	.attach = sv_box_attach,
	.detach = sv_box_detach,
	.snapshot = sv_layer_make,
	.layer_drop = sv_layer_drop,
	.tree_drop = sv_box_tree_drop,
	.enter = box_enter,
	.metrics = sv_box_metrics,
	.log_path = box_log_path,
	.task_start = sv_task_start,
	.task_stop = sv_task_stop,
	.task_status = sv_task_status,
	.task_watch = sv_task_watch,
	.task_path = sv_task_path,
	.task_drop = sv_task_drop,
	.fd = box_fd,
	.tick = box_tick,
};
