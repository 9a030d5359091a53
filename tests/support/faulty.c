/* SPDX-License-Identifier: MIT */
/* The misbehaving transport. It hands the inner one an exchange of its own, so that it may lose or
 * repeat it. */
#include "faulty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "net/client.h"

enum fault { NONE, LOSE_REQUEST, LOSE_ANSWER, CUT, DELAY, TWICE, N_FAULTS };

struct faulty {
	struct sv_transport base;
	struct sv_transport *inner;
	uint64_t *seed;
	int percent;
	struct trip *first;
};

struct trip {
	struct trip *next;
	struct faulty *f;
	struct sv_xfer *outer, own;
	int fault, again, turns, inner_done, ended;
};

static int64_t fast_now;

static int64_t fast_clock(void)
{
	return fast_now += 20;
}

void faulty_clock(sv_client *c)
{
	c->clock = fast_clock;
}

static void deliver(struct trip *t)
{
	struct sv_xfer *x = t->outer;

	t->ended = 1;
	x->result = t->own.result;
	x->sent = t->own.sent;
	x->status = t->own.status;
	x->reply = t->own.reply;
	x->reply_len = t->own.reply_len;
	x->reply_headers = t->own.reply_headers;
	memcpy(x->message, t->own.message, sizeof(x->message));
	if (t->fault == LOSE_ANSWER || t->fault == LOSE_REQUEST) {
		x->result = SV_NET;
		x->sent = 1;
		x->reply_len = 0;
	} else if (t->fault == CUT && x->reply_len) {
		/* Cut short, and the transport noticed. */
		x->result = SV_NET;
		x->reply_len /= 2;
	}
	x->done(x);
}

static void arrived(struct sv_xfer *own)
{
	struct trip *t = own->data;

	t->inner_done = 1;
}

static int start(struct sv_transport *base, struct sv_xfer *x)
{
	struct faulty *f = (struct faulty *)base;
	struct trip *t;

	base->ops->cancel(base, x);
	t = calloc(1, sizeof(*t));
	t->f = f;
	t->outer = x;
	t->own = *x;
	t->own.state = NULL;
	t->own.done = arrived;
	t->own.data = t;
	if ((int)(unit_random(f->seed) % 100) < f->percent)
		t->fault = 1 + (int)(unit_random(f->seed) % (N_FAULTS - 1));
	t->turns = t->fault == DELAY ? 5 : 0;
	t->again = t->fault == TWICE;
	t->next = f->first;
	f->first = t;
	x->state = t;
	if (t->fault == LOSE_REQUEST) {
		t->inner_done = 1;
		return SV_OK;
	}
	return f->inner->ops->start(f->inner, &t->own);
}

static void cancel(struct sv_transport *base, struct sv_xfer *x)
{
	struct faulty *f = (struct faulty *)base;
	struct trip *t = x->state, **at = &f->first;

	if (!t)
		return;
	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	f->inner->ops->cancel(f->inner, &t->own);
	x->state = NULL;
	free(t);
}

static int pump(struct sv_transport *base, int timeout_ms)
{
	struct faulty *f = (struct faulty *)base;
	struct trip *next;

	(void)timeout_ms;
	fast_now += 50;
	f->inner->ops->pump(f->inner, 0);
	for (struct trip *t = f->first; t; t = next) {
		next = t->next;
		if (!t->inner_done || t->ended || t->turns-- > 0)
			continue;
		if (t->again) {
			t->again = 0;
			t->inner_done = 0;
			f->inner->ops->start(f->inner, &t->own);
			continue;
		}
		deliver(t);
		break; /* done may have changed the list */
	}
	return f->first != NULL;
}

static void wake(struct sv_transport *base)
{
	struct faulty *f = (struct faulty *)base;

	f->inner->ops->wakeup(f->inner);
}

static void end(struct sv_transport *base)
{
	struct faulty *f = (struct faulty *)base;

	while (f->first)
		cancel(base, f->first->outer);
	f->inner->ops->free(f->inner);
	free(f);
}

struct sv_transport *faulty_new(struct sv_transport *inner, uint64_t *seed, int percent)
{
	static const struct sv_transport_ops ops = {
		.start = start, .pump = pump, .cancel = cancel, .wakeup = wake, .free = end
	};
	struct faulty *f = calloc(1, sizeof(*f));

	f->base.ops = &ops;
	f->inner = inner;
	f->seed = seed;
	f->percent = percent;
	return &f->base;
}
