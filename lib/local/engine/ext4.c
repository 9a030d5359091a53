/* SPDX-License-Identifier: MIT */
/* ext4 in a file, which so holds its size: made, mounted on a loop device (root) or by fuse2fs (an
 * ordinary user), grown. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/time.h>
#include <starverse/common.h>

#ifndef EXT4_IOC_RESIZE_FS
#define EXT4_IOC_RESIZE_FS _IOW('f', 16, uint64_t)
#endif
#define BLOCK    4096
#define FLUSH_MS 30000 /* fuse2fs writes what it holds after the unmount has returned */

static const char *program(const char *const *places)
{
	for (; *places; places++)
		if (!access(*places, X_OK))
			return *places;
	return NULL;
}

static const char *const mkfs_places[] = { "/usr/sbin/mkfs.ext4", "/sbin/mkfs.ext4", NULL };
static const char *const fuse_places[] = { "/usr/bin/fuse2fs", "/usr/sbin/fuse2fs", NULL };
static const char *const resize_places[] = { "/usr/sbin/resize2fs", "/sbin/resize2fs", NULL };

/* Whether it can be made and mounted here. */
int sv_ext4_usable(const struct engine *e)
{
	if (!program(mkfs_places))
		return 0;
	if (e->as_root)
		return !access("/dev/loop-control", R_OK | W_OK);
	return program(fuse_places) && !access("/dev/fuse", R_OK | W_OK);
}

int sv_is_mounted(const char *path)
{
	char source[BOX_PATH_MAX];

	return sv_mount_of(0, path, source, sizeof(source));
}

/* The file, locked, once no fuse2fs has it any more; -1 with errno. */
static int take(const char *file)
{
	int64_t end = sv_mono_ms() + FLUSH_MS;
	int fd = open(file, O_RDONLY);

	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		if ((errno == EWOULDBLOCK || errno == EINTR) && sv_mono_ms() < end) {
			usleep(2000);
			continue;
		}
		close(fd);
		errno = EBUSY;
		return -1;
	}
	return fd;
}

/* fuse2fs inherits the lock and has it until it has written everything and ended. */
static int mount_fuse(const struct engine *e, const char *file, const char *at)
{
	const char *options = e->holder.map_count > 1 ? "fakeroot,allow_other" : "fakeroot";
	const char *argv[] = { program(fuse_places), "-o", options, file, at, NULL };
	int fd = take(file), bad;

	if (fd < 0)
		return -1;
	bad = !argv[0] || sv_run_program(argv);
	close(fd);
	for (int64_t end = sv_mono_ms() + FLUSH_MS;
		!bad && !sv_is_mounted(at) && sv_mono_ms() < end;)
		usleep(5000);
	if (!bad && sv_is_mounted(at))
		return 0;
	errno = EIO; /* all that it told is its exit status */
	return -1;
}

int sv_ext4_mount(const struct engine *e, const char *file, const char *at)
{
	char device[64];
	int fd, bad;

	if (!e->as_root)
		return mount_fuse(e, file, at);
	fd = sv_loop_attach(file, device, sizeof(device));
	if (fd < 0)
		return -1;
	/* What is deleted inside goes back to the host. */
	bad = mount(device, at, "ext4", MS_NOSUID | MS_NODEV | MS_NOATIME,
		"discard,noinit_itable");
	close(fd);
	return bad;
}

/* Returns once the file is whole: the next one to mount or grow it reads that. */
int sv_ext4_unmount(const struct engine *e, const char *file, const char *at)
{
	int fd;

	if (umount2(at, 0))
		return -1;
	fd = e->as_root ? -1 : take(file);
	if (fd >= 0)
		close(fd);
	return 0;
}

/* What will not grow needs no room for descriptors of what would be added: a tenth to write. */
static int format(const char *file, uid_t owner, int grows)
{
	char root[96];
	const char *argv[] = { program(mkfs_places), "-q", "-F", "-m", "0", "-b", "4096", "-O",
		grows ? "resize_inode" : "^resize_inode", "-E", root, file, NULL };

	snprintf(root, sizeof(root),
		"root_owner=%u:%u,lazy_itable_init=1,lazy_journal_init=1,nodiscard",
		(unsigned)owner, (unsigned)owner);
	return sv_run_program(argv);
}

/* It appears under its name when it is whole. */
int sv_ext4_make(
	const char *file, int64_t bytes, uid_t owner, int grows, struct engine_result *r)
{
	char tmp[BOX_PATH_MAX + 32];
	int fd, bad;

	snprintf(tmp, sizeof(tmp), "%s.%d", file, (int)getpid());
	fd = open(tmp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bad = fd < 0 || ftruncate(fd, bytes);
	if (fd >= 0)
		close(fd);
	if (bad)
		sv_fail_errno(r, "the disk's file");
	else if (format(tmp, owner, grows))
		bad = sv_fail(r, SV_FAILED, NULL, "mkfs.ext4 refused a disk of %lld bytes",
			(long long)bytes);
	else if (rename(tmp, file))
		bad = sv_fail_errno(r, "the disk's file");
	if (bad)
		unlink(tmp);
	return bad ? r->code : SV_OK;
}

/* While it is mounted the kernel grows it, if we may ask. */
int sv_ext4_grow_mounted(const char *at, int64_t bytes)
{
	char device[BOX_PATH_MAX];
	uint64_t blocks = (uint64_t)(bytes / BLOCK);
	int fd, bad;

	if (!sv_mount_of(0, at, device, sizeof(device)) || sv_loop_grow(device))
		return -1;
	fd = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	bad = ioctl(fd, EXT4_IOC_RESIZE_FS, &blocks);
	close(fd);
	return bad;
}

/* To the size of its file, while nobody has it mounted. */
int sv_ext4_grow(const char *file)
{
	const char *argv[] = { program(resize_places), "-f", file, NULL };

	return !argv[0] || sv_run_program(argv) ? -1 : 0;
}
