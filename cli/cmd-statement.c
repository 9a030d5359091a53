/* SPDX-License-Identifier: MIT */
/* billing statement: the lines of a month, added up by what it is and its price, with the balance
 * before and after it. */
#include <stdio.h>
#include <string.h>

#include <starverse/account.h>
#include <starverse/client.h>

#include "command.h"
#include "costs.h"
#include "errors.h"
#include "generic.h"
#include "page.h"

/* One resource at one price. */
struct line {
	struct sv_set set;
	const char *name, *kind, *gpu, *resource;
	int64_t price_per_hour, seconds, cost;
};

#define ROW(m, t, hlp, flg) \
	{ \
		.name = #m, .help = hlp, .offset = offsetof(struct line, m), .type = t, \
		.flags = flg \
	}
static const struct sv_field line_fields[] = {
	ROW(name, SV_STR, "its name, as it was", SV_COL | SV_NAME),
	ROW(kind, SV_STR, "what was metered", SV_COL),
	ROW(gpu, SV_STR, "its card", SV_COL),
	ROW(resource, SV_STR, "its id", SV_WIDE | SV_ID),
	ROW(price_per_hour, SV_MONEY, "its rate", SV_COL),
	ROW(seconds, SV_SECONDS, "length", SV_COL),
	ROW(cost, SV_MONEY, "what it cost", SV_COL),
};
static const struct sv_kind line_kind = { .name = "statement_line",
	.help = "one resource at one price",
	.fields = line_fields,
	.n = COUNT(line_fields),
	.size = sizeof(struct line) };

struct statement {
	char month[8]; /* "2026-11" */
	int64_t since, until;
	void *root;
	struct sv_list lines;
	struct course course;
	int64_t cost;
};

static int same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static int add(struct statement *s, const struct sv_usage *u)
{
	struct line *l = NULL;

	for (size_t i = 0; i < s->lines.n; i++) {
		struct line *one = s->lines.v[i];

		if (same(one->resource, u->resource) && same(one->kind, u->kind) &&
			same(one->gpu, u->gpu) && one->price_per_hour == u->price_per_hour)
			l = one;
	}
	if (!l) {
		l = sv_new_in(s->root, &line_kind);
		if (!l || sv_list_add(s->root, &s->lines, l))
			return 1;
		l->name = sv_strdup_in(s->root, u->name);
		l->kind = sv_strdup_in(s->root, u->kind);
		l->gpu = sv_strdup_in(s->root, u->gpu);
		l->resource = sv_strdup_in(s->root, u->resource);
		l->price_per_hour = u->price_per_hour;
		for (size_t i = 0; i < COUNT(line_fields); i++)
			sv_field_mark(&line_fields[i], l);
		if (!l->gpu)
			sv_mark_null(l, gpu);
		if (!l->name)
			sv_mark_null(l, name);
	}
	return __builtin_add_overflow(l->seconds, u->seconds, &l->seconds) ||
	       __builtin_add_overflow(l->cost, u->cost, &l->cost) ||
	       __builtin_add_overflow(s->cost, u->cost, &s->cost);
}

static int take_lines(void *data, const struct sv_page *page)
{
	int over = 0;

	for (size_t i = 0; i < page->n && !over; i++) {
		const struct sv_usage *u = page->v[i];

		if (u->seconds || u->cost)
			over = add(data, u);
	}
	return over;
}

static int fetch_lines(struct call *call, struct statement *s)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("billing"), "usage");
	struct sv_usage_filter f = { .since = s->since, .until = s->until, .limit = 1000 };

	sv_mark(&f, since);
	sv_mark(&f, until);
	sv_mark(&f, limit);
	return costs_pages(call, verb, &f, take_lines, s);
}

