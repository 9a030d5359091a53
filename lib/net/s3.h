/* SPDX-License-Identifier: MIT */
/* One request of the S3 protocol over the engine: path style, signed anew at every attempt, bodies
 * streamed both ways, errors made of the contract's. */
#ifndef SV_NET_S3_H
#define SV_NET_S3_H

#include "net/engine.h"

/* Where a bucket is, and as whom. */
struct sv_s3_place {
	struct sv_endpoint endpoint;
	char host[300]; /* as the Host header has it */
	char region[64], bucket[256], access_key[256];
	char *secret;      /* wiped by sv_s3_place_end() */
	int refused;       /* set: the service does not know the key */
	int no_sums;       /* set: the service refuses checksums of S3's newer kinds */
	int plain_payload; /* bodies need no digest of the signature's own: TLS, or this machine */
};

struct sv_s3_word {
	const char *name, *value;
};

#define SV_S3_WORDS 12

/* One request; its maker owns it and it must outlive the op. */
struct sv_s3_do {
	struct sv_s3_place *place;
	const char *method;
	const char *key; /* as it is; NULL for the bucket itself */
	struct sv_s3_word query[SV_S3_WORDS], headers[SV_S3_WORDS]; /* ended by a NULL name */
	const void *body;                                           /* or NULL */
	size_t body_len;
	/* A long body instead: read_len bytes, from the start again after rewind. */
	int64_t (*read)(struct sv_s3_do *d, char *buf, size_t size);
	int64_t read_len;
	const char *digest; /* of what read gives, 64 hex digits; NULL: not signed */
	/* Before every attempt; may change headers. SV_OK or a code with *err. Or NULL. */
	int (*again)(struct sv_s3_do *d, struct sv_error *err);
	/* Takes the body of a 2xx answer as it comes; 0, or -1 with code set. Or NULL: it is in
	 * x->reply at answer. */
	int (*sink)(struct sv_s3_do *d, const struct sv_xfer *x, const char *data, size_t len);
	/* A 2xx answer, whole. SV_OK, or a code with *err; SV_NET has it tried again. Or NULL. */
	int (*answer)(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err);
	int patient; /* the service may think for minutes before it answers */
	void *data;

	int code;      /* why sink or read gave up */
	int64_t moved; /* bytes that sink took in this attempt */
	int advanced;  /* sink's own: some of them were new, so counting attempts begins anew */
	char wire[64]; /* S3's own word for a failure: "NoSuchKey" */
	char digest_own[65];
};

/* endpoint, region, bucket and keys into a place; SV_CONFIG fills *err. */
int sv_s3_place_set(struct sv_s3_place *p, const char *endpoint, const char *region,
	const char *bucket, const char *access_key, const char *secret, struct sv_error *err);
void sv_s3_place_end(struct sv_s3_place *p);

/* Adds to the request; values are borrowed. */
void sv_s3_query(struct sv_s3_do *d, const char *name, const char *value);
void sv_s3_header(struct sv_s3_do *d, const char *name, const char *value);

/* Starts it; NULL: see the client's error. */
sv_op *sv_s3_start(sv_client *c, struct sv_s3_do *d, sv_done *done, void *data);
/* The same, waited for. SV_OK or a code, the error is the client's. */
int sv_s3_run(sv_client *c, struct sv_s3_do *d);

/* The answer's error document into *err; returns err->code. */
int sv_s3_error(
	const struct sv_s3_place *p, const struct sv_xfer *x, char wire[64], struct sv_error *err);
/* The same for a document that came with status 200; SV_OK when it is none. */
int sv_s3_late_error(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err);

#endif
