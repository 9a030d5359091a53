/* SPDX-License-Identifier: MIT */
/* The lists that name functions of the nouns' files: what behaves, what is computed, what falls
 * due. Sorted. */
#include "local/billing.h"
#include "local/due.h"
#include "local/event.h"
#include "local/guard.h"
#include "local/logs.h"
#include "local/platform.h"
#include "local/register.h"

const struct behave behaviours[] = {
	{ "account", "register", local_account_register },
	{ "account", "top_up", local_account_top_up },
	{ "billing", "budgets", local_billing_budgets },
	{ "billing", "charges", local_billing_charges },
	{ "billing", "invoices", local_billing_invoices },
	{ "billing", "quote", local_billing_quote },
	{ "billing", "usage", local_billing_usage },
	{ "billing", "vouchers", local_billing_vouchers },
	{ "event", "follow", local_event_follow },
	{ "event", "get", local_event_get },
	{ "event", "list", local_event_list },
	{ "instance", "logs", local_instance_logs },
	{ 0 },
};

const struct present presents[] = {
	{ "account", account_present },
	{ 0 },
};

const struct due_handler due_handlers[] = {
	{ "arrears", guard_due_arrears },
	{ "credit", guard_due_credit },
	{ "max_cost", guard_due_max_cost },
	{ "max_runtime", guard_due_max_runtime },
	{ "post", guard_due_post },
	{ "stop_at", guard_due_stop_at },
	{ 0 },
};
