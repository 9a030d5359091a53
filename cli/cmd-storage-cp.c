/* SPDX-License-Identifier: MIT */
/* storage cp: files to objects, objects to files, objects to objects. */
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "storage.h"

static int is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* A target that takes several things, or keeps their names. */
static int takes_many(const struct side *s)
{
	if (s->stream)
		return 0;
	return s->name ? !*leaf_of(s->key) : is_directory(s->word) || !*leaf_of(s->word);
}

/* Where below the target something called leaf goes. */
static char *target_of(const struct side *to, const char *leaf)
{
	const char *base = to->name ? to->key : to->word;

	return takes_many(to) ? join_path(base, leaf) : mem_dup(base, strlen(base));
}

/* "corpus" of "corpus/" and of "a/corpus", for what is copied with its name. */
static char *name_of_tree(const char *path)
{
	size_t n = strlen(path), from;

	while (n && path[n - 1] == '/')
		n--;
	for (from = n; from && path[from - 1] != '/'; from--)
		;
	if ((n - from == 1 && path[from] == '.') ||
		(n - from == 2 && !strncmp(path + from, "..", 2)))
		from = n;
	return mem_dup(path + from, n - from);
}

static int up_tree(struct moving *m, const char *dir, struct side *to)
{
	struct tree t;
	int rc = tree_read(m->call->app, dir, &t);

	for (size_t i = 0; !rc && i < t.n; i++) {
		char *path = join_path(dir, t.v[i].path), *key = join_path(to->key, t.v[i].path);

		rc = move_up(m, path, to, key);
		mem_free(path);
		mem_free(key);
	}
	tree_free(&t);
	return rc;
}

/* Objects below a key, one after the other. */
struct below {
	struct moving *m;
	struct side *from, *to;
	size_t skip; /* bytes of the key that are the tree's own */
	size_t n;
};

static int one_below(struct below *b, const char *key)
{
	const char *rel = key + b->skip;
	char *target;
	int rc;

	if (!*rel || rel[strlen(rel) - 1] == '/')
		return 0; /* what marks a directory */
	if (b->to->name) {
		target = join_path(b->to->key, rel);
		rc = move_across(b->m, b->from, key, b->to, target);
		mem_free(target);
		return rc;
	}
	if (!tree_safe(rel)) {
		b->m->failed++;
		b->m->status = fail_text(b->m->call->app, 1,
			_("%s:/%s: no file can be called so: left out"), b->from->name, key);
		return 0;
	}
	target = join_path(b->to->word, rel);
	rc = move_down(b->m, b->from, key, target);
	mem_free(target);
	return rc;
}

static int page_below(void *data, const struct sv_bucket_object *const *v, size_t n)
{
	struct below *b = data;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		b->n++;
		rc = one_below(b, v[i]->key);
	}
	return rc;
}

/* *n: how many objects lie there. */
static int from_tree(struct moving *m, struct side *from, struct side *to, size_t *n)
{
	char *prefix = below_key(from->key);
	struct below b = { .m = m, .from = from, .to = to, .skip = strlen(prefix) };
	int rc = each_object(m->call, from, prefix, NULL, page_below, &b);

	*n = b.n;
	mem_free(prefix);
	return rc;
}

/* A tree goes below the target where that is there already, or takes several. */
static int tree_side(struct side *from, const struct side *to, int many, struct side *ret)
{
	char *leaf = name_of_tree(from->name ? from->key : from->word);
	char *path = many || (!to->name && is_directory(to->word))
			     ? join_path(to->name ? to->key : to->word, leaf)
			     : mem_dup(to->name ? to->key : to->word,
				       strlen(to->name ? to->key : to->word));

	*ret = *to;
	if (to->name)
		ret->key = path;
	else
		ret->word = path;
	mem_free(leaf);
	return 0;
}

static int copy_tree(struct moving *m, struct side *from, struct side *to, int many, size_t *n)
{
	struct side below;
	int rc;

	tree_side(from, to, many, &below);
	rc = from->name ? from_tree(m, from, &below, n) : up_tree(m, from->word, &below);
	mem_free((void *)(uintptr_t)(to->name ? below.key : below.word));
	return rc;
}

static int copy_plain(struct moving *m, struct side *from, struct side *to)
{
	char *target;
	int rc;

	target = to->stream ? mem_dup("-", 1)
			    : target_of(to, leaf_of(from->name ? from->key : from->word));
	if (!from->name)
		rc = move_up(m, from->word, to, target);
	else if (to->name)
		rc = move_across(m, from, from->key, to, target);
	else
		rc = move_down(m, from, from->key, target);
	mem_free(target);
	return rc;
}

/* With -r, too, a single file or object is copied as one. */
static int copy_one(struct moving *m, struct side *from, struct side *to, int many)
{
	size_t n = 1;
	int rc;

	if (from->stream || (!from->name && !is_directory(from->word)) ||
		(from->name && !opt_on(m->call, OPT_RECURSIVE)))
		return copy_plain(m, from, to);
	rc = copy_tree(m, from, to, many, &n);
	if (rc || n)
		return rc;
	return *leaf_of(from->key) ? copy_plain(m, from, to) : moving_missing(m, from->word);
}

static int check_source(struct call *call, const struct side *s, const struct side *to)
{
	if (!s->name && !to->name)
		return usage_error(call, _("one side must be in a storage: NAME:/PATH"));
	if (s->stream && !*leaf_of(to->key))
		return usage_error(call, _("what stdin holds needs a name: %sNAME"), to->word);
	if (s->name && !opt_on(call, OPT_RECURSIVE) && !*leaf_of(s->key))
		return usage_error(
			call, _("%s holds many objects: --recursive copies them"), s->word);
	if (to->stream && (opt_on(call, OPT_RECURSIVE) || !s->name))
		return usage_error(call, _("only one object goes to stdout"));
	return 0;
}

static int check(struct call *call, const struct side *sides, size_t n)
{
	const struct side *to = &sides[n - 1];
	int rc = 0;

	if (n > 2 && (to->stream || !takes_many(to)))
		return usage_error(
			call, _("%s takes one thing; a slash at its end takes several"), to->word);
	for (size_t i = 0; !rc && i + 1 < n; i++)
		rc = check_source(call, &sides[i], to);
	return rc;
}

static int copy_all(struct call *call, struct moving *m, struct side *sides, size_t n)
{
	struct side *to = &sides[n - 1];
	struct hold hold = { 0 };
	int rc = 0, many = n > 2 || (to->name && *to->key && !*leaf_of(to->key));

	for (size_t i = 0; !rc && i < n; i++)
		if (sides[i].name)
			rc = side_open(call, &sides[i]);
	hold_begin(call->app, &hold);
	for (size_t i = 0; !rc && i + 1 < n; i++)
		rc = copy_one(m, &sides[i], to, many);
	if (rc >= 128)
		moving_stopped(m);
	hold_end(call->app, &hold);
	return rc;
}

int cmd_storage_cp(struct call *call)
{
	size_t n = call->plain.n;
	struct side *sides;
	struct moving m;
	int rc;

	if (n < 2)
		return usage_error(call, _("copy what, and where to?"));
	sides = mem_new(n, sizeof(*sides));
	for (size_t i = 0; i < n; i++)
		side_read(&sides[i], call->plain.v[i]);
	rc = check(call, sides, n);
	if (!rc)
		rc = moving_begin(&m, call);
	if (!rc)
		rc = moving_end(&m, copy_all(call, &m, sides, n));
	for (size_t i = 0; i < n; i++)
		side_free(&sides[i]);
	mem_free(sides);
	return rc;
}
