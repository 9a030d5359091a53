/* SPDX-License-Identifier: MIT */
/* What watches an account's spending: budgets over days, weeks and months, and the alert of a low
 * balance. Each has one due second, found anew whenever what is open or paid changes. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "local/budget.h"
#include "local/due.h"
#include "local/ledger-inside.h"

#define WHOLE INT64_C(100000000) /* 100 % */

__extension__ typedef __int128 wide;

int ledger_spent_add(struct ledger *l, const char *account, int64_t amount, int64_t at)
{
	/* What is posted at midnight was used before it. */
	return ledger_run(l,
		"INSERT INTO spent(account, day, amount) VALUES(?1, ?2, ?3)"
		" ON CONFLICT(account, day) DO UPDATE SET amount = amount + ?3",
		"tii", account, (at - 1) / LEDGER_DAY, amount);
}

/* The 1st of January 1970 was a Thursday. */
static int64_t monday(int64_t at)
{
	return ((at / LEDGER_DAY + 3) / 7 * 7 - 3) * LEDGER_DAY;
}

static void window(const char *period, int64_t at, int64_t *began, int64_t *ends)
{
	if (!strcmp(period, "day")) {
		*began = at / LEDGER_DAY * LEDGER_DAY;
		*ends = *began + LEDGER_DAY;
	} else if (!strcmp(period, "week")) {
		*began = monday(at);
		*ends = *began + 7 * LEDGER_DAY;
	} else {
		ledger_month(at, began, ends);
	}
}

static int64_t posted_since(struct ledger *l, const char *account, int64_t began)
{
	int64_t sum = 0;

	ledger_int(ledger_stmt(l,
			   "SELECT sum(amount) FROM spent WHERE account = ?1 AND day >= ?2", "ti",
			   account, began / LEDGER_DAY),
		0, &sum);
	return sum;
}

struct budgets {
	struct budget_rule *v;
	size_t n;
};

static void read_rule(sqlite3_stmt *st, struct budget_rule *b)
{
	*b = (struct budget_rule){
		.amount = sqlite3_column_int64(st, 2),
		.stop = sqlite3_column_int(st, 4),
		.began = sqlite3_column_int64(st, 6),
		.warned = sqlite3_column_int64(st, 7),
		.reached = sqlite3_column_int(st, 8),
		.stops_at = sqlite3_column_type(st, 9) == SQLITE_NULL ? -1
								      : sqlite3_column_int64(st, 9),
	};
	snprintf(b->id, sizeof(b->id), "%s", (const char *)sqlite3_column_text(st, 0));
	snprintf(b->account, sizeof(b->account), "%s", (const char *)sqlite3_column_text(st, 1));
	snprintf(b->period, sizeof(b->period), "%s", (const char *)sqlite3_column_text(st, 3));
	snprintf(b->warn, sizeof(b->warn), "%s", (const char *)sqlite3_column_text(st, 5));
}

#define COLUMNS \
	"SELECT id, account, amount, period, stop, warn, began, warned, reached, stops_at FROM " \
	"budget WHERE "

