/* SPDX-License-Identifier: MIT */
/* What other resources are called, for tables: ids are for programs. */
#ifndef SVCTL_REFS_H
#define SVCTL_REFS_H

#include "names.h"

#define REFS_KINDS 8

/* Names that were asked for, a kind at a time. */
struct refs {
	struct app *app;
	const struct sv_kind *kinds[REFS_KINDS];
	struct names names[REFS_KINDS];
	size_t n;
};

/* The name of what an id of this kind means, borrowed; the id itself where nothing, or more than
 * one thing, is called so. */
const char *refs_name(struct refs *r, const char *kind, const char *id);
void refs_free(struct refs *r);

#endif
