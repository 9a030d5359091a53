/* SPDX-License-Identifier: MIT */
/* Events. An id is the sequence number, so that a follower can say where it was. */
#include "local/event.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/crud.h"
#include "local/feed.h"
#include "local/field.h"
#include "local/stream.h"
#include "model/json.h"
#include "model/kind.h"

#define PREFIX        "evt_"
#define LIMIT_DEFAULT 100
#define LIMIT_MAX     1000
#define COLUMNS \
	"SELECT seq, account, type, actor, resource, message, at," \
	" (SELECT nullif(name, '') FROM doc WHERE id=event.resource) FROM event"

void event_wait_id(const char *account, char *buf, size_t size)
{
	snprintf(buf, size, "event:%.50s", account);
}

void event_id(int64_t seq, char *buf, size_t size)
{
	snprintf(buf, size, PREFIX "%020lld", (long long)seq);
}

int64_t event_seq(const char *id)
{
	int64_t seq;

	if (strncmp(id, PREFIX, sizeof(PREFIX) - 1) != 0 ||
		sv_parse_int(id + sizeof(PREFIX) - 1, &seq) || seq < 0)
		return -1;
	return seq;
}

int platform_event(struct platform *p, const char *account, const char *type, const char *actor,
	const char *resource, const char *fmt, ...)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"INSERT INTO event(account, type, actor, resource, message, at)"
		" VALUES(?, ?, ?, ?, ?, ?)");
	char message[512], wait_id[64];
	va_list ap;
	int rc;

	if (!st)
		return SV_SERVER;
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	sqlite3_bind_text(st, 1, account ? account : "", -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, type, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, actor && *actor ? actor : "platform", -1, SQLITE_STATIC);
	if (resource)
		sqlite3_bind_text(st, 4, resource, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 5, message, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 6, platform_now(p));
	rc = store_run(p->store, st);
	if (rc == SV_OK) {
		event_wait_id(account ? account : "", wait_id, sizeof(wait_id));
		platform_wake(p, wait_id);
		p->webhook_wake = 1;
	}
	return rc;
}

int64_t event_last(struct platform *p)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT max(seq) FROM event");
	int64_t seq = 0;

	if (st && sqlite3_step(st) == SQLITE_ROW)
		seq = sqlite3_column_int64(st, 0);
	if (st)
		sqlite3_reset(st);
	return seq;
}

static const char *text_in(void *root, sqlite3_stmt *st, int column)
{
	return sv_strdup_in(root, (const char *)sqlite3_column_text(st, column));
}

/* A row as an object of the kind, in root's memory. */
static void *object_of(void *root, sqlite3_stmt *st)
{
	const struct sv_kind *k = &sv_event_kind;
	void *obj = sv_new_in(root, k);
	int64_t at = sqlite3_column_int64(st, 6);
	char id[64];

	if (!obj)
		return NULL;
	event_id(sqlite3_column_int64(st, 0), id, sizeof(id));
	field_set_text(k, obj, "id", sv_strdup_in(root, id));
	field_set_text(k, obj, "name", text_in(root, st, 7));
	field_set_text(k, obj, "type", text_in(root, st, 2));
	field_set_text(k, obj, "actor", text_in(root, st, 3));
	field_set_text(k, obj, "resource", text_in(root, st, 4));
	field_set_text(k, obj, "message", text_in(root, st, 5));
	field_set_number(k, obj, "created_at", at);
	field_set_number(k, obj, "updated_at", at);
	field_set_number(k, obj, "version", 1);
	return obj;
}

static int record(sqlite3_stmt *st, struct sv_buf *out)
{
	struct sv_page *root = sv_page_new();
	void *obj = root ? object_of(root, st) : NULL;
	char id[64];
	int rc = obj ? SV_OK : SV_NOMEM;

	if (rc == SV_OK) {
		event_id(sqlite3_column_int64(st, 0), id, sizeof(id));
		sv_buf_fmt(out, "id: %s\nevent: %s\ndata: ", id,
			(const char *)sqlite3_column_text(st, 2));
		rc = sv_write_json(out, &sv_event_kind, obj, SV_WALK_WIRE, 0);
		sv_buf_str(out, "\n\n");
	}
	sv_free(root);
	return rc;
}

int event_records(
	struct platform *p, const char *account, int64_t *seq, int limit, struct sv_buf *out)
{
	sqlite3_stmt *st =
		store_stmt(p->store, COLUMNS " WHERE account=? AND seq>? ORDER BY seq LIMIT ?");
	int rc, code = SV_OK, n = 0;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 2, *seq);
	sqlite3_bind_int(st, 3, limit);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && code == SV_OK) {
		code = record(st, out);
		*seq = sqlite3_column_int64(st, 0);
		n++;
	}
	sqlite3_reset(st);
	if (code == SV_OK)
		code = store_code(p->store, rc);
	return code ? code : n;
}

int local_event_follow(struct call *c)
{
	const char *last = c->request->last_event_id;
	int64_t after = last ? event_seq(last) : event_last(c->p);

	if (after < 0)
		return sv_err(&c->err, SV_INVALID, "Last-Event-ID is none that this stream gave");
	return stream_events(c->p, c->account, after, &c->stream);
}

