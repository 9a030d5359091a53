/* SPDX-License-Identifier: MIT */
/* One part on its way: the checksum first, then its bytes, then a look at what the service has. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/upload.h"
#include "base/arena.h"
#include "base/crc32c.h"
#include "base/err.h"
#include "base/md5.h"
#include "base/sha256.h"
#include "base/str.h"
#include "kinds/kinds.h"

#define PIECE ((size_t)256 << 10)

/* What a part's bytes are told to. */
struct hashes {
	uint32_t crc;
	struct sv_md5 *md5;
	struct sv_sha256 *sha;
};

static void tell(struct hashes *h, const void *p, size_t n)
{
	h->crc = sv_crc32c(h->crc, p, n);
	if (h->md5)
		sv_md5_add(h->md5, p, n);
	if (h->sha)
		sv_sha256_add(h->sha, p, n);
}

/* Bytes of the part from at on; their number, 0 past the end of the file, -1. */
static int64_t bytes_at(const struct sv_sending *s, int64_t at, char *buf, size_t size)
{
	size_t n = (int64_t)size < s->size - at ? size : (size_t)(s->size - at);

	if (s->fd >= 0)
		return n ? pread(s->fd, buf, n, (off_t)(s->offset + at)) : 0;
	memcpy(buf, s->bytes + s->offset + at, n);
	return (int64_t)n;
}

static int hash(const struct sv_sending *s, struct hashes *h)
{
	char *buf = s->fd >= 0 ? sv_malloc(PIECE) : NULL;
	int64_t at = 0, n = 1;

	if (s->fd < 0) {
		tell(h, s->bytes + s->offset, (size_t)s->size);
		return SV_OK;
	}
	if (!buf)
		return SV_NOMEM;
	for (; at < s->size; at += n) {
		n = bytes_at(s, at, buf, PIECE);
		if (n <= 0)
			break;
		tell(h, buf, (size_t)n);
	}
	sv_mfree(buf);
	return at == s->size ? SV_OK : SV_IO;
}

static int md5_text(const struct sv_sending *s, char text[33])
{
	unsigned char digest[16];
	struct sv_md5 md5;
	struct hashes h = { .md5 = &md5 };
	int r;

	sv_md5_init(&md5);
	r = hash(s, &h);
	sv_md5_end(&md5, digest);
	sv_hex(digest, sizeof(digest), text);
	return r;
}

static int prepare(struct sv_sending *s, struct sv_error *err)
{
	unsigned char digest[32];
	struct sv_sha256 sha;
	struct hashes h = { .sha = s->bucket->place.plain_payload ? NULL : &sha };
	int r;

	sv_sha256_init(&sha);
	r = hash(s, &h);
	sv_crc32c_text(h.crc, s->crc32c);
	sv_sha256_end(&sha, digest);
	if (h.sha)
		sv_hex(digest, sizeof(digest), s->sha256);
	if (r == SV_IO)
		return sv_err(err, SV_IO, "the file is shorter than it was, or cannot be read");
	return r ? sv_err(err, r, "out of memory") : SV_OK;
}

static int again(struct sv_s3_do *d, struct sv_error *err)
{
	struct sv_sending *s = d->data;

	(void)err;
	s->at = 0;
	return SV_OK;
}

static int64_t give(struct sv_s3_do *d, char *buf, size_t size)
{
	struct sv_sending *s = d->data;
	int64_t n = bytes_at(s, s->at, buf, size);

	if (n < 0 || (!n && s->at < s->size)) {
		d->code = SV_IO;
		return -1;
	}
	s->at += n;
	/* The next part need not wait for the answer to this one. */
	if (s->at == s->size)
		sv_wakeup(s->bucket->client);
	return n;
}

int sv_sending_same(struct sv_sending *s, const struct sv_part *there)
{
	struct hashes h = { .crc = 0 };
	char text[33];

	if (there->size != s->size)
		return 0;
	if (*there->crc32c) {
		if (!*s->crc32c && !hash(s, &h))
			sv_crc32c_text(h.crc, s->crc32c);
		return !strcmp(there->crc32c, s->crc32c);
	}
	if (!sv_etag_is_md5(there->etag))
		return 0;
	return !md5_text(s, text) && !strcmp(text, there->etag);
}

/* The service says what it has; where it says nothing that can be compared, its word is taken. */
static int answer(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	struct sv_sending *s = d->data;
	const char *sum = sv_reply_header(x, "x-amz-checksum-crc32c");

	s->got = (struct sv_part){ .size = s->size };
	sv_etag_of(x, s->got.etag);
	if (sum && strlen(sum) == 8)
		snprintf(s->got.crc32c, sizeof(s->got.crc32c), "%s", sum);
	if ((*s->got.crc32c || sv_etag_is_md5(s->got.etag)) && !sv_sending_same(s, &s->got)) {
		sv_err(err, SV_NET, "%s: what arrived is not what was sent",
			d->place->endpoint.shown);
		err->retryable = 1;
		return SV_NET;
	}
	if (s->number)
		return *s->got.etag ? SV_OK
				    : sv_err(err, SV_PROTO, "the answer to a part has no ETag");
	sv_free(s->o);
	s->o = NULL;
	if (sv_bucket_describe(x, s->key, &s->o))
		return sv_err(err, SV_NOMEM, "out of memory");
	sv_put(s->o, size_bytes, s->size);
	return SV_OK;
}

static void fill(struct sv_sending *s)
{
	struct sv_s3_do *d = &s->request;

	sv_bucket_do(s->bucket, d, "PUT", s->key);
	if (s->number) {
		snprintf(s->number_text, sizeof(s->number_text), "%d", s->number);
		sv_s3_query(d, "partNumber", s->number_text);
		sv_s3_query(d, "uploadId", s->upload->id);
	} else {
		sv_s3_header(d, "Content-Type", "application/octet-stream");
		if (*s->mtime)
			sv_s3_header(d, "x-amz-meta-mtime", s->mtime);
	}
	s->summed = !s->bucket->place.no_sums;
	if (s->summed)
		sv_s3_header(d, "x-amz-checksum-crc32c", s->crc32c);
	d->digest = s->bucket->place.plain_payload ? NULL : s->sha256;
	d->read = give;
	d->read_len = s->size;
	d->again = again;
	d->answer = answer;
	d->data = s;
}

int sv_sending_start(struct sv_sending *s, sv_done *done, void *data)
{
	sv_client *c = s->bucket->client;
	int r = prepare(s, &c->error);

	if (r)
		return r;
	fill(s);
	s->op = sv_s3_start(c, &s->request, done, data);
	return s->op ? SV_OK : c->error.code;
}

int sv_sums_refused(sv_bucket *b, int code, int summed)
{
	if (code != SV_UNSUPPORTED || !summed)
		return 0;
	b->place.no_sums = 1;
	return 1;
}

int sv_sending_run(struct sv_sending *s)
{
	sv_client *c = s->bucket->client;
	int r;

	do {
		r = sv_sending_start(s, NULL, NULL);
		if (r)
			return r;
		sv_op_wait(s->op);
		c->error = s->op->err;
		r = sv_finish(s->op, NULL);
		s->op = NULL;
	} while (sv_sums_refused(s->bucket, r, s->summed));
	return r;
}

void sv_sending_mtime(const struct stat *st, char text[40])
{
	snprintf(text, 40, "%lld.%09ld", (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}
