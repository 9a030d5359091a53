/* SPDX-License-Identifier: MIT */
/* Disks: tables only. */
#include <starverse/disk.h>

#include "base/err.h"
#include "kinds/kinds.h"

static const struct sv_word types[] = {
	{ "system", "an instance's own; lives as long as it does", 0 },
	{ "data", "attached and detached at will", 0 },
	{ 0 },
};

static const struct sv_word states[] = {
	{ "creating", "being made", 0 },
	{ "available", "free", 1, SV_IDLE },
	{ "attaching", "on its way into an instance", 0 },
	{ "attached", "seen inside an instance", 1, SV_GOOD },
	{ "detaching", "on its way out of an instance", 0 },
	{ "resizing", "growing", 0 },
	{ "deleting", "being deleted", 0 },
	{ "error", "failed; see its operation", 1, SV_BAD },
	{ "deleted", "gone", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_field attachment_fields[] = {
	SV_FIELD(struct sv_disk_attachment, instance, STR, "instance it is attached to", SV_ALWAYS,
		.ref = "instance"),
	SV_FIELD(struct sv_disk_attachment, path, STR, "where it is seen inside", SV_ALWAYS),
	SV_FIELD(struct sv_disk_attachment, read_only, BOOL, "nothing can be written", SV_ALWAYS),
	SV_FIELD(struct sv_disk_attachment, state, STR, "how far it is", SV_ALWAYS,
		.words = sv_mount_state_words),
};
SV_KIND(sv_disk_attachment_kind, struct sv_disk_attachment, "disk_attachment",
	"where a disk is attached", attachment_fields, .plural = NULL);

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_disk, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "dsk_8f3k2m"),
	SV_FIELD(struct sv_disk, name, STR, "name, need not be unique",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "ckpt"),
	SV_FIELD(struct sv_disk, size_gib, GIB, "capacity", SV_ALWAYS | SV_COL, .example = "100"),
	SV_FIELD(struct sv_disk, type, STR, "system or data", SV_ALWAYS | SV_COL, .words = types),
	SV_FIELD(struct sv_disk, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_disk, attachment, OBJ, "where it is attached", SV_ALWAYS | SV_COL,
		.kind = &sv_disk_attachment_kind),
	SV_FIELD(struct sv_disk, price_per_gib_month, MONEY, "price of one GiB for 30 days",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_disk, snapshot, STR, "snapshot it was made from", SV_ALWAYS | SV_WIDE,
		.ref = "snapshot"),
	SV_FIELD(struct sv_disk, operation_id, STR, "operation under way", SV_ALWAYS,
		.ref = "operation"),
	SV_COMMON_ROWS(struct sv_disk),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_disk_filter),
	SV_SORT_ROW(struct sv_disk_filter),
	SV_FIELD(struct sv_disk_filter, status, STRS, "only in these states", 0, .words = states),
	SV_FIELD(struct sv_disk_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_disk_filter, instance, STRS, "only of these instances", 0,
		.ref = "instance"),
	SV_FIELD(
		struct sv_disk_filter, labels, MAP, "only with these labels", 0, .option = "label"),
	SV_FIELD(struct sv_disk_filter, all, BOOL, "deleted ones too", 0),
};
SV_KIND(sv_disk_filter_kind, struct sv_disk_filter, "disk_filter", "which disks to list",
	filter_fields, .plural = NULL);

static int check_size(const char *field, int64_t size, struct sv_error *err)
{
	return size > 0 ? SV_OK : sv_err_field(err, field, "range", "must be at least 1 GiB");
}

static int create_check(const void *obj, struct sv_error *err)
{
	const struct sv_disk_create_body *b = obj;

	return sv_has(b, size_gib) || b->size_gib ? check_size("size_gib", b->size_gib, err)
						  : SV_OK;
}

static const struct sv_field create_fields[] = {
	SV_FIELD(struct sv_disk_create_body, name, STR, "name, need not be unique",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "ckpt"),
	SV_FIELD(struct sv_disk_create_body, size_gib, GIB, "capacity", SV_CREATE | SV_REQUIRED,
		.example = "100"),
	SV_FIELD(struct sv_disk_create_body, snapshot, STR, "snapshot of a disk to fill it from",
		SV_CREATE, .ref = "snapshot"),
	SV_FIELD(struct sv_disk_create_body, labels, MAP, "free-form labels", SV_CREATE,
		.option = "label"),
};
SV_KIND(sv_disk_create_body_kind, struct sv_disk_create_body, "disk_create", "a disk to create",
	create_fields, .check = create_check);

static const struct sv_field attach_fields[] = {
	SV_FIELD(struct sv_disk_attach_body, instance, STR, "instance to attach it to",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .ref = "instance"),
	SV_FIELD(struct sv_disk_attach_body, path, STR, "where it is seen inside",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "/root/ckpt"),
	SV_FIELD(struct sv_disk_attach_body, read_only, BOOL, "nothing can be written", SV_CREATE),
};
SV_KIND(sv_disk_attach_body_kind, struct sv_disk_attach_body, "disk_attach",
	"where to attach a disk", attach_fields, .plural = NULL);

static int resize_check(const void *obj, struct sv_error *err)
{
	return check_size("size_gib", ((const struct sv_disk_resize_body *)obj)->size_gib, err);
}

static const struct sv_field resize_fields[] = {
	SV_FIELD(struct sv_disk_resize_body, size_gib, GIB, "new capacity, never less than before",
		SV_CREATE | SV_REQUIRED, .example = "200"),
};
SV_KIND(sv_disk_resize_body_kind, struct sv_disk_resize_body, "disk_resize",
	"how large a disk is to be", resize_fields, .check = resize_check);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/disks", "list disks", .query = &sv_disk_filter_kind,
		.out = &sv_disk_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/disks", "create a disk", .in = &sv_disk_create_body_kind,
		.out = &sv_disk_kind, .flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	SV_GET_VERB("/v1/disks/{id}", "show one disk", &sv_disk_kind),
	{ "update", SV_PATCH, "/v1/disks/{id}", "change a disk's name or labels",
		.in = &sv_disk_kind, .out = &sv_disk_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/disks/{id}", "delete a disk with all that is on it",
		.out = &sv_disk_kind, .flags = SV_CONFIRM | SV_ASYNC,
		.when = "type=data status=available,error" },
	{ "attach", SV_POST, "/v1/disks/{id}/attach", "attach a disk to an instance",
		.in = &sv_disk_attach_body_kind, .out = &sv_disk_kind,
		.flags = SV_KEYED | SV_ASYNC, .when = "type=data status=available" },
	{ "detach", SV_POST, "/v1/disks/{id}/detach", "detach a disk from its instance",
		.out = &sv_disk_kind, .flags = SV_KEYED | SV_ASYNC,
		.when = "type=data status=attached" },
	{ "resize", SV_POST, "/v1/disks/{id}/resize", "grow a disk",
		.in = &sv_disk_resize_body_kind, .out = &sv_disk_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC, .when = "status=available,attached" },
	{ 0 },
};

SV_KIND(sv_disk_kind, struct sv_disk, "disk", "a block device that outlives instances", fields,
	.plural = "disks", .prefix = "dsk_", .verbs = verbs);
