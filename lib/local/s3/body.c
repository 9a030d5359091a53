/* SPDX-License-Identifier: MIT */
/* Bodies: plain, or cut into chunks that are signed one after the other, with checksums before or
 * behind. What comes out goes to the sink at once; nothing of it counts before the end said yes. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sha256.h"
#include "base/str.h"
#include "local/s3/s3.h"
#include "starverse/common.h"

enum { SIZE_LINE, DATA, DATA_END, TRAILER, ENDED };

static int of_object(const struct s3_request *rq)
{
	return rq->op && rq->op->sums_what_comes;
}

static int declared(struct s3_request *rq, unsigned *wanted)
{
	struct s3_body *b = &rq->body;
	const char *trailer = s3_header(rq, "x-amz-trailer"), *md5 = s3_header(rq, "content-md5");

	for (size_t i = 0; i < rq->n_headers; i++) {
		int which = s3_sum_of_header(rq->headers[i].name);

		if (which < 0)
			continue;
		if (!of_object(rq))
			*wanted |= 1U << which;
		snprintf(b->given[which], sizeof(b->given[which]), "%s", rq->headers[i].value);
	}
	if (md5)
		snprintf(b->given[S3_MD5], sizeof(b->given[S3_MD5]), "%s", md5);
	if (trailer && s3_sum_of_header(trailer) < 0)
		return s3_fail(rq, "InvalidRequest", "x-amz-trailer names no known checksum");
	if (trailer)
		*wanted |= 1U << s3_sum_of_header(trailer);
	for (int i = 0; i < S3_SUMS; i++) {
		unsigned char digest[32];

		if (b->given[i][0] && sv_base64_decode(b->given[i], strlen(b->given[i]), digest,
					      sizeof(digest)) != (int64_t)s3_sum_size(i))
			return s3_fail(rq, i == S3_MD5 ? "InvalidDigest" : "InvalidRequest",
				"a checksum is not base64 of its length");
	}
	return 0;
}

int s3_body_init(struct s3_request *rq)
{
	struct s3_body *b = &rq->body;
	const char *length = s3_header(rq, "x-amz-decoded-content-length");
	unsigned wanted = 1U << S3_MD5;

	b->expected = rq->content_length;
	b->chain = rq->chain;
	sv_buf_init(&b->trailer, S3_LINE_MAX);
	if (b->sha256[0])
		wanted |= 1U << S3_SHA256;
	if (b->wrap != S3_PLAIN &&
		(!length || sv_parse_int(length, &b->expected) || b->expected < 0))
		return s3_fail(rq, "MissingContentLength",
			"x-amz-decoded-content-length is needed with aws-chunked");
	if (declared(rq, &wanted))
		return -1;
	if (b->expected > S3_PUT_MAX)
		return s3_fail(rq, "EntityTooLarge", "at most 5 GiB may come in one body");
	return s3_sums_init(&b->sums, wanted) || (b->wrap == S3_CHUNKED_SIGNED &&
							 s3_sums_init(&b->chunk, 1U << S3_SHA256))
		       ? s3_fail(rq, "SlowDown", "out of memory")
		       : 0;
}

static int out(struct s3_request *rq, const char *data, size_t len)
{
	struct s3_body *b = &rq->body;

	b->got += (int64_t)len;
	if (b->got > S3_PUT_MAX || (b->expected >= 0 && b->got > b->expected))
		return s3_fail(rq, "IncompleteBody", "more bytes came than were announced");
	s3_sums_add(&b->sums, data, len);
	if (b->wrap == S3_CHUNKED_SIGNED)
		s3_sums_add(&b->chunk, data, len);
	return b->sink ? b->sink(rq, data, len) : 0;
}

static int malformed(struct s3_request *rq)
{
	return s3_fail(rq, "IncompleteBody", "the body is not well-formed aws-chunked");
}

/* "10000;chunk-signature=..." */
static int size_line(struct s3_request *rq)
{
	struct s3_body *b = &rq->body;
	char *semicolon = strchr(b->line, ';'), *equals = semicolon ? strchr(semicolon, '=') : NULL;
	size_t digits = semicolon ? (size_t)(semicolon - b->line) : strlen(b->line);

	b->left = 0;
	if (!digits || digits > 10)
		return malformed(rq);
	for (size_t i = 0; i < digits; i++) {
		int v = sv_hex_digit(b->line[i]);

		if (v < 0)
			return malformed(rq);
		b->left = b->left * 16 + v;
	}
	b->chunk_signature[0] = '\0';
	if (equals && !strncmp(semicolon, ";chunk-signature=", 17))
		snprintf(b->chunk_signature, sizeof(b->chunk_signature), "%s", equals + 1);
	if (b->wrap == S3_CHUNKED_SIGNED && strlen(b->chunk_signature) != 64)
		return malformed(rq);
	return 0;
}

