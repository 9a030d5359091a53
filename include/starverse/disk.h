/* SPDX-License-Identifier: MIT */
/** @file disk.h
 * Cloud disks: they outlive the instances they are attached to. */
#ifndef STARVERSE_DISK_H
#define STARVERSE_DISK_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where a disk is attached. */
struct sv_disk_attachment {
	struct sv_set set;
	const char *instance; /**< id */
	const char *path;     /**< absolute, inside */
	int read_only;
	const char *state; /**< "attached", "attaching", "detaching" or "planned" */
};

/** A disk. Money is micro-yuan. */
struct sv_disk {
	struct sv_set set;
	const char *id;
	const char *name;
	int64_t size_gib;
	const char *type;                      /**< "system" or "data" */
	const char *status;                    /**< see sv_kind_find("disk") for the words */
	struct sv_disk_attachment *attachment; /**< NULL when free */
	int64_t price_per_gib_month;
	const char *snapshot; /**< id of what it was made from, or NULL */
	const char *operation_id;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of disks. */
struct sv_disk_list {
	size_t n;
	struct sv_disk **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_disk_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, name, instance;
	struct sv_map labels;
	int all;
};

/** What to create. */
struct sv_disk_create_body {
	struct sv_set set;
	const char *name;
	int64_t size_gib;
	const char *snapshot; /**< id or name of what to fill it from, or NULL */
	struct sv_map labels;
};

/** Where to attach. */
struct sv_disk_attach_body {
	struct sv_set set;
	const char *instance; /**< id or name */
	const char *path;     /**< absolute, inside */
	int read_only;
};

/** How large from now on. */
struct sv_disk_resize_body {
	struct sv_set set;
	int64_t size_gib;
};

/** A new, empty disk, filter or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_disk *sv_disk_new(void);
SV_API struct sv_disk_filter *sv_disk_filter_new(void);           /**< see sv_disk_new() */
SV_API struct sv_disk_create_body *sv_disk_create_body_new(void); /**< see sv_disk_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_disk_list(
	sv_client *c, const struct sv_disk_filter *filter, struct sv_disk_list **ret);
/** One disk by its id. */
SV_API int sv_disk_get(sv_client *c, const char *id, struct sv_disk **ret);
/** Creates it; it is billed from that second until it is deleted. */
SV_API int sv_disk_create(
	sv_client *c, const struct sv_disk_create_body *body, struct sv_disk **ret);
/** Sends exactly the marked members of changes: name, labels. */
SV_API int sv_disk_update(
	sv_client *c, const char *id, const struct sv_disk *changes, struct sv_disk **ret);
/** Deletes a free disk with all that is on it. */
SV_API int sv_disk_delete(sv_client *c, const char *id, struct sv_disk **ret);
/** Attaches it, also to a running instance. read_only 1: nothing can be written. */
SV_API int sv_disk_attach(sv_client *c, const char *id, const char *instance, const char *path,
	int read_only, struct sv_disk **ret);
/** Detaches it; refused (SV_CONFLICT, "disk_busy") while a process uses it. */
SV_API int sv_disk_detach(sv_client *c, const char *id, struct sv_disk **ret);
/** Grows it to so many GiB. */
SV_API int sv_disk_resize(sv_client *c, const char *id, int64_t size_gib, struct sv_disk **ret);

#ifdef __cplusplus
}
#endif

#endif
