/* SPDX-License-Identifier: MIT */
/* The only file that knows libcurl. One multi handle keeps connections, easy handles wait. */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "net/curl.h"
#include "net/guard.h"
#include "net/head.h"

#define OWN_AUTHORITY "is its authority your own? then --cacert FILE, or cacert in the profile"
#define MOST_SPARE 32
#define MOST_CONNS 64
#define LONG_BODY  524288L /* read or written at once where a body is long */

static pthread_once_t once = PTHREAD_ONCE_INIT;

struct trip {
	struct trip *prev, *next; /* all that have a handle; spare ones by next */
	struct sv_xfer *x;
	CURL *easy;
	struct curl_slist *sent;
	struct sv_buf body;
	struct sv_head head;
	int too_large, given_up, running;
	char error[CURL_ERROR_SIZE];
};

struct transport {
	struct sv_transport base;
	CURLM *multi;
	struct trip *first, *spare;
	int in_flight;
	void (*watch)(void *data, int fd, int events);
	void (*timer)(void *data, int64_t ms);
	void *data;
};

static size_t on_body(char *data, size_t one, size_t len, void *arg)
{
	struct trip *t = arg;
	struct sv_xfer *x = t->x;

	if (x->sink && x->status >= 200 && x->status < 300) {
		t->given_up = x->sink(x, data, len) != 0;
		return t->given_up ? 0 : len;
	}
	t->too_large = sv_buf_add(&t->body, data, one * len) != SV_OK;
	return t->too_large ? 0 : len;
}

static size_t on_header(char *line, size_t one, size_t len, void *arg)
{
	struct trip *t = arg;
	long status = 0;
	int whole = sv_head_take(&t->head, line, one * len);

	if (whole > 0) {
		curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
		t->x->status = (int)status;
		t->x->reply_headers = t->head.lines;
	}
	return whole < 0 ? 0 : one * len;
}

static size_t on_read(char *buf, size_t one, size_t len, void *arg)
{
	struct sv_xfer *x = ((struct trip *)arg)->x;
	int64_t n = x->read(x, buf, one * len);

	return n < 0 ? CURL_READFUNC_ABORT : (size_t)n;
}

static void add_line(struct trip *t, const char *text)
{
	struct curl_slist *more = curl_slist_append(t->sent, text);

	if (more)
		t->sent = more;
	else
		t->given_up = 1;
}

static void set_headers(struct trip *t)
{
	int typed = 0;
	struct sv_buf b;

	sv_buf_init(&b, (size_t)64 << 10);
	for (const struct sv_header *h = t->x->headers; h && h->name; h++) {
		sv_buf_reset(&b);
		sv_buf_fmt(&b, "%s: %s", h->name, h->value);
		if (b.failed)
			t->given_up = 1;
		else
			add_line(t, b.data);
		typed |= !strcmp(h->name, "Content-Type");
	}
	if (b.data)
		explicit_bzero(b.data, b.cap);
	sv_buf_free(&b);
	add_line(t, "Expect:");
	if (!typed)
		add_line(t, "Content-Type:");
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->sent);
}

static void set_body(struct trip *t)
{
	struct sv_xfer *x = t->x;
	CURL *e = t->easy;

	if (x->read) {
		curl_easy_setopt(e, CURLOPT_UPLOAD, 1L);
		curl_easy_setopt(e, CURLOPT_READFUNCTION, on_read);
		curl_easy_setopt(e, CURLOPT_READDATA, t);
		curl_easy_setopt(e, CURLOPT_INFILESIZE_LARGE, (curl_off_t)x->read_len);
		curl_easy_setopt(e, CURLOPT_UPLOAD_BUFFERSIZE, LONG_BODY);
	} else if (x->body || !strcmp(x->method, "POST")) {
		curl_easy_setopt(e, CURLOPT_POST, 1L);
		curl_easy_setopt(e, CURLOPT_POSTFIELDS, x->body ? x->body : "");
		curl_easy_setopt(
			e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)(x->body ? x->body_len : 0));
	}
	if (!strcmp(x->method, "HEAD"))
		curl_easy_setopt(e, CURLOPT_NOBODY, 1L);
	else if (strcmp(x->method, "GET") != 0 && (x->read || strcmp(x->method, "POST") != 0))
		curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, x->method);
}

