/* SPDX-License-Identifier: MIT */
/* top: instances as they are now: what they use, what they have cost, what stops them next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starverse/instance.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "said.h"
#include "screen.h"
#include "style.h"

#define COLUMNS  9
#define GAP      2
#define BAR      6
#define INTERVAL 2
#define PAGE     "1000" /* the most that the contract allows */

struct top {
	struct call *call;
	struct screen screen;
	const struct sv_verb *list;
	void **pages; /* the newest */
	size_t n_pages;
	const struct sv_instance **v; /* what is on them */
	size_t n;
	char said[512]; /* why it is not newer, or "" */
	char order; /* key that chose it */
	int64_t interval;
};

static const struct {
	const char *title;
	int right; /* numbers stand to the right */
} columns[COLUMNS] = { { N_("NAME"), 0 }, { N_("STATUS"), 0 }, { N_("GPU"), 0 }, { N_("CPU"), 1 },
	{ N_("RAM"), 1 }, { N_("CARD USE"), 1 }, { N_("AN HOUR"), 1 }, { N_("COST"), 1 },
	{ N_("NEXT STOP"), 0 } };

/* "37% ###...": a figure that is not known is a dash. */
static void share(double percent, struct text *ret)
{
	int full = (int)(percent * BAR / 100 + 0.5);

	text_fmt(ret, "%.0f%% ", percent);
	for (int i = 0; i < BAR; i++)
		text_chr(ret, i < full ? '#' : '.');
}

static void used(const struct sv_instance *i, size_t column, struct text *ret)
{
	const struct sv_instance_usage *u = i->usage;
	double sum = 0;
	size_t n = 0;

	if (u && column == 3 && sv_has(u, cpu_percent) && !sv_is_null(u, cpu_percent))
		share(i->vcpus > 0 ? u->cpu_percent / (double)i->vcpus : u->cpu_percent, ret);
	if (u && column == 4 && sv_has(u, ram_gib) && !sv_is_null(u, ram_gib))
		text_fmt(ret, "%.1fGiB", u->ram_gib);
	for (size_t k = 0; u && column == 5 && k < u->gpu.n; k++) {
		const struct sv_gpu_usage *g = u->gpu.v[k];

		if (sv_has(g, util_percent) && !sv_is_null(g, util_percent)) {
			sum += g->util_percent;
			n++;
		}
	}
	if (n)
		share(sum / (double)n, ret);
}

static void field(struct top *t, const struct sv_instance *i, const char *name, struct text *ret)
{
	struct out o = { .app = t->call->app };
	struct column c;

	if (!column_find(t->list->out, name, &c, NULL))
		return;
	column_human(&o, &c, i, ret);
	column_free(&c);
}

static void next_stop(struct top *t, const struct sv_instance *i, struct text *ret)
{
	const struct sv_instance_next_stop *n = i->next_stop;

	if (!n)
		return;
	if (sv_has(n, at) && !sv_is_null(n, at))
		field(t, i, "next_stop.at", ret);
	if (n->cause) {
		text_str(ret, ret->n ? " " : "");
		safe_text(ret, n->cause);
	}
}

static void cell(struct top *t, const struct sv_instance *i, size_t column, struct text *ret)
{
	static const char *const fields[COLUMNS] = { "name", "status", "gpu", NULL, NULL, NULL,
		"price_per_hour", "cost", NULL };

	if (fields[column])
		field(t, i, fields[column], ret);
	else if (column == COLUMNS - 1)
		next_stop(t, i, ret);
	else
		used(i, column, ret);
	if (column == 2 && i->gpu_count > 0)
		text_fmt(ret, ":%lld", (long long)i->gpu_count);
	if (!ret->n)
		text_chr(ret, '-');
}

