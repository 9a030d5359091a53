/* SPDX-License-Identifier: MIT */
/* The index of what happens by itself. A handler that fails is tried again some seconds later,
 * still with its own due second, so that a full disk delays a stop but does not make it dearer. */
#include "local/due.h"

#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "local/platform.h"

#define AGAIN_SECONDS 5
#define RUN_MAX       100000 /* in one call: what sets itself again at the same second ends here */

int due_set(struct store *s, const char *resource, const char *cause, int64_t at)
{
	sqlite3_stmt *st = store_stmt(s,
		"INSERT INTO due(resource, cause, at) VALUES(?, ?, ?)"
		" ON CONFLICT(resource, cause) DO UPDATE SET at=excluded.at, again=0");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, resource, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, cause, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 3, at);
	return store_run(s, st);
}

int due_clear(struct store *s, const char *resource, const char *cause)
{
	sqlite3_stmt *st = store_stmt(s, cause ? "DELETE FROM due WHERE resource=? AND cause=?"
					       : "DELETE FROM due WHERE resource=?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, resource, -1, SQLITE_STATIC);
	if (cause)
		sqlite3_bind_text(st, 2, cause, -1, SQLITE_STATIC);
	return store_run(s, st);
}

int64_t due_next(struct store *s)
{
	sqlite3_stmt *st = store_stmt(s, "SELECT max(at, again) FROM due ORDER BY at, seq LIMIT 1");
	int64_t at = -1;

	if (st && sqlite3_step(st) == SQLITE_ROW)
		at = sqlite3_column_int64(st, 0);
	if (st)
		sqlite3_reset(st);
	return at;
}

int64_t due_at(struct store *s, const char *resource, const char *cause)
{
	sqlite3_stmt *st = store_stmt(s, "SELECT at FROM due WHERE resource=? AND cause=?");
	int64_t at = -1;

	if (!st)
		return -1;
	sqlite3_bind_text(st, 1, resource, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, cause, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		at = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return at;
}

struct item {
	int64_t seq, at;
	char resource[80], cause[48];
};

static int take(struct store *s, int64_t now, int64_t wall, struct item *ret)
{
	sqlite3_stmt *st =
		store_stmt(s, "SELECT seq, at, resource, cause FROM due WHERE at<=? AND again<=?"
			      " ORDER BY at, seq LIMIT 1");
	int found;

	if (!st)
		return 0;
	sqlite3_bind_int64(st, 1, now);
	sqlite3_bind_int64(st, 2, wall);
	found = sqlite3_step(st) == SQLITE_ROW;
	if (found) {
		ret->seq = sqlite3_column_int64(st, 0);
		ret->at = sqlite3_column_int64(st, 1);
		snprintf(ret->resource, sizeof(ret->resource), "%s",
			(const char *)sqlite3_column_text(st, 2));
		snprintf(ret->cause, sizeof(ret->cause), "%s",
			(const char *)sqlite3_column_text(st, 3));
	}
	sqlite3_reset(st);
	return found;
}

static int number(struct store *s, const char *sql, int64_t seq, int64_t value)
{
	sqlite3_stmt *st = store_stmt(s, sql);

	if (!st)
		return SV_SERVER;
	sqlite3_bind_int64(st, 1, seq);
	if (value >= 0)
		sqlite3_bind_int64(st, 2, value);
	return store_run(s, st);
}

static const struct due_handler *handler_of(const char *cause)
{
	for (const struct due_handler *h = due_handlers; h->cause; h++)
		if (!strcmp(h->cause, cause))
			return h;
	return NULL;
}

/* The row goes first: the handler may set its own again. */
static int run_one(struct platform *p, const struct item *it, int64_t wall)
{
	const struct due_handler *h = handler_of(it->cause);
	int64_t was = p->clock.at;
	int rc = store_mark(p->store);

	if (rc)
		return rc;
	rc = number(p->store, "DELETE FROM due WHERE seq=?", it->seq, -1);
	if (rc == SV_OK && h) {
		p->clock.at = it->at;
		rc = h->run(p, it->resource, it->at);
		p->clock.at = was;
	}
	if (rc >= 0)
		return store_release(p->store, 1);
	platform_log(p, "due %s of %s failed: %s; again in %d s", it->cause, it->resource,
		sv_strerror(rc), AGAIN_SECONDS);
	rc = store_release(p->store, 0);
	return rc ? rc
		  : number(p->store, "UPDATE due SET again=?2 WHERE seq=?1", it->seq,
			    wall + AGAIN_SECONDS);
}

int due_run(struct platform *p, int64_t now)
{
	struct item it;
	int rc = SV_OK;

	for (int i = 0; rc == SV_OK && i < RUN_MAX && take(p->store, now, now, &it); i++)
		rc = run_one(p, &it, now);
	return rc;
}
