/* SPDX-License-Identifier: MIT */
/* Manual pages in mdoc, for the build: svctl __man, svctl __man NOUN. */
#include <ctype.h>
#include <string.h>

#include "doc.h"
#include "errors.h"
#include "said.h"

/* Text with what roff would obey taken from it; a sentence begins a line. */
static void roff(struct sink *out, const char *s)
{
	int start = 1;

	for (; *s; s++) {
		if (s[0] == '.' && s[1] == ' ') {
			sink_str(out, ".\n");
			s++;
			start = 1;
			continue;
		}
		if (start && (*s == '.' || *s == '\''))
			sink_str(out, "\\&");
		if (*s == '\\')
			sink_str(out, "\\e");
		else if (*s == '-')
			sink_str(out, "\\-");
		else
			sink_chr(out, *s);
		start = *s == '\n';
	}
}

/* The same as the argument of a macro: words that are macros themselves are kept from being called.
 */
static void argument(struct sink *out, const char *s)
{
	sink_chr(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			sink_str(out, "\\(dq");
		else if (*s == '\\')
			sink_str(out, "\\e");
		else
			sink_chr(out, *s);
	}
	sink_chr(out, '"');
}

static void section(struct doc *d, const char *title)
{
	sink_str(d->out, ".Sh ");
	for (; *title; title++)
		sink_chr(d->out, (char)toupper((unsigned char)*title));
	sink_chr(d->out, '\n');
	d->fresh = 1;
}

static void subsection(struct doc *d, const char *title)
{
	sink_fmt(d->out, ".Ss %s\n", title);
	d->fresh = 1;
}

static void apart(struct doc *d)
{
	if (!d->fresh)
		sink_str(d->out, ".Pp\n");
	d->fresh = 0;
}

static void paragraph(struct doc *d, const char *text)
{
	apart(d);
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = mem_dup(text, n);

		if (n) {
			roff(d->out, line);
			sink_chr(d->out, '\n');
			d->fresh = 0;
		}
		mem_free(line);
		text += n + (text[n] == '\n');
		if (!n && *text)
			sink_str(d->out, ".Pp\n");
	}
}

static void synopsis_line(struct doc *d, const char *line)
{
	apart(d);
	sink_str(d->out, ".D1 ");
	argument(d->out, line);
	sink_chr(d->out, '\n');
}

static void items(struct doc *d, int begin)
{
	if (!begin && d->list == 2)
		sink_str(d->out, ".El\n");
	d->list = begin;
}

static void item(struct doc *d, const char *term, const char *text)
{
	if (d->list == 1)
		sink_str(d->out, ".Bl -tag -width Ds\n");
	d->list = 2;
	d->fresh = 0;
	sink_str(d->out, ".It ");
	argument(d->out, term);
	sink_chr(d->out, '\n');
	roff(d->out, text);
	sink_chr(d->out, '\n');
}

static void example(struct doc *d, const char *line, const char *text)
{
	apart(d);
	roff(d->out, text);
	sink_fmt(d->out, "%s\n.Dl ", _(":"));
	argument(d->out, line);
	sink_chr(d->out, '\n');
}

const struct doc_ops doc_mdoc = { section, paragraph, synopsis_line, items, item, example };

static void head(struct doc *d, const char *title, const char *part, const char *help)
{
	struct sink *out = d->out;
	const char *name = title;

	sink_str(out, ".Dd $Mdocdate$\n.Dt ");
	for (; *title; title++)
		sink_chr(out, (char)toupper((unsigned char)*title));
	sink_fmt(out, " %s\n.Os\n", part);
	/* Where the language has no blanks, its rules say where lines may end. */
	if (d->rules)
		sink_fmt(out, ".if \\n(.x .mso %s\n", d->rules); /* groff's alone */
	section(d, _("Name"));
	sink_fmt(out, ".Nm %s\n.Nd ", name);
	roff(out, help);
	sink_chr(out, '\n');
}

static void see(struct doc *d, const char *one, const char *other)
{
	section(d, _("See also"));
	sink_fmt(d->out, ".Xr %s ,\n.Xr %s\n", one, other);
}

/* One verb as a subsection with all its options. */
static void verb(
	struct doc *d, const char *noun, const struct sv_kind *kind, const struct action *a)
{
	struct words words = { 0 };
	struct call call;

	(void)kind;
	words_push(&words, "--help");
	words_push(&words, noun);
	words_push(&words, a->name);
	if (!args_read(d->app, words.n, words.v, &call)) {
		sink_str(d->out, ".Ss ");
		for (const char *p = a->name; *p; p++)
			sink_chr(d->out, *p == '_' ? '-' : *p);
		sink_chr(d->out, '\n');
		d->fresh = 1;
		doc_action(d, &call);
	}
	args_free(&call);
	words_free(&words);
}

