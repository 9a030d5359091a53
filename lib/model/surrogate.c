/* SPDX-License-Identifier: MIT */
/* Halves of surrogate pairs, by marks of the private range U+E000 to U+EDFF. */
#include "model/surrogate.h"

#include <string.h>

#define ESCAPE 6 /* bytes of \ud83d */

/* The second digit of an escape, and of its mark: each way back is exact, large letters too. */
static const char halves[] = "89abcdefABCDEF", marks[] = "0123456789abcd";

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) % 16 : -1;
}

/* 1 when s begins with an escape of four digits, the first of them this letter, the second one of
 * these. */
static int escape(const char *s, size_t left, char letter, const char *seconds)
{
	return left >= ESCAPE && s[0] == '\\' && s[1] == 'u' && (s[2] | 0x20) == letter && s[3] &&
	       strchr(seconds, s[3]) && digit(s[4]) >= 0 && digit(s[5]) >= 0;
}

int sv_surrogates_in(const char *text, size_t len)
{
	int found = 0;

	for (size_t i = 0; i < len; i++) {
		const char *s = text + i;
		size_t left = len - i;

		/* U+E000 to U+EFFF, as it is or escaped */
		if (*s == '\xee' || escape(s, left, 'e', "0123456789abcdefABCDEF") ||
			(left >= ESCAPE + 1 && !memcmp(s, "\\U0000", ESCAPE) &&
				(s[ESCAPE] | 0x20) == 'e'))
			return 0;
		found |= escape(s, left, 'd', halves);
	}
	return found;
}

/* 'd' + 1 is 'e', and so are the large ones. */
static void exchange(char *s, const char *from, const char *to, int by)
{
	s[2] = (char)(s[2] + by);
	s[3] = to[strchr(from, s[3]) - from];
}

void sv_surrogates_mark(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (escape(text + i, len - i, 'd', halves))
			exchange(text + i, halves, marks, 1);
}

/* The half that a mark stands for, or 0. */
static unsigned half(const char *s)
{
	unsigned code;

	if (s[0] != '\xee' || !s[1] || !s[2])
		return 0;
	code = (unsigned)(s[1] & 0x3f) << 6 | (unsigned)(s[2] & 0x3f);
	if (code >> 8 >= sizeof(halves) - 1)
		return 0;
	return 0xd000 | (unsigned)digit(halves[code >> 8]) << 8 | (code & 0xff);
}

static char *put(char *to, unsigned code)
{
	*to++ = (char)(0xf0 | code >> 18);
	*to++ = (char)(0x80 | (code >> 12 & 0x3f));
	*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

int sv_surrogates_join(char *text)
{
	char *to = text, *end = text + strlen(text);

	for (char *s = text; s < end;) {
		unsigned high = half(s), low = high ? half(s + 3) : 0;

		if (high && (high >= 0xdc00 || low < 0xdc00))
			return -1;
		if (high) {
			to = put(to, 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff)));
			s += 6;
			continue;
		}
		if (escape(s, (size_t)(end - s), 'e', marks))
			exchange(s, marks, halves, -1);
		*to++ = *s++;
	}
	*to = '\0';
	return 0;
}
