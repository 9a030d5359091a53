/* SPDX-License-Identifier: MIT */
/** @file event.h
 * What happened. Following them is a stream: sv_stream() with follow set. */
#ifndef STARVERSE_EVENT_H
#define STARVERSE_EVENT_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An event. */
struct sv_event {
	struct sv_set set;
	const char *id;
	const char *type;     /**< "instance.running" */
	const char *actor;    /**< account's id, or "platform" */
	const char *resource; /**< id */
	const char *message;  /**< for people */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
	const char *name; /**< of the resource, or NULL */
};

/** A page of events. */
struct sv_event_list {
	size_t n;
	struct sv_event **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_event_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs type, resource;
	int64_t since; /**< seconds since the epoch */
	int follow;    /**< 1: an event stream that goes on */
};

/** A new, empty filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_event_filter *sv_event_filter_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_event_list(
	sv_client *c, const struct sv_event_filter *filter, struct sv_event_list **ret);

#ifdef __cplusplus
}
#endif

#endif
