/* SPDX-License-Identifier: MIT */
/* Dotted names -> fields -> cells. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "out.h"
#include "refs.h"
#include "said.h"

static void offer(const struct sv_kind *kind, const char *part, const char **near)
{
	struct nearest n = { .word = part };

	for (uint32_t i = 0; near && i < kind->n; i++)
		nearest_offer(&n, kind->fields[i].name);
	if (near)
		*near = n.best;
}

int column_find(const struct sv_kind *kind, const char *name, struct column *ret, const char **near)
{
	const char *at = name;
	char part[96];

	*ret = (struct column){ 0 };
	while (kind && ret->n < WAY_MAX) {
		size_t len = strcspn(at, ".");
		const struct sv_field *f;

		snprintf(part, sizeof(part), "%.*s", (int)len, at);
		f = sv_field_find(kind, part);
		if (!f) {
			offer(kind, part, near);
			return 0;
		}
		ret->way[ret->n++] = f;
		at += len + (at[len] == '.');
		if (!*at || f->type == SV_MAP) {
			ret->name = mem_dup(name, strlen(name));
			ret->key = *at ? mem_dup(at, strlen(at)) : NULL;
			return 1;
		}
		if (f->type != SV_OBJ)
			return 0;
		kind = f->kind;
	}
	return 0;
}

void column_free(struct column *c)
{
	mem_free(c->name);
	mem_free(c->key);
	mem_free(c->open);
	*c = (struct column){ 0 };
}

void column_reveal(struct column *c)
{
	if (!(c->way[c->n - 1]->flags & SV_SECRET))
		return;
	c->open = mem_new(1, sizeof(*c->open));
	*c->open = *c->way[c->n - 1];
	c->open->flags &= (uint16_t)~SV_SECRET;
	c->way[c->n - 1] = c->open;
}

const struct sv_field *column_field(const struct column *c)
{
	return c->way[c->n - 1];
}

const void *column_object(const struct column *c, const void *obj)
{
	for (size_t i = 0; obj && i + 1 < c->n; i++)
		obj = *(const void *const *)(const void *)((const char *)obj + c->way[i]->offset);
	return obj;
}

static const void *member(const struct column *c, const void *obj)
{
	return (const char *)obj + column_field(c)->offset;
}

int column_counts(const struct column *c)
{
	int type = column_field(c)->type;

	return !c->key && (type == SV_INT || type == SV_GIB || type == SV_BYTES ||
				  type == SV_SECONDS || type == SV_TIME || type == SV_MONEY ||
				  type == SV_PERCENT);
}

int64_t column_count(const struct column *c, const void *obj)
{
	obj = column_object(c, obj);
	if (!obj || !sv_field_has(column_field(c), obj) || sv_field_is_null(column_field(c), obj))
		return INT64_MIN;
	return *(const int64_t *)member(c, obj);
}

/* 1 when there is something to show: lists and the like count when not empty. */
static int present(const struct column *c, const void *obj)
{
	return obj && sv_field_has(column_field(c), obj) && !sv_field_is_null(column_field(c), obj);
}

static void cell(const struct sv_field *f, const void *obj, struct text *ret)
{
	char small[256];
	size_t n = sv_cell(f, obj, small, sizeof(small));
	char *large;

	if (n < sizeof(small)) {
		text_add(ret, small, n);
		return;
	}
	large = mem_new(n + 1, 1);
	sv_cell(f, obj, large, n + 1);
	text_str(ret, large);
	mem_free(large);
}

/* A cell as people read it. */
static void told(const struct sv_field *f, const void *obj, struct text *ret)
{
	struct text t = { 0 };

	if (!(f->flags & SV_PROSE)) {
		cell(f, obj, ret);
		return;
	}
	cell(f, obj, &t);
	said(text_of(&t), ret);
	text_free(&t);
}

/* For people: what it refers to by name. */
static void called(const struct out *o, const struct sv_field *f, const void *obj, struct text *ret)
{
	const void *at = (const char *)obj + f->offset;
	const struct sv_strs *all = at;

	if (o->refs && f->ref && f->type == SV_STR && *(const char *const *)at)
		text_str(ret, refs_name(o->refs, f->ref, *(const char *const *)at));
	else if (o->refs && f->ref && f->type == SV_STRS)
		for (size_t i = 0; i < all->n; i++)
			text_fmt(ret, "%s%s", i ? "," : "", refs_name(o->refs, f->ref, all->v[i]));
	else
		told(f, obj, ret);
}

