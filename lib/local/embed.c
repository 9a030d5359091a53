/* SPDX-License-Identifier: MIT */
/* The platform in the caller's process: no socket, no thread, engine "none". */
#include <starverse/local.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/time.h"
#include "kinds/kinds.h"
#include "local/catalog.h"
#include "local/field.h"
#include "local/lock.h"
#include "local/platform.h"
#include "local/stream.h"
#include "model/json.h"

#define SLICE_MS 20
#define N_KEYS   64

struct sv_local {
	struct platform p;
	char *state_dir;
	int lock;
	char *keys[N_KEYS];
	size_t n_keys;
};

static int open_store(struct sv_local *l, char *message, size_t size)
{
	char path[PATH_MAX];

	if (!l->state_dir)
		return store_open(NULL, &l->p.store, message, size);
	l->lock = lock_take(l->state_dir, message, size);
	if (l->lock < 0)
		return SV_CONFLICT;
	snprintf(path, sizeof(path), "%s/local.db", l->state_dir);
	return store_open(path, &l->p.store, message, size);
}

static int open_all(
	struct sv_local *l, const struct sv_local_options *o, char *message, size_t size)
{
	char text[200];
	int rc = open_store(l, message, size);

	if (rc == SV_OK)
		rc = catalog_read(o->catalog, &l->p.catalog, message, size);
	if (rc == SV_OK && l->state_dir)
		rc = catalog_install(l->p.catalog, l->state_dir, message, size);
	if (rc)
		return rc;
	l->p.clock.stepped = !o->real_clock;
	l->p.clock.at = o->real_clock ? 0 : sv_now();
	l->p.ops = &sv_engine_none;
	rc = l->p.ops->probe(&l->p.caps, text, sizeof(text));
	if (rc == SV_OK && l->p.ops->open) {
		struct engine_config config = { .data = &l->p };

		rc = l->p.ops->open(&config, &l->p.engine, message, size);
	}
	return rc ? rc : platform_open(&l->p, message, size);
}

int sv_local_open(
	const struct sv_local_options *options, sv_local **ret, char *message, size_t size)
{
	struct sv_local_options o = { 0 };
	struct sv_local *l = sv_malloc(sizeof(*l));
	char own[256] = "";
	int rc;

	if (!message) {
		message = own;
		size = sizeof(own);
	}
	if (!l)
		return SV_NOMEM;
	memset(l, 0, sizeof(*l));
	l->lock = -1;
	if (options && options->self_size)
		memcpy(&o, options,
			options->self_size < sizeof(o) ? options->self_size : sizeof(o));
	l->state_dir = sv_xstrdup(o.state_dir);
	l->p.state_dir = l->state_dir;
	rc = open_all(l, &o, message, size);
	if (rc) {
		sv_local_close(l);
		return rc;
	}
	*ret = l;
	return SV_OK;
}

void sv_local_close(sv_local *l)
{
	if (!l)
		return;
	if (l->p.feed) {
		platform_commit(&l->p);
		platform_close(&l->p);
	}
	if (l->p.engine && l->p.ops->close)
		l->p.ops->close(l->p.engine);
	catalog_free(l->p.catalog);
	store_close(l->p.store);
	lock_release(l->lock);
	for (size_t i = 0; i < l->n_keys; i++)
		sv_mfree(l->keys[i]);
	sv_mfree(l->state_dir);
	sv_mfree(l);
}

int sv_local_step(sv_local *l, int64_t seconds)
{
	struct sv_error err;

	return seconds < 0 ? SV_INVALID : platform_step(&l->p, seconds, &err);
}

/* Asks again until the answer is there, as the daemon's loop would. */
static void answer(struct platform *p, struct request *rq, struct reply *rp)
{
	const struct timespec slice = { .tv_nsec = SLICE_MS * 1000000L };
	unsigned undone;

	for (;;) {
		undone = p->undone;
		platform_handle(p, rq, rp);
		platform_turn(p);
		if (p->undone != undone) {
			struct sv_error err;

			sv_err_wire(&err, "unavailable", "the change could not be written");
			reply_problem(rp, &err, rq);
		}
		if (rp->kind != REPLY_WAIT)
			return;
		rq->wait_until_ms = rp->wait_until_ms;
		reply_free(rp);
		nanosleep(&slice, NULL);
	}
}

