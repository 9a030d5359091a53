/* SPDX-License-Identifier: MIT */
/* Models of the public library: tables only. */
#include <starverse/model.h>

#include "kinds/kinds.h"

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_model, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "mdl_3n8r5t"),
	SV_FIELD(struct sv_model, name, STR, "name", SV_NAME | SV_ALWAYS | SV_COL,
		.example = "llama-3-8b"),
	SV_FIELD(struct sv_model, title, STR, "title for people", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_model, size_gib, GIB, "size", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_model, license, STR, "licence", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_model, path, STR, "where it is seen inside instances",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_model, revision, STR, "revision", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_model, tokens, INT, "number of tokens", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_model, aligned_models, STRS, "models whose tokens it fits",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_model, simulated, BOOL, "a small stand-in lies here instead", SV_ALWAYS),
	SV_FIELD(struct sv_model, labels, MAP, "labels", SV_ALWAYS),
	SV_FIELD(struct sv_model, created_at, TIME, "when it was added", SV_ALWAYS),
	SV_FIELD(struct sv_model, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_model, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_model_filter),
	SV_SORT_ROW(struct sv_model_filter),
	SV_FIELD(struct sv_model_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_model_filter, search, STR, "only with these words in name or title",
		SV_POSITIONAL),
	SV_FIELD(struct sv_model_filter, min_size_gib, GIB, "at least so large", 0),
	SV_FIELD(struct sv_model_filter, max_size_gib, GIB, "at most so large", 0),
	SV_FIELD(struct sv_model_filter, min_tokens, INT, "at least so many tokens", 0),
};
SV_KIND(sv_model_filter_kind, struct sv_model_filter, "model_filter", "which models to list",
	filter_fields, .plural = NULL);

static const struct sv_field copy_fields[] = {
	SV_FIELD(struct sv_model_copy_body, instance, STR, "instance to copy it into",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .ref = "instance"),
	SV_FIELD(struct sv_model_copy_body, path, STR, "directory to copy it to",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "/root/llama-3-8b"),
};
SV_KIND(sv_model_copy_body_kind, struct sv_model_copy_body, "model_copy", "where to copy a model",
	copy_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/models", "list models", .query = &sv_model_filter_kind,
		.out = &sv_model_kind, .flags = SV_MANY },
	SV_GET_VERB("/v1/models/{id}", "show one model", &sv_model_kind),
	{ "copy", SV_POST, "/v1/models/{id}/copy", "copy a model into an instance",
		.in = &sv_model_copy_body_kind, .out = &sv_operation_kind,
		.flags = SV_KEYED | SV_ASYNC },
	{ 0 },
};

SV_KIND(sv_model_kind, struct sv_model, "model", "a model of the public library", fields,
	.plural = "models", .prefix = "mdl_", .verbs = verbs);
