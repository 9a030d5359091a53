/* SPDX-License-Identifier: MIT */
/* Small private facts, by id and name. */
#include "local/store.h"

int store_fact_set(struct store *s, const char *id, const char *name, const char *value)
{
	sqlite3_stmt *st =
		store_stmt(s, value ? "INSERT OR REPLACE INTO fact(id, name, value) VALUES(?, ?, ?)"
				    : "DELETE FROM fact WHERE id=? AND name=?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	if (value)
		sqlite3_bind_text(st, 3, value, -1, SQLITE_STATIC);
	return store_run(s, st);
}

int store_fact_get(struct store *s, const char *id, const char *name, struct sv_buf *ret)
{
	sqlite3_stmt *st = store_stmt(s, "SELECT value FROM fact WHERE id=? AND name=?");
	int rc, code;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	rc = sqlite3_step(st);
	code = store_code(s, rc);
	if (rc == SQLITE_ROW)
		code = sv_buf_add(
			ret, sqlite3_column_text(st, 0), (size_t)sqlite3_column_bytes(st, 0));
	else if (rc == SQLITE_DONE)
		code = SV_NOTFOUND;
	sqlite3_reset(st);
	return code;
}

int store_facts_drop(struct store *s, const char *id)
{
	sqlite3_stmt *st = store_stmt(s, "DELETE FROM fact WHERE id=?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	return store_run(s, st);
}
