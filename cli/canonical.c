/* SPDX-License-Identifier: MIT */
/* Names that look the same and are not: a letter with its accent in one character or in two. They
 * are never taken for each other, but whoever typed the other one is told. */
#include <string.h>
#include <uninorm.h>

#include <starverse/client.h>

#include "errors.h"
#include "generic.h"

static int same_canonically(const char *a, const char *b)
{
	size_t na = 0, nb = 0;
	uint8_t *x = u8_normalize(UNINORM_NFC, (const uint8_t *)a, strlen(a), NULL, &na);
	uint8_t *y = u8_normalize(UNINORM_NFC, (const uint8_t *)b, strlen(b), NULL, &nb);
	int same = x && y && na == nb && !memcmp(x, y, na);

	mem_free(x);
	mem_free(y);
	return same;
}

static int ascii(const char *s)
{
	while (*s && (unsigned char)*s < 0x80)
		s++;
	return !*s;
}

void canonical_near(struct call *call, const struct sv_kind *kind, const char *word,
	struct text *ret)
{
	const struct sv_verb *list = sv_verb_find(kind, "list");
	sv_client *c = call->app->client;
	void *page = NULL;
	int rc = ascii(word) || !list ? SV_UNSUPPORTED : sv_run(c, list, NULL, NULL, &page);

	while (!rc && page && !ret->n) {
		const struct sv_page *p = page;

		for (size_t i = 0; !ret->n && i < p->n; i++)
			if (same_canonically(word, name_of(kind, p->v[i])))
				text_fmt(ret, "%s (%s)", name_of(kind, p->v[i]),
					id_of(kind, p->v[i]));
		if (!ret->n)
			rc = sv_next(c, list, NULL, NULL, &page);
	}
	sv_free(page);
}
