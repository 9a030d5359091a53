/* SPDX-License-Identifier: MIT */
/** @file budget.h
 * Limits on what an account spends in a day, a week or a month. Money is micro-yuan. */
#ifndef STARVERSE_BUDGET_H
#define STARVERSE_BUDGET_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A limit on spending, kept by the platform. */
struct sv_budget {
	struct sv_set set;
	const char *id;
	const char *name;
	int64_t amount; /**< most of one period */
	int64_t used;   /**< spent in this one, what is open included */
	const char *currency;
	const char *period; /**< "day", "week" (from Monday) or "month", in UTC */
	int64_t created_at;
	struct sv_strs warn_percents; /**< "80": an event when so much is spent */
	const char *action;           /**< "stop": compute ends before more is spent; "warn" */
	const char *status;           /**< "ok", "warned" or "reached" */
	int64_t remaining;            /**< negative when disks went on beyond it */
	int64_t started_at, ends_at;  /**< of this period */
	int64_t stops_at;             /**< when it stops compute at what runs now; null for never */
	struct sv_map labels;
	int64_t updated_at;
	int64_t version;
};

/** A page of budgets. */
struct sv_budget_list {
	size_t n;
	struct sv_budget **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_budget_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name, period;
	struct sv_map labels;
};

/** A new, empty budget or filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_budget *sv_budget_new(void);
SV_API struct sv_budget_filter *sv_budget_filter_new(void); /**< see sv_budget_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_budget_list(
	sv_client *c, const struct sv_budget_filter *filter, struct sv_budget_list **ret);
/** One budget by its id. */
SV_API int sv_budget_get(sv_client *c, const char *id, struct sv_budget **ret);
/** Sets one: name, amount, period, warn_percents, action, labels of want. */
SV_API int sv_budget_create(
	sv_client *c, const struct sv_budget *want, struct sv_budget **ret);
/** Sends exactly the marked members of changes: the same ones. */
SV_API int sv_budget_update(
	sv_client *c, const char *id, const struct sv_budget *changes, struct sv_budget **ret);
/** Removes the limit; what it stopped stays stopped. */
SV_API int sv_budget_delete(sv_client *c, const char *id, struct sv_budget **ret);

#ifdef __cplusplus
}
#endif

#endif
