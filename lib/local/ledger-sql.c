/* SPDX-License-Identifier: MIT */
/* The ledger's tables, and how its statements are bound. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/ledger-inside.h"

static const char tables[] =
	"CREATE TABLE IF NOT EXISTS money(account TEXT PRIMARY KEY, cash INTEGER NOT NULL DEFAULT "
	"0,"
	" exhausted INTEGER, bound INTEGER NOT NULL DEFAULT -1, spare INTEGER NOT NULL DEFAULT 0,"
	" spare_at INTEGER NOT NULL DEFAULT 0, rate INTEGER NOT NULL DEFAULT 0,"
	" open INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS credit(id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT "
	"NULL,"
	" amount INTEGER NOT NULL, left INTEGER NOT NULL, granted INTEGER NOT NULL, expires "
	"INTEGER,"
	" note TEXT);"
	"CREATE INDEX IF NOT EXISTS credit_left ON credit(account, expires) WHERE left > 0;"
	/* what: 'gpu' or 'kind'; of each that there is, one word must fit. */
	"CREATE TABLE IF NOT EXISTS credit_scope(credit INTEGER NOT NULL, what TEXT NOT NULL,"
	" word TEXT NOT NULL, PRIMARY KEY(credit, what, word)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS redeemed(account TEXT NOT NULL, code TEXT NOT NULL,"
	" credit INTEGER NOT NULL, scoped INTEGER NOT NULL, PRIMARY KEY(account, code))"
	" WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS metered(id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT "
	"NULL,"
	" resource TEXT NOT NULL, kind TEXT NOT NULL, name TEXT, gpu TEXT, job TEXT,"
	" rate INTEGER NOT NULL, per INTEGER NOT NULL, began INTEGER NOT NULL, ended INTEGER,"
	" posted INTEGER NOT NULL DEFAULT 0, posted_to INTEGER NOT NULL,"
	" once INTEGER NOT NULL DEFAULT 0, suspended INTEGER NOT NULL DEFAULT 0);"
	"CREATE UNIQUE INDEX IF NOT EXISTS metered_open ON metered(resource, kind) WHERE ended IS "
	"NULL;"
	"CREATE INDEX IF NOT EXISTS metered_account_open ON metered(account) WHERE ended IS NULL;"
	"CREATE INDEX IF NOT EXISTS metered_suspended ON metered(account) WHERE suspended = 1;"
	"CREATE INDEX IF NOT EXISTS metered_resource ON metered(resource, began);"
	"CREATE INDEX IF NOT EXISTS metered_account ON metered(account, began);"
	"CREATE INDEX IF NOT EXISTS metered_ended ON metered(account, ended);"
	"CREATE INDEX IF NOT EXISTS metered_gpu ON metered(gpu, began) WHERE gpu IS NOT NULL;"
	"CREATE INDEX IF NOT EXISTS metered_job ON metered(job) WHERE job IS NOT NULL;"
	"CREATE TABLE IF NOT EXISTS metered_label(metered INTEGER NOT NULL, key TEXT NOT NULL,"
	" value TEXT NOT NULL, PRIMARY KEY(metered, key)) WITHOUT ROWID;"
	"CREATE INDEX IF NOT EXISTS metered_label_value ON metered_label(key, value, metered);"
	"CREATE TABLE IF NOT EXISTS started(resource TEXT PRIMARY KEY, account TEXT NOT NULL,"
	" began INTEGER NOT NULL, least_until INTEGER NOT NULL, rate INTEGER NOT NULL,"
	" per INTEGER NOT NULL, paused INTEGER) WITHOUT ROWID;"
	"CREATE INDEX IF NOT EXISTS started_account ON started(account);"
	"CREATE TABLE IF NOT EXISTS ledger(id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT "
	"NULL,"
	" time INTEGER NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL, resource TEXT,"
	" metered INTEGER, balance INTEGER NOT NULL, note TEXT);"
	"CREATE INDEX IF NOT EXISTS ledger_account ON ledger(account, id);"
	"CREATE INDEX IF NOT EXISTS ledger_resource ON ledger(resource, id) WHERE resource IS NOT "
	"NULL;"
	"CREATE INDEX IF NOT EXISTS ledger_metered ON ledger(metered) WHERE metered IS NOT NULL;"
	"CREATE TABLE IF NOT EXISTS budget(id TEXT PRIMARY KEY, account TEXT NOT NULL,"
	" amount INTEGER NOT NULL, period TEXT NOT NULL, stop INTEGER NOT NULL, warn TEXT NOT NULL,"
	" began INTEGER NOT NULL, warned INTEGER NOT NULL DEFAULT 0,"
	" reached INTEGER NOT NULL DEFAULT 0, stops_at INTEGER) WITHOUT ROWID;"
	"CREATE INDEX IF NOT EXISTS budget_account ON budget(account);"
	"CREATE TABLE IF NOT EXISTS alert(account TEXT PRIMARY KEY, least INTEGER NOT NULL,"
	" low INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
	/* A store from before there were budgets knows what was spent, too. */
	"CREATE TABLE IF NOT EXISTS spent(account TEXT NOT NULL, day INTEGER NOT NULL,"
	" amount INTEGER NOT NULL, PRIMARY KEY(account, day)) WITHOUT ROWID;"
	"INSERT INTO spent SELECT account, (time - 1) / 86400, -sum(amount) FROM ledger"
	" WHERE kind = 'usage' AND NOT EXISTS (SELECT 1 FROM spent) GROUP BY 1, 2;"
	"CREATE TABLE IF NOT EXISTS alive(one INTEGER PRIMARY KEY CHECK(one = 1), at INTEGER NOT "
	"NULL);";

