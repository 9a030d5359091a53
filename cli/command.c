/* SPDX-License-Identifier: MIT */
/* One command line from its words to its exit status; synopses; the test of the tables. */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "errors.h"
#include "extend.h"
#include "generic.h"
#include "names.h"
#include "style.h"

static void hyphens(struct text *t, const char *name)
{
	for (; *name; name++)
		text_chr(t, *name == '_' ? '-' : *name);
}

static void upper(struct text *t, const char *name)
{
	for (; *name; name++)
		text_chr(t, *name == '_' ? '-' : (char)toupper((unsigned char)*name));
}

/* The words and options that a verb cannot do without. */
static void needed(const struct sv_kind *in, int flag, struct text *t)
{
	const struct sv_field *thing, *path;
	int pair = flag && pair_of(in, &thing, &path);
	char name[96];

	if (pair) {
		text_chr(t, ' ');
		upper(t, thing->name);
		text_str(t, ":PATH");
	}
	for (uint32_t i = 0; in && flag == SV_CREATE && i < in->n; i++) {
		const struct sv_field *f = &in->fields[i];

		if (!(f->flags & flag) || !(f->flags & (SV_REQUIRED | SV_POSITIONAL)) ||
			(pair && (f == thing || f == path)))
			continue;
		option_name(f, name, sizeof(name));
		text_str(t, (f->flags & SV_REQUIRED) ? " " : " [");
		if (!(f->flags & SV_POSITIONAL))
			text_fmt(t, "--%s ", name);
		upper(t, name);
		text_str(t, (f->flags & SV_REQUIRED) ? "" : "]");
	}
}

void synopsis(const struct call *call, struct text *ret)
{
	const struct sv_verb *v = call->verb;

	text_str(ret, "svctl");
	if (!call->noun) {
		text_str(ret, _(" [OPTION...] NOUN VERB [NAME...] [OPTION...]"));
		return;
	}
	text_fmt(ret, " %s", call->noun);
	if (call->command && !*call->command->verb) {
		text_fmt(ret, "%s%s", *call->command->synopsis ? " " : "",
			_(call->command->synopsis));
		return;
	}
	if (!call->action) {
		text_str(ret, _(" VERB [NAME...] [OPTION...]"));
		return;
	}
	text_chr(ret, ' ');
	hyphens(ret, call->action);
	if (call->command) {
		text_fmt(ret, "%s%s", *call->command->synopsis ? " " : "",
			_(call->command->synopsis));
		return;
	}
	if (strchr(v->path, '{'))
		text_str(ret, call->in_flag == SV_CREATE && positionals(call) ? _(" NAME")
									      : _(" NAME..."));
	needed(call->in_kind, call->in_flag, ret);
	text_str(ret, _(" [OPTION...]"));
}

static void take(const char **to, const struct call *call, int id)
{
	if (opt_value(call, id))
		*to = opt_value(call, id);
}

void globals_take(struct app *a, const struct call *call)
{
	struct globals *g = &a->given;

	take(&g->profile, call, OPT_PROFILE);
	take(&g->endpoint, call, OPT_ENDPOINT);
	take(&g->socket, call, OPT_SOCKET);
	take(&g->cacert, call, OPT_CACERT);
	take(&g->color, call, OPT_COLOR);
	take(&g->lang, call, OPT_LANG);
	take(&g->timeout, call, OPT_TIMEOUT);
	take(&g->request_timeout, call, OPT_REQUEST_TIMEOUT);
	g->strict |= opt_on(call, OPT_STRICT);
	g->insecure |= opt_on(call, OPT_INSECURE);
	g->yes |= opt_on(call, OPT_YES);
	g->quiet |= opt_on(call, OPT_QUIET);
	g->debug |= opt_on(call, OPT_DEBUG) || a->env.debug;
}

int own_client(const struct call *call)
{
	static const int each[] = { OPT_CACERT, OPT_DEBUG, OPT_ENDPOINT, OPT_INSECURE, OPT_PROFILE,
		OPT_REQUEST_TIMEOUT, OPT_SOCKET, OPT_STRICT, OPT_TIMEOUT };

	for (size_t i = 0; i < COUNT(each); i++)
		if (opt_value(call, each[i]))
			return 1;
	return 0;
}

/* An empty word is never a name: it must not find the first of all. */
static int blanks(const struct call *call)
{
	for (size_t i = 0; i < call->plain.n; i++)
		if (blank(call->plain.v[i]))
			return usage_error(call, _("an argument is empty"));
	return 0;
}

static int dispatch(struct call *call)
{
	struct app *a = call->app;

	if (call->plugin)
		return plugin_run(call);
	if (opt_on(call, OPT_VERSION) && !call->noun)
		return cmd_version(call);
	if (opt_on(call, OPT_HELP))
		return help_of(call);
	if (!call->noun)
		return a->in_shell ? 0 : cmd_help(call);
	if (!call->command && !call->verb)
		return help_noun(call);
	a->keyless = call->command ? (call->command->flags & CMD_KEYLESS) != 0
				   : (call->verb->flags & SV_NOKEY) != 0;
	if (blanks(call))
		return EXIT_USAGE;
	if (call->dashes && !(call->command && (call->command->flags & (CMD_REST | CMD_DASHES))))
		for (size_t i = 0; i < call->after.n; i++)
			words_push(&call->plain, call->after.v[i]);
	return call->command ? call->command->run(call) : generic_run(call);
}

/* After anything but a question the names that were asked for are old. */
static void forget_names(const struct call *call)
{
	if (call->app->asked && (call->command || (call->verb && call->verb->method != SV_GET)))
		names_forget(call->app);
	call->app->asked = 0;
}

static int json(const char *format)
{
	return format && (!strcmp(format, "json") || !strcmp(format, "jsonl"));
}

/* -o json must hold for errors of the command line itself, too. */
static void peek_output(struct app *a, size_t n, char **words)
{
	const char *v = a->env.output;

	for (size_t i = 0; i < n && strcmp(words[i], "--") != 0; i++) {
		if ((!strcmp(words[i], "-o") || !strcmp(words[i], "--output")) && i + 1 < n)
			v = words[i + 1];
		else if (!strncmp(words[i], "--output=", 9))
			v = words[i] + 9;
		else if (!strncmp(words[i], "-o", 2) && words[i][2])
			v = words[i] + 2;
	}
	a->json_errors = json(v);
}

/* Of closed vocabularies that no row holds. */
static int choices(struct app *a, const struct call *call)
{
	if (a->given.lang && !i18n_language(a->given.lang))
		return usage_error(call, _("--lang %s: must be en or zh_CN"), a->given.lang);
	return style_choose(a) ? usage_error(call, _("--color %s: must be auto, always or never"),
					 a->given.color)
			       : 0;
}

int command_run(struct app *a, size_t n, char **words)
{
	struct globals before = a->given;
	struct call call;
	int rc;

	peek_output(a, n, words);
	rc = args_read(a, n, words, &call);
	if (!rc) {
		/* An alias may say it, too. */
		if (opt_value(&call, OPT_OUTPUT))
			a->json_errors = json(opt_value(&call, OPT_OUTPUT));
		globals_take(a, &call);
		if (own_client(&call))
			app_reset(a);
		rc = choices(a, &call);
		if (!rc)
			rc = dispatch(&call);
		forget_names(&call);
		if (own_client(&call))
			app_reset(a);
	}
	rc = finish_output(a, rc);
	args_free(&call);
	a->given = before;
	return rc;
}
