/* SPDX-License-Identifier: MIT */
/* Buffered output that keeps the reason of a failure. */
#include "sink.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

void sink_init(struct sink *s, int fd)
{
	s->fd = fd;
	s->error = 0;
	s->n = 0;
}

static void put(struct sink *s, const char *p, size_t n)
{
	while (n && !s->error) {
		ssize_t k = write(s->fd, p, n);

		if (k >= 0) {
			p += k;
			n -= (size_t)k;
		} else if (errno == EAGAIN) {
			struct pollfd f = { .fd = s->fd, .events = POLLOUT };

			poll(&f, 1, -1);
		} else if (errno != EINTR) {
			s->error = errno;
		}
	}
}

int sink_flush(struct sink *s)
{
	put(s, s->buf, s->n);
	s->n = 0;
	return s->error;
}

void sink_end(struct sink *s)
{
	mem_free(s->buf);
	s->buf = NULL;
}

void sink_add(struct sink *s, const void *p, size_t n)
{
	if (!s->buf)
		s->buf = mem_grow(NULL, SINK_SIZE, 1);
	if (n > SINK_SIZE - s->n)
		sink_flush(s);
	if (n >= SINK_SIZE) {
		put(s, p, n);
		return;
	}
	memcpy(s->buf + s->n, p, n);
	s->n += n;
}

void sink_str(struct sink *s, const char *str)
{
	sink_add(s, str, strlen(str));
}

void sink_chr(struct sink *s, char c)
{
	sink_add(s, &c, 1);
}

void sink_pad(struct sink *s, size_t n)
{
	static const char blanks[] = "                                ";

	for (size_t k; n; n -= k) {
		k = n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1;
		sink_add(s, blanks, k);
	}
}

void sink_fmt(struct sink *s, const char *fmt, ...)
{
	struct text t = { 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vfmt(&t, fmt, ap);
	va_end(ap);
	sink_add(s, text_of(&t), t.n);
	text_free(&t);
}
