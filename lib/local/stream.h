/* SPDX-License-Identifier: MIT */
/* An answer that grows: events as server-sent records, a log as it is written. */
#ifndef SV_LOCAL_STREAM_H
#define SV_LOCAL_STREAM_H

#include "local/platform.h"

struct stream {
	/* Appends what there is (perhaps nothing). SV_OK, or STREAM_END when nothing will follow,
	 * or a negative code. */
	int (*read)(struct stream *s, struct sv_buf *out);
	void (*free)(struct stream *s);
	struct platform *p;
	char wait_id[64]; /* ask again when this is woken */
	int poll_ms;      /* or after so many milliseconds */
	int batch;        /* a follower among many: see struct waiter */
};

enum { STREAM_END = 1 };

void stream_free(struct stream *s); /* NULL is allowed */
/* Events of an account after a sequence number. */
int stream_events(struct platform *p, const char *account, int64_t after, struct stream **ret);
/* A file from an offset; ends when writes says that its owner writes nothing more. */
int stream_file(struct platform *p, const char *path, int64_t offset, const char *id,
	int (*writes)(struct platform *p, const char *id), struct stream **ret);

#endif
