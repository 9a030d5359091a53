/* SPDX-License-Identifier: MIT */
/* S3 requests: where they go, what they carry, what their answers mean. */
#include "net/s3.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "base/sigv4.h"
#include "base/str.h"
#include "base/time.h"
#include "net/s3-sign.h"

#define PATIENCE 10 /* how much longer than others what may take minutes is waited for */

static int text_fits(
	const char *name, const char *text, char *buf, size_t size, struct sv_error *err)
{
	for (const char *p = text; *p; p++)
		if (*p < 0x21 || *p > 0x7e)
			return sv_err(err, SV_CONFIG,
				"%s: byte %zu is a blank or no printable ASCII", name,
				(size_t)(p - text) + 1);
	if (!*text || strlen(text) >= size)
		return sv_err(err, SV_CONFIG, *text ? "%s: is too long" : "%s: is empty", name);
	snprintf(buf, size, "%s", text);
	return SV_OK;
}

/* 1 when nothing between here and there can change a body unseen. */
static int safe_way(const struct sv_endpoint *e)
{
	return !strncmp(e->base, "https:", 6) || !strncmp(e->base, "http://127.", 11) ||
	       !strncmp(e->base, "http://[::1]", 12) || !strcmp(e->shown, "localhost") ||
	       !strncmp(e->shown, "localhost:", 10);
}

static void set_host(struct sv_s3_place *p)
{
	const char *name = strstr(p->endpoint.base, "://") + 3;
	const char *own_port = strncmp(p->endpoint.base, "https:", 6) ? ":80" : ":443";
	size_t n = strcspn(name, "/"), port = strlen(own_port);

	if (n > port && !strncmp(name + n - port, own_port, port))
		n -= port;
	snprintf(p->host, sizeof(p->host), "%.*s", (int)n, name);
}

int sv_s3_place_set(struct sv_s3_place *p, const char *endpoint, const char *region,
	const char *bucket, const char *access_key, const char *secret, struct sv_error *err)
{
	int r = sv_endpoint_parse(endpoint, &p->endpoint, err);

	if (!r && (*p->endpoint.socket || p->endpoint.local))
		r = sv_err(err, SV_CONFIG, "endpoint: S3 is spoken by http and https alone");
	if (!r)
		r = text_fits("region", region, p->region, sizeof(p->region), err);
	if (!r)
		r = text_fits("bucket", bucket, p->bucket, sizeof(p->bucket), err);
	if (!r)
		r = text_fits("access_key", access_key, p->access_key, sizeof(p->access_key), err);
	if (r)
		return r;
	set_host(p);
	p->plain_payload = safe_way(&p->endpoint);
	p->secret = sv_xstrdup(secret);
	return p->secret ? SV_OK : sv_err(err, SV_NOMEM, "out of memory");
}

void sv_s3_place_end(struct sv_s3_place *p)
{
	if (p->secret)
		explicit_bzero(p->secret, strlen(p->secret));
	sv_mfree(p->secret);
	p->secret = NULL;
}

static void word(struct sv_s3_word *words, const char *name, const char *value)
{
	size_t i = 0;

	while (words[i].name && strcmp(words[i].name, name) != 0)
		i++;
	/* The last stays the end. */
	if (i + 1 < SV_S3_WORDS)
		words[i] = (struct sv_s3_word){ name, value };
}

void sv_s3_query(struct sv_s3_do *d, const char *name, const char *value)
{
	word(d->query, name, value);
}

void sv_s3_header(struct sv_s3_do *d, const char *name, const char *value)
{
	word(d->headers, name, value);
}

/* The signature's own order: by name, in bytes. */
static void sort_query(struct sv_s3_word *q)
{
	for (size_t i = 1; i < SV_S3_WORDS && q[i].name; i++)
		for (size_t k = i; k && strcmp(q[k - 1].name, q[k].name) > 0; k--) {
			struct sv_s3_word t = q[k];

			q[k] = q[k - 1];
			q[k - 1] = t;
		}
}

static int url_of(struct sv_s3_do *d, struct sv_buf *b)
{
	sort_query(d->query);
	sv_buf_fmt(b, "%s/", d->place->endpoint.base);
	sv_buf_url(b, d->place->bucket);
	if (d->key) {
		sv_buf_chr(b, '/');
		sv_sigv4_path(b, d->key);
	}
	for (const struct sv_s3_word *q = d->query; q->name; q++) {
		sv_buf_chr(b, q == d->query ? '?' : '&');
		sv_buf_url(b, q->name);
		sv_buf_chr(b, '=');
		sv_buf_url(b, q->value);
	}
	return b->failed ? SV_NOMEM : SV_OK;
}

