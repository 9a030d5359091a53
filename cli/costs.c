/* SPDX-License-Identifier: MIT */
/* Sums and movements of money, whole. */
#include "costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starverse/client.h>

#include "errors.h"
#include "out.h"

#define PAGE_MAX 1000

static char *copy(const char *s)
{
	return s ? mem_dup(s, strlen(s)) : NULL;
}

int costs_pages(struct call *call, const struct sv_verb *verb, void *in, costs_take *take,
	void *data)
{
	void *page = NULL;
	int status = 0, rc, over = 0;
	sv_client *c = app_client(call->app, &status);

	if (!c)
		return status;
	for (rc = sv_run(c, verb, NULL, in, &page); !rc && page && !over;
		rc = over ? 0 : sv_next(c, verb, NULL, in, &page))
		over = take(data, page);
	sv_free(page);
	if (rc)
		return fail_call(call, sv_client_error(c), NULL);
	return over ? fail_text(call->app, EXIT_UNREACHABLE, _("the amounts are too large")) : 0;
}

static int take_sums(void *data, const struct sv_page *page)
{
	struct costs *c = data;

	for (size_t i = 0; i < page->n; i++) {
		const struct sv_usage_sum *s = page->v[i];

		c->v = mem_grow(c->v, c->n + 1, sizeof(*c->v));
		c->v[c->n++] = (struct cost){ copy(s->key), copy(s->name), s->started_at,
			s->seconds, s->cost };
		if (__builtin_add_overflow(c->seconds, s->seconds, &c->seconds) ||
			__builtin_add_overflow(c->compute, s->compute_seconds, &c->compute) ||
			__builtin_add_overflow(c->cost, s->cost, &c->cost))
			return 1;
	}
	return 0;
}

int costs_fetch(
	struct call *call, struct sv_usage_filter *filter, const char *by, struct costs *ret)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("billing"), "sums");
	struct sv_usage_filter one = *filter;

	*ret = (struct costs){ 0 };
	one.by = by;
	sv_field_mark(sv_field_find(verb->query, "by"), &one);
	one.limit = PAGE_MAX;
	sv_field_mark(sv_field_find(verb->query, "limit"), &one);
	return costs_pages(call, verb, &one, take_sums, ret);
}

void costs_free(struct costs *c)
{
	for (size_t i = 0; i < c->n; i++) {
		mem_free(c->v[i].key);
		mem_free(c->v[i].name);
	}
	mem_free(c->v);
	*c = (struct costs){ 0 };
}

static int dearer(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	return x->cost < y->cost ? 1 : x->cost > y->cost ? -1 : 0;
}

void costs_sort(struct costs *c)
{
	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), dearer);
}

/* A stretch without usage, its key as the platform writes one: a day's date, or an hour's. */
static struct cost empty_at(int64_t at, int64_t seconds)
{
	struct text key = { 0 };
	struct cost one = { .started_at = at };

	time_text(&key, at);
	one.key = mem_dup(
		text_of(&key), seconds < 86400 ? strlen("2026-11-30T16") : strlen("2026-11-30"));
	text_free(&key);
	return one;
}

int costs_fill(struct costs *c, int64_t seconds, int64_t most)
{
	struct costs all = { .seconds = c->seconds, .compute = c->compute, .cost = c->cost };
	int64_t end = c->n ? c->v[c->n - 1].started_at + seconds : 0,
		at = c->n ? c->v[0].started_at : 0;
	int cut = end - at > most * seconds;
	size_t i = 0;

	if (cut)
		at = end - most * seconds;
	for (; at < end; at += seconds) {
		while (i < c->n && c->v[i].started_at < at)
			i++;
		all.v = mem_grow(all.v, all.n + 1, sizeof(*all.v));
		if (i < c->n && c->v[i].started_at == at) {
			all.v[all.n++] = c->v[i];
			c->v[i++] = (struct cost){ 0 };
		} else {
			all.v[all.n++] = empty_at(at, seconds);
		}
	}
	costs_free(c);
	*c = all;
	return cut;
}

