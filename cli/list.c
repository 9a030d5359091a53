/* SPDX-License-Identifier: MIT */
/* Lists: page by page into the writer. What the service can filter or sort it does; the rest is
 * done here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "said.h"

#define PAGE_MAX 500 /* of the 1000 that the contract allows: a page is parsed as a whole */

enum compare { EQUAL, DIFFERENT, LESS, LESS_EQUAL, MORE, MORE_EQUAL };

/* --filter FIELD=VALUE that is looked at here. */
struct condition {
	struct column column;
	enum compare how;
	char *value;
	int64_t number; /* of columns that count */
	int counts;
};

struct sorting {
	struct column column;
	int down;
};

struct listing {
	struct call *call;
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	void *in; /* a root of verb->query, or NULL */
	struct condition *conditions;
	size_t n_conditions;
	struct sorting *sorts;
	size_t n_sorts;
	int64_t limit;
	struct out out;
	void **kept; /* pages, kept while sorting */
	size_t n_kept;
	const void **items;
	size_t n_items;
};

static int counts(const struct sv_field *f)
{
	return f->type == SV_INT || f->type == SV_GIB || f->type == SV_BYTES ||
	       f->type == SV_SECONDS || f->type == SV_TIME || f->type == SV_MONEY ||
	       f->type == SV_PERCENT;
}

static int64_t count_of(const struct column *c, const void *obj)
{
	obj = column_object(c, obj);
	if (!obj || !sv_field_has(column_field(c), obj) || sv_field_is_null(column_field(c), obj))
		return INT64_MIN;
	return *(const int64_t *)(const void *)((const char *)obj + column_field(c)->offset);
}

/* The operator in "cost>=2"; what is before and after it. */
static const char *operator_at(const char *s, enum compare *how, size_t *len)
{
	const char *at = strpbrk(s, "=!<>");

	if (!at || at == s || (*at == '!' && at[1] != '='))
		return NULL;
	*len = at[1] == '=' && *at != '=' ? 2 : 1;
	*how = *at == '='   ? EQUAL
	       : *at == '!' ? DIFFERENT
	       : *at == '<' ? (*len == 2 ? LESS_EQUAL : LESS)
	       : *len == 2  ? MORE_EQUAL
			    : MORE;
	return at;
}

/* A value is read as the field itself would be, so that 40GiB and 7d mean what they say. */
static int condition_value(struct listing *l, struct condition *c)
{
	const struct sv_field *f = column_field(&c->column);
	struct sv_kind alone = {
		.name = "alone", .fields = f, .n = 1, .size = (uint32_t)f->offset + 64
	};
	struct sv_error err = { 0 };
	struct text why = { 0 };
	void *x;
	int rc = 0;

	c->counts = counts(f) && !c->column.key;
	if (!c->counts)
		return 0;
	x = sv_new(&alone);
	if (!x || sv_field_parse(x, x, f, c->value, &err))
		rc = usage_error(l->call, _("--filter %s: %s"), c->column.name,
			said(err.message, &why));
	else
		c->number = *(int64_t *)(void *)((char *)x + f->offset);
	text_free(&why);
	sv_free(x);
	return rc;
}

/* What the query itself takes, by equality, the service filters. */
static int pushed(struct listing *l, const char *field, enum compare how, const char *value)
{
	const struct sv_field *f;
	struct sv_error err = { 0 };
	char name[96];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(field, "."), field);
	f = l->verb->query && how == EQUAL ? sv_field_find(l->verb->query, name) : NULL;
	if (!f || !field_offered(f, 0, 0) || !*value || strchr(value, ','))
		return 0;
	if (field[strlen(name)] ? f->type != SV_MAP : f->type != SV_STRS || sv_field_has(f, l->in))
		return 0;
	if (f->type == SV_STRS)
		return sv_field_parse(l->in, l->in, f, value, &err) == SV_OK;
	sv_map_set(l->in, (struct sv_map *)(void *)((char *)l->in + f->offset),
		field + strlen(name) + 1, value);
	sv_field_mark(f, l->in);
	return 1;
}

/* A word that no such field ever holds finds nothing: most likely a slip. */
static int word_known(struct listing *l, const struct sv_field *f, const char *word)
{
	struct nearest near = { .word = word };
	struct text all = { 0 };
	int rc;

	for (const struct sv_word *w = f->words; w && w->word; w++) {
		if (!strcmp(w->word, word)) {
			text_free(&all);
			return 0;
		}
		nearest_offer(&near, w->word);
		text_fmt(&all, " %s", w->word);
	}
	if (!f->words)
		return 0;
	rc = usage_near(l->call, near.best, _("%s \"%s\": must be one of%s"), f->name, word,
		text_of(&all));
	text_free(&all);
	return rc;
}

static int words_known(struct listing *l)
{
	const struct sv_kind *query = l->verb->query;
	int rc = 0;

	for (uint32_t i = 0; !rc && query && l->in && i < query->n; i++) {
		const struct sv_field *f = &query->fields[i];
		const struct sv_strs *words =
			(const struct sv_strs *)(const void *)((const char *)l->in + f->offset);

		for (size_t k = 0; !rc && f->type == SV_STRS && k < words->n; k++)
			rc = word_known(l, f, words->v[k]);
	}
	for (size_t i = 0; !rc && i < l->n_conditions; i++) {
		const struct condition *c = &l->conditions[i];
		const struct sv_field *f = column_field(&c->column);

		if (f->type == SV_STR && (c->how == EQUAL || c->how == DIFFERENT))
			rc = word_known(l, f, c->value);
	}
	return rc;
}

