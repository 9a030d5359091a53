/* SPDX-License-Identifier: MIT */
/* The account: its balance and limits are computed when it is read. Registering is in register.c.
 */
#include <starverse/account.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/billing.h"
#include "local/budget.h"
#include "local/catalog.h"
#include "local/crud.h"
#include "local/ledger.h"

static void show_balance(void *root, struct sv_account *a, const struct balance *b)
{
	struct sv_account_balance *to = sv_new_in(root, &sv_account_balance_kind);

	a->balance = to;
	if (!to)
		return;
	sv_put(to, available, b->available);
	sv_put(to, cash, b->cash);
	sv_put(to, credit, b->credit);
	sv_put(to, frozen, b->frozen);
	sv_put(to, arrears, b->arrears);
	sv_put(to, currency, BILLING_CURRENCY);
	sv_mark(a, balance);
	sv_put(a, burn_rate_per_hour, b->burn_rate_per_hour);
	if (b->runway_seconds < 0)
		sv_mark_null(a, runway_seconds);
	else
		sv_put(a, runway_seconds, b->runway_seconds);
}

static void show_limits(void *root, struct sv_account *a, const struct catalog_settings *s)
{
	struct sv_account_limits *to = sv_new_in(root, &sv_account_limits_kind);

	a->limits = to;
	if (!to)
		return;
	sv_put(to, instances, s->instances_max);
	sv_put(to, gpus, s->gpus_max);
	sv_put(to, disks, s->disks_max);
	sv_put(to, disk_max_gib, s->disk_max_gib);
	sv_put(to, disk_retention_seconds, s->disk_retention_seconds);
	sv_put(to, job_log_max_bytes, s->job_log_max_bytes);
	if (!s->job_log_max_bytes)
		sv_mark_null(to, job_log_max_bytes);
	sv_mark(a, limits);
}

void account_show(struct platform *p, void *root, struct sv_account *a, int64_t now)
{
	struct balance b;

	if (!ledger_account(p->ledger, a->id, now, &b))
		show_balance(root, a, &b);
	if (!sv_has(a, balance_alert))
		sv_mark_null(a, balance_alert);
	if (p->catalog)
		show_limits(root, a, catalog_settings(p->catalog));
}

void account_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	(void)account;
	account_show(p, obj, obj, now);
}

int local_account_top_up(struct call *c)
{
	const struct sv_account_top_up_body *in = c->in;
	char text[32];
	int rc = ledger_top_up(c->p->ledger, c->account, in->amount, c->now, "top-up");

	if (rc == SV_INVALID)
		return sv_err_field(&c->err, "amount", "range",
			in->amount > 0 ? "is more than an account can hold"
				       : "must be more than 0");
	if (!rc)
		rc = store_put(c->p->store, &sv_account_kind, c->account, c->obj, c->now);
	sv_print_money(in->amount, text, sizeof(text));
	return rc ? rc
		  : platform_event(c->p, c->account, "account.topped_up", c->account, c->account,
			    "paid in %s", text);
}

int local_account_update(struct call *c)
{
	const struct sv_account *in = c->in;
	int rc = crud_update(c);

	if (rc || !in || !sv_has(in, balance_alert))
		return rc;
	return ledger_alert_set(c->p->ledger, c->account,
		sv_is_null(in, balance_alert) ? -1 : in->balance_alert, c->now);
}
