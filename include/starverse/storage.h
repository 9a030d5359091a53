/* SPDX-License-Identifier: MIT */
/** @file storage.h
 * Cloud storages: shared directories that any number of instances mount at once, and that speak S3.
 */
#ifndef STARVERSE_STORAGE_H
#define STARVERSE_STORAGE_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A storage. Money is micro-yuan. */
struct sv_storage {
	struct sv_set set;
	const char *id;
	const char *name;
	int64_t size_gib;     /**< what it may hold, and what is billed */
	int64_t used_bytes;   /**< what it holds; null when that is not known */
	const char *endpoint; /**< URL where its objects are reached by S3; null: not by S3 */
	int64_t price_per_gib_month;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of storages. */
struct sv_storage_list {
	size_t n;
	struct sv_storage **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_storage_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name;
	struct sv_map labels;
};

/** What to create. */
struct sv_storage_create_body {
	struct sv_set set;
	const char *name;
	int64_t size_gib;
	struct sv_map labels;
};

/** A key pair for one storage, and where it is good. */
struct sv_storage_credentials {
	struct sv_set set;
	const char *access_key;
	const char *secret_key; /**< shown this once */
	const char *region;
	const char *endpoint;
	const char *bucket;
};

/** A new, empty storage, filter or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_storage *sv_storage_new(void);
SV_API struct sv_storage_filter *sv_storage_filter_new(void);           /**< see sv_storage_new() */
SV_API struct sv_storage_create_body *sv_storage_create_body_new(void); /**< see sv_storage_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_storage_list(
	sv_client *c, const struct sv_storage_filter *filter, struct sv_storage_list **ret);
/** One storage by its id. */
SV_API int sv_storage_get(sv_client *c, const char *id, struct sv_storage **ret);
/** Creates it; its size is billed from that second until it is deleted. */
SV_API int sv_storage_create(
	sv_client *c, const struct sv_storage_create_body *body, struct sv_storage **ret);
/** Sends exactly the marked members of changes: name, size_gib, labels. */
SV_API int sv_storage_update(
	sv_client *c, const char *id, const struct sv_storage *changes, struct sv_storage **ret);
/** Deletes it with all that is in it; refused (SV_CONFLICT, "invalid_state") while an instance
 * mounts it. */
SV_API int sv_storage_delete(sv_client *c, const char *id, struct sv_storage **ret);
/** A new key pair for S3; those given before stay good. */
SV_API int sv_storage_credentials(
	sv_client *c, const char *id, struct sv_storage_credentials **ret);

#ifdef __cplusplus
}
#endif

#endif
