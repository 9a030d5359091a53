/* SPDX-License-Identifier: MIT */
/* Calls whose answer goes on: events, resumed by Last-Event-ID, and texts, resumed by their offset.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "net/engine.h"
#include "net/sse.h"

#define IDLE_MS 45000 /* the service writes a comment every 15 s */

struct sv_stream {
	sv_op *op;
	sv_record *record;
	void *data;
	struct sv_sse sse;
	struct sv_buf url;
	int64_t offset; /* of the next byte of a text */
	int64_t heard;  /* when something last came */
	int text;
	int stopped;  /* record said so */
	int finished; /* the service said so */
	int too_large;
	int got; /* anything in this connection */
};

static int on_record(void *arg, const char *id, const char *type, const char *text, size_t len)
{
	struct sv_stream *s = arg;

	if (!strcmp(type, "end")) {
		s->finished = 1;
		return 1;
	}
	s->stopped = s->record(s->data, id, type, text, len) != 0;
	return s->stopped;
}

/* The offset that the caller asked for. */
static int64_t first_offset(const char *url)
{
	const char *p = strchr(url, '?');
	char digits[24];
	int64_t v = 0;

	while (p && *p) {
		p++;
		if (!strncmp(p, "offset=", 7)) {
			snprintf(digits, sizeof(digits), "%.*s", (int)strcspn(p + 7, "&"), p + 7);
			return sv_parse_int(digits, &v) || v < 0 ? 0 : v;
		}
		p = strchr(p, '&');
	}
	return 0;
}

int sv_stream_new(sv_op *op, sv_record *record, void *data)
{
	struct sv_stream *s = sv_malloc(sizeof(*s));

	if (!s)
		return SV_NOMEM;
	memset(s, 0, sizeof(*s));
	s->op = op;
	s->record = record;
	s->data = data;
	s->text = (op->request.verb->flags & SV_TEXT) != 0;
	s->offset = first_offset(op->request.url);
	sv_sse_init(&s->sse, on_record, s);
	sv_buf_init(&s->url, SV_MAX_URL + 32);
	if (!s->text)
		op->request.accept = "text/event-stream";
	op->stream = s;
	return SV_OK;
}

void sv_stream_free(struct sv_stream *s)
{
	if (!s)
		return;
	sv_sse_free(&s->sse);
	sv_buf_free(&s->url);
	sv_mfree(s);
}

static int sink(struct sv_xfer *x, const char *data, size_t len)
{
	sv_op *op = x->data;
	struct sv_stream *s = op->stream;
	int r;

	s->heard = op->client->clock();
	s->got = 1;
	if (s->text) {
		s->offset += (int64_t)len;
		s->stopped = s->record(s->data, NULL, NULL, data, len) != 0;
		return s->stopped ? -1 : 0;
	}
	r = sv_sse_feed(&s->sse, data, len);
	s->too_large = r == SV_NOMEM && !s->stopped && !s->finished;
	return r ? -1 : 0;
}

/* The same URL with the offset reached. */
static const char *resumed(struct sv_stream *s)
{
	const char *url = s->op->request.url;
	size_t n = strcspn(url, "?");
	char mark = '?';

	sv_buf_reset(&s->url);
	sv_buf_add(&s->url, url, n);
	for (url += n; *url; url += n) {
		n = 1 + strcspn(url + 1, "&");
		if (!strncmp(url + 1, "offset=", 7))
			continue;
		sv_buf_chr(&s->url, mark);
		sv_buf_add(&s->url, url + 1, n - 1);
		mark = '&';
	}
	sv_buf_fmt(&s->url, "%coffset=%lld", mark, (long long)s->offset);
	return s->url.failed ? s->op->request.url : s->url.data;
}

void sv_stream_send(sv_op *op)
{
	struct sv_stream *s = op->stream;

	s->heard = op->client->clock();
	s->got = 0;
	op->x.sink = sink;
	op->x.timeout_ms = 0;
	if (s->text && s->offset)
		op->x.url = resumed(s);
	if (s->text)
		return;
	sv_sse_reset(&s->sse);
	if (*s->sse.id)
		sv_request_header(&op->request, "Last-Event-ID", s->sse.id);
}

static int wrong_type(const sv_op *op)
{
	const char *type = sv_reply_header(&op->x, "Content-Type");

	return !op->stream->text && op->x.status != 204 && type &&
	       !strstr(type, "text/event-stream");
}

static void lost(sv_op *op)
{
	struct sv_stream *s = op->stream;

	/* A connection that gave something was a good one: counting begins anew. */
	if (s->got)
		op->attempt = 1;
	sv_reply_read(op);
	sv_op_failed(op);
	if (op->state != SV_OP_WAIT)
		sv_op_drop(op);
}

void sv_stream_arrived(sv_op *op)
{
	struct sv_stream *s = op->stream;
	const struct sv_xfer *x = &op->x;
	int ok = x->result == SV_OK && x->status >= 200 && x->status < 300;

	if (s->too_large) {
		sv_err(&op->err, SV_PROTO, "%s: a record is larger than %zu bytes",
			op->client->endpoint.shown, SV_MAX_RECORD);
		sv_op_end(op, SV_OP_FAILED);
	} else if (s->stopped || s->finished || (ok && (s->text || x->status == 204))) {
		sv_err_clear(&op->err);
		sv_op_end(op, SV_OP_DECODED);
	} else if (ok && wrong_type(op)) {
		sv_err(&op->err, SV_PROTO, "%s: the answer is not an event stream",
			op->client->endpoint.shown);
		sv_op_end(op, SV_OP_FAILED);
	} else {
		if (ok) {
			op->x.result = SV_NET;
			op->x.sent = 1;
			snprintf(op->x.message, sizeof(op->x.message), "the event stream ended");
		}
		lost(op);
		return;
	}
	sv_op_drop(op);
}

int64_t sv_stream_due(const sv_op *op)
{
	return op->stream->text ? INT64_MAX : op->stream->heard + IDLE_MS;
}

void sv_stream_idle(sv_op *op)
{
	struct sv_transport *t = op->client->transport;

	t->ops->cancel(t, &op->x);
	op->x.reply = NULL;
	op->x.reply_headers = NULL;
	op->x.result = SV_NET;
	op->x.sent = 1;
	snprintf(op->x.message, sizeof(op->x.message), "nothing came for %d s", IDLE_MS / 1000);
	lost(op);
}
