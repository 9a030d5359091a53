/* SPDX-License-Identifier: MIT */
/* What money means: balance, when it is used up, what something has cost. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/ledger-inside.h"

#define MAX_CREDITS 256
/* Beyond the year 9999 a second is no time any more. */
#define FAR INT64_C(253402300800)

/* All that decides when an account's money is used up. */
struct purse {
	struct spans open;
	int64_t promised; /* minimums of starts that are paused */
	int64_t cash;
	int64_t left[MAX_CREDITS], expires[MAX_CREDITS];
	size_t n;
};

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	return sv_add64(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* What stopping at a second costs beyond what is posted: a minimum counts as if it had run out. */
static int64_t owed(const struct purse *p, int64_t at)
{
	int64_t sum = p->promised;

	for (size_t i = 0; i < p->open.n; i++) {
		const struct span *s = &p->open.v[i];

		sum = plus(sum,
			span_cost(s, later(later(at, s->posted_to), s->least_until)) - s->posted);
	}
	return sum;
}

/* What is really to be posted up to a second: a minimum that is promised is not paid yet. */
static int64_t unposted(const struct purse *p, int64_t at)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->open.n; i++) {
		const struct span *s = &p->open.v[i];

		sum = plus(sum, span_cost(s, later(at, s->posted_to)) - s->posted);
	}
	return sum;
}

static int read_credits(struct ledger *l, const char *account, struct purse *p)
{
	sqlite3_stmt *st = ledger_stmt(l,
		"SELECT left, expires FROM credit WHERE account = ?1 AND left > 0"
		" ORDER BY expires IS NULL, expires, id",
		"t", account);
	int rc = SQLITE_ERROR;

	while (st && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		int never = sqlite3_column_type(st, 1) == SQLITE_NULL;

		/* More pieces than anybody has: the rest counts as one that expires with the last.
		 */
		if (p->n == MAX_CREDITS) {
			p->left[p->n - 1] += sqlite3_column_int64(st, 0);
			continue;
		}
		p->left[p->n] = sqlite3_column_int64(st, 0);
		p->expires[p->n++] = never ? LEDGER_NEVER : sqlite3_column_int64(st, 1);
	}
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

static int64_t promised(struct ledger *l, const char *account)
{
	sqlite3_stmt *st = ledger_stmt(l,
		"SELECT rate, per, least_until - paused FROM started"
		" WHERE account = ?1 AND paused IS NOT NULL AND least_until > paused",
		"t", account);
	int64_t sum = 0;

	while (st && sqlite3_step(st) == SQLITE_ROW)
		sum = plus(sum, ledger_charge(sqlite3_column_int64(st, 0),
					sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2)));
	if (st)
		sqlite3_reset(st);
	return sum;
}

static int read_purse(struct ledger *l, const char *account, struct purse *p)
{
	int rc = spans_open(l, account, NULL, NULL, &p->open);

	if (!rc)
		rc = read_credits(l, account, p);
	p->promised = promised(l, account);
	p->cash = ledger_cash(l, account);
	return rc;
}

/* A sum that is cut at what fits is more than anybody has. */
static int fits(const struct purse *p, int64_t at, int64_t budget)
{
	int64_t sum = owed(p, at);

	return sum <= budget && sum < INT64_MAX;
}

/* The last second in (from, to] at which no more than budget is owed; from is known to fit. */
static int64_t last_fit(const struct purse *p, int64_t from, int64_t to, int64_t budget)
{
	int64_t lo = from, hi = to, step = 1;

	/* A near end is far more likely than the year 9999. */
	while (lo + step < to && fits(p, lo + step, budget))
		step *= 2;
	hi = sooner(to, lo + step);
	if (fits(p, hi, budget))
		return hi;
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;

		if (fits(p, mid, budget))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static int costs(const struct purse *p)
{
	for (size_t i = 0; i < p->open.n; i++)
		if (p->open.v[i].rate > 0)
			return 1;
	return 0;
}

/* Credit by credit: until one expires, all of the money counts; what of it is not used by then is
 * gone. */
static int64_t exhausted(const struct purse *p)
{
	int64_t at = FAR, budget = p->cash, used = 0, spent;
	size_t i;

	for (i = 0; i < p->open.n; i++)
		at = sooner(at, p->open.v[i].posted_to);
	for (i = 0; i < p->n; i++)
		budget = plus(budget, p->left[i]);
	if (!fits(p, at, budget))
		return at;
	for (i = 0; i < p->n && p->expires[i] < FAR; i++) {
		if (p->expires[i] > at) {
			int64_t end = last_fit(p, at, p->expires[i], budget);

			if (end < p->expires[i])
				return end;
			at = end;
		}
		spent = sooner(later(unposted(p, at) - used, 0), p->left[i]);
		used += spent;
		budget -= p->left[i] - spent;
		if (!fits(p, at, budget))
			return at;
	}
	return last_fit(p, at, FAR, budget);
}

int ledger_exhausted_at(struct ledger *l, const char *account, int64_t now, int64_t *ret)
{
	struct purse *p = sv_malloc(sizeof(*p));
	int64_t at = -1;
	int rc;

	(void)now;
	if (!p)
		return SV_NOMEM;
	*p = (struct purse){ 0 };
	rc = read_purse(l, account, p);
	if (!rc && costs(p))
		at = exhausted(p);
	spans_free(&p->open);
	sv_mfree(p);
	if (!rc)
		*ret = at < FAR ? at : -1;
	return rc;
}

int64_t ledger_horizon(struct ledger *l, const char *account)
{
	int64_t at = LEDGER_NEVER;

	ledger_int(ledger_stmt(l, "SELECT exhausted FROM money WHERE account = ?1", "t", account),
		LEDGER_NEVER, &at);
	return at;
}

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
	int64_t horizon = ledger_horizon(l, account), at = sooner(now, horizon);
	struct purse p = { 0 };
	int rc = ledger_bring(l, account, now);

	if (!rc)
		rc = spans_open(l, account, NULL, NULL, &p.open);
	if (rc)
		return rc;
	p.promised = promised(l, account);
	b.frozen = owed(&p, at) - unposted(&p, at);
	b.cash = ledger_cash(l, account);
	b.credit = ledger_credit_left(l, account);
	b.available = b.cash + b.credit - owed(&p, at);
	b.burn_rate_per_hour = burn_rate(&p.open);
	if (horizon != LEDGER_NEVER && b.burn_rate_per_hour)
		b.runway_seconds = later(horizon - now, 0);
	spans_free(&p.open);
	*ret = b;
	return SV_OK;
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
		int64_t at = sooner(now, ledger_horizon(l, s->account));

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
		if (fits(&p, at, most - before))
			at = last_fit(&p, at, FAR, most - before);
		at = at < FAR ? at : -1;
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

	ledger_int(ledger_stmt(l, "SELECT 1 FROM metered WHERE ended IS NULL LIMIT 1", ""), 0,
		&some);
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
