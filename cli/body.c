/* SPDX-License-Identifier: MIT */
/* From a resource to the body that would create it: fields of the same name, mounts by what they
 * mount, sizes by what has them. */
#include "body.h"

#include <stdio.h>
#include <string.h>

#include <starverse/client.h>

#include "errors.h"
#include "generic.h"
#include "out.h"

#define RESERVED "STARVERSE_" /* variables that the platform sets itself */

const struct sv_kind *body_kind(const struct sv_kind *resource)
{
	const struct sv_verb *v = sv_verb_find(resource, "create");

	return v ? v->in : NULL;
}

static const void *member(const struct sv_field *f, const void *obj)
{
	return (const char *)obj + f->offset;
}

int body_has(const struct sv_field *f, const void *obj)
{
	const void *m = obj ? member(f, obj) : NULL;

	if (!m || sv_field_is_null(f, obj))
		return 0;
	switch ((enum sv_type)f->type) {
	case SV_STR:
	case SV_JSON: return *(const char *const *)m != NULL;
	case SV_OBJ: return *(void *const *)m != NULL;
	case SV_STRS: return ((const struct sv_strs *)m)->n > 0;
	case SV_LIST: return ((const struct sv_list *)m)->n > 0;
	case SV_MAP: return ((const struct sv_map *)m)->n > 0;
	default: return sv_field_has(f, obj);
	}
}

static void object(const struct sv_kind *kind, const void *obj, int cleared, struct text *ret);

/* With what is to be cleared, or without. */
static void value_of(const struct sv_field *f, const void *obj, int cleared, struct text *ret)
{
	const struct sv_list *l = member(f, obj);
	struct sv_kind alone = {
		.name = "alone", .fields = f, .n = 1, .size = (uint32_t)f->offset + 64
	};
	char *json = NULL;
	const char *value;

	if (!body_has(f, obj)) {
		text_str(ret, f->type == SV_MAP				   ? "{}"
			      : f->type == SV_STRS || f->type == SV_LIST ? "[]"
									 : "null");
		return;
	}
	if (f->type == SV_OBJ) {
		object(f->kind, *(void *const *)member(f, obj), cleared, ret);
		return;
	}
	if (f->type == SV_LIST) {
		text_chr(ret, '[');
		for (size_t i = 0; i < l->n; i++) {
			text_str(ret, i ? "," : "");
			object(f->kind, l->v[i], cleared, ret);
		}
		text_chr(ret, ']');
		return;
	}
	/* A kind of this one field: the library writes {"name":VALUE}. */
	if (sv_to_json(&alone, obj, SV_WALK_WIRE, 0, &json) == SV_OK &&
		(value = strchr(json, ':')) != NULL)
		text_add(ret, value + 1, strlen(value + 1) - 1);
	else
		text_str(ret, "null");
	sv_free_text(json);
}

void body_value(const struct sv_field *f, const void *obj, struct text *ret)
{
	value_of(f, obj, 0, ret);
}

void body_change(const struct sv_field *f, const void *obj, struct text *ret)
{
	value_of(f, obj, 1, ret);
}

static void put(struct text *ret, const char *name)
{
	if (ret->s[ret->n - 1] != '{')
		text_chr(ret, ',');
	text_fmt(ret, "\"%s\":", name);
}

static void object(const struct sv_kind *kind, const void *obj, int cleared, struct text *ret)
{
	text_chr(ret, '{');
	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!body_has(f, obj) && !(cleared && obj && sv_field_has(f, obj)))
			continue;
		put(ret, f->name);
		value_of(f, obj, cleared, ret);
	}
	text_chr(ret, '}');
}

void body_json(const struct sv_kind *in, const void *body, struct text *ret)
{
	text_chr(ret, '{');
	for (uint32_t i = 0; i < in->n; i++)
		if (body_has(&in->fields[i], body) && !(in->fields[i].flags & SV_SECRET)) {
			put(ret, in->fields[i].name);
			body_value(&in->fields[i], body, ret);
		}
	text_chr(ret, '}');
}

void *body_read(struct call *call, const struct sv_kind *in, const struct text *json, int *status)
{
	struct sv_error err = { 0 };
	void *ret = NULL;

	if (sv_from_json(in, text_of(json), json->n, &ret, &err))
		*status = fail(call->app, &err, NULL);
	return ret;
}

/* The row that says the same in the answer. */
static const struct sv_field *same(const struct sv_kind *kind, const struct sv_field *f)
{
	const struct sv_field *r = sv_field_find(kind, f->name);

	return r && r->type == f->type && !(r->flags & SV_SECRET) ? r : NULL;
}

/* What a mount of the body refers to: the element's row of a list, or the row itself. */
static const struct sv_field *mounted(const struct sv_kind *kind, const struct sv_field *f)
{
	const struct sv_field *mounts = sv_field_find(kind, "mounts");

	if (!mounts || mounts->type != SV_LIST)
		return NULL;
	if (f->type == SV_STRS && f->ref)
		return sv_field_find(kind, f->name) ? NULL : f;
	for (uint32_t i = 0; f->type == SV_LIST && i < f->kind->n; i++)
		if (f->kind->fields[i].ref && sv_field_find(f->kind, "path"))
			return &f->kind->fields[i];
	return NULL;
}

static int is_mountable(const struct sv_kind *kind, const char *name)
{
	const struct sv_field *mounts = sv_field_find(kind, "mounts");
	const struct sv_field *of = mounts ? sv_field_find(mounts->kind, "kind") : NULL;

	for (const struct sv_word *w = of ? of->words : NULL; w && w->word; w++)
		if (!strcmp(w->word, name))
			return 1;
	return 0;
}

