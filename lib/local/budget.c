/* SPDX-License-Identifier: MIT */
/* Budgets of an account, and what they and a low balance do when they fall due. */
#include "local/budget.h"

#include <stdio.h>
#include <string.h>

#include <starverse/budget.h>

#include "base/err.h"
#include "base/str.h"
#include "base/time.h"
#include "kinds/kinds.h"
#include "local/billing.h"
#include "local/crud.h"
#include "local/guard.h"
#include "local/instance-inside.h"
#include "local/ledger.h"
#include "local/quote.h"

static void rule_of(const char *account, const struct sv_budget *b, struct budget_rule *r)
{
	size_t n = 0;

	*r = (struct budget_rule){ .amount = b->amount, .stop = strcmp(b->action, "warn") != 0 };
	snprintf(r->id, sizeof(r->id), "%s", b->id);
	snprintf(r->account, sizeof(r->account), "%s", account);
	snprintf(r->period, sizeof(r->period), "%s", b->period);
	for (size_t i = 0; i < b->warn_percents.n && n < sizeof(r->warn); i++) {
		int64_t v;

		if (!sv_parse_money(b->warn_percents.v[i], &v))
			n += (size_t)snprintf(r->warn + n, sizeof(r->warn) - n, "%s%lld",
				n ? " " : "", (long long)v);
	}
}

/* 1 for what is null, or not given in a body that must be whole. */
static int unsaid(const struct sv_budget *b, const char *name, int whole)
{
	const struct sv_field *f = sv_field_find(&sv_budget_kind, name);

	return sv_field_has(f, b) ? sv_field_is_null(f, b) : whole && !sv_field_nonzero(f, b);
}

static int settle(struct sv_budget *b, int whole)
{
	if (unsaid(b, "period", whole))
		sv_put(b, period, "month");
	if (unsaid(b, "action", whole))
		sv_put(b, action, "stop");
	if (!unsaid(b, "warn_percents", whole))
		return SV_OK;
	sv_mark(b, warn_percents);
	return sv_strs_add(b, &b->warn_percents, "80") ? SV_NOMEM : SV_OK;
}

int local_budget_create(struct call *c)
{
	struct budget_rule r;
	int rc = crud_name(c);

	if (!rc)
		rc = settle(c->in, 1);
	if (!rc)
		rc = crud_create(c);
	if (rc)
		return rc;
	rule_of(c->account, c->out, &r);
	return ledger_budget_set(c->p->ledger, &r, c->now);
}

int local_budget_update(struct call *c)
{
	struct budget_rule r;
	int rc = settle(c->in, 0);

	if (!rc)
		rc = crud_update(c);
	if (rc)
		return rc;
	rule_of(c->account, c->obj, &r);
	return ledger_budget_set(c->p->ledger, &r, c->now);
}

int local_budget_delete(struct call *c)
{
	int rc;

	/* Its last state is what is answered. */
	local_budget_present(c->p, c->account, c->obj, c->now);
	rc = crud_delete(c);
	return rc ? rc : ledger_budget_drop(c->p->ledger, c->id);
}

void local_budget_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_budget *b = obj;
	struct budget_state s;
	struct budget_rule r;

	(void)account;
	if (ledger_budget_get(p->ledger, b->id, &r) ||
		ledger_budget_state(p->ledger, &r, now, &s))
		return;
	sv_put(b, used, s.used);
	sv_put(b, remaining, r.amount - s.used);
	sv_put(b, currency, BILLING_CURRENCY);
	sv_put(b, started_at, s.began);
	sv_put(b, ends_at, s.ends);
	sv_put(b, stops_at, r.stops_at);
	if (r.stops_at < 0)
		sv_mark_null(b, stops_at);
	sv_put(b, status,
		r.reached || s.used >= r.amount ? "reached"
		: r.warned                      ? "warned"
						: "ok");
}

/* "november (500.00 a month)" */
static void title(struct platform *p, const struct budget_rule *r, char *buf, size_t size)
{
	struct sv_budget *b = NULL;
	char amount[32];

	sv_print_money(r->amount, amount, sizeof(amount));
	if (store_get(p->store, &sv_budget_kind, r->account, r->id, (void **)&b))
		b = NULL;
	snprintf(buf, size, "budget %s (%s a %s)", b && b->name ? b->name : r->id, amount,
		r->period);
	sv_free(b);
}

