/* SPDX-License-Identifier: MIT */
/* The proof that nothing was lost or invented, from the tables alone. */
#include <stdio.h>

#include "base/str.h"
#include "local/ledger-inside.h"

static int differ(
	char *message, size_t size, const char *what, const char *of, int64_t have, int64_t want)
{
	char a[32], b[32];

	sv_print_money6(have, a, sizeof(a));
	sv_print_money6(want, b, sizeof(b));
	snprintf(message, size, "%s of %s is %s, not %s", what, of, a, b);
	return SV_SERVER;
}

static int broken(char *message, size_t size)
{
	snprintf(message, size, "the ledger cannot be read");
	return SV_SERVER;
}

/* Rows of (name, sum of entries, what it must be, least). */
static int compare(struct ledger *l, const char *sql, const char *what, char *message, size_t size)
{
	sqlite3_stmt *st = ledger_stmt(l, sql, "");
	int rc = SQLITE_ERROR, failed = SV_OK;

	while (st && !failed && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);
		int64_t have = sqlite3_column_int64(st, 1), want = sqlite3_column_int64(st, 2);

		if (have != want)
			failed = differ(message, size, what, name ? name : "?", have, want);
		else if (sqlite3_column_int64(st, 3) < 0)
			failed = differ(message, size, "the least part", name ? name : "?",
				sqlite3_column_int64(st, 3), 0);
	}
	if (st)
		sqlite3_reset(st);
	if (!failed && rc != SQLITE_DONE)
		failed = broken(message, size);
	return failed;
}

static int charges(struct ledger *l, char *message, size_t size)
{
	sqlite3_stmt *st = ledger_stmt(l,
		"SELECT resource, rate, per, began, coalesce(ended, posted_to), posted"
		" FROM metered WHERE once = 0",
		"");
	int rc = SQLITE_ERROR, failed = SV_OK;

	while (st && !failed && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		int64_t seconds = sqlite3_column_int64(st, 4) - sqlite3_column_int64(st, 3),
			want = 0;
		int64_t have = sqlite3_column_int64(st, 5);

		if (sv_charge_per(sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2), seconds,
			    &want) ||
			have != want)
			failed = differ(message, size, "the charge of an interval",
				(const char *)sqlite3_column_text(st, 0), have, want);
	}
	if (st)
		sqlite3_reset(st);
	if (!failed && rc != SQLITE_DONE)
		failed = broken(message, size);
	return failed;
}

int ledger_verify(struct ledger *l, char *message, size_t size)
{
	int rc = compare(l,
		"SELECT m.account,"
		" coalesce((SELECT sum(amount) FROM ledger e WHERE e.account = m.account), 0),"
		" m.cash + coalesce((SELECT sum(left) FROM credit c WHERE c.account = m.account), "
		"0),"
		" min(m.cash, coalesce((SELECT min(left) FROM credit c WHERE c.account = "
		"m.account), 0))"
		" FROM money m",
		"the sum of the ledger", message, size);

	if (!rc)
		rc = compare(l,
			"SELECT e.account, coalesce((SELECT sum(s.amount) FROM spent s"
			" WHERE s.account = e.account), 0), -sum(e.amount), 0 FROM ledger e"
			" WHERE e.kind = 'usage' GROUP BY e.account",
			"what budgets count", message, size);
	if (!rc)
		rc = compare(l,
			"SELECT account, sum(amount), 0, 0 FROM ledger"
			" WHERE account NOT IN (SELECT account FROM money) GROUP BY account",
			"the sum of the ledger", message, size);
	if (!rc)
		rc = compare(l,
			"SELECT resource,"
			" coalesce((SELECT -sum(amount) FROM ledger e WHERE e.metered = m.id), 0), "
			"posted, posted"
			" FROM metered m",
			"what is posted", message, size);
	return rc ? rc : charges(l, message, size);
}
