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
void event_id(int64_t seq, char *buf, size_t size);

/* One as it is in the table; "" where there is no resource. */
struct event_row {
	int64_t seq, at;
	char type[80], resource[64], message[512];
};
/* The first after a sequence number that wants() takes: 1 with *ret, 0 when there is none, or a
 * negative code. *scanned is the last that was looked at. */
int event_next(struct platform *p, const char *account, int64_t after,
	int (*wants)(const void *data, const char *type), const void *data, int64_t *scanned,
	struct event_row *ret);
/* One as it is listed. */
int event_json(struct platform *p, const char *account, int64_t seq, struct sv_buf *out);
/* How many there are of them, at most most. */
int64_t event_count(struct platform *p, const char *account, int64_t after, int64_t most,
	int (*wants)(const void *data, const char *type), const void *data);


behave_fn local_event_list, local_event_get, local_event_follow;

#endif