static int second_of(const char *month, int64_t *ret)
{
	const struct sv_field *f =
		sv_field_find(sv_verb_find(sv_kind_find("billing"), "usage")->query, "since");
	struct sv_usage_filter tmp = { .limit = 0 };
	struct sv_error err;
	char text[32];

	snprintf(text, sizeof(text), "%s-01T00:00:00Z", month);
	if (strlen(month) != 7 || sv_field_parse(&tmp, &tmp, f, text, &err))
		return -1;
	*ret = tmp.since;
	return 0;
}

/* The last month that has a statement, so that a platform's own clock decides. */
static int last_month(struct call *call, char *month, size_t size)
{
	struct sv_invoice_list *all = NULL;
	struct sv_page_query q = { .limit = 1000 };
	int status = 0;
	sv_client *c = app_client(call->app, &status);

	if (!c)
		return status;
	sv_mark(&q, limit);
	if (sv_billing_invoices(c, &q, &all))
		return fail_call(call, sv_client_error(c), NULL);
	if (all->n)
		snprintf(month, size, "%s", all->v[all->n - 1]->period);
	sv_free(all);
	return *month ? 0 : fail_text(call->app, EXIT_MISSING, _("there is no usage yet"));
}

/* Forty days after the first of a month lie in the next one. */
static int64_t next_month(int64_t since)
{
	struct text t = { 0 };
	int64_t ret = since;
	char month[8];

	time_text(&t, since + INT64_C(40) * 86400);
	snprintf(month, sizeof(month), "%.7s", text_of(&t));
	text_free(&t);
	return second_of(month, &ret) ? since : ret;
}

static int choose(struct call *call, struct statement *s)
{
	const char *given = opt_value(call, OPT_MONTH);
	int rc = 0;

	if (given)
		snprintf(s->month, sizeof(s->month), "%.7s", given);
	else
		rc = last_month(call, s->month, sizeof(s->month));
	if (rc)
		return rc;
	if ((given && strlen(given) != 7) || second_of(s->month, &s->since))
		return usage_error(call, _("--month %s: must be a month such as 2026-11"),
			given ? given : s->month);
	s->until = next_month(s->since);
	return 0;
}

/* What the month came to, in the order in which it adds up. */
struct total {
	const char *name;
	int64_t amount;
};

static size_t totals(const struct statement *s, struct total *v)
{
	const struct course *c = &s->course;

	v[0] = (struct total){ _("balance before"), course_at(c, s->since - 1) };
	v[1] = (struct total){ _("paid in and given"), course_moved(c, s->since, s->until, 1) };
	v[2] = (struct total){ _("expired"), course_moved(c, s->since, s->until, -1) };
	v[3] = (struct total){ _("used"), -s->cost };
	v[4] = (struct total){ _("balance after"), course_at(c, s->until - 1) };
	return 5;
}

static void show_totals(struct sink *out, const struct statement *s)
{
	struct total v[5];
	size_t n = totals(s, v), widest = 0;

	for (size_t i = 0; i < n; i++) {
		size_t w = text_width(v[i].name, strlen(v[i].name));

		widest = w > widest ? w : widest;
	}
	sink_chr(out, '\n');
	for (size_t i = 0; i < n; i++) {
		struct text money = { 0 };

		money_text(&money, v[i].amount);
		sink_str(out, v[i].name);
		sink_pad(out, widest - text_width(v[i].name, strlen(v[i].name)));
		sink_fmt(out, "   %s\n", text_of(&money));
		text_free(&money);
	}
}

static int show(struct call *call, const struct statement *s)
{
	struct out o;
	int rc = out_open(&o, call, &line_kind, 1), people;

	if (rc)
		return rc;
	people = (o.format == &out_table || o.format == &out_wide) && !call->opt[OPT_COLUMNS].n;
	for (size_t i = 0; !rc && i < s->lines.n; i++)
		rc = out_item(&o, s->lines.v[i]);
	rc = rc ? rc : out_close(&o);
	if (rc || !people)
		return rc;
	show_totals(&call->app->out, s);
	return 0;
}

