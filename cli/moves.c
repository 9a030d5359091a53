/* SPDX-License-Identifier: MIT */
/* Single moves between here and storages: each a call of the library and a row of the answer. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "storage.h"

#define LOOK_MS 200  /* how often an interrupt is looked for where nothing comes in */
#define AT_ONCE 1000 /* keys that S3 deletes by one request */

static char *word_of(const struct side *s, const char *key)
{
	struct text t = { 0 };

	text_fmt(&t, "%s:/%s", s->name, key);
	return t.s;
}

/* stdin, with an eye on the keyboard: signals are held back while a transfer runs. */
static int64_t from_stdin(void *data, void *buf, size_t size)
{
	struct pollfd f = { .fd = STDIN_FILENO, .events = POLLIN };
	ssize_t n;

	(void)data;
	for (;;) {
		if (hold_signal())
			return -1;
		if (poll(&f, 1, LOOK_MS) == 0)
			continue;
		n = read(STDIN_FILENO, buf, size);
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
	}
}

static int to_stdout(void *data, const void *bytes, size_t len)
{
	struct moving *m = data;
	struct app *a = m->call->app;

	sink_add(&a->out, bytes, len);
	return a->out.error != 0;
}

/* Ends a move: its row, or its error. */
static int told(struct moving *m, int r, const char *action, const char *source, const char *target,
	const struct sv_bucket_object *o, const struct sv_transfer *t)
{
	int rc, resumable = strcmp(source, "-") != 0 && (!target || strcmp(target, "-") != 0);

	if (!r)
		return moving_done(m, action, source, target, o, t);
	rc = moving_failed(m, *action == 'd' ? source : target);
	if (resumable && *action != 'c' && m->last > 0 && rc < 128 &&
		(r == SV_NET || r == SV_SERVER || r == SV_RATE))
		note(m->call->app,
			_("what has arrived is kept: the same command goes on from there"));
	return rc;
}

int move_up(struct moving *m, const char *path, struct side *to, const char *key)
{
	struct sv_bucket_object *o = NULL;
	char *target = word_of(to, key);
	struct sv_transfer *t;
	int rc = EXIT_USAGE, r;

	if (m->dry) {
		rc = moving_done(m, "upload", path, target, NULL, NULL);
		mem_free(target);
		return rc;
	}
	t = moving_transfer(m, target);
	if (t) {
		r = strcmp(path, "-") != 0
			    ? sv_bucket_upload(to->bucket, key, path, t, &o)
			    : sv_bucket_upload_from(to->bucket, key, from_stdin, m, t, &o);
		rc = told(m, r, "upload", path, target, o, t);
	}
	sv_free(o);
	sv_free(t);
	mem_free(target);
	return rc;
}

/* A directory, as people see it, is no object. */
static void hint_at_tree(struct moving *m, struct side *from, const char *key)
{
	struct sv_bucket_object_list *page = NULL;
	char *prefix = below_key(key);

	if (!m->call->app->json_errors && !sv_bucket_list(from->bucket, prefix, "/", NULL, &page) &&
		page->n)
		note(m->call->app, _("%s:/%s holds objects: --recursive copies them"), from->name,
			prefix);
	sv_free(page);
	mem_free(prefix);
}

int move_down(struct moving *m, struct side *from, const char *key, const char *path)
{
	struct sv_bucket_object *o = NULL;
	char *source = word_of(from, key);
	struct sv_transfer *t;
	int rc = EXIT_USAGE, e, r;

	if (m->dry) {
		rc = moving_done(m, "download", source, path, NULL, NULL);
		mem_free(source);
		return rc;
	}
	t = moving_transfer(m, source);
	if (t && !strcmp(path, "-")) {
		m->silent = 1;
		r = sv_bucket_get(from->bucket, key, 0, -1, to_stdout, m, &o);
		rc = told(m, r, "download", source, path, o, t);
	} else if (t && (e = tree_parents(path)) != 0) {
		rc = fail_text(m->call->app, 1, "%s: %s", path, i18n_errno(e));
	} else if (t) {
		r = sv_bucket_download(from->bucket, key, path, t, &o);
		rc = told(m, r, "download", source, path, o, t);
		if (r == SV_NOTFOUND)
			hint_at_tree(m, from, key);
	}
	sv_free(o);
	sv_free(t);
	mem_free(source);
	return rc;
}

int move_across(
	struct moving *m, struct side *from, const char *from_key, struct side *to, const char *key)
{
	char *source = word_of(from, from_key), *target = word_of(to, key);
	struct sv_bucket_object *o = NULL;
	struct sv_transfer *t;
	int rc = EXIT_USAGE, r;

	if (m->dry) {
		rc = moving_done(m, "copy", source, target, NULL, NULL);
	} else if ((t = moving_transfer(m, target)) != NULL) {
		r = sv_bucket_copy(to->bucket, key, from->bucket, from_key, t, &o);
		rc = told(m, r, "copy", source, target, o, t);
		sv_free(o);
		sv_free(t);
	}
	mem_free(source);
	mem_free(target);
	return rc;
}

struct refusing {
	struct moving *m;
	struct side *at;
	struct words keys;
};

static void refused(void *data, const char *key, const char *code, const char *message)
{
	struct refusing *r = data;
	char *word = word_of(r->at, key);
	int status =
		fail_text(r->m->call->app, 1, "%s: %s%s%s", word, message, *code ? ", " : "", code);

	if (!r->m->failed++)
		r->m->status = status;
	words_push(&r->keys, key);
	mem_free(word);
}

/* So many keys as go into one request; what is told as deleted is. */
static int away_some(struct moving *m, struct side *at, const char *const *keys, size_t n)
{
	struct refusing r = { .m = m, .at = at };
	int rc = 0, code = 0;

	if (!m->dry)
		code = sv_bucket_delete(at->bucket, keys, n, refused, &r);
	if (code && code != SV_FAILED) {
		words_free(&r.keys);
		return moving_failed(m, at->word);
	}
	for (size_t i = 0; !rc && i < n; i++) {
		char *word = word_of(at, keys[i]);

		if (!words_has(&r.keys, keys[i]))
			rc = moving_done(m, "delete", word, NULL, NULL, NULL);
		mem_free(word);
	}
	words_free(&r.keys);
	return rc;
}

int move_away(struct moving *m, struct side *at, const char *const *keys, size_t n)
{
	int rc = 0;

	for (size_t i = 0, some; !rc && i < n; i += some) {
		some = n - i < AT_ONCE ? n - i : AT_ONCE;
		rc = hold_signal() ? 128 + hold_signal() : away_some(m, at, keys + i, some);
	}
	return rc;
}
