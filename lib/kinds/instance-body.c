/* SPDX-License-Identifier: MIT */
/* What is sent to instances' verbs, and the rules between its fields. */
#include <starverse/instance.h>

#include "base/err.h"
#include "kinds/kinds.h"

static const struct sv_word actions[] = {
	{ "stop", "stop it, keep its files", 0 },
	{ "release", "release it with its system disk", 0 },
	{ 0 },
};

const struct sv_word sv_network_words[] = {
	{ "outbound", "reaches other hosts", 0 },
	{ "none", "reaches nothing", 0 },
	{ 0 },
};

static const struct sv_word modes[] = {
	{ "gpu", "with its cards", 0 },
	{ "no_gpu", "without cards, to move data cheaply", 0 },
	{ 0 },
};

static const struct sv_field idle_fields[] = {
	SV_FIELD(struct sv_instance_idle, after_seconds, SECONDS, "idle for so long",
		SV_CREATE | SV_REQUIRED | SV_ALWAYS, .example = "1800"),
	SV_FIELD(struct sv_instance_idle, gpu_util_below, NUM,
		"cards used less than so many percent", SV_CREATE | SV_ALWAYS),
	SV_FIELD(struct sv_instance_idle, cpu_util_below, NUM,
		"processors used less than so many percent of one core", SV_CREATE | SV_ALWAYS),
};

static int idle_check(const void *obj, struct sv_error *err)
{
	const struct sv_instance_idle *i = obj;

	if (i->after_seconds <= 0)
		return sv_err_field(err, "after_seconds", "range", "must be at least 1 second");
	if (sv_has(i, gpu_util_below) && !sv_is_null(i, gpu_util_below) &&
		!(i->gpu_util_below > 0 && i->gpu_util_below <= 100))
		return sv_err_field(
			err, "gpu_util_below", "range", "must be more than 0 and at most 100");
	if (sv_has(i, cpu_util_below) && !sv_is_null(i, cpu_util_below) && !(i->cpu_util_below > 0))
		return sv_err_field(err, "cpu_util_below", "range", "must be more than 0");
	if ((!sv_has(i, gpu_util_below) || sv_is_null(i, gpu_util_below)) &&
		(!sv_has(i, cpu_util_below) || sv_is_null(i, cpu_util_below)))
		return sv_err_field(
			err, "cpu_util_below", "required", "give cpu_util_below or gpu_util_below");
	return SV_OK;
}

SV_KIND(sv_instance_idle_kind, struct sv_instance_idle, "instance_idle",
	"when idling counts as idle", idle_fields, .check = idle_check);

static const struct sv_field auto_stop_fields[] = {
	SV_FIELD(struct sv_instance_auto_stop, stop_at, TIME, "stop at this time",
		SV_CREATE | SV_ALWAYS),
	SV_FIELD(struct sv_instance_auto_stop, max_runtime_seconds, SECONDS,
		"stop after running so long", SV_CREATE | SV_ALWAYS),
	SV_FIELD(struct sv_instance_auto_stop, idle, OBJ, "stop when idle", SV_CREATE | SV_ALWAYS,
		.kind = &sv_instance_idle_kind),
	SV_FIELD(struct sv_instance_auto_stop, max_cost, MONEY, "stop before compute costs more",
		SV_CREATE | SV_ALWAYS),
	SV_FIELD(struct sv_instance_auto_stop, action, STR, "stop or release",
		SV_CREATE | SV_ALWAYS, .words = actions),
	SV_FIELD(struct sv_instance_auto_stop, hook, STR, "command run inside before stopping",
		SV_CREATE | SV_ALWAYS),
	SV_FIELD(struct sv_instance_auto_stop, release_after_stopped_seconds, SECONDS,
		"release after being stopped so long", SV_CREATE | SV_ALWAYS),
};

