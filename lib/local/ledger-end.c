/* SPDX-License-Identifier: MIT */
/* When the money ends. The exact second is found from all that is open; where it is far away, a
 * second that is surely before it does, so that ten thousand instances can start one after another.
 */
#include <stdio.h>

#include "base/arena.h"
#include "local/due.h"
#include "local/ledger-inside.h"

__extension__ typedef __int128 wide;

/* A bound nearer than this is worth the exact second. */
#define NEAR_SECONDS 900

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
	int64_t at = PURSE_FAR, budget = p->cash, used = 0, spent;
	size_t i;

	for (i = 0; i < p->open.n; i++)
		at = sooner(at, p->open.v[i].posted_to);
	for (i = 0; i < p->n; i++)
		budget = plus(budget, p->left[i]);
	if (!purse_fits(p, at, budget))
		return at;
	for (i = 0; i < p->n && p->expires[i] < PURSE_FAR; i++) {
		if (p->expires[i] > at) {
			int64_t end = purse_last_fit(p, at, p->expires[i], budget);

			if (end < p->expires[i])
				return end;
			at = end;
		}
		spent = sooner(later(purse_unposted(p, at) - used, 0), p->left[i]);
		used += spent;
		budget -= p->left[i] - spent;
		if (!purse_fits(p, at, budget))
			return at;
	}
	return purse_last_fit(p, at, PURSE_FAR, budget);
}

/* What is known of an account's end. */
struct end {
	int64_t exhausted; /* exact, -1: never; UNKNOWN */
	int64_t bound;     /* surely not later than the end; -1: never */
	int64_t spare;     /* money that nothing has a claim on yet, at spare_at; never too much */
	int64_t spare_at;
	int64_t rate; /* of all that is open, micro-yuan a month */
	int64_t open; /* how many */
};
#define UNKNOWN INT64_MIN

