/* SPDX-License-Identifier: MIT */
/* cJSON tree -> object. The only reader of JSON. Each taker writes its member on success only. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/time.h"
#include "model/json.h"
#include "model/kind.h"
#include "model/near.h"

/* Where we are, for messages: a chain on the stack. */
struct at {
	const struct at *up;
	const char *key;
	size_t index; /* of a list's element, when key is NULL */
};

struct decoder {
	void *root;
	int mode;
	struct sv_error *err;
};

static void path(const struct at *at, struct sv_buf *b)
{
	if (!at)
		return;
	path(at->up, b);
	if (!at->key)
		sv_buf_fmt(b, "[%zu]", at->index);
	else
		sv_buf_fmt(b, "%s%s", b->len ? "." : "", at->key);
}

/* One refused field: answers end there, bodies collect all. */
static int refuse(struct decoder *d, const struct at *at, const char *code, const char *what)
{
	struct sv_buf b;
	int r = SV_INVALID;

	sv_buf_init(&b, 1024);
	path(at, &b);
	if (d->mode == SV_DECODE_BODY) {
		sv_err_field(d->err, sv_buf_text(&b), code, "%s", what);
	} else {
		r = sv_err(d->err, SV_PROTO, "answer's field %s: %s", sv_buf_text(&b), what);
		if (d->err)
			snprintf(d->err->field, sizeof(d->err->field), "%s", sv_buf_text(&b));
	}
	sv_buf_free(&b);
	return r;
}

static int object(struct decoder *d, const struct sv_kind *kind, const cJSON *t, void *obj,
	const struct at *at);

static int wrong(struct decoder *d, const struct at *at, const char *expected)
{
	char what[64];

	snprintf(what, sizeof(what), "must be %s", expected);
	return refuse(d, at, "type", what);
}

static int integer(struct decoder *d, const struct sv_field *f, const cJSON *t, int64_t *m,
	const struct at *at)
{
	double v = t->valuedouble;

	if (!cJSON_IsNumber(t))
		return wrong(d, at, "an integer");
	/* 2^53 itself may be what 2^53 + 1 was rounded to. */
	if (!(v > -(double)SV_MAX_EXACT && v < (double)SV_MAX_EXACT) || v != (double)(int64_t)v)
		return refuse(d, at, "range", "must be an integer within 2^53");
	if (v < 0 && !(f->flags & SV_SIGNED))
		return refuse(d, at, "range", "must not be negative");
	*m = (int64_t)v;
	return SV_OK;
}

static int money(struct decoder *d, const struct sv_field *f, const cJSON *t, int64_t *m,
	const struct at *at)
{
	int64_t v;

	if (!cJSON_IsString(t) || sv_parse_money(t->valuestring, &v))
		return wrong(d, at,
			f->type == SV_MONEY ? "money: a decimal string of at most 6 places"
					    : "a percentage: a decimal string of at most 6 places");
	if (v < 0 && !(f->flags & SV_SIGNED))
		return refuse(d, at, "range", "must not be negative");
	*m = v;
	return SV_OK;
}

static int string(struct decoder *d, const struct sv_field *f, const cJSON *t, const char **m,
	const struct at *at)
{
	if (!cJSON_IsString(t))
		return wrong(d, at, "a string");
	if (f->flags & SV_SECRET)
		sv_arena_secret(sv_root_arena(d->root));
	*m = sv_strdup_in(d->root, t->valuestring);
	return *m ? SV_OK : SV_NOMEM;
}

static int json(struct decoder *d, const cJSON *t, const char **m)
{
	struct sv_buf b;
	int r;

	sv_buf_init(&b, SV_MAX_BODY);
	r = sv_write_tree(&b, t);
	if (!r) {
		*m = sv_strdup_in(d->root, sv_buf_text(&b));
		r = *m ? SV_OK : SV_NOMEM;
	}
	sv_buf_free(&b);
	return r;
}

/* Counts elements and gives an array for them in the root's memory; n 0 gives NULL. */
static int room(struct decoder *d, const cJSON *t, const struct at *at, size_t *n, void **ret)
{
	size_t count = 0;

	for (const cJSON *c = t->child; c; c = c->next)
		if (++count > SV_MAX_ITEMS)
			return refuse(d, at, "range", "has too many elements");
	*ret = count ? sv_arena_alloc(sv_root_arena(d->root), count * sizeof(void *)) : NULL;
	*n = count;
	return count && !*ret ? SV_NOMEM : SV_OK;
}

