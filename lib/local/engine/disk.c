/* SPDX-License-Identifier: MIT */
/* Data disks: an ext4 file that holds its size, on a loop device (root) or by fuse2fs (an ordinary
 * user); where neither can be, a directory. They are mounted in the holder while anybody uses them.
 */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <starverse/common.h>

#define BLOCK    4096
#define DISK_MIN ((int64_t)1 << 20)

static int exists(const struct engine *e, const char *disk, const char *name)
{
	char path[BOX_PATH_MAX];

	return !sv_state_path(e, path, sizeof(path), "disks/%s/%s", disk, name) &&
	       !access(path, F_OK);
}

int sv_disk_exists(const struct engine *e, const char *disk)
{
	return exists(e, disk, "image") || exists(e, disk, "data");
}

/* Shared while a disk is in somebody's hands, exclusive to mount or unmount it. The descriptor
 * stays open: closing it would end the lock; the job's end does. */
static int lock(const struct engine *e, const char *disk, short type, int wait)
{
	char path[BOX_PATH_MAX];
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };
	int fd;

	if (sv_state_path(e, path, sizeof(path), "locks/%s.mount", disk))
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	while (fcntl(fd, wait ? F_SETLKW : F_SETLK, &l))
		if (errno != EINTR)
			return -1;
	return 0;
}

/* In the holder: the directory that shows the disk's content, mounting it when nobody has yet. */
int sv_disk_show(
	struct engine *e, const char *disk, char *path, size_t size, struct engine_result *r)
{
	char image[BOX_PATH_MAX];
	int bad = 0;

	if (!sv_id_valid(disk) || !sv_disk_exists(e, disk))
		return sv_fail(r, SV_NOTFOUND, NULL, "disk %.63s does not exist", disk ? disk : "");
	if (lock(e, disk, F_RDLCK, 1))
		return sv_fail_errno(r, "locking the disk");
	if (exists(e, disk, "data"))
		return sv_state_path(e, path, size, "disks/%s/data", disk);
	if (sv_state_path(e, path, size, "disks/%s/mnt", disk) ||
		sv_state_path(e, image, sizeof(image), "disks/%s/image", disk))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	if (sv_is_mounted(path))
		return SV_OK;
	lock(e, disk, F_UNLCK, 1);
	if (lock(e, disk, F_WRLCK, 1))
		return sv_fail_errno(r, "locking the disk");
	if (!sv_is_mounted(path) &&
		((mkdir(path, 0755) && errno != EEXIST) || sv_ext4_mount(e, image, path)))
		bad = sv_fail_errno(r, "mounting the disk");
	if (!bad && snprintf(image, sizeof(image), "%s/lost+found", path) < (int)sizeof(image))
		rmdir(image); /* mkfs's, and nobody's inside */
	lock(e, disk, F_RDLCK, 1);
	return bad;
}

/* In the holder: whether a process sees the disk. */
int sv_disk_seen(const struct engine *e, const char *disk, pid_t pid)
{
	char at[BOX_PATH_MAX], device[32], tail[BOX_ID_MAX + 16];
	struct stat st;

	snprintf(tail, sizeof(tail), "/disks/%s/data", disk);
	if (exists(e, disk, "data"))
		return sv_sees(pid, NULL, tail);
	if (sv_state_path(e, at, sizeof(at), "disks/%s/mnt", disk) || !sv_is_mounted(at) ||
		stat(at, &st))
		return 0;
	snprintf(device, sizeof(device), "%u:%u", major(st.st_dev), minor(st.st_dev));
	return sv_sees(pid, device, "");
}

static int in_use(struct engine *e, const char *disk)
{
	char path[BOX_PATH_MAX];
	struct dirent *n;
	int used = 0;
	DIR *d = sv_state_path(e, path, sizeof(path), "instances") ? NULL : opendir(path);

	while (d && !used && (n = readdir(d))) {
		struct proc init;

		if (sv_id_valid(n->d_name) && !sv_box_read(e, n->d_name, &init, NULL, 0))
			used = sv_disk_seen(e, disk, init.pid);
	}
	if (d)
		closedir(d);
	return used;
}

static int release(struct engine *e, const char *disk)
{
	char at[BOX_PATH_MAX], image[BOX_PATH_MAX];
	int bad = 0;

	if (exists(e, disk, "data"))
		return in_use(e, disk) ? -1 : 0;
	if (sv_state_path(e, at, sizeof(at), "disks/%s/mnt", disk) ||
		sv_state_path(e, image, sizeof(image), "disks/%s/image", disk) ||
		!sv_is_mounted(at))
		return 0;
	if (lock(e, disk, F_WRLCK, 0) || in_use(e, disk))
		return -1;
	bad = sv_ext4_unmount(e, image, at);
	lock(e, disk, F_UNLCK, 1);
	return bad;
}

/* In the holder: unmounts what nobody uses any more, one disk or (NULL) all. */
void sv_disk_release(struct engine *e, const char *disk)
{
	char path[BOX_PATH_MAX];
	struct dirent *n;
	DIR *d;

	if (disk) {
		release(e, disk);
		return;
	}
	d = sv_state_path(e, path, sizeof(path), "disks") ? NULL : opendir(path);
	while (d && (n = readdir(d)))
		if (sv_id_valid(n->d_name))
			release(e, n->d_name);
	if (d)
		closedir(d);
}

static int make_image(struct engine *e, const char *disk, int64_t bytes, struct engine_result *r)
{
	char image[BOX_PATH_MAX];

	if (sv_state_path(e, image, sizeof(image), "disks/%s/image", disk))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	return sv_ext4_make(image, bytes, sv_map_root(e), 1, r);
}

