/* SPDX-License-Identifier: MIT */
/* Objects to objects: by the service itself, or part by part through this machine. */
#include <stdio.h>
#include <string.h>

#include "api/bucket-get.h"
#include "api/upload.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/sigv4.h"
#include "kinds/kinds.h"
#include "net/xml.h"

#define COPY_PART (INT64_C(1) << 30)

struct copying {
	struct sv_multipart m;
	struct sv_sending s;
	struct sv_transfer *t;
	sv_bucket *from;
	struct sv_bucket_object *o; /* what is copied */
	const char *from_key;
	char source[256 + 3 * SV_KEY_MOST + 4], match[SV_ETAG_SIZE + 2], range[64];
	char etag[SV_ETAG_SIZE]; /* of the copy */
	int64_t part_size;
	char *buf;
	size_t held;
};

static int same_place(const sv_bucket *a, const sv_bucket *b)
{
	return !strcmp(a->place.endpoint.base, b->place.endpoint.base) &&
	       !strcmp(a->place.access_key, b->place.access_key);
}

static int on_end(void *data, const char *path, const char *text, size_t len)
{
	struct copying *y = data;

	(void)len;
	if (!strcmp(path, "/CopyObjectResult/ETag") || !strcmp(path, "/CopyPartResult/ETag"))
		sv_etag_clean(text, y->etag);
	return 0;
}

static int read_result(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	const struct sv_xml_reader reader = { NULL, on_end, d->data };
	struct copying *y = d->data;
	int r = sv_s3_late_error(d, x, err);

	y->etag[0] = '\0';
	if (!r)
		r = sv_xml_read(x->reply, x->reply_len, &reader, err);
	return r || *y->etag ? r : sv_err(err, SV_PROTO, "the answer to a copy has no ETag");
}

/* The source's headers; range from to from + size, -1 for all of it. */
static void request(struct copying *y, struct sv_s3_do *d, int64_t from, int64_t size)
{
	sv_bucket_do(y->m.bucket, d, "PUT", y->m.key);
	sv_s3_header(d, "x-amz-copy-source", y->source);
	/* A whole copy is of one state anyway; Swift refuses this for what was sent in parts. */
	if (y->o->etag && size >= 0) {
		snprintf(y->match, sizeof(y->match), "\"%s\"", y->o->etag);
		sv_s3_header(d, "x-amz-copy-source-if-match", y->match);
	}
	if (size >= 0) {
		snprintf(y->range, sizeof(y->range), "bytes=%lld-%lld", (long long)from,
			(long long)(from + size - 1));
		sv_s3_header(d, "x-amz-copy-source-range", y->range);
	}
	d->patient = 1;
	d->data = y;
	d->answer = read_result;
}

static int name_source(struct copying *y)
{
	struct sv_buf b;
	int r;

	sv_buf_init(&b, sizeof(y->source));
	sv_buf_chr(&b, '/');
	sv_buf_url(&b, y->from->place.bucket);
	sv_buf_chr(&b, '/');
	r = sv_sigv4_path(&b, y->from_key);
	snprintf(y->source, sizeof(y->source), "%s", sv_buf_text(&b));
	r = b.failed ? SV_NOMEM : r;
	sv_buf_free(&b);
	return r ? sv_err(&y->m.bucket->client->error, r, "the name is too long") : SV_OK;
}

static int whole(struct copying *y, struct sv_bucket_object **ret)
{
	struct sv_bucket_object *o;
	struct sv_s3_do d;
	int r;

	request(y, &d, 0, -1);
	r = sv_s3_run(y->m.bucket->client, &d);
	if (r || !ret)
		return r;
	o = sv_new(&sv_bucket_object_kind);
	if (!o)
		return sv_err(&y->m.bucket->client->error, SV_NOMEM, "out of memory");
	sv_put(o, key, sv_strdup_in(o, y->m.key));
	sv_put(o, size_bytes, y->o->size_bytes);
	sv_put(o, etag, sv_strdup_in(o, y->etag));
	*ret = o;
	return SV_OK;
}

static int copy_part(struct copying *y, int number, int64_t from, int64_t size)
{
	char text[12];
	struct sv_s3_do d;
	int r;

	request(y, &d, from, size);
	snprintf(text, sizeof(text), "%d", number);
	sv_s3_query(&d, "partNumber", text);
	sv_s3_query(&d, "uploadId", y->m.id);
	r = sv_s3_run(y->m.bucket->client, &d);
	y->m.parts[number - 1] = (struct sv_part){ .size = size };
	memcpy(y->m.parts[number - 1].etag, y->etag, sizeof(y->etag));
	return r;
}

