/* SPDX-License-Identifier: MIT */
/* Setting and reading single keys of the files. */
#include <stdio.h>
#include <string.h>

#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"
#include "model/near.h"
#include "model/yaml.h"
#include "net/endpoint.h"
#include "net/secret.h"

#define MOST_KEYS 8

/* A dotted key, taken apart. Names of profiles and aliases may hold dots themselves. */
struct key {
	char text[512];
	const char *part[MOST_KEYS];
	size_t n;
};

static int bad_key(const char *key, struct sv_error *err)
{
	return sv_err_field(err, "key", "value", "\"%s\" is no key of the configuration", key);
}

static int take_apart(const char *key, struct key *k, struct sv_error *err)
{
	char *p = k->text, *dot;
	int aliases = !strncmp(key, "aliases.", 8), profiles = !strncmp(key, "profiles.", 9);

	if (!*key || strlen(key) >= sizeof(k->text))
		return bad_key(key, err);
	memcpy(k->text, key, strlen(key) + 1);
	k->n = 0;
	while (k->n < MOST_KEYS) {
		dot = strchr(p, '.');
		if ((aliases && k->n == 1) || (profiles && k->n == 2))
			dot = NULL;
		if (profiles && k->n == 1)
			dot = strrchr(p, '.');
		if (dot)
			*dot = '\0';
		if (!*p)
			return bad_key(key, err);
		k->part[k->n++] = p;
		if (!dot)
			return SV_OK;
		p = dot + 1;
	}
	return bad_key(key, err);
}

/* The row that a key stands for, or NULL where it is none's. */
static int row_of(const struct key *k, const struct sv_field **ret, struct sv_error *err)
{
	const struct sv_kind *kind = sv_kind_config();
	const char *name = NULL, *near;
	const struct sv_field *f;

	*ret = NULL;
	if (k->n == 3 && !strcmp(k->part[0], "profiles"))
		name = k->part[2];
	else if (k->n == 2 && !strcmp(k->part[0], "defaults"))
		name = k->part[1];
	if (!name)
		return SV_OK;
	f = sv_field_find(kind, name);
	if (f && f->flags & SV_SECRET) {
		sv_err(err, SV_INVALID, "%s is not kept in this file", name);
		sv_err_hint(err, "svctl login --api-key-file FILE");
		return SV_INVALID;
	}
	near = f ? NULL : sv_near_field(kind, name);
	if (!f || !(f->flags & SV_IN))
		return sv_err_field(err, name, "unknown",
			near ? "unknown setting; did you mean %s?" : "unknown setting", near);
	*ret = f;
	return SV_OK;
}

/* value as YAML, checked by its row. */
static int as_yaml(
	const struct sv_field *f, const char *value, struct sv_buf *b, struct sv_error *err)
{
	struct sv_config *c = f ? sv_config_new() : NULL;
	const struct sv_strs *list;
	int r = f ? c ? sv_field_parse(c, c, f, value, err) : SV_NOMEM : SV_OK;

	if (!r && f)
		r = sv_config_check(c, err) ? SV_INVALID : SV_OK;
	if (!r && f && f->type == SV_STRS) {
		list = sv_member(f, c);
		for (size_t i = 0; i < list->n; i++) {
			sv_buf_str(b, i ? ", " : "[");
			sv_yaml_scalar(b, list->v[i]);
		}
		sv_buf_chr(b, ']');
	} else if (!r) {
		sv_yaml_scalar(b, value);
	}
	sv_free(c);
	if (r == SV_INVALID && err)
		err->code = SV_INVALID;
	return r;
}

struct setting {
	const struct key *key;
	const char *name, *value;
};

static int has_profile(
	const struct sv_buf *text, const char *file, const char *profile, struct sv_error *err)
{
	const struct sv_node *n;
	struct sv_yaml y;
	int r = sv_yaml_read(&y, file, sv_buf_text(text), text->len, err);

	n = !r && y.n ? sv_node_get(y.docs[0], "profiles") : NULL;
	if (!r && strcmp(profile, "local") != 0 && !(n && sv_node_get(n, profile)))
		r = sv_err_field(
			err, "current_profile", "unknown", "no profile is called \"%s\"", profile);
	sv_yaml_free(&y);
	return r;
}

static int set_one(void *data, struct sv_buf *text, struct sv_error *err)
{
	const struct setting *s = data;
	int r = SV_OK;

	if (s->value && s->key->n == 1 && !strcmp(s->key->part[0], "current_profile"))
		r = has_profile(text, s->name, s->value, err);
	return r ? r : sv_yaml_edit(text, s->name, s->key->part, s->key->n, s->value, err);
}

