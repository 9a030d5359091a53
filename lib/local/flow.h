/* SPDX-License-Identifier: MIT */
/* Work that takes time: a persisted sequence of steps behind an operation. Each step may be run again after a crash; on
 * a failure what was done is undone in reverse. */
#ifndef SV_LOCAL_FLOW_H
#define SV_LOCAL_FLOW_H

#include "local/platform.h"

struct flow {
	struct platform *p;
	char id[64];             /* the operation */
	const struct flow_type *type;
	char account[64];
	char resource[64];       /* what it works on */
	int step, undoing;
	int64_t started_at;
	struct sv_error err;     /* why it is undone */
	struct engine_result last; /* of the engine's call that this step made; strings are not kept */
	struct flow *next;
};

enum { FLOW_DONE = 0, FLOW_WAIT = 1 }; /* a step also returns a negative code with f->err filled */

struct flow_step {
	const char *name;                 /* shown in operation.steps[] */
	int (*run)(struct flow *f);       /* FLOW_WAIT: flow_engine_done() will call next */
	int (*next)(struct flow *f);      /* after the engine's answer in f->last; NULL: its code decides */
	int (*undo)(struct flow *f);      /* NULL: nothing to undo */
};

struct flow_type {
	const char *type;                 /* operation.type: "instance.create" */
	const struct flow_step *steps;    /* ended by a NULL name */
	int (*finished)(struct flow *f);  /* in the same transaction that ends the operation; may be NULL */
	int (*failed)(struct flow *f);    /* after undoing */
};
extern const struct flow_type *const flow_types[]; /* ended by NULL */

/* Makes the operation document and starts at the next turn (at once under ENGINE_INSTANT). Extra facts go to
 * store_fact_set(operation id, ...) before. *operation_id is copied into id. */
int flow_start(struct platform *p, const struct flow_type *type, const char *account, const char *resource, char *id,
	size_t size);
/* Pass as the engine's done with the flow as data. */
void flow_engine_done(void *data, const struct engine_result *result);
int flow_cancel(struct platform *p, const char *operation_id, struct sv_error *err);
/* Reads what was open when the daemon died, and goes on. */
int flow_resume_all(struct platform *p);
void flow_turn(struct platform *p);
int flow_open(struct platform *p); /* how many are under way */
int flow_ready(struct platform *p); /* 1 when one would go on at once: do not sleep */
/* Ends the memory of all: the documents stay open. */
void flow_close(struct platform *p);

#endif
