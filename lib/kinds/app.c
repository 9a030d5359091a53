/* SPDX-License-Identifier: MIT */
/* AI-application templates: tables only. */
#include <starverse/app.h>

#include "kinds/kinds.h"

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_app, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "app_6v2j7k"),
	SV_FIELD(struct sv_app, name, STR, "name", SV_NAME | SV_ALWAYS | SV_COL,
		.example = "llama-4-70b-sft"),
	SV_FIELD(struct sv_app, title, STR, "title for people", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_app, summary, STR, "what it does", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_app, category, STR, "what it is for", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_app, image, STR, "image that it boots from", SV_ALWAYS | SV_WIDE,
		.ref = "image"),
	SV_FIELD(struct sv_app, gpu, STR, "card that it is meant for", SV_ALWAYS | SV_COL,
		.ref = "gpu"),
	SV_FIELD(struct sv_app, gpu_count, INT, "number of cards", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_app, backend, STR, "backend", SV_ALWAYS | SV_WIDE,
		.words = sv_backend_words),
	SV_FIELD(struct sv_app, command, STR, "start-up command", SV_ALWAYS),
	SV_FIELD(struct sv_app, ports, STRS, "ports that it serves", SV_ALWAYS),
	SV_FIELD(struct sv_app, models, STRS, "models that it mounts", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_app, datasets, STRS, "datasets that it mounts", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_app, disk_gib, GIB, "system disk that it wants", SV_ALWAYS),
	SV_FIELD(struct sv_app, simulated, BOOL, "runs on small stand-ins", SV_ALWAYS),
	SV_FIELD(struct sv_app, labels, MAP, "labels", SV_ALWAYS),
	SV_FIELD(struct sv_app, created_at, TIME, "when it was added", SV_ALWAYS),
	SV_FIELD(struct sv_app, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_app, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_app_filter),
	SV_SORT_ROW(struct sv_app_filter),
	SV_FIELD(struct sv_app_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_app_filter, category, STRS, "only of these categories", 0),
	SV_FIELD(struct sv_app_filter, search, STR,
		"only with these words in name, title or summary", SV_POSITIONAL),
};
SV_KIND(sv_app_filter_kind, struct sv_app_filter, "app_filter", "which apps to list", filter_fields,
	.plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/apps", "list apps", .query = &sv_app_filter_kind,
		.out = &sv_app_kind, .flags = SV_MANY },
	SV_GET_VERB("/v1/apps/{id}", "show one app", &sv_app_kind),
	{ "deploy", SV_POST, "/v1/apps/{id}/deploy", "create an instance from an app",
		.in = &sv_app_deploy_body_kind, .out = &sv_instance_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC },
	{ 0 },
};

SV_KIND(sv_app_kind, struct sv_app, "app", "an AI-application template", fields, .plural = "apps",
	.prefix = "app_", .verbs = verbs);
