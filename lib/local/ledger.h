/* SPDX-License-Identifier: MIT */
/* Metering and money: typed tables, integer micro-yuan, one invariant: the sum of an account's
 * ledger is its cash plus its credit, always. An interval has one rate and one rounded charge; what
 * is posted always sums to it.
 *
 * The ledger keeps itself right whoever calls it late: no posting goes beyond the second at which
 * the account's balance is used up, and credit that has expired is gone before anything later is
 * paid. It sets these due seconds by itself (see guard.h): (account, "arrears"), (account,
 * "credit"), ("ledger", "post"). */
#ifndef SV_LOCAL_LEDGER_H
#define SV_LOCAL_LEDGER_H

#include <stddef.h>
#include <stdint.h>
#include <starverse/object.h>

struct platform;
struct store;
struct ledger;

#define LEDGER_HOUR  INT64_C(3600)
#define LEDGER_DAY   INT64_C(86400)
#define LEDGER_MONTH INT64_C(2592000) /* 30 days */

int ledger_open_tables(struct store *s, struct ledger **ret);
void ledger_free(struct ledger *l);

/* What is metered: copied into the interval's own columns, as it is now. */
struct meter {
	const char *account, *resource, *kind; /* kind: "compute", "disk", "storage", "image" */
	const char *name, *gpu, *job;          /* may be NULL */
	const struct sv_map *labels;           /* may be NULL */
	int64_t rate_per_hour;                 /* micro-yuan */
	int64_t rate_per_month;  /* instead of it, for what has a monthly price: exact, no rounded
				    rate */
	int64_t minimum_seconds; /* compute: from one start to its stop, whatever the rates between
				  */
};

/* Opens the interval of (resource, kind) at a second; one that is open already with another rate is
 * closed there. The first one of "compute" is a start: minimum_seconds counts from it. */
int ledger_meter(struct ledger *l, const struct meter *m, int64_t at);
/* Closes it (kind NULL: all of the resource) and posts what is left. Not open: SV_OK. Closing
 * "compute" is a stop: the shortfall of minimum_seconds is charged once, at the last rate. */
int ledger_close(struct ledger *l, const char *resource, const char *kind, int64_t at);
/* Closes "compute" without a stop (a switch that may still fail): ledger_meter() goes on with the
 * same start, or ledger_close() ends it. */
int ledger_pause(struct ledger *l, const char *resource, int64_t at);
/* A charge that is not a rate, on a metered resource; ledger_close() does so for a minimum. Never
 * more than the balance. */
int ledger_charge_once(
	struct ledger *l, const struct meter *m, int64_t amount, int64_t at, const char *note);
/* Posts what open intervals owe up to now: at least once a minute. */
int ledger_post(struct ledger *l, int64_t now);

struct balance {
	int64_t cash, credit, frozen, arrears,
		available; /* available: less frozen, less what is open and not yet posted */
	int64_t burn_rate_per_hour; /* of what is open, rounded up to a micro-yuan */
	int64_t runway_seconds;     /* -1: for ever */
};
/* frozen: what running minimums will still cost if everything stops now. arrears: always 0, since
 * what cannot be paid is stopped instead. */
int ledger_account(struct ledger *l, const char *account, int64_t now, struct balance *ret);
int ledger_top_up(
	struct ledger *l, const char *account, int64_t amount, int64_t at, const char *note);
int ledger_credit(struct ledger *l, const char *account, int64_t amount, int64_t at,
	int64_t expires_at, const char *note); /* expires_at -1: never */
/* A voucher: credit once for each code of an account, for these cards and kinds alone where there
 * are any. SV_CONFLICT when the account has had it. */
struct ledger_voucher {
	const char *code, *name;
	int64_t amount, expires_at; /* -1: never */
	struct sv_strs gpus, kinds;
};
int ledger_redeem(
	struct ledger *l, const char *account, const struct ledger_voucher *v, int64_t at);
/* What can be spent on a card (NULL: none) and a kind. */
int ledger_available_for(struct ledger *l, const char *account, const char *gpu, const char *kind,
	int64_t at, int64_t *ret);
/* Some money is left that pays only for some. */
int ledger_vouchers_left(struct ledger *l, const char *account);
/* Calls fn with every resource whose compute cannot be paid any longer than a second, as far as
 * vouchers do not pay for it. */
int ledger_each_short(struct ledger *l, const char *account, int64_t at,
	int (*fn)(void *data, const char *resource), void *data);
/* What is left of credit that expires up to a second, as an entry of the ledger at the credit's own
 * second. */
int ledger_expire(struct ledger *l, const char *account, int64_t at);
/* The last whole second at which everything that is open still fits the balance, -1 when nothing
 * open costs anything: the account's due second. Credit that expires on the way counts only until
 * then. */
