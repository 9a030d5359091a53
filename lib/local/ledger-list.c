/* SPDX-License-Identifier: MIT */
/* The ledger as lists: metered intervals, entries. Filters are columns with an index. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "local/ledger-inside.h"

#define MAX_SQL   ((size_t)64 << 10)
#define MAX_BINDS 900

/* Conditions are collected as text with their values beside them, in the order of the question
 * marks. */
struct where {
	struct sv_buf sql;
	struct value {
		const char *text;
		int64_t n;
	} * values;
	size_t n;
};

static int where_init(struct where *w)
{
	*w = (struct where){ .values = sv_malloc(MAX_BINDS * sizeof(struct value)) };
	sv_buf_init(&w->sql, MAX_SQL);
	return w->values ? SV_OK : SV_NOMEM;
}

static void where_free(struct where *w)
{
	sv_mfree(w->values);
	sv_buf_free(&w->sql);
}

/* One value too many fails the text, so that nothing is left out silently. */
static void add(struct where *w, const char *condition, const char *text, int64_t n)
{
	if (w->n == MAX_BINDS)
		w->sql.failed = 1;
	if (w->sql.failed)
		return;
	sv_buf_str(&w->sql, condition);
	w->values[w->n++] = (struct value){ text, n };
}

static void add_text(struct where *w, const char *condition, const char *value)
{
	if (value)
		add(w, condition, value, 0);
}

static void add_int(struct where *w, const char *condition, int64_t value)
{
	add(w, condition, NULL, value);
}

static void add_any(struct where *w, const char *column, const struct sv_strs *values)
{
	if (!values->n)
		return;
	sv_buf_fmt(&w->sql, " AND %s IN (", column);
	for (size_t i = 0; i < values->n; i++)
		add(w, i ? ", ?" : "?", values->v[i] ? values->v[i] : "", 0);
	sv_buf_chr(&w->sql, ')');
}

/* What an interval's own columns say; m is its table. */
static void add_interval(struct where *w, const struct ledger_filter *f)
{
	add_any(w, "m.name", &f->name);
	add_any(w, "m.gpu", &f->gpu);
	add_any(w, "m.job", &f->job);
	add_any(w, "m.resource", &f->instance);
	for (size_t i = 0; i < f->labels.n; i++) {
		add(w,
			" AND EXISTS (SELECT 1 FROM metered_label b WHERE b.metered = m.id"
			" AND b.key = ?",
			f->labels.keys[i], 0);
		add(w, " AND b.value = ?)", f->labels.values[i] ? f->labels.values[i] : "", 0);
	}
}

static sqlite3_stmt *ready(struct ledger *l, struct where *w)
{
	sqlite3_stmt *st = w->sql.failed ? NULL : store_stmt(l->s, sv_buf_text(&w->sql));

	for (size_t i = 0; st && i < w->n; i++) {
		int at = (int)i + 1, rc;

		rc = w->values[i].text
			     ? sqlite3_bind_text(st, at, w->values[i].text, -1, SQLITE_TRANSIENT)
			     : sqlite3_bind_int64(st, at, w->values[i].n);
		if (rc != SQLITE_OK)
			st = NULL;
	}
	return st;
}

static void order(struct where *w, const struct ledger_filter *f, const char *after, const char *by)
{
	if (f->after) {
		sv_buf_fmt(&w->sql, " AND %s %s", after, f->descending ? "<" : ">");
		add_int(w, " ?", f->after);
	}
	sv_buf_fmt(&w->sql, " ORDER BY %s%s", by, f->descending ? " DESC" : "");
	add_int(w, " LIMIT ?", f->limit > 0 ? f->limit : INT64_MAX);
}

static const char *text(sqlite3_stmt *st, int column)
{
	return (const char *)sqlite3_column_text(st, column);
}

int64_t ledger_part(const struct ledger_interval *i, int64_t from, int64_t to)
{
	return ledger_charge(i->rate, i->per_seconds, to - i->origin) -
	       ledger_charge(i->rate, i->per_seconds, from - i->origin);
}

/* A part of an interval costs what it has cost at its end less what it had at its beginning. */
static void cut(struct ledger_interval *i, const struct ledger_filter *f, int64_t end, int once,
	int64_t posted)
{
	int64_t from = i->began > f->since ? i->began : f->since;
	int64_t to = f->until && end > f->until ? f->until : end;

	if (to < from)
		to = from;
	i->origin = i->began;
	i->once = once;
	i->seconds = to - from;
	i->cost = once ? posted : ledger_part(i, from, to);
	if (to < end || i->ended >= 0)
		i->ended = to;
	i->began = from;
}

