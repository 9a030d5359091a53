/* SPDX-License-Identifier: MIT */
/* What jobs have measured, as it is answered. */
#include <string.h>

#include "base/str.h"
#include "local/job-inside.h"

#define SET_REAL(o, m, st, col) \
	(sqlite3_column_type(st, col) == SQLITE_NULL \
			? doc_null(o, m) \
			: doc_put(o, m, sqlite3_column_double(st, col)))

static void add_number(struct sv_buf *b, const char *name, double v, int known)
{
	char text[40] = "null";

	if (known)
		sv_print_num(v, text, sizeof(text));
	if (b->len > 1)
		sv_buf_chr(b, ',');
	sv_buf_json(b, name, strlen(name));
	sv_buf_chr(b, ':');
	sv_buf_str(b, text);
}

/* The greatest step of all measurements. */
static int last_step(struct platform *p, const char *id, double *ret)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT max(step) FROM metric WHERE job=?");
	int found;

	if (!st)
		return 0;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	found = sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 0) != SQLITE_NULL;
	if (found)
		*ret = sqlite3_column_double(st, 0);
	sqlite3_reset(st);
	return found;
}

int job_metrics_last(struct platform *p, const char *id, int with_step, struct sv_buf *ret)
{
	sqlite3_stmt *st = store_stmt(
		p->store, "SELECT name, last FROM metric_name WHERE job=? ORDER BY name");
	double step;

	if (!st)
		return SV_SERVER;
	sv_buf_chr(ret, '{');
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	while (sqlite3_step(st) == SQLITE_ROW)
		add_number(ret, (const char *)sqlite3_column_text(st, 0),
			sqlite3_column_double(st, 1), sqlite3_column_type(st, 1) != SQLITE_NULL);
	sqlite3_reset(st);
	if (with_step && ret->len > 1 && last_step(p, id, &step))
		add_number(ret, "step", step, 1);
	sv_buf_chr(ret, '}');
	return ret->failed ? SV_NOMEM : SV_OK;
}

/* The first, the last, and evenly between. */
static int points_of(struct platform *p, const char *id, struct sv_job_series *s, int64_t kept,
	int64_t most, void *root)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"SELECT step, value, at FROM metric WHERE job=? AND name=? ORDER BY seq");
	int64_t k = 0, taken = 0;
	int rc = SV_OK;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, s->name, -1, SQLITE_STATIC);
	for (; !rc && sqlite3_step(st) == SQLITE_ROW; k++) {
		struct sv_job_point *at;

		if (kept > most && k != kept - 1 && k < taken * kept / (most - 1))
			continue;
		taken++;
		at = sv_new_in(root, &sv_job_point_kind);
		if (!at) {
			rc = SV_NOMEM;
			break;
		}
		SET_REAL(at, step, st, 0);
		SET_REAL(at, value, st, 1);
		doc_put(at, time, sqlite3_column_int64(st, 2));
		rc = sv_list_add(root, &s->points, at);
	}
	sqlite3_reset(st);
	return rc;
}

static int wanted(const struct sv_strs *names, const char *name)
{
	for (size_t i = 0; names && i < names->n; i++)
		if (!strcmp(names->v[i], name))
			return 1;
	return !names || !names->n;
}

static int add_series(void *root, sqlite3_stmt *st, struct sv_list *to)
{
	struct sv_job_series *s = sv_new_in(root, &sv_job_series_kind);

	if (!s)
		return SV_NOMEM;
	doc_text(root, s, name, (const char *)sqlite3_column_text(st, 0));
	doc_put(s, count, sqlite3_column_int64(st, 1));
	SET_REAL(s, last, st, 2);
	SET_REAL(s, minimum, st, 3);
	SET_REAL(s, maximum, st, 4);
	sv_mark(s, points);
	return sv_list_add(root, to, s);
}

static int64_t kept_of(struct platform *p, const char *id, const char *name)
{
	sqlite3_stmt *st =
		store_stmt(p->store, "SELECT kept FROM metric_name WHERE job=? AND name=?");
	int64_t n = 0;

	if (!st)
		return 0;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		n = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return n;
}

int job_series(struct platform *p, const char *id, const struct sv_strs *names, int64_t points,
	void *root, struct sv_list *ret)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT name, count, last, minimum, maximum FROM"
						" metric_name WHERE job=? ORDER BY name");
	int rc = SV_OK;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	while (!rc && sqlite3_step(st) == SQLITE_ROW)
		if (wanted(names, (const char *)sqlite3_column_text(st, 0)))
			rc = add_series(root, st, ret);
	sqlite3_reset(st);
	for (size_t k = 0; !rc && k < ret->n; k++) {
		struct sv_job_series *s = ret->v[k];

		rc = points_of(p, id, s, kept_of(p, id, s->name), points, root);
	}
	return rc;
}

/* From its first to its last step, and what came before the first measurement: as much as lies
 * between two of them, but not more than from 0. */
double job_steps(struct platform *p, const char *id)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"SELECT DISTINCT step FROM metric WHERE job=? AND step IS NOT NULL ORDER BY step");
	double first = 0, last = 0, gap = 0, v;
	int n = 0;

	if (!st)
		return 0;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	for (; sqlite3_step(st) == SQLITE_ROW; n++, last = v) {
		v = sqlite3_column_double(st, 0);
		if (!n)
			first = v;
		else if (n == 1 || v - last < gap)
			gap = v - last;
	}
	sqlite3_reset(st);
	if (n < 2)
		return last > 0 ? last : 0;
	/* Counted from 0, each step is one; a measurement before the first step is none. */
	if (gap > first && gap > 1)
		gap = first;
	return last - first + gap;
}
