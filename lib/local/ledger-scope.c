/* SPDX-License-Identifier: MIT */
/* Vouchers: credit that pays only for some cards or kinds. Who pays what is decided as a posting
 * decides it: interval by interval, each from the credit it may use that expires soonest, then from
 * cash. An account that has such credit is looked at as a whole, after every posting. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/ledger-inside.h"

int ledger_scoped(struct ledger *l, const char *account)
{
	int64_t some = 0;

	ledger_int(ledger_stmt(l,
			   "SELECT EXISTS (SELECT 1 FROM redeemed WHERE account = ?1 AND scoped)",
			   "t", account),
		0, &some);
	return some != 0;
}

int ledger_vouchers_left(struct ledger *l, const char *account)
{
	int64_t some = 0;

	ledger_int(ledger_stmt(l,
			   "SELECT EXISTS (SELECT 1 FROM credit c JOIN credit_scope x ON x.credit "
			   "= c.id"
			   " WHERE c.account = ?1 AND c.left > 0)",
			   "t", account),
		0, &some);
	return some != 0;
}

int purse_scopes(struct ledger *l, const char *account, struct purse *p)
{
	sqlite3_stmt *st;
	int rc = SQLITE_ERROR;

	p->n_words = 0;
	if (!ledger_scoped(l, account))
		return SV_OK;
	st = ledger_stmt(l,
		"SELECT x.credit, x.what, x.word FROM credit c JOIN credit_scope x ON x.credit = "
		"c.id"
		" WHERE c.account = ?1 AND c.left > 0",
		"t", account);
	while (st && (rc = sqlite3_step(st)) == SQLITE_ROW && p->n_words < PURSE_WORDS) {
		struct purse_word *w = &p->words[p->n_words++];

		w->credit = sqlite3_column_int64(st, 0);
		w->what = *(const char *)sqlite3_column_text(st, 1);
		snprintf(w->word, sizeof(w->word), "%s", (const char *)sqlite3_column_text(st, 2));
	}
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

/* What pays for compute pays for its minimum, too. */
const char *ledger_scope_kind(const char *kind)
{
	return !strcmp(kind, "minimum") ? "compute" : kind;
}

/* Of each sort of word a credit has none, or the interval's. */
static int pays(const struct purse *p, size_t credit, const char *gpu, const char *kind)
{
	int asked[2] = { 0, 0 }, found[2] = { 0, 0 };

	for (size_t i = 0; i < p->n_words; i++) {
		const struct purse_word *w = &p->words[i];
		int sort = w->what == 'k';

		if (w->credit != p->ids[credit])
			continue;
		asked[sort] = 1;
		found[sort] |= !strcmp(w->word, sort ? ledger_scope_kind(kind) : gpu);
	}
	return asked[0] <= found[0] && asked[1] <= found[1];
}

/* Where the money lies while it is thought about. */
struct pots {
	int64_t cash, left[PURSE_CREDITS];
	int64_t *posted; /* of each interval */
};

static int64_t draw(const struct purse *p, struct pots *m, const char *gpu, const char *kind,
	int64_t amount)
{
	int64_t part;

	for (size_t i = 0; amount > 0 && i < p->n; i++) {
		if (!m->left[i] || !pays(p, i, gpu, kind))
			continue;
		part = m->left[i] < amount ? m->left[i] : amount;
		m->left[i] -= part;
		amount -= part;
	}
	part = m->cash < amount ? m->cash : amount;
	m->cash -= part;
	return amount - part;
}

static int64_t owed(const struct span *s, int64_t posted, int64_t at, int promises)
{
	if (at < s->posted_to)
		at = s->posted_to;
	if (promises && at < s->least_until)
		at = s->least_until;
	return span_cost(s, at) - posted;
}

/* Draws all that is owed at a second; what cannot be paid is told, interval by interval. */
static int64_t take(const struct purse *p, struct pots *m, int64_t at, int promises,
	void (*tell)(void *data, const struct span *s), void *data)
{
	int64_t unpaid = promises ? draw(p, m, "", "", p->promised) : 0;

	for (size_t i = 0; i < p->open.n; i++) {
		const struct span *s = &p->open.v[i];
		int64_t rest =
			draw(p, m, s->gpu, s->kind, owed(s, m->posted[i], at, promises));

		if (!promises)
			m->posted[i] += owed(s, m->posted[i], at, 0);
		if (rest && tell)
			tell(data, s);
		unpaid += rest;
	}
	return unpaid;
}

static int begin(const struct purse *p, struct pots *m)
{
	m->cash = p->cash;
	memcpy(m->left, p->left, sizeof(m->left));
	m->posted = sv_malloc((p->open.n + 1) * sizeof(*m->posted));
	for (size_t i = 0; m->posted && i < p->open.n; i++)
		m->posted[i] = p->open.v[i].posted;
	return m->posted ? SV_OK : SV_NOMEM;
}

static int fits(const struct purse *p, const struct pots *m, int64_t at)
{
	struct pots copy = *m; /* promises do not move what is posted */

	return !take(p, &copy, at, 1, NULL, NULL);
}

