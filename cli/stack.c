/* SPDX-License-Identifier: MIT */
/* Files -> items, their order, and what of them is there. */
#include "stack.h"

#include <stdio.h>
#include <string.h>

#include "body.h"
#include "errors.h"
#include "generic.h"

#define NAMES_AT_ONCE 40 /* in one query */

struct reading {
	struct stack *s;
	const char *file;
	int status;
};

struct item *stack_add(struct stack *s, const struct sv_kind *kind, const char *name)
{
	struct item *it;

	s->items = mem_grow(s->items, s->n + 1, sizeof(*s->items));
	it = &s->items[s->n++];
	*it = (struct item){ .kind = kind, .in = body_kind(kind), .price = -1 };
	it->name = mem_dup(name, strlen(name));
	return it;
}

struct item *stack_find(const struct stack *s, const struct sv_kind *kind, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].kind == kind && !strcmp(s->items[i].name, name))
			return &s->items[i];
	return NULL;
}

static int take(void *data, const struct sv_kind *kind, void *body, int line)
{
	struct reading *r = data;
	const struct sv_kind *in = body_kind(kind);
	const char *name = member_text(in, body, "name");
	struct item *it = *name ? stack_find(r->s, kind, name) : NULL;

	if (!*name)
		r->status = fail_text(r->s->call->app, EXIT_USAGE,
			_("%s:%d: %s: a name is needed to know it again"), r->file, line,
			kind->name);
	else if (it)
		r->status = fail_text(r->s->call->app, EXIT_USAGE,
			_("%s:%d: %s %s stands twice, first in %s:%d"), r->file, line, kind->name,
			name, it->file, it->line);
	if (r->status) {
		sv_free(body);
		return SV_INVALID;
	}
	it = stack_add(r->s, kind, name);
	it->body = body;
	it->file = r->file;
	it->line = line;
	return SV_OK;
}

static int read_file(struct stack *s, const char *name)
{
	struct reading r = { .s = s, .file = strcmp(name, "-") != 0 ? name : "stdin" };
	struct sv_error err = { 0 };
	struct text text = { 0 };
	int rc = read_whole(s->call->app, name, &text);

	if (!rc && sv_read_documents(r.file, text_of(&text), text.n, take, &r, &err))
		rc = r.status ? r.status : fail(s->call->app, &err, NULL);
	text_free(&text);
	return rc;
}

int stack_read(struct stack *s, struct call *call)
{
	const struct words *files = &call->opt[OPT_FILE];
	int rc = 0;

	*s = (struct stack){ .call = call, .record_fd = -1 };
	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!files->n)
		return usage_error(call, _("which file? give -f FILE, - for stdin"));
	for (size_t i = 0; !rc && i < files->n; i++)
		rc = read_file(s, files->v[i]);
	s->files = files->n;
	if (!rc && !s->n)
		rc = fail_text(call->app, EXIT_USAGE, _("%s: nothing to %s: no document in it"),
			strcmp(files->v[0], "-") != 0 ? files->v[0] : "stdin", call->noun);
	return rc ? rc : stack_order(s);
}

static void item_free(struct item *it)
{
	for (size_t i = 0; i < it->n_changes; i++) {
		mem_free(it->changes[i].field);
		mem_free(it->changes[i].from);
		mem_free(it->changes[i].to);
	}
	mem_free(it->changes);
	mem_free(it->hint);
	mem_free(it->secret);
	mem_free(it->name);
	mem_free(it->id);
	sv_free(it->body);
	sv_free(it->found);
	sv_free(it->answer);
}

void stack_free(struct stack *s)
{
	record_close(s);
	for (size_t i = 0; i < s->n; i++)
		item_free(&s->items[i]);
	mem_free(s->items);
	words_free(&s->known);
}

/* Order: an item stands above all that its body names. */
struct depending {
	struct stack *s;
	struct item *it;
};

static int level(struct stack *s, struct item *it);

/* By name; by id where that is known already. "id:X" never means what is only described. */
static struct item *meant(const struct stack *s, const struct sv_kind *kind, const char *word)
{
	struct item *it = stack_find(s, kind, !strncmp(word, "name:", 5) ? word + 5 : word);
	const char *id = !strncmp(word, "id:", 3) ? word + 3 : word;

	for (size_t i = 0; !it && i < s->n; i++)
		if (s->items[i].kind == kind && s->items[i].id && !strcmp(s->items[i].id, id))
			return &s->items[i];
	return it;
}

static int below(void *data, const struct sv_kind *to, const char **word)
{
	struct depending *d = data;
	struct item *other = meant(d->s, to, *word);
	int rc = other ? level(d->s, other) : 0;

	if (!rc && other && other->level >= d->it->level)
		d->it->level = other->level + 1;
	return rc;
}

static int level(struct stack *s, struct item *it)
{
	struct depending d = { s, it };
	int rc;

	if (it->mark == 2)
		return 0;
	if (it->mark == 1)
		return fail_text(s->call->app, EXIT_USAGE,
			_("%s:%d: %s %s refers to itself, by way of others"), it->file, it->line,
			it->kind->name, it->name);
	it->mark = 1;
	rc = each_ref(it->in, it->body, below, &d);
	it->mark = 2;
	if (it->level >= s->levels)
		s->levels = it->level + 1;
	return rc;
}

