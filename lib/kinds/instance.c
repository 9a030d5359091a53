/* SPDX-License-Identifier: MIT */
/* Instances: the resource, its filter and its verbs. Bodies stand in instance-body.c. */
#include <starverse/instance.h>

#include "kinds/kinds.h"

static const struct sv_word states[] = {
	{ "queued", "waits for its turn or for capacity", 0 },
	{ "provisioning", "being made", 0 },
	{ "starting", "booting", 0 },
	{ "running", "runs and is billed", 1, SV_GOOD },
	{ "stopping", "being stopped; compute is not billed any more", 0 },
	{ "stopped", "stopped; only its disks are billed", 1, SV_IDLE },
	{ "restarting", "being stopped and started", 0 },
	{ "resizing", "changing its number of cards", 0 },
	{ "switching", "moving to another card", 0 },
	{ "saving_image", "its system disk becomes an image", 0 },
	{ "suspended", "stopped by the platform", 1, SV_BAD },
	{ "error", "failed; see status_reason", 1, SV_BAD },
	{ "releasing", "being released", 0 },
	{ "released", "gone; still readable", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_word desired[] = {
	{ "running", "is meant to run", 1, SV_GOOD },
	{ "stopped", "is meant to be stopped", 1, SV_IDLE },
	{ "released", "is meant to be gone", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_word stoppers[] = {
	{ "user", "somebody asked for it", 0 },
	{ "instance", "it asked for it itself", 0 },
	{ "stop_at", "the time of its auto_stop came", 0 },
	{ "max_runtime", "it ran for as long as its auto_stop allows", 0 },
	{ "max_cost", "it cost as much as its auto_stop allows", 0 },
	{ "idle", "it idled for as long as its auto_stop allows", 0 },
	{ "arrears", "the balance is used up", 0 },
	{ "budget", "a budget is used up", 0 },
	{ "job", "its job ended", 0 },
	{ "group", "its group became smaller", 0 },
	{ "switch", "another instance took its place", 0 },
	{ "platform", "its host failed, or it could not start", 0 },
	{ 0 },
};

static const struct sv_word causes[] = {
	{ "stop_at", "the time of its auto_stop", 0 },
	{ "max_runtime", "the longest running time of its auto_stop", 0 },
	{ "max_cost", "the cost limit of its auto_stop", 0 },
	{ "idle", "if it goes on idling", 0 },
	{ "arrears", "the balance will be used up", 0 },
	{ "budget", "a budget will be used up", 0 },
	{ 0 },
};

static const struct sv_word actions[] = {
	{ "start", "boot it", 0 },
	{ "stop", "stop it, keep its files", 0 },
	{ "restart", "stop and boot it", 0 },
	{ "resize", "change its number of cards", 0 },
	{ "switch", "move it to another card", 0 },
	{ "save_image", "make an image of its system disk", 0 },
	{ "extend", "let it run longer", 0 },
	{ "exec", "run a command inside", 0 },
	{ "logs", "read its output", 0 },
	{ "clone", "make another one like it", 0 },
	{ "update", "change name, labels or guards", 0 },
	{ "delete", "release it", 0 },
	{ 0 },
};

static const struct sv_word mount_kinds[] = {
	{ "disk", "a data disk", 0 },
	{ "storage", "cloud storage", 0 },
	{ "model", "a model of the public library", 0 },
	{ "dataset", "a dataset of the public library", 0 },
	{ 0 },
};

static const struct sv_field reason_fields[] = {
	SV_FIELD(struct sv_instance_status_reason, code, STR, "why, as a word", SV_ALWAYS),
	SV_FIELD(struct sv_instance_status_reason, message, STR, "why, for people",
		SV_ALWAYS | SV_PROSE),
};
SV_KIND(sv_instance_status_reason_kind, struct sv_instance_status_reason, "instance_status_reason",
	"why it is in its state", reason_fields, .plural = NULL);

static const struct sv_field mount_fields[] = {
	SV_FIELD(struct sv_instance_mount, kind, STR, "disk, storage, model or dataset", SV_ALWAYS,
		.words = mount_kinds),
	SV_FIELD(struct sv_instance_mount, id, STR, "of the thing mounted", SV_ALWAYS),
	SV_FIELD(struct sv_instance_mount, path, STR, "where it is seen inside", SV_ALWAYS),
	SV_FIELD(struct sv_instance_mount, read_only, BOOL, "nothing can be written", SV_ALWAYS),
	SV_FIELD(struct sv_instance_mount, state, STR, "how far it is", SV_ALWAYS,
		.words = sv_mount_state_words),
};
SV_KIND(sv_instance_mount_kind, struct sv_instance_mount, "instance_mount",
	"something seen inside an instance", mount_fields, .plural = NULL);

static const struct sv_field ssh_fields[] = {
	SV_FIELD(struct sv_instance_ssh, host, STR, "host name or address", SV_ALWAYS),
	SV_FIELD(struct sv_instance_ssh, port, INT, "port", SV_ALWAYS),
	SV_FIELD(struct sv_instance_ssh, user, STR, "user to log in as", SV_ALWAYS),
	SV_FIELD(struct sv_instance_ssh, host_keys, STRS, "public host keys", SV_ALWAYS),
};
SV_KIND(sv_instance_ssh_kind, struct sv_instance_ssh, "instance_ssh", "how to log in", ssh_fields,
	.plural = NULL);

static const struct sv_field next_fields[] = {
	SV_FIELD(struct sv_instance_next_stop, at, TIME, "when", SV_ALWAYS),
	SV_FIELD(struct sv_instance_next_stop, cause, STR, "why", SV_ALWAYS, .words = causes),
};
SV_KIND(sv_instance_next_stop_kind, struct sv_instance_next_stop, "instance_next_stop",
	"when and why it stops next", next_fields, .plural = NULL);

static const struct sv_field gpu_usage_fields[] = {
	SV_FIELD(struct sv_gpu_usage, util_percent, NUM, "use of the card", SV_ALWAYS),
	SV_FIELD(struct sv_gpu_usage, memory_gib, NUM, "memory in use", SV_ALWAYS),
};
SV_KIND(sv_gpu_usage_kind, struct sv_gpu_usage, "gpu_usage", "use of one card", gpu_usage_fields,
	.plural = NULL);

static const struct sv_field usage_fields[] = {
	SV_FIELD(struct sv_instance_usage, gpu, LIST, "use of each card", SV_ALWAYS,
		.kind = &sv_gpu_usage_kind),
	SV_FIELD(struct sv_instance_usage, cpu_percent, NUM, "use of processors, 100 is one core",
		SV_ALWAYS),
	SV_FIELD(struct sv_instance_usage, ram_gib, NUM, "memory in use", SV_ALWAYS),
};
SV_KIND(sv_instance_usage_kind, struct sv_instance_usage, "instance_usage", "what is measured now",
	usage_fields, .plural = NULL);

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_instance, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "ins_7c2q9x"),
	SV_FIELD(struct sv_instance, name, STR, "name, need not be unique",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "trainer"),
	SV_FIELD(struct sv_instance, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_instance, desired_status, STR, "what it is meant to be", SV_ALWAYS,
		.words = desired),
	SV_FIELD(struct sv_instance, status_reason, OBJ, "why it is in its state",
		SV_ALWAYS | SV_WIDE, .kind = &sv_instance_status_reason_kind),
	SV_FIELD(struct sv_instance, stopped_by, STR, "who or what stopped it", SV_ALWAYS | SV_WIDE,
		.words = stoppers),
	SV_FIELD(struct sv_instance, billing_active, BOOL, "compute is billed now", SV_ALWAYS),
	SV_FIELD(struct sv_instance, gpu, STR, "card model", SV_ALWAYS | SV_COL, .ref = "gpu",
		.example = "rtx-4090"),
	SV_FIELD(struct sv_instance, gpu_count, INT, "number of cards", SV_ALWAYS | SV_COL,
		.example = "4"),
	SV_FIELD(struct sv_instance, backend, STR, "backend of the image", SV_ALWAYS | SV_WIDE,
		.words = sv_backend_words),
	SV_FIELD(struct sv_instance, image, STR, "image it booted from", SV_ALWAYS | SV_WIDE,
		.ref = "image"),
	SV_FIELD(struct sv_instance, app, STR, "app it was deployed from", SV_ALWAYS, .ref = "app"),
	SV_FIELD(struct sv_instance, zone, STR, "where it is", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_instance, vcpus, INT, "virtual processors", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_instance, ram_gib, GIB, "memory", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_instance, fabric, STR, "what joins its cards", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_instance, network, STR, "outbound or none", SV_ALWAYS),
	SV_FIELD(struct sv_instance, env, MAP, "environment, with what the platform injects",
		SV_ALWAYS),
	SV_FIELD(struct sv_instance, system_disk, STR, "its system disk", SV_ALWAYS, .ref = "disk"),
	SV_FIELD(struct sv_instance, mounts, LIST, "what is seen inside", SV_ALWAYS,
		.kind = &sv_instance_mount_kind),
	SV_FIELD(struct sv_instance, ssh, OBJ, "how to log in", SV_ALWAYS,
		.kind = &sv_instance_ssh_kind),
	SV_FIELD(struct sv_instance, price_per_hour, MONEY, "price while running, all of it",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_instance, residual_price_per_day, MONEY, "price of a day while stopped",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_instance, cost, MONEY, "cost so far", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_instance, auto_stop, OBJ, "what stops it by itself",
		SV_UPDATE | SV_ALWAYS, .kind = &sv_instance_auto_stop_kind),
	SV_FIELD(struct sv_instance, next_stop, OBJ, "when and why it stops next",
		SV_ALWAYS | SV_WIDE, .kind = &sv_instance_next_stop_kind),
	SV_FIELD(struct sv_instance, allowed_actions, STRS, "verbs that its state allows",
		SV_ALWAYS, .words = actions),
	SV_FIELD(struct sv_instance, operation_id, STR, "operation under way", SV_ALWAYS,
		.ref = "operation"),
	SV_FIELD(struct sv_instance, switched_to, STR, "instance that took its place", SV_ALWAYS,
		.ref = "instance"),
	SV_FIELD(struct sv_instance, simulated, BOOL, "its cards are simulated", SV_ALWAYS),
	SV_FIELD(struct sv_instance, usage, OBJ, "what is measured now", SV_ALWAYS,
		.kind = &sv_instance_usage_kind),
	SV_FIELD(struct sv_instance, release_at, TIME, "when it is released by itself",
		SV_ALWAYS | SV_WIDE),
	SV_COMMON_ROWS(struct sv_instance),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_instance_filter),
	SV_SORT_ROW(struct sv_instance_filter),
	SV_FIELD(struct sv_instance_filter, status, STRS, "only in these states", 0,
		.words = states),
	SV_FIELD(struct sv_instance_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_instance_filter, gpu, STRS, "only with these cards", 0, .ref = "gpu"),
	SV_FIELD(struct sv_instance_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
	SV_FIELD(struct sv_instance_filter, all, BOOL, "released ones too", 0),
};
SV_KIND(sv_instance_filter_kind, struct sv_instance_filter, "instance_filter",
	"which instances to list", filter_fields, .plural = NULL);

#define ONE "/v1/instances/{id}"

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/instances", "list instances", .query = &sv_instance_filter_kind,
		.out = &sv_instance_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/instances", "create an instance",
		.in = &sv_instance_create_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	SV_GET_VERB(ONE, "show one instance", &sv_instance_kind),
	{ "update", SV_PATCH, ONE, "change an instance's name, labels or guards",
		.in = &sv_instance_kind, .out = &sv_instance_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, ONE, "release an instance with its system disk",
		.out = &sv_instance_kind, .flags = SV_CONFIRM | SV_ASYNC },
	{ "start", SV_POST, ONE "/start", "start a stopped instance",
		.in = &sv_instance_start_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ "stop", SV_POST, ONE "/stop", "stop a running instance; its files stay",
		.in = &sv_instance_stop_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_ASYNC },
	{ "restart", SV_POST, ONE "/restart", "stop and start an instance",
		.out = &sv_instance_kind, .flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ "resize", SV_POST, ONE "/resize", "change the number of cards",
		.in = &sv_instance_resize_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ "switch", SV_POST, ONE "/switch", "move an instance to another card",
		.in = &sv_instance_switch_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ "save_image", SV_POST, ONE "/save_image", "make a private image of the system disk",
		.in = &sv_instance_save_image_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ "extend", SV_POST, ONE "/extend", "let it run longer before it stops by itself",
		.in = &sv_instance_extend_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS },
	{ "exec", SV_POST, ONE "/exec", "run a command inside and wait for it",
		.in = &sv_instance_exec_body_kind, .out = &sv_exec_result_kind,
		.flags = SV_KEYED | SV_HAND },
	{ "logs", SV_GET, ONE "/logs", "show the output of the start-up command",
		.query = &sv_log_query_kind, .flags = SV_TEXT | SV_STREAM | SV_HAND },
	{ "clone", SV_POST, ONE "/clone", "create another one like it",
		.in = &sv_instance_clone_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ 0 },
};

SV_KIND(sv_instance_kind, struct sv_instance, "instance",
	"a machine with accelerators, rented by the second", fields, .plural = "instances",
	.prefix = "ins_", .verbs = verbs);
