/* SPDX-License-Identifier: MIT */
/* Names on disk, for a moment: a file for each profile, endpoint, key and kind. */
#ifndef SVCTL_NAMES_CACHE_H
#define SVCTL_NAMES_CACHE_H

#include <starverse/config.h>

#include "mem.h"

/* A file being made. It is begun before the question is sent: names_cache_clear() meanwhile takes
 * it away, and what is out of date is never kept. */
struct names_cache {
	char *path, *temporary; /* NULL: it is not kept */
	int fd;
};

/* 1 and its text when there is a fresh one. */
int names_cached(const struct sv_config *config, const char *kind, struct text *ret);
void names_cache_begin(struct names_cache *c, const struct sv_config *config, const char *kind);
/* NULL drops it. */
void names_cache_end(struct names_cache *c, const struct text *text);
/* Of all of them: one platform may be known by several names. */
void names_cache_clear(const struct sv_config *config);

#endif
