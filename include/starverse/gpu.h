/* SPDX-License-Identifier: MIT */
/** @file gpu.h
 * Offers: accelerators that can be rented, of every vendor alike. Read only; an offer's id is its
 * model name. */
#ifndef STARVERSE_GPU_H
#define STARVERSE_GPU_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A promotional price. */
struct sv_gpu_promo {
	struct sv_set set;
	int64_t unit_price_per_hour;
	int64_t max_cards; /**< it applies to instances of at most so many */
};

/** An offer. Money is micro-yuan. */
struct sv_gpu {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *vendor;
	const char *model;
	int64_t memory_gib; /**< of one card */
	struct sv_strs backends;
	int64_t max_count;           /**< cards in one instance */
	int64_t free;                /**< cards free now */
	int64_t unit_price_per_hour; /**< of one card */
	struct sv_gpu_promo *promo;
	int64_t minimum_seconds; /**< shortest rental, billed in any case */
	int64_t vcpus_per_card;
	int64_t ram_gib_per_card;
	const char *fabric;
	const char *zone;
	const char *availability; /**< "none", "low", "medium" or "high" */
	int simulated;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of offers. */
struct sv_gpu_list {
	size_t n;
	struct sv_gpu **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_gpu_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name, vendor, backend, availability;
	int64_t min_memory_gib, max_memory_gib, min_free, min_max_count;
};

/** A new, empty filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_gpu_filter *sv_gpu_filter_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_gpu_list(sv_client *c, const struct sv_gpu_filter *filter, struct sv_gpu_list **ret);
/** One offer by its model name. */
SV_API int sv_gpu_get(sv_client *c, const char *id, struct sv_gpu **ret);

#ifdef __cplusplus
}
#endif

#endif
