/* SPDX-License-Identifier: MIT */
/* The only file that knows libmicrohttpd. It polls from outside, in the daemon's one thread:
 * another thread would make unshare() and setns() fail. Connections are accepted here, so that any
 * number of sockets share one MHD daemon. A request is suspended until its turn is committed; a
 * suspended connection leaves MHD's epoll and would not see its peer's close, so its descriptor is
 * watched in ours. */
#include "local/http.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/time.h"
#include "local/feed.h"
#include "local/stream.h"

#define IDLE_MS        60000 /* a connection that has brought no whole request for so long is closed */
#define SWEEP_MS       1000
#define N_EVENTS       256
#define ACCEPT_MAX     256 /* in one turn */
#define STREAM_CEILING ((size_t)8 << 20)

/* First member of what hangs on our epoll. */
enum source { SOURCE_MHD, SOURCE_LISTENER, SOURCE_EXCHANGE };

struct listener {
	enum source source;
	int fd, tls, unix_socket;
	struct gate gate;
	char instance[64];
	size_t connections;
	int closed; /* freed when its last connection is gone */
	struct listener *next;
};

struct connection {
	struct listener *listener;
	int fd;
	int foreign;   /* the peer is another user */
	int64_t since; /* of the last whole request, or of the connection */
	int busy;      /* a request is being handled */
	struct connection *next, *prev;
};

enum state { READING, COMMITTING, WAITING, STREAMING, ANSWERED, GONE };

/* One request and its answer. */
struct exchange {
	enum source source;
	struct http *h;
	struct MHD_Connection *mhd;
	struct connection *c;
	enum state state;
	struct request rq;
	struct reply rp;
	char *uri;
	struct sv_buf body;
	int too_large, handled, watched;
	unsigned undone;
	struct waiter waiter;
	struct sv_buf out; /* of the stream */
	size_t out_at;
	struct exchange *next; /* in the list of those that wait for the commit */
};

struct http {
	enum source source;
	struct platform *p;
	struct MHD_Daemon *plain, *tls;
	int ep;
	size_t n_connections, most, busy;
	struct listener *listeners, *accepting;
	struct connection *connections;
	struct exchange *committing;
	int full, quiet, more;
	int64_t sweep_at;
};

/* --- connections
 * ---------------------------------------------------------------------------------------------- */

static void listeners_watch(struct http *h, int on)
{
	for (struct listener *l = h->listeners; l; l = l->next) {
		struct epoll_event ev = { .events = on ? EPOLLIN : 0, .data.ptr = l };

		if (l->fd >= 0)
			epoll_ctl(h->ep, EPOLL_CTL_MOD, l->fd, &ev);
	}
	h->full = !on;
}

static void listener_free(struct http *h, struct listener *l)
{
	struct listener **at;

	for (at = &h->listeners; *at && *at != l; at = &(*at)->next)
		;
	if (*at)
		*at = l->next;
	sv_mfree(l);
}

static void connected(struct http *h, struct MHD_Connection *mhd, void **context)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct connection *c = sv_malloc(sizeof(*c));
	struct ucred peer;
	socklen_t len = sizeof(peer);

	*context = c;
	if (!c)
		return;
	memset(c, 0, sizeof(*c));
	c->listener = h->accepting;
	c->fd = info ? info->connect_fd : -1;
	c->since = sv_mono_ms();
	/* Inside an instance the peer is whoever its user namespace makes of it; there the token
	 * decides. */
	if (c->listener->unix_socket && !*c->listener->instance)
		c->foreign = getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) ||
			     (peer.uid != geteuid() && peer.uid != 0);
	c->listener->connections++;
	c->next = h->connections;
	if (c->next)
		c->next->prev = c;
	h->connections = c;
	h->n_connections++;
}

static void disconnected(struct http *h, struct connection *c)
{
	if (!c)
		return;
	if (c->next)
		c->next->prev = c->prev;
	*(c->prev ? &c->prev->next : &h->connections) = c->next;
	h->n_connections--;
	if (!--c->listener->connections && c->listener->closed)
		listener_free(h, c->listener);
	sv_mfree(c);
	if (h->full && !h->quiet && h->n_connections < h->most)
		listeners_watch(h, 1);
}

