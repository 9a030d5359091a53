/* SPDX-License-Identifier: MIT */
/* Events: tables only. */
#include <starverse/event.h>

#include "kinds/kinds.h"

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_event, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "evt_000000000042"),
	SV_FIELD(struct sv_event, name, STR, "name of what it happened to",
		SV_NAME | SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_event, type, STR, "what happened, as a word", SV_ALWAYS | SV_COL,
		.example = "instance.running"),
	SV_FIELD(struct sv_event, actor, STR, "who did it: an account's id, or platform",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_event, resource, STR, "what it happened to", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_event, message, STR, "what happened, for people",
		SV_ALWAYS | SV_PROSE | SV_COL),
	SV_FIELD(struct sv_event, labels, MAP, "labels of the resource", SV_ALWAYS),
	SV_FIELD(struct sv_event, created_at, TIME, "when it happened", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_event, updated_at, TIME, "the same", SV_ALWAYS),
	SV_FIELD(struct sv_event, version, INT, "always 1", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_event_filter),
	SV_SORT_ROW(struct sv_event_filter),
	SV_FIELD(struct sv_event_filter, type, STRS, "only of these types", 0),
	SV_FIELD(struct sv_event_filter, resource, STRS, "only about these resources", 0),
	SV_FIELD(struct sv_event_filter, since, TIME, "only from then on", 0),
	SV_FIELD(struct sv_event_filter, follow, BOOL, "go on as they happen", 0),
};
SV_KIND(sv_event_filter_kind, struct sv_event_filter, "event_filter", "which events to list",
	filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/events", "list what happened", .query = &sv_event_filter_kind,
		.out = &sv_event_kind, .flags = SV_MANY | SV_STREAM },
	{ "follow", SV_GET, "/v1/events", "show events as they happen",
		.query = &sv_event_filter_kind, .out = &sv_event_kind,
		.flags = SV_STREAM | SV_HAND },
	{ 0 },
};

SV_KIND(sv_event_kind, struct sv_event, "event", "something that happened", fields,
	.plural = "events", .prefix = "evt_", .verbs = verbs);
