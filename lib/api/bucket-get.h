/* SPDX-License-Identifier: MIT */
/* Reading an object from some byte on, over as many connections as it takes. */
#ifndef SV_API_BUCKET_GET_H
#define SV_API_BUCKET_GET_H

#include "api/bucket.h"

/* One reading; zeroed but for what is said. */
struct sv_getting {
	sv_bucket *bucket;
	const char *key;
	int64_t offset, length;  /* length -1: to the end */
	char etag[SV_ETAG_SIZE]; /* the object must be this one; "" for any, then it is set */
	int (*sink)(void *data, const void *bytes, size_t len);
	void *data;
	int64_t got;                /* bytes that sink took */
	struct sv_bucket_object *o; /* as the first answer described it; a root, or NULL */
	char crc32c[16];            /* of the whole object as the service says, or "" */
	int changed;                /* the object is another by now: the failure's reason */
	char range[64], match[SV_ETAG_SIZE + 2];
	int64_t skip; /* bytes at the head of an answer that knows no ranges */
	struct sv_s3_do request;
};

/* SV_OK or a code; the error is the client's. o is the caller's to free, also after a failure. */
int sv_getting_run(struct sv_getting *g);

#endif
