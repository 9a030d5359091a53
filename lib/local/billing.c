/* SPDX-License-Identifier: MIT */
/* Usage, charges and the like as lists; quotes. */
#include "local/billing.h"

#include <stdio.h>
#include <string.h>

#include <starverse/billing.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/ledger.h"

#define LIMIT_DEFAULT 100
#define LIMIT_MAX     1000

static int read_paging(struct call *c, struct ledger_filter *f, int64_t limit, const char *cursor)
{
	if (limit < 1 || limit > LIMIT_MAX)
		return sv_err_field(&c->err, "limit", "range", "must be 1 to %d", LIMIT_MAX);
	f->account = c->account;
	f->limit = limit + 1;
	if (cursor && (sv_parse_int(cursor, &f->after) || f->after <= 0))
		return sv_err_field(&c->err, "cursor", "cursor", "is not one of this list");
	return SV_OK;
}

int billing_filter(struct call *c, struct ledger_filter *f)
{
	const struct sv_usage_filter *in = c->in;

	*f = (struct ledger_filter){ .account = c->account, .limit = LIMIT_DEFAULT + 1 };
	if (!in)
		return SV_OK;
	f->since = in->since;
	f->until = in->until;
	f->resource = in->resource;
	f->kind = in->kind;
	f->name = in->name;
	f->gpu = in->gpu;
	f->labels = in->labels;
	f->instance = in->instance;
	f->job = in->job;
	return read_paging(c, f, sv_has(in, limit) ? in->limit : LIMIT_DEFAULT, in->cursor);
}

static int begin(struct call *c, struct billing_filling *fill, int64_t limit)
{
	*fill = (struct billing_filling){ .c = c, .page = sv_page_new(), .limit = limit - 1 };
	c->out = fill->page;
	return fill->page ? SV_OK : SV_NOMEM;
}

void *billing_place(struct billing_filling *fill, const struct sv_kind *kind, int64_t id)
{
	char cursor[32];
	void *one;

	if ((int64_t)fill->page->n == fill->limit) {
		snprintf(cursor, sizeof(cursor), "%lld", (long long)fill->last);
		fill->page->next = sv_strdup_in(fill->page, cursor);
		fill->rc = fill->page->next ? SV_OK : SV_NOMEM;
		return NULL;
	}
	one = sv_new_in(fill->page, kind);
	if (!one || sv_page_add(fill->page, one))
		fill->rc = SV_NOMEM;
	fill->last = id;
	return fill->rc ? NULL : one;
}

static const char *id_in(void *root, const char *prefix, int64_t id)
{
	char text[40];

	snprintf(text, sizeof(text), "%s%012lld", prefix, (long long)id);
	return sv_strdup_in(root, text);
}

/* Copies, or marks as null. */
#define TEXT(root, to, member, from) \
	((from) ? (void)sv_put(to, member, sv_strdup_in(root, from)) : sv_mark_null(to, member))

static int64_t hourly(int64_t rate, int64_t per)
{
	int64_t v = INT64_MAX;

	sv_charge_per(rate, per, 3600, &v);
	return v;
}

static int add_usage(void *data, const struct ledger_interval *i)
{
	struct billing_filling *fill = data;
	struct sv_usage *u = billing_place(fill, &sv_usage_kind, i->id);

	if (!u)
		return 1;
	sv_put(u, id, id_in(fill->page, "use_", i->id));
	TEXT(fill->page, u, resource, i->resource);
	TEXT(fill->page, u, kind, i->kind);
	TEXT(fill->page, u, name, i->name);
	TEXT(fill->page, u, gpu, i->gpu);
	sv_put(u, started_at, i->began);
	if (i->ended < 0)
		sv_mark_null(u, ended_at);
	else
		sv_put(u, ended_at, i->ended);
	sv_put(u, seconds, i->seconds);
	sv_put(u, price_per_hour, hourly(i->rate, i->per_seconds));
	sv_put(u, cost, i->cost);
	sv_put(u, currency, BILLING_CURRENCY);
	sv_mark(u, labels);
	return 0;
}

/* After the list's own statement has ended. */
static int add_labels(struct call *c, struct sv_page *page)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < page->n; i++) {
		struct sv_usage *u = page->v[i];
		int64_t id;

		rc = sv_parse_int(u->id + strspn(u->id, "use_0"), &id);
		if (!rc)
			rc = ledger_labels(c->p->ledger, id, page, &u->labels);
	}
	return rc;
}

