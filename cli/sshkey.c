/* SPDX-License-Identifier: MIT */
/* The user's SSH key: made at the first create, and registered once for each account. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <starverse/client.h>
#include <starverse/key.h>

#include "errors.h"
#include "generic.h"
#include "ssh.h"

static int make(struct call *call, const char *path)
{
	char *argv[] = { "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "svctl", "-f",
		(char *)(uintptr_t)path, NULL };

	if (!access(path, F_OK))
		return 0;
	if (run_quietly(argv, call->app) && access(path, F_OK))
		return -1;
	note(call->app, _("made an SSH key: %s"), path);
	return 0;
}

/* Type and body of a public key, without its comment. */
static size_t essence(const char *key)
{
	size_t type = strcspn(key, " ");

	return key[type] ? type + 1 + strcspn(key + type + 1, " \r\n") : type;
}

static int same_key(const char *a, const char *b)
{
	return b && essence(a) == essence(b) && !strncmp(a, b, essence(a));
}

static int registered(sv_client *c, const char *key, int *ret)
{
	const struct sv_verb *list = sv_verb_find(sv_kind_find("key"), "list");
	struct sv_key_filter *filter = sv_key_filter_new();
	struct sv_error err;
	void *page = NULL;
	int rc;

	*ret = 0;
	sv_field_parse(filter, filter, sv_field_find(list->query, "name"), "svctl", &err);
	rc = sv_run(c, list, NULL, filter, &page);
	while (!rc && page && !*ret) {
		const struct sv_key_list *keys = page;

		for (size_t i = 0; i < keys->n; i++)
			*ret |= same_key(key, keys->v[i]->public_key);
		if (!*ret)
			rc = sv_next(c, list, NULL, filter, &page);
	}
	sv_free(page);
	sv_free(filter);
	return rc;
}

static int enroll(struct call *call, const char *public)
{
	sv_client *c = call->app->client;
	struct sv_key *want = sv_key_new();
	int known = 0, rc = registered(c, public, &known);

	if (!rc && !known) {
		want->name = "svctl";
		want->public_key = public;
		rc = sv_key_create(c, want, NULL);
	}
	sv_free(want);
	return rc ? fail_call(call, sv_client_error(c), _("registering the SSH key")) : 0;
}

/* 1 when the body names keys of its own. */
static int named(const struct call *call)
{
	const struct sv_field *f = call->in ? sv_field_find(call->in_kind, "keys") : NULL;

	return !f || sv_field_has(f, call->in);
}

int ssh_key_ready(struct call *call)
{
	char *path, *pub = NULL;
	struct text text = { 0 };
	int status = 0;

	if (named(call) || !app_client(call->app, &status))
		return status;
	path = app_state_path(call->app, "ssh/id_ed25519");
	if (path)
		pub = app_state_path(call->app, "ssh/id_ed25519.pub");
	if (!pub || make(call, path) || access(pub, R_OK)) {
		note(call->app, _("warning: no SSH key could be made; is ssh-keygen installed?"));
	} else if (!(status = read_whole(call->app, pub, &text))) {
		while (text.n && text.s[text.n - 1] == '\n')
			text.s[--text.n] = '\0';
		status = enroll(call, text_of(&text));
	}
	mem_free(path);
	mem_free(pub);
	text_free(&text);
	return status;
}
