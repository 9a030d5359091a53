/* SPDX-License-Identifier: MIT */
/* Text as people write it -> field: options, environment, YAML scalars, query strings. */
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

struct target {
	void *root, *obj;
	const struct sv_field *f;
	struct sv_error *err;
};

static int refuse(const struct target *t, const char *code, const char *what)
{
	return sv_err_field(t->err, t->f->name, code, "%s", what);
}

/* What a number parser found, in the field's words. */
static int bounded(const struct target *t, int parsed, int64_t v, int64_t most,
	const char *expected, int64_t *ret)
{
	char what[160];

	if (parsed == SV_INVALID) {
		snprintf(what, sizeof(what), "must be %s", expected);
		return refuse(t, "value", what);
	}
	if (parsed || v > most || v < -most) {
		snprintf(what, sizeof(what), "is out of range: at most %lld", (long long)most);
		return refuse(t, "range", what);
	}
	if (v < 0 && !(t->f->flags & SV_SIGNED))
		return refuse(t, "range", "must not be negative");
	*ret = v;
	return SV_OK;
}

static int parse_gib(const struct target *t, const char *text, int64_t *m)
{
	int64_t bytes = 0;
	int r = sv_parse_bytes(*text == '-' ? text + 1 : text, INT64_C(1) << 30, &bytes);

	if (!r && *text == '-')
		return refuse(t, "range", "must not be negative");
	if (!r && bytes % (INT64_C(1) << 30))
		return refuse(t, "value", "must be whole GiB");
	return bounded(t, r, bytes >> 30, SV_MAX_EXACT, "a size such as 40GiB or 1.5TiB", m);
}

static int parse_seconds(const struct target *t, const char *text, int64_t *m)
{
	int64_t v = 0;
	int r = sv_parse_duration(text, &v);

	if (r == SV_INVALID && sv_parse_int(text, &v) == SV_OK)
		return refuse(t, "value",
			v < 0 ? "must not be negative"
			      : "needs a unit, such as 90s, 30m, 2h or 7d");
	return bounded(t, r, v, SV_MAX_EXACT, "a duration such as 90s, 30m, 2h or 7d", m);
}

static int parse_when(const struct target *t, const char *text, int64_t *m)
{
	int r = sv_parse_when(text, sv_now(), m);

	if (r == SV_NOMEM)
		return refuse(t, "range", "is out of range: years 1970 to 9999");
	return r ? refuse(t, "value", "must be a time such as 23:30, +7d or 2026-12-31T08:00:00Z")
		 : SV_OK;
}

static int parse_bool(const struct target *t, const char *text, int *m)
{
	static const char *const yes[] = { "true", "yes", "on", "1" }, *const no[] = { "false",
		"no", "off", "0" };

	for (size_t i = 0; i < 4; i++)
		if (!strcmp(text, yes[i]) || !strcmp(text, no[i])) {
			*m = !strcmp(text, yes[i]);
			return SV_OK;
		}
	return refuse(t, "value", "must be true or false");
}

static int parse_str(const struct target *t, const char *text, const char **m)
{
	if (!sv_utf8_valid(text, strlen(text)))
		return refuse(t, "value", "must be UTF-8");
	if (t->f->flags & SV_SECRET)
		sv_arena_secret(sv_root_arena(t->root));
	*m = sv_strdup_in(t->root, text);
	return *m ? SV_OK : SV_NOMEM;
}

/* "a,b\,c" -> a and "b,c". */
static int parse_strs(const struct target *t, const char *text, struct sv_strs *m)
{
	struct sv_buf b;
	int r = SV_OK;

	sv_buf_init(&b, SV_MAX_BODY);
	for (;; text++) {
		if (*text == '\\' && text[1] == ',') {
			sv_buf_chr(&b, *++text);
		} else if (*text && *text != ',') {
			sv_buf_chr(&b, *text);
		} else {
			if (!b.len)
				r = refuse(t, "empty", "has an empty element");
			if (!r)
				r = b.failed ? SV_NOMEM : sv_strs_add(t->root, m, sv_buf_text(&b));
			sv_buf_reset(&b);
			if (r || !*text)
				break;
		}
	}
	sv_buf_free(&b);
	return r;
}

static int parse_map(const struct target *t, const char *text, struct sv_map *m)
{
	const char *eq = strchr(text, '=');
	char *key;
	int r;

	if (!eq || eq == text)
		return refuse(t, "value", "must be KEY=VALUE");
	key = sv_arena_strndup(sv_root_arena(t->root), text, (size_t)(eq - text));
	if (!key)
		return SV_NOMEM;
	r = sv_utf8_valid(text, strlen(text)) ? sv_map_set(t->root, m, key, eq + 1)
					      : refuse(t, "value", "must be UTF-8");
	return r;
}

static int parse_tree(
	const struct target *t, const char *text, const struct sv_kind *kind, void **ret)
{
	struct sv_error why;
	cJSON *tree = sv_json_parse(text, strlen(text), &why);
	void *sub = NULL;
	int r;

	if (!tree)
		return refuse(t, "value", why.message);
	sub = sv_new_in(t->root, kind);
	r = sub ? sv_decode(kind, tree, t->root, sub, SV_DECODE_BODY, &why) : SV_NOMEM;
	sv_json_free(tree);
	if (r)
		return r == SV_INVALID ? refuse(t, "value", why.message) : r;
	*ret = sub;
	return SV_OK;
}

static int parse_json(const struct target *t, const char *text, const char **m)
{
	struct sv_error why;
	cJSON *tree = sv_json_parse(text, strlen(text), &why);
	struct sv_buf b;
	int r;

	if (!tree)
		return refuse(t, "value", why.message);
	sv_buf_init(&b, SV_MAX_BODY);
	r = sv_write_tree(&b, tree);
	sv_json_free(tree);
	if (!r) {
		*m = sv_strdup_in(t->root, sv_buf_text(&b));
		r = *m ? SV_OK : SV_NOMEM;
	}
	sv_buf_free(&b);
	return r;
}