static int read_end(struct ledger *l, const char *account, struct end *ret)
{
	sqlite3_stmt *st = ledger_stmt(l,
		"SELECT exhausted, bound, spare, spare_at, rate, open FROM money WHERE account = "
		"?1",
		"t", account);
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	*ret = (struct end){ -1, -1, 0, 0, 0, 0 };
	if (rc == SQLITE_ROW) {
		ret->exhausted = sqlite3_column_type(st, 0) == SQLITE_NULL
					 ? UNKNOWN
					 : sqlite3_column_int64(st, 0);
		ret->bound = sqlite3_column_int64(st, 1);
		ret->spare = sqlite3_column_int64(st, 2);
		ret->spare_at = sqlite3_column_int64(st, 3);
		ret->rate = sqlite3_column_int64(st, 4);
		ret->open = sqlite3_column_int64(st, 5);
	}
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

static int64_t first_expiry(struct ledger *l, const char *account)
{
	int64_t first = -1;

	ledger_int(ledger_stmt(l, "SELECT min(expires) FROM credit WHERE account = ?1 AND left > 0",
			   "t", account),
		-1, &first);
	return first;
}

static int set_due(struct ledger *l, const char *account, const char *cause, int64_t at)
{
	return at < 0 ? due_clear(l->s, account, cause) : due_set(l->s, account, cause, at);
}

static int write_end(struct ledger *l, const char *account, const struct end *e, int64_t expiry)
{
	int rc = ledger_run(l,
		"UPDATE money SET exhausted = ?2, bound = ?3, spare = ?4, spare_at = ?5, rate = ?6,"
		" open = ?7 WHERE account = ?1",
		"tiiiiii", account, e->exhausted, e->bound, e->spare, e->spare_at, e->rate,
		e->open);

	if (!rc && e->exhausted == UNKNOWN)
		rc = ledger_run(
			l, "UPDATE money SET exhausted = NULL WHERE account = ?1", "t", account);
	if (!rc)
		rc = set_due(l, account, "arrears", e->bound);
	return rc ? rc : set_due(l, account, "credit", expiry);
}

static int64_t monthly(int64_t rate, int64_t per)
{
	int64_t v;

	return sv_mul64(rate, LEDGER_MONTH / per, &v) ? INT64_MAX : v;
}

static void find_end(const struct purse *p, struct end *e)
{
	int64_t money = p->cash, at = 0;

	for (size_t i = 0; i < p->n; i++)
		money = plus(money, p->left[i]);
	for (size_t i = 0; i < p->open.n; i++) {
		const struct span *s = &p->open.v[i];

		at = later(at, s->posted_to);
		e->rate = plus(e->rate, monthly(s->rate, s->per));
	}
	e->open = (int64_t)p->open.n;
	e->spare_at = at;
	e->spare = money - purse_owed(p, at);
	e->exhausted = !costs(p) ? -1 : p->n_words ? purse_scoped_end(p) : exhausted(p);
	if (e->exhausted >= PURSE_FAR)
		e->exhausted = -1;
	e->bound = e->exhausted;
}

static int add_more(struct spans *open, const struct ledger_more *more, size_t n, int64_t now)
{
	for (size_t i = 0; i < n; i++) {
		struct span s = { .rate = more[i].per_hour,
			.per = LEDGER_HOUR,
			.began = now,
			.posted_to = now };

		snprintf(s.kind, sizeof(s.kind), "%s", more[i].kind);
		snprintf(s.gpu, sizeof(s.gpu), "%s", more[i].gpu ? more[i].gpu : "");
		if (s.rate > 0 && spans_add(open, &s))
			return SV_NOMEM;
	}
	return SV_OK;
}

int ledger_runway(struct ledger *l, const char *account, int64_t now,
	const struct ledger_more *more, size_t n, int64_t *ret)
{
	struct purse *p = sv_malloc(sizeof(*p));
	struct end e = { 0 };
	int rc = p ? ledger_bring(l, account, now) : SV_NOMEM;

	if (!p)
		return rc;
	*p = (struct purse){ 0 };
	if (!rc)
		rc = purse_read(l, account, p);
	if (!rc)
		rc = add_more(&p->open, more, n, now);
	if (!rc) {
		find_end(p, &e);
		*ret = e.exhausted < 0 ? -1 : later(e.exhausted - now, 0);
	}
	spans_free(&p->open);
	sv_mfree(p);
	return rc;
}

static int find(struct ledger *l, const char *account)
{
	struct purse *p = sv_malloc(sizeof(*p));
	struct end e = { 0 };
	int rc;

	if (!p)
		return SV_NOMEM;
	rc = purse_read(l, account, p);
	if (!rc) {
		find_end(p, &e);
		rc = ledger_run(l, "INSERT OR IGNORE INTO money(account) VALUES(?1)", "t", account);
	}
	spans_free(&p->open);
	sv_mfree(p);
	return rc ? rc : write_end(l, account, &e, first_expiry(l, account));
}

/* Money that a rate takes in so many seconds, rounded up. */
static wide takes(int64_t rate, int64_t seconds)
{
	return ((wide)rate * later(seconds, 0) + LEDGER_MONTH - 1) / LEDGER_MONTH;
}

/* Moves what is known to a second; 0 when the numbers do not carry it. Every interval's rounding
 * can be off by one micro-yuan. */
static int move(struct end *e, const struct span *s, int sign, int64_t promised, int64_t at)
{
	int64_t own = sign ? monthly(s->rate, s->per) : 0, to = later(at, e->spare_at);
	wide spare = (wide)e->spare - takes(e->rate, to - e->spare_at) - e->open - 1 - promised;

	if (sign > 0)
		spare -= takes(own, to - at);
	if (own == INT64_MAX || e->rate == INT64_MAX || spare < INT64_MIN / 2 ||
		sv_add64(e->rate, sign * own, &e->rate))
		return 0;
	e->spare = (int64_t)spare;
	e->spare_at = to;
	e->open += sign;
	return 1;
}

static int64_t bound_of(const struct end *e, int64_t expiry)
{
	wide seconds;

	if (!e->rate)
		return -1;
	if (e->spare <= e->open)
		return 0; /* it may have been before, too */
	seconds = ((wide)e->spare - e->open) * LEDGER_MONTH / e->rate;
	if (seconds > PURSE_FAR - e->spare_at)
		seconds = PURSE_FAR - e->spare_at;
	return expiry < 0 ? e->spare_at + (int64_t)seconds
			  : sooner(e->spare_at + (int64_t)seconds, later(expiry, e->spare_at));
}

static int shift(struct ledger *l, const struct span *s, int sign, int64_t promised, int64_t at)
{
	int64_t expiry = first_expiry(l, s->account), before;
	struct end e;
	int rc = read_end(l, s->account, &e);

	if (rc)
		return rc;
	before = e.exhausted == UNKNOWN ? e.bound : e.exhausted;
	if ((!e.open && sign > 0) || ledger_scoped(l, s->account))
		return find(l, s->account);
	if (!move(&e, s, sign, promised, at))
		return find(l, s->account);
	e.bound = bound_of(&e, expiry);
	/* What ends makes the end only later. */
	if (sign < 0 && e.bound >= 0)
		e.bound = before < 0 ? before : later(e.bound, before);
	else if (e.bound >= 0 && e.bound < at + NEAR_SECONDS)
		return find(l, s->account);
	e.exhausted = e.bound < 0 ? -1 : UNKNOWN;
	return write_end(l, s->account, &e, expiry);
}

int ledger_touch(struct ledger *l, const char *account, int64_t at)
{
	int rc = find(l, account);

	return rc ? rc : ledger_watch(l, account, at);
}

int ledger_shift(struct ledger *l, const struct span *s, int sign, int64_t promised, int64_t at)
{
	int rc = shift(l, s, sign, promised, at);

	return rc ? rc : ledger_watch(l, s->account, at);
}

int ledger_exhausted_at(struct ledger *l, const char *account, int64_t now, int64_t *ret)
{
	struct end e;
	int rc = read_end(l, account, &e);

	(void)now;
	if (!rc && e.exhausted == UNKNOWN) {
		rc = find(l, account);
		if (!rc)
			rc = read_end(l, account, &e);
	}
	if (!rc)
		*ret = e.exhausted;
	return rc;
}

int64_t ledger_horizon(struct ledger *l, const char *account, int64_t upto)
{
	struct end e;
	int64_t at;

	if (read_end(l, account, &e))
		return LEDGER_NEVER;
	if (e.exhausted == UNKNOWN && upto <= e.bound)
		return LEDGER_NEVER;
	if (ledger_exhausted_at(l, account, upto, &at) || at < 0)
		return LEDGER_NEVER;
	return at;
}
