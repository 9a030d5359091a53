/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <string.h>

#include <starverse/config.h>
#include <starverse/kind.h>

struct keys {
	struct sv_writer writer;
	struct words *keys, *values;
	int depth, known; /* the last key has its value */
};

static void value(struct keys *k, const char *text)
{
	if (k->depth == 1 && k->keys->n && !k->known && k->values)
		words_push(k->values, text);
	if (k->depth == 1)
		k->known = 1;
}

static int begin(struct sv_writer *w, int list)
{
	struct keys *k = (struct keys *)w;

	(void)list;
	value(k, "");
	k->depth++;
	return SV_OK;
}

static int end(struct sv_writer *w, int list)
{
	(void)list;
	((struct keys *)w)->depth--;
	return SV_OK;
}

static int key(struct sv_writer *w, const char *name, const struct sv_field *field)
{
	struct keys *k = (struct keys *)w;

	(void)field;
	if (k->depth == 1) {
		words_push(k->keys, name);
		k->known = 0;
	}
	return SV_OK;
}

static int string(struct sv_writer *w, const char *s)
{
	value((struct keys *)w, s);
	return SV_OK;
}

static int boolean(struct sv_writer *w, int v)
{
	(void)v;
	value((struct keys *)w, "");
	return SV_OK;
}

static int null(struct sv_writer *w)
{
	value((struct keys *)w, "");
	return SV_OK;
}

static int json(struct sv_writer *w, const char *text)
{
	(void)text;
	value((struct keys *)w, "");
	return SV_OK;
}

void config_keys(const char *map, struct words *keys, struct words *values)
{
	struct keys k = { .writer = { .begin = begin,
				  .end = end,
				  .key = key,
				  .string = string,
				  .boolean = boolean,
				  .null = null,
				  .json = json },
		.keys = keys,
		.values = values };
	struct sv_error err;
	char *text = NULL;

	if (sv_config_read(NULL, map, &text, &err) == SV_OK)
		sv_walk_json(text, strlen(text), &k.writer);
	sv_free_text(text);
}
