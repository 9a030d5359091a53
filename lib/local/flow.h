/* SPDX-License-Identifier: MIT */
/* Work that takes time: a persisted sequence of steps behind an operation. It begins only after the
 * turn that accepted it is durable, and goes beyond its point of no return only after that is; each
 * step may be run again after a crash. On a failure what was done is undone in reverse. */
#ifndef SV_LOCAL_FLOW_H
#define SV_LOCAL_FLOW_H

#include "local/platform.h"

struct flow {
	struct platform *p;
	char id[64];             /* the operation */
	const struct flow_type *type;
	char account[64];
	char resource[64];       /* what it works on: nothing else may begin on it */
	char other[64];          /* what it also touches, or "": see flow_of() */
	int step;
	int failed; /* the step that failed, -1: none; what is not -1 is being undone */
	int cancelled;
	int cleanup;             /* a step after FLOW_COMMIT failed: noted, passed over */
	int64_t started_at;
	struct sv_error err;     /* why it is undone */
	struct engine_result
		last; /* of the engine's call that this step made; strings are not kept */
	char note[240];          /* but the end of what a command complained */
	int round; /* engine calls this step has made: steps of several calls count here */
	int waiting, answered, inside, resting, ended, poked, stale;
	struct flow *next;
};

/* FLOW_SKIP: there was nothing to do, and nobody is told of it. A step also returns a negative code
 * with f->err filled. */
enum { FLOW_DONE = 0, FLOW_WAIT = 1, FLOW_SKIP = 2 };

enum flow_flag {
	FLOW_COMMIT = 1 << 0, /* once done there is no way back: later steps only clear up, their
				failures are noted */
	FLOW_QUEUE = 1 << 1 /* waits for no engine: flow_poke() has its next look again, and at
			       once when the flow is cancelled */
};

struct flow_step {
	const char *name;                 /* shown in operation.steps[] */
	int (*run)(struct flow *f);       /* FLOW_WAIT: flow_engine_done() will call next */
	int (*next)(struct flow *f);      /* after the engine's answer in f->last; NULL: its code
					     decides; may FLOW_WAIT */
	int (*undo)(struct flow *f); /* also of a step that was only begun, or not even that; NULL:
					nothing to undo */
	int flags;
};

struct flow_type {
	const char *type;                 /* operation.type: "instance.create" */
	const struct flow_step *steps;    /* ended by a NULL name */
	int (*finished)(
		struct flow *f); /* in the same transaction that ends the operation; may be NULL */
	int (*failed)(struct flow *f);    /* after undoing, in the same transaction; may be NULL */
	void (*after)(struct flow *f);    /* it is over, what it held is free; may be NULL */
	int crash_undoes; /* 1: a daemon that finds it open before its FLOW_COMMIT undoes it */
	int no_cancel;                    /* 1: cannot be cancelled */
	const char *told; /* "created": an event of its noun ("disk.created") tells its success; or
			     NULL */
};
extern const struct flow_type *const flow_types[]; /* ended by NULL */

struct flow_want {
	const struct flow_type *type;
	const char *account;
	const char *resource;             /* see struct flow */
	const char *other;                /* or NULL */
	const char *shown;                /* operation.resource where that is another, or NULL */
};

/* Makes the operation document and starts at the next turn (under ENGINE_INSTANT it is over when
 * this returns). id is the operation's: when empty a new one is made; a caller that keeps facts by
 * it makes it before, with store_id(). Must be the last thing that a behaviour does that can fail.
 */
int flow_start(struct platform *p, const struct flow_want *want, char *id, size_t size);
/* Pass as the engine's done with the flow as data. */
void flow_engine_done(void *data, const struct engine_result *result);
/* What a step returns after calling the engine: FLOW_WAIT when the call was taken, else its code
 * with f->err filled. */
int flow_called(struct flow *f, int rc);
int flow_cancel(struct platform *p, const char *operation_id, struct sv_error *err);
/* Reads what was open when the daemon died, and goes on at the next turn. */
int flow_resume_all(struct platform *p);
void flow_turn(struct platform *p);
/* The turn was undone: all of them go back to where the store has them. */
void flow_undone(struct platform *p);
/* What waits in a queue looks again, in the order in which it came. */
void flow_poke(struct platform *p);
int flow_open(struct platform *p); /* how many are under way */
int flow_ready(struct platform *p); /* 1 when one would go on at once: do not sleep */
/* The one that works on id, or (shared 1) also touches it; NULL. */
const struct flow *flow_of(struct platform *p, const char *id, int shared);
/* SV_OK, or operation_in_progress naming it. */
int flow_free(struct platform *p, const char *id, int shared, struct sv_error *err);
/* Ends the memory of all: the documents stay open. */
void flow_close(struct platform *p);
/* A fact of the flow, copied; buf is "" when there is none. Returns buf. */
char *flow_fact(struct flow *f, const char *name, char *buf, size_t size);

#endif