/* A chunk has come to its end: is it the one that was signed? */
static int chunk_end(struct s3_request *rq)
{
	struct s3_body *b = &rq->body;
	unsigned char digest[32];
	char hex[65], signature[65];

	if (b->wrap != S3_CHUNKED_SIGNED)
		return 0;
	s3_sum_end(&b->chunk, S3_SHA256, digest);
	s3_sums_free(&b->chunk);
	if (s3_sums_init(&b->chunk, 1U << S3_SHA256))
		return s3_fail(rq, "SlowDown", "out of memory");
	sv_hex(digest, sizeof(digest), hex);
	sv_sigv4_chunk(&b->chain, hex, signature);
	return sv_sigv4_equal(signature, b->chunk_signature)
		       ? 0
		       : s3_fail(rq, "SignatureDoesNotMatch",
				 "a chunk of the body is not the signed one");
}

static int trailer_line(struct s3_request *rq)
{
	struct s3_body *b = &rq->body;
	char *colon = strchr(b->line, ':'), hex[65], signature[65];
	int which;

	if (!colon)
		return malformed(rq);
	if (!strncasecmp(b->line, "x-amz-trailer-signature:", 24)) {
		sv_sha256_hex(sv_buf_text(&b->trailer), b->trailer.len, hex);
		sv_sigv4_trailer(&b->chain, hex, signature);
		b->has_trailer = 2; /* seen and signed */
		return sv_sigv4_equal(signature, colon + 1)
			       ? 0
			       : s3_fail(rq, "SignatureDoesNotMatch",
					 "the trailer is not the signed one");
	}
	sv_buf_fmt(&b->trailer, "%s\n", b->line);
	*colon = '\0';
	which = s3_sum_of_header(b->line);
	if (which < 0 || b->trailer.failed)
		return malformed(rq);
	snprintf(b->given[which], sizeof(b->given[which]), "%s", colon + 1);
	return 0;
}

/* A line of the wrapping, without its end. */
static int line(struct s3_request *rq)
{
	struct s3_body *b = &rq->body;

	if (b->state == DATA_END) {
		b->state = SIZE_LINE;
		return b->line_len ? malformed(rq) : 0;
	}
	if (b->state == SIZE_LINE) {
		if (size_line(rq))
			return -1;
		b->state = b->left ? DATA : TRAILER;
		return b->left ? 0 : chunk_end(rq);
	}
	if (!b->line_len) {
		b->state = ENDED;
		return 0;
	}
	return b->has_trailer ? trailer_line(rq) : malformed(rq);
}

/* Up to the line's end; how much was taken. */
static size_t take_line(struct s3_request *rq, const char *data, size_t len, int *bad)
{
	struct s3_body *b = &rq->body;
	const char *end = memchr(data, '\n', len);
	size_t n = end ? (size_t)(end - data) : len;

	if (b->line_len + n >= sizeof(b->line)) {
		*bad = malformed(rq);
		return len;
	}
	memcpy(b->line + b->line_len, data, n);
	b->line_len += n;
	if (!end)
		return n;
	while (b->line_len && b->line[b->line_len - 1] == '\r')
		b->line_len--;
	b->line[b->line_len] = '\0';
	*bad = strlen(b->line) != b->line_len ? malformed(rq) : line(rq);
	b->line_len = 0;
	return n + 1;
}

