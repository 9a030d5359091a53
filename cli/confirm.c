/* SPDX-License-Identifier: MIT */
/* Questions. They are asked only where someone can answer, and never with a guess. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <starverse/config.h>

#include "errors.h"
#include "generic.h"

static int needed(struct call *call)
{
	int status;
	const struct sv_config *config = app_config(call->app, &status);

	if (!call->verb || !(call->verb->flags & SV_CONFIRM) || opt_on(call, OPT_DRY_RUN))
		return 0;
	return !call->app->given.yes || (config && config->protected_profile && call->app->in_tty);
}

int confirm_possible(struct call *call)
{
	struct app *a = call->app;

	if (!needed(call) || (a->in_tty && a->err_tty && !a->env.no_input))
		return 0;
	return fail_hint(a, EXIT_USAGE, _("add --yes to do it without being asked"),
		_("%s %s loses data and cannot ask here: stdin and stderr are not a terminal"),
		call->kind->name, call->verb->name);
}

/* The shell holds signals back while a command runs, and a question must not outlive its Ctrl-C. */
static ssize_t next(char *c)
{
	struct pollfd ready = { .fd = STDIN_FILENO, .events = POLLIN };

	while (poll(&ready, 1, 50) <= 0)
		if (hold_signal())
			return -1;
	return hold_signal() ? -1 : read(STDIN_FILENO, c, 1);
}

/* A line of the terminal without its end; NULL at the end of input, or when a signal came. */
static char *answer_line(void)
{
	struct text t = { 0 };
	char c;
	ssize_t k;

	while ((k = next(&c)) == 1 && c != '\n' && t.n < 1024)
		text_chr(&t, c);
	if (k < 0 || (!k && !t.n)) {
		text_free(&t);
		return NULL;
	}
	while (t.n && t.s[t.n - 1] == '\r')
		t.s[--t.n] = '\0';
	if (!t.s)
		text_str(&t, "");
	return t.s;
}

static void ask(const struct call *call, const struct target *t, size_t n, const char *want)
{
	struct text q = { 0 };

	for (size_t i = 0; i < n; i++)
		if (!t[i].status) {
			text_fmt(&q, "  %s ", call->kind->name);
			safe_text(&q, t[i].name);
			text_fmt(&q, " (%s)\n", t[i].id);
		}
	text_fmt(&q, _("This will %s:\n"), _(call->verb->help));
	fputs(text_of(&q), stderr);
	fprintf(stderr, _("Type %s to go on: "), want);
	fflush(stderr);
	text_free(&q);
}

int confirm(struct call *call, const struct target *t, size_t n)
{
	struct text want = { 0 };
	char *typed;
	size_t good = 0, only = 0;
	int yes;

	for (size_t i = 0; i < n; i++)
		if (!t[i].status) {
			good++;
			only = i;
		}
	if (!needed(call) || !good)
		return 0;
	if (good == 1)
		safe_text(&want, t[only].name);
	else
		text_fmt(&want, "%zu", good);
	ask(call, t, n, text_of(&want));
	typed = answer_line();
	yes = typed && !strcmp(typed, text_of(&want));
	mem_free(typed);
	text_free(&want);
	if (!yes && hold_signal())
		return 128 + hold_signal();
	return yes ? 0 : fail_text(call->app, EXIT_REFUSED, _("not confirmed; nothing was done"));
}

int confirm_word(struct app *a, const char *what, const char *word)
{
	char *typed;
	int yes;

	(void)a;
	fprintf(stderr, "%s\n", what);
	fprintf(stderr, _("Type %s to go on: "), word);
	fflush(stderr);
	typed = answer_line();
	yes = typed && !strcmp(typed, word);
	mem_free(typed);
	return yes;
}
