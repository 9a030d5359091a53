/* SPDX-License-Identifier: MIT */
/* billing balance, billing usage --by. */
#include <string.h>

#include <starverse/account.h>
#include <starverse/billing.h>
#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

/* What the account answers of money, in one line. */
struct line {
	struct sv_set set;
	int64_t available, cash, credit, frozen, arrears, burn_rate_per_hour, runway_seconds,
		balance_alert;
	const char *currency;
};

#define ROW(m, t, hlp, flg) \
	{ \
		.name = #m, .help = hlp, .offset = offsetof(struct line, m), .type = t, \
		.flags = flg \
	}
static const struct sv_field line_fields[] = {
	ROW(available, SV_MONEY, "what can be spent", SV_COL),
	ROW(cash, SV_MONEY, "paid in", SV_COL),
	ROW(credit, SV_MONEY, "given, with an end", SV_COL),
	ROW(frozen, SV_MONEY, "held back for minimums", SV_COL),
	ROW(arrears, SV_MONEY, "owed", SV_COL),
	ROW(burn_rate_per_hour, SV_MONEY, "what accrues now", SV_COL),
	ROW(runway_seconds, SV_SECONDS, "how long it lasts; credit counts until it expires",
		SV_COL),
	ROW(balance_alert, SV_MONEY, "said once when less can be spent", SV_WIDE),
	ROW(currency, SV_STR, "of all amounts", SV_COL),
};
static const struct sv_kind line_kind = { .name = "balance",
	.help = "what can be spent, and for how long",
	.fields = line_fields,
	.n = COUNT(line_fields),
	.size = sizeof(struct line) };

/* A member from where it is to the line, null where it is not known. */
static void take(struct line *to, const struct sv_kind *from_kind, const void *from)
{
	for (size_t i = 0; from && i < COUNT(line_fields); i++) {
		const struct sv_field *f = &line_fields[i];
		const struct sv_field *g = sv_field_find(from_kind, f->name);

		if (!g || g->type != f->type)
			continue;
		memcpy((char *)to + f->offset, (const char *)from + g->offset, 8);
		if (sv_field_is_null(g, from) || !sv_field_has(g, from))
			sv_field_mark_null(f, to);
		else
			sv_field_mark(f, to);
	}
}

/* Whoever divides what is there by what accrues gets more than the runway. */
static int ends_sooner(const struct sv_account *a)
{
	__extension__ typedef __int128 wide;
	wide all = a->balance ? (wide)a->balance->available * 3600 : 0;

	if (sv_is_null(a, runway_seconds) || a->burn_rate_per_hour <= 0 || all <= 0 ||
		a->balance->credit <= 0)
		return 0;
	/* A minute: rates are rounded, and minimums held back. */
	return all / a->burn_rate_per_hour > (wide)a->runway_seconds + 60;
}

int cmd_billing_balance(struct call *call)
{
	const struct sv_kind *account_kind = sv_kind_find("account");
	struct sv_account *account = NULL;
	struct line line = { .available = 0 };
	struct out o;
	int status = 0, rc = out_open(&o, call, &line_kind, 0);
	sv_client *c = rc ? NULL : app_client(call->app, &status);

	if (!c)
		return rc ? rc : status;
	if (sv_account_get(c, &account))
		rc = fail_call(call, sv_client_error(c), NULL);
	if (!rc) {
		take(&line, account_kind, account);
		take(&line, sv_field_find(account_kind, "balance")->kind, account->balance);
		rc = out_item(&o, &line);
	}
	if (!rc && o.format->columns && ends_sooner(account))
		note(call->app, _("some vouchers do not count towards RUNWAY: they expire "
				  "too early, or pay for other things only; see svctl billing "
				  "vouchers"));
	if (!rc)
		rc = out_close(&o);
	else
		out_drop(&o);
	sv_free(account);
	return rc;
}

/* Most people want to see the dearest first, and time as it went by. Where machines and disks may
 * share a line, the time that is shown is that of machines. */
static const struct {
	const char *by, *sort, *columns;
} sums_shown[] = {
	{ "hour", NULL, "key,compute_seconds,cost" },
	{ "day", NULL, "key,compute_seconds,cost" },
	{ "month", NULL, "key,compute_seconds,cost" },
	{ "instance", "-cost", "name,key,seconds,cost" },
	{ "resource", "-cost", "name,key,seconds,cost" },
	{ "gpu", "-cost", "key,seconds,cost" },
	{ "kind", "-cost", "key,seconds,cost" },
	{ NULL, "-cost", "key,compute_seconds,cost" },
};

static void sums_defaults(struct call *call, const char *by)
{
	struct words *columns = &call->opt[OPT_COLUMNS], *sort = &call->opt[OPT_SORT];
	size_t i = 0;

	while (sums_shown[i].by && strcmp(sums_shown[i].by, by) != 0)
		i++;
	if (sums_shown[i].sort && !sort->n)
		words_push(sort, sums_shown[i].sort);
	if (!columns->n)
		words_commas(columns, sums_shown[i].columns);
}

/* What is released has no name any more, but its usage has the one it had. */
static int by_name_then(struct call *call)
{
	struct sv_usage_filter *f = call->in;
	const struct sv_kind *kind = sv_kind_find("instance");
	int status = 0, rc;
	sv_client *c = f->instance.n == 1 ? app_client(call->app, &status) : NULL;
	void *obj = NULL;

	if (!c)
		return status ? status : resolve_refs(call);
	rc = sv_resolve(c, kind, f->instance.v[0], &obj);
	sv_free(obj);
	if (rc != SV_NOTFOUND || !strncmp(f->instance.v[0], kind->prefix, strlen(kind->prefix)))
		return resolve_refs(call);
	note(call->app, _("there is no instance %s now; shown is what was called so"),
		f->instance.v[0]);
	rc = sv_strs_add(f, &f->name, f->instance.v[0]);
	sv_mark(f, name);
	f->instance.n = 0;
	return rc ? fail_text(call->app, 1, _("out of memory")) : resolve_refs(call);
}

int cmd_billing_usage(struct call *call)
{
	const char *by = opt_value(call, OPT_BY);
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("billing"), by ? "sums" : "usage");
	struct sv_error err = { 0 };
	int rc;

	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!call->in)
		call->in = sv_new(call->in_kind);
	/* The two queries are one struct. */
	if (opt_on(call, OPT_CHART)) {
		rc = by_name_then(call);
		return rc ? rc : usage_chart(call, by ? by : "day");
	}
	if (by && sv_field_parse(call->in, call->in, sv_field_find(verb->query, "by"), by, &err))
		return fail_call(call, &err, by);
	if (by)
		sums_defaults(call, by);
	rc = by_name_then(call);
	return rc ? rc : list_verb(call, verb->out, verb, call->in);
}

int cmd_billing_budgets(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("budget"), "list");

	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!call->in)
		call->in = sv_new(call->in_kind);
	return list_verb(call, verb->out, verb, call->in);
}
