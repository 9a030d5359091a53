/* SPDX-License-Identifier: MIT */
/* Limits by control groups, of either version, where they may be written. An instance's groups are
 * recorded with it: the next daemon may itself live in another one. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/time.h>
#include <starverse/common.h>

#define GROUPS    "/sys/fs/cgroup"
#define PIDS      "16384"
#define FREEZE_MS 5000
#define DROP_MS   1000 /* what has ended in a group may keep it for a moment */

static const char *const controllers[] = { "memory", "cpu", "pids", "freezer", NULL };

static int put(const char *dir, const char *file, const char *text)
{
	char path[BOX_PATH_MAX];
	size_t len = strlen(text);
	int fd, bad;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file) >= (int)sizeof(path))
		return -1;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	bad = write(fd, text, len) != (ssize_t)len;
	close(fd);
	return bad ? -1 : 0;
}

/* "cpu,cpuacct" names cpu. */
static int listed(const char *names, const char *one)
{
	size_t n = strlen(one);

	for (const char *p = names; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
		if (!strncmp(p, one, n) && (!p[n] || p[n] == ','))
			return 1;
	return 0;
}

/* The group this process is in: of a version 1 controller, or (NULL) of version 2. */
static int own_group(const char *controller, char *buf, size_t size)
{
	char text[BOX_SMALL_FILE], *line, *next;

	if (sv_file_read("/proc/self/cgroup", text, sizeof(text), NULL))
		return -1;
	for (line = text; *line; line = next) {
		char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (!path)
			continue;
		*path++ = '\0';
		names++;
		if (controller && listed(names, controller)) {
			snprintf(buf, size, "%s", path[1] ? path : "");
			return 0;
		}
		if (!controller && !names[0]) {
			snprintf(buf, size, "%s", path[1] ? path : "");
			return 0;
		}
	}
	return -1;
}

static int is_unified(void)
{
	return !access(GROUPS "/cgroup.controllers", F_OK);
}

static int group_dir(const char *parent, const char *id, char *dir, size_t size)
{
	if (snprintf(dir, size, "%s/starverse-%s", parent, id) >= (int)size)
		return -1;
	return mkdir(dir, 0755) && errno != EEXIST ? -1 : 0;
}

static unsigned limit_memory(const char *dir, int64_t bytes, int unified)
{
	char text[32];

	if (bytes > 0)
		snprintf(text, sizeof(text), "%lld", (long long)bytes);
	else
		snprintf(text, sizeof(text), unified ? "max" : "-1");
	if (put(dir, unified ? "memory.max" : "memory.limit_in_bytes", text))
		return 0;
	/* Without this what does not fit is swapped, slowly, instead of ended. Not every kernel has
	 * it. */
	put(dir, unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes",
		bytes > 0 && unified ? "0" : text);
	return HELD_RAM;
}

static unsigned limit_cpu(const char *dir, int vcpus, int unified)
{
	char text[64];

	if (unified) {
		if (vcpus > 0)
			snprintf(text, sizeof(text), "%lld 100000", (long long)vcpus * 100000);
		else
			snprintf(text, sizeof(text), "max 100000");
		return put(dir, "cpu.max", text) ? 0 : HELD_CPU;
	}
	snprintf(text, sizeof(text), "%lld", vcpus > 0 ? (long long)vcpus * 100000 : -1LL);
	return put(dir, "cpu.cfs_quota_us", text) ? 0 : HELD_CPU;
}

static unsigned make_one(
	const struct engine_spec *s, const char *controller, char *dir, size_t size)
{
	char own[512], parent[768];

	if (own_group(controller, own, sizeof(own)))
		return 0;
	snprintf(parent, sizeof(parent), GROUPS "/%s%s", controller, own);
	if (group_dir(parent, s->id, dir, size)) {
		dir[0] = '\0';
		return 0;
	}
	if (!strcmp(controller, "memory"))
		return limit_memory(dir, s->ram_bytes, 0);
	if (!strcmp(controller, "cpu"))
		return limit_cpu(dir, s->vcpus, 0);
	if (!strcmp(controller, "pids"))
		return put(dir, "pids.max", PIDS) ? 0 : HELD_PIDS;
	return 0;
}

static unsigned make_unified(const struct engine_spec *s, char *dir, size_t size)
{
	static const char *const wanted[] = { "+memory", "+cpu", "+pids", NULL };
	char own[512], parent[768], probe[BOX_PATH_MAX];
	unsigned held = 0;

	if (own_group(NULL, own, sizeof(own)))
		return 0;
	/* A group with processes has no limited children: ours goes beside the daemon's, else below
	 * the root. */
	for (int i = 0; i < 2 && !held; i++) {
		char *slash = strrchr(own, '/');

		if (slash && !i)
			*slash = '\0';
		snprintf(parent, sizeof(parent), GROUPS "%s", i ? "" : own);
		/* One by one: what is not there must not keep away what is. */
		for (size_t c = 0; wanted[c]; c++)
			put(parent, "cgroup.subtree_control", wanted[c]);
		if (group_dir(parent, s->id, dir, size))
			continue;
		snprintf(probe, sizeof(probe), "%s/cgroup.procs", dir);
		if (!access(probe, W_OK)) {
			held |= limit_memory(dir, s->ram_bytes, 1) | limit_cpu(dir, s->vcpus, 1);
			held |= put(dir, "pids.max", PIDS) ? 0 : HELD_PIDS;
		}
		if (!held && rmdir(dir))
			return 0;
	}
	if (!held)
		dir[0] = '\0';
	return held;
}

/* Makes the groups of an instance and says what they hold (HELD_*). */
unsigned sv_cgroup_make(const struct engine *e, const struct engine_spec *s)
{
	char dir[BOX_PATH_MAX] = "", list[4 * BOX_PATH_MAX], path[BOX_PATH_MAX];
	size_t n = 0;
	unsigned held = 0;

	list[0] = '\0';
	if (is_unified()) {
		held = make_unified(s, dir, sizeof(dir));
		if (dir[0])
			n = (size_t)snprintf(list, sizeof(list), "%s\n", dir);
	} else if (e->as_root) {
		for (size_t i = 0; controllers[i]; i++) {
			dir[0] = '\0';
			held |= make_one(s, controllers[i], dir, sizeof(dir));
			if (dir[0])
				n += (size_t)snprintf(list + n, sizeof(list) - n, "%s\n", dir);
		}
	}
	if (sv_state_path(e, path, sizeof(path), "instances/%s/cgroup", s->id) ||
		sv_file_write(path, list, n, 0600))
		return 0;
	return held;
}

/* Calls for each recorded group until one says stop; returns that. */
static int each_group(const struct engine *e, const char *id,
	int (*each)(const char *dir, const void *arg), const void *arg)
{
	char text[4 * BOX_PATH_MAX], path[BOX_PATH_MAX], *line, *next;
	int code = 0;

	if (sv_state_path(e, path, sizeof(path), "instances/%s/cgroup", id) ||
		sv_file_read(path, text, sizeof(text), NULL))
		return 0;
	for (line = text; *line && !code; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (!strncmp(line, GROUPS "/", sizeof(GROUPS)))
			code = each(line, arg);
	}
	return code;
}

static int join_one(const char *dir, const void *arg)
{
	return put(dir, "cgroup.procs", arg);
}

/* Whether this process is in all groups of an instance now: where it is not, nothing is held. */
int sv_cgroup_join(const struct engine *e, const char *id)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return each_group(e, id, join_one, pid);
}

