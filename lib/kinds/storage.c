/* SPDX-License-Identifier: MIT */
/* Cloud storages: tables only. */
#include <starverse/storage.h>

#include "base/err.h"
#include "kinds/kinds.h"

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_storage, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "sto_6t1h9c"),
	SV_FIELD(struct sv_storage, name, STR, "name, need not be unique",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "team"),
	SV_FIELD(struct sv_storage, size_gib, GIB, "what it may hold",
		SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "100"),
	SV_FIELD(struct sv_storage, used_bytes, BYTES, "what it holds", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_storage, endpoint, STR, "URL where it speaks S3", SV_ALWAYS | SV_WIDE,
		.example = "http://127.0.0.1:21000"),
	SV_FIELD(struct sv_storage, price_per_gib_month, MONEY, "price of one GiB for 30 days",
		SV_ALWAYS | SV_WIDE),
	SV_COMMON_ROWS(struct sv_storage),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_storage_filter),
	SV_SORT_ROW(struct sv_storage_filter),
	SV_FIELD(struct sv_storage_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_storage_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
};
SV_KIND(sv_storage_filter_kind, struct sv_storage_filter, "storage_filter",
	"which storages to list", filter_fields, .plural = NULL);

static int check_size(int64_t size, struct sv_error *err)
{
	return size > 0 ? SV_OK
			: sv_err_field(err, "size_gib", "range", "must be at least 1 GiB");
}

static int create_check(const void *obj, struct sv_error *err)
{
	const struct sv_storage_create_body *b = obj;

	return sv_has(b, size_gib) || b->size_gib ? check_size(b->size_gib, err) : SV_OK;
}

static const struct sv_field create_fields[] = {
	SV_FIELD(struct sv_storage_create_body, name, STR, "name, need not be unique",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "team"),
	SV_FIELD(struct sv_storage_create_body, size_gib, GIB, "what it may hold",
		SV_CREATE | SV_REQUIRED, .example = "100"),
	SV_FIELD(struct sv_storage_create_body, labels, MAP, "free-form labels", SV_CREATE,
		.option = "label"),
};
SV_KIND(sv_storage_create_body_kind, struct sv_storage_create_body, "storage_create",
	"a storage to create", create_fields, .check = create_check);

static const struct sv_field credentials_fields[] = {
	SV_FIELD(struct sv_storage_credentials, access_key, STR, "id of the key",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_storage_credentials, secret_key, STR, "the key, shown once",
		SV_ALWAYS | SV_COL | SV_SECRET),
	SV_FIELD(struct sv_storage_credentials, region, STR, "region that requests are signed for",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_storage_credentials, endpoint, STR, "URL where it speaks S3",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_storage_credentials, bucket, STR, "what the storage is called there",
		SV_ALWAYS | SV_COL),
};
SV_KIND(sv_storage_credentials_kind, struct sv_storage_credentials, "storage_credentials",
	"a key pair of a storage", credentials_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/storages", "list storages", .query = &sv_storage_filter_kind,
		.out = &sv_storage_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/storages", "create a storage",
		.in = &sv_storage_create_body_kind, .out = &sv_storage_kind,
		.flags = SV_KEYED | SV_BILLS },
	SV_GET_VERB("/v1/storages/{id}", "show one storage", &sv_storage_kind),
	{ "update", SV_PATCH, "/v1/storages/{id}", "change a storage's name, size or labels",
		.in = &sv_storage_kind, .out = &sv_storage_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/storages/{id}", "delete a storage with all that is in it",
		.out = &sv_storage_kind, .flags = SV_CONFIRM },
	{ "credentials", SV_POST, "/v1/storages/{id}/credentials",
		"make a key pair for S3, shown once", .out = &sv_storage_credentials_kind,
		.flags = SV_KEYED },
	{ 0 },
};

static int check(const void *obj, struct sv_error *err)
{
	const struct sv_storage *s = obj;

	return sv_has(s, size_gib) ? check_size(s->size_gib, err) : SV_OK;
}

SV_KIND(sv_storage_kind, struct sv_storage, "storage",
	"a shared directory for any number of instances, and for S3", fields, .plural = "storages",
	.prefix = "sto_", .verbs = verbs, .check = check);
