/* SPDX-License-Identifier: MIT */
/* apply, diff and delete of files. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "stack.h"

/* The plan as the answer: text, or rows. */
static int tell(const struct stack *s)
{
	struct text t = { 0 };

	if (!out_is_text(s->call))
		return stack_answer(s);
	stack_show(s, &t);
	sink_str(&s->call->app->out, text_of(&t));
	text_free(&t);
	return 0;
}

/* The plan as a remark, before it is done. */
static void remark(const struct stack *s)
{
	struct text t = { 0 };

	if (s->call->app->given.quiet || s->call->app->json_errors)
		return;
	stack_show(s, &t);
	fputs(text_of(&t), stderr);
	fflush(stderr);
	text_free(&t);
}

static size_t count(const struct stack *s, enum act act)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->items[i].act == act;
	return n;
}

/* What differs in what cannot be changed ends it before anything is done. */
static int refused(const struct stack *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct item *it = &s->items[i];
		size_t k = 0;

		if (it->act != ACT_REFUSED)
			continue;
		while (it->changes[k].verb)
			k++;
		return fail_hint(s->call->app, EXIT_CONFLICT, it->hint,
			_("%s:%d: %s %s: %s cannot be changed from %s to %s"), it->file, it->line,
			it->kind->name, it->name, it->changes[k].field,
			it->changes[k].from ? it->changes[k].from : "-",
			it->changes[k].to ? it->changes[k].to : "-");
	}
	return 0;
}

/* A wrong -o must be known before anything is sent. */
static int prepare(struct stack *s, int write)
{
	int status = 0, rc = 0;

	if (opt_on(s->call, OPT_PRUNE) && !opt_value(s->call, OPT_STACK) &&
		words_has(&s->call->opt[OPT_FILE], "-"))
		rc = usage_error(s->call, _("--prune of what comes from stdin needs --stack NAME"));
	if (!rc && !app_client(s->call->app, &status))
		rc = status;
	if (!rc)
		rc = record_open(s, write);
	if (!rc)
		rc = stack_look(s);
	if (!rc)
		record_adopt(s);
	return rc;
}

static int plan(struct stack *s, int write)
{
	int rc = prepare(s, write);

	if (!rc)
		rc = stack_compare(s);
	if (!rc)
		rc = stack_prices(s);
	if (!rc && opt_on(s->call, OPT_PRUNE))
		rc = stack_leftovers(s);
	return rc;
}

/* Deleting is asked for by the number of things, or by the name of the only one. */
static int agreed(const struct stack *s)
{
	struct app *a = s->call->app;
	size_t n = count(s, ACT_DELETE);
	struct text want = { 0 };
	int yes;

	if (!n || a->given.yes)
		return 0;
	if (!a->in_tty || !a->err_tty || a->env.no_input)
		return fail_hint(a, EXIT_USAGE, _("add --yes to do it without being asked"),
			_("%s deletes %zu and cannot ask here: stdin and stderr are not a "
			  "terminal"),
			s->call->noun, n);
	for (size_t i = 0; n == 1 && i < s->n; i++)
		if (s->items[i].act == ACT_DELETE)
			text_str(&want, s->items[i].name);
	if (n > 1)
		text_fmt(&want, "%zu", n);
	yes = confirm_word(a, _("What is marked with - is deleted, with all that is on it."),
		text_of(&want));
	text_free(&want);
	return yes ? 0 : fail_text(a, EXIT_REFUSED, _("not confirmed; nothing was done"));
}

int cmd_apply(struct call *call)
{
	struct stack s;
	int rc = stack_read(&s, call);
	int dry = opt_on(call, OPT_DRY_RUN);

	if (!rc)
		rc = stack_output(&s);
	if (!rc)
		rc = plan(&s, !dry);
	if (!rc && dry)
		rc = tell(&s);
	else if (!rc)
		remark(&s);
	if (!rc)
		rc = refused(&s);
	if (!rc && !dry)
		rc = agreed(&s);
	if (!rc && !dry)
		rc = stack_run(&s);
	stack_free(&s);
	return rc;
}

int cmd_diff(struct call *call)
{
	struct stack s;
	int rc = stack_read(&s, call);

	if (!rc)
		rc = plan(&s, 0);
	if (!rc)
		rc = tell(&s);
	if (!rc && opt_on(call, OPT_EXIT_CODE) && count(&s, ACT_NONE) != s.n)
		rc = EXIT_DIFFERS;
	stack_free(&s);
	return rc;
}

/* What is never deleted must be known before anything is. */
static int deletable(const struct stack *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct item *it = &s->items[i];

		if (!sv_verb_find(it->kind, "delete"))
			return fail_text(s->call->app, EXIT_USAGE,
				_("%s:%d: %s %s: there is no svctl %s delete"), it->file, it->line,
				it->kind->name, it->name, it->kind->name);
	}
	return 0;
}

int cmd_delete(struct call *call)
{
	struct stack s;
	int rc = stack_read(&s, call);

	if (!rc)
		rc = stack_output(&s);
	if (!rc)
		rc = deletable(&s);
	if (!rc)
		rc = prepare(&s, !opt_on(call, OPT_DRY_RUN));
	if (!rc)
		rc = stack_order(&s);
	for (size_t i = 0; i < s.n; i++)
		s.items[i].act = s.items[i].id ? ACT_DELETE : ACT_GONE;
	if (!rc && opt_on(call, OPT_DRY_RUN))
		rc = tell(&s);
	else if (!rc)
		remark(&s);
	if (!rc && !opt_on(call, OPT_DRY_RUN)) {
		rc = agreed(&s);
		if (!rc)
			rc = stack_run(&s);
	}
	stack_free(&s);
	return rc;
}
