/* SPDX-License-Identifier: MIT */
/* Lists: filters into SQL, pages by key, so that nothing is skipped or repeated while others create
 * and delete. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "local/crud.h"
#include "local/field.h"
#include "local/fold.h"
#include "model/json.h"
#include "model/kind.h"

#define N_BINDS       200
#define LIMIT_DEFAULT 100
#define LIMIT_MAX     1000

struct bind {
	const char *text;
	int64_t number;
};

struct query {
	struct call *c;
	struct sv_buf sql;
	struct bind binds[N_BINDS];
	size_t n;
	int by_name, down, all;
	int64_t limit;
	char after_name[1024]; /* the cursor's place */
	int64_t after_created, after_row;
	int has_cursor;
};

static int bind_text(struct query *q, const char *text)
{
	if (q->n == N_BINDS)
		return sv_err(&q->c->err, SV_INVALID, "too many filters");
	q->binds[q->n++] = (struct bind){ .text = text };
	return SV_OK;
}

static int bind_number(struct query *q, int64_t number)
{
	if (q->n == N_BINDS)
		return sv_err(&q->c->err, SV_INVALID, "too many filters");
	q->binds[q->n++] = (struct bind){ .number = number };
	return SV_OK;
}

/* "n.ROW.NAME" or "c.ROW.CREATED", as hexadecimal: opaque, and safe in a URL as it is. */
static void cursor_write(
	struct sv_buf *b, int by_name, int64_t row, const char *name, int64_t created)
{
	char head[64];
	const char *tail = by_name ? (name ? name : "") : "";

	snprintf(head, sizeof(head), by_name ? "n.%lld." : "c.%lld.%lld", (long long)row,
		(long long)created);
	for (const char *s = head; *s; s++)
		sv_buf_fmt(b, "%02x", (unsigned char)*s);
	for (const char *s = tail; *s; s++)
		sv_buf_fmt(b, "%02x", (unsigned char)*s);
}

