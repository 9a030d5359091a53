/* SPDX-License-Identifier: MIT */
/* The event stream's parser. */
#include "net/sse.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "starverse/common.h"

void sv_sse_init(struct sv_sse *s,
	int (*record)(void *, const char *, const char *, const char *, size_t), void *arg)
{
	*s = (struct sv_sse){ .record = record, .arg = arg };
	sv_buf_init(&s->line, SV_MAX_RECORD);
	sv_buf_init(&s->data, SV_MAX_RECORD);
}

void sv_sse_reset(struct sv_sse *s)
{
	sv_buf_reset(&s->line);
	sv_buf_reset(&s->data);
	s->type[0] = '\0';
	snprintf(s->coming, sizeof(s->coming), "%s", s->id);
	s->after_cr = 0;
	s->begun = 0;
}

void sv_sse_free(struct sv_sse *s)
{
	sv_buf_free(&s->line);
	sv_buf_free(&s->data);
}

static int dispatch(struct sv_sse *s)
{
	int r = 0;

	memcpy(s->id, s->coming, sizeof(s->id));
	if (s->data.len) {
		/* The last of the line ends that joined the data lines is not part of it. */
		s->data.data[--s->data.len] = '\0';
		r = s->record(s->arg, *s->id ? s->id : NULL, *s->type ? s->type : "message",
			s->data.data, s->data.len);
	}
	sv_buf_reset(&s->data);
	s->type[0] = '\0';
	return r;
}

static void field(struct sv_sse *s, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	size_t name = colon ? (size_t)(colon - line) : len;
	const char *value = colon ? colon + 1 : line + len;
	size_t n = len - (size_t)(value - line);

	if (n && *value == ' ') {
		value++;
		n--;
	}
	if (name == 4 && !memcmp(line, "data", 4)) {
		sv_buf_add(&s->data, value, n);
		sv_buf_chr(&s->data, '\n');
	} else if (name == 5 && !memcmp(line, "event", 5)) {
		snprintf(s->type, sizeof(s->type), "%.*s", (int)(n < 64 ? n : 64), value);
	} else if (name == 2 && !memcmp(line, "id", 2) && !memchr(value, '\0', n) &&
		   n < sizeof(s->coming)) {
		memcpy(s->coming, value, n);
		s->coming[n] = '\0';
	}
}

static int take_line(struct sv_sse *s)
{
	const char *line = sv_buf_text(&s->line);
	size_t len = s->line.len;
	int r = 0;

	if (!s->begun && len >= 3 && !memcmp(line, "\xef\xbb\xbf", 3)) {
		line += 3;
		len -= 3;
	}
	s->begun = 1;
	if (!len)
		r = dispatch(s);
	else if (*line != ':')
		field(s, line, len);
	sv_buf_reset(&s->line);
	return r ? r : s->data.failed ? SV_NOMEM : 0;
}

int sv_sse_feed(struct sv_sse *s, const char *data, size_t len)
{
	int r = 0;

	while (len && !r) {
		size_t n = 0;

		if (s->after_cr && *data == '\n') {
			data++;
			len--;
		}
		s->after_cr = 0;
		while (n < len && data[n] != '\n' && data[n] != '\r')
			n++;
		if (sv_buf_add(&s->line, data, n))
			return SV_NOMEM;
		if (n < len) {
			s->after_cr = data[n] == '\r';
			r = take_line(s);
			n++;
		}
		data += n;
		len -= n;
	}
	return r;
}