/* All of an account, read before anything is written. */
static int read_all(struct ledger *l, const char *account, struct budgets *ret)
{
	sqlite3_stmt *st =
		ledger_stmt(l, COLUMNS "account = ?1 ORDER BY began, id", "t", account);
	int rc = SQLITE_ERROR, failed = SV_OK;

	*ret = (struct budgets){ 0 };
	while (st && !failed && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct budget_rule *v = sv_realloc(ret->v, (ret->n + 1) * sizeof(*v));

		failed = v ? SV_OK : SV_NOMEM;
		if (v) {
			ret->v = v;
			read_rule(st, &v[ret->n++]);
		}
	}
	if (st)
		sqlite3_reset(st);
	return failed ? failed : rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

int ledger_budget_get(struct ledger *l, const char *id, struct budget_rule *ret)
{
	sqlite3_stmt *st = ledger_stmt(l, COLUMNS "id = ?1", "t", id);
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (rc == SQLITE_ROW)
		read_rule(st, ret);
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_ROW ? SV_OK : rc == SQLITE_DONE ? SV_NOTFOUND : SV_SERVER;
}

int64_t budget_share(const struct budget_rule *b, int64_t percent)
{
	wide v = ((wide)b->amount * percent + WHOLE - 1) / WHOLE;

	return (int64_t)v;
}

int64_t budget_warning(const struct budget_rule *b, int64_t above)
{
	int64_t least = -1, v = 0;
	const char *s = b->warn;

	for (; *s; s += *s == ' ') {
		for (v = 0; sv_is_digit(*s); s++)
			v = v * 10 + (*s - '0');
		if (v > above && (least < 0 || v < least))
			least = v;
		if (*s && *s != ' ')
			break;
	}
	return least;
}

/* Compute that costs something: what a budget can stop. */
static int stoppable(const struct purse *p)
{
	for (size_t i = 0; i < p->open.n; i++)
		if (!strcmp(p->open.v[i].kind, "compute") && p->open.v[i].rate > 0)
			return 1;
	return 0;
}

/* The first second at which more than most is used of what is really used, not only promised; past
 * ends when it is not before that. */
static int64_t first_beyond(const struct purse *p, int64_t at, int64_t ends, int64_t most)
{
	if (purse_unposted(p, at) > most)
		return at;
	return purse_used_last(p, at, ends, most) + 1;
}

static int64_t stop_second(
	const struct purse *p, const struct budget_rule *b, int64_t left, int64_t at, int64_t ends)
{
	int64_t last;

	if (!b->stop || !stoppable(p))
		return -1;
	if (!purse_fits(p, at, left))
		return at;
	last = purse_last_fit(p, at, ends, left);
	return last < ends ? last : -1;
}

/* What is left of a rule at what runs now, and when something has to be done about it. */
static int watch_budget(struct ledger *l, struct purse *p, struct budget_rule *b, int64_t at)
{
	int64_t began, ends, used, due, warning, percent;
	int rc;

	window(b->period, b->began, &began, &ends);
	used = posted_since(l, b->account, began);
	due = ends;
	percent = budget_warning(b, b->warned);
	if (percent >= 0 && at < ends) {
		warning = first_beyond(p, at, ends, budget_share(b, percent) - used - 1);
		due = warning < due ? warning : due;
	}
	b->stops_at = at < ends ? stop_second(p, b, b->amount - used, at, ends) : -1;
	if (b->stops_at >= 0 && b->stops_at < due)
		due = b->stops_at;
	rc = ledger_run(l, "UPDATE budget SET stops_at = ?2 WHERE id = ?1", "tn", b->id,
		b->stops_at);
	return rc ? rc : due_set(l->s, b->id, "budget", due);
}

static int watch_alert(struct ledger *l, const struct purse *p, const char *account, int64_t at)
{
	int64_t least = -1, low = 0, money = p->cash, due;
	int rc = ledger_int(ledger_stmt(l, "SELECT least FROM alert WHERE account = ?1", "t",
				    account),
		-1, &least);

	if (!rc)
		rc = ledger_int(ledger_stmt(l, "SELECT low FROM alert WHERE account = ?1", "t",
					account),
			0, &low);
	if (rc || least < 0)
		return rc ? rc : due_clear(l->s, account, "alert");
	for (size_t i = 0; i < p->n; i++)
		if (sv_add64(money, p->left[i], &money))
			money = INT64_MAX;
	if (low && purse_fits(p, at, money - least)) {
		low = 0;
		rc = ledger_run(l, "UPDATE alert SET low = 0 WHERE account = ?1", "t", account);
	}
	if (rc || low)
		return rc;
	due = !purse_fits(p, at, money - least)
		      ? at
		      : purse_last_fit(p, at, PURSE_FAR, money - least) + 1;
	return due < PURSE_FAR ? due_set(l->s, account, "alert", due)
			       : due_clear(l->s, account, "alert");
}

/* 1 when nobody watches: the usual case, and a cheap one. */
static int unwatched(struct ledger *l, const char *account)
{
	int64_t some = 0;

	ledger_int(ledger_stmt(l,
			   "SELECT EXISTS (SELECT 1 FROM budget WHERE account = ?1)"
			   " OR EXISTS (SELECT 1 FROM alert WHERE account = ?1)",
			   "t", account),
		0, &some);
	return !some;
}

int ledger_watch(struct ledger *l, const char *account, int64_t at)
{
	struct budgets all = { 0 };
	struct purse *p;
	int rc;

	if (unwatched(l, account))
		return SV_OK;
	p = sv_malloc(sizeof(*p));
	if (!p)
		return SV_NOMEM;
	rc = purse_read(l, account, p);
	for (size_t i = 0; i < p->open.n; i++)
		at = p->open.v[i].posted_to > at ? p->open.v[i].posted_to : at;
	if (!rc)
		rc = watch_alert(l, p, account, at);
	if (!rc)
		rc = read_all(l, account, &all);
	for (size_t i = 0; !rc && i < all.n; i++)
		rc = watch_budget(l, p, &all.v[i], at);
	sv_mfree(all.v);
	spans_free(&p->open);
	sv_mfree(p);
	return rc;
}

int ledger_budget_watch(struct ledger *l, const char *account, int64_t at)
{
	return ledger_watch(l, account, at);
}

int ledger_budget_set(struct ledger *l, const struct budget_rule *b, int64_t at)
{
	int64_t began, ends;
	int rc;

	window(b->period, at, &began, &ends);
	/* All of it is announced anew: its parts are other amounts now. */
	rc = ledger_run(l,
		"INSERT INTO budget(id, account, amount, period, stop, warn, began)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(id) DO UPDATE SET amount = ?3,"
		" period = ?4, stop = ?5, warn = ?6, began = ?7, warned = 0, reached = 0",
		"ttititi", b->id, b->account, b->amount, b->period, (int64_t)b->stop, b->warn,
		began);
	return rc ? rc : ledger_watch(l, b->account, at);
}

int ledger_budget_drop(struct ledger *l, const char *id)
{
	int rc = ledger_run(l, "DELETE FROM budget WHERE id = ?1", "t", id);

	return rc ? rc : due_clear(l->s, id, "budget");
}

int ledger_budget_note(struct ledger *l, const struct budget_rule *b)
{
	return ledger_run(l,
		"UPDATE budget SET began = ?2, warned = ?3, reached = ?4 WHERE id = ?1", "tiii",
		b->id, b->began, b->warned, (int64_t)b->reached);
}

int ledger_budget_state(
	struct ledger *l, const struct budget_rule *b, int64_t at, struct budget_state *ret)
{
	struct purse *p = sv_malloc(sizeof(*p));
	int64_t horizon = ledger_horizon(l, b->account, at);
	int rc;

	if (!p)
		return SV_NOMEM;
	window(b->period, at, &ret->began, &ret->ends);
	rc = purse_read(l, b->account, p);
	if (!rc) {
		int64_t posted = posted_since(l, b->account, ret->began);

		at = at < horizon ? at : horizon;
		ret->used = posted + purse_unposted(p, at);
		ret->promised = posted + purse_owed(p, at);
	}
	spans_free(&p->open);
	sv_mfree(p);
	return rc;
}

int ledger_budget_tightest(
	struct ledger *l, const char *account, int64_t at, struct budget_rule *ret, int64_t *left)
{
	struct budgets all;
	struct budget_state s;
	int rc = read_all(l, account, &all);

	*left = INT64_MAX;
	for (size_t i = 0; !rc && i < all.n; i++) {
		if (!all.v[i].stop)
			continue;
		rc = ledger_budget_state(l, &all.v[i], at, &s);
		if (!rc && all.v[i].amount - s.promised < *left) {
			*left = all.v[i].amount - s.promised;
			*ret = all.v[i];
		}
	}
	sv_mfree(all.v);
	return rc;
}

int64_t ledger_budget_stop(struct ledger *l, const char *account)
{
	int64_t at = -1;

	ledger_int(ledger_stmt(l,
			   "SELECT min(stops_at) FROM budget WHERE account = ?1"
			   " AND stops_at IS NOT NULL",
			   "t", account),
		-1, &at);
	return at;
}

int ledger_budget_roll(struct ledger *l, struct budget_rule *b, int64_t at)
{
	int64_t began, ends;
	int rc = ledger_post_account(l, b->account, at);

	window(b->period, at, &began, &ends);
	if (rc || began == b->began)
		return rc;
	b->began = began;
	b->warned = b->reached = 0;
	return ledger_budget_note(l, b);
}

int ledger_alert_set(struct ledger *l, const char *account, int64_t least, int64_t at)
{
	int rc;

	if (least < 0)
		rc = ledger_run(l, "DELETE FROM alert WHERE account = ?1", "t", account);
	else
		rc = ledger_run(l,
			"INSERT INTO alert(account, least) VALUES(?1, ?2)"
			" ON CONFLICT(account) DO UPDATE SET least = ?2, low = 0",
			"ti", account, least);
	if (!rc && least < 0)
		rc = due_clear(l->s, account, "alert");
	return rc ? rc : ledger_watch(l, account, at);
}

int ledger_alert_low(struct ledger *l, const char *account, int64_t available, int64_t *least)
{
	int rc = ledger_int(
		ledger_stmt(l, "SELECT least FROM alert WHERE account = ?1 AND NOT low", "t",
			account),
		-1, least);

	if (rc || *least < 0 || available >= *least)
		return rc ? rc : 0;
	rc = ledger_run(l, "UPDATE alert SET low = 1 WHERE account = ?1", "t", account);
	return rc ? rc : 1;
}
