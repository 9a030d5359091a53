/* SPDX-License-Identifier: MIT */
#include "local/doc.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/field.h"

void *doc_part(void *root, const struct sv_kind *kind, const char *field)
{
	const struct sv_field *f = sv_field_find(kind, field);

	return f && f->kind ? sv_new_in(root, f->kind) : NULL;
}

int doc_get(struct platform *p, const struct sv_kind *kind, const char *id, void **ret)
{
	return id ? store_get(p->store, kind, NULL, id, ret) : SV_NOTFOUND;
}

char *doc_called(struct platform *p, const char *id, char *buf, size_t size)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT name FROM doc WHERE id=?");
	const char *name = NULL;

	if (st)
		sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	if (st && sqlite3_step(st) == SQLITE_ROW)
		name = (const char *)sqlite3_column_text(st, 0);
	if (name && *name && strcmp(name, id) != 0)
		snprintf(buf, size, "%.160s (%s)", name, id);
	else
		snprintf(buf, size, "%s", id);
	if (st)
		sqlite3_reset(st);
	return buf;
}

static int released(const struct sv_kind *kind, const void *obj)
{
	const char *status = field_text(kind, obj, "status");

	return status && (!strcmp(status, "released") || !strcmp(status, "deleted"));
}

/* The ids, at most two, that a name means. */
static int ids_named(struct platform *p, const struct sv_kind *kind, const char *account,
	const char *name, char ids[2][64])
{
	sqlite3_stmt *q = store_stmt(p->store,
		"SELECT id FROM doc WHERE kind = ? AND account IN (?, '') AND name = ?"
		" AND gone = 0 ORDER BY account = '', row LIMIT 2");
	int n = 0;

	if (!q)
		return 0;
	sqlite3_bind_text(q, 1, kind->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(q, 2, account, -1, SQLITE_STATIC);
	sqlite3_bind_text(q, 3, name, -1, SQLITE_STATIC);
	while (n < 2 && sqlite3_step(q) == SQLITE_ROW)
		snprintf(ids[n++], 64, "%s", (const char *)sqlite3_column_text(q, 0));
	sqlite3_reset(q);
	return n;
}

int doc_find(
	struct call *c, const struct sv_kind *kind, const char *text, const char *field, void **ret)
{
	char ids[2][64] = { "", "" };
	void *obj = NULL;
	int n;

	if (text && *text && !store_get(c->p->store, kind, c->account, text, &obj)) {
		if (!released(kind, obj)) {
			*ret = obj;
			return SV_OK;
		}
		sv_free(obj);
	}
	n = text && *text ? ids_named(c->p, kind, c->account, text, ids) : 0;
	if (n == 2)
		return sv_err_field(&c->err, field, "ambiguous",
			"%s \"%.80s\" is the name of two: give the id (%s, %s ...)", kind->name,
			text, ids[0], ids[1]);
	if (n == 1 && !store_get(c->p->store, kind, c->account, ids[0], ret))
		return SV_OK;
	return sv_err_field(&c->err, field, "not_found", "%s \"%.80s\" does not exist", kind->name,
		text ? text : "");
}

int doc_named(struct platform *p, const struct sv_kind *kind, const char *account, const char *name)
{
	sqlite3_stmt *q = store_stmt(p->store,
		"SELECT 1 FROM doc WHERE kind = ? AND account = ? AND name = ? AND gone = 0");
	int found;

	if (!q)
		return 0;
	sqlite3_bind_text(q, 1, kind->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(q, 2, account, -1, SQLITE_STATIC);
	sqlite3_bind_text(q, 3, name, -1, SQLITE_STATIC);
	found = sqlite3_step(q) == SQLITE_ROW;
	sqlite3_reset(q);
	return found;
}

const char *doc_name_wrong(const char *name)
{
	size_t len = name ? strlen(name) : 0;

	if (!len)
		return "must not be empty";
	if (len > 128)
		return "is longer than 128 bytes";
	if (!sv_utf8_valid(name, len))
		return "is not valid UTF-8";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < 32 || name[i] == 127)
			return "must not have control characters";
	if (sv_is_space(name[0]) || sv_is_space(name[len - 1]))
		return "must not begin or end with a blank";
	return NULL;
}

int doc_answer(struct call *c, const struct sv_kind *kind, const char *id, const char *operation)
{
	void *obj = NULL;
	int rc = doc_get(c->p, kind, id, &obj);

	if (rc)
		return rc;
	if (operation)
		field_set_text(kind, obj, "operation_id", sv_strdup_in(obj, operation));
	sv_free(c->out);
	c->out = obj;
	c->status = operation ? 202 : c->status;
	return SV_OK;
}

char *doc_fact(struct platform *p, const char *id, const char *name, char *buf, size_t size)
{
	struct sv_buf b;

	buf[0] = '\0';
	sv_buf_init(&b, 1 << 20);
	if (!store_fact_get(p->store, id, name, &b))
		snprintf(buf, size, "%s", sv_buf_text(&b));
	sv_buf_free(&b);
	return buf;
}