static void notify_connection(void *cls, struct MHD_Connection *mhd, void **context,
	enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		connected(cls, mhd, context);
	else
		disconnected(cls, *context);
}

static void accept_some(struct http *h, struct listener *l)
{
	for (int i = 0; i < ACCEPT_MAX; i++) {
		struct sockaddr_storage addr;
		socklen_t len = sizeof(addr);
		int fd;

		if (h->n_connections >= h->most) {
			listeners_watch(h, 0);
			return;
		}
		fd = accept4(l->fd, (struct sockaddr *)&addr, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0) {
			/* Out of descriptors: the backlog keeps them until one is closed. */
			if (errno == EMFILE || errno == ENFILE)
				listeners_watch(h, 0);
			return;
		}
		h->accepting = l;
		if (len < sizeof(sa_family_t) + 1)
			addr.ss_family = AF_UNIX;
		MHD_add_connection(l->tls ? h->tls : h->plain, fd, (struct sockaddr *)&addr, len);
		h->accepting = NULL;
	}
}

/* Slow senders and idle ones; those whose request is being handled are ours to wait for. */
static void sweep(struct http *h, int64_t now)
{
	if (now < h->sweep_at)
		return;
	h->sweep_at = now + SWEEP_MS;
	for (struct connection *c = h->connections; c; c = c->next)
		if (!c->busy && now - c->since > IDLE_MS)
			shutdown(c->fd, SHUT_RDWR);
	if (h->full && !h->quiet && h->n_connections < h->most)
		listeners_watch(h, 1);
}

/* --- exchanges
 * ------------------------------------------------------------------------------------------------
 */

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

static void resume(struct exchange *x)
{
	unwatch(x);
	MHD_resume_connection(x->mhd);
	x->h->more = 1;
}

static void *begin(void *cls, const char *uri, struct MHD_Connection *mhd)
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

static void completed(
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
	if (x->rp.body.len || x->rp.kind == REPLY_STREAM)
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

static enum MHD_Result serve(void *cls, struct MHD_Connection *mhd, const char *url,
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

/* --- the loop's side
 * ------------------------------------------------------------------------------------------ */

static void add_daemon(struct http *h, struct MHD_Daemon *d)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_EPOLL_FD);
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = h };

	epoll_ctl(h->ep, EPOLL_CTL_ADD, info->epoll_fd, &ev);
}

static struct MHD_Daemon *start(struct http *h, const char *cert, const char *key)
{
	struct MHD_OptionItem tls[] = { { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key },
		{ MHD_OPTION_END, 0, NULL } };
	struct MHD_OptionItem none[] = { { MHD_OPTION_END, 0, NULL } };
	unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;

	return MHD_start_daemon(flags | (cert ? MHD_USE_TLS : 0), 0, NULL, NULL, serve, h,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)h->most + 8, MHD_OPTION_NOTIFY_COMPLETED,
		completed, h, MHD_OPTION_NOTIFY_CONNECTION, notify_connection, h,
		MHD_OPTION_URI_LOG_CALLBACK, begin, h, MHD_OPTION_ARRAY, cert ? tls : none,
		MHD_OPTION_END);
}

int http_open(struct platform *p, size_t connections, struct http **ret, char *message, size_t size)
{
	struct http *h = sv_malloc(sizeof(*h));

	if (!h)
		return SV_NOMEM;
	memset(h, 0, sizeof(*h));
	h->source = SOURCE_MHD;
	h->p = p;
	h->most = connections;
	h->ep = epoll_create1(EPOLL_CLOEXEC);
	h->plain = h->ep >= 0 ? start(h, NULL, NULL) : NULL;
	if (!h->plain) {
		snprintf(message, size, "the HTTP server cannot be started");
		http_close(h);
		return SV_IO;
	}
	add_daemon(h, h->plain);
	*ret = h;
	return SV_OK;
}

int http_tls(struct http *h, const char *cert, const char *key, char *message, size_t size)
{
	h->tls = MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES ? start(h, cert, key) : NULL;
	if (!h->tls) {
		snprintf(message, size,
			"TLS cannot be started: the certificate and the key do not fit, or are no "
			"PEM");
		return SV_CONFIG;
	}
	add_daemon(h, h->tls);
	return SV_OK;
}

