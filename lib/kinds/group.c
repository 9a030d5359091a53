/* SPDX-License-Identifier: MIT */
/* Scaling groups: tables only. */
#include <starverse/group.h>

#include "base/err.h"
#include "kinds/kinds.h"

static const struct sv_word states[] = {
	{ "scaling", "becoming as many as desired", 0 },
	{ "ready", "as many as desired run", 1, SV_GOOD },
	{ "error", "fewer than desired run; see status_reason", 1, SV_BAD },
	{ "deleting", "its instances are being released", 0 },
	{ "deleted", "gone; still readable", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_group, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "grp_4t7w2e"),
	SV_FIELD(struct sv_group, name, STR, "name; its instances are called NAME-N",
		SV_NAME | SV_IN | SV_REQUIRED | SV_POSITIONAL | SV_ALWAYS | SV_COL,
		.example = "web"),
	SV_FIELD_AS(struct sv_group, template_, "template", OBJ, "what each instance is",
		SV_CREATE | SV_REQUIRED | SV_ALWAYS, .kind = &sv_instance_create_body_kind),
	SV_FIELD(struct sv_group, desired, INT, "how many are to run",
		SV_CREATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "3"),
	SV_FIELD(struct sv_group, minimum, INT, "least that may be desired, 0 when not given",
		SV_IN | SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_group, maximum, INT, "most that may be desired",
		SV_IN | SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_group, instances, STRS, "its instances", SV_ALWAYS | SV_COL,
		.ref = "instance"),
	SV_FIELD(struct sv_group, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_group, status_reason, OBJ, "why fewer run than desired",
		SV_ALWAYS | SV_WIDE, .kind = &sv_instance_status_reason_kind),
	SV_FIELD(struct sv_group, cost, MONEY, "cost so far of all it ever had",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_group, labels, MAP, "free-form labels", SV_IN | SV_ALWAYS | SV_WIDE,
		.option = "label"),
	SV_FIELD(struct sv_group, created_at, TIME, "when it was created", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_group, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_group, version, INT, "grows with each change", SV_ALWAYS),
};

static int check(const void *obj, struct sv_error *err)
{
	const struct sv_group *g = obj;
	int limited = sv_has(g, maximum) && !sv_is_null(g, maximum);

	if (g->desired < 0)
		sv_err_field(err, "desired", "range", "must be at least 0");
	if (g->minimum < 0)
		sv_err_field(err, "minimum", "range", "must be at least 0");
	if (limited && g->maximum < g->minimum)
		sv_err_field(err, "maximum", "range", "must not be less than minimum");
	else if (sv_has(g, desired) && g->desired < g->minimum)
		sv_err_field(err, "desired", "range", "must not be less than minimum");
	else if (sv_has(g, desired) && limited && g->desired > g->maximum)
		sv_err_field(err, "desired", "range", "must not be more than maximum");
	return err->code;
}

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_group_filter),
	SV_SORT_ROW(struct sv_group_filter),
	SV_FIELD(struct sv_group_filter, status, STRS, "only in these states", 0, .words = states),
	SV_FIELD(struct sv_group_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_group_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
	SV_FIELD(struct sv_group_filter, all, BOOL, "deleted ones too", 0),
};
SV_KIND(sv_group_filter_kind, struct sv_group_filter, "group_filter", "which groups to list",
	filter_fields, .plural = NULL);

static int scale_check(const void *obj, struct sv_error *err)
{
	return ((const struct sv_group_scale_body *)obj)->desired >= 0
		       ? SV_OK
		       : sv_err_field(err, "desired", "range", "must be at least 0");
}

static const struct sv_field scale_fields[] = {
	SV_FIELD(struct sv_group_scale_body, desired, INT, "how many are to run",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "4"),
};
SV_KIND(sv_group_scale_body_kind, struct sv_group_scale_body, "group_scale",
	"how many are to run", scale_fields, .check = scale_check);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/groups", "list scaling groups", .query = &sv_group_filter_kind,
		.out = &sv_group_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/groups", "create a scaling group with its instances",
		.in = &sv_group_kind, .out = &sv_group_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	SV_GET_VERB("/v1/groups/{id}", "show one scaling group", &sv_group_kind),
	{ "update", SV_PATCH, "/v1/groups/{id}", "change a group's name, limits or labels",
		.in = &sv_group_kind, .out = &sv_group_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/groups/{id}", "release a group's instances and delete it",
		.out = &sv_group_kind, .flags = SV_CONFIRM | SV_ASYNC },
	{ "scale", SV_POST, "/v1/groups/{id}/scale", "change how many run",
		.in = &sv_group_scale_body_kind, .out = &sv_group_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ 0 },
};

SV_KIND(sv_group_kind, struct sv_group, "group", "so many instances of one template", fields,
	.plural = "groups", .prefix = "grp_", .check = check, .verbs = verbs);
