/* SPDX-License-Identifier: MIT */
/** @file model.h
 * The public library of models: read only inside instances, at fixed paths. */
#ifndef STARVERSE_MODEL_H
#define STARVERSE_MODEL_H

#include <starverse/common.h>
#include <starverse/object.h>
#include <starverse/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model. */
struct sv_model {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *title;
	int64_t size_gib;
	const char *license;
	const char *path; /**< absolute, inside every instance that mounts it */
	const char *revision;
	int64_t tokens;
	struct sv_strs aligned_models; /**< names of the models whose tokens it fits */
	int simulated;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of models. */
struct sv_model_list {
	size_t n;
	struct sv_model **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_model_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name;
	const char *search; /**< words in name or title, Chinese or English */
	int64_t min_size_gib, max_size_gib, min_tokens;
};

/** Where to copy to. */
struct sv_model_copy_body {
	struct sv_set set;
	const char *instance; /**< id or name */
	const char *path;     /**< absolute, inside */
};

/** A new, empty filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_model_filter *sv_model_filter_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_model_list(
	sv_client *c, const struct sv_model_filter *filter, struct sv_model_list **ret);
/** One model by its id. */
SV_API int sv_model_get(sv_client *c, const char *id, struct sv_model **ret);
/** Copies its files into a running instance. *ret is the operation to wait for. */
SV_API int sv_model_copy(sv_client *c, const char *id, const char *instance, const char *path,
	struct sv_operation **ret);

#ifdef __cplusplus
}
#endif

#endif