static int hex(char c)
{
	return sv_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int cursor_read(struct query *q, const char *text)
{
	char plain[1024], *dot, *tail;
	size_t n = 0;

	for (; text[0] && text[1] && n + 1 < sizeof(plain); text += 2) {
		int hi = hex(text[0]), lo = hex(text[1]);

		if (hi < 0 || lo < 0 || !(hi | lo))
			break;
		plain[n++] = (char)(hi << 4 | lo);
	}
	plain[n] = '\0';
	tail = n > 2 && plain[1] == '.' ? strchr(plain + 2, '.') : NULL;
	dot = tail;
	if (*text || !tail || plain[0] != (q->by_name ? 'n' : 'c'))
		return 0;
	*dot = '\0';
	tail++;
	if (sv_parse_int(plain + 2, &q->after_row))
		return 0;
	q->has_cursor = 1;
	snprintf(q->after_name, sizeof(q->after_name), "%s", tail);
	return q->by_name || sv_parse_int(tail, &q->after_created) == SV_OK;
}

static int paging(struct query *q)
{
	const struct sv_kind *k = q->c->verb->query;
	const char *sort = k ? field_text(k, q->c->in, "sort") : NULL,
		   *cursor = k ? field_text(k, q->c->in, "cursor") : NULL;

	q->limit = k ? field_number(k, q->c->in, "limit", LIMIT_DEFAULT) : LIMIT_DEFAULT;
	if (q->limit < 1 || q->limit > LIMIT_MAX)
		return sv_err_field(&q->c->err, "limit", "range", "must be 1 to %d", LIMIT_MAX);
	if (sort && *sort == '-') {
		q->down = 1;
		sort++;
	}
	q->by_name = sort && !strcmp(sort, "name");
	if (sort && !q->by_name && strcmp(sort, "created_at") != 0)
		return sv_err_field(&q->c->err, "sort", "word",
			"must be created_at or name, with a '-' before it for downwards");
	if (cursor && !cursor_read(q, cursor))
		return sv_err_field(&q->c->err, "cursor", "value",
			"is none that this list gave with this order");
	q->all = k && field_true(k, q->c->in, "all");
	return SV_OK;
}

/* The expression that a filter compares: a column where there is one. */
static void expression(struct query *q, const char *name, const struct sv_field *of)
{
	static const char *const columns[] = { "gpu", "instance", "name", "status" };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (!strcmp(columns[i], name)) {
			sv_buf_fmt(&q->sql, " AND %s", name);
			return;
		}
	if (of->type == SV_STRS)
		sv_buf_fmt(&q->sql, " AND EXISTS(SELECT 1 FROM json_each(doc, '$.%s') WHERE value",
			of->name);
	else
		sv_buf_fmt(&q->sql, " AND json_extract(doc, '$.%s')", of->name);
}

/* The documents' field that a filter's row speaks of: the same name, or the plural of it. */
static const struct sv_field *field_of(const struct sv_kind *kind, const char *name)
{
	const struct sv_field *f = sv_field_find(kind, name);
	char plural[64];

	snprintf(plural, sizeof(plural), "%ss", name);
	return f ? f : sv_field_find(kind, plural);
}

/* Every word, Chinese or English, must stand in the name, the title or the summary, whatever its
 * case, its width and the order. */
static int search(struct query *q, const char *text)
{
	struct sv_strs words = { 0 };
	int rc = fold_words(q->c->in, text, &words);

	for (size_t i = 0; rc == SV_OK && i < words.n; i++) {
		sv_buf_str(&q->sql, " AND instr(fold(name || ' ' ||"
				    " coalesce(json_extract(doc, '$.title'), '') || ' ' ||"
				    " coalesce(json_extract(doc, '$.summary'), '') || ' ' ||"
				    " coalesce(json_extract(doc, '$.frameworks'), '')), ?)");
		rc = bind_text(q, words.v[i]);
	}
	return rc;
}

static int equal(struct query *q, const struct sv_field *row, const void *in)
{
	const struct sv_strs one = { 1, (const char **)sv_member(row, in) },
			     *v = row->type == SV_STRS ? sv_member(row, in) : &one;
	const struct sv_field *of = field_of(q->c->kind, row->name);
	int rc = SV_OK;

	/* A disk has its instance in its attachment, and in the column all the same. */
	if (!of && strcmp(row->name, "instance") != 0)
		return SV_OK;
	expression(q, row->name, of);
	sv_buf_str(&q->sql, " IN (");
	for (size_t i = 0; rc == SV_OK && i < v->n; i++) {
		if (!strcmp(row->name, "status") && !strcmp(v->v[i], "released"))
			q->all = 1;
		sv_buf_str(&q->sql, i ? ",?" : "?");
		rc = bind_text(q, v->v[i]);
	}
	sv_buf_str(&q->sql, of && of->type == SV_STRS ? "))" : ")");
	return rc;
}

static int number(struct query *q, const struct sv_field *row, const void *in)
{
	int least = !strncmp(row->name, "min_", 4), most = !strncmp(row->name, "max_", 4);
	int64_t v = row->type == SV_BOOL ? *(const int *)sv_member(row, in)
					 : *(const int64_t *)sv_member(row, in);
	const struct sv_field *of = sv_field_find(q->c->kind, row->name);

	/* A field may itself be called max_count: then the filter of that name is for equality. */
	if (!of && (least || most))
		of = sv_field_find(q->c->kind, row->name + 4);
	else
		least = most = 0;
	if (!of)
		return SV_OK;
	if (of->type == SV_MONEY)
		sv_buf_fmt(&q->sql,
			" AND CAST(round(json_extract(doc, '$.%s')*1000000) AS INTEGER)", of->name);
	else
		sv_buf_fmt(&q->sql, " AND json_extract(doc, '$.%s')", of->name);
	sv_buf_str(&q->sql, least ? ">=?" : most ? "<=?" : "=?");
	return bind_number(q, v);
}

static int labels(struct query *q, const struct sv_map *m)
{
	int rc = SV_OK;

	for (size_t i = 0; rc == SV_OK && i < m->n; i++) {
		sv_buf_str(&q->sql, " AND row IN (SELECT doc FROM label WHERE key=? AND value=?)");
		rc = bind_text(q, m->keys[i]);
		if (rc == SV_OK)
			rc = bind_text(q, m->values[i]);
	}
	return rc;
}

static int is_paging(const char *name)
{
	static const char *const words[] = { "after_version", "all", "cursor", "follow", "limit",
		"sort", "timeout_seconds" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], name))
			return 1;
	return 0;
}

static int filters(struct query *q)
{
	const struct sv_kind *k = q->c->verb->query;
	const void *in = q->c->in;
	int rc = SV_OK;

	for (uint32_t i = 0; in && k && rc == SV_OK && i < k->n; i++) {
		const struct sv_field *f = &k->fields[i];

		if (is_paging(f->name) || (!sv_field_has(f, in) && !sv_field_nonzero(f, in)))
			continue;
		if (!strcmp(f->name, "search"))
			rc = search(q, *(const char *const *)sv_member(f, in));
		else if (f->type == SV_MAP)
			rc = labels(q, sv_member(f, in));
		else if (f->type == SV_STR || f->type == SV_STRS)
			rc = equal(q, f, in);
		else if (f->type != SV_NUM && f->type != SV_OBJ && f->type != SV_LIST &&
			 f->type != SV_JSON)
			rc = number(q, f, in);
	}
	return rc;
}

/* Public documents stand beside one's own only in the catalogue's kinds; asking for both spoils the
 * index's order. */
static int has_public(struct call *c)
{
	sqlite3_stmt *st =
		store_stmt(c->p->store, "SELECT 1 FROM doc WHERE kind=? AND account='' LIMIT 1");
	int found;

	if (!st)
		return 1;
	sqlite3_bind_text(st, 1, c->kind->name, -1, SQLITE_STATIC);
	found = sqlite3_step(st) == SQLITE_ROW;
	sqlite3_reset(st);
	return found;
}

