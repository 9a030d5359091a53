/* SPDX-License-Identifier: MIT */
/* Changes one value of a YAML text and leaves everything else, comments too, as it was. The result
 * is read again: what cannot be changed safely is refused. */
#include <stdio.h>
#include <string.h>

#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/yaml.h"

struct edit {
	struct sv_buf *text, out;
	const char *name, *value;
	const char *const *keys;
	size_t n;
	struct sv_error *err;
};

void sv_yaml_scalar(struct sv_buf *b, const char *s)
{
	size_t n = strlen(s);
	int plain = sv_is_alnum(*s) || *s == '/';

	for (size_t i = 0; plain && i < n; i++)
		plain = sv_is_alnum(s[i]) || (strchr("_./@+-", s[i]) != NULL) ||
			(s[i] == ':' && i + 1 < n && s[i + 1] != ' ');
	if (plain)
		sv_buf_str(b, s);
	else
		sv_buf_json(b, s, n);
}

/* Characters -> bytes, as the reader counts them. */
static size_t at(const struct sv_buf *text, size_t chars)
{
	size_t i = text->len >= 3 && !memcmp(text->data, "\xef\xbb\xbf", 3) ? 3 : 0;

	for (; chars && i < text->len; chars--) {
		size_t n = sv_utf8_len(text->data + i, text->len - i);

		i += n ? n : 1;
	}
	return i;
}

/* Where the node's last character is over: a block collection reaches to the next token. */
static size_t last(const struct sv_node *n)
{
	const struct sv_node *c = n->child;

	if (n->type == SV_NODE_SCALAR || n->flow || !c)
		return n->end;
	while (c->next)
		c = c->next;
	return last(c);
}

static size_t line_begin(const struct sv_buf *t, size_t i)
{
	while (i && t->data[i - 1] != '\n')
		i--;
	return i;
}

static size_t line_end(const struct sv_buf *t, size_t i)
{
	if (i && t->data[i - 1] == '\n')
		return i;
	while (i < t->len && t->data[i] != '\n')
		i++;
	return i < t->len ? i + 1 : i;
}

/* What comes before from, then the new text, then what comes after to. */
static void splice(struct edit *e, size_t from, size_t to, const struct sv_buf *middle)
{
	sv_buf_add(&e->out, e->text->len ? e->text->data : "", from);
	sv_buf_add(&e->out, sv_buf_text(middle), middle->len);
	sv_buf_add(&e->out, e->text->len ? e->text->data + to : "", e->text->len - to);
}

/* "a: {b: v}" for a line in brackets, or lines that are indented. */
static void pairs(const struct edit *e, size_t from, int indent, int flow, struct sv_buf *b)
{
	for (size_t i = from; i < e->n; i++) {
		if (!flow)
			sv_buf_fmt(b, "%*s", indent, "");
		sv_yaml_scalar(b, e->keys[i]);
		sv_buf_str(b, i + 1 == e->n ? ": " : flow ? ": {" : ":\n");
		indent += 2;
	}
	sv_buf_str(b, e->value);
	for (size_t i = from; flow && i + 1 < e->n; i++)
		sv_buf_chr(b, '}');
	if (!flow)
		sv_buf_chr(b, '\n');
}

static void insert_block(struct edit *e, const struct sv_node *map, size_t from, struct sv_buf *b)
{
	const struct sv_node *c = map->child;
	size_t where;

	while (c->next)
		c = c->next;
	where = line_end(e->text, at(e->text, last(c)));
	if (where && e->text->data[where - 1] != '\n')
		sv_buf_chr(b, '\n');
	pairs(e, from, map->child->key_column - 1, 0, b);
	splice(e, where, where, b);
}

static void insert_flow(struct edit *e, const struct sv_node *map, size_t from, struct sv_buf *b)
{
	const struct sv_node *c = map->child;
	size_t where = at(e->text, map->end) - 1;

	while (c && c->next)
		c = c->next;
	if (c) {
		where = at(e->text, last(c));
		sv_buf_str(b, ", ");
	}
	pairs(e, from, 0, 1, b);
	splice(e, where, where, b);
}

/* Adds keys[from...] to map. */
static int insert(struct edit *e, const struct sv_node *map, size_t from)
{
	struct sv_buf b;
	size_t where;

	sv_buf_init(&b, SV_MAX_FILE);
	if (!map) {
		where = e->text->len;
		if (where && e->text->data[where - 1] != '\n')
			sv_buf_chr(&b, '\n');
		pairs(e, from, 0, 0, &b);
		splice(e, where, where, &b);
	} else if (map->type == SV_NODE_MAP && map->flow) {
		insert_flow(e, map, from, &b);
	} else if (map->type == SV_NODE_MAP) {
		insert_block(e, map, from, &b);
	} else if (map->type == SV_NODE_SCALAR && map->plain && !*map->text && map->key) {
		where = line_end(e->text, at(e->text, map->end));
		if (where && e->text->data[where - 1] != '\n')
			sv_buf_chr(&b, '\n');
		pairs(e, from, map->key_column + 1, 0, &b);
		splice(e, where, where, &b);
	} else {
		sv_buf_free(&b);
		return sv_err(e->err, SV_INVALID, "%s:%d: %s is no map", e->name, map->line,
			map->key ? map->key : "it");
	}
	sv_buf_free(&b);
	return SV_OK;
}