static int auto_stop_check(const void *obj, struct sv_error *err)
{
	const struct sv_instance_auto_stop *a = obj;

	if (sv_has(a, max_runtime_seconds) && !sv_is_null(a, max_runtime_seconds) &&
		a->max_runtime_seconds <= 0)
		return sv_err_field(
			err, "max_runtime_seconds", "range", "must be at least 1 second");
	if (sv_has(a, max_cost) && !sv_is_null(a, max_cost) && a->max_cost <= 0)
		return sv_err_field(err, "max_cost", "range", "must be more than 0");
	return SV_OK;
}

SV_KIND(sv_instance_auto_stop_kind, struct sv_instance_auto_stop, "instance_auto_stop",
	"what stops an instance by itself", auto_stop_fields, .check = auto_stop_check);

static const struct sv_field disk_mount_fields[] = {
	SV_FIELD(struct sv_disk_mount, disk, STR, "disk to attach",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .ref = "disk"),
	SV_FIELD(struct sv_disk_mount, path, STR, "where it is seen inside",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "/root/ckpt"),
	SV_FIELD(struct sv_disk_mount, read_only, BOOL, "nothing can be written", SV_CREATE),
};
SV_KIND(sv_disk_mount_kind, struct sv_disk_mount, "disk_mount", "a data disk to attach",
	disk_mount_fields, .plural = NULL);

static const struct sv_field storage_mount_fields[] = {
	SV_FIELD(struct sv_storage_mount, storage, STR, "storage to mount",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .ref = "storage", .example = "team"),
	SV_FIELD(struct sv_storage_mount, path, STR, "where it is seen inside",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "/data"),
};
SV_KIND(sv_storage_mount_kind, struct sv_storage_mount, "storage_mount", "a storage to mount",
	storage_mount_fields, .plural = NULL);

typedef struct sv_instance_create_body create_body;

/* What a create and an app's deployment have in common, but for the source. */
#define HEAD_ROWS \
	SV_FIELD(create_body, name, STR, "name, need not be unique; made up when not given", \
		SV_CREATE | SV_POSITIONAL, .example = "trainer"), \
		SV_FIELD(create_body, gpu, STR, "card model", SV_CREATE, \
			.ref = "gpu", .example = "rtx-4090"), \
		SV_FIELD(create_body, gpu_count, INT, "number of cards, 1 when not given", \
			SV_CREATE, .example = "4"), \
		SV_FIELD(create_body, backend, STR, "backend, where the card has several", \
			SV_CREATE, .words = sv_backend_words)

#define TAIL_ROWS \
	SV_FIELD(create_body, system_disk_gib, GIB, "capacity of the system disk", SV_CREATE, \
		.option = "system-disk"), \
		SV_FIELD(create_body, disks, LIST, "data disk to attach, DISK:PATH", SV_CREATE, \
			.kind = &sv_disk_mount_kind, .option = "disk"), \
		SV_FIELD(create_body, storages, LIST, "storage to mount, STORAGE:PATH", SV_CREATE, \
			.kind = &sv_storage_mount_kind, .option = "storage"), \
		SV_FIELD(create_body, models, STRS, "model to mount", SV_CREATE, .ref = "model", \
			.option = "model"), \
		SV_FIELD(create_body, datasets, STRS, "dataset to mount", SV_CREATE, \
			.ref = "dataset", .option = "dataset"), \
		SV_FIELD(create_body, keys, STRS, \
			"SSH key that may log in, all of the account's when none is given", \
			SV_CREATE, .ref = "key", .option = "key"), \
		SV_FIELD(create_body, env, MAP, "environment variable", SV_CREATE), \
		SV_FIELD(create_body, command, STR, "start-up command, for the shell", SV_CREATE), \
		SV_FIELD(create_body, network, STR, "outbound or none", SV_CREATE, \
			.words = sv_network_words), \
		SV_FIELD(create_body, auto_stop, OBJ, "what stops it by itself", SV_CREATE, \
			.kind = &sv_instance_auto_stop_kind), \
		SV_FIELD(create_body, max_price_per_hour, MONEY, \
			"refuse when it would cost more an hour", SV_CREATE, \
			.option = "max-price"), \
		SV_FIELD(create_body, fallback, STRS, \
			"MODEL:COUNT to take when there is no capacity, in order", SV_CREATE), \
		SV_FIELD(create_body, wait_capacity, BOOL, \
			"wait in a queue until there is capacity", SV_CREATE), \
		SV_FIELD( \
			create_body, labels, MAP, "free-form label", SV_CREATE, .option = "label")

