/* SPDX-License-Identifier: MIT */
/* The calls around the parts: beginning an upload, asking what is there, making an object of it. */
#include <stdio.h>
#include <string.h>

#include "api/upload.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/md5.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "net/xml.h"

#define MOST_DOCUMENT ((size_t)4 << 20)

int sv_multipart_room(struct sv_multipart *m, int n)
{
	struct sv_part *more;
	int room = m->room ? m->room : 64;

	while (room < n)
		room *= 2;
	if (room == m->room)
		return SV_OK;
	more = sv_realloc(m->parts, (size_t)room * sizeof(*more));
	if (!more)
		return sv_err(&m->bucket->client->error, SV_NOMEM, "out of memory");
	memset(more + m->room, 0, (size_t)(room - m->room) * sizeof(*more));
	m->parts = more;
	m->room = room;
	return SV_OK;
}

void sv_multipart_end(struct sv_multipart *m)
{
	sv_mfree(m->parts);
	m->parts = NULL;
	m->n = m->room = 0;
}

/* Texts of a document by their paths. */
struct wanted {
	const char *path;
	char *buf;
	size_t size;
};

static int pick(void *data, const char *path, const char *text, size_t len)
{
	for (struct wanted *w = data; w->path; w++)
		if (!strcmp(w->path, path) && len < w->size)
			memcpy(w->buf, text, len + 1);
	return 0;
}

static int read_id(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	struct sv_multipart *m = d->data;
	struct wanted all[] = { { "/InitiateMultipartUploadResult/UploadId", m->id, sizeof(m->id) },
		{ NULL, NULL, 0 } };
	const struct sv_xml_reader reader = { NULL, pick, all };
	int r;

	m->id[0] = '\0';
	r = sv_s3_late_error(d, x, err);
	if (!r)
		r = sv_xml_read(x->reply, x->reply_len, &reader, err);
	return r || *m->id ? r : sv_err(err, SV_PROTO, "the answer names no upload");
}

int sv_multipart_create(struct sv_multipart *m, const char *mtime)
{
	int r, summed;

	memset(m->parts, 0, (size_t)m->room * sizeof(*m->parts));
	do {
		struct sv_s3_do d;

		sv_bucket_do(m->bucket, &d, "POST", m->key);
		sv_s3_query(&d, "uploads", "");
		sv_s3_header(&d, "Content-Type", "application/octet-stream");
		summed = !m->bucket->place.no_sums;
		if (summed)
			sv_s3_header(&d, "x-amz-checksum-algorithm", "CRC32C");
		if (mtime && *mtime)
			sv_s3_header(&d, "x-amz-meta-mtime", mtime);
		d.data = m;
		d.answer = read_id;
		r = sv_s3_run(m->bucket->client, &d);
	} while (sv_sums_refused(m->bucket, r, summed));
	return r;
}

struct looking {
	struct sv_part *parts;
	int n, truncated, next;
	struct sv_part one;
	int number;
};

static int on_part(void *data, const char *path, const char *text, size_t len)
{
	static const char top[] = "/ListPartsResult/", part[] = "/ListPartsResult/Part/";
	struct looking *l = data;
	int64_t v = sv_bucket_number(text);

	if (!strcmp(path, "/ListPartsResult/Part")) {
		if (l->number > 0 && l->number <= l->n && l->one.size > 0)
			l->parts[l->number - 1] = l->one;
		l->one = (struct sv_part){ 0 };
		l->number = 0;
	} else if (!strncmp(path, part, sizeof(part) - 1)) {
		path += sizeof(part) - 1;
		if (!strcmp(path, "PartNumber") && v > 0 && v <= SV_PARTS_MOST)
			l->number = (int)v;
		else if (!strcmp(path, "Size") && v > 0)
			l->one.size = v;
		else if (!strcmp(path, "ETag"))
			sv_etag_clean(text, l->one.etag);
		else if (!strcmp(path, "ChecksumCRC32C") && len == 8)
			memcpy(l->one.crc32c, text, 9);
	} else if (!strncmp(path, top, sizeof(top) - 1)) {
		path += sizeof(top) - 1;
		if (!strcmp(path, "IsTruncated"))
			l->truncated = !strcmp(text, "true");
		else if (!strcmp(path, "NextPartNumberMarker") && v > 0 && v <= SV_PARTS_MOST)
			l->next = (int)v;
	}
	return 0;
}

static int read_parts(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	const struct sv_xml_reader reader = { NULL, on_part, d->data };
	int r = sv_s3_late_error(d, x, err);

	return r ? r : sv_xml_read(x->reply, x->reply_len, &reader, err);
}

int sv_multipart_look(struct sv_multipart *m, int n)
{
	struct looking l = { .n = n };
	char marker[12];
	int from = 0, r = sv_multipart_room(m, n);

	if (r)
		return r;
	memset(m->parts, 0, (size_t)m->room * sizeof(*m->parts));
	l.parts = m->parts;
	do {
		struct sv_s3_do d;

		from = l.next;
		l.truncated = 0;
		sv_bucket_do(m->bucket, &d, "GET", m->key);
		sv_s3_query(&d, "uploadId", m->id);
		snprintf(marker, sizeof(marker), "%d", from);
		if (from)
			sv_s3_query(&d, "part-number-marker", marker);
		d.data = &l;
		d.answer = read_parts;
		r = sv_s3_run(m->bucket->client, &d);
	} while (!r && l.truncated && l.next > from);
	return r == SV_INVALID || r == SV_PROTO ? SV_UNSUPPORTED : r;
}

