/* SPDX-License-Identifier: MIT */
/* AWS Signature Version 4 as S3 uses it: one code signs for the client and verifies for the
 * platform. Bodies are hashed by the caller; what comes here is their digest as 64 hex digits, or
 * one of the words that S3 takes in its place. */
#ifndef SV_BASE_SIGV4_H
#define SV_BASE_SIGV4_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SV_SIGV4_UNSIGNED "UNSIGNED-PAYLOAD"
/* The digest of nothing. */
#define SV_SIGV4_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SV_SIGV4_MAX_NAMES 2047    /* bytes of the names of signed headers */
#define SV_SIGV4_MAX_EXPIRES 604800 /* seconds that a presigned URL may live */

struct sv_sigv4_key {
	const char *access, *secret, *region, *service; /* "us-east-1", "s3" */
};

struct sv_sigv4_header {
	const char *name, *value;
};

/* Path and query as on the wire, percent-encoded ("" for no query, without the '?'); the path's
 * encoding, the query's encoding and order do not matter. To sign: `headers` are those that shall
 * be signed, host among them, in any order and case; the caller sends them with these values. To
 * verify: all that came. */
struct sv_sigv4_request {
	const char *method, *path, *query;
	const struct sv_sigv4_header *headers;
	size_t n_headers;
	const char *payload; /* the value of x-amz-content-sha256 */
	const char *time;    /* "20130524T000000Z", the value of x-amz-date; ignored by verify */
};

/* Signatures of the pieces of one body, each over the one before (aws-chunked). */
struct sv_sigv4_chain {
	unsigned char key[32];
	char time[17], scope[160], last[65];
};

/* What a request says of its own signature. */
struct sv_sigv4_claim {
	char access[129], date[9], region[65], service[33], time[17], signature[65];
	char signed_headers[SV_SIGV4_MAX_NAMES + 1]; /* "host;x-amz-date" */
	int presigned;
	int64_t expires; /* seconds from time; presigned only */
};

/* The 16 digits and letters of a time in seconds since 1970. */
void sv_sigv4_time(int64_t t, char text[17]);
/* The other way; SV_OK or SV_INVALID. */
int sv_sigv4_parse_time(const char *text, int64_t *ret);

/* Appends the value of Authorization. chain may be NULL; else it is ready for the first chunk.
 * SV_OK, SV_INVALID (a part of the key is too long), SV_NOMEM. */
int sv_sigv4_sign(const struct sv_sigv4_key *key, const struct sv_sigv4_request *r,
	struct sv_buf *authorization, struct sv_sigv4_chain *chain);
/* Appends the whole query of a URL that works without headers but those of the request (usually
 * host alone) for `expires` seconds: the request's own query, the X-Amz- fields, the signature.
 * payload NULL means SV_SIGV4_UNSIGNED. */
int sv_sigv4_presign(const struct sv_sigv4_key *key, const struct sv_sigv4_request *r,
	int64_t expires, struct sv_buf *query);

/* Reads the claim from the Authorization header, or, where that is NULL, from a presigned query;
 * date is the value of x-amz-date (or NULL). SV_OK, SV_NOTFOUND (not signed at all), SV_INVALID
 * (signed in another way, or malformed). */
int sv_sigv4_claim(
	const char *authorization, const char *date, const char *query, struct sv_sigv4_claim *ret);
/* SV_OK; SV_AUTH where the signature is another; SV_DENIED where host or an x-amz- header came
 * unsigned; SV_NOMEM. The clock is the caller's to compare. chain may be NULL. */
int sv_sigv4_verify(const struct sv_sigv4_claim *claim, const char *secret,
	const struct sv_sigv4_request *r, struct sv_sigv4_chain *chain);

/* The signature of the next chunk, whose bytes have this digest; SV_SIGV4_EMPTY for the last. It is
 * also kept in the chain. */
void sv_sigv4_chunk(struct sv_sigv4_chain *chain, const char digest[65], char signature[65]);
/* The same for the trailer: the digest of its lines, each "name:value\n". */
void sv_sigv4_trailer(struct sv_sigv4_chain *chain, const char digest[65], char signature[65]);
/* 1 when equal, in a time that does not tell where they differ. */
int sv_sigv4_equal(const char *a, const char *b);

/* Starts a chain with the signature (`last`) of a request whose signed headers have these names:
 * what sign, presign and verify stand on. */
int sv_sigv4_begin(struct sv_sigv4_chain *c, const struct sv_sigv4_key *key, const char *time,
	const struct sv_sigv4_request *r, const char *names);
/* The canonical request that is signed: what to compare when a signature does not fit. names:
 * "a;b". */
void sv_sigv4_canonical(struct sv_buf *b, const struct sv_sigv4_request *r, const char *names);

/* Appends an object's key as a URL path: each byte encoded but RFC 3986's unreserved and '/'. */
int sv_sigv4_path(struct sv_buf *b, const char *key);

#endif