static const struct sv_field create_fields[] = {
	HEAD_ROWS,
	SV_FIELD(create_body, image, STR, "image to boot from", SV_CREATE, .ref = "image",
		.example = "pytorch-2.2"),
	SV_FIELD(create_body, snapshot, STR, "snapshot of a system disk to boot from", SV_CREATE,
		.ref = "snapshot"),
	SV_FIELD(create_body, app, STR, "app to deploy", SV_CREATE, .ref = "app"),
	TAIL_ROWS,
};

static const struct sv_field deploy_fields[] = {
	HEAD_ROWS,
	TAIL_ROWS,
};

static int common_check(const create_body *b, struct sv_error *err)
{
	if (sv_has(b, gpu_count) && b->gpu_count < 1)
		sv_err_field(err, "gpu_count", "range", "must be at least 1");
	if (sv_has(b, system_disk_gib) && b->system_disk_gib < 1)
		sv_err_field(err, "system_disk_gib", "range", "must be at least 1 GiB");
	return err->code;
}

static int create_check(const void *obj, struct sv_error *err)
{
	const create_body *b = obj;
	int sources = (b->image != NULL) + (b->snapshot != NULL) + (b->app != NULL);

	if (sources != 1)
		sv_err_field(err, "image", sources ? "exactly_one" : "required",
			"give exactly one of image, snapshot and app");
	if (!b->gpu && !b->app)
		sv_err_field(err, "gpu", "required", "is required");
	return common_check(b, err);
}

static int deploy_check(const void *obj, struct sv_error *err)
{
	return common_check(obj, err);
}

SV_KIND(sv_instance_create_body_kind, create_body, "instance_create", "an instance to create",
	create_fields, .check = create_check);
SV_KIND(sv_app_deploy_body_kind, create_body, "app_deploy", "what differs from the app",
	deploy_fields, .check = deploy_check);

typedef struct sv_instance_start_body start_body;

static const struct sv_field start_fields[] = {
	SV_FIELD(start_body, mode, STR, "gpu or no_gpu", SV_CREATE, .words = modes),
	SV_FIELD(start_body, gpu, STR, "another card model", SV_CREATE, .ref = "gpu"),
	SV_FIELD(start_body, gpu_count, INT, "another number of cards", SV_CREATE),
	SV_FIELD(start_body, fallback, STRS,
		"MODEL:COUNT to take when there is no capacity, in order", SV_CREATE),
	SV_FIELD(start_body, wait_capacity, BOOL, "wait in a queue until there is capacity",
		SV_CREATE),
	SV_FIELD(start_body, max_price_per_hour, MONEY, "refuse when it would cost more an hour",
		SV_CREATE, .option = "max-price"),
};

static int start_check(const void *obj, struct sv_error *err)
{
	const start_body *b = obj;

	return sv_has(b, gpu_count) && b->gpu_count < 1
		       ? sv_err_field(err, "gpu_count", "range", "must be at least 1")
		       : SV_OK;
}

SV_KIND(sv_instance_start_body_kind, start_body, "instance_start", "how to start", start_fields,
	.check = start_check);

static const struct sv_field stop_fields[] = {
	SV_FIELD(struct sv_instance_stop_body, save_image, STR, "name of an image to make first",
		SV_CREATE),
};
SV_KIND(sv_instance_stop_body_kind, struct sv_instance_stop_body, "instance_stop", "how to stop",
	stop_fields, .plural = NULL);

static int resize_check(const void *obj, struct sv_error *err)
{
	return ((const struct sv_instance_resize_body *)obj)->gpu_count < 1
		       ? sv_err_field(err, "gpu_count", "range", "must be at least 1")
		       : SV_OK;
}

static const struct sv_field resize_fields[] = {
	SV_FIELD(struct sv_instance_resize_body, gpu_count, INT, "number of cards",
		SV_CREATE | SV_REQUIRED),
};
SV_KIND(sv_instance_resize_body_kind, struct sv_instance_resize_body, "instance_resize",
	"how many cards from now on", resize_fields, .check = resize_check);