int http_listen(struct http *h, int fd, const struct gate *gate, int tls, const char *instance)
{
	struct listener *l = sv_malloc(sizeof(*l));
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = l };

	if (!l)
		return SV_NOMEM;
	memset(l, 0, sizeof(*l));
	l->source = SOURCE_LISTENER;
	l->fd = fd;
	l->tls = tls;
	l->unix_socket = !gate;
	if (gate)
		l->gate = *gate;
	snprintf(l->instance, sizeof(l->instance), "%s", instance ? instance : "");
	if (epoll_ctl(h->ep, EPOLL_CTL_ADD, fd, &ev)) {
		sv_mfree(l);
		return SV_IO;
	}
	l->next = h->listeners;
	h->listeners = l;
	return SV_OK;
}

static void stop_listening(struct http *h, struct listener *l)
{
	if (l->fd >= 0) {
		epoll_ctl(h->ep, EPOLL_CTL_DEL, l->fd, NULL);
		close(l->fd);
	}
	l->fd = -1;
	l->closed = 1;
	if (!l->connections)
		listener_free(h, l);
}

void http_unlisten(struct http *h, const char *instance)
{
	for (struct listener *l = h->listeners, *next; l; l = next) {
		next = l->next;
		if (!strcmp(l->instance, instance))
			stop_listening(h, l);
	}
}

int http_fd(const struct http *h)
{
	return h->ep;
}

static void run(struct http *h)
{
	h->more = 0;
	MHD_run(h->plain);
	if (h->tls)
		MHD_run(h->tls);
}

void http_run(struct http *h)
{
	struct epoll_event ev[N_EVENTS];
	int n = epoll_wait(h->ep, ev, N_EVENTS, 0);

	for (int i = 0; i < n; i++) {
		struct exchange *x = ev[i].data.ptr;

		/* Its peer has closed: let MHD come round to it and end it. */
		if (*(enum source *)ev[i].data.ptr == SOURCE_EXCHANGE && x->state != GONE) {
			x->state = GONE;
			feed_leave(h->p->feed, &x->waiter);
			resume(x);
		}
	}
	for (int i = 0; i < n; i++)
		if (*(enum source *)ev[i].data.ptr == SOURCE_LISTENER && !h->quiet)
			accept_some(h, ev[i].data.ptr);
	run(h);
	sweep(h, sv_mono_ms());
}

void http_answer(struct http *h)
{
	struct exchange *x;
	struct waiter *w;
	int64_t now = sv_mono_ms();

	while ((x = h->committing)) {
		h->committing = x->next;
		x->next = NULL;
		resume(x);
	}
	while ((w = feed_ready(h->p->feed, now)))
		resume(w->owner);
	if (h->more)
		run(h);
}

static int daemon_timeout(struct MHD_Daemon *d, int most)
{
	MHD_UNSIGNED_LONG_LONG ms;

	return d && MHD_get_timeout(d, &ms) == MHD_YES && ms < (unsigned)most ? (int)ms : most;
}

int http_timeout(struct http *h, int most)
{
	if (h->more || h->committing)
		return 0;
	return feed_timeout(
		h->p->feed, sv_mono_ms(), daemon_timeout(h->tls, daemon_timeout(h->plain, most)));
}

void http_quiesce(struct http *h)
{
	if (h->quiet)
		return;
	h->quiet = 1;
	for (struct listener *l = h->listeners, *next; l; l = next) {
		next = l->next;
		stop_listening(h, l);
	}
	feed_release(h->p->feed);
}

size_t http_busy(const struct http *h)
{
	return h->busy;
}

void http_close(struct http *h)
{
	struct waiter *w;

	if (!h)
		return;
	if (h->plain) {
		http_quiesce(h);
		/* MHD aborts when it is stopped over a suspended connection. */
		feed_release(h->p->feed);
		while ((w = feed_ready(h->p->feed, sv_mono_ms()))) {
			((struct exchange *)w->owner)->state = GONE;
			resume(w->owner);
		}
		run(h);
		MHD_stop_daemon(h->plain);
	}
	if (h->tls)
		MHD_stop_daemon(h->tls);
	while (h->listeners)
		listener_free(h, h->listeners);
	if (h->ep >= 0)
		close(h->ep);
	sv_mfree(h);
}
