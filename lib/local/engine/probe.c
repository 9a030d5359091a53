/* SPDX-License-Identifier: MIT */
/* Whether this machine can make instances: the decisive steps are really tried, in a child. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <starverse/common.h>

enum { STEP_OK, STEP_USERNS, STEP_MAP, STEP_MOUNT, STEP_OVERLAY, STEP_TREE, STEP_USR };

#define NO_NAMESPACE \
	"this kernel refuses user namespaces: sysctl -w kernel.unprivileged_userns_clone=1 " \
	"kernel.apparmor_restrict_unprivileged_userns=0 user.max_user_namespaces=10000 allows " \
	"them"

static const char *const steps[] = {
	[STEP_OK] = "",
	[STEP_USERNS] = NO_NAMESPACE,
	[STEP_MAP] = "the ids of a user namespace cannot be mapped",
	[STEP_MOUNT] = "a tmpfs cannot be mounted in a user namespace",
	[STEP_OVERLAY] =
		"an overlay cannot be mounted in a user namespace: Linux 5.11 or later is needed",
	[STEP_TREE] = "mounts cannot be cloned: Linux 5.12 or later is needed",
	[STEP_USR] = "/bin is not a link into /usr: a system with merged /usr is needed",
};

static int try_mounts(void)
{
	int fd;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		mount("tmpfs", "/tmp", "tmpfs", 0, "size=1m"))
		return STEP_MOUNT;
	if (mkdir("/tmp/a", 0755) || mkdir("/tmp/b", 0755) || mkdir("/tmp/c", 0755) ||
		mkdir("/tmp/d", 0755))
		return STEP_MOUNT;
	if (mount("overlay", "/tmp/d", "overlay", 0,
		    "userxattr,lowerdir=/usr,upperdir=/tmp/b,workdir=/tmp/c") &&
		mount("overlay", "/tmp/d", "overlay", 0, "userxattr,lowerdir=/usr:/tmp/a"))
		return STEP_OVERLAY;
	fd = sv_mount_clone("/usr", TREE_RO, -1);
	return fd < 0 || sv_mount_place(fd, "/tmp/a") ? STEP_TREE : STEP_OK;
}

static int try_child(void)
{
	struct stat st;
	int ready[2], go[2], status = 0, as_root = geteuid() == 0;
	char c;
	pid_t pid;

	if (lstat("/bin", &st) || !S_ISLNK(st.st_mode))
		return STEP_USR;
	if (pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC))
		return STEP_MAP;
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
			_exit(STEP_USERNS);
		if (write(ready[1], "r", 1) != 1 || read(go[0], &c, 1) != 1 || setresgid(0, 0, 0) ||
			setresuid(0, 0, 0))
			_exit(STEP_MAP);
		_exit(try_mounts());
	}
	close(ready[1]);
	close(go[0]);
	if (pid > 0 && read(ready[0], &c, 1) == 1) {
		unsigned first = as_root ? BOX_MAP_FIRST : getuid();

		if (!sv_map_write(pid, first, as_root ? BOX_MAP_COUNT : 1, !as_root) &&
			write(go[1], "g", 1) != 1)
			kill(pid, SIGKILL);
	}
	close(go[1]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : STEP_USERNS;
}

static unsigned find_caps(void)
{
	struct engine e = { .as_root = geteuid() == 0 };
	unsigned caps = ENGINE_EXEC | ENGINE_HOTPLUG | ENGINE_SNAPSHOT | ENGINE_PAUSE,
		 held = sv_cgroup_caps();

	if (sv_ext4_usable(&e))
		caps |= ENGINE_DISK_LIMIT | (e.as_root ? ENGINE_SYSTEM_LIMIT : 0);
	caps |= sv_network_usable() ? ENGINE_NETWORK : 0;
	caps |= held & HELD_CPU ? ENGINE_CPU_LIMIT : 0;
	caps |= held & HELD_RAM ? ENGINE_RAM_LIMIT : 0;
	return caps;
}

/* What runs all the same without it; the figures shown are then not held. */
static const struct {
	unsigned caps;
	const char *text;
} lacks[] = {
	{ ENGINE_DISK_LIMIT,
		"a disk is not held to its size: mkfs.ext4, and loop devices (root) or fuse2fs and "
		"a readable and writable /dev/fuse, are needed" },
	{ ENGINE_CPU_LIMIT, "vcpus are not held: a cpu cgroup that can be written is needed" },
	{ ENGINE_RAM_LIMIT, "memory is not held: a memory cgroup that can be written is needed" },
	{ ENGINE_SYSTEM_LIMIT,
		"a system disk is not held to its size, it is a directory of the host's disk: "
		"mkfs.ext4 and loop devices, as root, are needed" },
	{ ENGINE_NETWORK,
		"no network inside instances: slirp4netns and /dev/net/tun are needed" },
};

static void put_lacks(unsigned caps, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks) && n < size; i++)
		if (!(caps & lacks[i].caps))
			n += (size_t)snprintf(
				text + n, size - n, "%s%s", n ? "; " : "", lacks[i].text);
}

struct need {
	const char *path, *instead, *text;
};

/* sshd itself may be fetched: unpacked below the state directory, never installed. */
static const struct need needs[] = {
	{ "/usr/bin/ssh", NULL, "apt-get install openssh-client" },
	{ "/usr/bin/ssh-keygen", NULL, "apt-get install openssh-client" },
	{ "/usr/sbin/sshd", "/usr/bin/apt-get", "install OpenSSH's sshd" },
	{ 0 },
};

int sv_sandbox_probe(unsigned *caps, char *text, size_t size)
{
	int status = 0, step;
	pid_t pid = fork();

	if (!pid)
		_exit(try_child());
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	step = pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : STEP_USERNS;
	if (step) {
		snprintf(text, size, "%s",
			steps[step < (int)(sizeof(steps) / sizeof(*steps)) ? step : STEP_USERNS]);
		return SV_UNSUPPORTED;
	}
	*caps = find_caps();
	for (const struct need *n = needs; n->text; n++)
		if (access(n->path, X_OK) && (!n->instead || access(n->instead, X_OK))) {
			snprintf(text, size, "no ssh into instances: %s", n->text);
			return SV_OK;
		}
	*caps |= ENGINE_SSH;
	put_lacks(*caps, text, size);
	return SV_OK;
}