static sqlite3_stmt *interval_query(
	struct ledger *l, const struct ledger_filter *f, struct where *w)
{
	sv_buf_str(&w->sql,
		"SELECT m.id, m.account, m.resource, m.kind, m.name, m.gpu, m.job, m.rate, m.per,"
		" m.began, m.ended, m.once, m.posted, m.posted_to");
	if (f->label)
		add(w,
			", (SELECT b.value FROM metered_label b WHERE b.metered = m.id"
			" AND b.key = ?)",
			f->label, 0);
	sv_buf_str(&w->sql, " FROM metered m WHERE 1");
	add_text(w, " AND m.account = ?", f->account);
	add_any(w, "m.resource", &f->resource);
	add_any(w, "m.kind", &f->kind);
	add_interval(w, f);
	/* What ended in the second in which the window begins has no part in it, unless it is a
	 * charge of that second. */
	if (f->since) {
		add_int(w, " AND (m.ended IS NULL OR m.ended >= ?)", f->since);
		add_int(w, " AND coalesce(m.ended + m.once, 1e15) > ?", f->since);
	}
	if (f->until)
		add_int(w, " AND m.began < ?", f->until);
	if (f->limit || f->after)
		order(w, f, "m.id", "m.id");
	return ready(l, w);
}

/* open_until: where one that is still open ends. */
static void interval_row(sqlite3_stmt *st, const struct ledger_filter *f, int64_t open_until,
	struct ledger_interval *i)
{
	int64_t end = sqlite3_column_int64(st, 10), posted_to = sqlite3_column_int64(st, 13);

	*i = (struct ledger_interval){
		.id = sqlite3_column_int64(st, 0),
		.account = text(st, 1),
		.resource = text(st, 2),
		.kind = text(st, 3),
		.name = text(st, 4),
		.gpu = text(st, 5),
		.job = text(st, 6),
		.rate = sqlite3_column_int64(st, 7),
		.per_seconds = sqlite3_column_int64(st, 8),
		.began = sqlite3_column_int64(st, 9),
		.ended = end,
	};
	if (f->label)
		i->label = text(st, 14);
	if (sqlite3_column_type(st, 10) == SQLITE_NULL) {
		i->ended = -1;
		end = open_until < posted_to ? posted_to : open_until;
	}
	cut(i, f, end, sqlite3_column_int(st, 11), sqlite3_column_int64(st, 12));
}

int ledger_each_interval(struct ledger *l, const struct ledger_filter *f, int64_t now,
	int (*fn)(void *data, const struct ledger_interval *i), void *data)
{
	struct ledger_interval i;
	struct where w;
	sqlite3_stmt *st;
	int64_t horizon;
	int rc = SQLITE_ERROR, end = 0;

	if (where_init(&w))
		return SV_NOMEM;
	horizon = ledger_horizon(l, f->account, now);
	st = interval_query(l, f, &w);
	while (st && !end && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		interval_row(st, f, horizon < now ? horizon : now, &i);
		end = fn(data, &i);
	}
	if (st)
		sqlite3_reset(st);
	where_free(&w);
	return end || rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

int ledger_labels(struct ledger *l, int64_t interval, void *root, struct sv_map *ret)
{
	sqlite3_stmt *st = ledger_stmt(l,
		"SELECT key, value FROM metered_label WHERE metered = ?1 ORDER BY key", "i",
		interval);
	int rc = SQLITE_ERROR, failed = SV_OK;

	while (st && !failed && (rc = sqlite3_step(st)) == SQLITE_ROW)
		failed = sv_map_set(root, ret, text(st, 0), text(st, 1));
	if (st)
		sqlite3_reset(st);
	return failed ? failed : rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

static sqlite3_stmt *entry_query(struct ledger *l, const struct ledger_filter *f, struct where *w)
{
	sv_buf_str(&w->sql, "SELECT id, account, time, kind, amount, resource, metered, balance, "
			    "note FROM ledger"
			    " WHERE 1");
	add_text(w, " AND account = ?", f->account);
	add_any(w, "resource", &f->resource);
	add_any(w, "kind", &f->kind);
	if (f->name.n || f->gpu.n || f->job.n || f->instance.n || f->labels.n) {
		sv_buf_str(&w->sql, " AND metered IN (SELECT m.id FROM metered m WHERE 1");
		add_interval(w, f);
		sv_buf_chr(&w->sql, ')');
	}
	if (f->since)
		add_int(w, " AND time >= ?", f->since);
	if (f->until)
		add_int(w, " AND time < ?", f->until);
	order(w, f, "id", "id");
	return ready(l, w);
}

int ledger_each_entry(struct ledger *l, const struct ledger_filter *f,
	int (*fn)(void *data, const struct ledger_entry *e), void *data)
{
	struct where w;
	sqlite3_stmt *st;
	int rc = SQLITE_ERROR, end = 0;

	if (where_init(&w))
		return SV_NOMEM;
	st = entry_query(l, f, &w);
	while (st && !end && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct ledger_entry e = {
			.id = sqlite3_column_int64(st, 0),
			.account = text(st, 1),
			.time = sqlite3_column_int64(st, 2),
			.kind = text(st, 3),
			.amount = sqlite3_column_int64(st, 4),
			.resource = text(st, 5),
			.interval = sqlite3_column_int64(st, 6),
			.balance = sqlite3_column_int64(st, 7),
			.note = text(st, 8),
		};

		end = fn(data, &e);
	}
	if (st)
		sqlite3_reset(st);
	where_free(&w);
	return end || rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}
