/* SPDX-License-Identifier: MIT */
/* NAME:/KEY, and what lies below it. */
#include "storage.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

/* Where NAME ends, or NULL for what is here. */
static const char *colon_of(const char *word)
{
	const char *colon = strchr(word, ':');
	struct stat st;

	if (colon && (!strncmp(word, "id:", 3) || !strncmp(word, "name:", 5)))
		colon = strchr(colon + 1, ':');
	if (!colon || colon == word || *word == '/' || *word == '.' ||
		memchr(word, '/', (size_t)(colon - word)))
		return NULL;
	/* A file of this name is meant, unless it is a key's path. */
	return colon[1] != '/' && !stat(word, &st) ? NULL : colon;
}

void side_read(struct side *s, const char *word)
{
	const char *colon = colon_of(word);

	*s = (struct side){ .word = word, .stream = !strcmp(word, "-") };
	if (!colon)
		return;
	s->name = mem_dup(word, (size_t)(colon - word));
	colon++;
	while (*colon == '/')
		colon++;
	s->key = mem_dup(colon, strlen(colon));
}

void side_free(struct side *s)
{
	sv_bucket_close(s->bucket);
	mem_free(s->name);
	mem_free(s->key);
	*s = (struct side){ 0 };
}

int side_open(struct call *call, struct side *s)
{
	int status = 0;
	sv_client *c = app_client(call->app, &status);

	if (!c)
		return status;
	if (sv_bucket_open(c, s->name, &s->bucket))
		return fail(call->app, sv_client_error(c), s->name);
	return 0;
}

const char *leaf_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *join_path(const char *a, const char *b)
{
	struct text t = { 0 };

	text_str(&t, a);
	if (t.n && *b && t.s[t.n - 1] != '/')
		text_chr(&t, '/');
	text_str(&t, b);
	if (!t.s)
		text_str(&t, "");
	return t.s;
}

char *below_key(const char *key)
{
	struct text t = { 0 };

	text_str(&t, key);
	if (t.n && t.s[t.n - 1] != '/')
		text_chr(&t, '/');
	if (!t.s)
		text_str(&t, "");
	return t.s;
}

int loss_askable(struct call *call)
{
	struct app *a = call->app;

	if (a->given.yes || opt_on(call, OPT_DRY_RUN) ||
		(a->in_tty && a->err_tty && !a->env.no_input))
		return 0;
	return fail_hint(a, EXIT_USAGE, _("add --yes to do it without being asked"),
		_("storage %s loses data and cannot ask here: stdin and stderr are not a terminal"),
		call->action);
}

int loss_confirmed(struct call *call, const char *list, const char *word, size_t n)
{
	struct app *a = call->app;
	struct text safe = { 0 };
	int ok;

	if (a->given.yes || opt_on(call, OPT_DRY_RUN) || n < 2)
		return 0;
	fprintf(stderr, _("This will delete for good:\n%s"), list);
	safe_text(&safe, word);
	ok = confirm_word(a, _("There is no way back."), text_of(&safe));
	text_free(&safe);
	return ok ? 0 : fail_text(a, EXIT_REFUSED, _("not confirmed; nothing was done"));
}

int each_object(struct call *call, struct side *s, const char *prefix, const char *delimiter,
	int (*each)(void *data, const struct sv_bucket_object *const *v, size_t n), void *data)
{
	sv_client *c = call->app->client;
	struct sv_bucket_object_list *page = NULL;
	char *cursor = NULL;
	int rc = 0;

	do {
		if (sv_bucket_list(s->bucket, prefix, delimiter, cursor, &page)) {
			rc = hold_signal() ? 128 + hold_signal()
					   : fail(call->app, sv_client_error(c), s->word);
			break;
		}
		mem_free(cursor);
		cursor = page->next ? mem_dup(page->next, strlen(page->next)) : NULL;
		rc = each(data, (const struct sv_bucket_object *const *)page->v, page->n);
		sv_free(page);
	} while (!rc && cursor);
	mem_free(cursor);
	return rc;
}
