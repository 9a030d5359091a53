/* SPDX-License-Identifier: MIT */
/* Lines as they were typed: which word is at the cursor, and how what fits is written there. Also
 * the commands that shells call. */
#include <string.h>

#include "command.h"
#include "complete.h"
#include "errors.h"
#include "out.h"
#include "shell.h"
#include "words.h"

/* How many bytes of the raw text bash takes for words of their own, as it ends words at more places
 * than sh does: it only replaces what comes after the last of them. */
static size_t broken_off(const char *raw, size_t len, const char *breaks)
{
	size_t last = 0;

	for (size_t i = 0; i < len; i++) {
		if (raw[i] == '\\')
			i++;
		else if (strchr(breaks, raw[i]))
			last = i + 1;
	}
	return last < len ? last : len;
}

/* Bytes of the word that the first raw bytes stand for. */
static size_t meaning(const char *raw, size_t len)
{
	struct cursor c;
	size_t n;

	words_cursor(raw, len, &c);
	n = c.word.n;
	cursor_free(&c);
	return n;
}

static void write_rest(struct fit *f, const struct cursor *c, size_t skip)
{
	struct text t = { 0 };

	words_quote(&t, f->word + (skip < strlen(f->word) ? skip : 0), c->quote);
	mem_free(f->text);
	f->text = t.s;
}

/* The whole word anew, in quotes where it had begun in them. */
static void write_whole(struct fit *f, const struct cursor *c)
{
	struct text t = { 0 };

	if (c->quote)
		text_chr(&t, c->quote);
	words_quote(&t, f->word, c->quote);
	if (c->quote && !f->open)
		text_chr(&t, c->quote);
	mem_free(f->text);
	f->text = t.s;
}

static void for_bash(
	const char *line, size_t len, const char *breaks, const struct cursor *c, struct fits *ret)
{
	size_t skip = 0, cut;

	if (c->quote) {
		skip = meaning(line + c->from, c->inside - 1 - c->from);
	} else {
		cut = broken_off(line + c->from, len - c->from, breaks);
		skip = cut ? meaning(line + c->from, cut) : 0;
	}
	for (size_t i = 0; i < ret->n; i++)
		write_rest(&ret->v[i], c, skip);
}

/* The shell's own words stand before and among the others. */
static void in_shell(struct app *a, const struct cursor *c, struct fits *ret)
{
	size_t skip = builtin_skips(&c->words);
	struct completion own = { .app = a, .part = text_of(&c->word), .ret = ret };

	if (c->words.n == 1 && !strcmp(c->words.v[0], "use")) {
		complete_profiles(&own);
		return;
	}
	for (size_t i = 0; !c->words.n && builtin_at(i); i++)
		fits_offer(&own, builtin_at(i)->name, _(builtin_at(i)->help), 0);
	complete(a, c->words.n - skip, c->words.v + skip, text_of(&c->word), ret);
}

void complete_line(
	struct app *a, const char *line, size_t len, const char *breaks, struct fits *ret)
{
	struct cursor c;
	size_t command = breaks ? 1 : 0; /* bash's line begins with our own name */

	*ret = (struct fits){ 0 };
	words_cursor(line, len, &c);
	ret->from = c.from;
	ret->files = c.file || c.program;
	if (!breaks && !c.file && !c.program)
		in_shell(a, &c, ret);
	else if (!c.file && !c.program && c.words.n >= command)
		complete(a, c.words.n - command, c.words.v + command, text_of(&c.word), ret);
	if (breaks)
		for_bash(line, len, breaks, &c, ret);
	else
		for (size_t i = 0; i < ret->n; i++)
			write_whole(&ret->v[i], &c);
	cursor_free(&c);
}

/* "word  (help)", in a column. */
static void menu(struct app *a, const struct fits *f)
{
	size_t width = 0, w;

	for (size_t i = 0; i < f->n; i++) {
		w = text_width(f->v[i].text, strlen(f->v[i].text));
		width = w > width ? w : width;
	}
	for (size_t i = 0; i < f->n; i++) {
		sink_str(&a->out, f->v[i].text);
		if (*f->v[i].help) {
			w = text_width(f->v[i].text, strlen(f->v[i].text));
			sink_pad(&a->out, width - w + 2);
			sink_fmt(&a->out, "(%s)", f->v[i].help);
		}
		sink_chr(&a->out, '\n');
	}
}

/* A line each: the word, its help, and + where more may follow; files alone are an empty word. */
static void print(struct app *a, const struct fits *f)
{
	for (size_t i = 0; i < f->n; i++)
		sink_fmt(&a->out, "%s\t%s%s\n", f->v[i].text, f->v[i].help,
			f->v[i].open ? "\t+" : "");
	if (f->files)
		sink_str(&a->out, "\tfiles\n");
}

int cmd_complete(struct call *call)
{
	const char *line = opt_value(call, OPT_LINE), *breaks = opt_value(call, OPT_BREAKS);
	struct words *w = &call->plain;
	struct fits fits = { 0 };
	int64_t at = 0;
	int rc = opt_int(call, OPT_CWORD, w->n ? (int64_t)w->n - 1 : 0, &at);

	if (!rc && (at < 0 || (size_t)at > w->n))
		rc = usage_error(call, _("--cword %lld: there are %zu words"), (long long)at, w->n);
	if (rc)
		return rc;
	if (line)
		complete_line(call->app, line, strlen(line), breaks ? breaks : "", &fits);
	else
		complete(call->app, (size_t)at, w->v, (size_t)at < w->n ? w->v[at] : "", &fits);
	if (opt_on(call, OPT_MENU) && fits.n > 1)
		menu(call->app, &fits);
	else
		print(call->app, &fits);
	fits_free(&fits);
	return 0;
}

static const struct {
	const char *name, *text;
} scripts[] = {
#include "scripts.inc"
};

int cmd_completion(struct call *call)
{
	struct nearest near = { .word = call->plain.n ? call->plain.v[0] : "" };

	if (call->plain.n != 1)
		return usage_error(call, _("of which shell: bash, zsh or fish?"));
	for (size_t i = 0; i < COUNT(scripts); i++) {
		if (!strcmp(scripts[i].name, near.word)) {
			sink_str(&call->app->out, scripts[i].text);
			return 0;
		}
		nearest_offer(&near, scripts[i].name);
	}
	return usage_near(call, near.best, _("no completion for %s: bash, zsh or fish"), near.word);
}
