/* SPDX-License-Identifier: MIT */
/* A writer that passes strings on and drops the rest. */
#include "jsonstr.h"

#include <stdio.h>

#include <starverse/kind.h>

struct walk {
	struct sv_writer w; /* first */
	const struct strings *s;
	int depth;
	char key[64];
};

static int begin(struct sv_writer *w, int list)
{
	(void)list;
	((struct walk *)w)->depth++;
	return SV_OK;
}

static int end(struct sv_writer *w, int list)
{
	struct walk *x = (struct walk *)w;

	if (!list && x->s->closed)
		x->s->closed(x->s->data, x->depth);
	x->depth--;
	return SV_OK;
}

static int key(struct sv_writer *w, const char *name, const struct sv_field *field)
{
	(void)field;
	snprintf(((struct walk *)w)->key, sizeof(((struct walk *)w)->key), "%s", name);
	return SV_OK;
}

static int string(struct sv_writer *w, const char *s)
{
	struct walk *x = (struct walk *)w;

	x->s->string(x->s->data, x->depth, x->key, s);
	return SV_OK;
}

static int integer(struct sv_writer *w, int64_t v)
{
	(void)w;
	(void)v;
	return SV_OK;
}

static int number(struct sv_writer *w, double v)
{
	(void)w;
	(void)v;
	return SV_OK;
}

static int boolean(struct sv_writer *w, int v)
{
	(void)w;
	(void)v;
	return SV_OK;
}

static int null(struct sv_writer *w)
{
	(void)w;
	return SV_OK;
}

static int json(struct sv_writer *w, const char *text)
{
	(void)w;
	(void)text;
	return SV_OK;
}

int strings_walk(const char *text, size_t len, const struct strings *s)
{
	struct walk x = { .w = { begin, end, key, string, integer, number, boolean, null, json },
		.s = s };

	return sv_walk_json(text, len, &x.w) == SV_OK ? 0 : -1;
}
