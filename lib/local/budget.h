/* SPDX-License-Identifier: MIT */
/* Budgets and the alert of a low balance, as the ledger keeps them: a rule, what it has come to in
 * its present period, and when it has to be looked at (due "budget" of its id, "alert" of the
 * account). */
#ifndef SV_LOCAL_BUDGET_H
#define SV_LOCAL_BUDGET_H

#include <stdint.h>

struct ledger;
struct platform;

struct budget_rule {
	char id[64], account[64], period[16]; /* period: "day", "week", "month" */
	char warn[200];                       /* millionths of a percent, a blank between them */
	int64_t amount;
	int stop;
	int64_t began;    /* of the period it is in */
	int64_t warned;   /* the highest that was announced in it */
	int reached;      /* it has stopped something in it, or is spent */
	int64_t stops_at; /* at what runs now, or -1 */
};

/* The amount at which so much of it is spent, rounded up. */
int64_t budget_share(const struct budget_rule *b, int64_t percent);
/* The next warning above a percentage, or -1. */
int64_t budget_warning(const struct budget_rule *b, int64_t above);

/* Sets or changes one: its warnings are given anew. */
int ledger_budget_set(struct ledger *l, const struct budget_rule *b, int64_t at);
int ledger_budget_drop(struct ledger *l, const char *id);
int ledger_budget_get(struct ledger *l, const char *id, struct budget_rule *ret);
/* Keeps began, warned and reached. */
int ledger_budget_note(struct ledger *l, const struct budget_rule *b);

/* The period of a second. used: what is open included; promised: and minimums, too. */
struct budget_state {
	int64_t began, ends, used, promised;
};
int ledger_budget_state(
	struct ledger *l, const struct budget_rule *b, int64_t at, struct budget_state *ret);
/* Goes to the period of a second, everything posted up to it. */
int ledger_budget_roll(struct ledger *l, struct budget_rule *b, int64_t at);
/* The one of an account that stops and has the least left; left INT64_MAX when there is none. */
int ledger_budget_tightest(
	struct ledger *l, const char *account, int64_t at, struct budget_rule *ret, int64_t *left);
/* When the first of them stops compute, or -1. */
int64_t ledger_budget_stop(struct ledger *l, const char *account);

/* An event when less than least is available; -1: none any more. */
int ledger_alert_set(struct ledger *l, const char *account, int64_t least, int64_t at);
/* 1 when it is to be announced now, and from now on has been; *least is the threshold. */
int ledger_alert_low(struct ledger *l, const char *account, int64_t available, int64_t *least);

/* Finds out anew when each of them stops. */
int ledger_budget_watch(struct ledger *l, const char *account, int64_t at);

struct sv_error;
/* budget_exceeded, when what is to start needs more than one of them leaves. */
int budget_refuses(struct platform *p, const char *account, int64_t need, int64_t now,
	struct sv_error *err);

int guard_due_alert(struct platform *p, const char *account, int64_t at);
int guard_due_budget(struct platform *p, const char *budget, int64_t at);

#endif
