/* SPDX-License-Identifier: MIT */
/* The system disk of an instance: ext4 in a file, mounted in the holder as long as the instance is
 * there, so that it holds its size; or a directory of the host's disk where that cannot be, or
 * where the host has no room for all of it: a file that cannot grow loses what was written to it.
 */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <starverse/common.h>

#define BLOCK 4096

struct places {
	char file[BOX_PATH_MAX], at[BOX_PATH_MAX];
};

static int find(const struct engine *e, const char *id, struct places *p)
{
	return sv_state_path(e, p->file, sizeof(p->file), "instances/%s/image", id) ||
	       sv_state_path(e, p->at, sizeof(p->at), "instances/%s/disk", id);
}

/* What the files of a directory's entries may still grow by: they are sparse. */
static int64_t promised_in(const struct engine *e, const char *dir)
{
	char path[BOX_PATH_MAX];
	int64_t sum = 0, left;
	struct dirent *n;
	struct stat st;
	DIR *d = sv_state_path(e, path, sizeof(path), "%s", dir) ? NULL : opendir(path);

	while (d && (n = readdir(d))) {
		if (!sv_id_valid(n->d_name) ||
			sv_state_path(e, path, sizeof(path), "%s/%s/image", dir, n->d_name) ||
			stat(path, &st))
			continue;
		left = (int64_t)st.st_size - (int64_t)st.st_blocks * 512;
		sum += left > 0 ? left : 0;
	}
	if (d)
		closedir(d);
	return sum;
}

/* Room of the host that is not used yet, and not free either: other disks hold it. */
int64_t sv_system_promised(const struct engine *e)
{
	return promised_in(e, "instances") + promised_in(e, "disks");
}

/* Whether a new one is to be a file. */
static int wanted(const struct engine *e, const struct places *p, int64_t bytes)
{
	char root[BOX_PATH_MAX + 8];
	struct statvfs host;

	snprintf(root, sizeof(root), "%s/root", p->at);
	return e->as_root && bytes > 0 && sv_ext4_usable(e) && access(root, F_OK) &&
	       !statvfs(p->at, &host) &&
	       (int64_t)(host.f_bavail * host.f_frsize) - sv_system_promised(e) >= bytes;
}

/* An empty one of each size is kept: a copy of it is there at once. */
static int make(
	const struct engine *e, const struct places *p, int64_t bytes, struct engine_result *r)
{
	char empty[BOX_PATH_MAX], tmp[BOX_PATH_MAX + 8];

	if (sv_state_path(e, empty, sizeof(empty), "system") ||
		(mkdir(empty, 0700) && errno != EEXIST) ||
		sv_state_path(e, empty, sizeof(empty), "system/%lld", (long long)bytes))
		return sv_fail_errno(r, "the empty system disks");
	if (access(empty, F_OK) && sv_ext4_make(empty, bytes, sv_map_root(e), 0, r))
		return r->code;
	snprintf(tmp, sizeof(tmp), "%s.tmp", p->file);
	unlink(tmp);
	if (sv_file_copy(empty, tmp) || rename(tmp, p->file))
		return sv_fail_errno(r, "the instance's system disk");
	return SV_OK;
}

/* In the holder, the directory of the disk being there: it shows what is on the disk. */
int sv_system_show(
	const struct engine *e, const char *id, int64_t bytes, struct engine_result *r)
{
	struct places p;

	bytes = bytes / BLOCK * BLOCK;
	if (find(e, id, &p))
		return sv_fail(r, SV_INVALID, NULL, "the state directory's path is too long");
	if (sv_is_mounted(p.at))
		return SV_OK;
	if (access(p.file, F_OK)) {
		if (!wanted(e, &p, bytes))
			return SV_OK;
		if (make(e, &p, bytes, r))
			return r->code;
	}
	return sv_ext4_mount(e, p.file, p.at) ? sv_fail_errno(r, "mounting the system disk")
					      : SV_OK;
}

int sv_system_held(const struct engine *e, const char *id)
{
	struct places p;

	return !find(e, id, &p) && !access(p.file, F_OK);
}

/* For good: its instance has ended and is removed. */
void sv_system_drop(const struct engine *e, const char *id)
{
	struct places p;

	if (!find(e, id, &p) && sv_is_mounted(p.at))
		umount2(p.at, MNT_DETACH);
}
