/* SPDX-License-Identifier: MIT */
/* What a task or a start-up command says, from its pipe into its log, up to a ceiling. Behind that
 * only the measurements of a task go on, into the file of those. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/file.h>

#define PIPE_SIZE  (1 << 20) /* so much may be said while something else is looked at */
#define TURN_READS 64        /* so that the rest is looked at, too */
#define MARK       "::metric "

int sv_task_log_open(struct task_log *l, int log, int metrics, int64_t most)
{
	struct stat st;
	int ends[2];

	if (fstat(log, &st) || pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[0], F_SETPIPE_SZ, PIPE_SIZE);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*l = (struct task_log){ .from = ends[0],
		.said = ends[1],
		.to = log,
		.metrics = metrics,
		.size = st.st_size,
		.most = most };
	return 0;
}

int sv_task_room(int fd, int64_t most)
{
	struct stat st;

	/* What was read and is not needed any more takes no blocks. */
	return !most || (!fstat(fd, &st) && (int64_t)st.st_blocks * 512 < most);
}

static void keep(struct task_log *l, const char *data, size_t len)
{
	static const char lost[] = "[output is missing here: it could not be written]\n";

	if (l->lost && !sv_write_all(l->to, lost, sizeof(lost) - 1))
		l->lost = 0;
	if (l->lost || sv_write_all(l->to, data, len))
		l->lost = 1;
	l->size += (int64_t)len;
}

/* It ends with a whole line where it can; what was cut in a line is no measurement any more, since
 * this stands on it. */
static size_t end(struct task_log *l, const char *data)
{
	size_t room = l->most > l->size ? (size_t)(l->most - l->size) : 0;
	const char *nl = memrchr(data, '\n', room);
	size_t len = nl ? (size_t)(nl + 1 - data) : room;
	char line[200];
	int n = snprintf(line, sizeof(line),
		"[truncated: the log has reached its %lld bytes; the %s]\n", (long long)l->most,
		l->metrics < 0 ? "command goes on" : "job and its measurements go on");

	keep(l, data, len);
	keep(l, line, (size_t)n);
	l->full = 1;
	l->skip = !nl;
	return len;
}

/* Passes on the lines that measure something. */
static void measure(struct task_log *l, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (l->n < sizeof(l->line))
			l->line[l->n++] = data[i];
		else
			l->skip = 1; /* longer ones measure nothing */
		if (data[i] != '\n')
			continue;
		if (!l->skip && l->n > sizeof(MARK) && !memcmp(l->line, MARK, sizeof(MARK) - 1) &&
			sv_task_room(l->metrics, l->most))
			sv_write_all(l->metrics, l->line, l->n);
		l->n = 0;
		l->skip = 0;
	}
}

static void take(struct task_log *l, const char *data, size_t len)
{
	size_t done = 0;

	if (!l->full && (!l->most || l->size + (int64_t)len <= l->most)) {
		keep(l, data, len);
		return;
	}
	if (!l->full)
		done = end(l, data);
	measure(l, data + done, len - done);
}

void sv_task_log_turn(struct task_log *l)
{
	char buf[16384];

	for (int i = 0; i < TURN_READS && !l->over; i++) {
		ssize_t n = read(l->from, buf, sizeof(buf));

		if (n > 0)
			take(l, buf, (size_t)n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			l->over = 1;
		else if (errno == EAGAIN)
			return;
	}
}

void sv_task_log_rest(struct task_log *l)
{
	struct pollfd p = { .fd = l->from, .events = POLLIN };

	sv_task_log_turn(l);
	if (l->over || fork())
		return;
	while (!l->over) {
		poll(&p, 1, -1);
		sv_task_log_turn(l);
	}
	_exit(0);
}
