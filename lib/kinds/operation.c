/* SPDX-License-Identifier: MIT */
/* Operations: tables only. */
#include <starverse/operation.h>

#include "kinds/kinds.h"

static const struct sv_word states[] = {
	{ "running", "under way", 0 },
	{ "succeeded", "done", 1, SV_GOOD },
	{ "failed", "failed; what was done is undone", 1, SV_BAD },
	{ "cancelled", "given up; what was done is undone", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_word step_states[] = {
	{ "pending", "not begun", 0 },
	{ "running", "under way", 0 },
	{ "succeeded", "done", 1, SV_GOOD },
	{ "failed", "failed", 1, SV_BAD },
	{ "skipped", "there was nothing to do", 1, SV_IDLE },
	{ "undone", "done, then undone", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_field step_fields[] = {
	SV_FIELD(struct sv_operation_step, name, STR, "what is done", SV_ALWAYS | SV_PROSE),
	SV_FIELD(struct sv_operation_step, status, STR, "how far it is", SV_ALWAYS,
		.words = step_states),
	SV_FIELD(struct sv_operation_step, started_at, TIME, "when it began", SV_ALWAYS),
	SV_FIELD(struct sv_operation_step, ended_at, TIME, "when it ended", SV_ALWAYS),
};
SV_KIND(sv_operation_step_kind, struct sv_operation_step, "operation_step", "one step", step_fields,
	.plural = NULL);

static const struct sv_field error_fields[] = {
	SV_FIELD(struct sv_operation_error, code, STR, "what happened, as a word", SV_ALWAYS),
	SV_FIELD(struct sv_operation_error, message, STR, "what happened, for people",
		SV_ALWAYS | SV_PROSE),
	SV_FIELD(struct sv_operation_error, suggestion, STR, "what to do about it",
		SV_ALWAYS | SV_PROSE),
};
SV_KIND(sv_operation_error_kind, struct sv_operation_error, "operation_error", "why it failed",
	error_fields, .plural = NULL);

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_operation, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_COL,
		.example = "op_5m1x8c"),
	SV_FIELD(struct sv_operation, name, STR, "name of what it works on",
		SV_NAME | SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_operation, type, STR, "what is done", SV_ALWAYS | SV_COL,
		.example = "instance.create"),
	SV_FIELD(struct sv_operation, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_operation, resource, STR, "what it works on", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_operation, progress_percent, INT, "how far it is", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_operation, steps, LIST, "what it consists of", SV_ALWAYS,
		.kind = &sv_operation_step_kind),
	SV_FIELD(struct sv_operation, error, OBJ, "why it failed", SV_ALWAYS | SV_WIDE,
		.kind = &sv_operation_error_kind),
	SV_COMMON_ROWS(struct sv_operation),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_operation_filter),
	SV_SORT_ROW(struct sv_operation_filter),
	SV_FIELD(struct sv_operation_filter, status, STRS, "only in these states", 0,
		.words = states),
	SV_FIELD(struct sv_operation_filter, resource, STRS, "only on these resources", 0),
};
SV_KIND(sv_operation_filter_kind, struct sv_operation_filter, "operation_filter",
	"which operations to list", filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/operations", "list operations", .query = &sv_operation_filter_kind,
		.out = &sv_operation_kind, .flags = SV_MANY },
	SV_GET_VERB("/v1/operations/{id}", "show one operation", &sv_operation_kind),
	{ "cancel", SV_POST, "/v1/operations/{id}/cancel", "give an operation up and undo it",
		.out = &sv_operation_kind, .flags = SV_KEYED, .when = "status=running" },
	{ 0 },
};

SV_KIND(sv_operation_kind, struct sv_operation, "operation", "work that takes time", fields,
	.plural = "operations", .prefix = "op_", .verbs = verbs);
