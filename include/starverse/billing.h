/* SPDX-License-Identifier: MIT */
/** @file billing.h
 * What was metered, charged and promised. Money is micro-yuan. */
#ifndef STARVERSE_BILLING_H
#define STARVERSE_BILLING_H

#include <starverse/account.h>
#include <starverse/budget.h>
#include <starverse/common.h>
#include <starverse/error.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What can be spent, and for how long: a part of struct sv_account. */
struct sv_billing {
	struct sv_set set;
	struct sv_account_balance *balance;
	int64_t burn_rate_per_hour; /**< what accrues now */
	int64_t runway_seconds;     /**< until available is used up at that rate; null for ever */
};

/** One metered interval: one resource at one rate. */
struct sv_usage {
	struct sv_set set;
	const char *id;
	const char *resource; /**< id of what was metered */
	const char *kind;     /**< "compute", "image", "disk", "snapshot" or "storage" */
	const char *name;     /**< as it was */
	const char *gpu;
	int64_t started_at;
	int64_t ended_at; /**< null while open */
	int64_t seconds;  /**< so far */
	int64_t price_per_hour;
	int64_t cost; /**< of these seconds, rounded once */
	const char *currency;
	struct sv_map labels; /**< as they were */
};

/** A page of usage. */
struct sv_usage_list {
	size_t n;
	struct sv_usage **v;
	const char *next;
};

/** What usage or charges are narrowed to. */
struct sv_usage_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor;
	int64_t since, until; /**< seconds since the epoch */
	struct sv_strs resource, kind, name, gpu;
	struct sv_map labels;
	struct sv_strs instance, job;
	/** Sums only: "hour", "day", "month", "instance", "resource", "name", "job", "gpu", "kind",
	 * or "label:KEY" */
	const char *by;
};

/** Usage under one word, or in one stretch of time. */
struct sv_usage_sum {
	struct sv_set set;
	const char *key;    /**< null: what has none, such as disks among instances */
	const char *name;   /**< of what key is the id, as it was last */
	int64_t started_at; /**< of hours, days and months */
	int64_t intervals;  /**< how many have a part in it */
	int64_t seconds;    /**< of all of them, of disks beside those of compute */
	int64_t cost;
	const char *currency;
	int64_t compute_seconds; /**< of compute alone */
};

/** A page of sums. */
struct sv_usage_sum_list {
	size_t n;
	struct sv_usage_sum **v;
	const char *next;
};

/** One line of the ledger. */
struct sv_charge {
	struct sv_set set;
	const char *id;
	int64_t time;
	const char *kind; /**< "usage", "credit", "top_up", "expiry" or "voucher" */
	int64_t amount;   /**< signed: negative takes from the balance */
	const char *currency;
	const char *resource; /**< id, or NULL */
	const char *interval; /**< id of the usage, or NULL */
	const char *note;
	int64_t balance; /**< cash + credit after it */
};

/** A page of charges. */
struct sv_charge_list {
	size_t n;
	struct sv_charge **v;
	const char *next;
};

/** Credit with an end and a scope. */
struct sv_voucher {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *status; /**< "active", "used" or "expired" */
	int64_t amount, remaining;
	const char *currency;
	int64_t expires_at;
	struct sv_strs scope; /**< models it pays for; empty for all */
	int64_t created_at;
	struct sv_strs kinds; /**< kinds of usage it pays for; empty for all */
};

/** The code of a voucher. */
struct sv_billing_redeem_body {
	struct sv_set set;
	const char *code;
};

/** A page of vouchers. */
struct sv_voucher_list {
	size_t n;
	struct sv_voucher **v;
	const char *next;
};

/** A statement of one month. */
struct sv_invoice {
	struct sv_set set;
	const char *id;
	const char *period; /**< "2026-11" */
	const char *status; /**< "open" or "closed" */
	int64_t amount;
	const char *currency;
	int64_t created_at;
};

/** A page of invoices. */
struct sv_invoice_list {
	size_t n;
	struct sv_invoice **v;
	const char *next;
};

/** One page of a plain list. */
struct sv_page_query {
	struct sv_set set;
	int64_t limit;
	const char *cursor;
};

/** What to price: a create body as JSON. */
struct sv_billing_quote_body {
	struct sv_set set;
	const char *kind; /**< "instance", "disk", "storage" or "job" */
	const char *body; /**< JSON */
};

/** One item of a quote. */
struct sv_quote_item {
	struct sv_set set;
	/** "accelerator", "image", "system_disk", "disk", "storage" or "discount" */
	const char *item;
	const char *description;
	int64_t quantity;
	int64_t unit_price_per_hour;
	int64_t price_per_hour; /**< negative for a discount */
};