static int make_directory(struct engine *e, const char *disk, struct engine_result *r)
{
	char path[BOX_PATH_MAX];

	if (sv_state_path(e, path, sizeof(path), "disks/%s/data", disk) ||
		(mkdir(path, 0755) && errno != EEXIST) ||
		chown(path, sv_map_root(e), sv_map_root(e)))
		return sv_fail_errno(r, "the disk's directory");
	return SV_OK;
}

static void restore(const char *image, const char *at, int64_t bytes)
{
	char device[BOX_PATH_MAX];

	if (!truncate(image, bytes) && sv_mount_of(0, at, device, sizeof(device)))
		sv_loop_grow(device);
}

/* While it is mounted the kernel grows it, if we may ask; else resize2fs does, once nobody has it.
 */
static int grow(struct engine *e, const char *disk, int64_t bytes, struct engine_result *r)
{
	char image[BOX_PATH_MAX], at[BOX_PATH_MAX];
	struct stat st;

	if (exists(e, disk, "data"))
		return SV_OK;
	if (sv_state_path(e, image, sizeof(image), "disks/%s/image", disk) ||
		sv_state_path(e, at, sizeof(at), "disks/%s/mnt", disk) || stat(image, &st))
		return sv_fail_errno(r, "the disk's file");
	if (st.st_size > bytes)
		return sv_fail(r, SV_INVALID, NULL, "size_gib: a disk cannot shrink");
	/* The file may have grown before a crash and the file system in it not: the rest is done
	 * again either way. */
	if (st.st_size < bytes && truncate(image, bytes))
		return sv_fail_errno(r, "the disk's file");
	if (release(e, disk)) {
		if (e->as_root && !sv_ext4_grow_mounted(at, bytes))
			return SV_OK;
		/* What could not grow keeps its size, or another one would seem to shrink it. */
		if (st.st_size < bytes)
			restore(image, at, st.st_size);
		return sv_fail(r, SV_CONFLICT, "disk_busy",
			"here a disk can only grow while no running instance has it: "
			"detach it first");
	}
	if (sv_ext4_grow(image))
		return sv_fail(r, SV_FAILED, NULL, "resize2fs could not grow the disk");
	return SV_OK;
}

static int fill(struct engine *e, const char *disk, const char *layer, struct engine_result *r)
{
	const struct tree_options o = { .all = (uid_t)-1, .overlay = 1 };
	char from[BOX_PATH_MAX], at[BOX_PATH_MAX];

	if (sv_state_path(e, from, sizeof(from), "layers/%s/data", layer) || access(from, F_OK))
		return sv_fail(r, SV_NOTFOUND, NULL, "snapshot %.63s holds no disk", layer);
	if (sv_disk_show(e, disk, at, sizeof(at), r))
		return r->code;
	return sv_tree_copy(from, at, &o, NULL)
		       ? sv_fail_errno(r, "copying the snapshot to the disk")
		       : SV_OK;
}

/* "whole" says that making it came to its end; without it, it is made again from the start. */
static int make_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	char path[BOX_PATH_MAX];
	int code;

	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r))
		return r->code;
	r->bytes = w->bytes;
	if (exists(e, w->id, "whole"))
		code = grow(e, w->id, w->bytes, r);
	else {
		if (sv_state_path(e, path, sizeof(path), "disks/%s", w->id) || release(e, w->id) ||
			sv_tree_remove(path) || mkdir(path, 0700))
			return sv_fail_errno(r, "the disk's directory");
		code = sv_ext4_usable(e) ? make_image(e, w->id, w->bytes, r)
					  : make_directory(e, w->id, r);
		if (!code && w->layer)
			code = fill(e, w->id, w->layer, r);
		if (code || sv_state_path(e, path, sizeof(path), "disks/%s/whole", w->id))
			return code;
		code = sv_file_write(path, "", 0, 0600) ? sv_fail_errno(r, "the disk's directory")
							: SV_OK;
	}
	lock(e, w->id, F_UNLCK, 1);
	sv_disk_release(e, w->id);
	return code;
}

static int drop_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	char path[BOX_PATH_MAX];

	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r))
		return r->code;
	if (release(e, w->id))
		return sv_fail(
			r, SV_CONFLICT, "disk_busy", "a running instance still has the disk");
	if (sv_state_path(e, path, sizeof(path), "disks/%s", w->id) || sv_tree_remove(path))
		return sv_fail_errno(r, "removing the disk");
	if (!sv_state_path(e, path, sizeof(path), "locks/%s", w->id))
		unlink(path);
	if (!sv_state_path(e, path, sizeof(path), "locks/%s.mount", w->id))
		unlink(path);
	return SV_OK;
}

static const struct job_kind make_job = { .body = make_body, .queued = 1 };
static const struct job_kind drop_job = { .body = drop_body, .queued = 1 };

int sv_box_disk_make(struct engine *e, const char *disk, int64_t bytes, const char *from,
	engine_done *done, void *data)
{
	struct work w = { .id = disk, .bytes = bytes / BLOCK * BLOCK, .layer = from };

	if (!sv_id_valid(disk) || bytes < DISK_MIN || (from && !sv_id_valid(from)))
		return SV_INVALID;
	return sv_work_start(e, &make_job, &w, done, data);
}

int sv_box_disk_drop(struct engine *e, const char *disk, engine_done *done, void *data)
{
	struct work w = { .id = disk };

	return sv_id_valid(disk) ? sv_work_start(e, &drop_job, &w, done, data) : SV_INVALID;
}
