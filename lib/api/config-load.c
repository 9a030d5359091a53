/* SPDX-License-Identifier: MIT */
/* File < profile < environment. The only place of the library that reads the environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/kind.h"
#include "model/near.h"
#include "model/yaml.h"

#define FILE_VERSION 1

/* Top keys that the library or a program over it reads. */
static const char *const top_keys[] = {
	"version",
	"current_profile",
	"profiles",
	"defaults",
	"aliases",
	"storages",
};

struct loader {
	struct sv_config *c;
	struct sv_yaml y;
	struct sv_error *err;
	const char *profile; /* chosen */
	const char *chosen_by;
};

const char *sv_config_env(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

static int no_memory(struct sv_error *err)
{
	return sv_err(err, SV_NOMEM, "out of memory");
}

/* Whatever is wrong with a file of ours is a matter of configuration. */
static int as_config(struct sv_error *err, int r)
{
	if (r != SV_INVALID)
		return r;
	if (err) {
		const struct sv_error_row *row = sv_err_of_code(SV_CONFIG);

		err->code = SV_CONFIG;
		snprintf(err->wire, sizeof(err->wire), "%s", row->wire);
	}
	return SV_CONFIG;
}

/* Sets a string row. */
static int put(struct sv_config *c, const char *name, const char *value, const char *origin)
{
	const struct sv_field *f = sv_field_find(sv_kind_config(), name);
	const char *copy = sv_strdup_in(c, value);

	if (!copy)
		return SV_NOMEM;
	memcpy(sv_member(f, c), &copy, sizeof(copy));
	sv_field_mark(f, c);
	return sv_config_from(c, f, "%s", origin);
}

static int warn(struct loader *l, const struct sv_node *n, const char *near)
{
	char text[400];

	if (!strncmp(n->key, "x-", 2))
		return SV_OK;
	snprintf(text, sizeof(text),
		near ? "%s:%d: unknown key %s; did you mean %s?" : "%s:%d: unknown key %s",
		l->y.name, n->key_line, n->key, near);
	return sv_strs_add(l->c, &sv_config_full(l->c)->warnings, text);
}

static int row(struct loader *l, const struct sv_field *f, const struct sv_node *n)
{
	struct sv_node one = *n, map = { .type = SV_NODE_MAP, .child = &one };
	int r;

	one.next = NULL;
	if (f->flags & SV_SECRET) {
		sv_node_err(&l->y, n, l->err,
			"%s does not belong here: keys are kept in credentials.yaml", n->key);
		sv_err_hint(l->err, "remove the line, then svctl login");
		return SV_INVALID;
	}
	if (f->type == SV_STRS)
		*(struct sv_strs *)sv_member(f, l->c) = (struct sv_strs){ 0, NULL };
	r = sv_node_decode(&l->y, &map, sv_kind_config(), l->c, l->c, NULL, l->err);
	return r ? r : sv_config_from(l->c, f, "file %s:%d", l->y.name, n->key_line);
}

static int rows(struct loader *l, const struct sv_node *map)
{
	const struct sv_kind *kind = sv_kind_config();
	int r = SV_OK;

	if (!map || (map->type == SV_NODE_SCALAR && map->plain && !*map->text))
		return SV_OK;
	if (map->type != SV_NODE_MAP)
		return sv_node_err(
			&l->y, map, l->err, "%s: must be a map", map->key ? map->key : "profile");
	for (const struct sv_node *n = map->child; !r && n; n = n->next) {
		const struct sv_field *f = sv_field_find(kind, n->key);

		if (!f || !(f->flags & SV_IN))
			r = warn(l, n, sv_near_field(kind, n->key));
		else
			r = row(l, f, n);
	}
	return r;
}

static const char *near_top(const char *key)
{
	for (size_t i = 0; i < sizeof(top_keys) / sizeof(top_keys[0]); i++)
		if (sv_near(key, top_keys[i]))
			return top_keys[i];
	return NULL;
}

static int top(struct loader *l, const struct sv_node *doc)
{
	const struct sv_node *v = sv_node_get(doc, "version");
	int64_t version = FILE_VERSION;
	int r = SV_OK;

	if (doc->type != SV_NODE_MAP)
		return sv_node_err(&l->y, doc, l->err, "must be a map");
	if (v && (v->type != SV_NODE_SCALAR || sv_parse_int(v->text, &version) || version < 1))
		return sv_node_err(&l->y, v, l->err, "version: must be %d", FILE_VERSION);
	if (version > FILE_VERSION)
		return sv_node_err(&l->y, v, l->err,
			"version %s is newer than this program knows (%d)", v->text, FILE_VERSION);
	for (const struct sv_node *n = doc->child; !r && n; n = n->next) {
		size_t i = 0;

		while (i < sizeof(top_keys) / sizeof(top_keys[0]) &&
			strcmp(n->key, top_keys[i]) != 0)
			i++;
		if (i == sizeof(top_keys) / sizeof(top_keys[0]))
			r = warn(l, n, near_top(n->key));
	}
	return r;
}

static void choose(struct loader *l, const char *asked, const struct sv_node *doc)
{
	const struct sv_node *n = doc ? sv_node_get(doc, "current_profile") : NULL;

	if (asked) {
		l->profile = asked;
		l->chosen_by = "flag";
	} else if ((l->profile = sv_config_env("STARVERSE_PROFILE"))) {
		l->chosen_by = "environment STARVERSE_PROFILE";
	} else if (n && n->type == SV_NODE_SCALAR && *n->text) {
		l->profile = n->text;
		l->chosen_by = "file";
	} else {
		l->profile = "local";
		l->chosen_by = "default";
	}
}

static int from_file(struct loader *l, const char *asked)
{
	const struct sv_node *doc = l->y.n ? l->y.docs[0] : NULL;
	const struct sv_node *profiles = doc ? sv_node_get(doc, "profiles") : NULL, *own = NULL;
	int r = SV_OK;

	if (l->y.n > 1)
		return sv_node_err(&l->y, l->y.docs[1], l->err, "a second document is not read");
	if (doc)
		r = top(l, doc);
	if (r)
		return r;
	if (profiles && profiles->type == SV_NODE_SCALAR && *profiles->text)
		return sv_node_err(&l->y, profiles, l->err, "profiles: must be a map");
	choose(l, asked, doc);
	own = profiles ? sv_node_get(profiles, l->profile) : NULL;
	if (!own && strcmp(l->profile, "local") != 0) {
		/* Who asks for it by name knows that it was him. */
		if (asked)
			sv_err(l->err, SV_CONFIG, "no profile is called \"%s\"", l->profile);
		else
			sv_err(l->err, SV_CONFIG, "no profile is called \"%s\" (chosen by %s)",
				l->profile, l->chosen_by);
		sv_err_hint(l->err, "svctl config list shows what there is");
		return SV_CONFIG;
	}
	r = rows(l, doc ? sv_node_get(doc, "defaults") : NULL);
	if (!r)
		r = rows(l, own);
	return r ? r : put(l->c, "profile", l->profile, l->chosen_by);
}

/* STARVERSE_<ROW>. A key that is set but empty is a mistake that is told when the key is needed. */
static int from_env(struct sv_config *c, struct sv_error *err)
{
	const struct sv_kind *kind = sv_kind_config();
	char name[80];
	int r = SV_OK;

	for (uint32_t i = 0; !r && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		struct sv_error why;
		const char *value;

		if (!(f->flags & SV_IN) || f->type == SV_STRS)
			continue;
		snprintf(name, sizeof(name), "STARVERSE_%s", f->name);
		for (char *p = name; *p; p++)
			if (*p >= 'a' && *p <= 'z')
				*p = (char)(*p - 'a' + 'A');
		value = getenv(name);
		if (!value || (!*value && !(f->flags & SV_SECRET)))
			continue;
		if (f->type == SV_STR)
			r = put(c, f->name, value, "");
		else
			r = sv_field_parse(c, c, f, value, &why);
		if (r == SV_INVALID)
			return sv_err(err, SV_CONFIG, "%s: %s", name, why.message);
		if (!r)
			r = sv_config_from(c, f, "environment %s", name);
	}
	return r;
}

/* The profile's key out of credentials.yaml, where no other way to a key is set. */
static int credentials(struct sv_config *c, struct sv_error *err)
{
	struct sv_yaml y = { .name = NULL };
	struct sv_buf text;
	const struct sv_node *n;
	char origin[600];
	int r;

	if (sv_has(c, api_key) || c->api_key_file || c->api_key_command.n)
		return SV_OK;
	sv_buf_init(&text, SV_MAX_FILE);
	r = sv_file_read(c->credentials_file, 1, &text, err);
	if (r == SV_NOTFOUND) {
		sv_err_clear(err);
		return SV_OK;
	}
	if (!r)
		r = as_config(err,
			sv_yaml_read(&y, c->credentials_file, sv_buf_text(&text), text.len, err));
	n = !r && y.n ? sv_node_get(y.docs[0], "profiles") : NULL;
	n = n ? sv_node_get(n, c->profile) : NULL;
	n = n ? sv_node_get(n, "api_key") : NULL;
	if (n && n->type == SV_NODE_SCALAR && *n->text) {
		snprintf(origin, sizeof(origin), "file %s:%d", c->credentials_file, n->key_line);
		r = put(c, "api_key", n->text, origin);
	}
	if (y.arena)
		sv_arena_secret(y.arena);
	sv_yaml_free(&y);
	if (text.data)
		explicit_bzero(text.data, text.cap);
	sv_buf_free(&text);
	return r;
}

/* XDG: $NAME, absolute; else $HOME and tail. */
static int xdg(struct sv_config *c, const char *row_name, const char *name, const char *tail,
	const char *leaf)
{
	const char *dir = sv_config_env(name), *home = sv_config_env("HOME");
	struct sv_buf b;
	int r = SV_OK;

	if (dir && *dir != '/')
		dir = NULL;
	if (!dir && !home)
		return SV_OK;
	sv_buf_init(&b, 4096);
	if (dir)
		sv_buf_fmt(&b, "%s/%s", dir, leaf);
	else
		sv_buf_fmt(&b, "%s/%s/%s", home, tail, leaf);
	if (!b.failed)
		r = put(c, row_name, b.data, "default");
	sv_buf_free(&b);
	return r;
}

static int join(struct sv_config *c, const char *row_name, const char *dir, const char *leaf)
{
	struct sv_buf b;
	int r;

	sv_buf_init(&b, 4096);
	sv_buf_fmt(&b, "%s/%s", dir, leaf);
	r = b.failed ? SV_NOMEM : put(c, row_name, b.data, "default");
	sv_buf_free(&b);
	return r;
}

/* Places that depend on the user's directories. */
static int places(struct sv_config *c)
{
	const char *runtime = sv_config_env("XDG_RUNTIME_DIR");
	int own_state = c->local_state != NULL, r = SV_OK;

	if (!c->state_dir)
		r = xdg(c, "state_dir", "XDG_STATE_HOME", ".local/state", "starverse");
	if (!r && !c->cache_dir)
		r = xdg(c, "cache_dir", "XDG_CACHE_HOME", ".cache", "starverse");
	if (!r && !c->local_state && c->state_dir)
		r = join(c, "local_state", c->state_dir, "local");
	if (r || c->local_socket)
		return r;
	if (own_state)
		return join(c, "local_socket", c->local_state, "local.sock");
	if (runtime && *runtime == '/' && !access(runtime, W_OK))
		return join(c, "local_socket", runtime, "starverse/local.sock");
	return c->state_dir ? join(c, "local_socket", c->state_dir, "local.sock") : SV_OK;
}

int sv_config_path(const char *path, struct sv_buf *ret, struct sv_error *err)
{
	const char *dir = sv_config_env("XDG_CONFIG_HOME"), *home = sv_config_env("HOME");

	if (!path)
		path = sv_config_env("STARVERSE_CONFIG");
	if (path)
		sv_buf_str(ret, path);
	else if (dir && *dir == '/')
		sv_buf_fmt(ret, "%s/starverse/config.yaml", dir);
	else if (home)
		sv_buf_fmt(ret, "%s/.config/starverse/config.yaml", home);
	else
		return sv_err(err, SV_CONFIG,
			"neither HOME nor STARVERSE_CONFIG says where the configuration is");
	return ret->failed ? no_memory(err) : SV_OK;
}

int sv_credentials_path(const char *config_path, struct sv_buf *ret)
{
	const char *slash = strrchr(config_path, '/');

	if (slash)
		sv_buf_add(ret, config_path, (size_t)(slash - config_path) + 1);
	return sv_buf_str(ret, "credentials.yaml");
}

static int set_paths(struct sv_config *c, const char *path)
{
	struct sv_buf b;
	int r = put(c, "config_file", path, "default");

	sv_buf_init(&b, 4096);
	if (!r)
		r = sv_credentials_path(path, &b);
	if (!r)
		r = put(c, "credentials_file", b.data, "default");
	sv_buf_free(&b);
	return r;
}

static int load(struct loader *l, const char *path, const char *profile, struct sv_buf *text)
{
	struct sv_config *c = l->c;
	int r = set_paths(c, path);

	if (!r)
		r = sv_file_read(path, 0, text, l->err);
	if (r == SV_NOTFOUND)
		r = SV_OK;
	if (!r)
		r = as_config(l->err,
			sv_yaml_read(&l->y, c->config_file, sv_buf_text(text), text->len, l->err));
	if (!r)
		r = as_config(l->err, from_file(l, profile));
	if (!r)
		r = from_env(c, l->err);
	if (!r)
		r = places(c);
	if (!r)
		r = credentials(c, l->err);
	if (r == SV_NOMEM)
		return no_memory(l->err);
	if (r)
		return r;
	sv_config_defaults(c);
	sv_config_full(c)->loaded = *c;
	return SV_OK;
}

int sv_config_load(
	const char *path, const char *profile, struct sv_config **ret, struct sv_error *err)
{
	struct loader l = { .c = sv_config_new(), .err = err };
	struct sv_buf where, text;
	struct sv_error own;
	int r;

	if (!err)
		l.err = &own;
	sv_err_clear(l.err);
	sv_buf_init(&where, 4096);
	sv_buf_init(&text, SV_MAX_FILE);
	r = l.c ? sv_config_path(path, &where, l.err) : no_memory(l.err);
	if (!r)
		r = load(&l, where.data, profile, &text);
	if (l.y.arena)
		sv_yaml_free(&l.y);
	sv_buf_free(&where);
	sv_buf_free(&text);
	if (r) {
		sv_free(l.c);
		return r;
	}
	sv_err_clear(l.err);
	*ret = l.c;
	return SV_OK;
}
