/* SPDX-License-Identifier: MIT */
/* YAML nodes -> object by rows. Scalars are typed by their row, never guessed: "no" stays text
 * where text is wanted. */
#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"
#include "model/near.h"
#include "model/yaml.h"

struct decoder {
	const struct sv_yaml *y;
	void *root;
	struct sv_error *err;
};

int sv_node_err(const struct sv_yaml *y, const struct sv_node *n, struct sv_error *err,
	const char *fmt, ...)
{
	char what[360];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return sv_err(err, SV_INVALID, "%s:%d:%d: %s", y->name, n->key ? n->key_line : n->line,
		n->key ? n->key_column : n->column, what);
}

struct sv_node *sv_node_get(const struct sv_node *map, const char *key)
{
	for (struct sv_node *c = map->type == SV_NODE_MAP ? map->child : NULL; c; c = c->next)
		if (!strcmp(c->key, key))
			return c;
	return NULL;
}

static int object(struct decoder *d, const struct sv_node *map, const struct sv_kind *kind,
	void *obj, const char *skip);

static int wrong(struct decoder *d, const struct sv_node *n, const char *expected)
{
	return sv_node_err(
		d->y, n, d->err, "%s: must be %s", n->key ? n->key : "element", expected);
}

static int is_null(const struct sv_node *n)
{
	return n->type == SV_NODE_SCALAR && n->plain && (!*n->text || !strcmp(n->text, "null"));
}

/* Bare integers are in the wire's unit; with a unit they are what a person says. */
static int bare(const struct sv_field *f, const char *text, int64_t *m)
{
	int64_t v;

	if (f->type != SV_GIB && f->type != SV_SECONDS && f->type != SV_BYTES)
		return 0;
	if (sv_parse_int(text, &v) || v < 0 || v > SV_MAX_EXACT)
		return 0;
	*m = v;
	return 1;
}

static int scalar(struct decoder *d, const struct sv_field *f, const struct sv_node *n, void *obj)
{
	struct sv_error why;
	int r;

	if (n->type != SV_NODE_SCALAR)
		return wrong(d, n, "a single value");
	if (bare(f, n->text, sv_member(f, obj))) {
		sv_field_mark(f, obj);
		return SV_OK;
	}
	r = sv_field_parse(d->root, obj, f, n->text, &why);
	if (r == SV_INVALID)
		return sv_node_err(d->y, n, d->err, "%s: %s", n->key ? n->key : f->name,
			why.n_errors ? why.errors[0].message : why.message);
	return r ? sv_err(d->err, r, "out of memory") : SV_OK;
}

static int strs(struct decoder *d, const struct sv_node *n, struct sv_strs *m)
{
	if (n->type == SV_NODE_SCALAR)
		return sv_strs_add(d->root, m, n->text);
	if (n->type != SV_NODE_LIST)
		return wrong(d, n, "a list of texts");
	for (const struct sv_node *c = n->child; c; c = c->next) {
		if (c->type != SV_NODE_SCALAR)
			return wrong(d, c, "text");
		if (sv_strs_add(d->root, m, c->text))
			return sv_err(d->err, SV_NOMEM, "out of memory");
	}
	return SV_OK;
}

static int map(struct decoder *d, const struct sv_node *n, struct sv_map *m)
{
	if (n->type != SV_NODE_MAP)
		return wrong(d, n, "a map of texts");
	for (const struct sv_node *c = n->child; c; c = c->next) {
		if (c->type != SV_NODE_SCALAR)
			return wrong(d, c, "text");
		if (sv_map_set(d->root, m, c->key, c->text))
			return sv_err(d->err, SV_NOMEM, "out of memory");
	}
	return SV_OK;
}

static int list(struct decoder *d, const struct sv_field *f, const struct sv_node *n, void *obj)
{
	struct sv_list *m = sv_member(f, obj);
	int r = n->type == SV_NODE_LIST ? SV_OK : wrong(d, n, "a list");

	for (const struct sv_node *c = r ? NULL : n->child; !r && c; c = c->next) {
		void *sub;

		if (c->type == SV_NODE_SCALAR) {
			r = scalar(d, f, c, obj);
			continue;
		}
		sub = sv_new_in(d->root, f->kind);
		r = sub ? object(d, c, f->kind, sub, NULL)
			: sv_err(d->err, SV_NOMEM, "out of memory");
		if (!r && sv_list_add(d->root, m, sub))
			r = sv_err(d->err, SV_NOMEM, "out of memory");
	}
	return r;
}

