/* SPDX-License-Identifier: MIT */
/* What the calls on buckets share. */
#ifndef SV_API_BUCKET_H
#define SV_API_BUCKET_H

#include <starverse/bucket.h>

#include "base/buf.h"
#include "net/s3.h"

#define SV_PART_LEAST INT64_C(5242880) /* S3's own bounds of a part */
#define SV_PART_MOST  INT64_C(5368709120)
#define SV_PARTS_MOST 10000
#define SV_KEY_MOST   1024 /* bytes of a key */
#define SV_ETAG_SIZE  160

struct sv_bucket {
	sv_client *client;
	struct sv_s3_place place;
	char *key_file; /* the platform's key pair is kept there, or NULL */
};

/* A key that may be sent; SV_INVALID, the error is the client's. */
int sv_bucket_key(sv_bucket *b, const char *key);
/* A request of this bucket. */
void sv_bucket_do(sv_bucket *b, struct sv_s3_do *d, const char *method, const char *key);

/* An etag without its quotes, of the answer or of a document. */
void sv_etag_clean(const char *text, char etag[SV_ETAG_SIZE]);
void sv_etag_of(const struct sv_xfer *x, char etag[SV_ETAG_SIZE]);
/* 1 when it is the MD5 of the contents: 32 hex digits. */
int sv_etag_is_md5(const char *etag);

/* An object that the headers of an answer describe; *ret is a root. */
int sv_bucket_describe(const struct sv_xfer *x, const char *key, struct sv_bucket_object **ret);
/* HEAD with what the service says of the whole object's CRC-32C, "" for nothing. */
int sv_bucket_head_sum(
	sv_bucket *b, const char *key, struct sv_bucket_object **ret, char crc32c[16]);
/* Whole numbers of a header or a document; -1 when there is none. */
int64_t sv_bucket_number(const char *text);

/* Opens one of the configuration's own storages; SV_NOTFOUND when it has none of this name. */
int sv_bucket_configured(sv_client *c, const char *name, sv_bucket **ret);
/* The platform's. */
int sv_bucket_of_platform(sv_client *c, const char *name, sv_bucket **ret);

#endif
