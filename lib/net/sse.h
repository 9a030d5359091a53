/* SPDX-License-Identifier: MIT */
/* text/event-stream, as its standard has it: bytes in any pieces -> records. */
#ifndef SV_NET_SSE_H
#define SV_NET_SSE_H

#include "base/buf.h"

struct sv_sse {
	struct sv_buf line, data;
	char id[256]; /* of the last record that was given; for Last-Event-ID */
	char coming[256];
	char type[64];
	int after_cr, begun;
	/* Non-zero ends the stream. */
	int (*record)(void *arg, const char *id, const char *type, const char *text, size_t len);
	void *arg;
};

void sv_sse_init(struct sv_sse *s,
	int (*record)(void *, const char *, const char *, const char *, size_t), void *arg);
/* A new connection: what was half read is dropped, the id stays. */
void sv_sse_reset(struct sv_sse *s);
void sv_sse_free(struct sv_sse *s);
/* 0, what record gave, or SV_NOMEM when a record is over its ceiling. */
int sv_sse_feed(struct sv_sse *s, const char *data, size_t len);

#endif
