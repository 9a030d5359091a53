/* SPDX-License-Identifier: MIT */
/* Documents: any kind in one table, as the JSON that is answered, with the columns that lists
 * filter by. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "local/field.h"
#include "local/store.h"
#include "model/json.h"
#include "model/kind.h"

/* What stands in the table before a put. */
struct old {
	int64_t row, version, created;
	char account[64];
};

/* The name's row is the one flagged, or the one so called. */
static const char *name_of(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = sv_field_flagged(kind, SV_NAME);

	return f && f->type == SV_STR ? *(const char *const *)sv_member(f, obj)
				      : field_text(kind, obj, "name");
}

static int look_up(struct store *s, const char *id, struct old *old)
{
	sqlite3_stmt *st =
		store_stmt(s, "SELECT row, version, created, account FROM doc WHERE id=?");
	int rc;

	memset(old, 0, sizeof(*old));
	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		old->row = sqlite3_column_int64(st, 0);
		old->version = sqlite3_column_int64(st, 1);
		old->created = sqlite3_column_int64(st, 2);
		snprintf(old->account, sizeof(old->account), "%s",
			(const char *)sqlite3_column_text(st, 3));
	}
	sqlite3_reset(st);
	return store_code(s, rc);
}

static int decode(const struct sv_kind *kind, sqlite3_stmt *st, int column, void **ret)
{
	struct sv_error err;

	return sv_from_json(kind, (const char *)sqlite3_column_text(st, column),
		(size_t)sqlite3_column_bytes(st, column), ret, &err);
}

int store_get(struct store *s, const struct sv_kind *kind, const char *account, const char *id,
	void **ret)
{
	sqlite3_stmt *st = store_stmt(s, "SELECT doc, kind, account FROM doc WHERE id=?");
	int rc, code;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	rc = sqlite3_step(st);
	code = rc == SQLITE_ROW || rc == SQLITE_DONE ? SV_NOTFOUND : store_code(s, rc);
	if (rc == SQLITE_ROW && !strcmp((const char *)sqlite3_column_text(st, 1), kind->name)) {
		const char *owner = (const char *)sqlite3_column_text(st, 2);

		if (!account || !*owner || !strcmp(owner, account))
			code = decode(kind, st, 0, ret);
	}
	sqlite3_reset(st);
	return code == SV_PROTO ? SV_SERVER : code;
}

static void bind(sqlite3_stmt *st, int at, const char *text)
{
	if (text)
		sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
}

/* The instance that it belongs to, or is attached to. */
static const char *instance_of(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = sv_field_find(kind, "attachment");
	const void *part = f && f->type == SV_OBJ ? *(void *const *)sv_member(f, obj) : NULL;

	return part ? field_text(f->kind, part, "instance") : field_text(kind, obj, "instance");
}

