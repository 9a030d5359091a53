/* SPDX-License-Identifier: MIT */
/* "Did you mean": distance with swaps (optimal string alignment), three rows at a time. */
#include "model/near.h"

#include <string.h>

#define LONGEST 64

static int least(int a, int b)
{
	return a < b ? a : b;
}

int sv_near_distance(const char *a, const char *b, int limit)
{
	int rows[3][LONGEST + 1], *prev2 = rows[0], *prev = rows[1], *now = rows[2], *spare;
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return limit + 1;
	for (size_t j = 0; j <= m; j++)
		prev[j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(least(prev[j], now[j - 1]) + 1,
				prev[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], prev2[j - 2] + 1);
		}
		spare = prev2;
		prev2 = prev;
		prev = now;
		now = spare;
	}
	return least(prev[m], limit + 1);
}

int sv_near(const char *a, const char *b)
{
	int limit = (int)(strlen(a) / 3);

	if (limit < 1)
		limit = 1;
	if (limit > 3)
		limit = 3;
	return sv_near_distance(a, b, limit) <= limit;
}

const char *sv_near_field(const struct sv_kind *kind, const char *name)
{
	const char *best = NULL;
	int d, least_d = 99;

	for (uint32_t i = 0; i < kind->n; i++) {
		d = sv_near_distance(name, kind->fields[i].name, 4);
		if (d < least_d && sv_near(name, kind->fields[i].name)) {
			least_d = d;
			best = kind->fields[i].name;
		}
	}
	return best;
}

const char *sv_near_word(const struct sv_word *words, const char *word)
{
	const char *best = NULL;
	int d, least_d = 99;

	for (; words && words->word; words++) {
		d = sv_near_distance(word, words->word, 4);
		if (d < least_d && sv_near(word, words->word)) {
			least_d = d;
			best = words->word;
		}
	}
	return best;
}