int sv_config_set(const char *path, const char *key, const char *value, struct sv_error *err)
{
	const struct sv_field *f = NULL;
	struct sv_buf where, yaml;
	struct setting s;
	struct key k;
	int r;

	sv_err_clear(err);
	sv_buf_init(&where, 4096);
	sv_buf_init(&yaml, SV_MAX_FILE);
	r = sv_config_path(path, &where, err);
	if (!r)
		r = take_apart(key, &k, err);
	if (!r && value)
		r = row_of(&k, &f, err);
	if (!r && value && !f && (k.n == 1 || k.n == 2) && !strcmp(k.part[0], "profiles"))
		r = bad_key(key, err);
	if (!r && value && k.n == 1 && !strcmp(k.part[0], "current_profile"))
		sv_yaml_scalar(&yaml, value);
	else if (!r && value)
		r = as_yaml(f, value, &yaml, err);
	if (!r) {
		s = (struct setting){ &k, where.data, value ? sv_buf_text(&yaml) : NULL };
		r = sv_file_edit(where.data, 0, set_one, &s, err);
	}
	sv_buf_free(&where);
	sv_buf_free(&yaml);
	return r;
}

int sv_credentials_set(const char *path, const char *profile, const char *key, struct sv_error *err)
{
	char clean[SV_MAX_KEY + 1];
	struct key k = { .part = { "profiles", profile, "api_key" }, .n = key ? 3 : 2 };
	struct sv_buf where, file, yaml;
	struct setting s;
	int r;

	sv_err_clear(err);
	if (!profile || !*profile)
		return sv_err_field(err, "profile", "required", "must not be empty");
	sv_buf_init(&where, 4096);
	sv_buf_init(&file, 4096);
	sv_buf_init(&yaml, SV_MAX_KEY * 2 + 8);
	r = sv_config_path(path, &where, err);
	if (!r)
		r = sv_credentials_path(where.data, &file);
	if (!r && key)
		r = sv_secret_clean(key, strlen(key), "the new key", clean, err);
	if (!r && key)
		sv_buf_json(&yaml, clean, strlen(clean));
	if (!r) {
		s = (struct setting){ &k, file.data, key ? sv_buf_text(&yaml) : NULL };
		r = sv_file_edit(file.data, 0600, set_one, &s, err);
	}
	explicit_bzero(clean, sizeof(clean));
	if (yaml.data)
		explicit_bzero(yaml.data, yaml.cap);
	sv_buf_free(&where);
	sv_buf_free(&file);
	sv_buf_free(&yaml);
	return r;
}

/* A plain scalar that JSON would read the same way stays as it is. */
static void scalar(struct sv_buf *b, const struct sv_node *n)
{
	int64_t v;

	if (n->plain && !*n->text)
		sv_buf_str(b, "null");
	else if (n->plain && (!strcmp(n->text, "true") || !strcmp(n->text, "false") ||
				     !strcmp(n->text, "null")))
		sv_buf_str(b, n->text);
	else if (n->plain && !sv_parse_int(n->text, &v) && v > -SV_MAX_EXACT && v < SV_MAX_EXACT)
		sv_buf_fmt(b, "%lld", (long long)v);
	else
		sv_buf_json(b, n->text, strlen(n->text));
}

static void as_json(struct sv_buf *b, const struct sv_node *n)
{
	if (n->type == SV_NODE_SCALAR) {
		scalar(b, n);
		return;
	}
	sv_buf_chr(b, n->type == SV_NODE_MAP ? '{' : '[');
	for (const struct sv_node *c = n->child; c; c = c->next) {
		if (c != n->child)
			sv_buf_chr(b, ',');
		if (n->type == SV_NODE_MAP) {
			sv_buf_json(b, c->key, strlen(c->key));
			sv_buf_chr(b, ':');
		}
		as_json(b, c);
	}
	sv_buf_chr(b, n->type == SV_NODE_MAP ? '}' : ']');
}

static int find(const struct sv_yaml *y, const struct key *k, char **ret)
{
	const struct sv_node *n = y->n ? y->docs[0] : NULL;
	struct sv_buf b;

	for (size_t i = 0; n && i < k->n; i++)
		n = sv_node_get(n, k->part[i]);
	if (!n)
		return SV_NOTFOUND;
	sv_buf_init(&b, SV_MAX_TEXT);
	as_json(&b, n);
	*ret = sv_buf_take(&b);
	return *ret ? SV_OK : SV_NOMEM;
}

int sv_config_read(const char *path, const char *key, char **ret, struct sv_error *err)
{
	struct sv_yaml y = { .name = NULL };
	struct sv_buf where, text;
	struct key k = { .n = 0 };
	int r;

	sv_err_clear(err);
	sv_buf_init(&where, 4096);
	sv_buf_init(&text, SV_MAX_FILE);
	r = sv_config_path(path, &where, err);
	if (!r && key)
		r = take_apart(key, &k, err);
	if (!r)
		r = sv_file_read(where.data, 0, &text, err);
	if (!r)
		r = sv_yaml_read(&y, where.data, sv_buf_text(&text), text.len, err);
	if (!r)
		r = find(&y, &k, ret);
	if (r == SV_NOTFOUND)
		sv_err(err, SV_NOTFOUND, key ? "%s: %s is not set" : "%s: holds nothing",
			sv_buf_text(&where), key);
	if (y.arena)
		sv_yaml_free(&y);
	sv_buf_free(&where);
	sv_buf_free(&text);
	return r;
}