int stack_order(struct stack *s)
{
	int rc = 0;

	for (size_t i = 0; i < s->n; i++)
		s->items[i].mark = 0;
	for (size_t i = 0; !rc && i < s->n; i++)
		rc = level(s, &s->items[i]);
	return rc;
}

static int twice(struct stack *s, const struct item *it, const char *other)
{
	return fail_hint(s->call->app, EXIT_CONFLICT,
		_("rename or delete one of them: a document is known by kind and name"),
		_("%s:%d: the name %s matches two: %s and %s"), it->file, it->line, it->name,
		it->id, other);
}

/* A page's objects that a document describes; each is kept as a root of its own. */
static int match(struct stack *s, const struct sv_kind *kind, const struct sv_page *page)
{
	struct sv_error err = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < page->n; i++) {
		struct item *it = stack_find(s, kind, name_of(kind, page->v[i]));
		const char *id = id_of(kind, page->v[i]);
		char *json = NULL;

		if (!it || (it->id && !strcmp(it->id, id)))
			continue;
		if (it->id)
			return twice(s, it, id);
		it->id = mem_dup(id, strlen(id));
		if (sv_to_json(kind, page->v[i], SV_WALK_WIRE, 0, &json) ||
			sv_from_json(kind, json, strlen(json), &it->found, &err))
			rc = fail(s->call->app, &err, it->name);
		sv_free_text(json);
	}
	return rc;
}

/* All pages of a query. */
static int search(struct stack *s, const struct sv_kind *kind, void *query)
{
	const struct sv_verb *list = sv_verb_find(kind, "list");
	sv_client *c = s->call->app->client;
	void *page = NULL;
	int rc = sv_run(c, list, NULL, query, &page), status = 0;

	while (!rc && !status && page) {
		status = match(s, kind, page);
		if (!status)
			rc = sv_next(c, list, NULL, query, &page);
	}
	sv_free(page);
	return rc ? fail(s->call->app, sv_client_error(c), kind->name) : status;
}

/* What of one kind is there, some names at a time where the service filters by them. */
static int look(struct stack *s, const struct sv_kind *kind)
{
	const struct sv_verb *list = sv_verb_find(kind, "list");
	const struct sv_field *name =
		list && list->query ? sv_field_find(list->query, "name") : NULL;
	size_t i = 0, n;
	int rc = 0;

	if (!list)
		return 0;
	if (!name || name->type != SV_STRS)
		return search(s, kind, NULL);
	while (!rc && i < s->n) {
		void *query = sv_new(list->query);

		for (n = 0; i < s->n && n < NAMES_AT_ONCE; i++)
			if (s->items[i].kind == kind) {
				struct sv_strs *names =
					(void *)((char *)query + name->offset);

				sv_strs_add(query, names, s->items[i].name);
				sv_field_mark(name, query);
				n++;
			}
		rc = n ? search(s, kind, query) : 0;
		sv_free(query);
	}
	return rc;
}

int stack_look(struct stack *s)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->n; i++) {
		size_t k = 0;

		while (s->items[k].kind != s->items[i].kind)
			k++;
		if (k == i)
			rc = look(s, s->items[i].kind);
	}
	return rc;
}

/* Each word is asked for once, however many documents say it. */
static int known(
	struct stack *s, const struct sv_kind *to, const char *word, const char **id)
{
	struct text key = { 0 };
	void *obj = NULL;
	int rc = 0;

	text_fmt(&key, "%s %s", to->name, word);
	*id = NULL;
	for (size_t i = 0; i + 1 < s->known.n; i += 2)
		if (!strcmp(s->known.v[i], text_of(&key)))
			*id = s->known.v[i + 1];
	if (!*id)
		rc = resolve(s->call, to, word, &obj);
	if (obj) {
		words_push(&s->known, text_of(&key));
		words_push(&s->known, id_of(to, obj));
		*id = s->known.v[s->known.n - 1];
	}
	sv_free(obj);
	text_free(&key);
	return rc;
}

static int ref(void *data, const struct sv_kind *to, const char **word)
{
	struct depending *d = data;
	struct item *other = meant(d->s, to, *word);
	const char *id = other ? other->id : NULL;
	int rc = 0;

	if (other && !id)
		return 0;
	if (!other && needs_asking(to, *word))
		rc = known(d->s, to, *word, &id);
	if (!rc && id)
		*word = sv_strdup_in(d->it->body, id);
	return rc;
}

int stack_refs(struct stack *s, struct item *it)
{
	struct depending d = { s, it };
	struct text about = { 0 };
	int rc;

	if (!it->body)
		return 0;
	text_fmt(&about, "%s:%d: %s %s", it->file, it->line, it->kind->name, it->name);
	s->call->about = text_of(&about);
	rc = each_ref(it->in, it->body, ref, &d);
	s->call->about = NULL;
	text_free(&about);
	return rc;
}

int stack_pending(const struct stack *s, const struct sv_kind *to, const char *word)
{
	const struct item *other = meant(s, to, word);

	return other && !other->id;
}