int ledger_open_tables(struct store *s, struct ledger **ret)
{
	struct ledger *l;
	int rc = store_begin(s);

	if (!rc && sqlite3_exec(store_db(s), tables, NULL, NULL, NULL) != SQLITE_OK)
		rc = SV_SERVER;
	if (rc)
		return rc;
	l = sv_malloc(sizeof(*l));
	if (!l)
		return SV_NOMEM;
	l->s = s;
	*ret = l;
	return SV_OK;
}

void ledger_free(struct ledger *l)
{
	sv_mfree(l);
}

static int bind(sqlite3_stmt *st, int at, char type, va_list *ap)
{
	const char *text;
	int64_t v;

	if (type == 't') {
		text = va_arg(*ap, const char *);
		return sqlite3_bind_text(st, at, text, -1, SQLITE_TRANSIENT);
	}
	v = va_arg(*ap, int64_t);
	if (type == 'n' && v == -1)
		return sqlite3_bind_null(st, at);
	return sqlite3_bind_int64(st, at, v);
}

static sqlite3_stmt *prepared(struct ledger *l, const char *sql, const char *types, va_list *ap)
{
	sqlite3_stmt *st = store_stmt(l->s, sql);

	for (int i = 0; st && types[i]; i++)
		if (bind(st, i + 1, types[i], ap) != SQLITE_OK)
			return NULL;
	return st;
}

sqlite3_stmt *ledger_stmt(struct ledger *l, const char *sql, const char *types, ...)
{
	sqlite3_stmt *st;
	va_list ap;

	va_start(ap, types);
	st = prepared(l, sql, types, &ap);
	va_end(ap);
	return st;
}

int ledger_run(struct ledger *l, const char *sql, const char *types, ...)
{
	sqlite3_stmt *st;
	va_list ap;
	int rc;

	va_start(ap, types);
	st = prepared(l, sql, types, &ap);
	va_end(ap);
	if (!st)
		return SV_SERVER;
	rc = sqlite3_step(st);
	sqlite3_reset(st);
	return rc == SQLITE_DONE || rc == SQLITE_ROW ? SV_OK : SV_SERVER;
}

int ledger_int(sqlite3_stmt *st, int64_t otherwise, int64_t *ret)
{
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (rc == SQLITE_ROW && sqlite3_column_type(st, 0) != SQLITE_NULL)
		otherwise = sqlite3_column_int64(st, 0);
	if (st)
		sqlite3_reset(st);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return SV_SERVER;
	*ret = otherwise;
	return SV_OK;
}

int64_t ledger_charge(int64_t rate, int64_t per, int64_t seconds)
{
	int64_t cost = INT64_MAX;

	if (seconds <= 0)
		return 0;
	return sv_charge_per(rate, per, seconds, &cost) == SV_OK ? cost : INT64_MAX;
}

void spans_free(struct spans *s)
{
	sv_mfree(s->v);
	*s = (struct spans){ 0 };
}

int spans_add(struct spans *s, const struct span *one)
{
	size_t cap = s->cap ? s->cap * 2 : 8;
	struct span *v;

	if (s->n == s->cap) {
		v = sv_realloc(s->v, cap * sizeof(*v));
		if (!v)
			return SV_NOMEM;
		s->v = v;
		s->cap = cap;
	}
	s->v[s->n++] = *one;
	return SV_OK;
}

static void text_of(sqlite3_stmt *st, int column, char *buf, size_t size)
{
	const unsigned char *text = sqlite3_column_text(st, column);

	snprintf(buf, size, "%s", text ? (const char *)text : "");
}

#define OPEN \
	"SELECT m.id, m.rate, m.per, m.began, m.posted, m.posted_to, m.account, m.resource, " \
	"m.kind," \
	" CASE WHEN m.kind = 'compute' THEN s.least_until END, m.gpu" \
	" FROM metered m LEFT JOIN started s ON s.resource = m.resource WHERE m.ended IS NULL"

static sqlite3_stmt *open_query(
	struct ledger *l, const char *account, const char *resource, const char *kind)
{
	if (resource && kind)
		return ledger_stmt(
			l, OPEN " AND m.resource = ?1 AND m.kind = ?2", "tt", resource, kind);
	if (resource)
		return ledger_stmt(l, OPEN " AND m.resource = ?1 ORDER BY m.id", "t", resource);
	if (account)
		return ledger_stmt(l, OPEN " AND m.account = ?1 ORDER BY m.id", "t", account);
	return ledger_stmt(l, OPEN " ORDER BY m.account, m.id", "");
}

int spans_open(struct ledger *l, const char *account, const char *resource, const char *kind,
	struct spans *ret)
{
	sqlite3_stmt *st = open_query(l, account, resource, kind);
	struct span one = { 0 };
	int rc = st ? SQLITE_ROW : SQLITE_ERROR, failed = SV_OK;

	*ret = (struct spans){ 0 };
	while (st && !failed && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		one.id = sqlite3_column_int64(st, 0);
		one.rate = sqlite3_column_int64(st, 1);
		one.per = sqlite3_column_int64(st, 2);
		one.began = sqlite3_column_int64(st, 3);
		one.posted = sqlite3_column_int64(st, 4);
		one.posted_to = sqlite3_column_int64(st, 5);
		text_of(st, 6, one.account, sizeof(one.account));
		text_of(st, 7, one.resource, sizeof(one.resource));
		text_of(st, 8, one.kind, sizeof(one.kind));
		one.least_until = sqlite3_column_int64(st, 9);
		text_of(st, 10, one.gpu, sizeof(one.gpu));
		failed = spans_add(ret, &one);
	}
	if (st)
		sqlite3_reset(st);
	if (!failed && rc != SQLITE_DONE)
		failed = SV_SERVER;
	if (failed)
		spans_free(ret);
	return failed;
}
