/* SPDX-License-Identifier: MIT */
/* What help and manual pages say, from the rows. */
#include "doc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "generic.h"
#include "shell.h"

static void examples(struct doc *d, const char *noun, const char *verb)
{
	int begun = 0;

	for (size_t i = 0; example_at(i); i++) {
		const struct example *e = example_at(i);

		if (strcmp(e->noun, noun) != 0 || (verb && !same_name(e->verb, verb)))
			continue;
		if (!begun)
			d->ops->section(d, _("Examples"));
		begun = 1;
		d->ops->example(d, e->line, _(e->text));
	}
}

static void row(struct doc *d, const struct opt_row *o)
{
	struct text term = { 0 };

	if (o->letter)
		text_fmt(&term, "-%c, ", o->letter);
	text_fmt(&term, "--%s", o->name);
	if (o->value)
		text_fmt(&term, o->flags & OPT_MAYBE ? "[=%s]" : " %s", o->value);
	d->ops->item(d, text_of(&term), _(o->help));
	text_free(&term);
}

void doc_options(struct doc *d, const struct opt_row *rows)
{
	for (; rows && rows->name; rows++)
		if (!(rows->flags & OPT_HIDDEN))
			row(d, rows);
}

static const char *metavar(const struct sv_field *f)
{
	static const char *const names[] = { [SV_STR] = "TEXT",
		[SV_INT] = "N",
		[SV_GIB] = "SIZE",
		[SV_BYTES] = "SIZE",
		[SV_SECONDS] = "DURATION",
		[SV_NUM] = "NUMBER",
		[SV_TIME] = "TIME",
		[SV_MONEY] = "AMOUNT",
		[SV_PERCENT] = "PERCENT",
		[SV_STRS] = "A,B",
		[SV_LIST] = "NAME:PATH",
		[SV_MAP] = "KEY=VALUE",
		[SV_JSON] = "JSON",
		[SV_OBJ] = "JSON" };
	const struct sv_field *thing, *path;

	if (f->type == SV_OBJ && pair_of(f->kind, &thing, &path))
		return names[SV_LIST];
	return f->type < COUNT(names) && names[f->type] ? names[f->type] : "VALUE";
}

static void words(const struct doc *d, const struct sv_field *f, struct text *help)
{
	if (!f->words || d->brief)
		return;
	text_str(help, ": ");
	for (const struct sv_word *w = f->words; w->word; w++)
		text_fmt(help, "%s%s", w == f->words ? "" : ", ", w->word);
}

static void field(struct doc *d, const struct sv_field *f, const char *prefix, int counted)
{
	struct text term = { 0 }, help = { 0 };
	char name[96];

	option_name(f, name, sizeof(name));
	text_fmt(&term, "--%s%s", prefix, name);
	if (counted)
		text_str(&term, " MODEL[:COUNT]");
	else if (f->type != SV_BOOL)
		text_fmt(&term, " %s", f->ref && f->type == SV_STR ? "NAME" : metavar(f));
	text_str(&help, _(f->help));
	words(d, f, &help);
	d->ops->item(d, text_of(&term), text_of(&help));
	text_free(&term);
	text_free(&help);
}

static void fields(struct doc *d, const struct sv_kind *kind, int flag, const char *prefix)
{
	const struct sv_field *thing, *path;

	for (uint32_t i = 0; kind && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		struct text deeper = { 0 };
		char name[96];

		if (!field_offered(f, flag, *prefix != '\0'))
			continue;
		option_name(f, name, sizeof(name));
		text_fmt(&deeper, "%s%s.", prefix, name);
		/* It can be said in one word, but for what is no part of the pair. */
		if (f->type == SV_OBJ && pair_of(f->kind, &thing, &path))
			field(d, f, prefix, 0);
		if (f->type == SV_OBJ && deeper.n < 60)
			fields(d, f->kind, flag, text_of(&deeper));
		else
			field(d, f, prefix,
				flag && !strcmp(f->name, "gpu") &&
					sv_field_find(kind, "gpu_count"));
		text_free(&deeper);
	}
}

/* 1 when it is the field's own name here, which is among the fields. */
static int is_own(const struct field_opt *to, const struct short_form *s)
{
	char name[96];

	option_name(to->way[to->n - 1], name, sizeof(name));
	return to->n == 1 && same_name(name, s->name);
}

