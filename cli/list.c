/* SPDX-License-Identifier: MIT */
/* Lists: page by page into the writer. What the service can filter or sort it does; the rest is
 * done here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "filter.h"
#include "generic.h"

#define PAGE_MAX 500 /* of the 1000 that the contract allows: a page is parsed as a whole */
#define SLOW_MS  1000

struct sorting {
	struct column column;
	int down;
};

struct listing {
	struct call *call;
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	void *in; /* a root of verb->query, or NULL */
	struct filters filters;
	struct sorting *sorts;
	size_t n_sorts;
	int64_t limit;
	struct out out;
	void **kept; /* pages, kept while sorting */
	size_t n_kept;
	const void **items;
	size_t n_items;
};

/* The service sorts by created_at and name alone. */
static int server_sorts(struct listing *l, const struct words *by)
{
	const struct sv_field *f = l->verb->query ? sv_field_find(l->verb->query, "sort") : NULL;
	const char *name = by->n == 1 ? by->v[0] + (*by->v[0] == '-') : "";
	struct sv_error err = { 0 };

	if (!f || (!same_name(name, "created_at") && !same_name(name, "name")))
		return 0;
	return sv_field_parse(l->in, l->in, f,
		       same_name(name, "name") ? by->v[0]
		       : *by->v[0] == '-'      ? "-created_at"
					       : "created_at",
		       &err) == SV_OK;
}

static int sorting(struct listing *l)
{
	const struct words *by = &l->call->opt[OPT_SORT];
	const char *near = NULL;

	if (!by->n || server_sorts(l, by))
		return 0;
	l->sorts = mem_new(by->n, sizeof(*l->sorts));
	for (size_t i = 0; i < by->n; i++) {
		struct sorting *s = &l->sorts[l->n_sorts++];

		s->down = *by->v[i] == '-';
		if (!column_find(l->kind, by->v[i] + s->down, &s->column, &near))
			return usage_near(
				l->call, near, _("--sort: no such field: %s"), by->v[i] + s->down);
	}
	return 0;
}

static int by_column(const struct sorting *s, const void *a, const void *b)
{
	struct text x = { 0 }, y = { 0 };
	int64_t m, n;
	int cmp;

	if (column_counts(&s->column)) {
		m = column_count(&s->column, a);
		n = column_count(&s->column, b);
		cmp = m < n ? -1 : m > n;
	} else {
		column_text(&s->column, a, &x);
		column_text(&s->column, b, &y);
		cmp = strcmp(text_of(&x), text_of(&y));
		text_free(&x);
		text_free(&y);
	}
	return s->down ? -cmp : cmp;
}

static int by_all(const void *a, const void *b, void *data)
{
	const struct listing *l = data;
	const void *const *x = a, *const *y = b;
	int cmp = 0;

	for (size_t i = 0; !cmp && i < l->n_sorts; i++)
		cmp = by_column(&l->sorts[i], *x, *y);
	return cmp;
}

/* The page's objects, as far as they hold and are wanted. The page is kept only while it is sorted.
 */
static int take_page(struct listing *l, struct sv_page *page)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < page->n; i++) {
		if (!filter_holds(&l->filters, page->v[i]))
			continue;
		if (l->n_sorts) {
			if ((l->n_items & (l->n_items - 1)) == 0)
				l->items = mem_grow(l->items, l->n_items ? l->n_items * 2 : 1,
					sizeof(*l->items));
			l->items[l->n_items++] = page->v[i];
		} else if (l->limit < 0 || (int64_t)l->out.count < l->limit) {
			rc = out_item(&l->out, page->v[i]);
		}
	}
	return rc;
}

static int enough(const struct listing *l)
{
	return l->out.app->out.error ||
	       (!l->n_sorts && l->limit >= 0 && (int64_t)l->out.count >= l->limit);
}

static sv_op *ask(struct listing *l, struct sv_error *err)
{
	sv_client *c = l->call->app->client;
	sv_op *op = sv_start(c, l->verb, NULL, l->in, NULL, NULL);

	if (op)
		sv_pump(c, 0);
	else
		*err = *sv_client_error(c);
	return op;
}

/* NULL after the last page, or with *err. */
static sv_op *ask_next(struct listing *l, const struct sv_page *page, struct sv_error *err)
{
	const struct sv_kind *query = l->verb->query;
	const struct sv_field *cursor = query ? sv_field_find(query, "cursor") : NULL;

	if (!page->next || !cursor || sv_field_parse(l->in, l->in, cursor, page->next, err))
		return NULL;
	return ask(l, err);
}

/* NULL with *err. */
static void *answer(
	struct listing *l, sv_op *op, const struct sv_page *before, struct sv_error *err)
{
	void *page = NULL;

	while (op && !sv_op_done(op))
		sv_pump(l->call->app->client, -1);
	if (!op)
		return NULL;
	*err = *sv_op_error(op);
	sv_finish(op, &page);
	if (!before || (page && sv_page_follows(before, page)) || err->code)
		return page;
	sv_free(page);
	err->code = SV_PROTO;
	snprintf(err->message, sizeof(err->message), "GET %s: the answer repeats its cursor",
		l->verb->path);
	return NULL;
}

