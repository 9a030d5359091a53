/* SPDX-License-Identifier: MIT */
/* An account's open intervals and its money, read once and asked about any second. */
#include "local/ledger-inside.h"

int64_t purse_owed(const struct purse *p, int64_t at)
{
	int64_t sum = p->promised;

	for (size_t i = 0; i < p->open.n; i++) {
		const struct span *s = &p->open.v[i];

		sum = plus(sum,
			span_cost(s, later(later(at, s->posted_to), s->least_until)) - s->posted);
	}
	return sum;
}

int64_t purse_unposted(const struct purse *p, int64_t at)
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
		"SELECT left, expires, id FROM credit WHERE account = ?1 AND left > 0"
		" ORDER BY expires IS NULL, expires, id",
		"t", account);
	int rc = SQLITE_ERROR;

	while (st && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		int never = sqlite3_column_type(st, 1) == SQLITE_NULL;

		/* More pieces than anybody has: the rest counts as one that expires with the last.
		 */
		if (p->n == PURSE_CREDITS) {
			p->left[p->n - 1] += sqlite3_column_int64(st, 0);
			continue;
		}
		p->left[p->n] = sqlite3_column_int64(st, 0);
		p->ids[p->n] = sqlite3_column_int64(st, 2);
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

int purse_read(struct ledger *l, const char *account, struct purse *p)
{
	int rc;

	*p = (struct purse){ 0 };
	rc = spans_open(l, account, NULL, NULL, &p->open);

	if (!rc)
		rc = read_credits(l, account, p);
	if (!rc)
		rc = purse_scopes(l, account, p);
	p->promised = promised(l, account);
	p->cash = ledger_cash(l, account);
	return rc;
}

typedef int64_t sum_fn(const struct purse *p, int64_t at);

static int fits(const struct purse *p, sum_fn *sum_of, int64_t at, int64_t budget)
{
	int64_t sum = sum_of(p, at);

	return sum <= budget && sum < INT64_MAX;
}

int purse_fits(const struct purse *p, int64_t at, int64_t budget)
{
	return fits(p, purse_owed, at, budget);
}

static int64_t last(
	const struct purse *p, sum_fn *sum_of, int64_t from, int64_t to, int64_t budget)
{
	int64_t lo = from, hi = to, step = 1;

	/* A near end is far more likely than the year 9999. */
	while (lo + step < to && fits(p, sum_of, lo + step, budget))
		step *= 2;
	hi = sooner(to, lo + step);
	if (fits(p, sum_of, hi, budget))
		return hi;
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;

		if (fits(p, sum_of, mid, budget))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

int64_t purse_last_fit(const struct purse *p, int64_t from, int64_t to, int64_t budget)
{
	return last(p, purse_owed, from, to, budget);
}

int64_t purse_used_last(const struct purse *p, int64_t from, int64_t to, int64_t budget)
{
	return last(p, purse_unposted, from, to, budget);
}