/* 1: done, 0: this group cannot, -1: it did not come to its end and is taken back. */
static int freeze_one(const char *dir, const void *arg)
{
	const char *word = arg;
	char path[BOX_PATH_MAX], text[64];
	int on = word[0] == '1', unified;

	unified = !put(dir, "cgroup.freeze", word);
	if (!unified && put(dir, "freezer.state", on ? "FROZEN" : "THAWED"))
		return 0;
	snprintf(path, sizeof(path), unified ? "%s/cgroup.events" : "%s/freezer.state", dir);
	for (int64_t end = sv_mono_ms() + FREEZE_MS; sv_mono_ms() < end;) {
		if (sv_file_read(path, text, sizeof(text), NULL))
			return 1;
		if (strstr(text,
			    unified ? (on ? "frozen 1" : "frozen 0") : (on ? "FROZEN" : "THAWED")))
			return 1;
		usleep(2000);
	}
	/* Left as it is, it would stand still for good, and be taken for one that runs. */
	if (on)
		put(dir, unified ? "cgroup.freeze" : "freezer.state", unified ? "0" : "THAWED");
	return -1;
}

/* SV_UNSUPPORTED: there is no freezer; SV_FAILED: there is one, and nothing is frozen by it. */
int sv_cgroup_freeze(const struct engine *e, const char *id, int frozen)
{
	int done = each_group(e, id, freeze_one, frozen ? "1" : "0");

	return done > 0 ? SV_OK : done < 0 ? SV_FAILED : SV_UNSUPPORTED;
}