static int document(struct sv_buf *b, const struct sv_multipart *m, int n)
{
	sv_buf_str(b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
		"<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
	for (int i = 0; i < n; i++) {
		const struct sv_part *p = &m->parts[i];

		/* An etag is the service's own text, so it must not break the document. */
		if (strpbrk(p->etag, "<&>"))
			return SV_PROTO;
		sv_buf_fmt(b, "<Part><PartNumber>%d</PartNumber><ETag>&quot;%s&quot;</ETag>", i + 1,
			p->etag);
		if (*p->crc32c)
			sv_buf_fmt(b, "<ChecksumCRC32C>%s</ChecksumCRC32C>", p->crc32c);
		sv_buf_str(b, "</Part>");
	}
	return sv_buf_str(b, "</CompleteMultipartUpload>");
}

static int read_complete(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	struct wanted all[] = { { "/CompleteMultipartUploadResult/ETag", d->data, SV_ETAG_SIZE },
		{ NULL, NULL, 0 } };
	const struct sv_xml_reader reader = { NULL, pick, all };
	int r = sv_s3_late_error(d, x, err);

	return r ? r : sv_xml_read(x->reply, x->reply_len, &reader, err);
}

/* It may have been done although its answer was lost: then the object is there, of this size. */
static int look_at_object(
	struct sv_multipart *m, int n, int64_t size, int sure, struct sv_bucket_object **ret)
{
	struct sv_error first = m->bucket->client->error;
	struct sv_bucket_object *o = NULL;
	char etag[SV_ETAG_SIZE];
	int r = sv_bucket_head(m->bucket, m->key, &o);

	sv_multipart_etag(m, n, etag);
	if (!r && (!sv_has(o, size_bytes) || o->size_bytes != size))
		r = sv_err(&m->bucket->client->error, SV_PROTO,
			"the object that was made of the parts has %lld bytes, not %lld",
			sv_has(o, size_bytes) ? (long long)o->size_bytes : -1LL, (long long)size);
	else if (!r && !sure && (!*etag || !o->etag || strcmp(o->etag, etag) != 0))
		r = SV_NOTFOUND;
	if (r && !sure)
		m->bucket->client->error = first;
	if (!r && ret)
		*ret = o;
	else
		sv_free(o);
	return r;
}

int sv_multipart_complete(
	struct sv_multipart *m, int n, int64_t size, struct sv_bucket_object **ret)
{
	sv_client *c = m->bucket->client;
	char etag[SV_ETAG_SIZE] = "";
	struct sv_s3_do d;
	struct sv_buf b;
	int r;

	sv_buf_init(&b, MOST_DOCUMENT);
	if (document(&b, m, n)) {
		sv_buf_free(&b);
		return sv_err(&c->error, SV_PROTO, "the parts cannot be listed");
	}
	sv_bucket_do(m->bucket, &d, "POST", m->key);
	sv_s3_query(&d, "uploadId", m->id);
	sv_s3_header(&d, "Content-Type", "application/xml");
	d.body = b.data;
	d.body_len = b.len;
	d.patient = 1;
	d.data = etag;
	d.answer = read_complete;
	r = sv_s3_run(c, &d);
	sv_buf_free(&b);
	if (r && r != SV_NOTFOUND && r != SV_NET)
		return r;
	if (r)
		return look_at_object(m, n, size, 0, ret) ? c->error.code : SV_OK;
	return look_at_object(m, n, size, 1, ret);
}

void sv_multipart_abort(struct sv_multipart *m)
{
	struct sv_error first = m->bucket->client->error;
	sv_client *c = m->bucket->client;
	int (*interrupt)(void *data) = c->interrupt;
	struct sv_s3_do d;

	if (!*m->id)
		return;
	/* What was interrupted is cleared away all the same. */
	c->interrupt = NULL;
	sv_bucket_do(m->bucket, &d, "DELETE", m->key);
	sv_s3_query(&d, "uploadId", m->id);
	sv_s3_run(c, &d);
	c->interrupt = interrupt;
	c->error = first;
	m->id[0] = '\0';
}

void sv_multipart_etag(const struct sv_multipart *m, int n, char etag[SV_ETAG_SIZE])
{
	unsigned char digest[16];
	struct sv_md5 md5;

	etag[0] = '\0';
	sv_md5_init(&md5);
	for (int i = 0; i < n; i++) {
		if (!sv_etag_is_md5(m->parts[i].etag))
			return;
		sv_unhex(m->parts[i].etag, digest, sizeof(digest));
		sv_md5_add(&md5, digest, sizeof(digest));
	}
	sv_md5_end(&md5, digest);
	sv_hex(digest, sizeof(digest), etag);
	snprintf(etag + 32, SV_ETAG_SIZE - 32, "-%d", n);
}
