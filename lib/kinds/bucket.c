/* SPDX-License-Identifier: MIT */
/* What buckets hold, and where foreign ones are: no resources of the contract, but read by the same
 * rows. */
#include <starverse/bucket.h>

#include "kinds/kinds.h"

typedef struct sv_bucket_object object;
typedef struct sv_bucket_site site;

static const struct sv_field object_fields[] = {
	SV_FIELD(object, key, STR, "name of the object", SV_NAME | SV_COL),
	SV_FIELD(object, size_bytes, BYTES, "bytes it holds", SV_COL),
	SV_FIELD(object, modified_at, TIME, "when it was stored", SV_COL),
	SV_FIELD(object, etag, STR, "names its contents", SV_WIDE),
	SV_FIELD(object, prefix, BOOL, "1: the beginning of keys, no object", SV_WIDE),
	SV_FIELD(object, content_type, STR, "what it says it is", 0),
};

SV_KIND(sv_bucket_object_kind, object, "object", "an object of cloud storage", object_fields,
	.plural = NULL);

static const struct sv_field site_fields[] = {
	SV_FIELD(site, endpoint, STR, "https://HOST[:PORT] or http://HOST[:PORT]",
		SV_IN | SV_REQUIRED),
	SV_FIELD(site, region, STR, "region that requests are signed for", SV_IN,
		.example = "us-east-1"),
	SV_FIELD(site, bucket, STR, "name of the bucket there", SV_IN | SV_REQUIRED),
	SV_FIELD(site, access_key, STR, "id of the key", SV_IN | SV_REQUIRED),
	SV_FIELD(site, secret_key, STR, "the key", SV_SECRET | SV_NOARG),
	SV_FIELD(site, secret_key_command, STRS, "program and arguments that print the key", SV_IN),
};

SV_KIND(sv_bucket_site_kind, site, "storage_site", "a bucket that is not the platform's",
	site_fields, .plural = NULL);

const struct sv_kind *sv_kind_bucket_object(void)
{
	return &sv_bucket_object_kind;
}

const struct sv_kind *sv_kind_bucket_site(void)
{
	return &sv_bucket_site_kind;
}
