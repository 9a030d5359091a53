/* SPDX-License-Identifier: MIT */
/* Growable bytes. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "starverse/common.h"

void sv_buf_init(struct sv_buf *b, size_t ceiling)
{
	*b = (struct sv_buf){ .ceiling = ceiling };
}

void sv_buf_free(struct sv_buf *b)
{
	sv_mfree(b->data);
	sv_buf_init(b, b->ceiling);
}

void sv_buf_reset(struct sv_buf *b)
{
	b->len = 0;
	b->failed = 0;
	if (b->data)
		b->data[0] = '\0';
}

/* Makes room for len more bytes and the NUL. */
static int reserve(struct sv_buf *b, size_t len)
{
	size_t cap = b->cap ? b->cap : 64;
	char *p;

	if (b->failed || len > b->ceiling - b->len) {
		b->failed = 1;
		return SV_NOMEM;
	}
	if (b->len + len < b->cap)
		return SV_OK;
	while (cap <= b->len + len)
		cap *= 2;
	p = sv_realloc(b->data, cap);
	if (!p) {
		b->failed = 1;
		return SV_NOMEM;
	}
	b->data = p;
	b->cap = cap;
	return SV_OK;
}

int sv_buf_add(struct sv_buf *b, const void *data, size_t len)
{
	if (reserve(b, len))
		return SV_NOMEM;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
	return SV_OK;
}

int sv_buf_str(struct sv_buf *b, const char *s)
{
	return sv_buf_add(b, s, strlen(s));
}

int sv_buf_chr(struct sv_buf *b, char c)
{
	return sv_buf_add(b, &c, 1);
}

int sv_buf_fmt(struct sv_buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n >= 0 && reserve(b, (size_t)n) == SV_OK) {
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
	return b->failed ? SV_NOMEM : SV_OK;
}

int sv_buf_url(struct sv_buf *b, const char *s)
{
	static const char hex[] = "0123456789ABCDEF";
	unsigned char c;

	for (; (c = (unsigned char)*s); s++) {
		if (sv_is_alnum((char)c) || strchr("-._~", c)) {
			sv_buf_chr(b, (char)c);
		} else {
			char code[3] = { '%', hex[c >> 4], hex[c & 15] };

			sv_buf_add(b, code, sizeof(code));
		}
	}
	return b->failed ? SV_NOMEM : SV_OK;
}

static void json_byte(struct sv_buf *b, unsigned char c)
{
	static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf";
	const char *at = c ? strchr(from, c) : NULL;

	if (at) {
		char two[2] = { '\\', to[at - from] };

		sv_buf_add(b, two, 2);
	} else if (c < 0x20 || c == 0x7f) {
		sv_buf_fmt(b, "\\u%04x", c);
	} else {
		sv_buf_chr(b, (char)c);
	}
}

int sv_buf_json(struct sv_buf *b, const char *s, size_t len)
{
	size_t i = 0, run, n;

	sv_buf_chr(b, '"');
	while (i < len) {
		for (run = i; run < len && (unsigned char)s[run] >= 0x20 &&
			      (unsigned char)s[run] < 0x7f && s[run] != '"' && s[run] != '\\';)
			run++;
		sv_buf_add(b, s + i, run - i);
		i = run;
		if (i == len)
			break;
		n = sv_utf8_len(s + i, len - i);
		if (n == 1)
			json_byte(b, (unsigned char)s[i]);
		else if (n > 1)
			sv_buf_add(b, s + i, n);
		else
			sv_buf_str(b, "\xef\xbf\xbd");
		i += n ? n : 1;
	}
	return sv_buf_chr(b, '"');
}

const char *sv_buf_text(const struct sv_buf *b)
{
	return b->data ? b->data : "";
}

char *sv_buf_take(struct sv_buf *b)
{
	char *p;

	if (!b->failed && !b->data)
		sv_buf_add(b, "", 0);
	if (b->failed) {
		sv_buf_free(b);
		return NULL;
	}
	p = b->data;
	b->data = NULL;
	sv_buf_free(b);
	return p;
}