int column_text(const struct column *c, const void *obj, struct text *ret)
{
	const char *v;

	obj = column_object(c, obj);
	if (!obj)
		return 0;
	if (c->key) {
		v = sv_map_get(member(c, obj), c->key);
		text_str(ret, v ? v : "");
		return v != NULL;
	}
	cell(column_field(c), obj, ret);
	return present(c, obj) || ret->n;
}

void column_json(const struct column *c, const void *obj, struct text *ret)
{
	const struct sv_field *f = column_field(c);
	struct sv_kind alone;
	char *json = NULL;
	const char *value;

	obj = column_object(c, obj);
	if (c->key) {
		value = obj ? sv_map_get(member(c, obj), c->key) : NULL;
		if (value)
			json_string(ret, value);
		else
			text_str(ret, "null");
		return;
	}
	if (!obj || !present(c, obj)) {
		text_str(ret, "null");
		return;
	}
	/* A kind of this one field: the library writes {"name":VALUE}. */
	alone = (struct sv_kind){
		.name = "alone", .fields = f, .n = 1, .size = (uint32_t)(f->offset + 64)
	};
	if (sv_to_json(&alone, obj, SV_WALK_ALL, 0, &json) == SV_OK &&
		(value = strchr(json, ':')) != NULL)
		text_add(ret, value + 1, strlen(value + 1) - 1);
	else
		text_str(ret, "null");
	sv_free_text(json);
}

static int64_t integer(const struct column *c, const void *obj)
{
	return *(const int64_t *)member(c, obj);
}