static int strs(struct decoder *d, const cJSON *t, struct sv_strs *m, const struct at *at)
{
	struct sv_strs s = { 0, NULL };
	void *v;
	int r;

	if (!cJSON_IsArray(t))
		return wrong(d, at, "an array of strings");
	r = room(d, t, at, &s.n, &v);
	if (r)
		return r;
	s.v = v;
	s.n = 0;
	for (const cJSON *c = t->child; c; c = c->next) {
		struct at here = { at, NULL, s.n };

		if (!cJSON_IsString(c))
			return wrong(d, &here, "a string");
		s.v[s.n] = sv_strdup_in(d->root, c->valuestring);
		if (!s.v[s.n++])
			return SV_NOMEM;
	}
	*m = s;
	return SV_OK;
}

static int list(struct decoder *d, const struct sv_field *f, const cJSON *t, struct sv_list *m,
	const struct at *at)
{
	struct sv_list l = { 0, NULL };
	void *v;
	int r;

	if (!cJSON_IsArray(t))
		return wrong(d, at, "an array of objects");
	r = room(d, t, at, &l.n, &v);
	if (r)
		return r;
	l.v = v;
	l.n = 0;
	for (const cJSON *c = t->child; !r && c; c = c->next) {
		struct at here = { at, NULL, l.n };

		l.v[l.n] = sv_new_in(d->root, f->kind);
		r = l.v[l.n] ? object(d, f->kind, c, l.v[l.n], &here) : SV_NOMEM;
		l.n++;
	}
	if (!r)
		*m = l;
	return r;
}

static int map(struct decoder *d, const cJSON *t, struct sv_map *m, const struct at *at)
{
	struct sv_map p = { 0, NULL, NULL };
	void *k, *v;
	int r;

	if (!cJSON_IsObject(t))
		return wrong(d, at, "an object of strings");
	r = room(d, t, at, &p.n, &k);
	if (!r)
		r = room(d, t, at, &p.n, &v);
	if (r)
		return r;
	p.keys = k;
	p.values = v;
	p.n = 0;
	for (const cJSON *c = t->child; c; c = c->next) {
		struct at here = { at, c->string, 0 };

		if (!cJSON_IsString(c))
			return wrong(d, &here, "a string");
		p.keys[p.n] = sv_strdup_in(d->root, c->string);
		p.values[p.n] = sv_strdup_in(d->root, c->valuestring);
		if (!p.keys[p.n] || !p.values[p.n])
			return SV_NOMEM;
		p.n++;
	}
	*m = p;
	return SV_OK;
}

static int when(struct decoder *d, const cJSON *t, int64_t *m, const struct at *at)
{
	if (!cJSON_IsString(t) || sv_parse_time(t->valuestring, m))
		return wrong(d, at, "a time as RFC 3339 has it");
	return SV_OK;
}

static int nested(
	struct decoder *d, const struct sv_field *f, const cJSON *t, void **m, const struct at *at)
{
	void *sub = sv_new_in(d->root, f->kind);
	int r = sub ? object(d, f->kind, t, sub, at) : SV_NOMEM;

	if (!r)
		*m = sub;
	return r;
}

static int take(
	struct decoder *d, const struct sv_field *f, const cJSON *t, void *obj, const struct at *at)
{
	void *m = sv_member(f, obj);

	switch ((enum sv_type)f->type) {
	case SV_STR: return string(d, f, t, m, at);
	case SV_JSON: return json(d, t, m);
	case SV_BOOL:
		if (!cJSON_IsBool(t))
			return wrong(d, at, "true or false");
		*(int *)m = cJSON_IsTrue(t) ? 1 : 0;
		return SV_OK;
	case SV_INT:
	case SV_GIB:
	case SV_BYTES:
	case SV_SECONDS: return integer(d, f, t, m, at);
	case SV_NUM:
		if (!cJSON_IsNumber(t))
			return wrong(d, at, "a number");
		if (t->valuedouble - t->valuedouble != 0)
			return refuse(d, at, "range", "is beyond what a number can be here");
		*(double *)m = t->valuedouble;
		return SV_OK;
	case SV_TIME: return when(d, t, m, at);
	case SV_PERCENT:
	case SV_MONEY: return money(d, f, t, m, at);
	case SV_STRS: return strs(d, t, m, at);
	case SV_LIST: return list(d, f, t, m, at);
	case SV_MAP: return map(d, t, m, at);
	case SV_OBJ: return nested(d, f, t, m, at);
	}
	return SV_INVALID;
}

/* Answers come in the order of the rows, so the search begins where the last one ended. */
static const struct sv_field *row(const struct sv_kind *kind, const char *key, uint32_t *hint)
{
	for (uint32_t n = 0; n < kind->n; n++) {
		uint32_t i = (*hint + n) % kind->n;

		if (!strcmp(kind->fields[i].name, key)) {
			*hint = i + 1;
			return &kind->fields[i];
		}
	}
	return NULL;
}

static int unknown(struct decoder *d, const struct sv_kind *kind, const struct at *at)
{
	const char *near = sv_near_field(kind, at->key);
	char what[128];

	snprintf(what, sizeof(what), near ? "unknown field; did you mean %s?" : "unknown field",
		near);
	return refuse(d, at, "unknown", what);
}

