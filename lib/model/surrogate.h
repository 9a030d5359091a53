/* SPDX-License-Identifier: MIT */
/* JSON writes a character beyond U+FFFF as two escapes, "\ud83d\ude80". JSON is YAML, but a reader
 * of YAML refuses halves; so each is read as a mark of the same length, and joined afterwards. */
#ifndef SV_MODEL_SURROGATE_H
#define SV_MODEL_SURROGATE_H

#include <stddef.h>

/* 1 when there are halves, and none of the marks is in use in the text itself. */
int sv_surrogates_in(const char *text, size_t len);
/* Makes marks of them, in place. */
void sv_surrogates_mark(char *text, size_t len);
/* Makes characters of the marks that were read as escapes, and of the others what they were, in
 * place; text ends with a NUL. -1 when a half has no other. */
int sv_surrogates_join(char *text);

#endif