/* The values of one filter as a JSON array for json_each(); NULL when it is not set. */
static const char *filter(const struct call *c, const char *name, struct sv_buf *b)
{
	const struct sv_field *f = c->in ? sv_field_find(c->verb->query, name) : NULL;
	const struct sv_strs *v = f && f->type == SV_STRS ? sv_member(f, c->in) : NULL;

	sv_buf_init(b, SV_MAX_URL * 4);
	for (size_t i = 0; v && i < v->n; i++) {
		sv_buf_chr(b, i ? ',' : '[');
		sv_buf_json(b, v->v[i], strlen(v->v[i]));
	}
	if (!v || !v->n)
		return NULL;
	sv_buf_chr(b, ']');
	return b->failed ? NULL : sv_buf_text(b);
}

#define FILTERS \
	" AND at>=?4 AND (?5 IS NULL OR type IN (SELECT value FROM json_each(?5)))" \
	" AND (?6 IS NULL OR resource IN (SELECT value FROM json_each(?6)))"

static sqlite3_stmt *list_stmt(struct call *c, int64_t after, int64_t limit, int down)
{
	sqlite3_stmt *st = store_stmt(c->p->store,
		down ? COLUMNS " WHERE account=?1 AND seq<?2" FILTERS " ORDER BY seq DESC LIMIT ?3"
		     : COLUMNS " WHERE account=?1 AND seq>?2" FILTERS " ORDER BY seq LIMIT ?3");
	static const char *const names[] = { "type", "resource" };
	struct sv_buf b;

	if (!st)
		return NULL;
	sqlite3_bind_text(st, 1, c->account, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 2, after);
	sqlite3_bind_int64(st, 3, limit + 1);
	sqlite3_bind_int64(st, 4, c->in ? field_number(c->verb->query, c->in, "since", 0) : 0);
	for (int i = 0; i < 2; i++) {
		const char *values = filter(c, names[i], &b);

		if (values)
			sqlite3_bind_text(st, 5 + i, values, -1, SQLITE_TRANSIENT);
		sv_buf_free(&b);
	}
	return st;
}

static int fill(struct call *c, struct sv_page *page, int64_t after, int64_t limit, int down)
{
	sqlite3_stmt *st = list_stmt(c, after, limit, down);
	int rc, code = SV_OK;
	char id[64] = "";

	if (!st)
		return SV_SERVER;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && code == SV_OK) {
		void *obj;

		if ((int64_t)page->n == limit) {
			page->next = sv_strdup_in(page, id);
			break;
		}
		obj = object_of(page, st);
		code = obj ? sv_page_add(page, obj) : SV_NOMEM;
		event_id(sqlite3_column_int64(st, 0), id, sizeof(id));
	}
	sqlite3_reset(st);
	return code ? code : store_code(c->p->store, rc);
}

int local_event_list(struct call *c)
{
	const struct sv_kind *q = c->verb->query;
	const char *cursor = q ? field_text(q, c->in, "cursor") : NULL,
		   *sort = q ? field_text(q, c->in, "sort") : NULL;
	int64_t limit = q ? field_number(q, c->in, "limit", LIMIT_DEFAULT) : LIMIT_DEFAULT;
	int down = sort && *sort == '-';
	int64_t after = cursor ? event_seq(cursor) : down ? INT64_MAX : 0;

	if (q && field_true(q, c->in, "follow"))
		return local_event_follow(c);
	if (limit < 1 || limit > LIMIT_MAX)
		return sv_err_field(&c->err, "limit", "range", "must be 1 to %d", LIMIT_MAX);
	if (sort && strcmp(sort + down, "created_at") != 0)
		return sv_err_field(&c->err, "sort", "word", "must be created_at or -created_at");
	if (after < 0)
		return sv_err_field(&c->err, "cursor", "value", "is none that this list gave");
	c->out = sv_page_new();
	return c->out ? fill(c, c->out, after, limit, down) : SV_NOMEM;
}

int event_json(struct platform *p, const char *account, int64_t seq, struct sv_buf *out)
{
	sqlite3_stmt *st = store_stmt(p->store, COLUMNS " WHERE account=? AND seq=?");
	struct sv_page *root = sv_page_new();
	int rc;

	if (!st || !root) {
		sv_free(root);
		return SV_SERVER;
	}
	sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 2, seq);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		void *obj = object_of(root, st);

		rc = obj ? sv_write_json(out, &sv_event_kind, obj, SV_WALK_WIRE, 0) : SV_NOMEM;
	} else {
		rc = store_code(p->store, rc);
		rc = rc ? rc : SV_NOTFOUND;
	}
	sqlite3_reset(st);
	sv_free(root);
	return rc;
}

int local_event_get(struct call *c)
{
	int rc = event_json(c->p, c->account, event_seq(c->id), &c->text);

	return rc == SV_NOTFOUND ? sv_err(&c->err, rc, "event \"%.64s\" not found", c->id) : rc;
}
