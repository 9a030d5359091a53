/* SPDX-License-Identifier: MIT */
/* Tables. Rows are kept as text only, so that the widths are known before the first line. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "errors.h"
#include "out.h"
#include "refs.h"
#include "style.h"

#define GAP      3
#define SHORTEST 8 /* a cell that is cut keeps so much */
#define PROSE    16 /* and so much where it is sentences */

struct table {
	struct text cells; /* each with its mood before and a NUL behind, row after row */
	struct text cell;  /* the one that comes */
	size_t rows;
	size_t *widths;
	size_t shown;      /* columns that fit */
	size_t last_width; /* most for the last one shown; 0 for all */
	size_t cut;        /* the column of sentences that was made narrower, from 1; 0 for none */
	struct refs refs;
};

static int begin(struct out *o)
{
	struct table *t = mem_new(1, sizeof(*t));

	t->widths = mem_new(o->n_columns + 2, sizeof(*t->widths));
	t->refs.app = o->app;
	o->refs = &t->refs;
	o->state = t;
	return 0;
}

static void keep(struct table *t, size_t column, const struct text *cell, int mood)
{
	size_t w = text_width(text_of(cell), cell->n);

	if (w > t->widths[column])
		t->widths[column] = w;
	text_chr(&t->cells, (char)mood);
	text_add(&t->cells, text_of(cell), cell->n);
	text_chr(&t->cells, '\0');
}

static int mood(const struct column *c, const void *obj)
{
	const struct sv_field *f = column_field(c);
	const void *at = column_object(c, obj);

	return at && f->type == SV_STR && f->words && !c->key
		       ? sv_mood(f, *(const char *const *)(const void *)((const char *)at +
									  f->offset))
		       : SV_PLAIN;
}

/* One object, a field a line; what is null is left out. */
static void upright(struct out *o, struct table *t, const void *obj)
{
	for (size_t i = 0; i < o->n_columns; i++) {
		struct text name = { 0 }, value = { 0 };
		const struct sv_field *f = column_field(&o->columns[i]);

		if (!sv_field_has(f, obj) || sv_field_is_null(f, obj))
			continue;
		text_str(&name, o->columns[i].name);
		column_human(o, &o->columns[i], obj, &value);
		keep(t, 0, &name, SV_PLAIN);
		keep(t, 1, &value, mood(&o->columns[i], obj));
		t->rows++;
		text_free(&name);
		text_free(&value);
	}
}

static int item(struct out *o, const void *obj)
{
	struct table *t = o->state;

	if (o->upright) {
		upright(o, t, obj);
		return 0;
	}
	for (size_t i = 0; i < o->n_columns; i++) {
		t->cell.n = 0;
		text_add(&t->cell, "", 0);
		column_human(o, &o->columns[i], obj, &t->cell);
		keep(t, i, &t->cell, mood(&o->columns[i], obj));
	}
	t->rows++;
	return 0;
}

/* "size_gib" stands above "40GiB": the unit need not be said twice. */
void out_title(const struct sv_field *f, const char *name, struct text *ret)
{
	const char *unit = f->type == SV_GIB ? "_gib" : "_seconds";
	size_t len = strlen(name);

	if ((f->type == SV_GIB || f->type == SV_SECONDS) && len > strlen(unit) &&
		!strcmp(name + len - strlen(unit), unit))
		len -= strlen(unit);
	for (size_t i = 0; i < len; i++)
		text_chr(ret, (char)toupper((unsigned char)name[i]));
}

static void title(const struct out *o, size_t column, struct text *ret)
{
	struct text english = { 0 };

	if (o->as_is) {
		text_str(ret, o->columns[column].name);
		return;
	}
	out_title(column_field(&o->columns[column]), o->columns[column].name, &english);
	text_str(ret, _(text_of(&english)));
	text_free(&english);
}

static void headers(struct out *o, struct table *t, struct text *titles)
{
	if (o->upright) {
		text_str(&titles[0], _("FIELD"));
		text_str(&titles[1], _("VALUE"));
	}
	for (size_t i = 0; i < (o->upright ? 2 : o->n_columns); i++) {
		size_t w;

		if (!o->upright)
			title(o, i, &titles[i]);
		w = text_width(text_of(&titles[i]), titles[i].n);
		if (o->header && w > t->widths[i])
			t->widths[i] = w;
	}
}

