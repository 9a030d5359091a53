/* SPDX-License-Identifier: MIT */
/* The root file system of one instance, built by its first process in namespaces of its own: one
 * overlay for the root, one over the host's /usr, and what a system needs besides. Nothing else of
 * the host comes in. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <starverse/common.h>

#define SAFE (MS_NOSUID | MS_NODEV)

static const char *const dev_names[] = { "null", "zero", "full", "random", "urandom", "tty", NULL };

static int failed(char *text, size_t size, const char *what)
{
	snprintf(text, size, "%s: %s", what, sv_errno_text(errno));
	return -1;
}

static int place(int fd, const char *path)
{
	if (mkdir(path, 0755) && errno != EEXIST)
		return -1;
	return sv_mount_place(fd, path);
}

/* The pieces get short names in a small tmpfs: an overlay's options have to fit one page. */
static int stage(const struct root_plan *p, char *text, size_t size)
{
	char name[32];

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return failed(text, size, "setting the mounts apart");
	if (mount("tmpfs", "/tmp", "tmpfs", SAFE, "mode=0755,size=1m") || chdir("/tmp"))
		return failed(text, size, "a small tmpfs");
	if (place(p->usr, "u") || place(p->base, "b") || place(p->disk, "d"))
		return failed(text, size, "placing the layers");
	for (size_t i = 0; i < p->n_layers; i++) {
		snprintf(name, sizeof(name), "l%zu", i);
		if (place(p->layers[i], name))
			return failed(text, size, "placing a snapshot's layer");
	}
	return mkdir("r", 0755) ? failed(text, size, "the root") : 0;
}

static int overlay(
	const struct root_plan *p, const char *part, const char *lowest, const char *target)
{
	char options[4096];
	size_t n = (size_t)snprintf(options, sizeof(options),
		"userxattr,upperdir=d/%s,workdir=d/work.%s,lowerdir=", part, part);

	for (size_t i = 0; i < p->n_layers && n < sizeof(options); i++)
		n += (size_t)snprintf(options + n, sizeof(options) - n, "l%zu/%s:", i, part);
	if (n < sizeof(options))
		n += (size_t)snprintf(options + n, sizeof(options) - n, "b/%s%s", part, lowest);
	if (n >= sizeof(options)) {
		errno = E2BIG;
		return -1;
	}
	return mount("overlay", target, "overlay", SAFE, options);
}