/* "3m ago", "in 2h": for people in front of a terminal. */
static void relative(int64_t t, struct text *ret)
{
	static const struct {
		int64_t seconds;
		char unit;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' } };
	int64_t away = t - (int64_t)time(NULL), size = away < 0 ? -away : away;
	size_t i = 0;

	while (i + 1 < COUNT(units) && size < units[i].seconds)
		i++;
	if (size < 1)
		text_str(ret, _("now"));
	else
		text_fmt(ret, away < 0 ? _("%lld%c ago") : _("in %lld%c"),
			(long long)(size / units[i].seconds), units[i].unit);
}

static void duration(int64_t s, struct text *ret)
{
	size_t from = ret->n;

	if (s >= 86400)
		text_fmt(ret, "%lldd", (long long)(s / 86400));
	if (s % 86400 >= 3600)
		text_fmt(ret, "%lldh", (long long)(s % 86400 / 3600));
	if (s % 3600 >= 60)
		text_fmt(ret, "%lldm", (long long)(s % 3600 / 60));
	if (s % 60 || ret->n == from)
		text_fmt(ret, "%llds", (long long)(s % 60));
}

/* Money as it is, but no more places than it needs, and never fewer than two. */
static void money(struct text *t)
{
	char *dot = t->s ? strchr(t->s, '.') : NULL;

	while (dot && t->s + t->n - dot > 3 && t->s[t->n - 1] == '0')
		t->s[--t->n] = '\0';
}

/* One place is what a person asks for: rounded half up, and none where it is 0. */
static void percent(int64_t v, struct text *ret)
{
	int64_t tenths = (v < 0 ? v - 50000 : v + 50000) / 100000,
		size = tenths < 0 ? -tenths : tenths;

	text_fmt(ret, "%s%lld", tenths < 0 ? "-" : "", (long long)(size / 10));
	if (size % 10)
		text_fmt(ret, ".%lld", (long long)(size % 10));
	text_str(ret, " %");
}

static void brief_field(
	const struct out *o, const struct sv_field *f, const void *obj, struct text *ret)
{
	struct text v = { 0 };
	const struct sv_kind *of;

	called(o, f, obj, &v);
	/* {kind=disk,id=...}: of which kind, the id says itself. */
	if (o->refs && !f->ref && v.n && !strcmp(f->name, "id") &&
		(of = sv_kind_of_id(v.s)) != NULL) {
		const char *name = refs_name(o->refs, of->name, v.s);

		if (name != v.s) {
			text_fmt(ret, "%sname=%s", ret->n ? "," : "", name);
			text_free(&v);
			return;
		}
	}
	if (f->type == SV_MONEY)
		money(&v);
	if (v.n && !(f->type == SV_BOOL && !strcmp(v.s, "false")) && strcmp(v.s, "[]") != 0) {
		text_fmt(ret, "%s%s=", ret->n ? "," : "", f->name);
		text_add(ret, v.s, v.n);
	}
	text_free(&v);
}

/* What an object says, in one cell. */
static void brief(
	const struct out *o, const struct sv_kind *kind, const void *obj, struct text *ret)
{
	for (uint32_t i = 0; obj && i < kind->n; i++)
		if (sv_field_has(&kind->fields[i], obj) && !sv_field_is_null(&kind->fields[i], obj))
			brief_field(o, &kind->fields[i], obj, ret);
}

/* The one field of an object that is what people look for, or NULL. */
static const struct sv_field *essence(const struct sv_kind *kind)
{
	const struct sv_field *one = NULL;

	for (uint32_t i = 0; i < kind->n; i++)
		if (kind->fields[i].flags & SV_COL) {
			if (one)
				return NULL;
			one = &kind->fields[i];
		}
	return one;
}

/* In a row that alone; where there is room, all of it. */
static void object(const struct out *o, const struct sv_kind *kind, const void *obj,
	struct text *ret)
{
	const struct sv_field *one = o->upright ? NULL : essence(kind);
	struct column c = { .way = { one }, .n = 1 };

	if (one && obj)
		column_human(o, &c, obj, ret);
	else
		brief(o, kind, obj, ret);
}

static void listed(
	const struct out *o, const struct sv_field *f, const struct sv_list *l, struct text *ret)
{
	for (size_t i = 0; i < l->n; i++) {
		struct text one = { 0 };

		brief(o, f->kind, l->v[i], &one);
		text_fmt(ret, "%s{%s}", i ? " " : "", text_of(&one));
		text_free(&one);
	}
}

/* {"loss":0.31,"step":80} -> loss=0.31,step=80; what is deeper stays as it is. */
static void unwrapped(const struct sv_field *f, const void *obj, struct text *ret)
{
	struct text raw = { 0 };
	int quoted = 0;

	cell(f, obj, &raw);
	if (raw.n < 2 || *raw.s != '{' || strpbrk(raw.s + 1, "{[")) {
		text_add(ret, text_of(&raw), raw.n);
		text_free(&raw);
		return;
	}
	for (const char *p = raw.s + 1; p[1]; p++) {
		if (*p == '\\' && quoted) {
			text_add(ret, p++, 2);
			continue;
		}
		if (*p == '"')
			quoted = !quoted;
		else if (quoted || *p != ' ')
			text_chr(ret, !quoted && *p == ':' ? '=' : *p);
	}
	text_free(&raw);
}

static void human(const struct out *o, const struct column *c, const void *obj, struct text *ret)
{
	const struct sv_field *f = column_field(c);

	switch (f->type) {
	case SV_GIB: text_fmt(ret, "%lldGiB", (long long)integer(c, obj)); return;
	case SV_SECONDS: duration(integer(c, obj), ret); return;
	case SV_TIME:
		if (o->app->out_tty)
			relative(integer(c, obj), ret);
		else
			cell(f, obj, ret);
		return;
	case SV_MONEY:
		cell(f, obj, ret);
		money(ret);
		return;
	case SV_PERCENT: percent(integer(c, obj), ret); return;
	case SV_JSON: unwrapped(f, obj, ret); return;
	case SV_OBJ: object(o, f->kind, *(void *const *)member(c, obj), ret); return;
	case SV_LIST: listed(o, f, member(c, obj), ret); return;
	default: called(o, f, obj, ret); return;
	}
}

void column_human(const struct out *o, const struct column *c, const void *obj, struct text *ret)
{
	struct text own = { 0 }, *raw = ret->n ? &own : ret;
	const void *at = column_object(c, obj);

	if (c->key)
		column_text(c, obj, raw);
	else if (present(c, at))
		human(o, c, at, raw);
	if (raw == ret && raw->n && !is_plain(raw->s, raw->n)) { /* most is as it may be shown */
		own = *ret;
		*ret = (struct text){ 0 };
		raw = &own;
	}
	if (raw == &own && own.n)
		safe_text(ret, own.s);
	else if (!raw->n)
		text_chr(ret, '-');
	text_free(&own);
}