static int condition(struct listing *l, const char *text)
{
	enum compare how;
	size_t len;
	const char *at = operator_at(text, &how, &len), *near = NULL;
	struct condition *c;
	char *field;
	int rc = 0;

	if (!at)
		return usage_error(l->call,
			_("--filter \"%s\": must be FIELD=VALUE; also != < <= > >="), text);
	field = mem_dup(text, (size_t)(at - text));
	if (!pushed(l, field, how, at + len)) {
		l->conditions =
			mem_grow(l->conditions, l->n_conditions + 1, sizeof(*l->conditions));
		c = &l->conditions[l->n_conditions++];
		*c = (struct condition){ .how = how, .value = mem_dup(at + len, strlen(at + len)) };
		if (!column_find(l->kind, field, &c->column, &near))
			rc = usage_near(l->call, near, _("--filter: no such field: %s"), field);
		else
			rc = condition_value(l, c);
	}
	mem_free(field);
	return rc;
}

static int order(const struct condition *c, const void *obj)
{
	struct text t = { 0 };
	int64_t n;
	int cmp;

	if (c->counts) {
		n = count_of(&c->column, obj);
		return n < c->number ? -1 : n > c->number;
	}
	column_text(&c->column, obj, &t);
	cmp = strcmp(text_of(&t), c->value);
	text_free(&t);
	return cmp;
}

static int holds(const struct listing *l, const void *obj)
{
	for (size_t i = 0; i < l->n_conditions; i++) {
		const struct condition *c = &l->conditions[i];
		int cmp = order(c, obj);
		int ok = c->how == EQUAL        ? !cmp
			 : c->how == DIFFERENT  ? cmp != 0
			 : c->how == LESS       ? cmp < 0
			 : c->how == LESS_EQUAL ? cmp <= 0
			 : c->how == MORE       ? cmp > 0
						: cmp >= 0;

		/* What is not known is neither less nor more. */
		if (c->counts && c->how > DIFFERENT && count_of(&c->column, obj) == INT64_MIN)
			ok = 0;
		if (!ok)
			return 0;
	}
	return 1;
}

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

	if (counts(column_field(&s->column)) && !s->column.key) {
		m = count_of(&s->column, a);
		n = count_of(&s->column, b);
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
		if (!holds(l, page->v[i]))
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

/* Every page is kept while sorting, so the next one is asked for by cursor rather than by
 * sv_next(). */
static int next_page(struct listing *l, void **page)
{
	sv_client *c = l->call->app->client;
	const struct sv_field *cursor =
		l->verb->query ? sv_field_find(l->verb->query, "cursor") : NULL;
	struct sv_error err = { 0 };
	const struct sv_page *from = *page;
	int rc;

	if (!l->n_sorts)
		return sv_next(c, l->verb, NULL, l->in, page);
	l->kept = mem_grow(l->kept, l->n_kept + 1, sizeof(*l->kept));
	l->kept[l->n_kept++] = *page;
	*page = NULL;
	if (!from->next || !cursor)
		return SV_OK;
	if (sv_field_parse(l->in, l->in, cursor, from->next, &err))
		return err.code;
	rc = sv_run(c, l->verb, NULL, l->in, page);
	return rc || !*page || sv_page_follows(from, *page) ? rc : SV_PROTO;
}

static int fetch(struct listing *l)
{
	sv_client *c = l->call->app->client;
	void *page = NULL;
	int rc = sv_run(c, l->verb, NULL, l->in, &page), status = 0;

	while (!rc && !status && page) {
		status = take_page(l, page);
		if (status || enough(l))
			break;
		rc = next_page(l, &page);
	}
	sv_free(page);
	if (rc && !sv_client_error(c)->code)
		return fail_text(l->call->app, sv_exit_code(rc), "%s", sv_strerror(rc));
	return rc ? fail_call(l->call, sv_client_error(c), NULL) : status;
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
	if (l->limit > 0 && l->limit < n && !l->n_sorts && !l->n_conditions)
		n = l->limit;
	*(int64_t *)(void *)((char *)l->in + f->offset) = n;
	sv_field_mark(f, l->in);
}

static void listing_end(struct listing *l)
{
	for (size_t i = 0; i < l->n_kept; i++)
		sv_free(l->kept[i]);
	for (size_t i = 0; i < l->n_conditions; i++) {
		column_free(&l->conditions[i].column);
		mem_free(l->conditions[i].value);
	}
	for (size_t i = 0; i < l->n_sorts; i++)
		column_free(&l->sorts[i].column);
	mem_free(l->kept);
	mem_free(l->items);
	mem_free(l->conditions);
	mem_free(l->sorts);
}

static int prepare(struct listing *l)
{
	const struct words *filters = &l->call->opt[OPT_FILTER];
	int rc = opt_int(l->call, OPT_LIMIT, -1, &l->limit);

	if (!rc && opt_value(l->call, OPT_LIMIT) && l->limit < 1)
		rc = usage_error(l->call, _("--limit must be at least 1"));
	for (size_t i = 0; !rc && i < filters->n; i++)
		rc = condition(l, filters->v[i]);
	if (!rc)
		rc = words_known(l);
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
	struct listing l = { .call = call, .kind = kind, .verb = verb, .in = in };
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