int local_billing_usage(struct call *c)
{
	struct ledger_filter f;
	struct billing_filling fill;
	int rc = billing_filter(c, &f);

	if (!rc)
		rc = begin(c, &fill, f.limit);
	if (!rc)
		rc = ledger_each_interval(c->p->ledger, &f, c->now, add_usage, &fill);
	if (!rc)
		rc = fill.rc;
	return rc ? rc : add_labels(c, fill.page);
}

static int add_charge(void *data, const struct ledger_entry *e)
{
	struct billing_filling *fill = data;
	struct sv_charge *to = billing_place(fill, &sv_charge_kind, e->id);

	if (!to)
		return 1;
	sv_put(to, id, id_in(fill->page, "chg_", e->id));
	sv_put(to, time, e->time);
	TEXT(fill->page, to, kind, e->kind);
	sv_put(to, amount, e->amount);
	sv_put(to, currency, BILLING_CURRENCY);
	TEXT(fill->page, to, resource, e->resource);
	if (e->interval)
		sv_put(to, interval, id_in(fill->page, "use_", e->interval));
	else
		sv_mark_null(to, interval);
	TEXT(fill->page, to, note, e->note);
	sv_put(to, balance, e->balance);
	return 0;
}

int local_billing_charges(struct call *c)
{
	struct ledger_filter f;
	struct billing_filling fill;
	int rc = billing_filter(c, &f);

	if (!rc)
		rc = begin(c, &fill, f.limit);
	if (!rc)
		rc = ledger_each_entry(c->p->ledger, &f, add_charge, &fill);
	return rc ? rc : fill.rc;
}

/* A statement over one of the account's own tables, from behind a row. */
static sqlite3_stmt *page_query(
	struct call *c, struct billing_filling *fill, const char *sql, int *rc)
{
	const struct sv_page_query *in = c->in;
	struct ledger_filter f = { .after = 0 };
	sqlite3_stmt *st;

	*rc = read_paging(c, &f, in && sv_has(in, limit) ? in->limit : LIMIT_DEFAULT,
		in ? in->cursor : NULL);
	if (!*rc)
		*rc = begin(c, fill, f.limit);
	st = *rc ? NULL : store_stmt(c->p->store, sql);
	if (!st)
		return NULL;
	sqlite3_bind_text(st, 1, c->account, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int64(st, 2, f.after);
	sqlite3_bind_int64(st, 3, f.limit);
	sqlite3_bind_int64(st, 4, c->now);
	return st;
}

int billing_page(struct call *c, const char *sql, billing_add *add)
{
	struct billing_filling fill;
	int rc, step = SQLITE_DONE;
	sqlite3_stmt *st = page_query(c, &fill, sql, &rc);

	if (!st)
		return rc ? rc : SV_SERVER;
	while ((step = sqlite3_step(st)) == SQLITE_ROW && !add(&fill, st))
		;
	sqlite3_reset(st);
	return fill.rc ? fill.rc : store_code(c->p->store, step);
}

static int add_invoice(struct billing_filling *fill, sqlite3_stmt *st)
{
	int64_t month = sqlite3_column_int64(st, 0);
	struct sv_invoice *v = billing_place(fill, &sv_invoice_kind, month);
	char id[32];

	if (!v)
		return 1;
	snprintf(id, sizeof(id), "inv_%lld", (long long)month);
	sv_put(v, id, sv_strdup_in(fill->page, id));
	TEXT(fill->page, v, period, (const char *)sqlite3_column_text(st, 1));
	sv_put(v, status, sqlite3_column_int(st, 2) ? "open" : "closed");
	sv_put(v, amount, sqlite3_column_int64(st, 3));
	sv_put(v, currency, BILLING_CURRENCY);
	sv_put(v, created_at, sqlite3_column_int64(st, 4));
	return 0;
}

int local_billing_invoices(struct call *c)
{
	return billing_page(c,
		"SELECT CAST(strftime('%Y%m', time, 'unixepoch') AS INTEGER) month,"
		" strftime('%Y-%m', time, 'unixepoch'),"
		" strftime('%Y-%m', time, 'unixepoch') = strftime('%Y-%m', ?4, 'unixepoch'),"
		" -sum(amount), CAST(strftime('%s', min(time), 'unixepoch', 'start of month') AS "
		"INTEGER)"
		" FROM ledger WHERE account = ?1 AND kind = 'usage' GROUP BY month HAVING month > "
		"?2"
		" ORDER BY month LIMIT ?3",
		add_invoice);
}

int local_billing_tco(struct call *c)
{
	return sv_billing_tco_compute(c->in, (struct sv_tco **)&c->out, &c->err);
}
