/* SPDX-License-Identifier: MIT */
/* Gets: a connection that breaks is taken up where it broke off, with If-Match, so that the halves
 * of two objects never become one. */
#include "api/bucket-get.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"

static int wanted(const struct sv_getting *g)
{
	return g->offset > 0 || g->length >= 0 || g->got > 0;
}

static int again(struct sv_s3_do *d, struct sv_error *err)
{
	struct sv_getting *g = d->data;
	long long from = (long long)(g->offset + g->got);

	(void)err;
	memset(d->headers, 0, sizeof(d->headers));
	sv_s3_header(d, "x-amz-checksum-mode", "ENABLED");
	g->skip = 0;
	if (wanted(g) && g->length >= 0)
		snprintf(g->range, sizeof(g->range), "bytes=%lld-%lld", from,
			(long long)(g->offset + g->length - 1));
	else if (wanted(g))
		snprintf(g->range, sizeof(g->range), "bytes=%lld-", from);
	if (wanted(g))
		sv_s3_header(d, "Range", g->range);
	if (*g->etag) {
		snprintf(g->match, sizeof(g->match), "\"%s\"", g->etag);
		sv_s3_header(d, "If-Match", g->match);
	}
	return SV_OK;
}

/* The first bytes of an answer: what is it? 0, or a code. */
static int begin(struct sv_getting *g, const struct sv_xfer *x)
{
	const char *sum = sv_reply_header(x, "x-amz-checksum-crc32c"),
		   *kind = sv_reply_header(x, "x-amz-checksum-type");
	char etag[SV_ETAG_SIZE];

	sv_etag_of(x, etag);
	if (*g->etag && *etag && strcmp(g->etag, etag) != 0) {
		g->changed = 1;
		return SV_CONFLICT;
	}
	snprintf(g->etag, sizeof(g->etag), "%s", etag);
	if (x->status == 200 && wanted(g))
		g->skip = g->offset + g->got;
	if (sum && x->status == 200 && strlen(sum) == 8 &&
		(!kind || strcmp(kind, "COMPOSITE") != 0))
		snprintf(g->crc32c, sizeof(g->crc32c), "%s", sum);
	if (g->o)
		return SV_OK;
	return sv_bucket_describe(x, g->key, &g->o);
}

static int take(struct sv_getting *g, const char *data, size_t len)
{
	size_t n = g->skip < (int64_t)len ? (size_t)g->skip : len;

	g->skip -= (int64_t)n;
	data += n;
	len -= n;
	/* A service without ranges gives more than was asked for. */
	if (g->length >= 0 && (int64_t)len > g->length - g->got)
		len = (size_t)(g->length - g->got);
	if (len && g->sink(g->data, data, len))
		return SV_CANCELED;
	g->got += (int64_t)len;
	g->request.advanced |= len > 0;
	return SV_OK;
}

static int sink(struct sv_s3_do *d, const struct sv_xfer *x, const char *data, size_t len)
{
	struct sv_getting *g = d->data;

	d->code = d->moved ? SV_OK : begin(g, x);
	if (!d->code)
		d->code = take(g, data, len);
	return d->code ? -1 : 0;
}

static int answer(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	struct sv_getting *g = d->data;
	int r = d->moved ? SV_OK : begin(g, x);
	int64_t whole;

	if (r)
		return sv_err(err, r, "%s",
			r == SV_CONFLICT ? "the object has changed meanwhile" : "out of memory");
	whole = sv_has(g->o, size_bytes) ? g->o->size_bytes - g->offset : -1;
	if (whole < 0 || (g->length >= 0 && g->length < whole))
		whole = g->length;
	if (whole >= 0 && g->got < whole) {
		err->retryable = 1;
		sv_err(err, SV_NET, "%s: the object ended after %lld of %lld bytes",
			d->place->endpoint.shown, (long long)g->got, (long long)whole);
		err->retryable = 1;
		return SV_NET;
	}
	return SV_OK;
}

int sv_getting_run(struct sv_getting *g)
{
	struct sv_error *err = &g->bucket->client->error;
	int r;

	sv_bucket_do(g->bucket, &g->request, "GET", g->key);
	g->request.again = again;
	g->request.sink = sink;
	g->request.answer = answer;
	g->request.data = g;
	r = sv_s3_run(g->bucket->client, &g->request);
	if (r && !strcmp(g->request.wire, "PreconditionFailed"))
		g->changed = 1;
	if (r && g->changed)
		r = sv_err(err, SV_CONFLICT, "%s: %s has changed meanwhile",
			g->bucket->place.endpoint.shown, g->key);
	return r;
}

int sv_bucket_get(sv_bucket *b, const char *key, int64_t offset, int64_t length,
	int (*sink_fn)(void *data, const void *bytes, size_t len), void *data,
	struct sv_bucket_object **ret)
{
	struct sv_getting g = { .bucket = b,
		.key = key,
		.offset = offset,
		.length = length < 0 ? -1 : length,
		.sink = sink_fn,
		.data = data };
	int r = sv_bucket_key(b, key);

	if (!r && (offset < 0 || length == 0))
		r = sv_err(&b->client->error, SV_INVALID, "no such range of bytes");
	if (!r)
		r = sv_getting_run(&g);
	if (!r && ret)
		*ret = g.o;
	else
		sv_free(g.o);
	return r;
}
