/* SPDX-License-Identifier: MIT */
/* Stopping, freezing and removing an instance. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/time.h>
#include <starverse/common.h>

#define KILL_MS 10000

static void forget(const struct engine *e, const char *id, const char *name)
{
	char path[BOX_PATH_MAX];

	if (!sv_state_path(e, path, sizeof(path), "instances/%s/%s", id, name))
		unlink(path);
}

static void note(const struct engine *e, const char *id, const char *name)
{
	char path[BOX_PATH_MAX], text[32];
	int n = snprintf(text, sizeof(text), "%lld\n", (long long)sv_now());

	if (!sv_state_path(e, path, sizeof(path), "instances/%s/%s", id, name))
		sv_file_write(path, text, (size_t)n, 0600);
}

/* TERM by init to all inside; what is still there after the grace ends with init. Paused ones get
 * it as they thaw. */
int sv_box_end(struct engine *e, const char *id, struct engine_result *r)
{
	struct proc init;
	int fd, bad = 0;

	if (sv_box_read(e, id, &init, NULL, 0)) {
		forget(e, id, "run");
		forget(e, id, "paused");
		return SV_OK;
	}
	fd = sv_pidfd_open(init.pid);
	if (fd >= 0 && sv_proc_alive(&init)) {
		sv_pidfd_kill(fd, SIGTERM);
		sv_box_freeze(e, id, &init, 0);
		if (sv_pidfd_wait(fd, e->grace_ms)) {
			sv_pidfd_kill(fd, SIGKILL);
			bad = sv_pidfd_wait(fd, KILL_MS);
		}
	}
	if (fd >= 0)
		close(fd);
	if (bad)
		return sv_fail(
			r, SV_FAILED, NULL, "the instance's processes do not end, not even killed");
	note(e, id, "ended");
	forget(e, id, "run");
	forget(e, id, "paused");
	sv_cgroup_drop(e, id);
	return SV_OK;
}

static int stop_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	if (sv_box_lock(e, w->id, r) || sv_box_end(e, w->id, r))
		return r->code;
	if (!sv_holder_enter(e))
		sv_disk_release(e, NULL);
	return SV_OK;
}

static void stop_after(struct engine *e, const char *id, struct engine_result *r)
{
	struct box *b = sv_box_find(e, id);

	if (b && !r->code)
		sv_box_forget_process(e, b);
	if (b)
		b->stopping = 0;
}

static int destroy_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	char path[BOX_PATH_MAX], gone[BOX_PATH_MAX];

	if (sv_box_lock(e, w->id, r) || sv_box_end(e, w->id, r))
		return r->code;
	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	sv_disk_release(e, NULL);
	sv_system_drop(e, w->id);
	if (sv_state_path(e, path, sizeof(path), "instances/%s", w->id) ||
		sv_state_path(e, gone, sizeof(gone), "instances/%s.gone", w->id))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	/* First out of sight: a half-removed instance must not look like one. */
	if (sv_tree_remove(gone) || (rename(path, gone) && errno != ENOENT) || sv_tree_remove(gone))
		return sv_fail_errno(r, "removing the instance's files");
	if (!sv_state_path(e, path, sizeof(path), "locks/%s", w->id))
		unlink(path);
	return SV_OK;
}

static void destroy_after(struct engine *e, const char *id, struct engine_result *r)
{
	struct box *b = sv_box_find(e, id);

	if (b && !r->code)
		sv_box_drop(e, b);
}

static int pause_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	struct proc init;

	if (sv_box_lock(e, w->id, r))
		return r->code;
	if (sv_box_read(e, w->id, &init, NULL, 0))
		return w->flag ? sv_fail(r, SV_CONFLICT, "invalid_state",
					 "the instance does not run")
			       : SV_OK;
	if (w->flag)
		note(e, w->id, "paused"); /* first: what a crash leaves is then at worst thawed once
					     too often */
	if (sv_box_freeze(e, w->id, &init, w->flag))
		return sv_fail(r, SV_FAILED, NULL, "%s",
			w->flag ? "the instance's processes could not be frozen"
				: "the instance's processes could not be thawed");
	if (!w->flag)
		forget(e, w->id, "paused");
	return SV_OK;
}

static const struct job_kind stop_job = { .body = stop_body, .after = stop_after, .queued = 1 };
static const struct job_kind destroy_job = {
	.body = destroy_body, .after = destroy_after, .queued = 1
};
static const struct job_kind pause_job = { .body = pause_body, .queued = 1 };

static int end_job(struct engine *e, const struct job_kind *kind, const char *id, engine_done *done,
	void *data)
{
	struct work w = { .id = id };
	struct box *b;

	if (!sv_id_valid(id))
		return SV_INVALID;
	b = sv_box_find(e, id);
	if (b)
		b->stopping = 1;
	return sv_work_start(e, kind, &w, done, data);
}

int sv_box_stop(struct engine *e, const char *id, engine_done *done, void *data)
{
	return end_job(e, &stop_job, id, done, data);
}

int sv_box_destroy(struct engine *e, const char *id, engine_done *done, void *data)
{
	return end_job(e, &destroy_job, id, done, data);
}

int sv_box_pause(struct engine *e, const char *id, int frozen, engine_done *done, void *data)
{
	struct work w = { .id = id, .flag = frozen };

	return sv_id_valid(id) ? sv_work_start(e, &pause_job, &w, done, data) : SV_INVALID;
}
