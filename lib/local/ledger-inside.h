/* SPDX-License-Identifier: MIT */
/* What the ledger's own files share. Statements are cached by the store: a reader fills an array
 * and lets go before anything is written. */
#ifndef SV_LOCAL_LEDGER_INSIDE_H
#define SV_LOCAL_LEDGER_INSIDE_H

#include "base/str.h"
#include "local/ledger.h"
#include "local/store.h"

#define LEDGER_NEVER INT64_MAX

/* Sums that would pass the end of the scale stay at it. */
static inline int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	return sv_add64(a, b, &sum) ? INT64_MAX : sum;
}

static inline int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

struct ledger {
	struct store *s;
};

/* A statement with its parameters bound: one letter each, 't' text (NULL allowed), 'i' int64_t, 'n'
 * int64_t of which -1 means NULL. NULL on a programming error or when memory is out. */
sqlite3_stmt *ledger_stmt(struct ledger *l, const char *sql, const char *types, ...);
/* Runs one that gives no rows. SV_OK or SV_SERVER. */
int ledger_run(struct ledger *l, const char *sql, const char *types, ...);
/* The first column of the first row; none is otherwise. */
int ledger_int(sqlite3_stmt *st, int64_t otherwise, int64_t *ret);

/* An open interval, or one that is being closed. */
struct span {
	int64_t id, rate, per, began, posted, posted_to;
	int64_t least_until; /* compute whose start has a minimum: until then stopping costs as much
			      */
	char account[64], resource[64], kind[16], gpu[64];
};

struct spans {
	struct span *v;
	size_t n, cap;
};
void spans_free(struct spans *s);
int spans_add(struct spans *s, const struct span *one);
/* Open intervals of an account, a resource, a kind of it; NULL: any. */
int spans_open(struct ledger *l, const char *account, const char *resource, const char *kind,
	struct spans *ret);
/* Its rounded cost from its beginning to a second. */
int64_t span_cost(const struct span *s, int64_t at);
/* Posts what it owes up to a second. */
int span_post(struct ledger *l, struct span *s, int64_t to);

/* Pays an amount out of credit, the soonest to expire first, then cash; and writes the entry. */
int ledger_spend(
	struct ledger *l, const struct span *s, int64_t amount, int64_t at, const char *note);
/* An account that has ever had a voucher that pays only for some. */
int ledger_scoped(struct ledger *l, const char *account);
/* The word of a kind in a voucher. */
const char *ledger_scope_kind(const char *kind);
/* As ledger_credit(), before due seconds are found anew; entry: kind of the ledger's row. */
int ledger_credit_add(struct ledger *l, const char *account, int64_t amount, int64_t at,
	int64_t expires_at, const char *note, const char *entry, int64_t *id);
/* The month of the calendar in which a second lies: its first second, and that of the next. */
void ledger_month(int64_t at, int64_t *began, int64_t *ends);
/* One row of the ledger. */
int ledger_entry(struct ledger *l, const char *account, const char *kind, int64_t amount,
	int64_t at, const struct span *s, const char *note);
int64_t ledger_cash(struct ledger *l, const char *account);
int64_t ledger_credit_left(struct ledger *l, const char *account);
/* The second beyond which nothing of the account is billed, where it lies before upto; else some
 * second that is not before upto. */
int64_t ledger_horizon(struct ledger *l, const char *account, int64_t upto);
/* Before anything is done to an account at a second: credit that expired before it is gone. */
int ledger_bring(struct ledger *l, const char *account, int64_t at);
/* Everything open of an account is posted up to a second. */
int ledger_post_account(struct ledger *l, const char *account, int64_t at);
/* After its intervals or its money changed at a second: its due seconds anew. */
int ledger_touch(struct ledger *l, const char *account, int64_t at);
/* Those of its budgets and its alert. */
int ledger_watch(struct ledger *l, const char *account, int64_t at);
/* What was paid at a second counts for the budgets of its day. */
int ledger_spent_add(struct ledger *l, const char *account, int64_t amount, int64_t at);
/* The same after one interval of an account began (sign 1) or ended (-1) at a second, or something
 * was paid (0): without looking at all the others, as long as the end of the money is far.
 * promised: what that costs in any case. */
int ledger_shift(struct ledger *l, const struct span *s, int sign, int64_t promised, int64_t at);
/* Opens again what ledger_suspend() closed. */
int ledger_resume(struct ledger *l, const char *account, int64_t at);

/* All that decides when an account's money is used up. */
#define PURSE_CREDITS 256
#define PURSE_WORDS   256
struct purse {
	struct spans open;
	int64_t promised; /* minimums of starts that are paused */
	int64_t cash;
	int64_t ids[PURSE_CREDITS];
	int64_t left[PURSE_CREDITS], expires[PURSE_CREDITS]; /* the soonest first */
	size_t n;
	/* Of vouchers that pay only for some: what 'g', a card; 'k', a kind. */
	struct purse_word {
		int64_t credit;
		char what, word[63];
	} words[PURSE_WORDS];
	size_t n_words;
};
/* Beyond the year 9999 a second is no time any more. */
#define PURSE_FAR INT64_C(253402300800)
/* Also after a failure ended by spans_free(&p->open). */
int purse_read(struct ledger *l, const char *account, struct purse *p);
/* Its vouchers' words: a part of purse_read(). */
int purse_scopes(struct ledger *l, const char *account, struct purse *p);
/* The last second at which each interval can be paid from what it may use. */
int64_t purse_scoped_end(const struct purse *p);
/* What of the money is left for a card and a kind when all else is paid. */
int64_t purse_left_for(const struct purse *p, const char *gpu, const char *kind, int64_t at);
/* What stopping at a second costs beyond what is posted: a minimum counts as if it had run out. */
int64_t purse_owed(const struct purse *p, int64_t at);
/* What is really to be posted up to a second: a minimum that is promised is not paid yet. */
int64_t purse_unposted(const struct purse *p, int64_t at);
/* A sum that is cut at what fits is more than anybody has. */
int purse_fits(const struct purse *p, int64_t at, int64_t budget);
/* The last second in (from, to] at which no more than budget is owed; from is known to fit. */
int64_t purse_last_fit(const struct purse *p, int64_t from, int64_t to, int64_t budget);
/* The same of what is really used: no promises. */
int64_t purse_used_last(const struct purse *p, int64_t from, int64_t to, int64_t budget);

/* Rounded cost, cut at what int64_t holds. */
int64_t ledger_charge(int64_t rate, int64_t per, int64_t seconds);

#endif