static void set_peer(struct trip *t)
{
	const struct sv_xfer *x = t->x;
	CURL *e = t->easy;

	curl_easy_setopt(e, CURLOPT_URL, x->url);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
	if (x->socket && *x->socket == '@')
		curl_easy_setopt(e, CURLOPT_ABSTRACT_UNIX_SOCKET, x->socket + 1);
	else if (x->socket)
		curl_easy_setopt(e, CURLOPT_UNIX_SOCKET_PATH, x->socket);
	if (x->socket)
		curl_easy_setopt(e, CURLOPT_PROXY, "");
	if (x->cacert) {
		curl_easy_setopt(e, CURLOPT_CAINFO, x->cacert);
		curl_easy_setopt(e, CURLOPT_CAPATH, NULL);
	}
	if (x->insecure) {
		curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	/* libcurl sends again by itself when a kept connection turns out to be closed. */
	if (x->once)
		curl_easy_setopt(e, CURLOPT_FRESH_CONNECT, 1L);
}

static void set_up(struct trip *t)
{
	const struct sv_xfer *x = t->x;
	CURL *e = t->easy;

	curl_easy_setopt(e, CURLOPT_PRIVATE, t);
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->error);
	curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, x->identity ? NULL : "");
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)x->connect_timeout_ms);
	curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)x->timeout_ms);
	if (x->sink && x->identity)
		curl_easy_setopt(e, CURLOPT_BUFFERSIZE, LONG_BODY);
	set_peer(t);
	set_body(t);
	set_headers(t);
}

static void trip_free(struct trip *t)
{
	curl_easy_cleanup(t->easy);
	sv_buf_free(&t->body);
	sv_head_free(&t->head);
	sv_mfree(t);
}

static struct trip *trip_new(struct transport *t)
{
	struct trip *trip = t->spare;

	if (trip) {
		t->spare = trip->next;
		trip->next = NULL;
		return trip;
	}
	trip = sv_malloc(sizeof(*trip));
	if (!trip)
		return NULL;
	memset(trip, 0, sizeof(*trip));
	sv_head_init(&trip->head);
	trip->easy = curl_easy_init();
	if (trip->easy)
		return trip;
	sv_mfree(trip);
	return NULL;
}

static void detach(struct transport *t, struct trip *trip)
{
	struct sv_guard g;

	if (!trip->running)
		return;
	sv_guard_in(&g);
	curl_multi_remove_handle(t->multi, trip->easy);
	sv_guard_out(&g);
	trip->running = 0;
	t->in_flight--;
}

static void cancel(struct sv_transport *base, struct sv_xfer *x)
{
	struct transport *t = (struct transport *)base;
	struct trip *trip = x->state;

	if (!trip)
		return;
	detach(t, trip);
	if (trip->prev)
		trip->prev->next = trip->next;
	else
		t->first = trip->next;
	if (trip->next)
		trip->next->prev = trip->prev;
	curl_easy_reset(trip->easy);
	curl_slist_free_all(trip->sent);
	trip->sent = NULL;
	sv_buf_free(&trip->body);
	sv_head_reset(&trip->head);
	trip->too_large = trip->given_up = 0;
	trip->prev = trip->next = NULL;
	x->state = x->reply = NULL;
	x->reply_headers = NULL;
	x->reply_len = 0;
	if (t->in_flight >= MOST_SPARE) {
		trip_free(trip);
	} else {
		trip->next = t->spare;
		t->spare = trip;
	}
}