/* Any value as JSON: here, and only here, plain scalars get their type from YAML's core schema. */
static void json(struct sv_buf *b, const struct sv_node *n)
{
	double v;

	if (n->type != SV_NODE_SCALAR) {
		int is_map = n->type == SV_NODE_MAP;

		sv_buf_chr(b, is_map ? '{' : '[');
		for (const struct sv_node *c = n->child; c; c = c->next) {
			if (c != n->child)
				sv_buf_chr(b, ',');
			if (is_map) {
				sv_buf_json(b, c->key, strlen(c->key));
				sv_buf_chr(b, ':');
			}
			json(b, c);
		}
		sv_buf_chr(b, is_map ? '}' : ']');
	} else if (is_null(n)) {
		sv_buf_str(b, "null");
	} else if (n->plain && (!strcmp(n->text, "true") || !strcmp(n->text, "false") ||
				       !sv_parse_num(n->text, &v))) {
		sv_buf_str(b, n->text);
	} else {
		sv_buf_json(b, n->text, strlen(n->text));
	}
}

static int any(struct decoder *d, const struct sv_node *n, const char **m)
{
	struct sv_buf b;

	sv_buf_init(&b, SV_MAX_BODY);
	json(&b, n);
	*m = b.failed ? NULL : sv_strdup_in(d->root, sv_buf_text(&b));
	sv_buf_free(&b);
	return *m ? SV_OK : sv_err(d->err, SV_NOMEM, "out of memory");
}

static int member(struct decoder *d, const struct sv_field *f, const struct sv_node *n, void *obj)
{
	void *m = sv_member(f, obj);
	int r;

	if (is_null(n)) {
		sv_field_mark_null(f, obj);
		return SV_OK;
	}
	switch ((enum sv_type)f->type) {
	case SV_STRS: r = strs(d, n, m); break;
	case SV_MAP: r = map(d, n, m); break;
	case SV_LIST: r = list(d, f, n, obj); break;
	case SV_JSON: r = any(d, n, m); break;
	case SV_OBJ:
		*(void **)m = sv_new_in(d->root, f->kind);
		r = *(void **)m ? object(d, n, f->kind, *(void **)m, NULL)
				: sv_err(d->err, SV_NOMEM, "out of memory");
		break;
	default: return scalar(d, f, n, obj);
	}
	if (!r)
		sv_field_mark(f, obj);
	return r;
}

static int object(struct decoder *d, const struct sv_node *n, const struct sv_kind *kind, void *obj,
	const char *skip)
{
	const char *near;
	int r = n->type == SV_NODE_MAP ? SV_OK : wrong(d, n, "a map");

	for (const struct sv_node *c = r ? NULL : n->child; !r && c; c = c->next) {
		const struct sv_field *f = NULL;

		if (skip && !strcmp(c->key, skip))
			continue;
		for (uint32_t i = 0; i < kind->n; i++)
			if (!strcmp(kind->fields[i].name, c->key))
				f = &kind->fields[i];
		if (f) {
			r = member(d, f, c, obj);
			continue;
		}
		if (!strcmp(c->key, "<<"))
			return sv_node_err(d->y, c, d->err,
				"merge keys (<<) are not taken: write the fields out");
		near = sv_near_field(kind, c->key);
		r = sv_node_err(d->y, c, d->err,
			near ? "unknown key %s; did you mean %s?" : "unknown key %s", c->key, near);
	}
	return r;
}

int sv_node_decode(const struct sv_yaml *y, const struct sv_node *n, const struct sv_kind *kind,
	void *root, void *obj, const char *skip, struct sv_error *err)
{
	struct decoder d = { y, root, err };

	return object(&d, n, kind, obj, skip);
}

/* A document for a file of several, used for one: its kind is known already. */
static const char *said_kind(const struct sv_kind *body, const struct sv_node *doc)
{
	static const char key[] = "kind";
	const struct sv_node *n = sv_node_get(doc, key);
	const struct sv_kind *resource =
		n && n->type == SV_NODE_SCALAR ? sv_kind_find(n->text) : NULL;

	return resource && sv_creates(resource) == body && !sv_field_find(body, key) ? key : NULL;
}

int sv_from_yaml(const struct sv_kind *kind, const char *name, const char *text, size_t len,
	void **ret, struct sv_error *err)
{
	struct sv_yaml y;
	void *obj = NULL;
	int r = sv_yaml_read(&y, name, text, len, err);

	if (!r && !y.n)
		r = sv_err(err, SV_INVALID, "%s: holds no document", name);
	if (!r && y.n > 1)
		r = sv_node_err(&y, y.docs[1], err, "a second document, where one was expected");
	if (!r) {
		obj = sv_new(kind);
		r = obj ? sv_node_decode(&y, y.docs[0], kind, obj, obj,
				  said_kind(kind, y.docs[0]), err)
			: sv_err(err, SV_NOMEM, "out of memory");
	}
	sv_yaml_free(&y);
	if (r) {
		sv_free(obj);
		return r;
	}
	*ret = obj;
	return SV_OK;
}
