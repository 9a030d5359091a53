/* SPDX-License-Identifier: MIT */
/* Money that comes, goes and expires; and the proof that nothing was lost. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/ledger-inside.h"

int64_t ledger_cash(struct ledger *l, const char *account)
{
	int64_t cash = 0;

	ledger_int(ledger_stmt(l, "SELECT cash FROM money WHERE account = ?1", "t", account), 0,
		&cash);
	return cash;
}

int64_t ledger_credit_left(struct ledger *l, const char *account)
{
	int64_t left = 0;

	ledger_int(ledger_stmt(l, "SELECT sum(left) FROM credit WHERE account = ?1 AND left > 0",
			   "t", account),
		0, &left);
	return left;
}

int ledger_entry(struct ledger *l, const char *account, const char *kind, int64_t amount,
	int64_t at, const struct span *s, const char *note)
{
	int64_t balance = ledger_cash(l, account) + ledger_credit_left(l, account);

	return ledger_run(l,
		"INSERT INTO ledger(account, time, kind, amount, resource, metered, balance, note)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		"tititnit", account, at, kind, amount, s ? s->resource : NULL,
		s ? s->id : INT64_C(-1), balance, note);
}

#define NEXT "SELECT id, left, expires FROM credit c WHERE account = ?1 AND left > 0"
#define LIKE(what, word) \
	" AND (NOT EXISTS (SELECT 1 FROM credit_scope x WHERE x.credit = c.id" \
	" AND x.what = '" what "') OR EXISTS (SELECT 1 FROM credit_scope x" \
	" WHERE x.credit = c.id AND x.what = '" what "' AND x.word = " word "))"
#define SOONEST " ORDER BY expires IS NULL, expires, id LIMIT 1"

/* The piece of credit to spend next, on an interval or (s NULL) on anything; 0 when there is none.
 */
static int next_credit(struct ledger *l, const char *account, const struct span *s, int64_t *id,
	int64_t *left, int64_t *expires)
{
	sqlite3_stmt *st =
		s && ledger_scoped(l, account)
			? ledger_stmt(l, NEXT LIKE("gpu", "?2") LIKE("kind", "?3") SOONEST, "ttt",
				  account, s->gpu, ledger_scope_kind(s->kind))
			: ledger_stmt(l, NEXT SOONEST, "t", account);
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	*id = 0;
	if (rc == SQLITE_ROW) {
		*id = sqlite3_column_int64(st, 0);
		*left = sqlite3_column_int64(st, 1);
		*expires = sqlite3_column_type(st, 2) == SQLITE_NULL ? LEDGER_NEVER
								     : sqlite3_column_int64(st, 2);
	}
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

int ledger_spend(
	struct ledger *l, const struct span *s, int64_t amount, int64_t at, const char *note)
{
	int64_t rest = amount, id, left = 0, expires, part;
	int rc;

	while (rest > 0) {
		rc = next_credit(l, s->account, s, &id, &left, &expires);
		if (rc)
			return rc;
		if (!id)
			break;
		part = left < rest ? left : rest;
		rc = ledger_run(
			l, "UPDATE credit SET left = left - ?2 WHERE id = ?1", "ii", id, part);
		if (rc)
			return rc;
		rest -= part;
	}
	if (rest > ledger_cash(l, s->account))
		return SV_BALANCE;
	rc = rest ? ledger_run(l, "UPDATE money SET cash = cash - ?2 WHERE account = ?1", "ti",
			    s->account, rest)
		  : SV_OK;
	if (!rc)
		rc = ledger_entry(l, s->account, "usage", -amount, at, s, note);
	return rc ? rc : ledger_spent_add(l, s->account, amount, at);
}

static int add_account(struct ledger *l, const char *account)
{
	return ledger_run(l, "INSERT OR IGNORE INTO money(account) VALUES(?1)", "t", account);
}

/* Also before money comes in: what is owed so far is paid from what was there, however often was
 * posted. */
int ledger_post_account(struct ledger *l, const char *account, int64_t at)
{
	struct spans open;
	int rc = ledger_bring(l, account, at);

	if (!rc)
		rc = spans_open(l, account, NULL, NULL, &open);
	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < open.n; i++)
		rc = span_post(l, &open.v[i], at);
	spans_free(&open);
	return rc;
}