static int hold(void *data, const void *bytes, size_t len)
{
	struct copying *y = data;

	memcpy(y->buf + y->held, bytes, len);
	y->held += len;
	return 0;
}

/* Through this machine; number 0: the whole object. */
static int carry_part(struct copying *y, int number, int64_t from, int64_t size)
{
	struct sv_getting g = { .bucket = y->from,
		.key = y->from_key,
		.offset = from,
		.length = size,
		.sink = hold,
		.data = y };
	int r = SV_OK;

	y->held = 0;
	if (y->o->etag)
		snprintf(g.etag, sizeof(g.etag), "%s", y->o->etag);
	if (size)
		r = sv_getting_run(&g);
	sv_free(g.o);
	if (r) {
		y->m.bucket->client->error = y->from->client->error;
		return r;
	}
	y->s = (struct sv_sending){ .upload = &y->m,
		.bucket = y->m.bucket,
		.key = y->m.key,
		.number = number,
		.fd = -1,
		.bytes = y->buf,
		.size = size };
	r = sv_sending_run(&y->s);
	if (!r && number)
		y->m.parts[number - 1] = y->s.got;
	y->t->sent_bytes += r ? 0 : size;
	return r;
}

static int in_parts(struct copying *y,
	int (*one)(struct copying *y, int number, int64_t from, int64_t size),
	struct sv_bucket_object **ret)
{
	int64_t size = y->o->size_bytes, part = y->part_size;
	int n = (int)((size + part - 1) / part);
	int r = sv_multipart_room(&y->m, n);

	if (!r)
		r = sv_multipart_create(&y->m, NULL);
	for (int i = 1; !r && i <= n; i++) {
		int64_t from = (int64_t)(i - 1) * part;

		r = one(y, i, from, size - from < part ? size - from : part);
		sv_transfer_tell(y->t, from + part < size ? from + part : size, size);
	}
	if (!r)
		r = sv_multipart_complete(&y->m, n, size, ret);
	if (r)
		sv_multipart_abort(&y->m);
	return r;
}

static int carry(struct copying *y, struct sv_bucket_object **ret)
{
	int64_t size = y->o->size_bytes;
	int r;

	y->part_size = sv_part_size(y->t, size);
	if (y->part_size < 0)
		return sv_err(&y->m.bucket->client->error, SV_INVALID, "the object is too large");
	y->buf = sv_malloc((size_t)(size < y->part_size ? size + 1 : y->part_size));
	if (!y->buf)
		return sv_err(&y->m.bucket->client->error, SV_NOMEM, "out of memory");
	if (size > y->part_size) {
		r = in_parts(y, carry_part, ret);
	} else {
		r = carry_part(y, 0, 0, size);
		if (!r && ret)
			*ret = y->s.o;
		else
			sv_free(y->s.o);
	}
	sv_mfree(y->buf);
	return r;
}

static int copy(struct copying *y, struct sv_bucket_object **ret)
{
	int r = sv_bucket_head(y->from, y->from_key, &y->o);

	if (r) {
		y->m.bucket->client->error = y->from->client->error;
		return r;
	}
	if (!sv_has(y->o, size_bytes))
		return sv_err(&y->m.bucket->client->error, SV_PROTO,
			"the service does not say how large %s is", y->from_key);
	sv_transfer_tell(y->t, 0, y->o->size_bytes);
	if (!same_place(y->m.bucket, y->from))
		return carry(y, ret);
	r = name_source(y);
	y->part_size = COPY_PART;
	if (!r && y->o->size_bytes > SV_PART_MOST)
		return in_parts(y, copy_part, ret);
	if (!r)
		r = whole(y, ret);
	if (!r)
		sv_transfer_tell(y->t, y->o->size_bytes, y->o->size_bytes);
	return r;
}

int sv_bucket_copy(sv_bucket *b, const char *key, sv_bucket *from, const char *from_key,
	struct sv_transfer *t, struct sv_bucket_object **ret)
{
	struct sv_transfer own = { .fresh = 0 };
	struct copying *y;
	int r = sv_bucket_key(b, key);

	if (!r)
		r = sv_bucket_key(from ? from : b, from_key);
	if (r)
		return r;
	y = sv_malloc(sizeof(*y));
	if (!y)
		return sv_err(&b->client->error, SV_NOMEM, "out of memory");
	memset(y, 0, sizeof(*y));
	y->m = (struct sv_multipart){ .bucket = b, .key = key };
	y->t = t ? t : &own;
	y->t->sent_bytes = y->t->resumed_bytes = 0;
	y->from = from ? from : b;
	y->from_key = from_key;
	r = copy(y, ret);
	sv_free(y->o);
	sv_multipart_end(&y->m);
	sv_mfree(y);
	return r;
}
