/* SPDX-License-Identifier: MIT */
/* The head of an answer, line by line. */
#ifndef SV_NET_HEAD_H
#define SV_NET_HEAD_H

#include <starverse/transport.h>

#include "base/buf.h"

#define SV_HEAD_LINES 200

struct sv_head {
	struct sv_buf text; /* "name\0value\0" one after the other */
	size_t n;
	struct sv_header lines[SV_HEAD_LINES + 1];
};

void sv_head_init(struct sv_head *h);
void sv_head_free(struct sv_head *h);
/* Takes a line as it came. 1: the head is whole, lines[] is set; 0: go on; -1: it is too large. */
int sv_head_take(struct sv_head *h, const char *line, size_t len);
void sv_head_reset(struct sv_head *h);

#endif