static int compare(const void *a, const void *b, void *data)
{
	const struct sv_instance *x = *(void *const *)a, *y = *(void *const *)b;
	const struct top *t = data;

	if (t->order == 'c' && x->cost != y->cost)
		return x->cost < y->cost ? 1 : -1;
	if (t->order == 'p' && x->price_per_hour != y->price_per_hour)
		return x->price_per_hour < y->price_per_hour ? 1 : -1;
	if (t->order == 'u' && x->usage && y->usage &&
		x->usage->cpu_percent != y->usage->cpu_percent)
		return x->usage->cpu_percent < y->usage->cpu_percent ? 1 : -1;
	return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static void padded(struct text *line, const struct text *s, size_t width, int right, int mood,
	int colored)
{
	size_t n = text_fit(text_of(s), s->n, width), w = text_width(text_of(s), n);

	for (size_t k = w; right && k < width; k++)
		text_chr(line, ' ');
	text_str(line, style_on(colored, mood));
	text_add(line, text_of(s), n);
	text_str(line, style_off(colored, mood));
	for (size_t k = w; !right && k < width; k++)
		text_chr(line, ' ');
}

/* As many columns as the screen is wide enough for. */
static size_t fitting(const struct top *t, size_t *widths)
{
	size_t used_ = 0, n = 0;

	for (; n < COLUMNS; n++) {
		if (!n && widths[n] + 2 > (size_t)t->screen.width)
			widths[n] = t->screen.width > 2 ? (size_t)t->screen.width - 2 : 1;
		if (used_ + widths[n] > (size_t)t->screen.width)
			break;
		used_ += widths[n] + GAP;
	}
	return n;
}

static void head(struct top *t, struct text *ret)
{
	int64_t hour = 0, cost = 0;
	size_t running = 0;
	struct text line = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const struct sv_instance *x = t->v[i];

		cost += x->cost;
		if (x->billing_active) {
			running++;
			hour += x->price_per_hour;
		}
	}
	text_fmt(&line, _("%zu instances, %zu billed: %lld.%02lld an hour, %lld.%02lld so far"),
		t->n, running, (long long)(hour / 1000000),
		(long long)(hour % 1000000 / 10000), (long long)(cost / 1000000),
		(long long)(cost % 1000000 / 10000));
	text_add(ret, text_of(&line), text_fit(text_of(&line), line.n, (size_t)t->screen.width));
	text_chr(ret, '\n');
	line.n = 0;
	safe_text(
		&line, *t->said ? t->said : _("q quits; sorts by: n name, c cost, p price, u use"));
	text_str(ret, style_on(t->call->app->out_color, *t->said ? SV_BAD : SV_IDLE));
	text_add(ret, text_of(&line), text_fit(text_of(&line), line.n, (size_t)t->screen.width));
	text_str(ret, style_off(t->call->app->out_color, *t->said ? SV_BAD : SV_IDLE));
	text_str(ret, "\n\n");
	text_free(&line);
}

static int mood_of(const struct top *t, const struct sv_instance *i, size_t column)
{
	return column == 1 ? sv_mood(sv_field_flagged(t->list->out, SV_STATE), i->status)
			   : SV_PLAIN;
}

static void table(struct top *t, struct text *ret)
{
	size_t rows = t->screen.height > 4 ? (size_t)t->screen.height - 4 : 0, widths[COLUMNS], n;
	struct text *cells;

	rows = t->n < rows ? t->n : rows;
	cells = mem_new((rows + 1) * COLUMNS, sizeof(*cells));
	for (size_t k = 0; k < COLUMNS; k++) {
		text_str(&cells[k], _(columns[k].title));
		widths[k] = text_width(text_of(&cells[k]), cells[k].n);
		for (size_t r = 0; r < rows; r++) {
			struct text *c = &cells[(r + 1) * COLUMNS + k];
			size_t w;

			cell(t, t->v[r], k, c);
			w = text_width(text_of(c), c->n);
			widths[k] = w > widths[k] ? w : widths[k];
		}
	}
	n = fitting(t, widths);
	for (size_t r = 0; r <= rows; r++) {
		for (size_t k = 0; k < n; k++) {
			text_str(ret, k ? "  " : "");
			padded(ret, &cells[r * COLUMNS + k], widths[k], columns[k].right,
				r ? mood_of(t, t->v[r - 1], k) : SV_PLAIN,
				t->call->app->out_color);
		}
		text_chr(ret, '\n');
	}
	for (size_t i = 0; i < (rows + 1) * COLUMNS; i++)
		text_free(&cells[i]);
	mem_free(cells);
}

static void draw(struct top *t)
{
	struct text lines = { 0 };

	if (t->n)
		qsort_r(t->v, t->n, sizeof(*t->v), compare, t);
	head(t, &lines);
	table(t, &lines);
	screen_draw(&t->screen, &lines);
	text_free(&lines);
}

