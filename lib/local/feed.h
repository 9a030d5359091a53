/* SPDX-License-Identifier: MIT */
/* Who waits for what: long polls for a resource, followers for events. Nobody is woken before the
 * change is committed, and followers are woken in batches, since a thousand of them would cost
 * those who post nearly everything. */
#ifndef SV_LOCAL_FEED_H
#define SV_LOCAL_FEED_H

#include <stddef.h>
#include <stdint.h>

struct feed;

/* One that waits; embedded in whoever it is, zeroed before its first use. */
struct waiter {
	char id[64];
	int64_t until_ms; /* monotonic; ready then at the latest */
	int batch;        /* 1: a follower, woken with the others */
	int state;        /* the feed's: enum in feed.c */
	struct waiter *next, *prev, *chain;
	void *owner; /* the caller's */
};

struct feed *feed_new(void);
void feed_free(struct feed *f);
/* The state before a request is handled; a wake after it is seen by feed_wait() even when it came
 * before. */
uint64_t feed_mark(const struct feed *f);
void feed_wait(struct feed *f, struct waiter *w, uint64_t mark);
void feed_leave(struct feed *f, struct waiter *w); /* also when it does not wait */
/* Wakes the waiters of id when the turn is committed. */
void feed_wake(struct feed *f, const char *id);
void feed_publish(struct feed *f, int64_t now_ms); /* committed: those woken become ready */
void feed_discard(struct feed *f);                 /* undone: nobody was woken */
/* Lets all of them be ready now: the daemon leaves. */
void feed_release(struct feed *f);
/* One that is ready and waits no longer, or NULL. */
struct waiter *feed_ready(struct feed *f, int64_t now_ms);
/* Milliseconds until feed_ready() will give one that it does not give now, at most most. */
int feed_timeout(struct feed *f, int64_t now_ms, int most);
/* How many wait. */
size_t feed_waiting(const struct feed *f);

#endif