const char *cost_label(const struct cost *c)
{
	return c->name ? c->name : c->key ? c->key : _("(none)");
}

static int take_moves(void *data, const struct sv_page *page)
{
	struct course *c = data;

	for (size_t i = 0; i < page->n; i++) {
		const struct sv_charge *m = page->v[i];

		c->moves = mem_grow(c->moves, c->n + 1, sizeof(*c->moves));
		c->moves[c->n++] =
			(struct movement){ m->time, m->amount, copy(m->kind), copy(m->note) };
	}
	return 0;
}

int course_fetch(struct call *call, int64_t since, const char *by, struct course *ret)
{
	static const char *kinds[] = { "credit", "top_up", "expiry", "voucher" };
	const struct sv_verb *charges = sv_verb_find(sv_kind_find("billing"), "charges");
	struct sv_usage_filter all = { .since = since };
	int rc, status = 0;

	*ret = (struct course){ .by_seconds = !strcmp(by, "hour") ? 3600 : 86400 };
	if (since)
		sv_mark(&all, since);
	rc = costs_fetch(call, &all, by, &ret->used);
	all.kind = (struct sv_strs){ COUNT(kinds), kinds };
	sv_mark(&all, kind);
	all.limit = PAGE_MAX;
	sv_mark(&all, limit);
	if (!rc)
		rc = costs_pages(call, charges, &all, take_moves, ret);
	if (!rc && sv_account_get(app_client(call->app, &status), &ret->account))
		rc = fail_call(call, sv_client_error(call->app->client), NULL);
	if (!rc && ret->account->balance)
		ret->now = ret->account->balance->available + ret->account->balance->frozen;
	return rc;
}

void course_free(struct course *c)
{
	for (size_t i = 0; i < c->n; i++) {
		mem_free(c->moves[i].kind);
		mem_free(c->moves[i].note);
	}
	mem_free(c->moves);
	costs_free(&c->used);
	sv_free(c->account);
	*c = (struct course){ 0 };
}

int64_t course_at(const struct course *c, int64_t at)
{
	int64_t balance = c->now;

	for (size_t i = 0; i < c->n; i++)
		if (c->moves[i].time > at)
			balance -= c->moves[i].amount;
	for (size_t i = 0; i < c->used.n; i++)
		if (c->used.v[i].started_at + c->by_seconds - 1 > at)
			balance += c->used.v[i].cost;
	return balance;
}

int64_t course_moved(const struct course *c, int64_t since, int64_t until, int sign)
{
	int64_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->moves[i].time >= since && c->moves[i].time < until &&
			(c->moves[i].amount > 0) == (sign > 0))
			sum += c->moves[i].amount;
	return sum;
}

/* A value as the library itself writes it. */
static void cell(struct text *t, const char *kind, const char *verb, const char *field, int64_t v,
	int human)
{
	const struct sv_kind *k = sv_verb_find(sv_kind_find(kind), verb)->out;
	void *obj = sv_new(k);
	struct out o = { .app = NULL };
	struct column c;

	if (!obj || !column_find(k, field, &c, NULL))
		return;
	*(int64_t *)(void *)((char *)obj + column_field(&c)->offset) = v;
	sv_field_mark(column_field(&c), obj);
	if (human)
		column_human(&o, &c, obj, t);
	else
		column_text(&c, obj, t);
	column_free(&c);
	sv_free(obj);
}

void money_text(struct text *t, int64_t micro)
{
	cell(t, "billing", "charges", "amount", micro, 0);
}

void seconds_text(struct text *t, int64_t seconds)
{
	cell(t, "billing", "sums", "seconds", seconds, 1);
}

void time_text(struct text *t, int64_t at)
{
	cell(t, "billing", "charges", "time", at, 0);
}
