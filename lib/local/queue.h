/* SPDX-License-Identifier: MIT */
/* Cards that can be had now, one of several offers, or later: waiting in a queue. Private facts of
 * an instance that waits: "choices" ("MODEL:COUNT ..." in the order in which they are wanted),
 * "wish" (the backend asked for), "max_price" (micro-yuan an hour), "system_gib" (of a system disk
 * that is not billed yet). */
#ifndef SV_LOCAL_QUEUE_H
#define SV_LOCAL_QUEUE_H

#include "local/instance-inside.h"

#define CHOICES_MOST 16

struct choice {
	char gpu[64];
	int64_t count; /* 0: no card at all */
};

struct choices {
	struct choice v[CHOICES_MOST];
	int n;
};

/* What is asked for, and after it what the body's fallback names. SV_OK, or c->err naming it. */
int choices_read(struct call *c, const char *gpu, int64_t count, const struct sv_strs *fallback,
	struct choices *ret);
/* The first of them that can be had, as ask says but for the card: the others are passed over for
 * capacity and price alone. Each has to exist and to fit. SV_OK, or what was wrong with the first.
 */
int choices_ask(struct platform *p, const struct quote_ask *ask, const struct choices *all,
	struct quote *q, struct sv_error *err);
/* Notes that the instance waits for them: its flow's first step does. */
int queue_note(struct platform *p, const char *id, const struct quote_ask *ask,
	const struct choices *all);
/* The first step of a flow that needs cards. */
int step_capacity(struct flow *f);
int step_capacity_next(struct flow *f);
int step_capacity_undo(struct flow *f);

#endif