static int start(struct sv_transport *base, struct sv_xfer *x)
{
	struct transport *t = (struct transport *)base;
	struct trip *trip;

	cancel(base, x);
	if (!(trip = trip_new(t)))
		return SV_NOMEM;
	trip->x = x;
	trip->error[0] = '\0';
	trip->next = t->first;
	if (t->first)
		t->first->prev = trip;
	t->first = trip;
	x->state = trip;
	sv_buf_init(&trip->body, x->ceiling);
	set_up(trip);
	if (trip->given_up || curl_multi_add_handle(t->multi, trip->easy)) {
		cancel(base, x);
		return SV_NOMEM;
	}
	trip->running = 1;
	t->in_flight++;
	return SV_OK;
}

/* What a failure means. text NULL: libcurl's own words, which never hold a secret there. */
struct meaning {
	CURLcode code;
	int result, final;
	const char *text, *hint;
};

/* clang-format off */
static const struct meaning meanings[] = {
	{ CURLE_COULDNT_RESOLVE_PROXY, SV_NET, 1, "the proxy's name cannot be resolved" },
	{ CURLE_PROXY, SV_NET, 1, "the proxy refuses" },
	{ CURLE_URL_MALFORMAT, SV_NET, 1, "the proxy's or the endpoint's URL is malformed" },
	{ CURLE_COULDNT_RESOLVE_HOST, SV_NET, 0, "the name cannot be resolved" },
	{ CURLE_PEER_FAILED_VERIFICATION, SV_NET, 1, NULL, OWN_AUTHORITY },
	{ CURLE_SSL_CACERT_BADFILE, SV_CONFIG, 1, "the certificates cannot be read" },
	{ CURLE_SSL_CERTPROBLEM, SV_CONFIG, 1, NULL },
	{ CURLE_UNSUPPORTED_PROTOCOL, SV_PROTO, 1, "what answers does not speak HTTP" },
	{ CURLE_WEIRD_SERVER_REPLY, SV_PROTO, 1, "what answers does not speak HTTP" },
	{ CURLE_BAD_CONTENT_ENCODING, SV_PROTO, 1, "the answer's body is unreadable" },
	{ CURLE_GOT_NOTHING, SV_NET, 0, "the connection was closed without an answer" },
	{ CURLE_PARTIAL_FILE, SV_NET, 0, "the answer was cut short" },
	{ CURLE_OUT_OF_MEMORY, SV_NOMEM, 1, "out of memory" },
	{ CURLE_OK, SV_NET, 0, NULL },
};
/* clang-format on */

static const struct meaning *meaning_of(CURLcode code)
{
	const struct meaning *m = meanings;

	while (m->code != CURLE_OK && m->code != code)
		m++;
	return m;
}

static void explain(struct trip *t, CURLcode code)
{
	const struct meaning *m = meaning_of(code);
	struct sv_xfer *x = t->x;
	/* With user information in it, it is a proxy's. */
	const char *own = *t->error && !strchr(t->error, '@') ? t->error : curl_easy_strerror(code);

	if (x->socket && code == CURLE_COULDNT_CONNECT)
		own = "nothing listens on the socket";
	x->result = m->result;
	x->final = m->final;
	x->hint = m->hint;
	if (code == CURLE_OPERATION_TIMEDOUT)
		snprintf(x->message, sizeof(x->message), "%s",
			x->sent ? "not answering: no answer within the time allowed"
				: "not answering: no connection within the time allowed");
	else
		snprintf(x->message, sizeof(x->message), "%s", m->text ? m->text : own);
	if (t->too_large || t->given_up) {
		x->result = t->too_large ? SV_PROTO : SV_CANCELED;
		x->final = 1;
	}
	if (t->too_large)
		snprintf(x->message, sizeof(x->message), "the answer is larger than %zu bytes",
			x->ceiling);
}

static void finish(struct transport *t, struct trip *trip, CURLcode code)
{
	struct sv_xfer *x = trip->x;
	long bytes = 0, status = 0;
	curl_easy_getinfo(trip->easy, CURLINFO_REQUEST_SIZE, &bytes);
	curl_easy_getinfo(trip->easy, CURLINFO_RESPONSE_CODE, &status);
	x->sent = bytes > 0;
	x->status = (int)status;
	if (code || !status) {
		explain(trip, code ? code : CURLE_GOT_NOTHING);
	} else {
		x->result = sv_buf_add(&trip->body, "", 0);
		x->reply = trip->body.data;
		x->reply_len = trip->body.len;
	}
	detach(t, trip);
	x->done(x);
}

