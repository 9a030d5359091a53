/* SPDX-License-Identifier: MIT */
/* Metering and money: typed tables, integer micro-yuan, one invariant: the sum of an account's ledger is its cash plus
 * its credit, always. An interval has one rate and one rounded charge; what is posted always sums to it. */
#ifndef SV_LOCAL_LEDGER_H
#define SV_LOCAL_LEDGER_H

#include <stdint.h>
#include <starverse/object.h>

struct platform;
struct store;
struct ledger;

int ledger_open_tables(struct store *s, struct ledger **ret);
void ledger_free(struct ledger *l);

/* What is metered: copied into the interval's own columns, as it is now. */
struct meter {
	const char *account, *resource, *kind; /* kind: "compute", "disk", "storage", "image" */
	const char *name, *gpu, *job;          /* may be NULL */
	const struct sv_map *labels;           /* may be NULL */
	int64_t rate_per_hour;                 /* micro-yuan */
};

/* Opens the interval of (resource, kind) at a second; one that is open already with another rate is closed there. */
int ledger_meter(struct ledger *l, const struct meter *m, int64_t at);
/* Closes it (kind NULL: all of the resource) and posts what is left. Not open: SV_OK. */
int ledger_close(struct ledger *l, const char *resource, const char *kind, int64_t at);
/* A charge that is not a rate: the shortfall of minimum_seconds. */
int ledger_charge_once(struct ledger *l, const struct meter *m, int64_t amount, int64_t at, const char *note);
/* Posts what open intervals owe up to now: at least once a minute. */
int ledger_post(struct ledger *l, int64_t now);

struct balance {
	int64_t cash, credit, frozen, arrears, available; /* available: less what is open and not yet posted */
	int64_t burn_rate_per_hour;
	int64_t runway_seconds;                           /* -1: for ever */
};
int ledger_account(struct ledger *l, const char *account, int64_t now, struct balance *ret);
int ledger_top_up(struct ledger *l, const char *account, int64_t amount, int64_t at, const char *note);
int ledger_credit(struct ledger *l, const char *account, int64_t amount, int64_t at, int64_t expires_at,
	const char *note); /* expires_at -1: never */
/* The last whole second at which everything that is open still fits the balance, -1 when nothing is open: the account's
 * due second. Credit that expires on the way counts only until then. */
int ledger_exhausted_at(struct ledger *l, const char *account, int64_t now, int64_t *ret);
/* What a resource has cost so far, open intervals included. */
int64_t ledger_cost(struct ledger *l, const char *resource, int64_t now);
/* The last whole second at which the cost of resource (compute only) stays within most; -1 when not metered. */
int64_t ledger_cap_at(struct ledger *l, const char *resource, int64_t most, int64_t now);
/* Compute intervals of the resource since its last start: seconds run, and the second it started; 0 when none. */
int64_t ledger_started_at(struct ledger *l, const char *resource);
/* Any compute, of the account or of all: for leaving when idle. */
int ledger_busy(struct ledger *l);
/* The heartbeat: the last second at which the daemon was alive. */
int ledger_heartbeat(struct ledger *l, int64_t now);
int64_t ledger_last_alive(struct ledger *l);
/* Sum of ledger = cash + credit, and postings = charges, for every account. SV_OK, or SV_SERVER with what differs. */
int ledger_verify(struct ledger *l, char *message, size_t size);

/* The price of a create or start, itemised; also what decides insufficient_balance, budget_exceeded, price_exceeds_limit.
 * Used by quote, create, start, resize, switch. See quote.c. */
struct price {
	int64_t accelerator, image, disks, storage, discount; /* per hour; discount not negative, already taken off total */
	int64_t total_per_hour;                               /* while running */
	int64_t stopped_per_hour;                             /* disks and storage only */
	int64_t minimum_seconds;
	int64_t minimum_charge;                               /* what a start costs at least */
};

#endif
