/* SPDX-License-Identifier: MIT */
/* "Did you mean": the nearest of several words. */
#ifndef SV_MODEL_NEAR_H
#define SV_MODEL_NEAR_H

#include <starverse/kind.h>

/* Edits (insert, delete, change, swap of neighbours) between two words, at most limit + 1. */
int sv_near_distance(const char *a, const char *b, int limit);
/* 1 when b is near enough to a to be offered. */
int sv_near(const char *a, const char *b);
/* The nearest field's or word's name; NULL when none is near. */
const char *sv_near_field(const struct sv_kind *kind, const char *name);
const char *sv_near_word(const struct sv_word *words, const char *word);

#endif
