/* SPDX-License-Identifier: MIT */
/** @file group.h
 * Scaling groups: so many instances of one template, kept by the platform. */
#ifndef STARVERSE_GROUP_H
#define STARVERSE_GROUP_H

#include <starverse/common.h>
#include <starverse/instance.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A group. What fails is replaced; what a person or a guard has stopped stays stopped until the
 * group is scaled. */
struct sv_group {
	struct sv_set set;
	const char *id;
	const char *name;
	struct sv_instance_create_body *template_; /**< "template" on the wire: what each one is */
	int64_t desired;           /**< how many are to run */
	int64_t minimum, maximum;  /**< what desired may be; maximum null: any number */
	struct sv_strs instances;  /**< its members, those that are being released among them */
	const char *status;        /**< see the words of the field */
	struct sv_instance_status_reason *status_reason; /**< why fewer run than desired, or NULL */
	int64_t cost;              /**< of all that it ever had */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of groups. */
struct sv_group_list {
	size_t n;
	struct sv_group **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_group_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, name;
	struct sv_map labels;
	int all; /**< deleted ones too */
};

/** What a group is scaled to. */
struct sv_group_scale_body {
	struct sv_set set;
	int64_t desired;
};

/** A new, empty group, filter or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_group *sv_group_new(void);
SV_API struct sv_group_filter *sv_group_filter_new(void);         /**< see sv_group_new() */
SV_API struct sv_group_scale_body *sv_group_scale_body_new(void); /**< see sv_group_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_group_list(
	sv_client *c, const struct sv_group_filter *filter, struct sv_group_list **ret);
/** One group by its id. */
SV_API int sv_group_get(sv_client *c, const char *id, struct sv_group **ret);
/** Makes one: name, template_, desired, minimum, maximum and labels of want. Answers at once;
 * sv_wait() waits until all of them run, or cannot. */
SV_API int sv_group_create(sv_client *c, const struct sv_group *want, struct sv_group **ret);
/** Sends exactly the marked members of changes: name, minimum, maximum, labels. */
SV_API int sv_group_update(
	sv_client *c, const char *id, const struct sv_group *changes, struct sv_group **ret);
/** Says how many are to run. Fewer: failed, stopped and new ones go first. */
SV_API int sv_group_scale(sv_client *c, const char *id, const struct sv_group_scale_body *body,
	struct sv_group **ret);
/** Releases its instances, then itself; it stays readable. */
SV_API int sv_group_delete(sv_client *c, const char *id, struct sv_group **ret);

#ifdef __cplusplus
}
#endif

#endif