/* The key of a registration, copied; NULL. */
static char *key_in(const struct sv_buf *body)
{
	const struct sv_kind *kind = sv_verb_find(&sv_account_kind, "register")->out;
	struct sv_error err;
	void *obj = NULL;
	char *key = NULL;

	if (sv_from_json(kind, sv_buf_text(body), body->len, &obj, &err) == SV_OK)
		key = sv_xstrdup(field_text(kind, obj, "api_key"));
	sv_free(obj);
	return key;
}

int sv_local_register(sv_local *l, const char *email, const char **key)
{
	struct request rq = {
		.method = "POST", .path = "/v1/account/register", .query = "", .trusted = 1
	};
	struct sv_buf body;
	struct reply rp;
	int rc = SV_SERVER;

	if (l->n_keys == N_KEYS)
		return SV_NOMEM;
	sv_buf_init(&body, SV_MAX_BODY);
	sv_buf_str(&body, "{\"email\":");
	sv_buf_json(&body, email, strlen(email));
	sv_buf_chr(&body, '}');
	rq.body = sv_buf_text(&body);
	rq.body_len = body.len;
	answer(&l->p, &rq, &rp);
	if (rp.status / 100 == 2)
		l->keys[l->n_keys] = key_in(&rp.body);
	else
		rc = sv_decode_problem(sv_buf_text(&rp.body), rp.body.len, rp.status, NULL);
	if (l->keys[l->n_keys]) {
		*key = l->keys[l->n_keys++];
		rc = SV_OK;
	}
	reply_free(&rp);
	sv_buf_free(&body);
	return rc;
}

/* The transport: every exchange is answered when it is started, and done is called at the next
 * pump. */
struct pending {
	struct sv_xfer *x;
	struct sv_buf body;
	char retry_after[24];
	char request_id[40];
	struct sv_header headers[6];
	struct pending *next;
	int done;
};

struct transport {
	struct sv_transport t;
	struct platform *p;
	struct pending *all;
};

static const char *header(const struct sv_xfer *x, const char *name)
{
	for (const struct sv_header *h = x->headers; h && h->name; h++)
		if (!strcasecmp(h->name, name))
			return h->value;
	return NULL;
}

/* The path and query of an absolute URL, or of "unix:" and "local:" bases. */
static const char *path_of(const char *url)
{
	const char *at = strstr(url, "://");

	at = strchr(at ? at + 3 : url, '/');
	return at ? at : "/";
}

static void drain(struct reply *rp)
{
	if (rp->kind == REPLY_STREAM)
		while (rp->stream && rp->stream->read(rp->stream, &rp->body) == SV_OK &&
			rp->body.len < SV_MAX_RECORD)
			break;
}

static void fill(struct pending *n, const struct request *rq, struct reply *rp)
{
	size_t h = 0;

	n->x->result = rp->status ? SV_OK : SV_NET;
	n->x->sent = 1;
	n->x->status = rp->status;
	snprintf(n->request_id, sizeof(n->request_id), "%s", rq->request_id);
	n->headers[h++] = (struct sv_header){ "Content-Type", rp->content_type };
	n->headers[h++] = (struct sv_header){ "X-Request-Id", n->request_id };
	if (rp->replayed)
		n->headers[h++] = (struct sv_header){ "Idempotency-Replayed", "true" };
	if (rp->retry_after >= 0) {
		snprintf(
			n->retry_after, sizeof(n->retry_after), "%lld", (long long)rp->retry_after);
		n->headers[h++] = (struct sv_header){ "Retry-After", n->retry_after };
	}
	n->body = rp->body;
	sv_buf_init(&rp->body, 0);
}

