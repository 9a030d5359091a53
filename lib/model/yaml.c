/* SPDX-License-Identifier: MIT */
/* YAML text -> nodes. Aliases are expanded by sharing, counted so that a bomb stays small. */
#include "model/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "model/surrogate.h"

#define MAX_NODES   200000
#define MAX_ANCHORS 256

struct anchor {
	const char *name;
	struct sv_node *node;
	size_t weight; /* nodes below it, expanded */
	int open;      /* still being read: an alias to it would be a loop */
};

struct reader {
	struct sv_yaml *y;
	yaml_parser_t parser;
	const char *text;
	size_t len;
	struct sv_error *err;
	struct anchor anchors[MAX_ANCHORS];
	size_t n_anchors, nodes, expanded;
	int depth, marked; /* marked: halves of surrogate pairs are marks */
};

static int place(struct reader *r, size_t line, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int place(struct reader *r, size_t line, size_t column, const char *fmt, ...)
{
	char what[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return sv_err(r->err, SV_INVALID, "%s:%zu:%zu: %s", r->y->name, line + 1, column + 1, what);
}

/* What is no text at all has a byte's place only: its line and column are counted. */
static int unreadable(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	size_t line = 0, column = 0;

	for (size_t i = 0; i < p->problem_offset && i < r->len; i++) {
		column = r->text[i] == '\n' ? 0 : column + ((r->text[i] & 0xc0) != 0x80);
		line += r->text[i] == '\n';
	}
	return place(r, line, column, "%s", p->problem ? p->problem : "not readable");
}

static int next(struct reader *r, yaml_event_t *e)
{
	const yaml_parser_t *p = &r->parser;

	if (yaml_parser_parse(&r->parser, e))
		return SV_OK;
	if (p->error == YAML_MEMORY_ERROR)
		return sv_err(r->err, SV_NOMEM, "out of memory");
	if (p->error == YAML_READER_ERROR)
		return unreadable(r);
	return place(r, p->problem_mark.line, p->problem_mark.column, "%s%s%s",
		p->problem ? p->problem : "malformed", p->context ? " " : "",
		p->context ? p->context : "");
}

static struct sv_node *node_new(struct reader *r, int type, const yaml_mark_t *at)
{
	struct sv_node *n =
		++r->nodes <= MAX_NODES ? sv_arena_alloc(r->y->arena, sizeof(*n)) : NULL;

	if (n) {
		n->type = type;
		n->line = (int)at->line + 1;
		n->column = (int)at->column + 1;
		n->begin = n->end = at->index;
	}
	return n;
}

static int read_node(struct reader *r, yaml_event_t *e, struct sv_node **ret);

static int scalar(struct reader *r, const yaml_event_t *e, struct sv_node **ret)
{
	const char *text = (const char *)e->data.scalar.value;
	struct sv_node *n = node_new(r, SV_NODE_SCALAR, &e->start_mark);
	char *copy = n ? sv_arena_strndup(r->y->arena, text, e->data.scalar.length) : NULL;

	if (!copy)
		return sv_err(
			r->err, SV_NOMEM, "out of memory, or too many nodes in %s", r->y->name);
	if (memchr(text, '\0', e->data.scalar.length))
		return place(r, e->start_mark.line, e->start_mark.column, "NUL character");
	if (r->marked && sv_surrogates_join(copy))
		return place(r, e->start_mark.line, e->start_mark.column,
			"half of a surrogate pair");
	n->text = copy;
	n->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	n->end = e->end_mark.index;
	*ret = n;
	return SV_OK;
}

static int alias(struct reader *r, const yaml_event_t *e, struct sv_node **ret)
{
	const char *name = (const char *)e->data.alias.anchor;
	const yaml_mark_t *at = &e->start_mark;
	struct sv_node *copy;

	for (size_t i = r->n_anchors; i-- > 0;) {
		const struct anchor *a = &r->anchors[i];

		if (strcmp(a->name, name))
			continue;
		if (a->open)
			return place(r, at->line, at->column, "alias *%s contains itself", name);
		r->expanded += a->weight;
		if (r->expanded > SV_MAX_ALIASES)
			return place(r, at->line, at->column, "too many expanded nodes by aliases");
		r->nodes += a->weight;
		copy = node_new(r, a->node->type, at);
		if (!copy)
			return sv_err(r->err, SV_NOMEM, "out of memory, or too many nodes in %s",
				r->y->name);
		copy->plain = a->node->plain;
		copy->text = a->node->text;
		copy->child = a->node->child;
		copy->end = e->end_mark.index;
		*ret = copy;
		return SV_OK;
	}
	return place(r, at->line, at->column, "unknown alias *%s", name);
}

static int anchor_open(
	struct reader *r, const yaml_char_t *name, const yaml_mark_t *at, struct anchor **ret)
{
	struct anchor *a;

	*ret = NULL;
	if (!name)
		return SV_OK;
	if (r->n_anchors == MAX_ANCHORS)
		return place(r, at->line, at->column, "too many anchors");
	a = &r->anchors[r->n_anchors++];
	a->name = sv_arena_strdup(r->y->arena, (const char *)name);
	if (!a->name)
		return sv_err(r->err, SV_NOMEM, "out of memory");
	a->open = 1;
	a->weight = r->nodes;
	*ret = a;
	return SV_OK;
}

static int unique(struct reader *r, const struct sv_node *map, const struct sv_node *key)
{
	const struct sv_node *first = sv_node_get(map, key->text);

	if (!first)
		return SV_OK;
	return place(r, (size_t)key->line - 1, (size_t)key->column - 1,
		"key %s stands twice, first in line %d", key->text, first->key_line);
}

static int map_key(
	struct reader *r, const struct sv_node *map, yaml_event_t *e, struct sv_node **ret)
{
	int rc;

	if (e->type != YAML_SCALAR_EVENT)
		return place(
			r, e->start_mark.line, e->start_mark.column, "a key must be plain text");
	rc = scalar(r, e, ret);
	return rc ? rc : unique(r, map, *ret);
}

/* Reads children until the end event of this collection. */
static int children(struct reader *r, struct sv_node *n, yaml_event_type_t end)
{
	struct sv_node **tail = &n->child, *key = NULL, *one = NULL;
	yaml_event_t e;
	int rc, done;

	for (;;) {
		rc = next(r, &e);
		if (rc)
			return rc;
		done = e.type == end;
		if (!done && n->type == SV_NODE_MAP && !key) {
			rc = map_key(r, n, &e, &key);
			yaml_event_delete(&e);
			if (rc)
				return rc;
			continue;
		}
		if (!done)
			rc = read_node(r, &e, &one);
		else
			n->end = e.end_mark.index;
		yaml_event_delete(&e);
		if (rc || done)
			return rc;
		if (key) {
			one->key = key->text;
			one->key_line = key->line;
			one->key_column = key->column;
			one->key_begin = key->begin;
			key = NULL;
		}
		*tail = one;
		tail = &one->next;
	}
}

static int collection(struct reader *r, const yaml_event_t *e, struct sv_node **ret)
{
	int is_map = e->type == YAML_MAPPING_START_EVENT, rc;
	struct sv_node *n;

	if (++r->depth >= SV_MAX_DEPTH)
		return place(r, e->start_mark.line, e->start_mark.column, "nested deeper than %d",
			SV_MAX_DEPTH);
	n = node_new(r, is_map ? SV_NODE_MAP : SV_NODE_LIST, &e->start_mark);
	if (!n)
		return sv_err(
			r->err, SV_NOMEM, "out of memory, or too many nodes in %s", r->y->name);
	n->flow = is_map ? e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
			 : e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
	rc = children(r, n, is_map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT);
	r->depth--;
	*ret = n;
	return rc;
}

static int read_node(struct reader *r, yaml_event_t *e, struct sv_node **ret)
{
	const yaml_char_t *name = NULL;
	struct anchor *a;
	int rc;

	if (e->type == YAML_ALIAS_EVENT)
		return alias(r, e, ret);
	if (e->type == YAML_SCALAR_EVENT)
		name = e->data.scalar.anchor;
	else
		name = e->type == YAML_MAPPING_START_EVENT ? e->data.mapping_start.anchor
							   : e->data.sequence_start.anchor;
	rc = anchor_open(r, name, &e->start_mark, &a);
	if (!rc)
		rc = e->type == YAML_SCALAR_EVENT ? scalar(r, e, ret) : collection(r, e, ret);
	if (!rc && a) {
		a->node = *ret;
		a->weight = r->nodes - a->weight;
		a->open = 0;
	}
	return rc;
}

static int add_doc(struct reader *r, struct sv_node *n)
{
	struct sv_yaml *y = r->y;
	struct sv_node **docs;

	if (n->type == SV_NODE_SCALAR && n->plain && !*n->text)
		return SV_OK;
	/* Room for twice as many whenever the number is a power of two. */
	if ((y->n & (y->n - 1)) == 0) {
		docs = sv_arena_alloc(y->arena, (y->n ? y->n * 2 : 1) * sizeof(struct sv_node *));
		if (!docs)
			return sv_err(r->err, SV_NOMEM, "out of memory");
		if (y->n)
			memcpy(docs, y->docs, y->n * sizeof(struct sv_node *));
		y->docs = docs;
	}
	y->docs[y->n++] = n;
	return SV_OK;
}

static int documents(struct reader *r)
{
	struct sv_node *n;
	yaml_event_t e;
	int rc, end;

	do {
		rc = next(r, &e);
		if (rc)
			return rc;
		end = e.type == YAML_STREAM_END_EVENT;
		switch (e.type) {
		case YAML_DOCUMENT_START_EVENT: r->n_anchors = 0; break;
		case YAML_ALIAS_EVENT:
		case YAML_SCALAR_EVENT:
		case YAML_SEQUENCE_START_EVENT:
		case YAML_MAPPING_START_EVENT:
			rc = read_node(r, &e, &n);
			if (!rc)
				rc = add_doc(r, n);
			break;
		default: break;
		}
		yaml_event_delete(&e);
	} while (!rc && !end);
	return rc;
}

/* Reads on from a copy where there are any. */
static int surrogates(struct reader *r)
{
	char *copy;

	if (!sv_surrogates_in(r->text, r->len))
		return SV_OK;
	copy = sv_arena_alloc(r->y->arena, r->len);
	if (!copy)
		return sv_err(r->err, SV_NOMEM, "out of memory");
	memcpy(copy, r->text, r->len);
	sv_surrogates_mark(copy, r->len);
	r->text = copy;
	r->marked = 1;
	return SV_OK;
}

int sv_yaml_read(
	struct sv_yaml *y, const char *name, const char *text, size_t len, struct sv_error *err)
{
	struct reader r = { .y = y, .text = text, .len = len, .err = err };
	int rc;

	sv_err_clear(err);
	*y = (struct sv_yaml){ .name = name, .arena = sv_arena_new(SV_MAX_ARENA) };
	if (!y->arena)
		return sv_err(err, SV_NOMEM, "out of memory");
	if (len > SV_MAX_FILE)
		return sv_err(err, SV_INVALID, "%s: larger than %zu bytes", name, SV_MAX_FILE);
	if (!yaml_parser_initialize(&r.parser))
		return sv_err(err, SV_NOMEM, "out of memory");
	rc = surrogates(&r);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, len);
	rc = rc ? rc : documents(&r);
	yaml_parser_delete(&r.parser);
	return rc;
}

void sv_yaml_free(struct sv_yaml *y)
{
	sv_arena_free(y->arena);
	*y = (struct sv_yaml){ 0 };
}
