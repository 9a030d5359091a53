/* SPDX-License-Identifier: MIT */
/* A stack: the resources that files describe, beside what is there. */
#ifndef SVCTL_STACK_H
#define SVCTL_STACK_H

#include <starverse/client.h>

#include "args.h"

enum act {
	ACT_NONE,    /* is as described */
	ACT_CREATE,
	ACT_UPDATE,
	ACT_REFUSED, /* differs in what cannot be changed */
	ACT_DELETE,
	ACT_GONE     /* was to be deleted, and is not there */
};

/* One field that differs. */
struct change {
	char *field, *from, *to; /* from is NULL where nothing is known */
	const struct sv_field *row; /* of the body, the topmost */
	const struct sv_verb *verb; /* that takes it; NULL: it cannot be changed */
};

/* One document, or (of a prune) one thing that no document names any more. */
struct item {
	const struct sv_kind *kind, *in; /* the resource; its create body */
	void *body;                      /* what is wanted; NULL of a prune */
	const char *file;
	int line;
	char *name, *id; /* id NULL: not there yet */
	void *found;     /* as it is, or NULL */
	size_t level;    /* above everything it refers to */
	int mark;        /* while levels are looked for */
	enum act act;
	struct change *changes;
	size_t n_changes;
	char *hint;    /* of what cannot be changed */
	char *secret;  /* that the create told, once */
	int64_t price; /* micro-yuan an hour; -1 when not known */
	int unpriced;  /* it has a price, which is not known before what it refers to is there */
	const struct sv_verb *verb; /* of the last call */
	sv_op *op;
	void *answer; /* of the call; a root of kind */
	int status;   /* exit status of this one */
	int sent; /* calls that were begun */
};

/* What an earlier run made: see stack-record.c. */
struct record {
	const struct sv_kind *kind;
	char *id, *name, *body; /* id is "" of what was begun, and not heard of again */
	char *key;              /* its idempotency key; "" of what was heard of */
};

struct stack {
	struct call *call;
	char *name; /* of its record, or NULL: it has none */
	struct item *items;
	size_t n, files;
	size_t levels;
	struct record *records;
	size_t n_records;
	int record_fd;  /* locked while the stack is worked on; -1 */
	int record_cut; /* its last line has no end */
	int record_writes; /* it may be added to */
	int ran;        /* it is no plan any more: what was not done is not answered */
	struct words known;    /* words already looked up: "kind word", then the id */
};

/* Reads the files of --file. 0, or an exit status after an error was printed. */
int stack_read(struct stack *s, struct call *call);
void stack_free(struct stack *s);
struct item *stack_find(const struct stack *s, const struct sv_kind *kind, const char *name);
struct item *stack_add(struct stack *s, const struct sv_kind *kind, const char *name);
/* The order that references demand; again, once ids are known. */
int stack_order(struct stack *s);
/* Looks for what is there, by kind and name. */
int stack_look(struct stack *s);
/* Names in an item's body become ids, as far as they are there. */
int stack_refs(struct stack *s, struct item *it);
/* 1 when the word names something that is still to be created. */
int stack_pending(const struct stack *s, const struct sv_kind *to, const char *word);
/* What differs, item by item, and what it would cost. */
int stack_compare(struct stack *s);
int stack_prices(struct stack *s);
/* What nothing names any more, after --prune. */
int stack_leftovers(struct stack *s);
/* 1 when anything that differs is changed by this verb. */
int stack_takes(const struct item *it, const struct sv_verb *verb);
/* The verb's body for what of the differences it takes; a root of its in. NULL after an error. */
void *stack_patch(
	struct stack *s, const struct item *it, const struct sv_verb *verb, int *status);

/* The record of what was made. */
int record_open(struct stack *s, int write);
const struct record *record_of(const struct stack *s, const char *id);
/* What was sent, secrets as digests; a root of the kind's create body, or NULL. */
void *record_body(const struct record *r);
/* 1 when kept is of this secret. */
int record_same_secret(const struct item *it, const char *secret, const char *kept);
/* What is about to be made, before it is asked for: after the death of svctl it is known again. */
void record_begin(struct stack *s, const struct item *it);
/* The service refused. */
void record_not_made(struct stack *s, const struct item *it);
/* What was begun and never heard of again: the service says what became of its key. */
void record_adopt(struct stack *s);
void record_made(struct stack *s, const struct item *it);
void record_gone(struct stack *s, const struct item *it);
void record_close(struct stack *s);

/* The plan as text for people. */
void stack_show(const struct stack *s, struct text *ret);
/* A wrong -o must be known before anything is sent. */
int stack_output(const struct stack *s);
/* The same through the formats: one row for each item. */
int stack_answer(const struct stack *s);
/* The call that an item waits for, or NULL: all were made, or none is to be. */
const struct sv_verb *stack_next(const struct item *it);
/* Does it, level by level; deletes from the last level to the first. */
int stack_run(struct stack *s);

#endif