static int replace(struct edit *e, const struct sv_node *n)
{
	size_t from = at(e->text, n->begin), to = at(e->text, last(n));
	struct sv_buf b;

	sv_buf_init(&b, SV_MAX_FILE);
	/* "key:" with nothing after it. */
	if (from == to && from && e->text->data[from - 1] == ':')
		sv_buf_chr(&b, ' ');
	sv_buf_str(&b, e->value);
	if (to > from && e->text->data[to - 1] == '\n')
		sv_buf_chr(&b, '\n');
	splice(e, from, to, &b);
	sv_buf_free(&b);
	return SV_OK;
}

static int drop(struct edit *e, const struct sv_node *map, const struct sv_node *n)
{
	const struct sv_node *before = map->child;
	size_t from = at(e->text, n->key_begin), to = at(e->text, last(n));
	struct sv_buf none;

	sv_buf_init(&none, 1);
	while (before != n && before->next != n)
		before = before->next;
	if (map->flow && n->next) {
		to = at(e->text, n->next->key_begin);
	} else if (map->flow && before != n) {
		from = at(e->text, last(before));
	} else if (!map->flow) {
		from = line_begin(e->text, from);
		to = line_end(e->text, to);
	}
	splice(e, from, to, &none);
	return SV_OK;
}

/* Finds as many keys as there are; the number found, *map the innermost, *node the value when all
 * are. */
static size_t walk(const struct sv_yaml *y, const struct edit *e, const struct sv_node **map,
	const struct sv_node **node)
{
	const struct sv_node *n = y->n ? y->docs[0] : NULL;
	size_t i = 0;

	*map = n;
	while (n && i < e->n) {
		*map = n;
		n = sv_node_get(n, e->keys[i]);
		if (n)
			i++;
	}
	*node = n;
	return i;
}

static int change(struct edit *e, const struct sv_yaml *y)
{
	const struct sv_node *map, *node;
	size_t found = walk(y, e, &map, &node);

	if (y->n > 1)
		return sv_err(e->err, SV_CONFIG, "%s: holds more than one document", e->name);
	if (!e->value && found < e->n)
		return sv_err(e->err, SV_NOTFOUND, "%s: %s is not set", e->name, e->keys[e->n - 1]);
	if (!e->value)
		return drop(e, map, node);
	if (found < e->n)
		return insert(e, map, found);
	if (node->type == SV_NODE_MAP)
		return sv_err(e->err, SV_INVALID, "%s:%d: %s is a map", e->name, node->key_line,
			node->key);
	return replace(e, node);
}

/* The value is there now, or is gone; and the text can still be read. */
static int verify(struct edit *e)
{
	const struct sv_node *map, *node = NULL;
	struct sv_error why;
	struct sv_yaml y;
	int ok;

	if (e->out.failed)
		return sv_err(e->err, SV_NOMEM, "out of memory");
	ok = sv_yaml_read(&y, e->name, sv_buf_text(&e->out), e->out.len, &why) == SV_OK;
	if (ok)
		ok = (walk(&y, e, &map, &node) == e->n) == (e->value != NULL);
	sv_yaml_free(&y);
	return ok ? SV_OK
		  : sv_err(e->err, SV_CONFIG,
			    "%s: %s cannot be changed as the file is written; edit it by hand",
			    e->name, e->keys[e->n - 1]);
}

int sv_yaml_edit(struct sv_buf *text, const char *name, const char *const *keys, size_t n,
	const char *value, struct sv_error *err)
{
	struct edit e = {
		.text = text, .name = name, .value = value, .keys = keys, .n = n, .err = err
	};
	struct sv_yaml y;
	int r;

	sv_buf_init(&e.out, SV_MAX_FILE);
	r = sv_yaml_read(&y, name, sv_buf_text(text), text->len, err);
	if (!r)
		r = change(&e, &y);
	sv_yaml_free(&y);
	if (!r)
		r = verify(&e);
	if (!r) {
		sv_buf_reset(text);
		sv_buf_add(text, sv_buf_text(&e.out), e.out.len);
	}
	if (e.out.data)
		explicit_bzero(e.out.data, e.out.cap);
	sv_buf_free(&e.out);
	return r;
}
