/* SPDX-License-Identifier: MIT */
/** @file operation.h
 * Work that takes time, and afterwards the trail of what was done. */
#ifndef STARVERSE_OPERATION_H
#define STARVERSE_OPERATION_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One step. */
struct sv_operation_step {
	struct sv_set set;
	const char *name;
	/** "pending", "running", "succeeded", "failed", "skipped" (nothing to do) or "undone". */
	const char *status;
	int64_t started_at, ended_at;
};

/** Why it failed, as errors have it. */
struct sv_operation_error {
	struct sv_set set;
	const char *code;    /**< the contract's code */
	const char *message; /**< for people */
	const char *suggestion;
};

/** An operation. */
struct sv_operation {
	struct sv_set set;
	const char *id;
	const char *type;     /**< "instance.create" */
	const char *status;   /**< "running", "succeeded", "failed" or "cancelled" */
	const char *resource; /**< id of what it works on */
	int64_t progress_percent;
	struct sv_list steps; /**< of struct sv_operation_step */
	struct sv_operation_error *error;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
	const char *name; /**< of the resource, or NULL */
};

/** A page of operations. */
struct sv_operation_list {
	size_t n;
	struct sv_operation **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_operation_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, resource;
};

/** A new, empty operation or filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_operation *sv_operation_new(void);
SV_API struct sv_operation_filter *sv_operation_filter_new(void); /**< see sv_operation_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_operation_list(
	sv_client *c, const struct sv_operation_filter *filter, struct sv_operation_list **ret);
/** One operation by its id. */
SV_API int sv_operation_get(sv_client *c, const char *id, struct sv_operation **ret);
/** Gives it up where it can be undone. */
SV_API int sv_operation_cancel(sv_client *c, const char *id, struct sv_operation **ret);

#ifdef __cplusplus
}
#endif

#endif
