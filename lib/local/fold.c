/* SPDX-License-Identifier: MIT */
#include "local/fold.h"

#include <stdint.h>
#include <string.h>
#include <unicase.h>
#include <uninorm.h>

#include "base/arena.h"
#include "base/str.h"

/* The longest that one byte of UTF-8 can become; a longer result would be the library's memory. */
#define GROWTH 24

char *fold(const char *text)
{
	size_t len = strlen(text), room = len * GROWTH + 64, n = room - 1;
	char *to = sv_malloc(room);
	uint8_t *got;

	if (!to)
		return NULL;
	got = u8_casefold((const uint8_t *)text, len, NULL, UNINORM_NFKC, (uint8_t *)to, &n);
	if (got != (uint8_t *)to) {
		memcpy(to, text, len);
		n = len;
	}
	to[n] = '\0';
	return to;
}

static int is_latin(char c)
{
	return (unsigned char)c < 0x80;
}

int fold_words(void *root, const char *text, struct sv_strs *ret)
{
	char *all = fold(text), *at = all;
	int rc = all ? SV_OK : SV_NOMEM;

	while (rc == SV_OK && *(at += strspn(at, " \t\r\n"))) {
		size_t n = 1;
		char next;

		while (at[n] && !strchr(" \t\r\n", at[n]) && is_latin(at[n]) == is_latin(at[0]))
			n++;
		next = at[n];
		at[n] = '\0';
		rc = sv_strs_add(root, ret, at);
		at[n] = next;
		at += n;
	}
	sv_mfree(all);
	return rc;
}
