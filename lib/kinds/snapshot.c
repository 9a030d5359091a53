/* SPDX-License-Identifier: MIT */
/* Snapshots: tables only. */
#include <starverse/snapshot.h>

#include "base/err.h"
#include "kinds/kinds.h"

static const struct sv_word states[] = {
	{ "creating", "being copied", 0 },
	{ "ready", "can be used", 1, SV_GOOD },
	{ "deleting", "being deleted", 0 },
	{ "deleted", "gone", 1, SV_IDLE },
	{ "error", "failed; see its operation", 1, SV_BAD },
	{ 0 },
};

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_snapshot, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "snp_4k8d2a"),
	SV_FIELD(struct sv_snapshot, name, STR, "name, need not be unique",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_snapshot, disk, STR, "disk it was made of", SV_ALWAYS | SV_COL,
		.ref = "disk"),
	SV_FIELD(struct sv_snapshot, instance, STR, "instance whose system disk that was",
		SV_ALWAYS | SV_COL, .ref = "instance"),
	SV_FIELD(struct sv_snapshot, size_gib, GIB, "capacity of that disk", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_snapshot, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_snapshot, progress_percent, INT, "how much is copied",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_snapshot, operation_id, STR, "operation under way", SV_ALWAYS,
		.ref = "operation"),
	SV_COMMON_ROWS(struct sv_snapshot),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_snapshot_filter),
	SV_SORT_ROW(struct sv_snapshot_filter),
	SV_FIELD(struct sv_snapshot_filter, status, STRS, "only in these states", 0,
		.words = states),
	SV_FIELD(struct sv_snapshot_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_snapshot_filter, instance, STRS, "only of these instances", 0,
		.ref = "instance"),
	SV_FIELD(struct sv_snapshot_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
};
SV_KIND(sv_snapshot_filter_kind, struct sv_snapshot_filter, "snapshot_filter",
	"which snapshots to list", filter_fields, .plural = NULL);

static int create_check(const void *obj, struct sv_error *err)
{
	const struct sv_snapshot_create_body *b = obj;

	if (!b->instance == !b->disk)
		return sv_err_field(err, b->disk ? "disk" : "instance", "exactly_one",
			"give exactly one of instance and disk");
	return SV_OK;
}

static const struct sv_field create_fields[] = {
	SV_FIELD(struct sv_snapshot_create_body, name, STR, "name, need not be unique",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "before-upgrade"),
	SV_FIELD(struct sv_snapshot_create_body, instance, STR,
		"instance whose system disk to copy", SV_CREATE, .ref = "instance"),
	SV_FIELD(struct sv_snapshot_create_body, disk, STR, "disk to copy", SV_CREATE,
		.ref = "disk"),
	SV_FIELD(struct sv_snapshot_create_body, labels, MAP, "free-form labels", SV_CREATE,
		.option = "label"),
};
SV_KIND(sv_snapshot_create_body_kind, struct sv_snapshot_create_body, "snapshot_create",
	"a snapshot to make", create_fields, .check = create_check);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/snapshots", "list snapshots", .query = &sv_snapshot_filter_kind,
		.out = &sv_snapshot_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/snapshots", "make a snapshot of an instance or a disk",
		.in = &sv_snapshot_create_body_kind, .out = &sv_snapshot_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	SV_GET_VERB("/v1/snapshots/{id}", "show one snapshot", &sv_snapshot_kind),
	{ "update", SV_PATCH, "/v1/snapshots/{id}", "change a snapshot's name or labels",
		.in = &sv_snapshot_kind, .out = &sv_snapshot_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/snapshots/{id}",
		"delete a snapshot; what was made from it stays", .out = &sv_snapshot_kind,
		.flags = SV_CONFIRM | SV_ASYNC, .when = "status=ready,error" },
	{ 0 },
};

SV_KIND(sv_snapshot_kind, struct sv_snapshot, "snapshot", "a frozen copy of a disk", fields,
	.plural = "snapshots", .prefix = "snp_", .verbs = verbs);