static void short_forms(struct doc *d, const struct call *call)
{
	struct field_opt to;

	for (size_t i = 0; short_form(i); i++) {
		const struct short_form *s = short_form(i);
		struct text term = { 0 };

		if (!field_option(call, s->name, &to) || is_own(&to, s))
			continue;
		text_fmt(&term, "--%s%s%s", s->name, s->fixed ? "" : " ",
			s->fixed ? "" : metavar(to.way[to.n - 1]));
		d->ops->item(d, text_of(&term), _(s->help));
		text_free(&term);
	}
}

void doc_builtins(struct doc *d)
{
	d->title = d->brief ? _("Words of the shell") : NULL;
	d->ops->items(d, 1);
	for (size_t i = 0; builtin_at(i); i++) {
		const struct builtin *b = builtin_at(i);
		struct text term = { 0 };

		text_fmt(&term, "%s%s%s", b->name, *b->synopsis ? " " : "", _(b->synopsis));
		d->ops->item(d, text_of(&term), _(b->help));
		text_free(&term);
	}
	d->ops->items(d, 0);
}

void doc_action(struct doc *d, const struct call *call)
{
	const struct sv_verb *v = call->command ? NULL : call->verb;
	int whole = call->command && !*call->command->verb; /* of the noun */
	struct text line = { 0 };

	synopsis(call, &line);
	d->ops->synopsis(d, text_of(&line));
	text_free(&line);
	d->ops->paragraph(d, _(call->command ? call->command->help : call->verb->help));
	if (whole && prose_of(call->noun))
		d->ops->paragraph(d, _(prose_of(call->noun)));
	if (whole && !strcmp(call->noun, "shell"))
		doc_builtins(d);
	if (d->brief || whole)
		examples(d, call->noun, call->action);
	d->title = d->brief ? _("Options") : NULL;
	d->ops->items(d, 1);
	if (call->command)
		doc_options(d, call->command->opts);
	fields(d, call->in_kind, call->in_flag, "");
	short_forms(d, call);
	if ((v && (v->flags & SV_MANY)) || (call->command && (call->command->flags & CMD_OUTPUT)))
		doc_options(d, opts_list);
	if (v && v->method != SV_GET)
		doc_options(d, opts_change);
	if (v && !d->brief)
		doc_options(d, opts_call);
	if (v && (v->flags & SV_ASYNC))
		doc_options(d, opts_wait);
	d->ops->items(d, 0);
	if (d->brief)
		d->ops->paragraph(d, _("Options of every command: svctl help."));
}

static void hyphened(struct text *t, const char *name)
{
	for (; *name; name++)
		text_chr(t, *name == '_' ? '-' : *name);
}

void doc_noun(struct doc *d, const char *noun, const struct sv_kind *kind)
{
	struct action all[64];
	size_t n = actions_of(noun, kind, all, COUNT(all));
	const char *prose = prose_of(noun);

	if (kind)
		d->ops->paragraph(d, _(kind->help));
	if (prose)
		d->ops->paragraph(d, _(prose));
	d->ops->section(d, _("Verbs"));
	d->ops->items(d, 1);
	for (size_t i = 0; i < n; i++) {
		struct text name = { 0 };

		hyphened(&name, all[i].name);
		d->ops->item(d, text_of(&name), _(all[i].help));
		text_free(&name);
	}
	d->ops->items(d, 0);
	examples(d, noun, NULL);
}

void doc_nouns(struct doc *d)
{
	const char *noun, *help;
	const struct sv_kind *kind;

	d->ops->items(d, 1);
	for (size_t i = 0; (noun = noun_at(i, &kind, &help)) != NULL; i++)
		d->ops->item(d, noun, _(help));
	d->ops->items(d, 0);
}