/* "system_disk_gib" is the size of what "system_disk" names. */
static const struct sv_field *sized(const struct sv_kind *kind, const struct sv_field *f)
{
	static const char unit[] = "_gib";
	size_t len = strlen(f->name);
	char name[96];
	const struct sv_field *r;

	if (f->type != SV_GIB || len <= sizeof(unit) - 1)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)(len - sizeof(unit) + 1), f->name);
	r = sv_field_find(kind, name);
	return r && r->type == SV_STR && r->ref ? r : NULL;
}

int body_answers(const struct sv_kind *kind, const struct sv_field *f)
{
	const struct sv_field *to = mounted(kind, f);

	return same(kind, f) || sized(kind, f) || (to && is_mountable(kind, to->ref));
}

static void mounts(
	const struct sv_kind *kind, const void *obj, const struct sv_field *f, struct text *ret)
{
	const struct sv_field *all = sv_field_find(kind, "mounts"), *to = mounted(kind, f);
	const struct sv_field *ro = f->type == SV_LIST ? sv_field_find(f->kind, "read_only") : NULL;
	const struct sv_list *l = member(all, obj);
	int begun = 0;

	for (size_t i = 0; i < l->n; i++) {
		const void *m = l->v[i];
		const char *path = member_text(all->kind, m, "path");
		const struct sv_field *is_ro = sv_field_find(all->kind, "read_only");

		if (strcmp(member_text(all->kind, m, "kind"), to->ref) != 0 || !strcmp(path, "/"))
			continue;
		if (!begun)
			put(ret, f->name);
		text_str(ret, begun++ ? "," : "[");
		if (f->type == SV_LIST)
			text_fmt(ret, "{\"%s\":", to->name);
		json_string(ret, member_text(all->kind, m, "id"));
		if (f->type != SV_LIST)
			continue;
		text_str(ret, ",\"path\":");
		json_string(ret, path);
		if (ro && is_ro && *(const int *)member(is_ro, m))
			text_str(ret, ",\"read_only\":true");
		text_chr(ret, '}');
	}
	if (begun)
		text_chr(ret, ']');
}

static int size_of(struct call *call, const struct sv_field *f, const struct sv_field *thing,
	const void *obj, struct text *ret)
{
	const struct sv_kind *kind = sv_kind_find(thing->ref);
	const struct sv_field *size = kind ? sv_field_find(kind, "size_gib") : NULL;
	const char *args[2] = { *(const char *const *)member(thing, obj), NULL };
	void *got = NULL;

	if (!size || !args[0])
		return 0;
	if (sv_run(call->app->client, sv_verb_find(kind, "get"), args, NULL, &got))
		return fail(call->app, sv_client_error(call->app->client), args[0]);
	if (got && body_has(size, got)) {
		put(ret, f->name);
		body_value(size, got, ret);
	}
	sv_free(got);
	return 0;
}

/* What the platform has put there itself is not the user's to write. */
static void own_variables(const struct sv_field *f, const void *obj, struct text *ret)
{
	const struct sv_map *m = member(f, obj);
	int begun = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (!strncmp(m->keys[i], RESERVED, sizeof(RESERVED) - 1))
			continue;
		if (!begun)
			put(ret, f->name);
		text_chr(ret, begun++ ? ',' : '{');
		json_string(ret, m->keys[i]);
		text_chr(ret, ':');
		json_string(ret, m->values[i]);
	}
	if (begun)
		text_chr(ret, '}');
}

static int field(struct call *call, const struct sv_kind *kind, const void *obj,
	const struct sv_field *f, struct text *ret)
{
	const struct sv_field *r = same(kind, f), *to = r ? NULL : mounted(kind, f);

	if (r && !body_has(r, obj))
		return 0;
	if (r && r->type == SV_MAP) {
		own_variables(r, obj, ret);
	} else if (r) {
		put(ret, f->name);
		body_value(r, obj, ret);
	} else if (to && is_mountable(kind, to->ref)) {
		mounts(kind, obj, f, ret);
	} else if (sized(kind, f)) {
		return size_of(call, f, sized(kind, f), obj, ret);
	}
	return 0;
}

/* Fields that the rules refuse for this reason go, the first, then the next. */
static void *without(
	struct call *call, const struct sv_kind *in, void *body, const char *why, int *status)
{
	struct sv_error err = { 0 };

	for (uint32_t i = 0; i < in->n && sv_check(in, body, SV_WALK_CREATE, &err); i++) {
		struct text t = { 0 };

		if (!err.n_errors || strcmp(err.errors[0].code, why) != 0)
			break;
		text_chr(&t, '{');
		for (uint32_t k = 0; k < in->n; k++)
			if (strcmp(in->fields[k].name, err.errors[0].field) != 0 &&
				body_has(&in->fields[k], body)) {
				put(&t, in->fields[k].name);
				body_value(&in->fields[k], body, &t);
			}
		text_chr(&t, '}');
		sv_free(body);
		body = body_read(call, in, &t, status);
		text_free(&t);
		if (!body)
			return NULL;
		err = (struct sv_error){ 0 };
	}
	return body;
}

void *body_alone(struct call *call, const struct sv_kind *in, void *body, int *status)
{
	return without(call, in, body, "excluded", status);
}

void *body_of(struct call *call, const struct sv_kind *kind, const void *obj, int *status)
{
	const struct sv_kind *in = body_kind(kind);
	struct text t = { 0 };
	void *ret = NULL;

	*status = 0;
	text_chr(&t, '{');
	for (uint32_t i = 0; !*status && i < in->n; i++)
		if (in->fields[i].flags & SV_CREATE)
			*status = field(call, kind, obj, &in->fields[i], &t);
	text_chr(&t, '}');
	if (!*status)
		ret = body_read(call, in, &t, status);
	text_free(&t);
	return ret ? without(call, in, ret, "exactly_one", status) : NULL;
}
