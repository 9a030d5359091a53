/* SPDX-License-Identifier: MIT */
/* What happens by itself at a second: an index, never a scan. */
#ifndef SV_LOCAL_DUE_H
#define SV_LOCAL_DUE_H

#include <stdint.h>

struct platform;
struct store;

/* (resource, cause) fires once at a second; setting it again moves it. */
int due_set(struct store *s, const char *resource, const char *cause, int64_t at);
int due_clear(struct store *s, const char *resource,
	const char *cause); /* cause NULL: all of the resource */
/* When it will fire, or -1. */
int64_t due_at(struct store *s, const char *resource, const char *cause);
/* The earliest second, or -1. */
int64_t due_next(struct store *s);
/* Does everything due up to now, in order, each with the clock at its own second: looks up the
 * handler of the cause in due_handlers. */
int due_run(struct platform *p, int64_t now);

struct due_handler {
	const char *cause; /* sorted */
	int (*run)(struct platform *p, const char *resource, int64_t at);
};
extern const struct due_handler due_handlers[]; /* ended by a NULL cause; in behaviours.c, functions
						   from the nouns' files */

#endif
