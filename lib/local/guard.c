/* SPDX-License-Identifier: MIT */
/* Balance, caps and times: what stops by itself, each at its own due second. */
#include "local/guard.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/budget.h"
#include "local/due.h"
#include "local/instance.h"
#include "local/ledger.h"
#include "local/platform.h"

static int arm(struct platform *p, const char *instance, const char *cause, int64_t at, int64_t now)
{
	if (at < 0)
		return due_clear(p->store, instance, cause);
	return due_set(p->store, instance, cause, at < now ? now : at);
}

/* The seconds at which each limit ends the run, -1 for none. */
struct ends {
	int64_t max_cost, max_runtime, stop_at;
};

static struct ends ends_of(
	struct platform *p, const char *instance, const struct guard_limits *limits, int64_t now)
{
	int64_t began = ledger_started_at(p->ledger, instance);
	struct ends e = { -1, -1, -1 };

	if (!began)
		return e;
	e.stop_at = limits->stop_at;
	if (limits->max_cost >= 0)
		e.max_cost = ledger_cap_at(p->ledger, instance, limits->max_cost, now);
	if (limits->max_runtime_seconds >= 0 &&
		sv_add64(began, limits->max_runtime_seconds, &e.max_runtime))
		e.max_runtime = -1;
	return e;
}

int guard_arm(
	struct platform *p, const char *instance, const struct guard_limits *limits, int64_t now)
{
	struct ends e = ends_of(p, instance, limits, now);
	int rc = arm(p, instance, "max_cost", e.max_cost, now);

	if (!rc)
		rc = arm(p, instance, "max_runtime", e.max_runtime, now);
	return rc ? rc : arm(p, instance, "stop_at", e.stop_at, now);
}

int guard_disarm(struct platform *p, const char *instance)
{
	static const char *const causes[] = { "max_cost", "max_runtime", "stop_at" };
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < sizeof(causes) / sizeof(causes[0]); i++)
		rc = due_clear(p->store, instance, causes[i]);
	return rc;
}

int guard_next(struct platform *p, const char *account, const char *instance,
	const struct guard_limits *limits, int64_t now, int64_t *at, const char **cause)
{
	struct ends e = ends_of(p, instance, limits, now);
	int64_t arrears = -1;
	int rc = ledger_exhausted_at(p->ledger, account, now, &arrears);

	if (rc)
		return rc;
	*at = -1;
	*cause = NULL;
	if (!ledger_started_at(p->ledger, instance))
		return SV_OK;
	const struct {
		const char *cause;
		int64_t at;
	} all[] = { { "max_cost", e.max_cost }, { "max_runtime", e.max_runtime },
		{ "stop_at", e.stop_at }, { "arrears", arrears },
		{ "budget", ledger_budget_stop(p->ledger, account) } };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].at < 0 || (*at >= 0 && all[i].at >= *at))
			continue;
		*at = all[i].at;
		*cause = all[i].cause;
	}
	return SV_OK;
}

/* Billing ends here, whatever the instance still has to do before it is off. */
int guard_stop(
	struct platform *p, const char *instance, int64_t at, const char *by, const char *why)
{
	int rc = instance_stop_at(p, instance, at, by, why);

	return rc ? rc : ledger_close(p->ledger, instance, "compute", at);
}

int guard_due_max_cost(struct platform *p, const char *instance, int64_t at)
{
	return guard_stop(p, instance, at, "max_cost", "the cost limit is reached");
}

int guard_due_max_runtime(struct platform *p, const char *instance, int64_t at)
{
	return guard_stop(p, instance, at, "max_runtime", "the longest running time is over");
}

int guard_due_stop_at(struct platform *p, const char *instance, int64_t at)
{
	return guard_stop(p, instance, at, "stop_at", "the time to stop has come");
}

struct arrears {
	struct platform *p;
	int64_t at;
	int stopped;
};

static int stop_one(void *data, const char *resource)
{
	struct arrears *a = data;

	a->stopped++;
	return guard_stop(a->p, resource, a->at, "arrears", "the balance is used up");
}

static int is_over(struct platform *p, const char *account, int64_t at)
{
	int64_t exhausted = -1;

	return !ledger_exhausted_at(p->ledger, account, at, &exhausted) && exhausted >= 0 &&
	       exhausted <= at;
}

/* Compute goes first: what is left may keep the disks for long. When only they are left, they are
 * kept without being billed until money comes. What a voucher still pays for goes on. */
static int end_money(struct platform *p, const char *account, struct arrears *a)
{
	int scoped = ledger_vouchers_left(p->ledger, account);
	int rc = scoped ? ledger_each_short(p->ledger, account, a->at, stop_one, a)
			: ledger_each_compute(p->ledger, account, stop_one, a);

	if (!rc && is_over(p, account, a->at))
		rc = ledger_suspend(p->ledger, account, a->at);
	if (!rc && scoped && is_over(p, account, a->at))
		rc = ledger_each_compute(p->ledger, account, stop_one, a);
	return rc;
}

int guard_due_arrears(struct platform *p, const char *account, int64_t at)
{
	struct arrears a = { .p = p, .at = at };
	int64_t exhausted;
	int rc = ledger_exhausted_at(p->ledger, account, at, &exhausted);

	if (rc || exhausted < 0)
		return rc;
	if (exhausted > at)
		return due_set(p->store, account, "arrears", exhausted);
	rc = end_money(p, account, &a);
	if (!rc)
		rc = platform_event(p, account, "account.arrears", "platform", account,
			"the balance is used up: %d instance(s) stopped, disks are kept",
			a.stopped);
	return rc;
}

int guard_due_credit(struct platform *p, const char *account, int64_t at)
{
	struct balance before, after;
	char lost[32];
	int rc = ledger_account(p->ledger, account, at, &before);

	if (!rc)
		rc = ledger_expire(p->ledger, account, at);
	if (!rc)
		rc = ledger_account(p->ledger, account, at, &after);
	if (rc || before.available <= after.available)
		return rc;
	sv_print_money(before.available - after.available, lost, sizeof(lost));
	return platform_event(p, account, "account.credit_expired", "platform", account,
		"unused credit of %s has expired", lost);
}

int guard_due_post(struct platform *p, const char *ledger, int64_t at)
{
	int rc = ledger_post(p->ledger, at);

	if (rc || !ledger_metering(p->ledger))
		return rc;
	return due_set(p->store, ledger, "post", (at / 60 + 1) * 60);
}
