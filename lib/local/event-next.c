/* SPDX-License-Identifier: MIT */
/* Events one by one, for what takes only some of them. */
#include <stdio.h>
#include <string.h>

#include "local/event.h"

#define LOOK_MOST 1000 /* rows of one call */

static sqlite3_stmt *after_stmt(
	struct platform *p, const char *account, int64_t after, int64_t most)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"SELECT seq, type, resource, message, at FROM event"
		" WHERE account=?1 AND seq>?2 ORDER BY seq LIMIT ?3");

	if (!st)
		return NULL;
	sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 2, after);
	sqlite3_bind_int64(st, 3, most);
	return st;
}

static const char *column(sqlite3_stmt *st, int i)
{
	const char *text = (const char *)sqlite3_column_text(st, i);

	return text ? text : "";
}

int event_next(struct platform *p, const char *account, int64_t after,
	int (*wants)(const void *data, const char *type), const void *data, int64_t *scanned,
	struct event_row *ret)
{
	sqlite3_stmt *st = after_stmt(p, account, after, LOOK_MOST);
	int rc, found = 0;

	*scanned = after;
	if (!st)
		return SV_SERVER;
	while (!found && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		*scanned = sqlite3_column_int64(st, 0);
		if (!wants(data, column(st, 1)))
			continue;
		found = 1;
		ret->seq = *scanned;
		ret->at = sqlite3_column_int64(st, 4);
		snprintf(ret->type, sizeof(ret->type), "%s", column(st, 1));
		snprintf(ret->resource, sizeof(ret->resource), "%s", column(st, 2));
		snprintf(ret->message, sizeof(ret->message), "%s", column(st, 3));
	}
	sqlite3_reset(st);
	return found ? 1 : store_code(p->store, rc);
}

int64_t event_count(struct platform *p, const char *account, int64_t after, int64_t most,
	int (*wants)(const void *data, const char *type), const void *data)
{
	sqlite3_stmt *st = after_stmt(p, account, after, most);
	int64_t n = 0;

	while (st && sqlite3_step(st) == SQLITE_ROW)
		n += wants(data, column(st, 1)) != 0;
	if (st)
		sqlite3_reset(st);
	return n;
}