static int member(
	struct decoder *d, const struct sv_field *f, const cJSON *t, void *obj, const struct at *at)
{
	int r;

	if (sv_field_has(f, obj)) /* the first of two equal keys counts in answers */
		return d->mode == SV_DECODE_BODY ? refuse(d, at, "duplicate", "stands twice")
						 : SV_OK;
	if (cJSON_IsNull(t)) {
		sv_field_mark_null(f, obj);
		return SV_OK;
	}
	r = take(d, f, t, obj, at);
	if (!r)
		sv_field_mark(f, obj);
	return r;
}

static int object(struct decoder *d, const struct sv_kind *kind, const cJSON *t, void *obj,
	const struct at *at)
{
	uint32_t hint = 0;
	int r, worst = SV_OK;

	if (!cJSON_IsObject(t))
		return wrong(d, at, "an object");
	for (const cJSON *c = t->child; c; c = c->next) {
		struct at here = { at, c->string, 0 };
		const struct sv_field *f = row(kind, c->string, &hint);

		if (!f && d->mode == SV_DECODE_ANSWER)
			continue;
		r = f ? member(d, f, c, obj, &here) : unknown(d, kind, &here);
		if (r && (d->mode == SV_DECODE_ANSWER || r != SV_INVALID))
			return r;
		if (r)
			worst = r;
	}
	return worst;
}

int sv_decode(const struct sv_kind *kind, const struct cJSON *tree, void *root, void *obj, int mode,
	struct sv_error *err)
{
	struct decoder d = { root, mode, err };
	int r;

	sv_err_clear(err);
	r = object(&d, kind, tree, obj, NULL);
	return r == SV_NOMEM ? sv_err(err, SV_NOMEM, "out of memory") : r;
}

static int decode_text(const struct sv_kind *kind, const char *text, size_t len, int mode,
	void **ret, struct sv_error *err)
{
	cJSON *tree = sv_json_parse(text, len, err);
	void *obj = NULL;
	int r = SV_PROTO;

	if (!tree)
		return SV_PROTO;
	obj = sv_new(kind);
	r = obj ? sv_decode(kind, tree, obj, obj, mode, err)
		: sv_err(err, SV_NOMEM, "out of memory");
	cJSON_Delete(tree);
	if (r)
		sv_free(obj);
	else
		*ret = obj;
	return r;
}

int sv_from_json(
	const struct sv_kind *kind, const char *text, size_t len, void **ret, struct sv_error *err)
{
	return decode_text(kind, text, len, SV_DECODE_ANSWER, ret, err);
}

int sv_from_body(
	const struct sv_kind *kind, const char *text, size_t len, void **ret, struct sv_error *err)
{
	char why[512];
	int r = decode_text(kind, text, len, SV_DECODE_BODY, ret, err);

	if (r != SV_PROTO)
		return r;
	snprintf(why, sizeof(why), "%s", err ? err->message : "");
	return sv_err(err, SV_INVALID, "body: %s", why);
}

int sv_decode_member(const struct sv_kind *kind, const char *key, const struct cJSON *value,
	struct sv_page *page, void *obj, uint32_t *hint)
{
	struct decoder d = { page, SV_DECODE_ANSWER, NULL };
	struct at here = { NULL, key, 0 };
	const struct sv_field *f = row(kind, key, hint);

	return f ? member(&d, f, value, obj, &here) : SV_OK;
}

int sv_decode_page(const struct sv_kind *kind, const struct cJSON *tree, struct sv_page **ret,
	struct sv_error *err)
{
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(tree, "items");
	const cJSON *next = cJSON_GetObjectItemCaseSensitive(tree, "next_cursor");
	struct sv_page *page = sv_page_new();
	struct sv_field all = { .name = "items", .kind = kind, .type = SV_LIST };
	struct decoder d = { page, SV_DECODE_ANSWER, err };
	struct at at = { NULL, "items", 0 };
	struct sv_list l = { 0, NULL };
	int r = SV_OK;

	sv_err_clear(err);
	if (!page)
		return sv_err(err, SV_NOMEM, "out of memory");
	if (!cJSON_IsObject(tree))
		r = sv_err(err, SV_PROTO, "answer: must be an object with items");
	else if (items && !cJSON_IsNull(items))
		r = list(&d, &all, items, &l, &at);
	if (!r && cJSON_IsString(next) && *next->valuestring) {
		page->next = sv_strdup_in(page, next->valuestring);
		if (!page->next)
			r = SV_NOMEM;
	}
	if (r) {
		sv_free(page);
		return r == SV_NOMEM ? sv_err(err, SV_NOMEM, "out of memory") : r;
	}
	page->n = l.n;
	page->v = l.v;
	*ret = page;
	return SV_OK;
}