void doc_exit_codes(struct doc *d)
{
	static const struct {
		int code;
		const char *text;
	} codes[] = {
		{ 0, N_("done, also an empty list") },
		{ 1, N_("unclassified") },
		{ 2, N_("usage, or refused as invalid, or a confirmation that could not be asked; "
			"nothing was created") },
		{ 3, N_("configuration: no key, an unreadable or unsafe file; nothing was sent") },
		{ 4, N_("refused: no key, a wrong one, or one that may not do this") },
		{ 5, N_("not found") },
		{ 6, N_("conflict, wrong state, exists, ambiguous") },
		{ 7, N_("no capacity, quota, balance, budget, or the price is above the limit") },
		{ 8, N_("waiting ran out; the work goes on") },
		{ 9, N_("unreachable, TLS, a failure of the service, too many requests") },
		{ 10, N_("the awaited thing failed") },
		{ 11, N_("some of several targets failed") },
		{ 12, N_("the user said no") },
		{ 16, N_("something differs (diff --exit-code)") },
		{ 130, N_("interrupted; also 141 and 143 after signals") },
	};

	d->ops->items(d, 1);
	for (size_t i = 0; i < COUNT(codes); i++) {
		char term[16];

		snprintf(term, sizeof(term), "%d", codes[i].code);
		d->ops->item(d, term, _(codes[i].text));
	}
	d->ops->items(d, 0);
	d->ops->paragraph(
		d, _("instance ssh and instance exec pass the status of the program on."));
}

void doc_filters(struct doc *d)
{
	static const struct {
		const char *term, *text;
	} all[] = {
		{ "FIELD=VALUE, FIELD!=VALUE", N_("the field is, or is not, exactly this") },
		{ "FIELD<VALUE <= > >=",
			N_("less or more: numbers, sizes, durations, times and money by "
			   "their value, text by its bytes") },
		{ "auto_stop.max_cost>5", N_("nested fields with dots") },
		{ "labels.owner=me", N_("one label") },
		{ "size_gib>=1TiB, created_at<-7d", N_("values are written as in options") },
	};

	d->ops->items(d, 1);
	for (size_t i = 0; i < COUNT(all); i++)
		d->ops->item(d, all[i].term, _(all[i].text));
	d->ops->items(d, 0);
	d->ops->paragraph(d, _("Several --filter hold together. What the service can filter by it "
			       "does: equality of the options that list has. The rest is done by "
			       "svctl, page by page. What is not known is neither less nor more. "
			       "svctl explain NOUN names the fields."));
}

static const struct {
	const char *name, *text;
} formats[] = {
	{ "csv", N_("RFC 4180; a text that a spreadsheet would run as a formula gets an "
		    "apostrophe before it") },
	{ "id", N_("ids, one a line") },
	{ "json", N_("one object, or an array; prices are strings, as on the wire") },
	{ "jsonl", N_("one object a line") },
	{ "name", N_("names, one a line") },
	{ "table", N_("columns for people; off a terminal never cut, and times are "
		      "absolute") },
	{ "tsv", N_("tabs between values; tabs and line ends inside them are \\t and \\n") },
	{ "wide", N_("the table with more columns") },
	{ "yaml", N_("the same as json") },
};

const char *format_help(const char *name)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		if (!strcmp(formats[i].name, name))
			return formats[i].text;
	return "";
}

void doc_formats(struct doc *d)
{
	d->ops->items(d, 1);
	for (size_t i = 0; i < COUNT(formats); i++)
		d->ops->item(d, formats[i].name, _(formats[i].text));
	d->ops->items(d, 0);
}

void doc_environment(struct doc *d)
{
	static const struct {
		const char *name, *text;
	} all[] = {
		{ "STARVERSE_API_KEY", N_("API key") },
		{ "STARVERSE_API_KEY_FILE", N_("file that holds the API key") },
		{ "STARVERSE_CONFIG", N_("configuration file") },
		{ "STARVERSE_ENDPOINT", N_("where to send requests") },
		{ "STARVERSE_PROFILE", N_("profile of the configuration") },
		{ "CLICOLOR_FORCE", N_("colour also where it is no terminal") },
		{ "NO_COLOR", N_("no colour") },
		{ "PAGER", N_("as SVCTL_PAGER, after it") },
		{ "SVCTL_COMPLETION_MS",
			N_("how long completion may ask for names, 250 when not set") },
		{ "SVCTL_DEBUG", N_("as --debug") },
		{ "SVCTL_NO_INPUT", N_("never ask") },
		{ "SVCTL_OUTPUT", N_("as --output") },
		{ "SVCTL_PAGER", N_("program that long answers go through on a terminal; empty for "
				    "none; less -FRX when not set") },
	};

	d->ops->items(d, 1);
	for (size_t i = 0; i < COUNT(all); i++)
		d->ops->item(d, all[i].name, _(all[i].text));
	d->ops->items(d, 0);
}
