/* SPDX-License-Identifier: MIT */
/* Budgets: tables only. */
#include <starverse/budget.h>

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"

#define WARNINGS_MAX 16

static const struct sv_word periods[] = {
	{ "day", "from midnight to midnight, in UTC", 0 },
	{ "week", "from Monday to Sunday", 0 },
	{ "month", "a month of the calendar", 0 },
	{ 0 },
};

static const struct sv_word actions[] = {
	{ "stop", "compute stops at the last second that fits; disks go on", 0 },
	{ "warn", "events only", 0 },
	{ 0 },
};

static const struct sv_word states[] = {
	{ "ok", "nothing has happened in this period", 0 },
	{ "warned", "one of its warnings has been given", 0 },
	{ "reached", "it is spent, or has stopped something", 0 },
	{ 0 },
};

static int check(const void *obj, struct sv_error *err)
{
	const struct sv_budget *b = obj;
	int64_t v;

	if ((b->amount || sv_has(b, amount)) && b->amount <= 0)
		return sv_err_field(err, "amount", "range", "must be more than 0");
	if (b->warn_percents.n > WARNINGS_MAX)
		return sv_err_field(
			err, "warn_percents", "range", "must be at most %d", WARNINGS_MAX);
	for (size_t i = 0; i < b->warn_percents.n; i++)
		if (sv_parse_money(b->warn_percents.v[i], &v) || v <= 0 ||
			v > INT64_C(100) * 1000000)
			return sv_err_field(err, "warn_percents", "value",
				"must be percentages above 0 and up to 100, such as 80");
	return SV_OK;
}

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_budget, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "bud_3c6m9p"),
	SV_FIELD(struct sv_budget, name, STR, "name, need not be unique",
		SV_NAME | SV_IN | SV_REQUIRED | SV_POSITIONAL | SV_ALWAYS | SV_COL,
		.example = "november"),
	SV_FIELD(struct sv_budget, status, STR, "ok, warned or reached", SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_budget, amount, MONEY, "most of one period",
		SV_IN | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "500"),
	SV_FIELD(struct sv_budget, used, MONEY, "spent in this period", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_budget, remaining, MONEY, "what is left of it",
		SV_ALWAYS | SV_COL | SV_SIGNED),
	SV_FIELD(struct sv_budget, currency, STR, "of all amounts", SV_ALWAYS),
	SV_FIELD(struct sv_budget, period, STR, "how long a period is, month if not given",
		SV_IN | SV_ALWAYS | SV_COL, .words = periods),
	SV_FIELD(struct sv_budget, action, STR, "what happens at its end, stop if not given",
		SV_IN | SV_ALWAYS | SV_COL, .words = actions),
	SV_FIELD(struct sv_budget, warn_percents, STRS,
		"an event when so much of it is spent, 80 if not given",
		SV_IN | SV_ALWAYS | SV_WIDE, .option = "warn", .example = "50,80"),
	SV_FIELD(struct sv_budget, stops_at, TIME,
		"when it stops compute at what runs now; null for not in this period",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_budget, started_at, TIME, "first second of this period", SV_ALWAYS),
	SV_FIELD(struct sv_budget, ends_at, TIME, "second after its last", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_budget, labels, MAP, "free-form labels", SV_IN | SV_ALWAYS | SV_WIDE,
		.option = "label"),
	SV_FIELD(struct sv_budget, created_at, TIME, "when it was set", SV_ALWAYS),
	SV_FIELD(struct sv_budget, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_budget, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_budget_filter),
	SV_SORT_ROW(struct sv_budget_filter),
	SV_FIELD(struct sv_budget_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_budget_filter, period, STRS, "only with these periods", 0),
	SV_FIELD(struct sv_budget_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
};
SV_KIND(sv_budget_filter_kind, struct sv_budget_filter, "budget_filter", "which budgets to list",
	filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/billing/budgets", "list budgets", .query = &sv_budget_filter_kind,
		.out = &sv_budget_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/billing/budgets", "limit what is spent in a period",
		.in = &sv_budget_kind, .out = &sv_budget_kind, .flags = SV_KEYED },
	SV_GET_VERB("/v1/billing/budgets/{id}", "show one budget", &sv_budget_kind),
	{ "update", SV_PATCH, "/v1/billing/budgets/{id}", "change a budget", .in = &sv_budget_kind,
		.out = &sv_budget_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/billing/budgets/{id}", "remove a budget",
		.out = &sv_budget_kind, .flags = SV_CONFIRM },
	{ 0 },
};

SV_KIND(sv_budget_kind, struct sv_budget, "budget", "a limit on spending", fields,
	.plural = "budgets", .prefix = "bud_", .check = check, .verbs = verbs);
