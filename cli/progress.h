/* SPDX-License-Identifier: MIT */
/* What waiting looks like: one calm line on a terminal, a line for each change elsewhere. */
#ifndef SVCTL_PROGRESS_H
#define SVCTL_PROGRESS_H

#include <time.h>

#include "app.h"

struct progress {
	struct app *app;
	const char *name; /* of what is waited for */
	struct timespec begun;
	char last[200];   /* what was said last */
	char cost[64];    /* what an hour of it costs, or "" */
	long shown;       /* seconds that the line says */
	unsigned seen[4]; /* steps that were shown as begun or done, two bits each */
};

void progress_begin(struct progress *p, struct app *a, const char *name);
/* For sv_wait(): data is the progress. */
void progress_step(void *data, const struct sv_kind *kind, const void *obj);
void progress_say(struct progress *p, const char *what);
/* What it costs meanwhile, where the object says so. */
void progress_cost(struct progress *p, const struct sv_kind *kind, const void *obj);
/* Now and then while something is waited for: the line's seconds go on. */
void progress_tick(struct app *a);
/* Nothing is waited for any more; the line goes. */
void progress_end(struct progress *p);
/* Takes the line away. */
void progress_clear(struct app *a);

#endif
