/* SPDX-License-Identifier: MIT */
/* billing balance, billing usage --by. */
#include <string.h>

#include <starverse/account.h>
#include <starverse/billing.h>
#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

int cmd_billing_balance(struct call *call)
{
	const struct sv_field *f = sv_field_find(sv_kind_find("account"), "balance");
	struct sv_account *account = NULL;
	struct out o;
	int status = 0, rc = out_open(&o, call, f->kind, 0);
	sv_client *c = rc ? NULL : app_client(call->app, &status);

	if (!c)
		return rc ? rc : status;
	if (sv_account_get(c, &account))
		rc = fail_call(call, sv_client_error(c), NULL);
	if (!rc && account->balance)
		rc = out_item(&o, account->balance);
	if (!rc)
		rc = out_close(&o);
	else
		out_drop(&o);
	sv_free(account);
	return rc;
}

/* Most people want to see the dearest first, and time as it went by. */
static void sums_defaults(struct call *call, const char *by)
{
	static const char *const times[] = { "hour", "day", "month" };
	struct words *columns = &call->opt[OPT_COLUMNS];
	int timely = 0, named = !strcmp(by, "instance") || !strcmp(by, "resource");

	for (size_t i = 0; i < COUNT(times); i++)
		timely |= !strcmp(by, times[i]);
	if (!timely && !call->opt[OPT_SORT].n)
		words_push(&call->opt[OPT_SORT], "-cost");
	if (!columns->n)
		words_commas(columns, named ? "name,key,seconds,cost" : "key,seconds,cost");
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
		rc = resolve_refs(call);
		return rc ? rc : usage_chart(call, by ? by : "day");
	}
	if (by && sv_field_parse(call->in, call->in, sv_field_find(verb->query, "by"), by, &err))
		return fail_call(call, &err, by);
	if (by)
		sums_defaults(call, by);
	rc = resolve_refs(call);
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
