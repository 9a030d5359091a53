/* SPDX-License-Identifier: MIT */
/* Behaviours of the account and of billing. */
#ifndef SV_LOCAL_BILLING_H
#define SV_LOCAL_BILLING_H

#include "local/platform.h"
#include "local/store.h"

struct sv_account;

#define BILLING_CURRENCY "CNY"

int local_account_top_up(struct call *c);
int local_account_update(struct call *c);
/* Fills balance and limits with memory of root, in which the account lies. */
void account_show(struct platform *p, void *root, struct sv_account *a, int64_t now);
void account_present(struct platform *p, const char *account, void *obj, int64_t now);

/* What the query narrows usage or charges to; the page's limit is one more than is shown. */
struct ledger_filter;
int billing_filter(struct call *c, struct ledger_filter *f);

/* A page that is being filled: one more than fits tells that there is a next. */
struct billing_filling {
	struct call *c;
	struct sv_page *page;
	int64_t limit, last;
	int rc;
};
/* A place for the next one, whose row in its table is id; NULL when the page is full or memory is
 * out. */
void *billing_place(struct billing_filling *fill, const struct sv_kind *kind, int64_t id);
/* The page that a query asks for: rows of a statement with the account, the row before it, how many
 * and now as its parameters. add answers 1 to stop. */
typedef int billing_add(struct billing_filling *fill, sqlite3_stmt *st);
int billing_page(struct call *c, const char *sql, billing_add *add);

int local_billing_charges(struct call *c);
int local_billing_invoices(struct call *c);
int local_billing_quote(struct call *c);
int local_billing_redeem(struct call *c);
int local_billing_sums(struct call *c);
int local_billing_tco(struct call *c);
int local_billing_usage(struct call *c);
int local_billing_vouchers(struct call *c);

int local_budget_create(struct call *c);
int local_budget_delete(struct call *c);
int local_budget_update(struct call *c);
void local_budget_present(struct platform *p, const char *account, void *obj, int64_t now);

#endif