/** A quote: nothing is created, nothing is billed. */
struct sv_quote {
	struct sv_set set;
	const char *kind;
	struct sv_list items; /**< of struct sv_quote_item */
	int64_t price_per_hour;
	int64_t price_per_day;
	int64_t residual_price_per_day; /**< while stopped */
	int64_t minimum_seconds;
	int64_t minimum_charge;
	const char *currency;
	int available;          /**< 1 when it could be created now */
	int64_t runway_seconds; /**< how long the balance would last; null for ever */
};

/** Owning against renting. Members of 0 that are not marked take what stands beside them. */
struct sv_billing_tco_body {
	struct sv_set set;
	int64_t own_capex;           /**< paid once for hardware of one's own */
	int64_t own_monthly;         /**< power, space and people, a month of it */
	int64_t cards;               /**< that are rented instead; 1 */
	int64_t unit_price_per_hour; /**< of renting one */
	int64_t years;               /**< of 8,760 hours; 3 */
	int64_t use_percent;         /**< of all hours in which cards are rented; 100 % */
	int64_t at_cost;             /**< a rent that is compared, too */
};

/** What owning and renting come to. Percentages are millionths of a percent. */
struct sv_tco {
	struct sv_set set;
	int64_t own_capex, own_monthly, cards, unit_price_per_hour, years, use_percent;
	int64_t hours; /**< of all the years */
	int64_t own_total, rent_total;
	int64_t rent_monthly, rent_at_full_use;
	int64_t saving; /**< of renting; negative when it is dearer */
	int64_t saving_percent;
	int64_t break_even_use_percent; /**< at which both cost the same; may be more than 100 */
	/** The first after which owning has become no dearer than renting; null for never. */
	int64_t break_even_months, break_even_hours;
	int64_t at_cost, at_cost_saving, at_cost_saving_percent;
	int64_t at_cost_use_percent; /**< for which at_cost would pay */
	const char *currency;
};

/** A new, empty filter or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_usage_filter *sv_usage_filter_new(void);
/** See sv_usage_filter_new(). */
SV_API struct sv_page_query *sv_page_query_new(void);
/** See sv_usage_filter_new(). */
SV_API struct sv_billing_quote_body *sv_billing_quote_body_new(void);
/** See sv_usage_filter_new(). */
SV_API struct sv_billing_tco_body *sv_billing_tco_body_new(void);

/** What can be spent. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_billing_balance(sv_client *c, struct sv_billing **ret);
/** One page of metered intervals; filter NULL for all. */
SV_API int sv_billing_usage(
	sv_client *c, const struct sv_usage_filter *filter, struct sv_usage_list **ret);
/** One page of sums over metered intervals; filter->by says of what. They add up to the usage of
 * the same filter, to the micro-yuan. */
SV_API int sv_billing_sums(
	sv_client *c, const struct sv_usage_filter *filter, struct sv_usage_sum_list **ret);
/** One page of the ledger. */
SV_API int sv_billing_charges(
	sv_client *c, const struct sv_usage_filter *filter, struct sv_charge_list **ret);
/** One page of vouchers; page NULL for the first. */
SV_API int sv_billing_vouchers(
	sv_client *c, const struct sv_page_query *page, struct sv_voucher_list **ret);
/** Redeems a code: its credit is the account's from now on. Once for each code. */
SV_API int sv_billing_redeem(sv_client *c, const char *code, struct sv_voucher **ret);
/** One page of budgets, as sv_budget_list() gives them; page NULL for the first. */
SV_API int sv_billing_budgets(
	sv_client *c, const struct sv_page_query *page, struct sv_budget_list **ret);
/** One page of monthly statements; page NULL for the first. */
SV_API int sv_billing_invoices(
	sv_client *c, const struct sv_page_query *page, struct sv_invoice_list **ret);
/** Prices a create body (JSON text) of a kind without creating anything. */
SV_API int sv_billing_quote(
	sv_client *c, const char *kind, const char *body, struct sv_quote **ret);
/** Owning against renting, computed by the platform. */
SV_API int sv_billing_tco(
	sv_client *c, const struct sv_billing_tco_body *body, struct sv_tco **ret);
/** The same computed here, without a platform: SV_OK, or a negative code with *err filled. */
SV_API int sv_billing_tco_compute(
	const struct sv_billing_tco_body *body, struct sv_tco **ret, struct sv_error *err);

#ifdef __cplusplus
}
#endif

#endif
