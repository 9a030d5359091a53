/* SPDX-License-Identifier: MIT */
/* export: what is there, as documents that apply takes and finds nothing to do for. */
#include <string.h>

#include "body.h"
#include "command.h"
#include "errors.h"
#include "generic.h"
#include "out.h"

struct export {
	struct call *call;
	const struct sv_kind *kind; /* that is asked for */
	void *body;
	struct words names;  /* "kind id", then its name, or "" when that would not find it */
	struct words written; /* names of documents */
	struct words made;    /* an id, then what makes and deletes it by itself: "group web" */
};

/* A name where it finds the same thing again, else the id. */
static const char *word_for(struct export *x, const struct sv_kind *to, const char *id)
{
	sv_client *c = x->call->app->client;
	const char *args[2] = { id, NULL };
	void *obj = NULL, *again = NULL;
	struct text key = { 0 };
	const char *name = "";

	text_fmt(&key, "%s %s", to->name, id);
	for (size_t i = 0; i + 1 < x->names.n; i += 2)
		if (!strcmp(x->names.v[i], text_of(&key))) {
			text_free(&key);
			return x->names.v[i + 1];
		}
	if (sv_run(c, sv_verb_find(to, "get"), args, NULL, &obj) == SV_OK && obj) {
		name = name_of(to, obj);
		if (sv_resolve(c, to, name, &again) || strcmp(id_of(to, again), id) != 0)
			name = "";
	}
	words_push(&x->names, text_of(&key));
	words_push(&x->names, name);
	text_free(&key);
	sv_free(obj);
	sv_free(again);
	return x->names.v[x->names.n - 1];
}

static int by_name(void *data, const struct sv_kind *to, const char **word)
{
	struct export *x = data;
	const char *name;

	if (needs_asking(to, *word) || !sv_verb_find(to, "get") || !strcmp(to->name, "gpu"))
		return 0;
	name = word_for(x, to, *word);
	if (*name)
		*word = sv_strdup_in(x->body, name);
	return 0;
}

/* Made by an instance and gone with it: no document of its own. */
static int of_another(const struct sv_kind *kind, const void *obj)
{
	return !strcmp(member_text(kind, obj, "type"), "system");
}

static int one(struct export *x, const struct sv_kind *kind, const void *obj)
{
	const struct sv_kind *in = body_kind(kind);
	const char *name = name_of(kind, obj);
	struct text t = { 0 }, doc = { 0 };
	int status = 0;

	if (words_has(&x->written, name))
		note(x->call->app,
			_("warning: two are called %s; apply will refuse to choose between them"),
			name);
	words_push(&x->written, name);
	x->body = body_of(x->call, kind, obj, &status);
	if (x->body)
		x->body = body_alone(x->call, in, x->body, &status);
	if (!x->body)
		return status;
	each_ref(in, x->body, by_name, x);
	body_json(in, x->body, &t);
	text_fmt(&doc, "{\"kind\":\"%s\"%s%s", kind->name, t.n > 2 ? "," : "", t.s + 1);
	if (yaml_document(x->call->app, &doc))
		status = 1;
	text_free(&t);
	text_free(&doc);
	sv_free(x->body);
	x->body = NULL;
	return status;
}

typedef int each_fn(struct export *x, const struct sv_kind *kind, const void *obj);

static int each(struct export *x, const struct sv_kind *kind, each_fn *fn)
{
	const struct sv_verb *list = sv_verb_find(kind, "list");
	sv_client *c = x->call->app->client;
	void *page = NULL;
	int rc = sv_run(c, list, NULL, NULL, &page), status = 0;

	while (!rc && !status && page) {
		const struct sv_page *p = page;

		for (size_t i = 0; !status && i < p->n; i++)
			status = fn(x, kind, p->v[i]);
		if (!status)
			rc = sv_next(c, list, NULL, NULL, &page);
	}
	sv_free(page);
	return rc ? fail_call(x->call, sv_client_error(c), NULL) : status;
}

/* What a resource answers to have made: ids that no body gives. */
static const struct sv_field *members(const struct sv_kind *kind, const struct sv_kind *of)
{
	for (uint32_t i = 0; body_kind(kind) && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (f->type == SV_STRS && f->ref && !strcmp(f->ref, of->name) &&
			!(f->flags & SV_CREATE))
			return f;
	}
	return NULL;
}

static int note_members(struct export *x, const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = members(kind, x->kind);
	const struct sv_strs *ids = (const void *)((const char *)obj + f->offset);
	struct text maker = { 0 };

	text_fmt(&maker, "%s %s", kind->name, name_of(kind, obj));
	for (size_t i = 0; i < ids->n; i++) {
		words_push(&x->made, ids->v[i]);
		words_push(&x->made, text_of(&maker));
	}
	text_free(&maker);
	return 0;
}

static int find_makers(struct export *x)
{
	const struct sv_kind *kind;
	int rc = 0;

	for (size_t i = 0; !rc && (kind = sv_kinds(i)); i++)
		if (members(kind, x->kind) && sv_verb_find(kind, "list"))
			rc = each(x, kind, note_members);
	return rc;
}

static int unless_made(struct export *x, const struct sv_kind *kind, const void *obj)
{
	if (of_another(kind, obj))
		return 0;
	for (size_t i = 0; i + 1 < x->made.n; i += 2)
		if (!strcmp(x->made.v[i], id_of(kind, obj))) {
			note(x->call->app, _("%s %s is left out: %s makes it"), kind->name,
				name_of(kind, obj), x->made.v[i + 1]);
			return 0;
		}
	return one(x, kind, obj);
}

static int all(struct export *x)
{
	int rc = find_makers(x);

	return rc ? rc : each(x, x->kind, unless_made);
}

int cmd_export(struct call *call)
{
	struct export x = { .call = call };
	const struct sv_kind *kind = NULL;
	int status = 0, rc = 0;

	if (!call->plain.n)
		return usage_error(call, _("export what? name a noun, such as disk"));
	if (!noun_find(call->plain.v[0], &kind) || !kind || !body_kind(kind) ||
		!sv_verb_find(kind, "list") || !sv_verb_find(kind, "get"))
		return usage_error(
			call, _("%s: no such resource, or none that is created"), call->plain.v[0]);
	if (!app_client(call->app, &status))
		return status;
	x.kind = kind;
	if (call->plain.n == 1)
		rc = all(&x);
	for (size_t i = 1; !rc && i < call->plain.n; i++) {
		void *obj = NULL;

		rc = resolve(call, kind, call->plain.v[i], &obj);
		if (!rc)
			rc = one(&x, kind, obj);
		sv_free(obj);
	}
	words_free(&x.names);
	words_free(&x.written);
	words_free(&x.made);
	return rc;
}
