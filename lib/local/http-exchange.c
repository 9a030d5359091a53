/* SPDX-License-Identifier: MIT */
/* One request and its answer, as MHD calls for it. A request is suspended until its turn is
 * committed. A suspended connection leaves MHD's epoll and would not see its peer's close: its
 * descriptor is watched in ours. */
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/time.h"
#include "local/http-inside.h"
#include "local/stream.h"

#define STREAM_CEILING ((size_t)8 << 20)

static void watch(struct exchange *x)
{
	struct epoll_event ev = { .events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = x };

	if (!x->watched && x->c->fd >= 0)
		x->watched = !epoll_ctl(x->h->ep, EPOLL_CTL_ADD, x->c->fd, &ev);
}

static void unwatch(struct exchange *x)
{
	if (x->watched)
		epoll_ctl(x->h->ep, EPOLL_CTL_DEL, x->c->fd, NULL);
	x->watched = 0;
}

static void suspend(struct exchange *x, enum state state)
{
	x->state = state;
	MHD_suspend_connection(x->mhd);
}

void exchange_resume(struct exchange *x)
{
	unwatch(x);
	MHD_resume_connection(x->mhd);
	x->h->more = 1;
}

void *exchange_begin(void *cls, const char *uri, struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct exchange *x = sv_malloc(sizeof(*x));

	if (!x || !info || !info->socket_context) {
		sv_mfree(x);
		return NULL;
	}
	memset(x, 0, sizeof(*x));
	x->source = SOURCE_EXCHANGE;
	x->h = cls;
	x->mhd = mhd;
	x->c = info->socket_context;
	x->uri = sv_xstrdup(uri);
	sv_buf_init(&x->body, SV_MAX_BODY);
	sv_buf_init(&x->out, STREAM_CEILING);
	sv_buf_init(&x->rp.body, SV_MAX_REPLY);
	return x;
}

void exchange_completed(
	void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code)
{
	struct exchange *x = *context, **at;
	struct http *h = cls;

	(void)mhd;
	(void)code;
	if (!x)
		return;
	for (at = &h->committing; *at && *at != x; at = &(*at)->next)
		;
	if (*at)
		*at = x->next;
	unwatch(x);
	feed_leave(h->p->feed, &x->waiter);
	if (x->handled)
		h->busy--;
	x->c->busy = 0;
	x->c->since = sv_mono_ms();
	reply_free(&x->rp);
	sv_buf_free(&x->body);
	sv_buf_free(&x->out);
	sv_mfree(x->uri);
	sv_mfree(x);
	*context = NULL;
}

static const char *header(struct exchange *x, const char *name)
{
	return MHD_lookup_connection_value(x->mhd, MHD_HEADER_KIND, name);
}

static void request_of(struct exchange *x, const char *method)
{
	char *query = strchr(x->uri, '?');

	if (query)
		*query++ = '\0';
	x->rq = (struct request){ .method = method,
		.path = x->uri,
		.query = query ? query : "",
		.body = sv_buf_text(&x->body),
		.body_len = x->body.len,
		.authorization = header(x, "Authorization"),
		.idempotency_key = header(x, "Idempotency-Key"),
		.last_event_id = header(x, "Last-Event-ID"),
		.content_type = header(x, "Content-Type"),
		.accept = header(x, "Accept"),
		.host = header(x, "Host"),
		.origin = header(x, "Origin") };
	x->rq.trusted = x->c->listener->unix_socket && !x->c->foreign && !*x->c->listener->instance;
	x->rq.instance = *x->c->listener->instance ? x->c->listener->instance : NULL;
}

static ssize_t stream_more(void *cls, uint64_t pos, char *buf, size_t most)
{
	struct exchange *x = cls;
	struct stream *s = x->rp.stream;
	uint64_t mark = feed_mark(x->h->p->feed);
	int rc = SV_OK, open = store_is_open(x->h->p->store);
	size_t n;

	(void)pos;
	if (x->state == GONE)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (x->out_at == x->out.len) {
		sv_buf_reset(&x->out);
		x->out_at = 0;
		/* What is not committed yet must not be told. */
		rc = open ? SV_OK : s->read(s, &x->out);
	}
	if (rc < 0)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	n = x->out.len - x->out_at;
	if (n) {
		n = n < most ? n : most;
		memcpy(buf, x->out.data + x->out_at, n);
		x->out_at += n;
		return (ssize_t)n;
	}
	if (rc == STREAM_END)
		return MHD_CONTENT_READER_END_OF_STREAM;
	snprintf(x->waiter.id, sizeof(x->waiter.id), "%s", s->wait_id);
	x->waiter.until_ms = sv_mono_ms() + (open ? 0 : s->poll_ms);
	x->waiter.batch = s->batch;
	x->waiter.owner = x;
	suspend(x, STREAMING);
	watch(x);
	feed_wait(x->h->p->feed, &x->waiter, mark);
	return 0;
}

