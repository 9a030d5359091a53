/* SPDX-License-Identifier: MIT */
/** @file account.h
 * The account that a key belongs to, and its balance. */
#ifndef STARVERSE_ACCOUNT_H
#define STARVERSE_ACCOUNT_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Money, in micro-yuan. */
struct sv_account_balance {
	struct sv_set set;
	int64_t available; /**< cash + credit - frozen - what open intervals cost and have not
			      posted */
	int64_t cash;
	int64_t credit;
	int64_t frozen;
	int64_t arrears;
	const char *currency; /**< "CNY" */
};

/** What the account may have at most, and how long things are kept. */
struct sv_account_limits {
	struct sv_set set;
	int64_t instances, gpus, disks;
	int64_t disk_max_gib;
	int64_t disk_retention_seconds; /**< disks are kept so long in arrears */
	int64_t job_log_max_bytes; /**< a job's log keeps so much; null for no ceiling */
};

/** An account. */
struct sv_account {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *email;
	const char *phone;
	int verified;
	struct sv_account_balance *balance;
	int64_t burn_rate_per_hour; /**< micro-yuan: what accrues now */
	int64_t runway_seconds;     /**< until available is used up at that rate; null for ever */
	struct sv_account_limits *limits;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
	/** An event account.balance_low once when less can be spent; null for never. */
	int64_t balance_alert;
};

/** Who registers: exactly one of email and phone. */
struct sv_account_register_body {
	struct sv_set set;
	const char *email;
	const char *phone; /**< "+8613800000000", or without the country */
	const char *name;
};

/** The new account and its key, which is shown once. */
struct sv_account_registration {
	struct sv_set set;
	struct sv_account *account;
	const char *api_key;
};

/** How much to pay in. */
struct sv_account_top_up_body {
	struct sv_set set;
	int64_t amount; /**< micro-yuan */
};

/** A new, empty account or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_account *sv_account_new(void);
/** See sv_account_new(). */
SV_API struct sv_account_register_body *sv_account_register_body_new(void);

/** The account of the key in use. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_account_get(sv_client *c, struct sv_account **ret);
/** Sends exactly the marked members of changes: name, labels, balance_alert. */
SV_API int sv_account_update(
	sv_client *c, const struct sv_account *changes, struct sv_account **ret);
/** Registers by e-mail or phone; local platform only. The key in *ret is not shown again. */
SV_API int sv_account_register(sv_client *c, const struct sv_account_register_body *body,
	struct sv_account_registration **ret);
/** Pays in so many micro-yuan; local platform only. */
SV_API int sv_account_top_up(sv_client *c, int64_t amount, struct sv_account **ret);

#ifdef __cplusplus
}
#endif

#endif
