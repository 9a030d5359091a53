/* SPDX-License-Identifier: MIT */
/* Who is who: as root an instance's ids are a range of their own outside; as an ordinary user they
 * are the user's own id, with the subordinate ones where /etc/subuid grants some. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/str.h>
#include <starverse/common.h>

static int proc_put(pid_t pid, const char *name, const char *text)
{
	char path[64];
	size_t len = strlen(text);
	int fd, bad;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	bad = write(fd, text, len) != (ssize_t)len;
	close(fd);
	return bad ? -1 : 0;
}

int sv_map_write(pid_t pid, unsigned first, unsigned count, int deny_groups)
{
	char text[64];

	snprintf(text, sizeof(text), "0 %u %u\n", first, count);
	if (deny_groups && proc_put(pid, "setgroups", "deny"))
		return -1;
	return proc_put(pid, "uid_map", text) || proc_put(pid, "gid_map", text) ? -1 : 0;
}

/* The first range of a user in /etc/subuid or /etc/subgid; 0 when there is none. */
static unsigned subordinate(const char *file, const char *name, unsigned *ret_count)
{
	char buf[BOX_SMALL_FILE], *line, *next, *first, *count;
	int64_t a, n;
	size_t len = strlen(name);

	if (sv_file_read(file, buf, sizeof(buf), NULL))
		return 0;
	for (line = buf; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strncmp(line, name, len) || line[len] != ':')
			continue;
		first = line + len + 1;
		count = strchr(first, ':');
		if (!count)
			continue;
		*count++ = '\0';
		if (sv_parse_int(first, &a) || sv_parse_int(count, &n) || a <= 0 || n <= 0 ||
			a + n > UINT32_MAX)
			continue;
		*ret_count = n > BOX_MAP_COUNT - 1 ? BOX_MAP_COUNT - 1 : (unsigned)n;
		return (unsigned)a;
	}
	return 0;
}

static int map_program(const char *program, pid_t pid, unsigned own, unsigned first, unsigned count)
{
	char p[16], o[16], f[16], c[16];
	const char *argv[] = { program, p, "0", o, "1", "1", f, c, NULL };

	snprintf(p, sizeof(p), "%d", (int)pid);
	snprintf(o, sizeof(o), "%u", own);
	snprintf(f, sizeof(f), "%u", first);
	snprintf(c, sizeof(c), "%u", count);
	return sv_run_program(argv) ? -1 : 0;
}

/* An ordinary user's own namespace: with subordinate ids when they are granted and newuidmap is
 * there. */
int sv_map_own(pid_t pid, unsigned *ret_count)
{
	unsigned n_uid = 0, n_gid = 0, first_uid, first_gid;
	char line[1024];
	struct passwd pw, *found = NULL;

	*ret_count = 1;
	if (getpwuid_r(getuid(), &pw, line, sizeof(line), &found) || !found)
		return sv_map_write(pid, getuid(), 1, 1);
	first_uid = subordinate("/etc/subuid", pw.pw_name, &n_uid);
	first_gid = subordinate("/etc/subgid", pw.pw_name, &n_gid);
	if (first_uid && first_gid) {
		unsigned n = n_uid < n_gid ? n_uid : n_gid;

		if (!map_program("newuidmap", pid, getuid(), first_uid, n) &&
			!map_program("newgidmap", pid, getgid(), first_gid, n)) {
			*ret_count = n + 1;
			return 0;
		}
	}
	if (getuid() != getgid()) { /* the two maps differ */
		char u[64], g[64];

		snprintf(u, sizeof(u), "0 %u 1\n", (unsigned)getuid());
		snprintf(g, sizeof(g), "0 %u 1\n", (unsigned)getgid());
		if (proc_put(pid, "setgroups", "deny"))
			return -1;
		return proc_put(pid, "uid_map", u) || proc_put(pid, "gid_map", g) ? -1 : 0;
	}
	return sv_map_write(pid, getuid(), 1, 1);
}

/* Where root inside is, seen from the holder. */
unsigned sv_map_root(const struct engine *e)
{
	return e->as_root ? BOX_MAP_FIRST : 0;
}

/* The kernel maps a range only within one range of the parent: an ordinary user's has two. */
int sv_map_instance(const struct engine *e, pid_t pid)
{
	char text[64];

	if (e->as_root)
		return sv_map_write(pid, BOX_MAP_FIRST, BOX_MAP_COUNT, 0);
	if (e->holder.map_count <= 1)
		return sv_map_write(pid, 0, 1, 0);
	snprintf(text, sizeof(text), "0 0 1\n1 1 %u\n", e->holder.map_count - 1);
	return proc_put(pid, "uid_map", text) || proc_put(pid, "gid_map", text) ? -1 : 0;
}

/* A user namespace with the instances' map, for mounts that are to be seen through it; -1 for an
 * ordinary user. */
int sv_map_fd(const struct engine *e)
{
	int ready[2], fd = -1;
	char path[64], c;
	pid_t pid;

	if (!e->as_root || pipe2(ready, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		if (!unshare(CLONE_NEWUSER) && write(ready[1], "r", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (pid > 0 && read(ready[0], &c, 1) == 1 && !sv_map_instance(e, pid)) {
		snprintf(path, sizeof(path), "/proc/%d/ns/user", (int)pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	close(ready[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return fd;
}
