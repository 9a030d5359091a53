/* SPDX-License-Identifier: MIT */
/* Values for other programs: csv (RFC 4180), tsv, name, id, and one field alone. */
#include <string.h>

#include "out.h"

/* A text cell that a spreadsheet would run as a formula gets an apostrophe before it; numbers are
 * left alone. */
static int formula(const struct column *c, const char *s)
{
	int type = column_field(c)->type;

	return (type == SV_STR || type == SV_STRS || type == SV_MAP || type == SV_JSON) && *s &&
	       strchr("=+-@\t\r", *s);
}

static void quoted(struct sink *out, const char *s)
{
	sink_chr(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			sink_chr(out, '"');
		sink_chr(out, *s);
	}
	sink_chr(out, '"');
}

static int csv_begin(struct out *o)
{
	for (size_t i = 0; i < o->n_columns && o->header; i++) {
		sink_str(&o->app->out, i ? "," : "");
		sink_str(&o->app->out, o->columns[i].name);
	}
	if (o->header)
		sink_str(&o->app->out, "\r\n");
	return 0;
}

static int csv_item(struct out *o, const void *obj)
{
	struct sink *out = &o->app->out;

	for (size_t i = 0; i < o->n_columns; i++) {
		struct text t = { 0 };
		int is = column_text(&o->columns[i], obj, &t);
		const char *s = text_of(&t);

		sink_str(out, i ? "," : "");
		if (formula(&o->columns[i], s)) {
			struct text safe = { 0 };

			text_fmt(&safe, "'%s", s);
			quoted(out, text_of(&safe));
			text_free(&safe);
		} else if ((is && !t.n) || strpbrk(s, ",\"\r\n")) {
			quoted(out, s);
		} else {
			sink_add(out, s, t.n);
		}
		text_free(&t);
	}
	sink_str(out, "\r\n");
	return 0;
}

static int tsv_begin(struct out *o)
{
	for (size_t i = 0; i < o->n_columns && o->header; i++) {
		sink_str(&o->app->out, i ? "\t" : "");
		sink_str(&o->app->out, o->columns[i].name);
	}
	if (o->header)
		sink_chr(&o->app->out, '\n');
	return 0;
}

/* Tabs, line ends and backslashes inside a value are written \t \n \r \\. */
static void tsv_cell(struct sink *out, const char *s)
{
	static const char from[] = "\t\n\r\\", to[] = "tnr\\";

	for (; *s; s++) {
		const char *at = strchr(from, *s);

		if (at)
			sink_chr(out, '\\');
		sink_chr(out, at ? to[at - from] : *s);
	}
}

static int tsv_item(struct out *o, const void *obj)
{
	for (size_t i = 0; i < o->n_columns; i++) {
		struct text t = { 0 };

		column_text(&o->columns[i], obj, &t);
		sink_str(&o->app->out, i ? "\t" : "");
		tsv_cell(&o->app->out, text_of(&t));
		text_free(&t);
	}
	sink_chr(&o->app->out, '\n');
	return 0;
}

/* A value on a line of its own; for a terminal made harmless. */
static void line(struct out *o, const struct text *t)
{
	struct text safe = { 0 };

	if (o->app->out_tty)
		safe_text(&safe, text_of(t));
	sink_str(&o->app->out, o->app->out_tty ? text_of(&safe) : text_of(t));
	sink_chr(&o->app->out, '\n');
	text_free(&safe);
}

static int flagged(struct out *o, const void *obj, int flag)
{
	const struct sv_field *f = sv_field_flagged(o->kind, flag);
	struct column c = { .n = 1 };
	struct text t = { 0 };

	if (!f)
		f = sv_field_flagged(o->kind, SV_ID);
	if (!f)
		return 0;
	c.way[0] = f;
	column_text(&c, obj, &t);
	line(o, &t);
	text_free(&t);
	return 0;
}

static int name_item(struct out *o, const void *obj)
{
	return flagged(o, obj, SV_NAME);
}

static int id_item(struct out *o, const void *obj)
{
	return flagged(o, obj, SV_ID);
}

static int get_item(struct out *o, const void *obj)
{
	struct text t = { 0 };

	column_text(&o->columns[0], obj, &t);
	line(o, &t);
	text_free(&t);
	return 0;
}

const struct out_format out_csv = { "csv", csv_begin, csv_item, NULL, 1 };
const struct out_format out_tsv = { "tsv", tsv_begin, tsv_item, NULL, 1 };
const struct out_format out_name = { "name", NULL, name_item, NULL, 0 };
const struct out_format out_id = { "id", NULL, id_item, NULL, 0 };
const struct out_format out_get = { "get", NULL, get_item, NULL, 1 };
