/* SPDX-License-Identifier: MIT */
/* What instances use, from /proc: one walk over all processes serves every instance asked about
 * within a moment. */
#include "sandbox.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/str.h>
#include <base/time.h>
#include <starverse/common.h>

#define FRESH_MS  500
#define INSTANCES 100000

/* The value after "NAME:" of a file of lines, or -1. */
static int64_t line_value(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		if (!strncmp(p, name, n) && p[n] == ':') {
			int64_t v = 0;

			for (p += n + 1; *p == ' ' || *p == '\t'; p++)
				;
			for (; sv_is_digit(*p); p++)
				v = v * 10 + (*p - '0');
			return v;
		}
	return -1;
}

/* utime, stime and those of the children that were reaped: fields 14 to 17. */
static int64_t cpu_ticks(const char *stat)
{
	const char *p = strrchr(stat, ')');
	int64_t sum = 0;

	for (int field = 2; p && field < 18; field++, p = strchr(p + 1, ' '))
		if (field >= 14)
			for (int64_t v = 0;;) {
				const char *d = p + 1;

				while (sv_is_digit(*d))
					v = v * 10 + (*d++ - '0');
				sum += v;
				break;
			}
	return sum;
}

static struct usage *usage_of(struct engine *e, uint64_t ns)
{
	struct usage *grown;

	for (size_t i = 0; i < e->n_usage; i++)
		if (e->usage[i].ns == ns)
			return &e->usage[i];
	if (e->n_usage >= INSTANCES)
		return NULL;
	grown = sv_realloc(e->usage, (e->n_usage + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	e->usage = grown;
	grown[e->n_usage] = (struct usage){ .ns = ns };
	return &grown[e->n_usage++];
}

static int read_of(const char *pid, const char *name, char *buf, size_t size)
{
	char path[300];

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	return sv_file_read(path, buf, size, NULL);
}

/* What all threads waited for a processor: the second number of schedstat. */
static int64_t waited_ns(const char *pid)
{
	char path[64], text[128], *at;
	struct dirent *n;
	int64_t sum = 0, v;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%.20s/task", pid);
	d = opendir(path);
	while (d && (n = readdir(d))) {
		snprintf(path, sizeof(path), "%.20s/task/%.20s", pid, n->d_name);
		if (!sv_is_digit(n->d_name[0]) || read_of(path, "schedstat", text, sizeof(text)))
			continue;
		at = strchr(text, ' ');
		if (!at)
			continue;
		at[1 + strcspn(at + 1, " \n")] = '\0';
		if (!sv_parse_int(at + 1, &v))
			sum += v;
	}
	if (d)
		closedir(d);
	return sum;
}

static void add(struct engine *e, const char *name, int64_t pid, uint64_t own)
{
	uint64_t ns = sv_proc_ns((pid_t)pid, "pid");
	struct usage *u = ns && ns != own ? usage_of(e, ns) : NULL;
	char text[4096];
	int64_t v;

	if (!u || read_of(name, "stat", text, sizeof(text)))
		return;
	u->processes++;
	u->ticks += cpu_ticks(text);
	u->waited_ns += waited_ns(name);
	v = read_of(name, "smaps_rollup", text, sizeof(text)) ? -1 : line_value(text, "Pss");
	if (v < 0)
		v = read_of(name, "status", text, sizeof(text)) ? 0 : line_value(text, "RssAnon");
	u->ram += v > 0 ? v * 1024 : 0;
	if (!read_of(name, "io", text, sizeof(text))) {
		u->read += line_value(text, "read_bytes");
		u->written += line_value(text, "write_bytes");
	}
}

static void walk(struct engine *e)
{
	uint64_t own = sv_proc_ns(getpid(), "pid");
	DIR *d = opendir("/proc");
	struct dirent *n;
	int64_t pid;

	e->n_usage = 0;
	e->usage_at_ms = sv_mono_ms();
	while (d && (n = readdir(d)))
		if (!sv_parse_int(n->d_name, &pid) && pid > 0)
			add(e, n->d_name, pid, own);
	if (d)
		closedir(d);
}

int sv_box_metrics(struct engine *e, const char *id, struct engine_metrics *ret)
{
	struct engine_metrics m = ENGINE_UNMEASURED;
	struct box *b = sv_id_valid(id) ? sv_box_find(e, id) : NULL;
	struct usage *u;
	uint64_t ns;
	int64_t ms;

	if (!b || b->pidfd < 0)
		return SV_NOTFOUND;
	if (!e->usage_at_ms || sv_mono_ms() - e->usage_at_ms > FRESH_MS)
		walk(e);
	ns = sv_proc_ns(b->init.pid, "pid");
	u = ns ? usage_of(e, ns) : NULL;
	if (!u || !u->processes) {
		*ret = m;
		return SV_OK;
	}
	ms = e->usage_at_ms - b->cpu_at_ms;
	if (b->cpu_ticks >= 0 && ms > 0 && u->ticks >= b->cpu_ticks)
		m.cpu_percent = (double)(u->ticks - b->cpu_ticks) * 100000.0 /
				(double)sysconf(_SC_CLK_TCK) / (double)ms;
	if (b->cpu_ticks < 0 || ms > 0) {
		b->cpu_ticks = u->ticks;
		b->cpu_at_ms = e->usage_at_ms;
	}
	m.cpu_ms = u->ticks * 1000 / sysconf(_SC_CLK_TCK);
	m.wait_ms = u->waited_ns / 1000000;
	m.ram_bytes = u->ram;
	m.read_bytes = u->read;
	m.write_bytes = u->written;
	m.processes = u->processes;
	*ret = m;
	return SV_OK;
}
