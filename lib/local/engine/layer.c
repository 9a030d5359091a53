/* SPDX-License-Identifier: MIT */
/* Snapshots: a copy of an instance's upper layer with those below it merged in, so that each stands
 * alone; or a copy of a data disk's files. What writes there is frozen meanwhile. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <starverse/common.h>

static const char *const parts[] = { "root", "usr", NULL };
static const struct tree_options whole = { .all = (uid_t)-1, .overlay = 1 };

/* The layers an instance was last started on, top first, one a line. */
static int copy_lower(
	struct engine *e, const char *id, const char *tmp, int64_t *bytes, struct engine_result *r)
{
	char path[BOX_PATH_MAX], to[BOX_PATH_MAX + 8], list[BOX_LAYERS_MAX * BOX_ID_MAX];
	size_t len;

	if (sv_state_path(e, path, sizeof(path), "instances/%s/layers", id) ||
		sv_file_read(path, list, sizeof(list), &len))
		return SV_OK;
	while (len) { /* from the lowest up */
		char *line;

		if (list[len - 1] == '\n')
			list[--len] = '\0';
		line = memrchr(list, '\n', len);
		line = line ? line + 1 : list;
		for (size_t i = 0; *line && parts[i]; i++) {
			snprintf(to, sizeof(to), "%s/%s", tmp, parts[i]);
			if (sv_state_path(e, path, sizeof(path), "layers/%s/%s", line, parts[i]) ||
				sv_tree_copy(path, to, &whole, bytes))
				return sv_fail_errno(r, "copying a layer below");
		}
		len = (size_t)(line - list);
		*line = '\0';
	}
	return SV_OK;
}

static int copy_instance(
	struct engine *e, const char *id, const char *tmp, int64_t *bytes, struct engine_result *r)
{
	char path[BOX_PATH_MAX], to[BOX_PATH_MAX + 8];
	int code = sv_system_show(e, id, 0, r);

	if (!code)
		code = copy_lower(e, id, tmp, bytes, r);

	for (size_t i = 0; !code && parts[i]; i++) {
		snprintf(to, sizeof(to), "%s/%s", tmp, parts[i]);
		if (sv_state_path(e, path, sizeof(path), "instances/%s/disk/%s", id, parts[i]) ||
			sv_tree_copy(path, to, &whole, bytes))
			code = sv_fail_errno(r, "copying the system disk");
	}
	return code;
}

static int snapshot_instance(
	struct engine *e, const char *id, const char *tmp, struct engine_result *r)
{
	struct proc init;
	int running = !sv_box_read(e, id, &init, NULL, 0), held = running && !sv_box_paused(e, id),
	    code;

	r->bytes = 0;
	if (held && sv_box_freeze(e, id, &init, 1))
		code = sv_fail(
			r, SV_FAILED, NULL, "the instance's processes could not be frozen");
	else
		code = copy_instance(e, id, tmp, &r->bytes, r);
	if (held)
		sv_box_freeze(e, id, &init, 0);
	return code;
}

/* Freezes or thaws every running instance that sees a disk; how many could not be. */
static int freeze_users(struct engine *e, const char *disk, int frozen)
{
	char path[BOX_PATH_MAX];
	struct dirent *n;
	DIR *d = sv_state_path(e, path, sizeof(path), "instances") ? NULL : opendir(path);
	int bad = 0;

	while (d && (n = readdir(d))) {
		struct proc init;

		if (sv_id_valid(n->d_name) && !sv_box_read(e, n->d_name, &init, NULL, 0) &&
			!sv_box_paused(e, n->d_name) && sv_disk_seen(e, disk, init.pid))
			bad += sv_box_freeze(e, n->d_name, &init, frozen) != SV_OK;
	}
	if (d)
		closedir(d);
	return bad;
}

static int snapshot_disk(
	struct engine *e, const char *disk, const char *tmp, struct engine_result *r)
{
	char at[BOX_PATH_MAX], to[BOX_PATH_MAX + 8];
	int bad;

	if (sv_disk_show(e, disk, at, sizeof(at), r))
		return r->code;
	snprintf(to, sizeof(to), "%s/data", tmp);
	r->bytes = 0;
	bad = freeze_users(e, disk, 1);
	if (bad)
		sv_fail(r, SV_FAILED, NULL, "the instance's processes could not be frozen");
	else if ((bad = sv_tree_copy(at, to, &whole, &r->bytes)))
		sv_fail_errno(r, "copying the disk");
	freeze_users(e, disk, 0);
	return bad ? r->code : SV_OK;
}

static int make_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	char path[BOX_PATH_MAX], tmp[BOX_PATH_MAX];
	int code;

	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r))
		return r->code;
	if (sv_state_path(e, path, sizeof(path), "layers/%s", w->layer) ||
		sv_state_path(e, tmp, sizeof(tmp), "layers/%s.tmp", w->layer))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	if (!access(path, F_OK)) {
		r->bytes = sv_tree_size(path);
		return SV_OK;
	}
	if (sv_tree_remove(tmp) || mkdir(tmp, 0755))
		return sv_fail_errno(r, "the snapshot's directory");
	if (sv_box_exists(e, w->id))
		code = snapshot_instance(e, w->id, tmp, r);
	else
		code = snapshot_disk(e, w->id, tmp, r);
	if (!code && rename(tmp, path))
		code = sv_fail_errno(r, "the snapshot's directory");
	if (code)
		sv_tree_remove(tmp);
	return code;
}

static int drop_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	char path[BOX_PATH_MAX], gone[BOX_PATH_MAX];

	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_state_path(e, path, sizeof(path), "layers/%s", w->id) ||
		sv_state_path(e, gone, sizeof(gone), "layers/%s.tmp", w->id))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	if (sv_tree_remove(gone) || (rename(path, gone) && errno != ENOENT) || sv_tree_remove(gone))
		return sv_fail_errno(r, "removing the snapshot");
	return SV_OK;
}

static const struct job_kind make_job = { .body = make_body, .queued = 1 };
static const struct job_kind drop_job = { .body = drop_body, .queued = 1 };

int sv_layer_make(
	struct engine *e, const char *of, const char *layer, engine_done *done, void *data)
{
	struct work w = { .id = of, .layer = layer };

	if (!sv_id_valid(of) || !sv_id_valid(layer))
		return SV_INVALID;
	return sv_box_exists(e, of) || sv_disk_exists(e, of)
		       ? sv_work_start(e, &make_job, &w, done, data)
		       : SV_NOTFOUND;
}

int sv_layer_drop(struct engine *e, const char *layer, engine_done *done, void *data)
{
	struct work w = { .id = layer };

	return sv_id_valid(layer) ? sv_work_start(e, &drop_job, &w, done, data) : SV_INVALID;
}