static int put_row(struct store *s, const struct sv_kind *kind, const char *account,
	const void *obj, struct old *old, const struct sv_buf *json)
{
	const char *status = field_text(kind, obj, "status");
	sqlite3_stmt *st =
		store_stmt(s, old->row ? "UPDATE doc SET name=?3, status=?4, gpu=?5, instance=?6, "
					 "gone=?7, version=?8, doc=?9 WHERE id=?1"
				       : "INSERT INTO doc(id, kind, name, status, gpu, instance, "
					 "gone, version, doc, account, created)"
					 " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
	int rc;

	if (!st)
		return SV_SERVER;
	bind(st, 1, field_text(kind, obj, "id"));
	bind(st, 3, name_of(kind, obj) ? name_of(kind, obj) : "");
	bind(st, 4, status);
	bind(st, 5, field_text(kind, obj, "gpu"));
	bind(st, 6, instance_of(kind, obj));
	sqlite3_bind_int(
		st, 7, status && (!strcmp(status, "released") || !strcmp(status, "deleted")));
	sqlite3_bind_int64(st, 8, old->version);
	sqlite3_bind_text(st, 9, sv_buf_text(json), (int)json->len, SQLITE_STATIC);
	if (!old->row) {
		bind(st, 2, kind->name);
		bind(st, 10, account ? account : "");
		sqlite3_bind_int64(st, 11, old->created);
	}
	rc = store_run(s, st);
	if (rc == SV_OK && !old->row)
		old->row = sqlite3_last_insert_rowid(store_db(s));
	return rc;
}

static int put_labels(
	struct store *s, const struct sv_kind *kind, const void *obj, int64_t row, int fresh)
{
	const struct sv_field *f = sv_field_find(kind, "labels");
	const struct sv_map *labels = f && f->type == SV_MAP ? sv_member(f, obj) : NULL;
	sqlite3_stmt *st;
	int rc = SV_OK;

	if (labels && !fresh) {
		st = store_stmt(s, "DELETE FROM label WHERE doc=?");
		if (!st)
			return SV_SERVER;
		sqlite3_bind_int64(st, 1, row);
		rc = store_run(s, st);
	}
	for (size_t i = 0; labels && rc == SV_OK && i < labels->n; i++) {
		st = store_stmt(s, "INSERT OR REPLACE INTO label(doc, key, value) VALUES(?, ?, ?)");
		if (!st)
			return SV_SERVER;
		sqlite3_bind_int64(st, 1, row);
		bind(st, 2, labels->keys[i]);
		bind(st, 3, labels->values[i] ? labels->values[i] : "");
		rc = store_run(s, st);
	}
	return rc;
}

int store_put(
	struct store *s, const struct sv_kind *kind, const char *account, void *obj, int64_t now)
{
	const char *id = field_text(kind, obj, "id");
	struct sv_buf json;
	struct old old;
	int rc, fresh;

	if (!id || !*id)
		return SV_SERVER;
	rc = look_up(s, id, &old);
	if (rc)
		return rc;
	fresh = !old.row;
	old.version++;
	if (fresh)
		old.created = field_number(kind, obj, "created_at", now);
	field_set_number(kind, obj, "version", old.version);
	field_set_number(kind, obj, "updated_at", now);
	field_set_number(kind, obj, "created_at", old.created);
	sv_buf_init(&json, SV_MAX_BODY);
	rc = sv_write_json(&json, kind, obj, SV_WALK_WIRE, 0);
	if (rc == SV_OK)
		rc = put_row(s, kind, account, obj, &old, &json);
	sv_buf_free(&json);
	if (rc == SV_OK)
		rc = put_labels(s, kind, obj, old.row, fresh);
	if (rc == SV_OK)
		store_tell(s, id);
	return rc;
}

int store_drop(struct store *s, const struct sv_kind *kind, const char *id, int64_t now)
{
	struct old old;
	sqlite3_stmt *st;
	int rc = look_up(s, id, &old);

	(void)kind;
	(void)now;
	if (rc || !old.row)
		return rc ? rc : SV_NOTFOUND;
	st = store_stmt(s, "DELETE FROM label WHERE doc=?");
	if (!st)
		return SV_SERVER;
	sqlite3_bind_int64(st, 1, old.row);
	rc = store_run(s, st);
	st = rc == SV_OK ? store_stmt(s, "DELETE FROM doc WHERE row=?") : NULL;
	if (!st)
		return SV_SERVER;
	sqlite3_bind_int64(st, 1, old.row);
	rc = store_run(s, st);
	if (rc == SV_OK)
		store_tell(s, id);
	return rc;
}

int64_t store_version(struct store *s, const char *id)
{
	struct old old;

	return look_up(s, id, &old) == SV_OK && old.row ? old.version : -1;
}

int store_owner(struct store *s, const char *id, char *account, size_t size)
{
	struct old old;
	int rc = look_up(s, id, &old);

	if (rc == SV_OK && !old.row)
		return SV_NOTFOUND;
	if (rc == SV_OK)
		snprintf(account, size, "%s", old.account);
	return rc;
}

void store_name(struct store *s, const char *id, char *buf, size_t size)
{
	sqlite3_stmt *st = store_stmt(s, "SELECT name FROM doc WHERE id=?1");

	*buf = '\0';
	if (!st)
		return;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		snprintf(buf, size, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_reset(st);
}

/* The rows that store_each() visits, taken before the first call, so that the callee may change
 * what it likes. */
static int rows_of(struct store *s, const struct sv_kind *kind, const char *account,
	const char *status, struct sv_buf *rows)
{
	sqlite3_stmt *st = store_stmt(s,
		account ? (status ? "SELECT row FROM doc WHERE kind=?1 AND account=?2 AND status=?3"
				  : "SELECT row FROM doc WHERE kind=?1 AND account=?2")
			: (status ? "SELECT row FROM doc WHERE kind=?1 AND status=?3"
				  : "SELECT row FROM doc WHERE kind=?1"));
	int rc;

	if (!st)
		return SV_SERVER;
	bind(st, 1, kind->name);
	if (account)
		bind(st, 2, account);
	if (status)
		bind(st, 3, status);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		int64_t row = sqlite3_column_int64(st, 0);

		sv_buf_add(rows, &row, sizeof(row));
	}
	sqlite3_reset(st);
	return rows->failed ? SV_NOMEM : store_code(s, rc);
}

int store_each(struct store *s, const struct sv_kind *kind, const char *account, const char *status,
	int (*fn)(void *data, const char *account, void *obj), void *data)
{
	struct sv_buf rows;
	int rc, done = 0;

	sv_buf_init(&rows, SV_MAX_TEXT);
	rc = rows_of(s, kind, account, status, &rows);
	for (size_t i = 0; rc == SV_OK && !done && i + sizeof(int64_t) <= rows.len;
		i += sizeof(int64_t)) {
		sqlite3_stmt *st = store_stmt(s, "SELECT doc, account FROM doc WHERE row=?");
		char owner[64];
		void *obj = NULL;
		int64_t row;

		if (!st) {
			rc = SV_SERVER;
			break;
		}
		memcpy(&row, rows.data + i, sizeof(row));
		sqlite3_bind_int64(st, 1, row);
		if (sqlite3_step(st) == SQLITE_ROW && decode(kind, st, 0, &obj) == SV_OK)
			snprintf(owner, sizeof(owner), "%s",
				(const char *)sqlite3_column_text(st, 1));
		sqlite3_reset(st);
		if (obj)
			done = fn(data, owner, obj);
		sv_free(obj);
	}
	sv_buf_free(&rows);
	return rc;
}
