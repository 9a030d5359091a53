/* SPDX-License-Identifier: MIT */
/* What is shown while work goes on. Always on stderr. */
#include "progress.h"

#include <stdio.h>
#include <string.h>

#include <starverse/operation.h>

#include "generic.h"
#include "out.h"
#include "said.h"

/* A line that is rewritten in place needs a terminal that can. */
static int rewrites(const struct app *a)
{
	return a->err_tty && a->env.term && strcmp(a->env.term, "dumb") != 0;
}

void progress_begin(struct progress *p, struct app *a, const char *name)
{
	*p = (struct progress){ .app = a, .name = name };
	clock_gettime(CLOCK_MONOTONIC, &p->begun);
	a->progress = p;
}

void progress_end(struct progress *p)
{
	progress_clear(p->app);
	if (p->app->progress == p)
		p->app->progress = NULL;
}

void progress_clear(struct app *a)
{
	if (!a->progress_open)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	a->progress_open = 0;
}

static long elapsed(const struct progress *p)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)(now.tv_sec - p->begun.tv_sec);
}

void price_of(struct app *a, const struct sv_kind *kind, const void *obj, struct text *ret)
{
	struct out o = { .app = a };
	struct column c;
	struct text t = { 0 };

	if (!column_find(kind, "price_per_hour", &c, NULL))
		return;
	if (column_text(&c, obj, &t) && strspn(text_of(&t), "0.") != t.n)
		column_human(&o, &c, obj, ret);
	column_free(&c);
	text_free(&t);
}

void progress_cost(struct progress *p, const struct sv_kind *kind, const void *obj)
{
	struct text t = { 0 };

	price_of(p->app, kind, obj, &t);
	if (t.n)
		snprintf(p->cost, sizeof(p->cost), _(", %.32s an hour"), text_of(&t));
	text_free(&t);
}

/* One line that is written over: what, for how long, for how much. */
static void rewrite(struct progress *p)
{
	struct app *a = p->app;
	struct text t = { 0 };

	p->shown = elapsed(p);
	safe_text(&t, p->name);
	text_str(&t, _(": "));
	safe_text(&t, p->last);
	text_fmt(&t, " (%lds%s)", p->shown, p->cost);
	fprintf(stderr, "\r%.*s\033[K",
		(int)text_fit(t.s, t.n, a->width > 1 ? (size_t)a->width - 1 : 79), t.s);
	fflush(stderr);
	a->progress_open = 1;
	text_free(&t);
}

void progress_tick(struct app *a)
{
	if (a->progress && a->progress_open && elapsed(a->progress) != a->progress->shown)
		rewrite(a->progress);
}

void progress_say(struct progress *p, const char *what)
{
	struct text t = { 0 };
	struct app *a = p->app;

	if (a->given.quiet || !strcmp(p->last, what))
		return;
	snprintf(p->last, sizeof(p->last), "%s", what);
	if (rewrites(a)) {
		rewrite(p);
		return;
	}
	safe_text(&t, p->name);
	text_str(&t, _(": "));
	safe_text(&t, what);
	fprintf(stderr, "%s\n", text_of(&t));
	fflush(stderr);
	text_free(&t);
}

/* A line that stays. */
static void milestone(struct progress *p, const char *step, const char *status)
{
	struct text t = { 0 }, told = { 0 };

	progress_clear(p->app);
	safe_text(&t, p->name);
	text_str(&t, _(": "));
	safe_text(&t, said(step, &told));
	fprintf(stderr, "%s %s\n", text_of(&t), status);
	text_free(&t);
	text_free(&told);
}

static void steps(struct progress *p, const struct sv_operation *op)
{
	for (size_t i = 0; i < op->steps.n && i < COUNT(p->seen) * 16; i++) {
		const struct sv_operation_step *s = op->steps.v[i];
		unsigned *seen = &p->seen[i / 16], bit = 1U << (i % 16 * 2);

		if (!s->name || !s->status)
			continue;
		if (!strcmp(s->status, "running") && !(*seen & bit)) {
			struct text told = { 0 };

			*seen |= bit;
			if (rewrites(p->app))
				progress_say(p, said(s->name, &told));
			text_free(&told);
		} else if (strcmp(s->status, "pending") != 0 && strcmp(s->status, "running") != 0 &&
			   !(*seen & bit << 1)) {
			*seen |= bit << 1;
			if (!strcmp(s->status, "skipped"))
				continue;
			milestone(p, s->name,
				!strcmp(s->status, "succeeded") ? _("done")
				: !strcmp(s->status, "failed")  ? _("failed")
				: !strcmp(s->status, "undone")  ? _("undone")
								: s->status);
		}
	}
}

void progress_step(void *data, const struct sv_kind *kind, const void *obj)
{
	struct progress *p = data;
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);

	if (p->app->given.quiet)
		return;
	if (!strcmp(kind->name, "operation"))
		steps(p, obj);
	else if (state)
		progress_say(p, member_text(kind, obj, state->name));
}