int ledger_top_up(
	struct ledger *l, const char *account, int64_t amount, int64_t at, const char *note)
{
	int64_t sum;
	int rc = ledger_post_account(l, account, at);

	if (rc)
		return rc;
	if (amount <= 0 || sv_add64(ledger_cash(l, account), amount, &sum) ||
		sv_add64(sum, ledger_credit_left(l, account), &sum))
		return SV_INVALID;
	rc = add_account(l, account);
	if (!rc)
		rc = ledger_run(l, "UPDATE money SET cash = cash + ?2 WHERE account = ?1", "ti",
			account, amount);
	if (!rc)
		rc = ledger_entry(l, account, "top_up", amount, at, NULL, note);
	if (!rc)
		rc = ledger_resume(l, account, at);
	return rc ? rc : ledger_touch(l, account, at);
}

int ledger_credit_add(struct ledger *l, const char *account, int64_t amount, int64_t at,
	int64_t expires_at, const char *note, const char *entry, int64_t *id)
{
	int64_t sum;
	int rc = ledger_post_account(l, account, at);

	if (rc)
		return rc;
	if (amount <= 0 || (expires_at != -1 && expires_at <= at) ||
		sv_add64(ledger_cash(l, account), amount, &sum) ||
		sv_add64(sum, ledger_credit_left(l, account), &sum))
		return SV_INVALID;
	rc = add_account(l, account);
	if (!rc)
		rc = ledger_run(l,
			"INSERT INTO credit(account, amount, left, granted, expires, note)"
			" VALUES(?1, ?2, ?2, ?3, ?4, ?5)",
			"tiint", account, amount, at, expires_at, note);
	*id = sqlite3_last_insert_rowid(store_db(l->s));
	return rc ? rc : ledger_entry(l, account, entry, amount, at, NULL, note);
}

int ledger_credit(struct ledger *l, const char *account, int64_t amount, int64_t at,
	int64_t expires_at, const char *note)
{
	int64_t id;
	int rc = ledger_credit_add(l, account, amount, at, expires_at, note, "credit", &id);

	if (!rc)
		rc = ledger_resume(l, account, at);
	return rc ? rc : ledger_touch(l, account, at);
}

/* One piece: everything of the account is posted up to its second first, and paid from it. */
static int expire_next(struct ledger *l, const char *account, int64_t at, int *more)
{
	int64_t id, left, expires;
	struct spans open;
	int rc = next_credit(l, account, NULL, &id, &left, &expires);

	*more = 0;
	if (rc || !id || expires > at)
		return rc;
	*more = 1;
	rc = spans_open(l, account, NULL, NULL, &open);
	for (size_t i = 0; !rc && i < open.n; i++)
		rc = span_post(l, &open.v[i], expires);
	spans_free(&open);
	if (!rc)
		rc = ledger_int(
			ledger_stmt(l, "SELECT left FROM credit WHERE id = ?1", "i", id), 0, &left);
	if (rc || !left)
		return rc;
	rc = ledger_run(l, "UPDATE credit SET left = 0 WHERE id = ?1", "i", id);
	return rc ? rc : ledger_entry(l, account, "expiry", -left, expires, NULL, NULL);
}

int ledger_expire(struct ledger *l, const char *account, int64_t at)
{
	int rc, more, any = 0;

	do {
		rc = expire_next(l, account, at, &more);
		any |= more;
	} while (!rc && more);
	return rc || !any ? rc : ledger_touch(l, account, at);
}

int ledger_bring(struct ledger *l, const char *account, int64_t at)
{
	int64_t first;
	int rc = ledger_int(
		ledger_stmt(l, "SELECT min(expires) FROM credit WHERE account = ?1 AND left > 0",
			"t", account),
		LEDGER_NEVER, &first);

	return rc || first >= at ? rc : ledger_expire(l, account, at - 1);
}

int ledger_heartbeat(struct ledger *l, int64_t now)
{
	return ledger_run(l,
		"INSERT INTO alive(one, at) VALUES(1, ?1) ON CONFLICT(one) DO UPDATE SET"
		" at = max(at, ?1)",
		"i", now);
}

int64_t ledger_last_alive(struct ledger *l)
{
	int64_t at = 0;

	ledger_int(ledger_stmt(l, "SELECT at FROM alive", ""), 0, &at);
	return at;
}