static int switch_check(const void *obj, struct sv_error *err)
{
	const struct sv_instance_switch_body *b = obj;

	return sv_has(b, gpu_count) && b->gpu_count < 1
		       ? sv_err_field(err, "gpu_count", "range", "must be at least 1")
		       : SV_OK;
}

static const struct sv_field switch_fields[] = {
	SV_FIELD(struct sv_instance_switch_body, gpu, STR, "card model to move to",
		SV_CREATE | SV_REQUIRED, .ref = "gpu"),
	SV_FIELD(struct sv_instance_switch_body, gpu_count, INT,
		"number of cards, as before when not given", SV_CREATE),
	SV_FIELD(struct sv_instance_switch_body, release_old, BOOL,
		"release the old one afterwards", SV_CREATE),
};
SV_KIND(sv_instance_switch_body_kind, struct sv_instance_switch_body, "instance_switch",
	"which card to move to", switch_fields, .check = switch_check);

static const struct sv_field save_image_fields[] = {
	SV_FIELD(struct sv_instance_save_image_body, name, STR, "name of the image",
		SV_CREATE | SV_REQUIRED),
};
SV_KIND(sv_instance_save_image_body_kind, struct sv_instance_save_image_body, "instance_save_image",
	"what to call the image", save_image_fields, .plural = NULL);

static int extend_check(const void *obj, struct sv_error *err)
{
	return ((const struct sv_instance_extend_body *)obj)->seconds < 1
		       ? sv_err_field(err, "seconds", "range", "must be at least 1 second")
		       : SV_OK;
}

static const struct sv_field extend_fields[] = {
	SV_FIELD(struct sv_instance_extend_body, seconds, SECONDS, "how much longer",
		SV_CREATE | SV_REQUIRED, .option = "by"),
};
SV_KIND(sv_instance_extend_body_kind, struct sv_instance_extend_body, "instance_extend",
	"how much longer to run", extend_fields, .check = extend_check);

static const struct sv_field exec_fields[] = {
	SV_FIELD(struct sv_instance_exec_body, command, STRS, "program and arguments",
		SV_CREATE | SV_REQUIRED),
	SV_FIELD(struct sv_instance_exec_body, timeout_seconds, SECONDS, "how long it may take",
		SV_CREATE),
};
SV_KIND(sv_instance_exec_body_kind, struct sv_instance_exec_body, "instance_exec",
	"what to run inside", exec_fields, .plural = NULL);

static const struct sv_field result_fields[] = {
	SV_FIELD(struct sv_exec_result, exit_code, INT, "0 to 255; 128 + n after signal n",
		SV_ALWAYS | SV_COL),
	SV_FIELD_AS(struct sv_exec_result, out, "stdout", STR, "what it wrote, at most 64 KiB",
		SV_ALWAYS | SV_COL),
	SV_FIELD_AS(struct sv_exec_result, err, "stderr", STR, "what it complained, at most 64 KiB",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_exec_result, truncated, BOOL, "a stream was longer, or the time ran out",
		SV_ALWAYS),
};
SV_KIND(sv_exec_result_kind, struct sv_exec_result, "exec_result", "what a command did",
	result_fields, .plural = NULL);

static const struct sv_field log_fields[] = {
	SV_FIELD(struct sv_log_query, follow, BOOL, "go on as it grows", 0),
	SV_FIELD(struct sv_log_query, offset, BYTES, "where to begin", 0),
};
SV_KIND(sv_log_query_kind, struct sv_log_query, "log_query", "where to read a log from", log_fields,
	.plural = NULL);

static const struct sv_field clone_fields[] = {
	SV_FIELD(struct sv_instance_clone_body, name, STR, "name of the copy",
		SV_CREATE | SV_REQUIRED),
};
SV_KIND(sv_instance_clone_body_kind, struct sv_instance_clone_body, "instance_clone",
	"what to call the copy", clone_fields, .plural = NULL);
