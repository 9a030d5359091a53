/* SPDX-License-Identifier: MIT */
/* help, and -h anywhere. */
#include <string.h>

#include "doc.h"
#include "errors.h"
#include "extend.h"
#include "generic.h"
#include "out.h"
#include "style.h"

static struct doc text_doc(const struct call *call)
{
	pager_begin(call->app);
	return (struct doc){ .ops = &doc_text, .out = &call->app->out, .brief = 1 };
}

/* Aliases and programs of the user's own. A name that svctl has itself is not theirs. */
static void own_commands(struct call *call, struct doc *d)
{
	struct words names = { 0 }, texts = { 0 }, programs = { 0 };
	const struct sv_kind *kind;

	aliases(&names, &texts);
	plugins(call->app, &programs);
	if (names.n || programs.n)
		d->ops->section(d, _("Of your own"));
	d->ops->items(d, 1);
	for (size_t i = 0; i < names.n && i < texts.n; i++) {
		struct text name = { 0 }, text = { 0 };

		safe_text(&name, names.v[i]);
		if (noun_find(names.v[i], &kind))
			text_str(&text, _("an alias without effect: svctl has this itself"));
		else
			safe_text(&text, texts.v[i]);
		d->ops->item(d, text_of(&name), text_of(&text));
		text_free(&name);
		text_free(&text);
	}
	for (size_t i = 0; i < programs.n; i++)
		if (!noun_find(programs.v[i], &kind) && !words_has(&names, programs.v[i]))
			d->ops->item(d, programs.v[i], _("a program on PATH"));
	d->ops->items(d, 0);
	words_free(&names);
	words_free(&texts);
	words_free(&programs);
}

static int everything(struct call *call)
{
	struct doc d = text_doc(call);
	struct text line = { 0 };

	text_fmt(&line, "svctl%s", _(" [OPTION...] NOUN VERB [NAME...] [OPTION...]"));
	d.ops->synopsis(&d, text_of(&line));
	text_free(&line);
	d.ops->section(&d, _("Nouns"));
	doc_nouns(&d);
	own_commands(call, &d);
	if (call->app->in_shell)
		doc_builtins(&d);
	d.ops->section(&d, _("Options of every command"));
	doc_options(&d, opts_global);
	d.ops->paragraph(&d, _("svctl help NOUN, svctl help NOUN VERB; svctl help exit-codes, "
			       "filters, formats, environment."));
	return 0;
}

int help_noun(struct call *call)
{
	struct doc d = text_doc(call);
	struct text line = { 0 };

	synopsis(call, &line);
	d.ops->synopsis(&d, text_of(&line));
	text_free(&line);
	doc_noun(&d, call->noun, call->kind);
	return opt_on(call, OPT_HELP) || (call->command && !strcmp(call->command->noun, "help"))
		       ? 0
		       : EXIT_USAGE;
}

int help_of(struct call *call)
{
	struct doc d;

	if (call->plugin)
		return plugin_run(call);
	d = text_doc(call);
	if (!call->noun)
		return everything(call);
	if (!call->command && !call->verb) {
		help_noun(call);
		return 0;
	}
	doc_action(&d, call);
	return 0;
}

static int topic(struct call *call, const char *name)
{
	static const struct {
		const char *name;
		void (*tell)(struct doc *d);
	} topics[] = { { "environment", doc_environment }, { "exit-codes", doc_exit_codes },
		{ "filters", doc_filters }, { "formats", doc_formats } };
	struct doc d = text_doc(call);

	for (size_t i = 0; i < COUNT(topics); i++)
		if (same_name(topics[i].name, name)) {
			topics[i].tell(&d);
			return 1;
		}
	return 0;
}

/* `help NOUN VERB` is `NOUN VERB --help`. */
int cmd_help(struct call *call)
{
	struct words words = { 0 };
	struct call about;
	int rc;

	if (!call->noun || !call->plain.n)
		return everything(call);
	if (call->plain.n == 1 && topic(call, call->plain.v[0]))
		return 0;
	words_push(&words, "--help");
	for (size_t i = 0; i < call->plain.n; i++)
		words_push(&words, call->plain.v[i]);
	rc = args_read(call->app, words.n, words.v, &about);
	if (!rc)
		rc = help_of(&about);
	args_free(&about);
	words_free(&words);
	return rc;
}