static int build(sv_op *op, struct sv_error *err)
{
	struct sv_request *r = &op->request;
	struct sv_s3_do *d = op->own;
	struct sv_buf b;
	int rc;

	r->arena = sv_arena_new(SV_MAX_BODY);
	if (!r->arena)
		return sv_err(err, SV_NOMEM, "out of memory");
	sv_arena_secret(r->arena);
	sv_buf_init(&b, SV_MAX_URL);
	rc = url_of(d, &b);
	if (!rc) {
		r->url = sv_arena_strdup(r->arena, b.data);
		rc = r->url ? SV_OK : SV_NOMEM;
	}
	sv_buf_free(&b);
	if (rc)
		return sv_err(err, SV_NOMEM, "the name is too long, or out of memory");
	r->path = r->url + strlen(d->place->endpoint.base);
	r->method = d->method;
	/* An empty one has a length, too. */
	r->body = d->body || d->read || !strcmp(d->method, "GET") || !strcmp(d->method, "HEAD") ||
				  !strcmp(d->method, "DELETE")
			  ? d->body
			  : "";
	r->body_len = d->body_len;
	r->repeatable = 1;
	if (!d->read)
		sv_sha256_hex(d->body ? d->body : "", d->body ? d->body_len : 0, d->digest_own);
	return SV_OK;
}

static int64_t on_read(struct sv_xfer *x, char *buf, size_t size)
{
	sv_op *op = x->data;
	struct sv_s3_do *d = op->own;

	op->heard = op->client->clock();
	return d->read(d, buf, size);
}

static int on_sink(struct sv_xfer *x, const char *data, size_t len)
{
	sv_op *op = x->data;
	struct sv_s3_do *d = op->own;

	op->heard = op->client->clock();
	if (d->sink(d, x, data, len))
		return -1;
	d->moved += (int64_t)len;
	return 0;
}

static int send_headers(sv_op *op)
{
	struct sv_request *r = &op->request;
	struct sv_s3_do *d = op->own;
	const char *digest = d->digest ? d->digest : SV_SIGV4_UNSIGNED;
	int rc = sv_request_header(r, "Host", d->place->host);

	r->n_headers = 1;
	for (size_t i = 0; !rc && d->headers[i].name; i++)
		rc = sv_request_header(r, d->headers[i].name, d->headers[i].value);
	if (!rc)
		rc = sv_request_header(r, "x-amz-content-sha256", d->read ? digest : d->digest_own);
	if (!rc)
		rc = sv_s3_sign(d->place, r, sv_now());
	/* Not signed: what stands between may change it. */
	if (!rc)
		rc = sv_request_header(r, "User-Agent", "libstarverse/" SV_VERSION);
	return rc ? sv_err(&op->err, SV_NOMEM, "out of memory") : SV_OK;
}

static int send(sv_op *op)
{
	struct sv_s3_do *d = op->own;
	int rc = SV_OK;

	d->code = SV_OK;
	d->moved = 0;
	d->advanced = 0;
	if (d->again)
		rc = d->again(d, &op->err);
	if (!rc)
		rc = send_headers(op);
	op->x.headers = op->request.headers;
	op->x.socket = NULL;
	op->x.identity = 1;
	op->x.timeout_ms = 0;
	op->x.sink = d->sink ? on_sink : NULL;
	if (d->read) {
		op->x.read = on_read;
		op->x.read_len = d->read_len;
	}
	return rc;
}

static int lost(sv_op *op)
{
	struct sv_s3_do *d = op->own;
	const struct sv_xfer *x = &op->x;

	/* The file or the reader at this end, not the service. */
	if (d->code) {
		op->x.final = 1;
		return sv_err(&op->err, d->code, "%s",
			d->code == SV_CANCELED ? "given up"
					       : "a file could not be read or written");
	}
	sv_err(&op->err, x->result, "%s: %s", d->place->endpoint.shown,
		*x->message ? x->message : "no answer came");
	if (x->hint)
		sv_err_hint(&op->err, "%s", x->hint);
	op->err.retryable = x->result == SV_NET && !x->final;
	return x->result;
}

static int answer(sv_op *op)
{
	struct sv_s3_do *d = op->own;
	struct sv_xfer *x = &op->x;
	int r;

	if (x->result)
		return lost(op);
	if (x->status < 200 || x->status >= 300)
		r = sv_s3_error(d->place, x, d->wire, &op->err);
	else
		r = d->answer ? d->answer(d, x, &op->err) : SV_OK;
	d->place->refused |= !strcmp(d->wire, "InvalidAccessKeyId");
	/* As if it had been lost on the way: the engine knows what to do. */
	if (r && op->err.retryable && x->status < 500 && x->status != 429) {
		x->result = SV_NET;
		x->sent = 1;
	}
	return r;
}

static int read_answer(sv_op *op)
{
	struct sv_s3_do *d = op->own;

	sv_err_clear(&op->err);
	d->wire[0] = '\0';
	/* A connection that gave something new was a good one. */
	if (d->advanced)
		op->attempt = 1;
	return answer(op);
}

static const struct sv_other s3 = { build, send, read_answer };

sv_op *sv_s3_start(sv_client *c, struct sv_s3_do *d, sv_done *done, void *data)
{
	const struct sv_call call = {
		.timeout_ms = -1,
		.done = done,
		.data = data,
		.other = &s3,
		.own = d,
		.idle_ms = c->config->request_timeout * 1000 * (d->patient ? PATIENCE : 1),
	};

	return sv_op_start(c, &call);
}

int sv_s3_run(sv_client *c, struct sv_s3_do *d)
{
	sv_op *op = sv_s3_start(c, d, NULL, NULL);

	if (!op)
		return c->error.code;
	sv_op_wait(op);
	c->error = op->err;
	return sv_finish(op, NULL);
}