static int body_of(struct sv_xfer *x, struct sv_buf *b)
{
	char chunk[4096];
	int64_t got;

	if (!x->read)
		return sv_buf_add(b, x->body ? x->body : "", x->body ? x->body_len : 0);
	while ((got = x->read(x, chunk, sizeof(chunk))) > 0)
		sv_buf_add(b, chunk, (size_t)got);
	return got < 0 ? SV_CANCELED : b->failed ? SV_NOMEM : SV_OK;
}

static void perform(struct transport *t, struct pending *n, char *path, const char *query,
	const struct sv_buf *body)
{
	struct sv_xfer *x = n->x;
	struct request rq = { .method = x->method,
		.path = path,
		.query = query,
		.body = sv_buf_text(body),
		.body_len = body->len,
		.authorization = header(x, "Authorization"),
		.idempotency_key = header(x, "Idempotency-Key"),
		.last_event_id = header(x, "Last-Event-ID"),
		.content_type = header(x, "Content-Type"),
		.accept = header(x, "Accept"),
		.trusted = 1 };
	struct reply rp;

	answer(t->p, &rq, &rp);
	drain(&rp);
	fill(n, &rq, &rp);
	reply_free(&rp);
}

static int start(struct sv_transport *base, struct sv_xfer *x)
{
	struct transport *t = (struct transport *)base;
	struct pending *n = sv_malloc(sizeof(*n)), **at;
	char *path = sv_xstrdup(path_of(x->url)), *query;
	struct sv_buf body;
	int rc = n && path ? SV_OK : SV_NOMEM;

	sv_buf_init(&body, SV_MAX_BODY);
	if (rc == SV_OK)
		rc = body_of(x, &body);
	if (rc == SV_OK) {
		memset(n, 0, sizeof(*n));
		n->x = x;
		query = strchr(path, '?');
		if (query)
			*query++ = '\0';
		perform(t, n, path, query ? query : "", &body);
		for (at = &t->all; *at; at = &(*at)->next)
			;
		*at = n;
		n = NULL;
	}
	sv_buf_free(&body);
	sv_mfree(path);
	sv_mfree(n);
	return rc;
}

static void deliver(struct pending *n)
{
	struct sv_xfer *x = n->x;

	n->done = 1;
	x->reply_headers = n->headers;
	if (x->sink && x->status / 100 == 2) {
		if (n->body.len && x->sink(x, n->body.data, n->body.len))
			x->result = SV_CANCELED;
	} else if (n->body.len > x->ceiling) {
		x->result = SV_PROTO;
		snprintf(x->message, sizeof(x->message), "the answer is longer than %zu bytes",
			x->ceiling);
	} else {
		x->reply = n->body.data ? n->body.data : NULL;
		x->reply_len = n->body.len;
	}
	if (x->done)
		x->done(x);
}

static int pump(struct sv_transport *base, int timeout_ms)
{
	struct transport *t = (struct transport *)base;
	struct pending *n = t->all;
	int left = 0;

	(void)timeout_ms;
	/* done may start or cancel others: begin again after each. */
	while (n) {
		if (n->done) {
			n = n->next;
			continue;
		}
		deliver(n);
		n = t->all;
	}
	return left;
}

static void cancel(struct sv_transport *base, struct sv_xfer *x)
{
	struct pending **at = &((struct transport *)base)->all;

	while (*at) {
		struct pending *n = *at;

		if (n->x != x) {
			at = &n->next;
			continue;
		}
		*at = n->next;
		sv_buf_free(&n->body);
		sv_mfree(n);
	}
}

static void wakeup(struct sv_transport *base)
{
	(void)base; /* nothing here ever waits in pump */
}

static void end(struct sv_transport *base)
{
	struct transport *t = (struct transport *)base;

	while (t->all)
		cancel(base, t->all->x);
	sv_mfree(t);
}

struct sv_transport *sv_local_transport(sv_local *l)
{
	static const struct sv_transport_ops ops = {
		.start = start, .pump = pump, .cancel = cancel, .wakeup = wakeup, .free = end,
	};
	struct transport *t = sv_malloc(sizeof(*t));

	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	t->t.ops = &ops;
	t->p = &l->p;
	return &t->t;
}
