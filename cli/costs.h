/* SPDX-License-Identifier: MIT */
/* What charts, reports and statements are made of: whole lists of money, fetched and added up in
 * exact integers. */
#ifndef SVCTL_COSTS_H
#define SVCTL_COSTS_H

#include <stdint.h>

#include <starverse/billing.h>

#include "args.h"
#include "mem.h"

/* Runs a list of amounts to its end; take is given every page, and answers 1 when they add up to
 * more than a number holds. 0, or an exit status after an error was printed. */
typedef int costs_take(void *data, const struct sv_page *page);
int costs_pages(struct call *call, const struct sv_verb *verb, void *in, costs_take *take,
	void *data);

/* Usage summed up. */
struct cost {
	char *key, *name; /* key NULL: what has none */
	int64_t started_at, seconds, cost;
};
struct costs {
	struct cost *v;
	size_t n;
	int64_t seconds, compute, cost; /* of all; compute: seconds of machines alone */
};
/* All sums of a filter (its by is set here). 0, or an exit status after an error was printed. */
int costs_fetch(
	struct call *call, struct sv_usage_filter *filter, const char *by, struct costs *ret);
void costs_free(struct costs *c);
/* The dearest first. */
void costs_sort(struct costs *c);
/* Stretches of time without usage are there, too, so many seconds each, up to the last one with
 * usage. 1 when they are more than most: then only the newest are left. */
int costs_fill(struct costs *c, int64_t seconds, int64_t most);
/* What a person calls it. */
const char *cost_label(const struct cost *c);

/* Money that came, or went without being used. */
struct movement {
	int64_t time, amount;
	char *kind, *note;
};
/* The balance over time: what is there now, and all that changed it since a second. */
struct course {
	int64_t now;            /* cash and credit, less what is used and not posted */
	struct movement *moves; /* all but usage */
	size_t n;
	struct costs used; /* by hour or day */
	int64_t by_seconds;
	struct sv_account *account;
};
int course_fetch(struct call *call, int64_t since, const char *by, struct course *ret);
void course_free(struct course *c);
/* The balance after a second; usage counts at the last one of its hour or day. */
int64_t course_at(const struct course *c, int64_t at);
/* Sum of what came (sign 1) or went (-1) in [since, until). */
int64_t course_moved(const struct course *c, int64_t since, int64_t until, int sign);

/* Exact, with 2 to 6 places. */
void money_text(struct text *t, int64_t micro);
/* "3d4h", as tables show it. */
void seconds_text(struct text *t, int64_t seconds);
/* A second of the wire's form. */
void time_text(struct text *t, int64_t at);

#endif
