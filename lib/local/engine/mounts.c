/* SPDX-License-Identifier: MIT */
/* Mounts as descriptors: taken from one namespace, placed in another. The system calls are named by
 * number, since the C library has them only from 2.36 on. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE         1
#define OPEN_TREE_CLOEXEC       O_CLOEXEC
#define MOVE_MOUNT_F_EMPTY_PATH 4
#define MOUNT_ATTR_RDONLY       1
#define MOUNT_ATTR_NOSUID       2
#define MOUNT_ATTR_NODEV        4
#define MOUNT_ATTR_IDMAP        0x100000
struct mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

static int attributes(int fd, uint64_t set, int deep, int map_fd)
{
	struct mount_attr a = { .attr_set = set, .userns_fd = map_fd < 0 ? 0 : (uint64_t)map_fd };

	return (int)syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH | (deep ? AT_RECURSIVE : 0),
		&a, sizeof(a));
}

/* A detached copy of the mount at path, without set-uid and devices. -1 with errno. */
int sv_mount_clone(const char *path, int flags, int map_fd)
{
	int deep = flags & TREE_DEEP;
	uint64_t set = MOUNT_ATTR_NOSUID | (flags & TREE_DEV ? 0 : MOUNT_ATTR_NODEV);
	int fd = (int)syscall(SYS_open_tree, AT_FDCWD, path,
		OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (deep ? AT_RECURSIVE : 0));

	/* In a user namespace a mount may not be copied without the ones that hide part of it. */
	if (fd < 0 && errno == EINVAL && !deep)
		return sv_mount_clone(path, flags | TREE_DEEP, map_fd);
	if (fd < 0)
		return -1;
	if (flags & TREE_RO)
		set |= MOUNT_ATTR_RDONLY;
	if (flags & TREE_MAP && map_fd >= 0 && !attributes(fd, MOUNT_ATTR_IDMAP, deep, map_fd))
		flags &= ~TREE_MAP; /* where the file system cannot, its files are seen as nobody's
				     */
	if (!attributes(fd, set, deep, -1))
		return fd;
	close(fd);
	return -1;
}

int sv_mount_place(int fd, const char *path)
{
	return (int)syscall(SYS_move_mount, fd, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH);
}

/* Binds path on itself with more flags: what is below can then be read only. */
int sv_mount_remount(const char *path, unsigned long flags)
{
	if (mount(path, path, NULL, MS_BIND | MS_REC, NULL))
		return -1;
	return mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | MS_NOSUID | MS_NODEV | flags, NULL);
}
