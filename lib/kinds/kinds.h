/* SPDX-License-Identifier: MIT */
/* Every table of lib/kinds by name: sv_<struct without sv_>_kind. */
#ifndef SV_KINDS_H
#define SV_KINDS_H

#include "model/kind.h"

#define X(r) extern const struct sv_kind sv_##r##_kind;
#include "resources.inc"
#undef X

/* Bodies, filters, answers and parts that more than their own table needs. */
extern const struct sv_kind sv_bucket_object_kind, sv_bucket_site_kind;
extern const struct sv_kind sv_config_kind, sv_wait_query_kind, sv_page_query_kind;
extern const struct sv_kind sv_account_register_body_kind, sv_account_registration_kind;
extern const struct sv_kind sv_account_top_up_body_kind, sv_account_balance_kind;
extern const struct sv_kind sv_account_limits_kind, sv_app_filter_kind, sv_app_deploy_body_kind;
extern const struct sv_kind sv_dataset_filter_kind, sv_model_filter_kind;
extern const struct sv_kind sv_model_copy_body_kind, sv_usage_kind, sv_usage_filter_kind;
extern const struct sv_kind sv_charge_kind, sv_voucher_kind, sv_budget_filter_kind, sv_invoice_kind;
extern const struct sv_kind sv_billing_quote_body_kind, sv_quote_kind, sv_quote_item_kind;
extern const struct sv_kind sv_usage_sum_filter_kind, sv_usage_sum_kind;
extern const struct sv_kind sv_billing_redeem_body_kind;
extern const struct sv_kind sv_billing_tco_body_kind, sv_tco_kind;
extern const struct sv_kind sv_disk_filter_kind, sv_disk_create_body_kind;
extern const struct sv_kind sv_disk_attach_body_kind, sv_disk_resize_body_kind;
extern const struct sv_kind sv_disk_attachment_kind, sv_event_filter_kind, sv_gpu_filter_kind;
extern const struct sv_kind sv_gpu_promo_kind, sv_image_filter_kind, sv_key_filter_kind;
extern const struct sv_kind sv_operation_filter_kind, sv_operation_step_kind;
extern const struct sv_kind sv_operation_error_kind, sv_instance_filter_kind;
extern const struct sv_kind sv_instance_create_body_kind, sv_instance_start_body_kind;
extern const struct sv_kind sv_instance_stop_body_kind, sv_instance_resize_body_kind;
extern const struct sv_kind sv_instance_switch_body_kind, sv_instance_save_image_body_kind;
extern const struct sv_kind sv_instance_extend_body_kind, sv_instance_exec_body_kind;
extern const struct sv_kind sv_instance_clone_body_kind, sv_exec_result_kind, sv_log_query_kind;
extern const struct sv_kind sv_instance_status_reason_kind, sv_instance_mount_kind;
extern const struct sv_kind sv_instance_ssh_kind, sv_instance_idle_kind;
extern const struct sv_kind sv_instance_auto_stop_kind, sv_instance_next_stop_kind;
extern const struct sv_kind sv_gpu_usage_kind, sv_instance_usage_kind, sv_disk_mount_kind;
extern const struct sv_kind sv_storage_mount_kind, sv_snapshot_filter_kind;
extern const struct sv_kind sv_snapshot_create_body_kind, sv_token_filter_kind;
extern const struct sv_kind sv_group_filter_kind, sv_group_scale_body_kind;
extern const struct sv_kind sv_storage_filter_kind, sv_storage_create_body_kind;
extern const struct sv_kind sv_storage_credentials_kind;
extern const struct sv_kind sv_webhook_filter_kind;
extern const struct sv_kind sv_webhook_create_body_kind, sv_webhook_rotate_body_kind;
extern const struct sv_kind sv_webhook_delivery_kind, sv_parcel_kind, sv_receipt_kind;
extern const struct sv_kind sv_job_filter_kind;
extern const struct sv_kind sv_job_create_body_kind, sv_job_checkpoint_kind;
extern const struct sv_kind sv_job_metrics_query_kind, sv_job_metrics_kind;
extern const struct sv_kind sv_job_series_kind, sv_job_point_kind;
extern const struct sv_kind sv_job_compare_query_kind, sv_job_comparison_kind;
extern const struct sv_kind sv_job_compared_kind, sv_job_difference_kind;

extern const struct sv_word sv_backend_words[], sv_mount_state_words[], sv_scope_words[];
extern const struct sv_word sv_network_words[], sv_job_then_words[];

/* What every resource ends with. */
#define SV_COMMON_ROWS(T) \
	SV_FIELD(T, labels, MAP, "free-form labels", SV_UPDATE | SV_ALWAYS | SV_WIDE, \
		.option = "label"), \
	SV_FIELD(T, created_at, TIME, "when it was created", SV_ALWAYS | SV_WIDE), \
	SV_FIELD(T, updated_at, TIME, "when it last changed", SV_ALWAYS), \
	SV_FIELD(T, version, INT, "grows with each change", SV_ALWAYS)

/* What every list takes. */
#define SV_PAGE_ROWS(T) \
	SV_FIELD(T, limit, INT, "most items of one page, 1 to 1000", 0, .example = "100"), \
	SV_FIELD(T, cursor, STR, "where the page before ended", SV_NOARG)
#define SV_SORT_ROW(T) \
	SV_FIELD(T, sort, STR, "created_at or name, a minus before it for descending", SV_NOARG)

/* How a resource is read: GET /v1/<plural>/{id}, with the long poll's query. */
#define SV_GET_VERB(path_, help_, kind_) \
	{ "get", SV_GET, path_, help_, .query = &sv_wait_query_kind, .out = kind_ }

#endif