/* A noun that is a command. */
static void one_command(struct doc *d, const char *noun)
{
	struct words words = { 0 };
	struct call call;

	words_push(&words, "--help");
	words_push(&words, noun);
	if (!args_read(d->app, words.n, words.v, &call)) {
		section(d, _("Description"));
		doc_action(d, &call);
	}
	args_free(&call);
	words_free(&words);
	see(d, "svctl 1", "starverse 5");
}

static int noun_page(struct doc *d, const char *noun, const struct sv_kind *kind, const char *help)
{
	struct action all[64];
	size_t n = actions_of(noun, kind, all, COUNT(all));
	struct text name = { 0 };

	text_fmt(&name, "svctl-%s", noun);
	head(d, text_of(&name), "1", _(help));
	text_free(&name);
	if (command_find(noun, "")) {
		one_command(d, noun);
		return 0;
	}
	section(d, _("Synopsis"));
	sink_fmt(d->out, ".Nm svctl\n.Cm %s\n.Ar %s\n.Op Ar %s ...\n.Op Ar %s ...\n", noun,
		_("verb"), _("name"), _("option"));
	section(d, _("Description"));
	doc_noun(d, noun, kind);
	section(d, _("Commands"));
	for (size_t i = 0; i < n; i++)
		verb(d, noun, kind, &all[i]);
	see(d, "svctl 1", "starverse 5");
	return 0;
}

static void main_page(struct doc *d)
{
	head(d, "svctl", "1", _("rent accelerators by the second"));
	section(d, _("Synopsis"));
	sink_fmt(d->out, ".Nm\n.Op Ar %s ...\n.Ar %s\n.Ar %s\n.Op Ar %s ...\n.Op Ar %s ...\n",
		_("option"), _("noun"), _("verb"), _("name"), _("option"));
	section(d, _("Description"));
	d->ops->paragraph(d,
		_("Every command is a noun and a verb. A name is accepted where it matches exactly "
		  "one thing; id:X and name:X force the reading. What takes time is waited for, "
		  "with progress on stderr, unless --no-wait is given. stdout is the answer and "
		  "nothing else.\n\nWith no configuration at all the profile is local: the whole "
		  "service on this machine, started when it is first asked for."));
	subsection(d, _("Nouns"));
	doc_nouns(d);
	subsection(d, _("Options of every command"));
	d->ops->items(d, 1);
	doc_options(d, opts_global);
	doc_options(d, opts_call);
	doc_options(d, opts_list);
	doc_options(d, opts_change);
	doc_options(d, opts_wait);
	d->ops->items(d, 0);
	subsection(d, _("Formats"));
	doc_formats(d);
	subsection(d, _("Filters"));
	doc_filters(d);
	section(d, _("Environment"));
	doc_environment(d);
	section(d, _("Exit status"));
	doc_exit_codes(d);
	see(d, "starverse 3", "starverse 5");
}

/* starverse-errors(3): the table of failures. */
static void errors_page(struct doc *d)
{
	const struct sv_error_row *r;

	head(d, "starverse-errors", "3", _("failures of starverse calls"));
	section(d, _("Description"));
	d->ops->paragraph(d,
		_("Every call that can fail gives SV_OK or a negative enum sv_code. The word of "
		  "the service's answer decides which; the HTTP status only where there is none. "
		  "Details are in struct sv_error."));
	d->ops->items(d, 1);
	for (size_t i = 0; (r = sv_error_rows(i)) != NULL; i++) {
		struct text term = { 0 }, text = { 0 };

		if (*r->wire)
			text_fmt(&term, "%s%s", r->wire, _(", "));
		text_fmt(&term, _("code %d"), r->code);
		said(r->text, &text);
		text_str(&text, _("; "));
		if (r->http_status)
			text_fmt(&text, "HTTP %d%s", r->http_status, _(", "));
		text_fmt(&text, _("exit status %d"), r->exit);
		d->ops->item(d, text_of(&term), text_of(&text));
		text_free(&term);
		text_free(&text);
	}
	d->ops->items(d, 0);
	see(d, "svctl 1", "starverse 3");
}

int cmd_man(struct call *call)
{
	char catalogue[I18N_PATH];
	struct doc d = { .ops = &doc_mdoc,
		.out = &call->app->out,
		.app = call->app,
		.rules = i18n_file(catalogue) ? "zh.tmac" : NULL };
	const char *noun, *help;
	const struct sv_kind *kind;

	if (!call->plain.n) {
		main_page(&d);
		return 0;
	}
	if (!strcmp(call->plain.v[0], "__errors")) {
		errors_page(&d);
		return 0;
	}
	for (size_t i = 0; (noun = noun_at(i, &kind, &help)) != NULL; i++)
		if (!strcmp(noun, call->plain.v[0]))
			return noun_page(&d, noun, kind, help);
	return fail_text(call->app, EXIT_MISSING, _("no such noun: %s"), call->plain.v[0]);
}