static struct MHD_Response *response_of(struct exchange *x)
{
	if (x->rp.kind == REPLY_STREAM)
		return MHD_create_response_from_callback(
			MHD_SIZE_UNKNOWN, 16384, stream_more, x, NULL);
	return MHD_create_response_from_buffer(x->rp.body.len,
		x->rp.body.data ? x->rp.body.data : (void *)"", MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result respond(struct exchange *x)
{
	struct MHD_Response *r;
	enum MHD_Result rc;
	char text[24];

	if (!x->rp.status)
		return MHD_NO;
	r = response_of(x);
	if (!r)
		return MHD_NO;
	/* An empty text is a text, too. */
	if (x->rp.body.len || x->rp.kind == REPLY_STREAM ||
		!strncmp(x->rp.content_type, "text/", 5))
		MHD_add_response_header(r, "Content-Type", x->rp.content_type);
	MHD_add_response_header(r, "X-Request-Id", x->rq.request_id);
	MHD_add_response_header(r, "Cache-Control", "no-store");
	if (x->rp.replayed)
		MHD_add_response_header(r, "Idempotency-Replayed", "true");
	if (x->rp.retry_after >= 0) {
		snprintf(text, sizeof(text), "%lld", (long long)x->rp.retry_after);
		MHD_add_response_header(r, "Retry-After", text);
	}
	if (x->rp.status == 401)
		MHD_add_response_header(r, "WWW-Authenticate", "Bearer");
	if (x->h->quiet)
		MHD_add_response_header(r, "Connection", "close");
	x->state = ANSWERED;
	rc = MHD_queue_response(x->mhd, (unsigned)x->rp.status, r);
	MHD_destroy_response(r);
	return rc;
}

static enum MHD_Result refuse(struct exchange *x, int code, int status, const char *what)
{
	struct sv_error err;

	sv_err(&err, code, "%s", what);
	err.http_status = status;
	x->rp.retry_after = -1;
	if (!*x->rq.request_id)
		snprintf(x->rq.request_id, sizeof(x->rq.request_id), "req_%p", (void *)x);
	reply_problem(&x->rp, &err, &x->rq);
	return respond(x);
}

/* Asks the platform, for the first time or again. */
static enum MHD_Result ask(struct exchange *x)
{
	struct platform *p = x->h->p;
	uint64_t mark = feed_mark(p->feed);
	struct sv_error err;

	if (!x->rq.trusted && !x->rq.instance && gate_check(&x->c->listener->gate, &x->rq, &err))
		return refuse(x, err.code, 0, err.message);
	reply_free(&x->rp);
	platform_handle(p, &x->rq, &x->rp);
	if (x->rp.kind == REPLY_WAIT) {
		snprintf(x->waiter.id, sizeof(x->waiter.id), "%s", x->rp.wait_id);
		x->waiter.until_ms = x->rp.wait_until_ms;
		x->waiter.batch = 0;
		x->waiter.owner = x;
		suspend(x, WAITING);
		watch(x);
		feed_wait(p->feed, &x->waiter, mark);
		return MHD_YES;
	}
	if (!store_is_open(p->store))
		return respond(x);
	x->undone = p->undone;
	x->next = x->h->committing;
	x->h->committing = x;
	suspend(x, COMMITTING);
	return MHD_YES;
}

static enum MHD_Result first(struct exchange *x, const char *method)
{
	x->handled = 1;
	x->h->busy++;
	x->c->busy = 1;
	request_of(x, method);
	if (x->c->foreign)
		return refuse(x, SV_DENIED, 403, "the socket belongs to another user");
	if (x->too_large)
		return refuse(x, SV_INVALID, 413, "the body is larger than the platform takes");
	return ask(x);
}

static enum MHD_Result again(struct exchange *x)
{
	switch (x->state) {
	case READING:
	case STREAMING: /* only the stream's reader is called again */
	case ANSWERED: return MHD_YES;
	case GONE: return MHD_NO;
	case COMMITTING:
		if (x->undone != x->h->p->undone)
			return refuse(x, SV_SERVER, 503,
				"the change could not be written; nothing was done");
		return respond(x);
	case WAITING: break;
	}
	x->rq.wait_until_ms = x->rp.wait_until_ms;
	return ask(x);
}

enum MHD_Result exchange_serve(void *cls, struct MHD_Connection *mhd, const char *url,
	const char *method, const char *version, const char *upload, size_t *upload_size,
	void **context)
{
	struct exchange *x = *context;
	const char *length;

	(void)cls;
	(void)mhd;
	(void)url;
	(void)version;
	if (!x || !x->uri)
		return MHD_NO;
	if (x->handled)
		return again(x);
	if (*upload_size) {
		if (x->too_large || sv_buf_add(&x->body, upload, *upload_size)) {
			x->too_large = 1;
			sv_buf_free(&x->body);
		}
		*upload_size = 0;
		return MHD_YES;
	}
	if (x->rq.method)
		return first(x, method);
	/* The headers alone: a body that says it is too long need not come. */
	x->rq.method = method;
	length = header(x, "Content-Length");
	if (length && strlen(length) > 7)
		x->too_large = 1;
	return x->too_large ? first(x, method) : MHD_YES;
}
