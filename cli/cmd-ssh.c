/* SPDX-License-Identifier: MIT */
/* instance ssh, exec, cp: OpenSSH does the work, and its exit status is passed on. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "ssh.h"

static void destination(const struct login *l, struct words *argv)
{
	struct text t = { 0 };

	text_fmt(&t, "%s@%s", l->user, l->host);
	words_push(argv, "--");
	words_push(argv, text_of(&t));
	text_free(&t);
}

int ssh_try(struct app *a, const struct login *l)
{
	static const char *const fixed[] = { "-o", "BatchMode=yes", "-o", "ConnectTimeout=5" };
	struct words argv = { 0 };
	int rc;

	words_push(&argv, "ssh");
	words_push(&argv, "-T");
	login_options(l, &argv);
	for (size_t i = 0; i < COUNT(fixed); i++)
		words_push(&argv, fixed[i]);
	destination(l, &argv);
	words_push(&argv, "true");
	rc = run_quietly(argv.v, a);
	words_free(&argv);
	return rc;
}

/* ssh's own options stand first; the first word that is none begins the command. */
static size_t own_options(const struct words *w, struct words *argv)
{
	size_t i = 0;

	while (i < w->n && w->v[i][0] == '-' && w->v[i][1] && strcmp(w->v[i], "--") != 0) {
		const char *option = w->v[i++];

		words_push(argv, option);
		if (!option[2] && strchr("BbcDEeFIiJLlmOopQRSWw", option[1]) && i < w->n)
			words_push(argv, w->v[i++]);
	}
	return i < w->n && !strcmp(w->v[i], "--") ? i + 1 : i;
}

int cmd_instance_ssh(struct call *call)
{
	struct words argv = { 0 };
	struct login l = { .port = 0 };
	size_t i;
	int rc;

	if (call->plain.n != 1)
		return usage_error(call, _("which instance?"));
	rc = login_find(call, call->plain.v[0], &l);
	if (!rc) {
		words_push(&argv, "ssh");
		login_options(&l, &argv);
		i = call->dashes ? 0 : own_options(&call->after, &argv);
		destination(&l, &argv);
		for (; i < call->after.n; i++)
			words_push(&argv, call->after.v[i]);
		rc = run_program(call->app, argv.v);
	}
	words_free(&argv);
	login_free(&l);
	return rc;
}

/* The words arrive inside as they are here: each is quoted for the shell that sshd runs. */
int cmd_instance_exec(struct call *call)
{
	struct words argv = { 0 };
	struct text line = { 0 };
	struct login l = { .port = 0 };
	size_t from = call->after.n && !strcmp(call->after.v[0], "--") ? 1 : 0;
	int tty = opt_on(call, OPT_TTY), rc;

	/* Options may also stand between the name and the dashes. */
	while (from < call->after.n && !call->dashes && !from &&
		(!strcmp(call->after.v[from], "-t") || !strcmp(call->after.v[from], "--tty"))) {
		tty = 1;
		from++;
		from += from < call->after.n && !strcmp(call->after.v[from], "--");
	}
	if (call->plain.n != 1)
		return usage_error(call, _("which instance?"));
	if (from >= call->after.n)
		return usage_error(call, _("which command?"));
	rc = login_find(call, call->plain.v[0], &l);
	if (!rc) {
		words_push(&argv, "ssh");
		words_push(&argv, tty ? "-t" : "-T");
		login_options(&l, &argv);
		destination(&l, &argv);
		for (size_t i = from; i < call->after.n; i++) {
			text_str(&line, i > from ? " " : "");
			shell_quote(&line, call->after.v[i]);
		}
		words_push(&argv, text_of(&line));
		rc = run_program(call->app, argv.v);
	}
	words_free(&argv);
	text_free(&line);
	login_free(&l);
	return rc;
}

/* "NAME:PATH" is inside, unless it is a file here or begins like one. */
static const char *inside(const char *word)
{
	const char *colon = strchr(word, ':');
	struct stat st;

	if (!strncmp(word, "id:", 3) || !strncmp(word, "name:", 5))
		colon = strchr(colon + 1, ':');
	if (!colon || colon == word || *word == '/' || *word == '.' ||
		memchr(word, '/', (size_t)(colon - word)))
		return NULL;
	return stat(word, &st) ? colon + 1 : NULL;
}

static char *instance_of(const char *word)
{
	return mem_dup(word, (size_t)(inside(word) - word - 1));
}

static void one_side(const struct login *l, const char *word, struct words *argv)
{
	const char *path = inside(word);
	struct text t = { 0 };

	if (path)
		text_fmt(&t, strchr(l->host, ':') ? "%s@[%s]:%s" : "%s@%s:%s", l->user, l->host,
			path);
	else
		text_fmt(&t, "%s%s", *word == '/' || *word == '.' ? "" : "./",
			word); /* a colon in it is no host */
	words_push(argv, text_of(&t));
	text_free(&t);
}

/* All sides that are inside must be of one instance. */
static int sides(struct call *call, char **ret)
{
	const struct words *w = &call->plain;
	int to = inside(w->v[w->n - 1]) != NULL;

	*ret = NULL;
	for (size_t i = 0; i < w->n; i++) {
		char *name;

		if ((i + 1 == w->n ? to : !to) != (inside(w->v[i]) != NULL))
			return usage_error(call,
				_("one side must be here and the other in an instance: %s"),
				w->v[i]);
		if (!inside(w->v[i]))
			continue;
		name = instance_of(w->v[i]);
		if (*ret && strcmp(*ret, name) != 0) {
			mem_free(name);
			return usage_error(call, _("only one instance at a time"));
		}
		mem_free(*ret);
		*ret = name;
	}
	return 0;
}

static int directory_among(const struct words *w)
{
	struct stat st;

	for (size_t i = 0; i + 1 < w->n; i++)
		if (inside(w->v[i]) || (!stat(w->v[i], &st) && S_ISDIR(st.st_mode)))
			return 1;
	return 0;
}

int cmd_instance_cp(struct call *call)
{
	struct words argv = { 0 };
	struct login l = { .port = 0 };
	char *name = NULL;
	int rc;

	if (call->plain.n < 2)
		return usage_error(call, _("copy what, and where to?"));
	rc = sides(call, &name);
	if (!rc)
		rc = login_find(call, name, &l);
	if (!rc) {
		words_push(&argv, "scp");
		words_push(&argv, call->app->given.quiet || !call->app->err_tty ? "-qp" : "-p");
		if (opt_on(call, OPT_RECURSIVE) || directory_among(&call->plain))
			words_push(&argv, "-r");
		login_options(&l, &argv);
		words_push(&argv, "--");
		for (size_t i = 0; i < call->plain.n; i++)
			one_side(&l, call->plain.v[i], &argv);
		rc = run_program(call->app, argv.v);
	}
	mem_free(name);
	words_free(&argv);
	login_free(&l);
	return rc;
}
