/* SPDX-License-Identifier: MIT */
/* What is sent to make a job, and the rules between its fields. */
#include <starverse/job.h>

#include "base/err.h"
#include "kinds/kinds.h"

const struct sv_word sv_job_then_words[] = {
	{ "stop", "stop it, keep its files", 0 },
	{ "release", "release it with its system disk", 0 },
	{ "keep", "let it run, and be billed", 0 },
	{ 0 },
};

static const struct sv_field checkpoint_fields[] = {
	SV_FIELD(struct sv_job_checkpoint, disk, STR, "disk that keeps it",
		SV_CREATE | SV_ALWAYS | SV_REQUIRED | SV_POSITIONAL, .ref = "disk"),
	SV_FIELD(struct sv_job_checkpoint, path, STR, "where it is seen inside",
		SV_CREATE | SV_ALWAYS | SV_REQUIRED | SV_POSITIONAL),
	SV_FIELD(struct sv_job_checkpoint, every_seconds, SECONDS,
		"write it through to the disk so often, and at the end", SV_CREATE | SV_ALWAYS),
};

static int checkpoint_check(const void *obj, struct sv_error *err)
{
	const struct sv_job_checkpoint *c = obj;

	return sv_has(c, every_seconds) && !sv_is_null(c, every_seconds) && c->every_seconds < 1
		       ? sv_err_field(err, "every_seconds", "range", "must be at least 1 second")
		       : SV_OK;
}

SV_KIND(sv_job_checkpoint_kind, struct sv_job_checkpoint, "job_checkpoint",
	"a directory that lies on a disk", checkpoint_fields, .check = checkpoint_check);

typedef struct sv_job_create_body body;

static const struct sv_field create_fields[] = {
	SV_FIELD(body, name, STR, "name, need not be unique", SV_CREATE | SV_POSITIONAL,
		.example = "sft"),
	SV_FIELD(body, instance, STR, "instance that is there already", SV_CREATE,
		.ref = "instance"),
	SV_FIELD(body, gpu, STR, "card model", SV_CREATE, .ref = "gpu",
		.example = "a100-80g"),
	SV_FIELD(body, gpu_count, INT, "number of cards, 1 when not given", SV_CREATE),
	SV_FIELD(body, backend, STR, "backend, where the card has several", SV_CREATE,
		.words = sv_backend_words),
	SV_FIELD(body, image, STR, "image to boot from", SV_CREATE, .ref = "image"),
	SV_FIELD(body, snapshot, STR, "snapshot of a system disk to boot from", SV_CREATE,
		.ref = "snapshot"),
	SV_FIELD(body, app, STR, "app to deploy", SV_CREATE, .ref = "app"),
	SV_FIELD(body, system_disk_gib, GIB, "capacity of the system disk", SV_CREATE,
		.option = "system-disk"),
	SV_FIELD(body, disks, LIST, "data disk to attach, DISK:PATH", SV_CREATE,
		.kind = &sv_disk_mount_kind, .option = "disk"),
	SV_FIELD(body, storages, LIST, "storage to mount, STORAGE:PATH", SV_CREATE,
		.kind = &sv_storage_mount_kind, .option = "storage"),
	SV_FIELD(body, models, STRS, "model to mount", SV_CREATE, .ref = "model",
		.option = "model"),
	SV_FIELD(body, datasets, STRS, "dataset to mount", SV_CREATE, .ref = "dataset",
		.option = "dataset"),
	SV_FIELD(body, keys, STRS, "SSH key that may log in, all of the account's when none",
		SV_CREATE, .ref = "key", .option = "key"),
	SV_FIELD(body, network, STR, "outbound or none", SV_CREATE, .words = sv_network_words),
	SV_FIELD(body, max_price_per_hour, MONEY, "refuse when it would cost more an hour",
		SV_CREATE, .option = "max-price"),
	SV_FIELD(body, command, STRS, "program and arguments, the app's own when not given",
		SV_CREATE | SV_NOARG),
	SV_FIELD(body, env, MAP, "environment variable", SV_CREATE),
	SV_FIELD(body, workdir, STR, "directory to run in, made when it is not there", SV_CREATE,
		.example = "/root/work"),
	SV_FIELD(body, checkpoint, OBJ, "directory to keep on a disk, DISK:PATH", SV_CREATE,
		.kind = &sv_job_checkpoint_kind),
	SV_FIELD(body, then, STR,
		"what becomes of the instance afterwards: a new one stops, another is kept",
		SV_CREATE, .words = sv_job_then_words),
	SV_FIELD(body, max_runtime_seconds, SECONDS, "end it after running so long", SV_CREATE),
	SV_FIELD(body, max_cost, MONEY, "end it before it costs more", SV_CREATE),
	SV_FIELD(body, hold, BOOL, "wait for its files: job start", SV_CREATE | SV_NOARG),
	SV_FIELD(body, labels, MAP, "free-form label", SV_CREATE, .option = "label"),
};

/* What only a new instance can be told. */
static const char *of_a_new_one(const body *b)
{
	const struct {
		const char *name;
		int given;
	} all[] = { { "gpu", b->gpu != NULL }, { "gpu_count", b->gpu_count != 0 },
		{ "backend", b->backend != NULL }, { "image", b->image != NULL },
		{ "snapshot", b->snapshot != NULL }, { "app", b->app != NULL },
		{ "system_disk_gib", b->system_disk_gib != 0 }, { "disks", b->disks.n != 0 },
		{ "storages", b->storages.n != 0 }, { "models", b->models.n != 0 },
		{ "datasets", b->datasets.n != 0 }, { "keys", b->keys.n != 0 },
		{ "network", b->network != NULL },
		{ "max_price_per_hour", sv_has(b, max_price_per_hour) } };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

static void where_check(const body *b, struct sv_error *err)
{
	int sources = (b->image != NULL) + (b->snapshot != NULL) + (b->app != NULL);
	const char *extra = of_a_new_one(b);

	if (b->instance && extra)
		sv_err_field(err, extra, "excluded", "is for a new instance; instance names one");
	if (b->instance)
		return;
	if (sources != 1)
		sv_err_field(err, sources ? "image" : "instance",
			sources ? "exactly_one" : "required",
			"give instance, or exactly one of image, snapshot and app");
	if (!b->gpu && !b->app)
		sv_err_field(err, "gpu", "required", "is required for a new instance");
	if (sv_has(b, gpu_count) && b->gpu_count < 1)
		sv_err_field(err, "gpu_count", "range", "must be at least 1");
	if (sv_has(b, system_disk_gib) && b->system_disk_gib < 1)
		sv_err_field(err, "system_disk_gib", "range", "must be at least 1 GiB");
}

static int create_check(const void *obj, struct sv_error *err)
{
	const body *b = obj;

	where_check(b, err);
	if (!b->command.n && !b->app)
		sv_err_field(err, "command", "required", "names no program");
	if (b->command.n && !b->command.v[0][0])
		sv_err_field(err, "command", "empty", "names no program");
	if (b->workdir && *b->workdir != '/')
		sv_err_field(err, "workdir", "path", "must be an absolute path");
	if (sv_has(b, max_runtime_seconds) && !sv_is_null(b, max_runtime_seconds) &&
		b->max_runtime_seconds <= 0)
		sv_err_field(err, "max_runtime_seconds", "range", "must be at least 1 second");
	if (sv_has(b, max_cost) && !sv_is_null(b, max_cost) && b->max_cost <= 0)
		sv_err_field(err, "max_cost", "range", "must be more than 0");
	return err->code;
}

SV_KIND(sv_job_create_body_kind, body, "job_create", "a job to run", create_fields,
	.check = create_check);
