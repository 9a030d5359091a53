/* SPDX-License-Identifier: MIT */
/* Waiters by id, woken at commit. */
#include "local/feed.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

#define N_CHAINS 1024 /* a power of two */
#define BATCH_MS 15   /* between two wakings of followers */
#define SCAN_MS  20   /* between two looks for those whose time is up */

enum { AWAY, WAITING, WOKEN, READY };

struct feed {
	struct waiter *chains[N_CHAINS];
	uint64_t woken_at[N_CHAINS]; /* the serial of the last wake of any id of this chain */
	uint64_t serial;
	struct waiter woken, ready, batch; /* rings; batch: ready, but for the next batch */
	int64_t batch_at, scan_at;
	size_t waiting;
};

static void ring_init(struct waiter *ring)
{
	ring->next = ring->prev = ring;
}

static void ring_add(struct waiter *ring, struct waiter *w)
{
	w->prev = ring->prev;
	w->next = ring;
	ring->prev->next = w;
	ring->prev = w;
}

static void ring_take(struct waiter *w)
{
	w->prev->next = w->next;
	w->next->prev = w->prev;
	w->next = w->prev = NULL;
}

struct feed *feed_new(void)
{
	struct feed *f = sv_malloc(sizeof(*f));

	if (!f)
		return NULL;
	memset(f, 0, sizeof(*f));
	ring_init(&f->woken);
	ring_init(&f->ready);
	ring_init(&f->batch);
	return f;
}

void feed_free(struct feed *f)
{
	sv_mfree(f);
}

static size_t chain_of(const char *id)
{
	size_t h = 5381;

	for (; *id; id++)
		h = h * 33 ^ (unsigned char)*id;
	return h & (N_CHAINS - 1);
}

uint64_t feed_mark(const struct feed *f)
{
	return f->serial;
}

static void wake_one(struct feed *f, struct waiter *w)
{
	if (w->state != WAITING)
		return;
	w->state = WOKEN;
	ring_add(&f->woken, w);
}

void feed_wait(struct feed *f, struct waiter *w, uint64_t mark)
{
	size_t at = chain_of(w->id);

	feed_leave(f, w);
	w->state = WAITING;
	w->chain = f->chains[at];
	f->chains[at] = w;
	f->waiting++;
	if (f->woken_at[at] > mark)
		wake_one(f, w);
}

void feed_leave(struct feed *f, struct waiter *w)
{
	struct waiter **at;

	if (w->state == AWAY)
		return;
	for (at = &f->chains[chain_of(w->id)]; *at && *at != w; at = &(*at)->chain)
		;
	if (*at)
		*at = w->chain;
	if (w->state != WAITING)
		ring_take(w);
	w->state = AWAY;
	w->chain = NULL;
	f->waiting--;
}

void feed_wake(struct feed *f, const char *id)
{
	size_t at = chain_of(id);

	f->woken_at[at] = ++f->serial;
	for (struct waiter *w = f->chains[at]; w; w = w->chain)
		if (!strcmp(w->id, id))
			wake_one(f, w);
}

static void ready_now(struct feed *f, struct waiter *w)
{
	if (w->state != WAITING)
		ring_take(w);
	w->state = READY;
	ring_add(&f->ready, w);
}

void feed_publish(struct feed *f, int64_t now_ms)
{
	struct waiter *w;

	(void)now_ms;
	while ((w = f->woken.next) != &f->woken) {
		ring_take(w);
		w->state = READY;
		ring_add(w->batch ? &f->batch : &f->ready, w);
	}
}

void feed_discard(struct feed *f)
{
	/* What they would be told is not so; but asking once too often is harmless, and forgetting
	 * a wake is not. */
	feed_publish(f, 0);
}

void feed_release(struct feed *f)
{
	for (size_t i = 0; i < N_CHAINS; i++)
		for (struct waiter *w = f->chains[i]; w; w = w->chain)
			ready_now(f, w);
}

static void scan(struct feed *f, int64_t now_ms)
{
	if (now_ms < f->scan_at)
		return;
	f->scan_at = now_ms + SCAN_MS;
	for (size_t i = 0; f->waiting && i < N_CHAINS; i++)
		for (struct waiter *w = f->chains[i]; w; w = w->chain)
			if (w->state == WAITING && w->until_ms <= now_ms)
				ready_now(f, w);
}

struct waiter *feed_ready(struct feed *f, int64_t now_ms)
{
	struct waiter *w;

	scan(f, now_ms);
	if (f->batch.next != &f->batch && now_ms >= f->batch_at) {
		f->batch_at = now_ms + BATCH_MS;
		while ((w = f->batch.next) != &f->batch)
			ready_now(f, w);
	}
	if (f->ready.next == &f->ready)
		return NULL;
	w = f->ready.next;
	feed_leave(f, w);
	return w;
}

int feed_timeout(struct feed *f, int64_t now_ms, int most)
{
	int64_t left = most;

	if (f->ready.next != &f->ready)
		return 0;
	if (f->batch.next != &f->batch && f->batch_at - now_ms < left)
		left = f->batch_at - now_ms;
	for (size_t i = 0; f->waiting && i < N_CHAINS; i++)
		for (struct waiter *w = f->chains[i]; w; w = w->chain)
			if (w->state == WAITING && w->until_ms - now_ms < left)
				left = w->until_ms - now_ms;
	return left < 0 ? 0 : (int)left;
}

size_t feed_waiting(const struct feed *f)
{
	return f->waiting;
}
