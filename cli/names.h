/* SPDX-License-Identifier: MIT */
/* The names of resources, for completion: asked for quickly or not at all, and kept for a moment.
 */
#ifndef SVCTL_NAMES_H
#define SVCTL_NAMES_H

#include "args.h"

/* One resource. */
struct name {
	const char *id, *name;
	const char
		*actions; /* verbs that its state allows, with commas; "*" when it does not say */
	const char *help; /* its other columns, clean for a terminal */
};

struct names {
	struct name *v;
	size_t n;
	struct text hold; /* what v points into */
};

/* The resources of a kind, of the profile and endpoint in force. Starts no platform, runs no
 * command for a key, prints nothing, and gives up after a quarter of a second: then there are none.
 */
void names_of(struct app *a, const struct sv_kind *kind, struct names *ret);
void names_free(struct names *n);
/* Something was changed: what is kept is asked for again. */
void names_forget(struct app *a);

#endif
