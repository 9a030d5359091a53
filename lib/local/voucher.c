/* SPDX-License-Identifier: MIT */
/* Vouchers: codes of the catalogue that become credit, and the list of all credit that was given.
 */
#include <stdio.h>
#include <string.h>

#include <starverse/billing.h>

#include "base/err.h"
#include "base/str.h"
#include "base/time.h"
#include "kinds/kinds.h"
#include "local/billing.h"
#include "local/catalog.h"
#include "local/ledger.h"

#define BETWEEN "\n" /* of words that SQLite joins */

static int split(void *root, struct sv_strs *to, const char *words)
{
	int rc = SV_OK;

	while (!rc && words && *words) {
		char one[128];
		size_t len = strcspn(words, BETWEEN);

		snprintf(one, sizeof(one), "%.*s", (int)len, words);
		rc = sv_strs_add(root, to, one);
		words += len + (words[len] != '\0');
	}
	return rc;
}

static const char *text(sqlite3_stmt *st, int column)
{
	return (const char *)sqlite3_column_text(st, column);
}

#define WORDS(what) \
	"(SELECT group_concat(word, char(10)) FROM credit_scope x WHERE x.credit = credit.id" \
	" AND x.what = '" what "')"
#define COLUMNS \
	"SELECT id, coalesce(note, 'credit'), CASE WHEN expires <= ?4 THEN 'expired'" \
	" WHEN left = 0 THEN 'used' ELSE 'active' END, amount, left, expires, granted, " WORDS( \
		"gpu") ", " WORDS("kind") " FROM credit WHERE account = ?1 AND id "

static int fill(void *root, struct sv_voucher *v, sqlite3_stmt *st)
{
	char id[40];
	int rc;

	snprintf(id, sizeof(id), "vch_%012lld", (long long)sqlite3_column_int64(st, 0));
	sv_put(v, id, sv_strdup_in(root, id));
	sv_put(v, name, sv_strdup_in(root, text(st, 1)));
	sv_put(v, status, sv_strdup_in(root, text(st, 2)));
	sv_put(v, amount, sqlite3_column_int64(st, 3));
	sv_put(v, remaining, sqlite3_column_int64(st, 4));
	sv_put(v, currency, BILLING_CURRENCY);
	sv_put(v, expires_at, sqlite3_column_int64(st, 5));
	if (sqlite3_column_type(st, 5) == SQLITE_NULL)
		sv_mark_null(v, expires_at);
	sv_put(v, created_at, sqlite3_column_int64(st, 6));
	sv_mark(v, scope);
	sv_mark(v, kinds);
	rc = split(root, &v->scope, text(st, 7));
	return rc ? rc : split(root, &v->kinds, text(st, 8));
}

static int add(struct billing_filling *page, sqlite3_stmt *st)
{
	struct sv_voucher *v =
		billing_place(page, &sv_voucher_kind, sqlite3_column_int64(st, 0));

	if (!v)
		return 1;
	page->rc = fill(page->page, v, st);
	return page->rc != SV_OK;
}

int local_billing_vouchers(struct call *c)
{
	return billing_page(c, COLUMNS "> ?2 ORDER BY id LIMIT ?3", add);
}

static const struct catalog_voucher *voucher_of(struct call *c, const char *code)
{
	const struct sv_list *all =
		c->p->catalog ? &catalog_settings(c->p->catalog)->vouchers : NULL;

	for (size_t i = 0; all && i < all->n; i++)
		if (!strcmp(((const struct catalog_voucher *)all->v[i])->code, code))
			return all->v[i];
	return NULL;
}

static int refuse(struct call *c, int code, const char *fmt, const char *voucher, const char *more)
{
	char what[300];

	snprintf(what, sizeof(what), fmt, voucher, more);
	sv_err(&c->err, code, "%s", what);
	sv_err_field(&c->err, "code", c->err.wire, "%s", what);
	return code;
}

/* When its credit ends: the sooner of the code's own end and its time from now. */
static int64_t end_of(const struct catalog_voucher *v, int64_t now)
{
	int64_t at = -1, from_now;

	if (sv_has(v, expires_at) && !sv_is_null(v, expires_at))
		at = v->expires_at;
	if (v->valid_seconds > 0 && !sv_add64(now, v->valid_seconds, &from_now) &&
		(at < 0 || from_now < at))
		at = from_now;
	return at;
}

static int answer(struct call *c)
{
	sqlite3_stmt *st = store_stmt(c->p->store,
		COLUMNS "= (SELECT max(id) FROM credit WHERE account = ?1)");
	int rc = SV_SERVER;

	c->status = 201;
	if (st) {
		sqlite3_bind_text(st, 1, c->account, -1, SQLITE_TRANSIENT);
		sqlite3_bind_int64(st, 4, c->now);
	}
	c->out = sv_new(&sv_voucher_kind);
	if (c->out && st && sqlite3_step(st) == SQLITE_ROW)
		rc = fill(c->out, c->out, st);
	if (st)
		sqlite3_reset(st);
	return rc;
}

int local_billing_redeem(struct call *c)
{
	const struct sv_billing_redeem_body *in = c->in;
	const struct catalog_voucher *v = voucher_of(c, in->code);
	struct ledger_voucher want;
	char when[40], amount[32];
	int rc;

	if (!v)
		return refuse(c, SV_NOTFOUND, "there is no voucher %.80s%s", in->code, "");
	want = (struct ledger_voucher){ v->code, v->name, v->amount, end_of(v, c->now), v->gpus,
		v->kinds };
	if (want.expires_at >= 0 && want.expires_at <= c->now) {
		sv_print_time(want.expires_at, when, sizeof(when));
		return refuse(c, SV_INVALID, "voucher %.80s has expired, %s", v->code, when);
	}
	rc = ledger_redeem(c->p->ledger, c->account, &want, c->now);
	if (rc == SV_CONFLICT)
		return refuse(c, SV_CONFLICT, "voucher %.80s has been redeemed already%s", v->code,
			"");
	if (rc == SV_INVALID)
		return refuse(c, SV_INVALID, "voucher %.80s is more than an account can hold%s",
			v->code, "");
	if (!rc)
		rc = answer(c);
	sv_print_money(v->amount, amount, sizeof(amount));
	return rc ? rc
		  : platform_event(c->p, c->account, "account.voucher_redeemed", c->account,
			    c->account, "voucher %s: %s of credit", v->name, amount);
}
