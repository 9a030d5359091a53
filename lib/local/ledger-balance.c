/* SPDX-License-Identifier: MIT */
/* What money means: balance, and what something has cost. When it ends is in ledger-end.c. */
#include <string.h>

#include "base/arena.h"
#include "local/ledger-inside.h"

/* Rates of different spans as one an hour; rounded up, so that a runway is never promised too long.
 */
static int64_t burn_rate(const struct spans *open)
{
	__extension__ typedef __int128 wide;
	wide sum = 0;

	for (size_t i = 0; i < open->n; i++)
		sum += (wide)open->v[i].rate * LEDGER_HOUR * (LEDGER_MONTH / open->v[i].per);
	sum = (sum + LEDGER_MONTH - 1) / LEDGER_MONTH;
	return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

int ledger_account(struct ledger *l, const char *account, int64_t now, struct balance *ret)
{
	struct balance b = { .runway_seconds = -1 };
	int64_t horizon = ledger_horizon(l, account, LEDGER_NEVER), at = sooner(now, horizon);
	struct purse *p = sv_malloc(sizeof(*p));
	int rc = p ? ledger_bring(l, account, now) : SV_NOMEM;

	if (!p)
		return rc;
	*p = (struct purse){ 0 };
	if (!rc)
		rc = purse_read(l, account, p);
	if (!rc) {
		b.frozen = purse_owed(p, at) - purse_unposted(p, at);
		b.cash = p->cash;
		b.credit = ledger_credit_left(l, account);
		b.available = b.cash + b.credit - purse_owed(p, at);
		b.burn_rate_per_hour = burn_rate(&p->open);
		if (horizon != LEDGER_NEVER && b.burn_rate_per_hour)
			b.runway_seconds = later(horizon - now, 0);
		*ret = b;
	}
	spans_free(&p->open);
	sv_mfree(p);
	return rc;
}

static int64_t posted_of(struct ledger *l, const char *resource, const char *sql)
{
	int64_t sum = 0;

	ledger_int(ledger_stmt(l, sql, "t", resource), 0, &sum);
	return sum;
}

int64_t ledger_cost(struct ledger *l, const char *resource, int64_t now)
{
	int64_t sum = posted_of(l, resource,
		"SELECT sum(posted) FROM metered WHERE resource = ?1 AND ended IS NOT NULL");
	struct spans open;

	if (spans_open(l, NULL, resource, NULL, &open))
		return sum;
	for (size_t i = 0; i < open.n; i++) {
		const struct span *s = &open.v[i];
		int64_t at = sooner(now, ledger_horizon(l, s->account, now));

		sum = plus(sum, span_cost(s, later(at, s->posted_to)));
	}
	spans_free(&open);
	return sum;
}

int64_t ledger_cap_at(struct ledger *l, const char *resource, int64_t most, int64_t now)
{
	struct purse p = { 0 };
	int64_t at = -1, before = posted_of(l, resource,
				 "SELECT sum(posted) FROM metered WHERE resource = ?1"
				 " AND kind IN ('compute', 'minimum') AND ended IS NOT NULL");

	(void)now;
	if (spans_open(l, NULL, resource, "compute", &p.open))
		return -1;
	if (p.open.n && p.open.v[0].rate > 0) {
		/* The whole interval counts, not only what of it is still to be posted. */
		p.open.v[0].posted = 0;
		p.open.v[0].posted_to = at = p.open.v[0].began;
		if (purse_fits(&p, at, most - before))
			at = purse_last_fit(&p, at, PURSE_FAR, most - before);
		at = at < PURSE_FAR ? at : -1;
	}
	spans_free(&p.open);
	return at;
}

int64_t ledger_started_at(struct ledger *l, const char *resource)
{
	int64_t at = 0;

	ledger_int(ledger_stmt(l, "SELECT began FROM started WHERE resource = ?1", "t", resource),
		0, &at);
	return at;
}

int ledger_busy(struct ledger *l)
{
	int64_t some = 0;

	ledger_int(ledger_stmt(l, "SELECT 1 FROM started LIMIT 1", ""), 0, &some);
	return some != 0;
}

int ledger_metering(struct ledger *l)
{
	int64_t some = 0;

	ledger_int(
		ledger_stmt(l, "SELECT 1 FROM metered WHERE ended IS NULL LIMIT 1", ""), 0, &some);
	return some != 0;
}

int ledger_each_compute(struct ledger *l, const char *account,
	int (*fn)(void *data, const char *resource), void *data)
{
	struct spans open;
	int rc = spans_open(l, account, NULL, NULL, &open);

	for (size_t i = 0; !rc && i < open.n; i++)
		if (!strcmp(open.v[i].kind, "compute") && open.v[i].rate > 0)
			rc = fn(data, open.v[i].resource);
	spans_free(&open);
	return rc;
}
