/* SPDX-License-Identifier: MIT */
/* A descriptor written through a buffer. Unlike stdio it knows, at the end, what went wrong. */
#ifndef SVCTL_SINK_H
#define SVCTL_SINK_H

#include <stddef.h>

#define SINK_SIZE 65536

struct sink {
	int fd;
	int error; /* errno of the first write that failed; what follows is dropped */
	size_t n;
	char *buf; /* made by the first byte, and not zeroed: what is not used costs nothing */
};

void sink_init(struct sink *s, int fd);
void sink_add(struct sink *s, const void *p, size_t n);
void sink_str(struct sink *s, const char *str);
void sink_chr(struct sink *s, char c);
void sink_pad(struct sink *s, size_t n);
void sink_fmt(struct sink *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 0, or the errno of the first write that failed. */
int sink_flush(struct sink *s);
void sink_end(struct sink *s);

#endif
