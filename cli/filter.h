/* SPDX-License-Identifier: MIT */
/* What of a list is wanted. */
#ifndef SVCTL_FILTER_H
#define SVCTL_FILTER_H

#include "out.h"

struct condition;

struct filters {
	struct call *call;
	const struct sv_kind *kind;  /* of what is listed */
	const struct sv_kind *query; /* what the service looks at, or NULL */
	void *in;                    /* a root of it */
	struct condition *v;
	size_t n;
};

/* One condition, FIELD=VALUE and the like. 0, or an exit status after an error was printed. */
int filter_add(struct filters *fs, const char *text);
/* Words that no such field ever holds find nothing: most likely slips. As filter_add(). */
int filter_words_known(struct filters *fs);
/* 1 when all that the service did not look at holds. */
int filter_holds(const struct filters *fs, const void *obj);
void filter_free(struct filters *fs);

#endif
