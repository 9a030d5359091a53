/* SPDX-License-Identifier: MIT */
/** @file dataset.h
 * The public library of datasets: read only inside instances, at fixed paths. */
#ifndef STARVERSE_DATASET_H
#define STARVERSE_DATASET_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A dataset. */
struct sv_dataset {
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

/** A page of datasets. */
struct sv_dataset_list {
	size_t n;
	struct sv_dataset **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_dataset_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name;
	const char *search; /**< words in name or title, Chinese or English */
	int64_t min_size_gib, max_size_gib, min_tokens;
};

/** A new, empty filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_dataset_filter *sv_dataset_filter_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_dataset_list(
	sv_client *c, const struct sv_dataset_filter *filter, struct sv_dataset_list **ret);
/** One dataset by its id. */
SV_API int sv_dataset_get(sv_client *c, const char *id, struct sv_dataset **ret);

#ifdef __cplusplus
}
#endif

#endif
