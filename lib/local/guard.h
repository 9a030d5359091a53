/* SPDX-License-Identifier: MIT */
/* What stops things by itself, at its own second: balance, caps, times; and the ledger's minute.
 * The functions named guard_due_CAUSE are the handlers of due.c. */
#ifndef SV_LOCAL_GUARD_H
#define SV_LOCAL_GUARD_H

#include <stdint.h>

struct platform;

/* Limits of one run, absent ones -1. */
struct guard_limits {
	int64_t stop_at;             /* a second */
	int64_t max_runtime_seconds; /* from the start that is under way */
	int64_t max_cost;            /* micro-yuan, of all compute of the instance */
};

/* Sets the due seconds of an instance whose compute is metered; again after every change of rate or
 * limits. One that is past already is due now. */
int guard_arm(
	struct platform *p, const char *instance, const struct guard_limits *limits, int64_t now);
/* When it stops. */
int guard_disarm(struct platform *p, const char *instance);
/* What stops it next, for next_stop{at,cause}: the earliest of its own limits and the account's
 * balance. cause is one of "max_cost", "max_runtime", "stop_at", "arrears", "budget"; at -1 and
 * cause NULL when nothing will. */
int guard_next(struct platform *p, const char *account, const char *instance,
	const struct guard_limits *limits, int64_t now, int64_t *at, const char **cause);

/* Stops an instance at a second, for billing and for itself, on behalf of a guard. */
int guard_stop(
	struct platform *p, const char *instance, int64_t at, const char *by, const char *why);

int guard_due_arrears(struct platform *p, const char *account, int64_t at);
int guard_due_credit(struct platform *p, const char *account, int64_t at);
int guard_due_max_cost(struct platform *p, const char *instance, int64_t at);
int guard_due_max_runtime(struct platform *p, const char *instance, int64_t at);
int guard_due_post(struct platform *p, const char *ledger, int64_t at);
int guard_due_stop_at(struct platform *p, const char *instance, int64_t at);

#endif