/* What is spent may be far more than the percentage that is warned of. */
static long long percent_used(const struct budget_rule *r, const struct budget_state *s)
{
	__extension__ typedef __int128 wide;

	return r->amount > 0 ? (long long)((wide)s->used * 100 / r->amount) : 100;
}

static int warn(struct platform *p, struct budget_rule *r, const struct budget_state *s)
{
	int64_t percent = r->warned, next;
	char text[200], used[32];

	for (next = budget_warning(r, percent); next >= 0 && s->used >= budget_share(r, next);
		next = budget_warning(r, percent))
		percent = next;
	if (percent == r->warned)
		return SV_OK;
	r->warned = percent;
	title(p, r, text, sizeof(text));
	sv_print_money(s->used, used, sizeof(used));
	return platform_event(p, r->account, "budget.warning", "platform", r->id,
		"%s: %s are spent, %lld %% of it", text, used, percent_used(r, s));
}

struct stopping {
	struct platform *p;
	int64_t at;
	int stopped;
};

static int stop_one(void *data, const char *resource)
{
	struct stopping *s = data;

	s->stopped++;
	return guard_stop(s->p, resource, s->at, "budget", "a budget is used up");
}

static int stop_all(struct platform *p, struct budget_rule *r, int64_t at)
{
	struct stopping s = { p, at, 0 };
	char text[200];
	int rc = ledger_each_compute(p->ledger, r->account, stop_one, &s);

	r->reached = 1;
	if (!rc)
		rc = ledger_budget_note(p->ledger, r);
	title(p, r, text, sizeof(text));
	return rc ? rc
		  : platform_event(p, r->account, "budget.reached", "platform", r->id,
			    "%s is used up: %d instance(s) stopped, disks go on", text, s.stopped);
}

int guard_due_budget(struct platform *p, const char *budget, int64_t at)
{
	struct budget_state s;
	struct budget_rule r;
	int rc = ledger_budget_get(p->ledger, budget, &r);

	if (rc)
		return rc == SV_NOTFOUND ? SV_OK : rc;
	rc = ledger_budget_roll(p->ledger, &r, at);
	if (!rc)
		rc = ledger_budget_state(p->ledger, &r, at, &s);
	if (!rc)
		rc = warn(p, &r, &s);
	if (!rc)
		rc = ledger_budget_note(p->ledger, &r);
	/* When it stops follows from the period that it is in now. */
	if (!rc)
		rc = ledger_budget_watch(p->ledger, r.account, at);
	if (!rc)
		rc = ledger_budget_get(p->ledger, budget, &r);
	if (!rc && r.stops_at >= 0 && r.stops_at <= at)
		rc = stop_all(p, &r, at);
	return rc;
}

int guard_due_alert(struct platform *p, const char *account, int64_t at)
{
	char have[32], least[32], lasts[64] = "";
	struct balance b;
	int64_t limit;
	int rc = ledger_account(p->ledger, account, at, &b), low;

	if (rc)
		return rc;
	low = ledger_alert_low(p->ledger, account, b.available, &limit);
	if (low <= 0)
		return low;
	sv_print_money(b.available, have, sizeof(have));
	sv_print_money(limit, least, sizeof(least));
	if (b.runway_seconds >= 0)
		sv_print_duration(b.runway_seconds, lasts, sizeof(lasts));
	return platform_event(p, account, "account.balance_low", "platform", account,
		*lasts ? "%s can be spent, less than %s; it lasts %s"
		       : "%s can be spent, less than %s",
		have, least, lasts);
}

int budget_refuses(struct platform *p, const char *account, int64_t need, int64_t now,
	struct sv_error *err)
{
	char text[200], has[32], costs[32];
	struct budget_rule r;
	int64_t left;
	int rc = ledger_budget_tightest(p->ledger, account, now, &r, &left);

	if (rc || need <= left)
		return rc;
	title(p, &r, text, sizeof(text));
	sv_print_money(left > 0 ? left : 0, has, sizeof(has));
	sv_print_money(need, costs, sizeof(costs));
	rc = sv_err_wire(err, "budget_exceeded", "%s leaves %s, and at least %s is needed", text,
		has, costs);
	sv_err_hint(err, "svctl budget update %s --amount AMOUNT", r.id);
	return rc;
}
