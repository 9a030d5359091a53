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
	unsigned seen[4]; /* steps that were shown as begun or done, two bits each */
};

void progress_begin(struct progress *p, struct app *a, const char *name);
/* For sv_wait(): data is the progress. */
void progress_step(void *data, const struct sv_kind *kind, const void *obj);
void progress_say(struct progress *p, const char *what);
/* Takes the line away. */
void progress_clear(struct app *a);

#endif