static void finish_all(struct transport *t)
{
	CURLMsg *msg;
	int left;

	while ((msg = curl_multi_info_read(t->multi, &left))) {
		struct trip *trip = NULL;

		if (msg->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&trip);
		finish(t, trip, msg->data.result);
	}
}

static int pump(struct sv_transport *base, int timeout_ms)
{
	struct transport *t = (struct transport *)base;
	struct sv_guard g;
	int running = 0;

	sv_guard_in(&g);
	curl_multi_perform(t->multi, &running);
	if (timeout_ms && running == t->in_flight) {
		curl_multi_poll(t->multi, NULL, 0, timeout_ms < 0 ? 3600000 : timeout_ms, NULL);
		curl_multi_perform(t->multi, &running);
	}
	sv_guard_out(&g);
	finish_all(t);
	return t->in_flight;
}

static void wakeup(struct sv_transport *base)
{
	curl_multi_wakeup(((struct transport *)base)->multi);
}

static void transport_free(struct sv_transport *base)
{
	struct transport *t = (struct transport *)base;
	struct trip *trip;
	struct sv_guard g;

	t->watch = NULL;
	t->timer = NULL;
	while (t->first)
		cancel(base, t->first->x);
	while ((trip = t->spare)) {
		t->spare = trip->next;
		trip_free(trip);
	}
	sv_guard_in(&g);
	curl_multi_cleanup(t->multi);
	sv_guard_out(&g);
	sv_mfree(t);
}

_Static_assert(CURL_POLL_IN == 1 && CURL_POLL_OUT == 2 && CURL_POLL_INOUT == 3, "as sv_watch");

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *one)
{
	struct transport *t = arg;

	(void)easy, (void)one;
	if (t->watch)
		t->watch(t->data, fd, what == CURL_POLL_REMOVE ? 0 : what);
	return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
	struct transport *t = arg;

	(void)multi;
	if (t->timer)
		t->timer(t->data, ms);
	return 0;
}

static int hooks(struct sv_transport *base, void (*watch)(void *, int, int),
	void (*timer)(void *, int64_t), void *data)
{
	struct transport *t = (struct transport *)base;

	t->watch = watch;
	t->timer = timer;
	t->data = data;
	curl_multi_setopt(t->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	curl_multi_setopt(t->multi, CURLMOPT_SOCKETDATA, t);
	curl_multi_setopt(t->multi, CURLMOPT_TIMERFUNCTION, on_timer);
	curl_multi_setopt(t->multi, CURLMOPT_TIMERDATA, t);
	return SV_OK;
}

static int act(struct sv_transport *base, int fd, int events)
{
	struct transport *t = (struct transport *)base;
	struct sv_guard g;
	int running = 0;

	sv_guard_in(&g);
	curl_multi_socket_action(t->multi, fd < 0 ? CURL_SOCKET_TIMEOUT : fd, events, &running);
	sv_guard_out(&g);
	finish_all(t);
	return t->in_flight;
}

static const struct sv_transport_ops ops = { start, pump, cancel, wakeup, transport_free, hooks,
	act };

static void init(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
}

static struct sv_transport *make(const char **why)
{
	const curl_version_info_data *v;
	struct transport *t;

	pthread_once(&once, init);
	v = curl_version_info(CURLVERSION_NOW);
	*why = v->version_num < 0x075500 ? "7.85.0 or newer is needed" : *why;
	t = v->version_num < 0x075500 ? NULL : sv_malloc(sizeof(*t));
	if (!t)
		return NULL;
	*t = (struct transport){ .base = { &ops }, .multi = curl_multi_init() };
	if (t->multi) {
		curl_multi_setopt(t->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)MOST_CONNS);
		return &t->base;
	}
	sv_mfree(t);
	return NULL;
}

const struct sv_curl_module sv_curl_module = { SV_CURL_ABI, make };
