/* SPDX-License-Identifier: MIT */
/* billing tco: what owning and renting come to, side by side. */
#include <string.h>

#include <starverse/billing.h>
#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

/* A line of the table. */
struct line {
	struct sv_set set;
	const char *item, *own, *rent, *at_cost;
};

#define COLUMN(m, hlp) \
	{ \
		.name = #m, .help = hlp, .offset = offsetof(struct line, m), .type = SV_STR, \
		.flags = SV_COL \
	}
static const struct sv_field line_fields[] = {
	COLUMN(item, "what"),
	COLUMN(own, "when it is owned"),
	COLUMN(rent, "when it is rented"),
	COLUMN(at_cost, "when so much is paid for it"),
};
static const struct sv_kind line_kind = { .name = "tco_line",
	.help = "a line",
	.fields = line_fields,
	.n = 4,
	.size = sizeof(struct line) };
/* Without the last column. */
static const struct sv_kind short_kind = { .name = "tco_line",
	.help = "a line",
	.fields = line_fields,
	.n = 3,
	.size = sizeof(struct line) };

/* Which field of the answer stands where; NULL for a cell that is empty. */
static const struct {
	const char *item, *own, *rent, *at_cost;
} rows[] = {
	{ N_("use"), NULL, "use_percent", "at_cost_use_percent" },
	{ N_("one-off"), "own_capex", NULL, NULL },
	{ N_("a month"), "own_monthly", "rent_monthly", NULL },
	{ N_("%s years"), "own_total", "rent_total", "at_cost" },
	{ N_("saving"), NULL, "saving", "at_cost_saving" },
	{ N_("saving, share"), NULL, "saving_percent", "at_cost_saving_percent" },
	{ N_("break-even, months"), "break_even_months", NULL, NULL },
	{ N_("break-even, hours"), "break_even_hours", NULL, NULL },
	{ N_("break-even, use"), "break_even_use_percent", NULL, NULL },
};

static const char *cell(
	struct out *o, const struct sv_kind *kind, const void *obj, const char *name)
{
	struct column c;
	struct text t = { 0 };
	const char *ret = NULL;

	if (!name || !column_find(kind, name, &c, NULL))
		return "";
	column_human(o, &c, obj, &t);
	ret = sv_strdup_in((void *)(uintptr_t)obj, text_of(&t));
	column_free(&c);
	text_free(&t);
	return ret;
}

static int table(struct out *o, const struct sv_kind *kind, const struct sv_tco *tco)
{
	struct text years = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < COUNT(rows); i++) {
		struct line l = { .item = _(rows[i].item),
			.own = cell(o, kind, tco, rows[i].own),
			.rent = cell(o, kind, tco, rows[i].rent),
			.at_cost = cell(o, kind, tco, rows[i].at_cost) };

		if (rows[i].own && !strcmp(rows[i].own, "own_total")) {
			text_fmt(&years, l.item, cell(o, kind, tco, "years"));
			l.item = text_of(&years);
		}
		for (size_t k = 0; k < COUNT(line_fields); k++)
			sv_field_mark(&line_fields[k], &l);
		rc = out_item(o, &l);
	}
	text_free(&years);
	return rc;
}

static int show(struct call *call, const struct sv_kind *kind, const struct sv_tco *tco)
{
	struct out o;
	int rc = out_open(&o, call, kind, 0), people;

	if (rc)
		return rc;
	people = (o.format == &out_table || o.format == &out_wide) && !call->opt[OPT_COLUMNS].n;
	if (people) {
		out_drop(&o);
		rc = out_open(&o, call, sv_is_null(tco, at_cost) ? &short_kind : &line_kind, 1);
		rc = rc ? rc : table(&o, kind, tco);
	} else {
		rc = out_item(&o, tco);
	}
	return rc ? rc : out_close(&o);
}

int cmd_billing_tco(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("billing"), "tco");
	struct sv_tco *tco = NULL;
	int status = 0, rc = take_positionals(call, 0);

	if (!rc)
		rc = check_body(call);
	if (!rc && !app_client(call->app, &status))
		rc = status;
	if (!rc && sv_billing_tco(call->app->client, call->in, &tco))
		rc = fail_call(call, sv_client_error(call->app->client), NULL);
	if (!rc)
		rc = show(call, verb->out, tco);
	sv_free(tco);
	return rc;
}
