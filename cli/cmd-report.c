/* SPDX-License-Identifier: MIT */
/* billing usage --chart, billing report: what was spent on what, as pictures. */
#include <stdlib.h>
#include <string.h>

#include <starverse/account.h>
#include <starverse/client.h>

#include "chart.h"
#include "command.h"
#include "costs.h"
#include "errors.h"
#include "generic.h"
#include "page.h"

#define TOP  10 /* of the bars of a report */
#define MOST 400 /* columns of a picture, the newest */

/* Bars of sums; the texts live in words until words_free(). */
static struct chart_bar *bars_of(const struct costs *c, size_t most, struct words *texts, size_t *n)
{
	struct chart_bar *v = mem_new(c->n + 1, sizeof(*v));

	*n = c->n < most ? c->n : most;
	for (size_t i = 0; i < *n; i++) {
		struct text money = { 0 };

		money_text(&money, c->v[i].cost);
		words_push(texts, text_of(&money));
		text_free(&money);
		v[i] = (struct chart_bar){ .label = cost_label(&c->v[i]),
			.value = (double)c->v[i].cost / 1e6 };
	}
	for (size_t i = 0; i < *n; i++)
		v[i].text = texts->v[i];
	return v;
}

static int timely(const char *by)
{
	return !strcmp(by, "hour") || !strcmp(by, "day") || !strcmp(by, "month");
}

int usage_chart(struct call *call, const char *by)
{
	struct chart_style style = chart_style_of(call->app);
	struct text t = { 0 }, title = { 0 };
	struct words texts = { 0 };
	struct chart_bar *v;
	struct costs c;
	size_t n;
	int rc;

	if (opt_value(call, OPT_OUTPUT) || opt_value(call, OPT_GET) || call->opt[OPT_COLUMNS].n)
		return usage_error(
			call, _("--chart is a picture: it has no -o, --get or --columns"));
	rc = costs_fetch(call, call->in, by, &c);
	if (!rc) {
		if (!timely(by))
			costs_sort(&c);
		v = bars_of(&c, c.n, &texts, &n);
		text_fmt(&title, _("cost by %s, from 0; all of it "), by);
		money_text(&title, c.cost);
		chart_bars(&t, &style, text_of(&title), v, n);
		sink_add(&call->app->out, text_of(&t), t.n);
		mem_free(v);
	}
	costs_free(&c);
	words_free(&texts);
	text_free(&title);
	text_free(&t);
	return rc;
}

/* What is above the pictures. */
static void facts(struct text *t, const struct costs *days, const struct course *course)
{
	const struct sv_account *a = course->account;
	const struct {
		const char *name;
		int64_t v;
		int seconds, known;
	} all[] = {
		{ _("spent"), days->cost, 0, 1 },
		{ _("time of compute"), days->compute, 1, 1 },
		{ _("can be spent"), a->balance ? a->balance->available : 0, 0,
			a->balance != NULL },
		{ _("an hour, now"), a->burn_rate_per_hour, 0, 1 },
		{ _("lasts"), a->runway_seconds, 1, !sv_is_null(a, runway_seconds) },
	};
	struct page_fact v[COUNT(all)];
	struct text texts[COUNT(all)];

	memset(texts, 0, sizeof(texts));
	for (size_t i = 0; i < COUNT(all); i++) {
		if (!all[i].known)
			text_chr(&texts[i], '-');
		else if (all[i].seconds)
			seconds_text(&texts[i], all[i].v);
		else
			money_text(&texts[i], all[i].v);
		v[i] = (struct page_fact){ all[i].name, text_of(&texts[i]) };
	}
	page_facts(t, v, COUNT(all));
	for (size_t i = 0; i < COUNT(all); i++)
		text_free(&texts[i]);
}

static void spenders(struct text *t, const struct costs *c, const char *title)
{
	struct words texts = { 0 };
	size_t n;
	struct chart_bar *v = bars_of(c, TOP, &texts, &n);

	page_bars(t, title, v, n);
	mem_free(v);
	words_free(&texts);
}

static void columns(struct text *t, const struct costs *c, const char *title)
{
	struct words texts = { 0 };
	size_t n;
	struct chart_bar *v = bars_of(c, c->n, &texts, &n);

	/* The year stands in the subtitle: "11-30" is enough below a column. */
	for (size_t i = 0; i < n; i++)
		v[i].label += strlen(v[i].label) > 5 ? 5 : 0;
	page_columns(t, title, v, n);
	mem_free(v);
	words_free(&texts);
}

static void costs_table(struct text *t, const struct costs *c, const char *what)
{
	const char *heads[] = { what, _("time"), _("cost") };
	static const int numbers[] = { 0, 1, 1 };
	struct page_table p;

	page_table(&p, t, heads, numbers, COUNT(heads));
	for (size_t i = 0; i <= c->n; i++) {
		struct text seconds = { 0 }, money = { 0 };
		int total = i == c->n;

		seconds_text(&seconds, total ? c->seconds : c->v[i].seconds);
		money_text(&money, total ? c->cost : c->v[i].cost);
		page_row(&p,
			(const char *[]){ total ? _("all of it") : cost_label(&c->v[i]),
				text_of(&seconds), text_of(&money) },
			total);
		text_free(&seconds);
		text_free(&money);
	}
	page_table_end(&p);
}