static int make_dev(const struct root_plan *p, char *text, size_t size)
{
	char path[64];

	if (mount("tmpfs", "r/dev", "tmpfs", MS_NOSUID, "mode=0755,size=64k,nr_inodes=256"))
		return failed(text, size, "/dev");
	for (int i = 0; dev_names[i]; i++) {
		int fd;

		snprintf(path, sizeof(path), "r/dev/%s", dev_names[i]);
		fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
		if (fd < 0 || close(fd) || sv_mount_place(p->dev[i], path))
			return failed(text, size, path + 1);
	}
	if (mkdir("r/dev/pts", 0755) || mkdir("r/dev/shm", 01777) || mkdir("r/dev/mqueue", 0755) ||
		symlink("pts/ptmx", "r/dev/ptmx") || symlink("/proc/self/fd", "r/dev/fd") ||
		symlink("/proc/self/fd/0", "r/dev/stdin") ||
		symlink("/proc/self/fd/1", "r/dev/stdout") ||
		symlink("/proc/self/fd/2", "r/dev/stderr"))
		return failed(text, size, "/dev");
	if (mount("devpts", "r/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		    "newinstance,ptmxmode=0666,mode=0620"))
		return failed(text, size, "/dev/pts");
	if (mount("tmpfs", "r/dev/shm", "tmpfs", SAFE, "mode=1777"))
		return failed(text, size, "/dev/shm");
	mount("mqueue", "r/dev/mqueue", "mqueue", SAFE | MS_NOEXEC, NULL);
	return 0;
}

struct mask {
	const char *path;
	int cover; /* 1: nothing to be seen; 0: read only */
};

static const struct mask masks[] = {
	{ "r/proc/sys", 0 },
	{ "r/proc/sysrq-trigger", 0 },
	{ "r/proc/irq", 0 },
	{ "r/proc/bus", 0 },
	{ "r/proc/fs", 0 },
	{ "r/proc/kcore", 1 },
	{ "r/proc/keys", 1 },
	{ "r/proc/timer_list", 1 },
	{ "r/proc/sched_debug", 1 },
	{ "r/proc/kmsg", 1 },
	{ "r/proc/latency_stats", 1 },
	{ "r/proc/acpi", 1 },
	{ "r/proc/scsi", 1 },
	{ "r/sys/firmware", 1 },
	{ "r/sys/kernel/debug", 1 },
	{ "r/sys/kernel/security", 1 },
	{ 0 },
};

static int make_masks(char *text, size_t size)
{
	for (const struct mask *m = masks; m->path; m++) {
		struct stat st;
		int bad;

		if (lstat(m->path, &st))
			continue;
		if (!m->cover)
			bad = sv_mount_remount(m->path, MS_RDONLY | MS_NOEXEC);
		else if (S_ISDIR(st.st_mode))
			bad = mount("tmpfs", m->path, "tmpfs", SAFE | MS_RDONLY, "size=4k");
		else
			bad = mount("r/dev/null", m->path, NULL, MS_BIND, NULL);
		if (bad)
			return failed(text, size, m->path + 1);
	}
	return 0;
}

static int make_system(const struct root_plan *p, char *text, size_t size)
{
	if (make_dev(p, text, size))
		return -1;
	if (mount("proc", "r/proc", "proc", SAFE | MS_NOEXEC, NULL))
		return failed(text, size, "/proc");
	/* A kernel that hides part of /sys refuses it here: an instance can live without. */
	mount("sysfs", "r/sys", "sysfs", SAFE | MS_NOEXEC | MS_RDONLY, NULL);
	if (mount("tmpfs", "r/run", "tmpfs", SAFE, "mode=0755"))
		return failed(text, size, "/run");
	if (mkdir("r/run/lock", 01777) || mkdir("r/run/sshd", 0755) || mkdir("r/run/sv", 0755))
		return failed(text, size, "/run");
	if (p->run >= 0 && place(p->run, "r/run/starverse"))
		return failed(text, size, "/run/starverse");
	if (p->ssh >= 0 && place(p->ssh, "r/run/sv/ssh"))
		return failed(text, size, "/run/sv/ssh");
	if (p->sshd >= 0 && place(p->sshd, "r/run/sv/sshd"))
		return failed(text, size, "/run/sv/sshd");
	if (p->library >= 0 && place(p->library, "r/library"))
		return failed(text, size, "/library");
	return make_masks(text, size);
}

static int enter_root(char *text, size_t size)
{
	if (chdir("r") || syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) ||
		chdir("/"))
		return failed(text, size, "changing the root");
	return 0;
}

/* The user may have put links where files were: never write through them. */
static void put(const char *path, const char *text)
{
	struct stat st;

	if (!lstat(path, &st) && S_ISDIR(st.st_mode))
		return;
	unlink(path);
	sv_file_write(path, text, strlen(text), 0644);
}

static void write_names(const struct root_plan *p)
{
	char text[512];
	char environment[BOX_SMALL_FILE];
	size_t n = 0;

	snprintf(text, sizeof(text), "%s\n", p->hostname);
	put("/etc/hostname", text);
	snprintf(text, sizeof(text),
		"127.0.0.1\tlocalhost\n127.0.1.1\t%s\n::1\tlocalhost ip6-localhost\n", p->hostname);
	put("/etc/hosts", text);
	put("/etc/resolv.conf", p->outbound ? "nameserver 10.0.2.3\n" : "");
	for (size_t i = 0; p->env && p->env[i]; i++) {
		const char *value = strchr(p->env[i], '=');
		int len;

		/* The file's form has no escapes: what needs some is still in the processes'
		 * environment. */
		if (!value || strpbrk(value, "\n\"'\\$`"))
			continue;
		len = snprintf(environment + n, sizeof(environment) - n, "%.*s=\"%s\"\n",
			(int)(value - p->env[i]), p->env[i], value + 1);
		if (len < 0 || (size_t)len >= sizeof(environment) - n)
			break;
		n += (size_t)len;
	}
	environment[n] = '\0';
	put("/etc/environment", environment);
}

static int place_mounts(const struct root_plan *p, char *text, size_t size)
{
	for (size_t i = 0; i < p->n_mounts; i++) {
		const struct root_mount *m = &p->mounts[i];

		if (sv_dirs_make(m->path, 0755) || sv_mount_place(m->fd, m->path))
			return failed(text, size, m->path);
	}
	return 0;
}

/* In the instance's first process, root in all its new namespaces. 0, or -1 with what failed in
 * text. */
int sv_root_make(const struct root_plan *p, char *text, size_t size)
{
	if (sethostname(p->hostname, strlen(p->hostname)))
		return failed(text, size, "the host name");
	if (stage(p, text, size))
		return -1;
	if (overlay(p, "root", "", "r"))
		return failed(text, size, "the root's overlay");
	if (overlay(p, "usr", ":u", "r/usr"))
		return failed(text, size, "the overlay of /usr");
	if (make_system(p, text, size) || enter_root(text, size))
		return -1;
	write_names(p);
	return place_mounts(p, text, size);
}
