/* SPDX-License-Identifier: MIT */
/* Whether a body may be sent: required fields, read-only ones, words, and the kind's own rules. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/limits.h"
#include "model/kind.h"
#include "model/near.h"

struct checker {
	struct sv_error *err;
	int mode;
};

static void refuse(struct checker *c, const char *path, const char *code, const char *what)
{
	sv_err_field(c->err, path, code, "%s", what);
}

static void words(struct checker *c, const struct sv_field *f, const char *word, const char *path)
{
	char what[256], all[240] = "";
	const char *near;
	size_t at = 0;

	if (!word || sv_word_known(f->words, word))
		return;
	near = sv_near_word(f->words, word);
	if (near) {
		snprintf(what, sizeof(what), "unknown word; did you mean %s?", near);
	} else {
		for (const struct sv_word *w = f->words; w->word && at < sizeof(all); w++)
			at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s", at ? " " : "",
				w->word);
		snprintf(what, sizeof(what), "must be one of %s", all);
	}
	refuse(c, path, "word", what);
}

static void object(struct checker *c, const struct sv_kind *kind, const void *obj,
	const char *prefix, int depth);

static void value(
	struct checker *c, const struct sv_field *f, const void *obj, const char *path, int depth)
{
	const void *m = sv_member(f, obj);
	const struct sv_list *l = m;
	char sub[224];

	if (f->words && f->type == SV_STR)
		words(c, f, *(const char *const *)m, path);
	if (f->words && f->type == SV_STRS)
		for (size_t i = 0; i < ((const struct sv_strs *)m)->n; i++)
			words(c, f, ((const struct sv_strs *)m)->v[i], path);
	if (f->type == SV_OBJ && *(void *const *)m)
		object(c, f->kind, *(void *const *)m, path, depth + 1);
	for (size_t i = 0; f->type == SV_LIST && i < l->n; i++) {
		snprintf(sub, sizeof(sub), "%s[%zu]", path, i);
		object(c, f->kind, l->v[i], sub, depth + 1);
	}
}

static void field(
	struct checker *c, const struct sv_field *f, const void *obj, const char *path, int depth)
{
	int present = sv_field_has(f, obj) || sv_field_nonzero(f, obj);
	int update = c->mode == SV_WALK_UPDATE && !depth;
	int allowed = depth || (f->flags & (update ? SV_UPDATE : SV_CREATE));
	int required = (f->flags & SV_REQUIRED) && allowed && (present || !update);

	if (present && !allowed)
		refuse(c, path, "read_only", "cannot be set");
	else if (required && (!present || sv_field_is_null(f, obj)))
		refuse(c, path, "required", update ? "cannot be null" : "is required");
	else if (required && f->type == SV_STR && !(*(const char *const *)sv_member(f, obj))[0])
		refuse(c, path, "empty", "must not be empty");
	else if (present && !sv_field_is_null(f, obj))
		value(c, f, obj, path, depth);
}

/* A kind's own rules speak of its own fields; below the top the path goes before them. */
static void rules(
	struct checker *c, const struct sv_kind *kind, const void *obj, const char *prefix)
{
	struct sv_error own;
	char path[300];

	sv_err_clear(&own);
	if (!kind->check || kind->check(obj, &own) == SV_OK)
		return;
	for (size_t i = 0; i < own.n_errors; i++) {
		snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "",
			own.errors[i].field);
		refuse(c, path, own.errors[i].code, own.errors[i].message);
	}
	if (!own.n_errors)
		refuse(c, *prefix ? prefix : "body", "invalid", own.message);
}

static void object(struct checker *c, const struct sv_kind *kind, const void *obj,
	const char *prefix, int depth)
{
	char path[200];

	if (depth >= SV_MAX_DEPTH)
		return;
	for (uint32_t i = 0; i < kind->n; i++) {
		snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "",
			kind->fields[i].name);
		field(c, &kind->fields[i], obj, path, depth);
	}
	rules(c, kind, obj, prefix);
}

int sv_check(const struct sv_kind *kind, const void *obj, int mode, struct sv_error *err)
{
	struct sv_error own;
	struct checker c = { err ? err : &own, mode };

	sv_err_clear(c.err);
	object(&c, kind, obj, "", 0);
	return c.err->code;
}
