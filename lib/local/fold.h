/* SPDX-License-Identifier: MIT */
/* Text as searches compare it. */
#ifndef SV_LOCAL_FOLD_H
#define SV_LOCAL_FOLD_H

#include <starverse/object.h>

/* Without case and width: "Ｌｌａｍａ" and "LLAMA" are "llama". Ended by sv_mfree(); NULL when out of
 * memory. What is not UTF-8 stays as it is. */
char *fold(const char *text);
/* The words of a text, folded, in root's memory: between blanks, and where Latin letters and digits
 * meet others ("8B预训练" is two). */
int fold_words(void *root, const char *text, struct sv_strs *ret);

#endif
