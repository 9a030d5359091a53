/* SPDX-License-Identifier: MIT */
/** @file snapshot.h
 * Frozen copies of system and data disks. */
#ifndef STARVERSE_SNAPSHOT_H
#define STARVERSE_SNAPSHOT_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A snapshot. */
struct sv_snapshot {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *disk;     /**< id of the disk it was made of */
	const char *instance; /**< id of the instance whose system disk that was, or NULL */
	int64_t size_gib;     /**< size of that disk */
	const char *status;   /**< "creating", "ready" or "error" */
	int64_t progress_percent;
	const char *operation_id;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of snapshots. */
struct sv_snapshot_list {
	size_t n;
	struct sv_snapshot **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_snapshot_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, name, instance;
	struct sv_map labels;
};

/** What to make it of: exactly one of instance and disk. */
struct sv_snapshot_create_body {
	struct sv_set set;
	const char *instance; /**< id or name */
	const char *disk;     /**< id or name */
	const char *name;
	struct sv_map labels;
};

/** A new, empty snapshot, filter or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_snapshot *sv_snapshot_new(void);
SV_API struct sv_snapshot_filter *sv_snapshot_filter_new(void); /**< see sv_snapshot_new() */
/** See sv_snapshot_new(). */
SV_API struct sv_snapshot_create_body *sv_snapshot_create_body_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_snapshot_list(
	sv_client *c, const struct sv_snapshot_filter *filter, struct sv_snapshot_list **ret);
/** One snapshot by its id. */
SV_API int sv_snapshot_get(sv_client *c, const char *id, struct sv_snapshot **ret);
/** Makes one; a running instance stands still meanwhile. */
SV_API int sv_snapshot_create(
	sv_client *c, const struct sv_snapshot_create_body *body, struct sv_snapshot **ret);
/** Sends exactly the marked members of changes: name, labels. */
SV_API int sv_snapshot_update(
	sv_client *c, const char *id, const struct sv_snapshot *changes, struct sv_snapshot **ret);
/** Deletes it; what was made from it stays. */
SV_API int sv_snapshot_delete(sv_client *c, const char *id, struct sv_snapshot **ret);

#ifdef __cplusplus
}
#endif

#endif
