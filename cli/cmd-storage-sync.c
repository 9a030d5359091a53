/* SPDX-License-Identifier: MIT */
/* storage sync: both sides are walked in the order of keys, and only what differs is moved. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "progress.h"
#include "storage.h"

struct syncing {
	struct moving m;
	struct side *side; /* the storage's */
	const char *dir;
	char *prefix;
	struct tree tree;
	size_t at; /* next file of the tree */
	int up, checksum, prune;
	struct words gone; /* what the source lacks: keys, or paths here */
};

/* A signal is taken at once, whatever is to be looked at still. */
static int stopped(void)
{
	return hold_signal() ? 128 + hold_signal() : 0;
}

static char *path_of(const struct syncing *s, const char *rel)
{
	return join_path(s->dir, rel);
}

static int send(struct syncing *s, const struct tree_file *f)
{
	char *path = path_of(s, f->path), *key = join_path(s->prefix, f->path);
	int rc = move_up(&s->m, path, s->side, key);

	mem_free(path);
	mem_free(key);
	return rc;
}

static int fetch(struct syncing *s, const char *key, const char *rel)
{
	char *path = path_of(s, rel);
	int rc = move_down(&s->m, s->side, key, path);

	mem_free(path);
	return rc;
}

/* Both sides have it. Times decide only where they are clear: in the same second contents do. */
static int differs(struct syncing *s, const struct tree_file *f, const struct sv_bucket_object *o)
{
	int64_t newer = s->up ? o->modified_at - f->mtime : f->mtime - o->modified_at;
	char *path;
	int same = 0;

	if (f->size != o->size_bytes)
		return 1;
	if (!s->checksum && sv_has(o, modified_at) && newer > 0)
		return 0;
	path = path_of(s, f->path);
	if (sv_bucket_same(s->side->bucket, path, o, &same))
		same = 0;
	mem_free(path);
	return !same;
}

/* Only here. */
static int lonely_file(struct syncing *s, const struct tree_file *f)
{
	if (s->up)
		return send(s, f);
	if (s->prune)
		words_push(&s->gone, f->path);
	return 0;
}

/* Only there. */
static int lonely_object(struct syncing *s, const char *key, const char *rel)
{
	if (s->up) {
		if (s->prune)
			words_push(&s->gone, key);
		return 0;
	}
	if (tree_safe(rel))
		return fetch(s, key, rel);
	s->m.failed++;
	s->m.status = fail_text(s->m.call->app, 1, _("%s:/%s: no file can be called so: left out"),
		s->side->name, key);
	return 0;
}

static int one(struct syncing *s, const struct sv_bucket_object *o)
{
	const char *rel = o->key + strlen(s->prefix);
	int order = -1, rc = stopped(), differ;

	if (!*rel || rel[strlen(rel) - 1] == '/')
		return rc;
	while (!rc && s->at < s->tree.n && (order = strcmp(s->tree.v[s->at].path, rel)) < 0) {
		rc = lonely_file(s, &s->tree.v[s->at++]);
		rc = rc ? rc : stopped();
	}
	if (rc || s->at == s->tree.n || order)
		return rc ? rc : lonely_object(s, o->key, rel);
	differ = differs(s, &s->tree.v[s->at], o);
	rc = stopped();
	if (rc)
		return rc;
	s->at++;
	if (!differ)
		return 0;
	return s->up ? send(s, &s->tree.v[s->at - 1]) : fetch(s, o->key, rel);
}

static int page(void *data, const struct sv_bucket_object *const *v, size_t n)
{
	struct syncing *s = data;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = one(s, v[i]);
	return rc ? rc : stopped();
}

static int remove_file(struct syncing *s, const char *rel)
{
	char *path = path_of(s, rel);
	int rc = 0;

	if (!s->m.dry && unlink(path) && errno != ENOENT)
		rc = fail_text(s->m.call->app, 1, "%s: %s", path, i18n_errno(errno));
	else
		rc = moving_done(&s->m, "delete", path, NULL, NULL, NULL);
	mem_free(path);
	return rc;
}

static int remove_gone(struct syncing *s)
{
	struct text list = { 0 };
	int rc = 0;

	/* What did not arrive must not be the reason to lose more. */
	if (s->m.failed || !s->gone.n)
		return 0;
	text_fmt(&list, _("  %zu that %s lacks\n"), s->gone.n, s->m.call->plain.v[0]);
	rc = loss_confirmed(s->m.call, text_of(&list), s->m.call->plain.v[1], s->gone.n);
	text_free(&list);
	if (rc)
		return rc;
	if (s->up)
		return move_away(&s->m, s->side, (const char *const *)s->gone.v, s->gone.n);
	for (size_t i = 0; !rc && i < s->gone.n; i++) {
		rc = remove_file(s, s->gone.v[i]);
		rc = rc ? rc : stopped();
	}
	return rc;
}

static int read_tree(struct syncing *s)
{
	struct stat st;

	if (!stat(s->dir, &st) && !S_ISDIR(st.st_mode))
		return fail_text(s->m.call->app, EXIT_USAGE, _("%s is no directory"), s->dir);
	if (!s->up && access(s->dir, F_OK))
		return 0; /* it is made with the first file */
	return tree_read(s->m.call->app, s->dir, &s->tree);
}

/* After an interrupt: how far it came. */
static void say_left(const struct syncing *s)
{
	struct app *a = s->m.call->app;

	progress_clear(a);
	if (a->json_errors)
		return;
	if (s->up)
		fprintf(stderr, _("svctl: stopped: %zu done, %zu of %zu files not looked at\n"),
			s->m.done, s->tree.n - s->at, s->tree.n);
	else
		fprintf(stderr, _("svctl: stopped: %zu done, the rest not looked at\n"), s->m.done);
	fputs(_("  The same command goes on from there.\n"), stderr);
}

static int sync_all(struct syncing *s)
{
	struct call *call = s->m.call;
	struct hold hold = { 0 };
	int rc = side_open(call, s->side);

	if (!rc)
		rc = read_tree(s);
	hold_begin(call->app, &hold);
	if (!rc)
		rc = each_object(call, s->side, s->prefix, NULL, page, s);
	while (!rc && s->at < s->tree.n) {
		rc = lonely_file(s, &s->tree.v[s->at++]);
		rc = rc ? rc : stopped();
	}
	if (!rc)
		rc = remove_gone(s);
	if (rc >= 128)
		say_left(s);
	hold_end(call->app, &hold);
	return rc;
}

int cmd_storage_sync(struct call *call)
{
	struct side from, to;
	struct syncing s = { .at = 0 };
	int rc = 0;

	if (call->plain.n != 2)
		return usage_error(call, _("make what the same as what?"));
	side_read(&from, call->plain.v[0]);
	side_read(&to, call->plain.v[1]);
	if (!from.name == !to.name || from.stream || to.stream)
		rc = usage_error(call, _("one side must be a directory, the other NAME:/PATH"));
	else if (opt_on(call, OPT_DELETE))
		rc = loss_askable(call);
	s.up = !from.name;
	s.side = s.up ? &to : &from;
	s.dir = s.up ? from.word : to.word;
	s.checksum = opt_on(call, OPT_CHECKSUM);
	s.prune = opt_on(call, OPT_DELETE);
	if (!rc) {
		s.prefix = below_key(s.side->key);
		rc = moving_begin(&s.m, call);
	}
	if (!rc)
		rc = moving_end(&s.m, sync_all(&s));
	mem_free(s.prefix);
	tree_free(&s.tree);
	words_free(&s.gone);
	side_free(&from);
	side_free(&to);
	return rc;
}
