/* SPDX-License-Identifier: MIT */
/* What a task uses, from /proc inside, and the lines of its metrics.jsonl, passed on to a file that
 * outlives the instance. */
#include "sandbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/str.h>
#include <starverse/common.h>

#define TURN_MOST ((size_t)1 << 20)   /* passed on at one look, so that others have a turn */
#define END_MOST  ((size_t)256 << 20) /* and when the task has ended */

/* Field 6 of stat. */
static int64_t session_of(const char *pid)
{
	char path[300], buf[1024], *p;
	int64_t v = -1;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	if (sv_file_read(path, buf, sizeof(buf), NULL) || !(p = strrchr(buf, ')')))
		return -1;
	for (int field = 2; field < 6 && p; field++)
		p = strchr(p + 1, ' ');
	if (!p)
		return -1;
	p[1 + strcspn(p + 1, " ")] = '\0';
	return sv_parse_int(p + 1, &v) ? -1 : v;
}

/* Its share of what it has in memory, in bytes. */
static int64_t memory_of(const char *pid)
{
	char path[300], buf[4096], *p;
	int64_t kib = 0;

	snprintf(path, sizeof(path), "/proc/%s/smaps_rollup", pid);
	if (sv_file_read(path, buf, sizeof(buf), NULL) || !(p = strstr(buf, "\nPss:")))
		return 0;
	for (p += 5; *p == ' '; p++)
		;
	for (; sv_is_digit(*p); p++)
		kib = kib * 10 + (*p - '0');
	return kib * 1024;
}

void sv_task_memory(struct task_look *l)
{
	DIR *d = opendir("/proc");
	struct dirent *n;
	int64_t sum = 0;

	while (d && (n = readdir(d)))
		if (sv_is_digit(n->d_name[0]) && session_of(n->d_name) == l->session)
			sum += memory_of(n->d_name);
	if (d)
		closedir(d);
	if (sum && sum > l->peak)
		l->peak = sum;
}

/* A plain file only: a task may put anything there. */
static int open_lines(const struct task_look *l, struct stat *st)
{
	int fd = open(l->file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* What an earlier run has left there is not this one's. */
void sv_task_lines_begin(struct task_look *l)
{
	struct stat st;
	int fd = open_lines(l, &st);

	if (fd < 0)
		return;
	l->inode = st.st_ino;
	l->offset = st.st_size;
	close(fd);
}

/* How much of it are whole lines; a line that is longer than all of it goes in parts. */
static size_t whole(const char *buf, size_t n, size_t size)
{
	const char *nl = memrchr(buf, '\n', n);

	return nl ? (size_t)(nl + 1 - buf) : n == size ? n : 0;
}

void sv_task_lines(struct task_look *l, int to, int64_t most, int all)
{
	size_t done = 0, limit = all ? END_MOST : TURN_MOST;
	char buf[16384];
	struct stat st;
	ssize_t n;
	int fd = open_lines(l, &st);

	if (fd < 0)
		return;
	if (st.st_ino != l->inode || st.st_size < l->offset) {
		l->inode = st.st_ino;
		l->offset = 0;
	}
	while (done < limit && sv_task_room(to, most) &&
		(n = pread(fd, buf, sizeof(buf), l->offset)) > 0) {
		size_t len = all ? (size_t)n : whole(buf, (size_t)n, sizeof(buf));

		/* A part is gone on from, not written again. */
		n = len ? write(to, buf, len) : 0;
		if (n <= 0)
			break;
		l->offset += n;
		done += (size_t)n;
	}
	close(fd);
}