int ledger_exhausted_at(struct ledger *l, const char *account, int64_t now, int64_t *ret);
/* What is not open and would be: at so much an hour, of a kind and a card (NULL: none). */
struct ledger_more {
	const char *kind, *gpu;
	int64_t per_hour;
};
/* How many seconds the money would last with n of these beside all that is open; -1: for ever. */
int ledger_runway(struct ledger *l, const char *account, int64_t now,
	const struct ledger_more *more, size_t n, int64_t *ret);
/* The balance is used up: closes what is no compute at a second; money that comes in opens it
 * again. */
int ledger_suspend(struct ledger *l, const char *account, int64_t at);
/* What a resource has cost so far, open intervals included. */
int64_t ledger_cost(struct ledger *l, const char *resource, int64_t now);
/* The last whole second at which the cost of resource, all its compute since it was made, stays
 * within most; -1 when it is not metered or costs nothing. Can be in the past, for a cap that is
 * lowered. */
int64_t ledger_cap_at(struct ledger *l, const char *resource, int64_t most, int64_t now);
/* The second of the start that is under way; 0 when there is none. */
int64_t ledger_started_at(struct ledger *l, const char *resource);
/* Any compute, of all accounts: for leaving when idle. */
int ledger_busy(struct ledger *l);
/* Anything at all is open. */
int ledger_metering(struct ledger *l);
/* Calls fn with every resource of an account whose compute is open and costs something; non-zero
 * from fn ends it. */
int ledger_each_compute(struct ledger *l, const char *account,
	int (*fn)(void *data, const char *resource), void *data);
/* The heartbeat: the last second at which the daemon was alive; postings are heartbeats too. */
int ledger_heartbeat(struct ledger *l, int64_t now);
int64_t ledger_last_alive(struct ledger *l);
/* Sum of ledger = cash + credit, and postings = charges, for every account. SV_OK, or SV_SERVER
 * with what differs. */
int ledger_verify(struct ledger *l, char *message, size_t size);

/* Metered intervals, for usage. What is empty, NULL or 0 is no filter; of several values any one
 * will do, labels must all fit. until 0: now. */
struct ledger_filter {
	const char *account; /* never NULL */
	const char *label; /* whose value each interval is to bring */
	struct sv_strs resource, kind, name, gpu, instance, job;
	struct sv_map labels;
	int64_t since, until;
	int64_t after; /* row id of the last one of the page before */
	int64_t limit;
	int descending;
};
struct ledger_interval {
	int64_t id;
	const char *account, *resource, *kind, *name, *gpu, *job,
		*label; /* borrowed for the call; may be NULL */
	int64_t rate, per_seconds;
	int64_t origin; /* where it really began: a second costs what ledger_part() says */
	int once;       /* no rate: all of it at began */
	int64_t began, ended; /* as metered, cut to [since, until); ended -1: still open */
	int64_t seconds,
		cost; /* of the cut part: parts of one interval always add up to its charge */
};
/* fn returns non-zero to end. */
int ledger_each_interval(struct ledger *l, const struct ledger_filter *f, int64_t now,
	int (*fn)(void *data, const struct ledger_interval *i), void *data);
/* What of an interval's cost falls in [from, to). */
int64_t ledger_part(const struct ledger_interval *i, int64_t from, int64_t to);
/* Sums by a word of the contract ("day", "gpu", "label:KEY"), in the order of their keys, those
 * without one first. SV_INVALID with *why when the word is none, or when it would be too many. */
struct ledger_sum {
	const char *key, *name; /* borrowed for the call; may be NULL */
	int64_t started_at;     /* -1: no stretch of time */
	int64_t intervals, seconds, cost, compute;
};
int ledger_sums(struct ledger *l, const struct ledger_filter *f, const char *by, int64_t now,
	int (*fn)(void *data, const struct ledger_sum *s), void *data, const char **why);
/* The labels of an interval into root's map. */
int ledger_labels(struct ledger *l, int64_t interval, void *root, struct sv_map *ret);

struct ledger_entry {
	int64_t id, time, amount, interval,
		balance; /* interval 0: none; balance: cash + credit after it */
	const char *account, *kind, *resource, *note;
};
int ledger_each_entry(struct ledger *l, const struct ledger_filter *f,
	int (*fn)(void *data, const struct ledger_entry *e), void *data);

/* The price of a create or start, itemised; also what decides insufficient_balance,
 * budget_exceeded, price_exceeds_limit. Used by quote, create, start, resize, switch. See quote.h.
 */
struct price {
	int64_t accelerator, image, disks, storage,
		discount;         /* per hour; discount not negative, already taken off total */
	int64_t compute_per_hour; /* what compute is metered at: accelerator + image - discount */
	int64_t total_per_hour;   /* while running */
	int64_t stopped_per_hour; /* disks and storage only */
	int64_t minimum_seconds;
	int64_t minimum_charge; /* what a start costs at least */
};

#endif