static int has(const char *dir, const char *file)
{
	char path[BOX_PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", dir, file) < (int)sizeof(path) &&
	       !access(path, F_OK);
}

/* -1 stops: this one cannot be changed so. What is used already may be more than it would allow. */
static int limit_one(const char *dir, const void *arg)
{
	const struct engine_spec *s = arg;
	char text[32];

	if (has(dir, "cpu.cfs_quota_us") && !limit_cpu(dir, s->vcpus, 0))
		return -1;
	if (has(dir, "memory.limit_in_bytes")) {
		/* Memory with swap is never less than memory: first when it grows, last when not.
		 */
		snprintf(text, sizeof(text), "%lld", (long long)s->ram_bytes);
		put(dir, "memory.memsw.limit_in_bytes", s->ram_bytes > 0 ? text : "-1");
		if (!limit_memory(dir, s->ram_bytes, 0))
			return -1;
	}
	if (has(dir, "cpu.max") && !limit_cpu(dir, s->vcpus, 1))
		return -1;
	return has(dir, "memory.max") && !limit_memory(dir, s->ram_bytes, 1) ? -1 : 0;
}

/* The groups that an instance has take other limits. */
int sv_cgroup_limit(const struct engine *e, const struct engine_spec *s)
{
	return each_group(e, s->id, limit_one, s) ? SV_CONFLICT : SV_OK;
}

static int drop_one(const char *dir, const void *arg)
{
	(void)arg;
	for (int64_t end = sv_mono_ms() + DROP_MS; rmdir(dir) && errno == EBUSY;) {
		if (sv_mono_ms() >= end)
			break;
		usleep(2000);
	}
	return 0;
}

void sv_cgroup_drop(const struct engine *e, const char *id)
{
	each_group(e, id, drop_one, NULL);
}

/* A process really goes into the group; then both are gone again. */
static int may_join(const char *dir)
{
	char own[16];
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		snprintf(own, sizeof(own), "%d", (int)getpid());
		_exit(put(dir, "cgroup.procs", own) != 0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	drop_one(dir, NULL);
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* What limits could be held here: groups are really made, joined and removed. */
unsigned sv_cgroup_caps(void)
{
	char dir[BOX_PATH_MAX], id[BOX_ID_MAX];
	struct engine_spec s = { .id = id };
	unsigned held = 0;

	snprintf(id, sizeof(id), "probe_%d", (int)getpid());
	if (is_unified()) {
		held = make_unified(&s, dir, sizeof(dir));
		return dir[0] && may_join(dir) ? held : 0;
	}
	for (size_t i = 0; !geteuid() && controllers[i]; i++) {
		unsigned one;

		dir[0] = '\0';
		one = make_one(&s, controllers[i], dir, sizeof(dir));
		if (dir[0] && may_join(dir))
			held |= one;
	}
	return held;
}
