/* SPDX-License-Identifier: MIT */
/* Heads: proxies and 100-continue send theirs first, the last one counts. */
#include "net/head.h"

#include <string.h>

#define MOST ((size_t)256 << 10)

void sv_head_init(struct sv_head *h)
{
	memset(h, 0, sizeof(*h));
	sv_buf_init(&h->text, MOST);
}

void sv_head_free(struct sv_head *h)
{
	sv_buf_free(&h->text);
}

void sv_head_reset(struct sv_head *h)
{
	sv_buf_reset(&h->text);
	h->n = 0;
}

static void keep(struct sv_head *h, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);

	if (!colon || memchr(line, '\0', len) || h->n == SV_HEAD_LINES)
		return;
	sv_buf_add(&h->text, line, (size_t)(colon - line));
	sv_buf_chr(&h->text, '\0');
	len -= (size_t)(colon + 1 - line);
	for (line = colon + 1; len && (*line == ' ' || *line == '\t'); line++)
		len--;
	sv_buf_add(&h->text, line, len);
	sv_buf_chr(&h->text, '\0');
	h->n += !h->text.failed;
}

/* The text has moved while it grew: only now the pointers hold. */
static void point(struct sv_head *h)
{
	const char *p = h->text.data;

	for (size_t i = 0; i < h->n; i++) {
		h->lines[i].name = p;
		p += strlen(p) + 1;
		h->lines[i].value = p;
		p += strlen(p) + 1;
	}
	h->lines[h->n] = (struct sv_header){ NULL, NULL };
}

int sv_head_take(struct sv_head *h, const char *line, size_t len)
{
	if (len > 5 && !memcmp(line, "HTTP/", 5)) {
		sv_head_reset(h);
		return 0;
	}
	while (len && (line[len - 1] == '\n' || line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	if (len)
		keep(h, line, len);
	else
		point(h);
	return h->text.failed ? -1 : !len;
}
