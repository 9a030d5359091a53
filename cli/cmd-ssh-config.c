/* SPDX-License-Identifier: MIT */
/* ssh-config: a file for OpenSSH's Include, so that ssh, scp, rsync and editors reach instances by
 * name, with svctl's key and the host keys that the service tells. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "file.h"
#include "generic.h"
#include "ssh.h"

struct hosts {
	struct call *call;
	struct text text;
	struct words names; /* of all, to find those that two have */
	size_t n;
};

/* What a pattern of Host can be without meaning something else. */
static int plain_name(const char *s)
{
	if (!*s || *s == '-')
		return 0;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("._-", *s) && (unsigned char)*s < 0x80)
			return 0;
	return 1;
}

static size_t times(const struct words *w, const char *s)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += !strcmp(w->v[i], s);
	return n;
}

static void value(struct text *t, const char *name, const char *v)
{
	text_fmt(t, "  %s \"", name);
	for (; *v; v++) {
		if (*v == '%' || *v == '"' || *v == '\\')
			text_chr(t, *v == '%' ? '%' : '\\');
		text_chr(t, *v);
	}
	text_str(t, "\"\n");
}

static int one(struct hosts *h, const struct sv_instance *i)
{
	struct text word = { 0 };
	struct login l;
	int rc, named = i->name && plain_name(i->name) && times(&h->names, i->name) == 1;

	text_fmt(&word, "id:%s", i->id);
	rc = login_find(h->call, text_of(&word), &l);
	text_free(&word);
	if (rc)
		return rc;
	text_fmt(&h->text, "\nHost %s%s%s\n", l.id, named ? " " : "", named ? i->name : "");
	value(&h->text, "HostName", l.host);
	text_fmt(&h->text, "  Port %d\n  User %s\n", l.port, l.user);
	if (l.identity) {
		value(&h->text, "IdentityFile", l.identity);
		text_str(&h->text, "  IdentitiesOnly yes\n");
	}
	value(&h->text, "UserKnownHostsFile", l.known_hosts);
	text_fmt(&h->text, "  HostKeyAlias %s\n  StrictHostKeyChecking yes\n", l.id);
	if (!named)
		note(h->call->app, _("%s: reached as %s: its name cannot be a host's alone"),
			i->name, i->id);
	h->n++;
	login_free(&l);
	return 0;
}

/* Every instance twice: first the names, then the hosts. */
static int each(struct hosts *h, int (*fn)(struct hosts *h, const struct sv_instance *i))
{
	const struct sv_verb *list = sv_verb_find(sv_kind_find("instance"), "list");
	sv_client *c = h->call->app->client;
	void *page = NULL;
	int rc = sv_run(c, list, NULL, NULL, &page), status = 0;

	while (!rc && !status && page) {
		const struct sv_page *p = page;

		for (size_t i = 0; !status && i < p->n; i++) {
			const struct sv_instance *x = p->v[i];

			if (x->ssh && x->ssh->host && *x->ssh->host)
				status = fn(h, x);
		}
		if (!status)
			rc = sv_next(c, list, NULL, NULL, &page);
	}
	sv_free(page);
	return rc ? fail(h->call->app, sv_client_error(c), NULL) : status;
}

static int name(struct hosts *h, const struct sv_instance *i)
{
	words_push(&h->names, i->name ? i->name : "");
	return 0;
}

/* The Include line stands first: what comes before any Host holds for all of them. */
static int install(struct call *call, const char *line)
{
	struct app *a = call->app;
	struct text path = { 0 }, old = { 0 }, all = { 0 };
	int rc = 0, why = 0;

	if (!a->env.home)
		return fail_text(a, EXIT_SETTINGS, _("HOME is not set"));
	text_fmt(&path, "%s/.ssh", a->env.home);
	if (mkdir(text_of(&path), 0700) && errno != EEXIST)
		why = errno;
	text_str(&path, "/config");
	if (!why && !access(text_of(&path), F_OK))
		rc = read_whole(a, text_of(&path), &old);
	text_fmt(&all, "\n%s\n", line);
	if (!rc && !why && (!strncmp(text_of(&old), all.s + 1, all.n - 1) ||
				   strstr(text_of(&old), all.s))) {
		note(a, _("%s includes it already"), text_of(&path));
	} else if (!rc && !why) {
		all.n = 0;
		text_fmt(&all, "%s\n%s", line, text_of(&old));
		why = file_replace(text_of(&path), &all, 0600);
		if (!why)
			note(a, _("%s includes it from now on"), text_of(&path));
	}
	if (why)
		rc = fail_text(a, 1, "%s: %s", text_of(&path), i18n_errno(why));
	text_free(&path);
	text_free(&old);
	text_free(&all);
	return rc;
}

int cmd_ssh_config(struct call *call)
{
	struct hosts h = { .call = call };
	struct text line = { 0 };
	char *path;
	int status = 0, rc, why;

	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!app_client(call->app, &status))
		return status;
	path = app_state_path(call->app, "ssh/config");
	if (!path)
		return fail_text(call->app, EXIT_SETTINGS, _("the state directory cannot be made"));
	text_str(&h.text, "# Written by svctl ssh-config; written anew by the next one.\n");
	rc = each(&h, name);
	if (!rc)
		rc = each(&h, one);
	why = rc ? 0 : file_replace(path, &h.text, 0600);
	if (why)
		rc = fail_text(call->app, 1, "%s: %s", path, i18n_errno(why));
	text_fmt(&line, "Include \"%s\"", path);
	if (!rc) {
		note(call->app, _("instances that can be logged in to: %zu; ssh finds them by:"),
			h.n);
		sink_fmt(&call->app->out, "%s\n", text_of(&line));
	}
	if (!rc && opt_on(call, OPT_INSTALL))
		rc = install(call, text_of(&line));
	text_free(&line);
	text_free(&h.text);
	words_free(&h.names);
	mem_free(path);
	return rc;
}
