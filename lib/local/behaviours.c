/* SPDX-License-Identifier: MIT */
/* The lists that name functions of the nouns' files: what behaves, what is computed, what falls
 * due. Sorted. */
#include "local/billing.h"
#include "local/budget.h"
#include "local/due.h"
#include "local/event.h"
#include "local/group.h"
#include "local/guard.h"
#include "local/instance-inside.h"
#include "local/job-inside.h"
#include "local/logs.h"
#include "local/platform.h"
#include "local/register.h"
#include "local/storage.h"
#include "local/token.h"
#include "local/webhook.h"

const struct behave behaviours[] = {
	{ "account", "register", local_account_register },
	{ "account", "top_up", local_account_top_up },
	{ "account", "update", local_account_update },
	{ "app", "deploy", local_app_deploy },
	{ "billing", "charges", local_billing_charges },
	{ "billing", "invoices", local_billing_invoices },
	{ "billing", "quote", local_billing_quote },
	{ "billing", "redeem", local_billing_redeem },
	{ "billing", "sums", local_billing_sums },
	{ "billing", "tco", local_billing_tco },
	{ "billing", "usage", local_billing_usage },
	{ "billing", "vouchers", local_billing_vouchers },
	{ "budget", "create", local_budget_create },
	{ "budget", "delete", local_budget_delete },
	{ "budget", "update", local_budget_update },
	{ "disk", "attach", local_disk_attach },
	{ "disk", "create", local_disk_create },
	{ "disk", "delete", local_disk_delete },
	{ "disk", "detach", local_disk_detach },
	{ "disk", "resize", local_disk_resize },
	{ "event", "follow", local_event_follow },
	{ "event", "get", local_event_get },
	{ "event", "list", local_event_list },
	{ "group", "create", local_group_create },
	{ "group", "delete", local_group_delete },
	{ "group", "scale", local_group_scale },
	{ "group", "update", local_group_update },
	{ "image", "delete", local_image_delete },
	{ "image", "update", local_image_update },
	{ "instance", "clone", local_instance_clone },
	{ "instance", "create", local_instance_create },
	{ "instance", "delete", local_instance_delete },
	{ "instance", "exec", local_instance_exec },
	{ "instance", "extend", local_instance_extend },
	{ "instance", "logs", local_instance_logs },
	{ "instance", "resize", local_instance_resize },
	{ "instance", "restart", local_instance_restart },
	{ "instance", "save_image", local_instance_save_image },
	{ "instance", "start", local_instance_start },
	{ "instance", "stop", local_instance_stop },
	{ "instance", "switch", local_instance_switch },
	{ "instance", "update", local_instance_update },
	{ "job", "cancel", local_job_cancel },
	{ "job", "compare", local_job_compare },
	{ "job", "create", local_job_create },
	{ "job", "logs", local_job_logs },
	{ "job", "metrics", local_job_metrics },
	{ "job", "start", local_job_start },
	{ "key", "create", local_key_create },
	{ "model", "copy", local_model_copy },
	{ "operation", "cancel", local_operation_cancel },
	{ "snapshot", "create", local_snapshot_create },
	{ "snapshot", "delete", local_snapshot_delete },
	{ "storage", "create", local_storage_create },
	{ "storage", "credentials", local_storage_credentials },
	{ "storage", "delete", local_storage_delete },
	{ "storage", "update", local_storage_update },
	{ "token", "create", local_token_create },
	{ "token", "delete", local_token_delete },
	{ "webhook", "create", local_webhook_create },
	{ "webhook", "delete", local_webhook_delete },
	{ "webhook", "rotate", local_webhook_rotate },
	{ "webhook", "test", local_webhook_test },
	{ "webhook", "update", local_webhook_update },
	{ 0 },
};

const struct present presents[] = {
	{ "account", account_present },
	{ "budget", local_budget_present },
	{ "group", local_group_present },
	{ "instance", local_instance_present },
	{ "job", local_job_present },
	{ "storage", local_storage_present },
	{ "token", local_token_present },
	{ "webhook", local_webhook_present },
	{ 0 },
};

const struct due_handler due_handlers[] = {
	{ "alert", guard_due_alert },
	{ "arrears", guard_due_arrears },
	{ "budget", guard_due_budget },
	{ "credit", guard_due_credit },
	{ "deliver", webhook_due },
	{ "group", group_due },
	{ "idle", instance_due_idle },
	{ "job_end", job_due_end },
	{ "job_hold", job_due_hold },
	{ "job_max_cost", job_due_max_cost },
	{ "job_max_runtime", job_due_max_runtime },
	{ "max_cost", guard_due_max_cost },
	{ "max_runtime", guard_due_max_runtime },
	{ "post", guard_due_post },
	{ "release", instance_due_release },
	{ "release_soon", instance_due_release_soon },
	{ "stop_at", guard_due_stop_at },
	{ 0 },
};