static int later(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Usage at the ends of its days, and everything else at its own second. */
static void balance(struct text *t, const struct course *c)
{
	size_t n = 0, most = c->used.n + c->n * 2 + 1;
	double *x = mem_new(most, sizeof(*x)), *y = mem_new(most, sizeof(*y));
	struct chart_axes axes = { .x = _("time"), .y = _("balance"), .x_time = 1, .y_zero = 1 };
	struct chart_curve curve = { .label = _("balance"), .x = x, .y = y, .steps = 1 };

	for (size_t i = 0; i < c->used.n; i++)
		x[n++] = (double)(c->used.v[i].started_at + c->by_seconds);
	if (c->used.n)
		x[n++] = (double)c->used.v[0].started_at;
	for (size_t i = 0; i < c->n; i++) {
		x[n++] = (double)c->moves[i].time;
		x[n++] = (double)(c->moves[i].time - 1);
	}
	qsort(x, n, sizeof(*x), later);
	for (size_t i = 0; i < n; i++)
		y[i] = (double)course_at(c, (int64_t)x[i]) / 1e6;
	curve.n = n;
	page_curves(t, _("cash and credit"), &axes, &curve, 1);
	mem_free(x);
	mem_free(y);
}

struct report {
	struct costs days, instances, gpus, kinds, resources;
	struct course course;
};

static int fetch(struct call *call, struct report *r, int hours)
{
	const struct sv_usage_filter *f = call->in;
	const char *by = hours ? "hour" : "day";
	int rc = costs_fetch(call, call->in, by, &r->days);

	if (!rc)
		rc = costs_fetch(call, call->in, "instance", &r->instances);
	if (!rc)
		rc = costs_fetch(call, call->in, "gpu", &r->gpus);
	if (!rc)
		rc = costs_fetch(call, call->in, "kind", &r->kinds);
	if (!rc)
		rc = costs_fetch(call, call->in, "resource", &r->resources);
	return rc ? rc : course_fetch(call, f->since, by, &r->course);
}

static void draw(struct text *t, struct report *r, int hours)
{
	struct text sub = { 0 };
	int cut;

	if (r->days.n) {
		time_text(&sub, r->days.v[0].started_at);
		text_str(&sub, _(" to "));
		time_text(&sub, r->days.v[r->days.n - 1].started_at + (hours ? 3600 : 86400));
	} else {
		text_str(&sub, _("no usage in this time"));
	}
	if (r->course.account->name)
		text_fmt(&sub, _("; account %s; amounts in %s"), r->course.account->name,
			r->course.account->balance && r->course.account->balance->currency
				? r->course.account->balance->currency
				: "CNY");
	cut = costs_fill(&r->days, hours ? 3600 : 86400, MOST);
	costs_sort(&r->instances);
	costs_sort(&r->gpus);
	costs_sort(&r->kinds);
	costs_sort(&r->resources);
	page_open(t, _("Costs"), text_of(&sub));
	facts(t, &r->days, &r->course);
	columns(t, &r->days,
		cut     ? _("cost by day, the last 400 of them")
		: hours ? _("cost by hour")
			: _("cost by day"));
	page_heading(t, _("What it was spent on"));
	spenders(t, &r->instances, _("by instance; (none) is what belongs to no instance"));
	spenders(t, &r->gpus, _("by card"));
	spenders(t, &r->kinds, _("by kind"));
	page_heading(t, _("Balance"));
	balance(t, &r->course);
	page_heading(t, _("Every resource"));
	costs_table(t, &r->resources, _("resource"));
	page_close(t);
	text_free(&sub);
}

int cmd_billing_report(struct call *call)
{
	const char *file = opt_value(call, OPT_HTML);
	struct report r;
	struct text t = { 0 };
	const struct sv_usage_filter *f;
	int rc, hours;

	memset(&r, 0, sizeof(r));
	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!file)
		return usage_error(call, _("--html FILE is needed; - writes to stdout"));
	if (!call->in)
		call->in = sv_new(call->in_kind);
	f = call->in;
	/* Hours are seen in three days, not in a month. */
	hours = f->since && f->until && f->until - f->since <= 3 * 86400;
	rc = resolve_refs(call);
	if (!rc)
		rc = fetch(call, &r, hours);
	if (!rc) {
		draw(&t, &r, hours);
		rc = page_write(call->app, file, &t);
	}
	if (!rc && strcmp(file, "-") != 0)
		note(call->app, _("%s is written"), file);
	costs_free(&r.days);
	costs_free(&r.instances);
	costs_free(&r.gpus);
	costs_free(&r.kinds);
	costs_free(&r.resources);
	course_free(&r.course);
	text_free(&t);
	return rc;
}