int s3_body_add(struct s3_request *rq, const char *data, size_t len)
{
	struct s3_body *b = &rq->body;
	int bad = 0;

	if (b->wrap == S3_PLAIN)
		return out(rq, data, len);
	while (len && !bad) {
		size_t n;

		if (b->state == ENDED)
			return malformed(rq);
		if (b->state != DATA) {
			n = take_line(rq, data, len, &bad);
		} else {
			n = (int64_t)len < b->left ? len : (size_t)b->left;
			bad = out(rq, data, n);
			b->left -= (int64_t)n;
			if (!bad && !b->left) {
				b->state = DATA_END;
				bad = chunk_end(rq);
			}
		}
		data += n;
		len -= n;
	}
	return bad;
}

static int digest_compare(
	struct s3_request *rq, int which, const unsigned char *digest, const char *of)
{
	const char *given = rq->body.given[which];
	unsigned char want[32];
	size_t n = s3_sum_size(which);

	if (sv_base64_decode(given, strlen(given), want, sizeof(want)) == (int64_t)n &&
		!memcmp(want, digest, n))
		return 0;
	return s3_fail(rq, "BadDigest", "%s is not that of the %s",
		s3_sum_header(which) ? s3_sum_header(which) : "Content-MD5", of);
}

int s3_sum_compare(struct s3_request *rq, struct s3_sums *sums, int which)
{
	unsigned char digest[32];

	s3_sum_end(sums, which, digest);
	return digest_compare(rq, which, digest, "object");
}

static int check_sum(struct s3_request *rq, int which, unsigned char digest[32])
{
	struct s3_body *b = &rq->body;
	size_t n = s3_sum_end(&b->sums, which, digest);
	char hex[65];

	if (which == S3_SHA256 && b->sha256[0]) {
		sv_hex(digest, n, hex);
		if (strcmp(hex, b->sha256) != 0)
			return s3_fail(rq, "XAmzContentSHA256Mismatch",
				"x-amz-content-sha256 is not that of the body");
	}
	if (!b->given[which][0] || (which != S3_MD5 && of_object(rq)))
		return 0;
	return digest_compare(rq, which, digest, "body");
}

int s3_body_end(struct s3_request *rq)
{
	struct s3_body *b = &rq->body;
	const char *trailer = s3_header(rq, "x-amz-trailer");
	unsigned char digest[32];

	if (b->wrap != S3_PLAIN && b->state != ENDED)
		return malformed(rq);
	if (b->expected >= 0 && b->got != b->expected)
		return s3_fail(rq, "IncompleteBody", "%lld bytes were announced, %lld came",
			(long long)b->expected, (long long)b->got);
	if (b->wrap == S3_CHUNKED_SIGNED && b->has_trailer == 1)
		return s3_fail(rq, "SignatureDoesNotMatch", "the trailer is not signed");
	if (trailer && !b->given[s3_sum_of_header(trailer)][0])
		return s3_fail(rq, "InvalidRequest", "the trailer that was announced did not come");
	for (int i = 0; i < S3_SUMS; i++) {
		if (!(b->sums.wanted & 1U << i))
			continue;
		if (check_sum(rq, i, digest))
			return -1;
		if (i == S3_MD5)
			sv_hex(digest, 16, rq->meta.etag);
		else if (b->given[i][0] && !of_object(rq) &&
			 s3_meta_add(&rq->meta, s3_sum_header(i), b->given[i]))
			return s3_fail(rq, "MetadataTooLarge", "the object's headers are too long");
	}
	return 0;
}

void s3_body_free(struct s3_body *b)
{
	s3_sums_free(&b->sums);
	s3_sums_free(&b->chunk);
	sv_buf_free(&b->trailer);
}