/* From inside an instance: itself, and what belongs to it. */
static int own(struct query *q)
{
	sv_buf_str(&q->sql, " AND ? IN (id, instance)");
	return bind_text(q, q->c->request->instance);
}

static int build(struct query *q)
{
	const char *key, *way;
	int rc = paging(q);

	if (rc)
		return rc;
	key = q->by_name ? "name" : "created";
	way = q->down ? " DESC" : "";
	sv_buf_fmt(&q->sql, "SELECT doc, row, name, created FROM doc WHERE kind=? AND account %s",
		has_public(q->c) ? "IN ('', ?)" : "= ?");
	bind_text(q, q->c->kind->name);
	bind_text(q, q->c->account);
	rc = filters(q);
	if (rc)
		return rc;
	if (!q->all)
		sv_buf_str(&q->sql, " AND gone=0");
	if (q->c->request->instance)
		rc = own(q);
	if (rc == SV_OK && q->has_cursor) {
		sv_buf_fmt(&q->sql, " AND (%s, row) %c (?, ?)", key, q->down ? '<' : '>');
		rc = q->by_name ? bind_text(q, q->after_name) : bind_number(q, q->after_created);
		if (rc == SV_OK)
			rc = bind_number(q, q->after_row);
	}
	sv_buf_fmt(&q->sql, " ORDER BY %s%s, row%s LIMIT ?", key, way, way);
	if (rc == SV_OK)
		rc = bind_number(q, q->limit + 1);
	return rc ? rc : q->sql.failed ? SV_NOMEM : SV_OK;
}

static int computed(const struct sv_kind *kind)
{
	for (const struct present *one = presents; one->kind; one++)
		if (!strcmp(one->kind, kind->name))
			return 1;
	return 0;
}

/* One item: the stored text as it is, unless something in it is computed. */
static int item(struct query *q, const char *doc, size_t len, int compute)
{
	struct sv_buf *b = &q->c->text;
	void *obj = NULL;
	int rc;

	if (!compute)
		return sv_buf_add(b, doc, len);
	rc = sv_from_json(q->c->kind, doc, len, &obj, &q->c->err);
	if (rc)
		return SV_SERVER;
	crud_present(q->c->p, q->c->kind, q->c->account, obj, q->c->now);
	rc = sv_write_json(b, q->c->kind, obj, SV_WALK_WIRE, 0);
	sv_free(obj);
	return rc;
}

struct place {
	int64_t row, created;
	char name[1024];
};

static int page(struct query *q, sqlite3_stmt *st)
{
	struct sv_buf *b = &q->c->text;
	struct place last = { 0 };
	int64_t n = 0;
	int rc, code = SV_OK, compute = computed(q->c->kind), more = 0;

	sv_buf_str(b, "{\"items\":[");
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && code == SV_OK) {
		const char *name = (const char *)sqlite3_column_text(st, 2);

		more = n == q->limit;
		if (more)
			break;
		if (n++)
			sv_buf_chr(b, ',');
		code = item(q, (const char *)sqlite3_column_text(st, 0),
			(size_t)sqlite3_column_bytes(st, 0), compute);
		last.row = sqlite3_column_int64(st, 1);
		last.created = sqlite3_column_int64(st, 3);
		snprintf(last.name, sizeof(last.name), "%s", name ? name : "");
	}
	if (code == SV_OK && rc != SQLITE_ROW)
		code = store_code(q->c->p->store, rc);
	sqlite3_reset(st);
	sv_buf_str(b, "],\"next_cursor\":");
	if (more) {
		sv_buf_chr(b, '"');
		cursor_write(b, q->by_name, last.row, last.name, last.created);
		sv_buf_chr(b, '"');
	} else {
		sv_buf_str(b, "null");
	}
	sv_buf_chr(b, '}');
	return code ? code : b->failed ? SV_NOMEM : SV_OK;
}

int crud_list(struct call *c)
{
	struct query q = { .c = c };
	sqlite3_stmt *st = NULL;
	int rc;

	sv_buf_init(&q.sql, SV_MAX_URL * 4);
	rc = build(&q);
	if (rc == SV_OK)
		st = store_stmt(c->p->store, sv_buf_text(&q.sql));
	sv_buf_free(&q.sql);
	if (rc || !st)
		return rc ? rc
			  : sv_err_wire(&c->err, "unavailable", "the list cannot be read: %s",
				    store_error(c->p->store));
	for (size_t i = 0; i < q.n; i++)
		if (q.binds[i].text)
			sqlite3_bind_text(st, (int)i + 1, q.binds[i].text, -1, SQLITE_STATIC);
		else
			sqlite3_bind_int64(st, (int)i + 1, q.binds[i].number);
	return page(&q, st);
}
