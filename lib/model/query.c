/* SPDX-License-Identifier: MIT */
/* Query strings by rows, in both directions. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"
#include "model/near.h"

static void pair(
	struct sv_buf *b, size_t from, const char *name, const char *key, const char *value)
{
	if (b->len > from)
		sv_buf_chr(b, '&');
	sv_buf_url(b, name);
	if (key) {
		sv_buf_chr(b, '.');
		sv_buf_url(b, key);
	}
	sv_buf_chr(b, '=');
	sv_buf_url(b, value);
}

static int cell(struct sv_buf *b, size_t from, const struct sv_field *f, const void *obj)
{
	size_t n = sv_cell(f, obj, NULL, 0);
	char *text = sv_malloc(n + 1);

	if (!text)
		return SV_NOMEM;
	sv_cell(f, obj, text, n + 1);
	pair(b, from, f->name, NULL, text);
	sv_mfree(text);
	return SV_OK;
}

int sv_write_query(struct sv_buf *b, const struct sv_kind *kind, const void *obj)
{
	size_t from = b->len;
	int r = SV_OK;

	for (uint32_t i = 0; obj && !r && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		const struct sv_strs *s = sv_member(f, obj);
		const struct sv_map *m = sv_member(f, obj);

		if (!sv_field_sent(f, obj, SV_WALK_ALL) || sv_field_is_null(f, obj))
			continue;
		if (f->type == SV_STRS)
			for (size_t k = 0; k < s->n; k++)
				pair(b, from, f->name, NULL, s->v[k]);
		else if (f->type == SV_MAP)
			for (size_t k = 0; k < m->n; k++)
				pair(b, from, f->name, m->keys[k], m->values[k]);
		else
			r = cell(b, from, f, obj);
	}
	return r ? r : b->failed ? SV_NOMEM : SV_OK;
}

static int hex(char c)
{
	if (sv_is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes in place; 0 when an escape is malformed or gives a NUL. */
static int unescape(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		if (*s == '+') {
			*to = ' ';
		} else if (*s == '%') {
			int hi = hex(s[1]), lo = hi < 0 ? -1 : hex(s[2]);

			if (lo < 0 || !(hi << 4 | lo))
				return 0;
			*to = (char)(hi << 4 | lo);
			s += 2;
		} else {
			*to = *s;
		}
	}
	*to = '\0';
	return 1;
}

/* On the wire a size or a duration is a bare number, whatever a person may write for it. */
static int bare(const struct sv_field *f)
{
	return f->type == SV_INT || f->type == SV_GIB || f->type == SV_BYTES ||
	       f->type == SV_SECONDS;
}

static int set_bare(void *obj, const struct sv_field *f, const char *value, struct sv_error *err)
{
	int64_t v;

	if (sv_parse_int(value, &v) || v > SV_MAX_EXACT || v < -SV_MAX_EXACT ||
		(v < 0 && !(f->flags & SV_SIGNED)))
		return sv_err_field(err, f->name, "value", "%s",
			f->flags & SV_SIGNED ? "must be a whole number"
					     : "must be a whole number, not negative");
	*(int64_t *)sv_member(f, obj) = v;
	sv_field_mark(f, obj);
	return SV_OK;
}

static int set(void *obj, const struct sv_field *f, const char *key, const char *value,
	struct sv_error *err)
{
	struct sv_error own;
	int r;

	if (f->type == SV_MAP && key)
		r = sv_map_set(obj, sv_member(f, obj), key, value);
	else if (f->type == SV_STRS)
		r = sv_strs_add(obj, sv_member(f, obj), value);
	else if (f->type != SV_STRS && sv_field_has(f, obj))
		return sv_err_field(err, f->name, "duplicate", "stands twice");
	else if (bare(f))
		return set_bare(obj, f, value, err);
	else
		r = sv_field_parse(obj, obj, f, value, &own);
	if (r == SV_INVALID)
		return sv_err_field(err, f->name, "value", "%s", own.message);
	if (!r)
		sv_field_mark(f, obj);
	return r;
}

static int one(const struct sv_kind *kind, void *obj, char *name, struct sv_error *err)
{
	char *value = strchr(name, '='), *key;
	const struct sv_field *f;
	const char *near;

	if (value)
		*value++ = '\0';
	if (!unescape(name) || (value && !unescape(value)))
		return sv_err(err, SV_INVALID, "query: malformed escape");
	f = sv_field_find(kind, name);
	key = strchr(name, '.');
	if (!f && key) {
		*key++ = '\0';
		f = sv_field_find(kind, name);
	}
	if (f && value && *value)
		return set(obj, f, key, value, err);
	if (f)
		return sv_err_field(err, name, "empty", "must not be empty");
	near = sv_near_field(kind, name);
	return sv_err_field(err, name, "unknown",
		near ? "unknown parameter; did you mean %s?" : "unknown parameter", near);
}

int sv_from_query(const struct sv_kind *kind, const char *query, void **ret, struct sv_error *err)
{
	char *copy = sv_xstrdup(query ? query : ""), *next = copy, *name;
	void *obj = sv_new(kind);
	int r = copy && obj ? SV_OK : SV_NOMEM;

	sv_err_clear(err);
	while (!r && next && (name = strsep(&next, "&")))
		if (*name)
			r = one(kind, obj, name, err);
	sv_mfree(copy);
	if (r) {
		sv_free(obj);
		return r;
	}
	*ret = obj;
	return SV_OK;
}
