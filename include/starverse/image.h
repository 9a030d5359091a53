/* SPDX-License-Identifier: MIT */
/** @file image.h
 * What an instance boots from. */
#ifndef STARVERSE_IMAGE_H
#define STARVERSE_IMAGE_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An image. Money is micro-yuan. */
struct sv_image {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *visibility;   /**< "public" or "private" */
	const char *status;       /**< "creating", "ready" or "error" */
	struct sv_map frameworks; /**< name to version */
	struct sv_map plugins;    /**< name to version */
	struct sv_strs backends;  /**< that it fits */
	const char *arch;
	int64_t size_gib;
	const char *source_instance; /**< id, or NULL */
	int64_t price_per_hour;
	int simulated;
	const char *operation_id;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of images. */
struct sv_image_list {
	size_t n;
	struct sv_image **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_image_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, name;
	struct sv_map labels;
	const char *search; /**< words that stand in name or frameworks */
};

/** A new, empty image or filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_image *sv_image_new(void);
SV_API struct sv_image_filter *sv_image_filter_new(void); /**< see sv_image_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_image_list(
	sv_client *c, const struct sv_image_filter *filter, struct sv_image_list **ret);
/** One image by its id. */
SV_API int sv_image_get(sv_client *c, const char *id, struct sv_image **ret);
/** Sends exactly the marked members of changes: name, labels; private images only. */
SV_API int sv_image_update(
	sv_client *c, const char *id, const struct sv_image *changes, struct sv_image **ret);
/** Deletes a private image; instances made from it stay. */
SV_API int sv_image_delete(sv_client *c, const char *id, struct sv_image **ret);

#ifdef __cplusplus
}
#endif

#endif