/* 1 when it is to go on. */
static int key(struct top *t, int k)
{
	if (k == 'q' || k == SCREEN_END)
		return 0;
	if (k > 0 && strchr("ncpu", k))
		t->order = (char)k;
	if (k != SCREEN_NONE)
		draw(t);
	return 1;
}

static void forget(struct top *t)
{
	for (size_t i = 0; i < t->n_pages; i++)
		sv_free(t->pages[i]);
	mem_free(t->pages);
	mem_free(t->v);
	t->pages = NULL;
	t->v = NULL;
	t->n_pages = t->n = 0;
}

static void keep(struct top *t, void *page)
{
	const struct sv_page *p = page;

	t->pages = mem_grow(t->pages, t->n_pages + 1, sizeof(*t->pages));
	t->pages[t->n_pages++] = page;
	t->v = mem_grow(t->v, t->n + p->n + 1, sizeof(*t->v));
	for (size_t i = 0; i < p->n; i++)
		t->v[t->n++] = p->v[i];
}

/* Keys are heard while the answer is on its way: 0 when one of them ends it. */
static int page(struct top *t, const void *in, void **ret)
{
	sv_client *c = t->call->app->client;
	sv_op *op = sv_start(c, t->list, NULL, in, NULL, NULL);
	int on = 1;
	struct text why = { 0 };

	while (op && on && !sv_op_done(op)) {
		sv_pump(c, 50);
		on = key(t, screen_key(&t->screen, 0));
	}
	snprintf(t->said, sizeof(t->said), "%s",
		said(op ? sv_op_error(op)->message : sv_client_error(c)->message, &why));
	text_free(&why);
	if (op && sv_finish(op, ret) == SV_OK)
		t->said[0] = '\0';
	return on;
}

static void ask_for(const struct top *t, void *in, const char *name, const char *value)
{
	struct sv_error err;

	sv_field_parse(in, in, sv_field_find(t->list->query, name), value, &err);
}

/* What is shown changes only when all is there; a page that leads back is the last. */
static int fetch(struct top *t)
{
	struct top fresh = { 0 };
	void *in = sv_new(t->list->query), *got = NULL;
	int on, more;

	ask_for(t, in, "limit", PAGE);
	do {
		const struct sv_page *p;

		on = page(t, in, &got);
		p = got;
		more = on && p && p->next &&
		       (!fresh.n_pages || sv_page_follows(fresh.pages[fresh.n_pages - 1], got));
		if (more)
			ask_for(t, in, "cursor", p->next);
		if (got)
			keep(&fresh, got);
		got = NULL;
	} while (more);
	sv_free(in);
	if (!*t->said && on) {
		forget(t);
		t->pages = fresh.pages;
		t->n_pages = fresh.n_pages;
		t->v = fresh.v;
		t->n = fresh.n;
	} else {
		forget(&fresh);
	}
	return on;
}

static int watch(struct top *t)
{
	int on = 1, sig;

	while (on) {
		int64_t left = t->interval * 1000;

		on = fetch(t);
		if (on)
			draw(t);
		for (; on && left > 0; left -= 100) {
			int k = screen_key(&t->screen, 100);

			on = key(t, k);
		}
	}
	sig = hold_signal();
	return sig ? 128 + sig : 0;
}

int cmd_top(struct call *call)
{
	struct app *a = call->app;
	struct top t = { .call = call, .order = 'n' };
	struct hold hold = { 0 };
	int status = 0, rc, why;

	t.list = sv_verb_find(sv_kind_find("instance"), "list");
	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	rc = opt_seconds(call, OPT_INTERVAL, INTERVAL, &t.interval);
	if (rc || !app_client(a, &status))
		return rc ? rc : status;
	if (t.interval < 1 || t.interval > 3600)
		return usage_error(call, _("--interval must be 1s to 1h"));
	if (!a->in_tty || !a->out_tty || !a->env.term || !strcmp(a->env.term, "dumb"))
		return fail_hint(a, EXIT_USAGE, _("svctl instance list -o wide"),
			_("top draws on a terminal, and this is none"));
	hold_begin(a, &hold);
	why = screen_begin(&t.screen, a);
	if (!why) {
		rc = watch(&t);
		screen_end(&t.screen);
	}
	hold_end(a, &hold);
	forget(&t);
	return why ? fail_text(a, 1, _("the terminal cannot be used: %s"), strerror(why)) : rc;
}