/* One long sentence of one row takes no column from all of them: it is cut. */
static void narrow(const struct out *o, struct table *t, size_t n, size_t room)
{
	size_t all = 0, prose = 0, over, spare;

	for (size_t i = 0; i < n; i++) {
		all += t->widths[i] + (i ? GAP : 0);
		if (!o->upright && column_field(&o->columns[i])->flags & SV_PROSE)
			prose = i + 1;
	}
	if (!prose || all <= room || t->widths[prose - 1] <= PROSE)
		return;
	over = all - room;
	spare = t->widths[prose - 1] - PROSE;
	t->widths[prose - 1] -= over < spare ? over : spare;
	t->cut = prose;
}

/* On a terminal columns are dropped from the right before any line is longer than it; whoever asks
 * for a wide table gets one. */
static void fit(const struct out *o, struct table *t, size_t n)
{
	size_t room = o->app->out_tty && o->format != &out_wide ? (size_t)o->app->width : 0,
	       used = 0;

	t->shown = n;
	if (room)
		narrow(o, t, n, room);
	for (size_t i = 0; room && i < n; i++) {
		size_t left = room > used ? room - used : 0;

		if (t->widths[i] > left && i + 1 == n && left >= SHORTEST) {
			t->last_width = left;
		} else if (t->widths[i] > left && i) {
			t->shown = i;
			break;
		} else if (t->widths[i] > left) {
			t->last_width = left;
			t->shown = 1;
			break;
		}
		used += t->widths[i] + GAP;
	}
}

static void put(
	struct out *o, const struct table *t, size_t column, const char *s, size_t len, int mood)
{
	struct sink *out = &o->app->out;
	int last = column + 1 == t->shown;
	size_t w, most = last && t->last_width ? t->last_width : 0;

	if (column >= t->shown)
		return;
	if (column)
		sink_pad(out, GAP);
	if (!most && column + 1 == t->cut)
		most = t->widths[column];
	w = !last || most ? text_width(s, len) : 0;
	if (most && w > most) {
		len = text_fit(s, len, most - 1);
		w = text_width(s, len) + 1;
		sink_add(out, s, len);
		sink_str(out, "\xe2\x80\xa6");
	} else {
		sink_str(out, style_on(o->app->out_color, mood));
		sink_add(out, s, len);
		sink_str(out, style_off(o->app->out_color, mood));
	}
	if (!last)
		sink_pad(out, t->widths[column] - w);
}

/* As --columns takes it, and as its title reads where that is in another language. */
static void hidden_name(const struct out *o, size_t column, int first, struct text *ret)
{
	const char *name = o->columns[column].name;
	struct text shown = { 0 };

	title(o, column, &shown);
	text_str(ret, first ? "" : ", ");
	if ((unsigned char)*text_of(&shown) < 0x80)
		text_str(ret, name);
	else
		text_fmt(ret, "%s (%s)", text_of(&shown), name);
	text_free(&shown);
}

/* What was left out for want of room is named. */
static void hidden(const struct out *o, const struct table *t, size_t n)
{
	struct text names = { 0 };

	if (t->shown == n || o->upright)
		return;
	sink_flush(&o->app->out);
	for (size_t i = t->shown; i < n; i++)
		hidden_name(o, i, i == t->shown, &names);
	if (o->app->pager)
		sink_fmt(&o->app->out, _("(too narrow for: %s)\n"), text_of(&names));
	else
		note(o->app, _("too narrow for: %s (--columns chooses, -o json has all)"),
			text_of(&names));
	text_free(&names);
}

static int end(struct out *o)
{
	struct table *t = o->state;
	size_t n = o->upright ? 2 : o->n_columns;
	struct text *titles = mem_new(n, sizeof(*titles));
	const char *cell = text_of(&t->cells);

	headers(o, t, titles);
	fit(o, t, n);
	for (size_t i = 0; i < n && o->header; i++)
		put(o, t, i, text_of(&titles[i]), titles[i].n, SV_PLAIN);
	if (o->header)
		sink_chr(&o->app->out, '\n');
	for (size_t row = 0; row < t->rows; row++) {
		for (size_t i = 0; i < n; i++) {
			int is = *cell++;
			size_t len = strlen(cell);

			put(o, t, i, cell, len, is);
			cell += len + 1;
		}
		sink_chr(&o->app->out, '\n');
	}
	hidden(o, t, n);
	for (size_t i = 0; i < n; i++)
		text_free(&titles[i]);
	mem_free(titles);
	return 0;
}

static void drop(struct out *o)
{
	struct table *t = o->state;

	text_free(&t->cells);
	text_free(&t->cell);
	refs_free(&t->refs);
	o->refs = NULL;
	mem_free(t->widths);
	mem_free(t);
}

const struct out_format out_table = { "table", begin, item, end, 1, drop };
const struct out_format out_wide = { "wide", begin, item, end, 1, drop };