/* As purse_last_fit(): from is known to fit. */
static int64_t last_fit(const struct purse *p, const struct pots *m, int64_t from, int64_t to)
{
	int64_t lo = from, hi, step = 1;

	while (lo + step < to && fits(p, m, lo + step))
		step *= 2;
	hi = lo + step < to ? lo + step : to;
	if (fits(p, m, hi))
		return hi;
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;

		if (fits(p, m, mid))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static int64_t end_of(const struct purse *p, struct pots *m, int64_t at)
{
	if (!fits(p, m, at))
		return at;
	for (size_t i = 0; i < p->n && p->expires[i] < PURSE_FAR; i++) {
		if (p->expires[i] > at) {
			int64_t end = last_fit(p, m, at, p->expires[i]);

			if (end < p->expires[i])
				return end;
			at = end;
		}
		take(p, m, at, 0, NULL, NULL);
		m->left[i] = 0;
		if (!fits(p, m, at))
			return at;
	}
	return last_fit(p, m, at, PURSE_FAR);
}

int64_t purse_scoped_end(const struct purse *p)
{
	int64_t at = PURSE_FAR;
	struct pots *m = sv_malloc(sizeof(*m));

	for (size_t i = 0; i < p->open.n; i++)
		at = p->open.v[i].posted_to < at ? p->open.v[i].posted_to : at;
	/* Out of memory: rather an end too soon, which is looked at again, than money not there. */
	if (m && !begin(p, m)) {
		at = end_of(p, m, at);
		sv_mfree(m->posted);
	}
	sv_mfree(m);
	return at;
}

int64_t purse_left_for(const struct purse *p, const char *gpu, const char *kind, int64_t at)
{
	struct pots *m = sv_malloc(sizeof(*m));
	int64_t sum = 0;

	if (m && !begin(p, m)) {
		take(p, m, at, 1, NULL, NULL);
		sum = m->cash;
		for (size_t i = 0; i < p->n; i++)
			if (pays(p, i, gpu, kind) && sv_add64(sum, m->left[i], &sum))
				sum = INT64_MAX;
		sv_mfree(m->posted);
	}
	sv_mfree(m);
	return sum;
}

int ledger_available_for(struct ledger *l, const char *account, const char *gpu, const char *kind,
	int64_t at, int64_t *ret)
{
	struct purse *p = sv_malloc(sizeof(*p));
	int rc = p ? purse_read(l, account, p) : SV_NOMEM;

	if (!p)
		return rc;
	if (!rc)
		*ret = purse_left_for(p, gpu ? gpu : "", kind, at);
	spans_free(&p->open);
	sv_mfree(p);
	return rc;
}

struct shorts {
	const struct span *v[1024];
	size_t n;
};

static void note_short(void *data, const struct span *s)
{
	struct shorts *all = data;

	if (!strcmp(s->kind, "compute") && all->n < sizeof(all->v) / sizeof(all->v[0]))
		all->v[all->n++] = s;
}

int ledger_each_short(struct ledger *l, const char *account, int64_t at,
	int (*fn)(void *data, const char *resource), void *data)
{
	struct purse *p = sv_malloc(sizeof(*p));
	struct pots *m = sv_malloc(sizeof(*m));
	struct shorts all = { .n = 0 };
	int rc = p && m ? purse_read(l, account, p) : SV_NOMEM;

	if (!rc)
		rc = begin(p, m);
	if (!rc) {
		take(p, m, at + 1, 1, note_short, &all);
		sv_mfree(m->posted);
	}
	for (size_t i = 0; !rc && i < all.n; i++)
		rc = fn(data, all.v[i]->resource);
	if (p)
		spans_free(&p->open);
	sv_mfree(p);
	sv_mfree(m);
	return rc;
}

static int add_words(struct ledger *l, int64_t credit, const char *what, const struct sv_strs *all)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < all->n; i++)
		rc = ledger_run(l,
			"INSERT OR IGNORE INTO credit_scope(credit, what, word) VALUES(?1, ?2, ?3)",
			"itt", credit, what, all->v[i]);
	return rc;
}

int ledger_redeem(struct ledger *l, const char *account, const struct ledger_voucher *v, int64_t at)
{
	int64_t some, scoped = v->gpus.n || v->kinds.n, credit;
	int rc = ledger_int(ledger_stmt(l,
				    "SELECT credit FROM redeemed WHERE account = ?1 AND code = ?2",
				    "tt", account, v->code),
		0, &some);

	if (!rc && some)
		return SV_CONFLICT;
	if (!rc)
		rc = ledger_credit_add(l, account, v->amount, at, v->expires_at, v->name, "voucher",
			&credit);
	if (!rc)
		rc = ledger_run(l,
			"INSERT INTO redeemed(account, code, credit, scoped) VALUES(?1, ?2, ?3, "
			"?4)",
			"ttii", account, v->code, credit, scoped);
	if (!rc)
		rc = add_words(l, credit, "gpu", &v->gpus);
	if (!rc)
		rc = add_words(l, credit, "kind", &v->kinds);
	if (!rc)
		rc = ledger_resume(l, account, at);
	return rc ? rc : ledger_touch(l, account, at);
}
