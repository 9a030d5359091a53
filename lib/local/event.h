/* SPDX-License-Identifier: MIT */
/* Events: a typed table, answered as documents, followed as a stream. */
#ifndef SV_LOCAL_EVENT_H
#define SV_LOCAL_EVENT_H

#include "local/platform.h"

/* The waiters' id for events of an account. */
void event_wait_id(const char *account, char *buf, size_t size);
/* The sequence number of an event's id, or -1. */
int64_t event_seq(const char *id);
/* Appends events of an account after *seq as server-sent records, at most limit; *seq moves on.
 * Returns how many, or a negative code. */
int event_records(
	struct platform *p, const char *account, int64_t *seq, int limit, struct sv_buf *out);
int64_t event_last(struct platform *p);

behave_fn local_event_list, local_event_get, local_event_follow;

#endif
