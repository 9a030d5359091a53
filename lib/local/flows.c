/* SPDX-License-Identifier: MIT */
/* The one list of what an operation can be. */
#include "local/instance-inside.h"
#include "local/webhook.h"

const struct flow_type *const flow_types[] = {
	&flow_disk_attach,
	&flow_disk_create,
	&flow_disk_delete,
	&flow_disk_detach,
	&flow_disk_resize,
	&flow_image_delete,
	&flow_instance_clone,
	&flow_instance_create,
	&flow_instance_delete,
	&flow_instance_resize,
	&flow_instance_restart,
	&flow_instance_save_image,
	&flow_instance_start,
	&flow_instance_stop,
	&flow_instance_switch,
	&flow_model_copy,
	&flow_snapshot_create,
	&flow_snapshot_delete,
	&flow_webhook_test,
	NULL,
};
