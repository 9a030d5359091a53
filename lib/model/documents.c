/* SPDX-License-Identifier: MIT */
/* A file of documents -> bodies to create. All are read and checked before the first is given. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/kind.h"
#include "model/near.h"
#include "model/yaml.h"

static const char kind_key[] = "kind";

/* The resource that a document names, or NULL with *err filled. */
static const struct sv_kind *kind_of(
	const struct sv_yaml *y, const struct sv_node *doc, struct sv_error *err)
{
	const struct sv_node *n = sv_node_get(doc, kind_key);
	const struct sv_kind *kind;
	const char *near = NULL;

	if (doc->type != SV_NODE_MAP) {
		sv_node_err(y, doc, err, "a document must be a map");
		return NULL;
	}
	if (!n || n->type != SV_NODE_SCALAR || !*n->text) {
		sv_node_err(y, n ? n : doc, err, "kind: is required; such as kind: disk");
		return NULL;
	}
	kind = sv_kind_find(n->text);
	for (size_t i = 0; !kind && !near && sv_kinds(i); i++)
		if (sv_near(n->text, sv_kinds(i)->name))
			near = sv_kinds(i)->name;
	if (!kind || !sv_creates(kind)) {
		sv_node_err(y, n, err,
			kind   ? "kind: \"%.60s\": cannot be created"
			: near ? "kind: \"%.60s\": there is no such resource; did you mean %s"
			       : "kind: \"%.60s\": there is no such resource",
			n->text, near);
		return NULL;
	}
	return kind;
}

const struct sv_kind *sv_creates(const struct sv_kind *resource)
{
	const struct sv_verb *v = sv_verb_find(resource, "create");

	return v ? v->in : NULL;
}

/* The first refused field, at its place. */
static int refused(const struct sv_yaml *y, const struct sv_node *doc, struct sv_error *err)
{
	const struct sv_field_error first = err->errors[0];
	const struct sv_node *at = doc;
	char part[96];

	if (!err->n_errors)
		return err->code;
	for (const char *p = first.field; *p;) {
		size_t len = strcspn(p, ".[");
		const struct sv_node *n;

		snprintf(part, sizeof(part), "%.*s", (int)len, p);
		n = sv_node_get(at, part);
		if (!n || p[len] != '.') {
			at = n ? n : at;
			break;
		}
		at = n;
		p += len + 1;
	}
	return sv_node_err(y, at, err, "%s: %s", first.field, first.message);
}

static int read_one(const struct sv_yaml *y, const struct sv_node *doc, const struct sv_kind **kind,
	void **body, struct sv_error *err)
{
	const struct sv_kind *in;
	int r;

	*kind = kind_of(y, doc, err);
	if (!*kind)
		return err->code;
	in = sv_creates(*kind);
	*body = sv_new(in);
	if (!*body)
		return sv_err(err, SV_NOMEM, "out of memory");
	r = sv_node_decode(y, doc, in, *body, *body, kind_key, err);
	if (!r && sv_check(in, *body, SV_WALK_CREATE, err))
		r = refused(y, doc, err);
	return r;
}

int sv_read_documents(const char *name, const char *text, size_t len,
	int (*fn)(void *data, const struct sv_kind *kind, void *body, int line), void *data,
	struct sv_error *err)
{
	const struct sv_kind **kinds = NULL;
	struct sv_yaml y;
	void **bodies = NULL;
	size_t given = 0;
	int r = sv_yaml_read(&y, name, text, len, err);

	if (!r && y.n) {
		kinds = sv_arena_alloc(y.arena, y.n * sizeof(void *));
		bodies = sv_arena_alloc(y.arena, y.n * sizeof(void *));
		r = kinds && bodies ? SV_OK : sv_err(err, SV_NOMEM, "out of memory");
	}
	for (size_t i = 0; !r && i < y.n; i++)
		r = read_one(&y, y.docs[i], &kinds[i], &bodies[i], err);
	while (!r && given < y.n) {
		r = fn(data, kinds[given], bodies[given], y.docs[given]->line);
		given++;
	}
	for (size_t i = given; bodies && i < y.n; i++)
		sv_free(bodies[i]);
	sv_yaml_free(&y);
	return r;
}
