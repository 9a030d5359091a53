/* SPDX-License-Identifier: MIT */
/* Disks and directories that come to a running instance and go. A mount is taken in the holder as a
 * descriptor, carried into the instance's namespaces and placed there: processes that run already
 * see it too. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/str.h>
#include <starverse/common.h>

/* In the holder: what a mount shows, as a detached mount; -1 with r filled. */
int sv_mount_source(
	struct engine *e, const struct engine_mount *m, int map_fd, struct engine_result *r)
{
	char path[BOX_PATH_MAX];
	int fd, flags = (m->read_only ? TREE_RO : 0) | (m->disk ? 0 : TREE_MAP);

	if (m->disk && sv_disk_show(e, m->disk, path, sizeof(path), r))
		return -1;
	if (!m->disk && (!m->source || m->source[0] != '/')) {
		sv_fail(r, SV_INVALID, NULL,
			"a mount names neither a disk nor an absolute directory");
		return -1;
	}
	fd = sv_mount_clone(m->disk ? path : m->source, flags, map_fd);
	if (fd < 0)
		sv_fail_errno(r, m->disk ? m->disk : m->source);
	return fd;
}

/* 1: path is the top of a mount. */
static int is_top(const char *path, struct stat *st)
{
	struct statx x;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &x) || stat(path, st))
		return 0;
	return (x.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

static int is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int place_inside(int fd, const char *path, struct engine_result *r)
{
	struct stat have, want;

	if (is_top(path, &have)) {
		if (!fstat(fd, &want) && is_same(&have, &want))
			return SV_OK; /* done before a crash, or twice */
		return sv_fail(r, SV_CONFLICT, "conflict",
			"path: something is mounted on %.200s already", path);
	}
	if (sv_dirs_make(path, 0755))
		return sv_fail_errno(r, path);
	if (lstat(path, &have) || !S_ISDIR(have.st_mode))
		return sv_fail(r, SV_CONFLICT, "conflict",
			"path: %.200s is not a directory in the instance", path);
	return sv_mount_place(fd, path) ? sv_fail_errno(r, path) : SV_OK;
}

static int attach_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	struct proc init;
	int fd;

	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r))
		return r->code;
	if (sv_box_read(e, w->id, &init, NULL, 0))
		return sv_fail(r, SV_CONFLICT, "invalid_state", "the instance does not run");
	fd = sv_mount_source(e, w->mount, sv_map_fd(e), r);
	if (fd < 0)
		return r->code;
	if (sv_box_enter(e, NULL, &init))
		return sv_fail_errno(r, "entering the instance");
	return place_inside(fd, w->mount->path, r);
}

static int below(const char *path, const char *target)
{
	size_t n = strlen(path);

	return !strncmp(target, path, n) && (!target[n] || target[n] == '/' || target[n] == ' ');
}

static int link_below(const char *link, const char *path)
{
	char target[BOX_PATH_MAX * 4];
	ssize_t n = readlink(link, target, sizeof(target) - 1);

	if (n <= 0)
		return 0;
	target[n] = '\0';
	return below(path, target);
}

/* How a process uses what is at path: the format of what to say, or NULL. */
static const char *use_of(const char *pid, const char *path)
{
	static const char *const links[][2] = {
		{ "cwd", "process %lld (%s) stands in %.150s" },
		{ "root", "process %lld (%s) has its root in %.150s" },
		{ "exe", "process %lld (%s) runs from %.150s" },
	};
	char link[512];
	const char *how = NULL;
	struct dirent *n;
	DIR *d;

	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
		snprintf(link, sizeof(link), "/proc/%s/%s", pid, links[i][0]);
		if (link_below(link, path))
			return links[i][1];
	}
	snprintf(link, sizeof(link), "/proc/%s/fd", pid);
	d = opendir(link);
	while (d && !how && (n = readdir(d))) {
		snprintf(link, sizeof(link), "/proc/%s/fd/%.200s", pid, n->d_name);
		how = link_below(link, path) ? "process %lld (%s) has a file open below %.150s"
					     : NULL;
	}
	if (d)
		closedir(d);
	return how;
}

/* In the instance's view: who keeps the disk from going. */
static int fail_busy(const char *path, struct engine_result *r)
{
	char name[64], file[64];
	DIR *d = opendir("/proc");
	struct dirent *n;
	int64_t pid;

	sv_fail(r, SV_CONFLICT, "disk_busy", "a process in the instance uses %.150s", path);
	while (d && (n = readdir(d))) {
		const char *how = sv_parse_int(n->d_name, &pid) ? NULL : use_of(n->d_name, path);

		if (!how)
			continue;
		snprintf(file, sizeof(file), "/proc/%lld/comm", (long long)pid);
		if (sv_file_read(file, name, sizeof(name), NULL))
			continue;
		name[strcspn(name, "\n")] = '\0';
		sv_fail(r, SV_CONFLICT, "disk_busy", how, (long long)pid, name, path);
		break;
	}
	if (d)
		closedir(d);
	return r->code;
}

static int detach_inside(const char *path, struct engine_result *r)
{
	struct stat st;

	if (!is_top(path, &st))
		return SV_OK;
	if (!umount2(path, UMOUNT_NOFOLLOW))
		return SV_OK;
	return errno == EBUSY ? fail_busy(path, r) : sv_fail_errno(r, path);
}

/* One process goes in and unmounts; this one stays with the holder and then lets the disk go,
 * flushed. */
static int detach_forked(
	struct engine *e, const struct work *w, const struct proc *init, struct engine_result *r)
{
	int back[2];
	pid_t pid;

	if (pipe2(back, O_CLOEXEC))
		return sv_fail_errno(r, "a pipe");
	pid = fork();
	if (!pid) {
		r->code = sv_box_enter(e, NULL, init) ? sv_fail_errno(r, "entering the instance")
						      : detach_inside(w->mount->path, r);
		_exit(write(back[1], r, sizeof(*r)) != sizeof(*r));
	}
	close(back[1]);
	if (pid < 0 || read(back[0], r, sizeof(*r)) != sizeof(*r))
		return sv_fail(r, SV_FAILED, NULL, "the engine's helper process died");
	waitpid(pid, NULL, 0); /* its view of the disk ends with it */
	return r->code;
}

static int detach_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	struct proc init;

	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r))
		return r->code;
	/* One that does not run just has no such mount at its next start. */
	if (!sv_box_read(e, w->id, &init, NULL, 0) && detach_forked(e, w, &init, r))
		return r->code;
	if (w->mount->disk)
		sv_disk_release(e, w->mount->disk);
	return SV_OK;
}

static const struct job_kind attach_job = { .body = attach_body, .queued = 1 };
static const struct job_kind detach_job = { .body = detach_body, .queued = 1 };

static int mount_valid(const char *id, const struct engine_mount *m)
{
	return sv_id_valid(id) && m && sv_inside_path_valid(m->path) &&
	       (!m->disk || sv_id_valid(m->disk));
}

int sv_box_attach(struct engine *e, const char *id, const struct engine_mount *m, engine_done *done,
	void *data)
{
	struct work w = { .id = id, .mount = m };

	return mount_valid(id, m) ? sv_work_start(e, &attach_job, &w, done, data) : SV_INVALID;
}

int sv_box_detach(struct engine *e, const char *id, const struct engine_mount *m, engine_done *done,
	void *data)
{
	struct work w = { .id = id, .mount = m };

	return mount_valid(id, m) ? sv_work_start(e, &detach_job, &w, done, data) : SV_INVALID;
}