/* The two plain words of a pair's kind. */
static int pair_rows(
	const struct sv_kind *kind, const struct sv_field **thing, const struct sv_field **path)
{
	const struct sv_field *rows[2] = { NULL, NULL };
	size_t n = 0;

	for (uint32_t i = 0; i < kind->n && n < 2; i++)
		if (kind->fields[i].flags & SV_POSITIONAL)
			rows[n++] = &kind->fields[i];
	*thing = rows[0];
	*path = rows[1];
	return n == 2;
}

static int pair_put(
	const struct target *t, void *sub, const struct sv_field *f, const char *text, size_t len)
{
	char *copy = sv_arena_strndup(sv_root_arena(t->root), text, len);

	if (!copy)
		return SV_NOMEM;
	if (!len)
		return refuse(t, "empty", "must be THING:PATH");
	*(const char **)sv_member(f, sub) = copy;
	sv_field_mark(f, sub);
	return SV_OK;
}

/* "THING:PATH", "PATH:THING" (a path begins with '/'), "THING:PATH:ro". */
static int parse_pair(const struct target *t, const char *text, void **ret)
{
	const struct sv_field *thing, *path, *ro = sv_field_find(t->f->kind, "read_only");
	const char *end = text + strlen(text), *colon;
	void *sub;
	int r;

	if (!pair_rows(t->f->kind, &thing, &path))
		return refuse(t, "value", "must be a JSON object");
	sub = sv_new_in(t->root, t->f->kind);
	if (!sub)
		return SV_NOMEM;
	if (ro && end - text > 3 && (!strcmp(end - 3, ":ro") || !strcmp(end - 3, ":rw"))) {
		*(int *)sv_member(ro, sub) = end[-1] == 'o';
		sv_field_mark(ro, sub);
		end -= 3;
	}
	colon = *text == '/' ? memrchr(text, ':', (size_t)(end - text)) : strstr(text, ":/");
	if (!colon || colon >= end)
		return refuse(t, "value", "must be THING:PATH with an absolute path");
	r = pair_put(t, sub, *text == '/' ? path : thing, text, (size_t)(colon - text));
	if (!r)
		r = pair_put(
			t, sub, *text == '/' ? thing : path, colon + 1, (size_t)(end - colon - 1));
	if (!r)
		*ret = sub;
	return r;
}

/* "50%" and "50" are the same. */
static int parse_percent(const struct target *t, const char *text, int64_t *m)
{
	size_t len = strlen(text);
	char number[32];
	int64_t v = 0;
	int r = SV_INVALID;

	len -= len && text[len - 1] == '%';
	if (len < sizeof(number)) {
		snprintf(number, sizeof(number), "%.*s", (int)len, text);
		r = sv_parse_money(number, &v);
	}
	return bounded(
		t, r, v, INT64_MAX - 1, "a percentage such as 62.5%, with at most 6 places", m);
}

/* An object is written as JSON; one of a thing and a path also as such a pair. */
static int parse_object(const struct target *t, const char *text, void **ret)
{
	const struct sv_field *thing, *path;

	return *text != '{' && pair_rows(t->f->kind, &thing, &path)
		       ? parse_pair(t, text, ret)
		       : parse_tree(t, text, t->f->kind, ret);
}

static int parse_element(const struct target *t, const char *text, struct sv_list *m)
{
	void *sub = NULL;
	int r = *text == '{' ? parse_tree(t, text, t->f->kind, &sub) : parse_pair(t, text, &sub);

	return r ? r : sv_list_add(t->root, m, sub);
}

static int parse(const struct target *t, const char *text)
{
	void *m = sv_member(t->f, t->obj);
	int64_t v = 0;
	int r;

	switch ((enum sv_type)t->f->type) {
	case SV_STR: return parse_str(t, text, m);
	case SV_JSON: return parse_json(t, text, m);
	case SV_BOOL: return parse_bool(t, text, m);
	case SV_INT:
		r = sv_parse_int(text, &v);
		return bounded(t, r, v, SV_MAX_EXACT, "an integer", m);
	case SV_GIB: return parse_gib(t, text, m);
	case SV_BYTES:
		r = sv_parse_bytes(text, 1, &v);
		return bounded(t, r, v, SV_MAX_EXACT, "a size such as 512MiB", m);
	case SV_SECONDS: return parse_seconds(t, text, m);
	case SV_NUM: return sv_parse_num(text, m) ? refuse(t, "value", "must be a number") : SV_OK;
	case SV_TIME: return parse_when(t, text, m);
	case SV_MONEY:
		r = sv_parse_money(text, &v);
		return bounded(t, r, v, INT64_MAX - 1,
			"an amount such as 12.50, with at most 6 places", m);
	case SV_PERCENT: return parse_percent(t, text, m);
	case SV_STRS: return parse_strs(t, text, m);
	case SV_MAP: return parse_map(t, text, m);
	case SV_OBJ: return parse_object(t, text, m);
	case SV_LIST: return parse_element(t, text, m);
	}
	return SV_INVALID;
}

int sv_field_parse(
	void *root, void *obj, const struct sv_field *field, const char *text, struct sv_error *err)
{
	struct target t = { root, obj, field, err };
	int r;

	sv_err_clear(err);
	r = parse(&t, text);
	if (r == SV_NOMEM)
		return sv_err(err, SV_NOMEM, "out of memory");
	if (!r)
		sv_field_mark(field, obj);
	return r;
}