static void lines_table(struct text *t, const struct statement *s)
{
	const char *heads[] = { _("name"), _("kind"), _("card"), _("an hour"), _("time"),
		_("cost") };
	static const int numbers[] = { 0, 0, 0, 1, 1, 1 };
	struct page_table p;

	page_table(&p, t, heads, numbers, COUNT(heads));
	for (size_t i = 0; i <= s->lines.n; i++) {
		const struct line *l = i < s->lines.n ? s->lines.v[i] : NULL;
		struct text rate = { 0 }, seconds = { 0 }, cost = { 0 };

		if (l) {
			money_text(&rate, l->price_per_hour);
			seconds_text(&seconds, l->seconds);
		}
		money_text(&cost, l ? l->cost : s->cost);
		page_row(&p,
			(const char *[]){ !l ? _("all of it") : l->name ? l->name : l->resource,
				l ? l->kind : "", l && l->gpu ? l->gpu : "", text_of(&rate),
				text_of(&seconds), text_of(&cost) },
			!l);
		text_free(&rate);
		text_free(&seconds);
		text_free(&cost);
	}
	page_table_end(&p);
}

static void moves_table(struct text *t, const struct statement *s)
{
	const char *heads[] = { _("when"), _("what"), _("amount") };
	static const int numbers[] = { 0, 0, 1 };
	struct page_table p;

	page_table(&p, t, heads, numbers, COUNT(heads));
	for (size_t i = 0; i < s->course.n; i++) {
		const struct movement *m = &s->course.moves[i];
		struct text when = { 0 }, amount = { 0 };

		if (m->time >= s->since && m->time < s->until) {
			time_text(&when, m->time);
			money_text(&amount, m->amount);
			page_row(&p,
				(const char *[]){ text_of(&when), m->note ? m->note : m->kind,
					text_of(&amount) },
				0);
		}
		text_free(&when);
		text_free(&amount);
	}
	page_table_end(&p);
}

static int write_page(struct call *call, const struct statement *s, const char *file)
{
	const struct sv_account *a = s->course.account;
	struct text t = { 0 }, title = { 0 }, sub = { 0 }, money[5];
	struct page_fact facts[5];
	struct total v[5];
	size_t n = totals(s, v);
	int rc;

	memset(money, 0, sizeof(money));
	for (size_t i = 0; i < n; i++) {
		money_text(&money[i], v[i].amount);
		facts[i] = (struct page_fact){ v[i].name, text_of(&money[i]) };
	}
	text_fmt(&sub, _("account %s (%s); amounts in %s; days end at midnight UTC"),
		a->name ? a->name : a->id, a->id,
		a->balance && a->balance->currency ? a->balance->currency : "CNY");
	text_fmt(&title, _("Statement of %s"), s->month);
	page_open(&t, text_of(&title), text_of(&sub));
	page_facts(&t, facts, n);
	page_heading(&t, _("Used"));
	lines_table(&t, s);
	page_heading(&t, _("Paid in, given, expired"));
	moves_table(&t, s);
	page_close(&t);
	rc = page_write(call->app, file, &t);
	if (!rc && strcmp(file, "-") != 0)
		note(call->app, _("%s is written"), file);
	for (size_t i = 0; i < n; i++)
		text_free(&money[i]);
	text_free(&title);
	text_free(&sub);
	text_free(&t);
	return rc;
}

int cmd_billing_statement(struct call *call)
{
	const char *file = opt_value(call, OPT_HTML);
	struct statement s;
	int status = 0, rc;

	memset(&s, 0, sizeof(s));
	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!app_client(call->app, &status))
		return status;
	rc = choose(call, &s);
	s.root = rc ? NULL : sv_new(&line_kind);
	if (!rc)
		rc = fetch_lines(call, &s);
	if (!rc)
		rc = course_fetch(call, s.since, "day", &s.course);
	if (!rc)
		rc = file ? write_page(call, &s, file) : show(call, &s);
	course_free(&s.course);
	sv_free(s.root);
	return rc;
}