/* Pages are kept as long as they are sorted. */
static void drop_page(struct listing *l, struct sv_page *page)
{
	if (!page || !l->n_sorts) {
		sv_free(page);
		return;
	}
	l->kept = mem_grow(l->kept, l->n_kept + 1, sizeof(*l->kept));
	l->kept[l->n_kept++] = page;
}

/* The next page is asked for before this one is shown, so that the service works meanwhile; anew
 * where showing took long (a pager): what was asked for may have run out of time. */
static int fetch(struct listing *l)
{
	struct sv_error err = { 0 };
	struct sv_page *page = answer(l, ask(l, &err), NULL, &err);
	int ahead = l->limit < 0 || l->n_sorts, status = 0;

	while (page && !status) {
		sv_op *next = ahead ? ask_next(l, page, &err) : NULL;
		int64_t begun = now_ms();
		struct sv_page *shown = page;

		status = take_page(l, shown);
		if (next && (status || enough(l) || now_ms() - begun > SLOW_MS)) {
			sv_finish(next, NULL);
			next = NULL;
		}
		page = NULL;
		if (!status && !enough(l) && !err.code) {
			if (!next)
				next = ask_next(l, shown, &err);
			page = next ? answer(l, next, shown, &err) : NULL;
		}
		drop_page(l, shown);
	}
	return err.code ? fail_call(l->call, &err, NULL) : status;
}

static int sorted(struct listing *l)
{
	int rc = 0;

	qsort_r(l->items, l->n_items, sizeof(*l->items), by_all, l);
	for (size_t i = 0; !rc && i < l->n_items && (l->limit < 0 || (int64_t)i < l->limit); i++)
		rc = out_item(&l->out, l->items[i]);
	return rc;
}

static void page_size(struct listing *l)
{
	const struct sv_field *f = l->verb->query ? sv_field_find(l->verb->query, "limit") : NULL;
	int64_t n = PAGE_MAX;

	if (!f)
		return;
	if (l->limit > 0 && l->limit < n && !l->n_sorts && !l->filters.n)
		n = l->limit;
	*(int64_t *)(void *)((char *)l->in + f->offset) = n;
	sv_field_mark(f, l->in);
}

static void listing_end(struct listing *l)
{
	for (size_t i = 0; i < l->n_kept; i++)
		sv_free(l->kept[i]);
	filter_free(&l->filters);
	for (size_t i = 0; i < l->n_sorts; i++)
		column_free(&l->sorts[i].column);
	mem_free(l->kept);
	mem_free(l->items);
	mem_free(l->sorts);
}

static int prepare(struct listing *l)
{
	const struct words *filters = &l->call->opt[OPT_FILTER];
	int rc = opt_int(l->call, OPT_LIMIT, -1, &l->limit);

	if (!rc && opt_value(l->call, OPT_LIMIT) && l->limit < 1)
		rc = usage_error(l->call, _("--limit must be at least 1"));
	for (size_t i = 0; !rc && i < filters->n; i++)
		rc = filter_add(&l->filters, filters->v[i]);
	if (!rc)
		rc = filter_words_known(&l->filters);
	if (!rc)
		rc = sorting(l);
	if (!rc)
		rc = out_open(&l->out, l->call, l->kind, 1);
	l->out.paged = 1;
	page_size(l);
	return rc;
}

int list_verb(struct call *call, const struct sv_kind *kind, const struct sv_verb *verb, void *in)
{
	struct listing l = { .call = call,
		.kind = kind,
		.verb = verb,
		.in = in,
		.filters = { .call = call, .kind = kind, .query = verb->query, .in = in } };
	int status = 0, rc = prepare(&l);

	if (!rc && !app_client(call->app, &status))
		rc = status;
	if (!rc && opt_on(call, OPT_CURL)) {
		out_drop(&l.out);
		rc = curl_show(call, NULL);
		listing_end(&l);
		return rc;
	}
	if (!rc)
		rc = fetch(&l);
	if (!rc && l.n_sorts)
		rc = sorted(&l);
	if (!rc)
		rc = out_close(&l.out);
	else
		out_drop(&l.out);
	listing_end(&l);
	return rc;
}

/* Plain words are searched for, where that can be done. */
static int plain_words(struct call *call)
{
	const struct sv_field *f =
		call->in_kind ? sv_field_flagged(call->in_kind, SV_POSITIONAL) : NULL;
	struct text all = { 0 };
	struct sv_error err = { 0 };
	int rc = 0;

	if (!f)
		return usage_error(call, _("list takes no names; use --name or --filter"));
	if (sv_field_has(f, call->in))
		return usage_error(
			call, _("--%s is given twice, as a word and as an option"), f->name);
	for (size_t i = 0; i < call->plain.n; i++)
		text_fmt(&all, "%s%s", i ? " " : "", call->plain.v[i]);
	if (sv_field_parse(call->in, call->in, f, text_of(&all), &err))
		rc = fail_call(call, &err, text_of(&all));
	text_free(&all);
	return rc;
}

int list_run(struct call *call)
{
	int rc = 0;

	if (!call->in && call->in_kind)
		call->in = sv_new(call->in_kind);
	if (call->plain.n)
		rc = plain_words(call);
	if (!rc)
		rc = resolve_refs(call);
	return rc ? rc : list_verb(call, call->verb->out, call->verb, call->in);
}
