/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "extend.h"
#include "settings.h"
#include "words.h"

void aliases(struct words *names, struct words *texts)
{
	config_keys("aliases", names, texts);
}

/* One command of plain words: what goes on in the line belongs to whoever types it. */
static int words_of(const char *text, struct words *ret)
{
	struct part p;
	int ok = words_next(&text, &p) == WORDS_OK && p.joint == JOINT_END && p.words.n &&
		 !p.program && !p.file;

	for (size_t i = 0; ok && i < p.words.n; i++)
		words_push(ret, p.words.v[i]);
	part_free(&p);
	return ok ? 1 : -1;
}

int alias_find(const char *name, struct words *ret)
{
	struct words names = { 0 }, texts = { 0 };
	int found = 0;

	aliases(&names, &texts);
	for (size_t i = 0; !found && i < names.n && i < texts.n; i++)
		if (same_name(names.v[i], name))
			found = words_of(texts.v[i], ret);
	words_free(&names);
	words_free(&texts);
	return found;
}
