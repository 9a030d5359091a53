/* SPDX-License-Identifier: MIT */
/* Datasets of the public library: tables only. */
#include <starverse/dataset.h>

#include "kinds/kinds.h"

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_dataset, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "dst_3n8r5t"),
	SV_FIELD(struct sv_dataset, name, STR, "name", SV_NAME | SV_ALWAYS | SV_COL,
		.example = "redpajama-v2"),
	SV_FIELD(struct sv_dataset, title, STR, "title for people", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_dataset, size_gib, GIB, "size", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_dataset, license, STR, "licence", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_dataset, path, STR, "where it is seen inside instances",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_dataset, revision, STR, "revision", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_dataset, tokens, INT, "number of tokens", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_dataset, aligned_models, STRS, "models whose tokens it fits",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_dataset, simulated, BOOL, "a small stand-in lies here instead",
		SV_ALWAYS),
	SV_FIELD(struct sv_dataset, labels, MAP, "labels", SV_ALWAYS),
	SV_FIELD(struct sv_dataset, created_at, TIME, "when it was added", SV_ALWAYS),
	SV_FIELD(struct sv_dataset, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_dataset, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_dataset_filter),
	SV_SORT_ROW(struct sv_dataset_filter),
	SV_FIELD(struct sv_dataset_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_dataset_filter, search, STR, "only with these words in name or title",
		SV_POSITIONAL),
	SV_FIELD(struct sv_dataset_filter, min_size_gib, GIB, "at least so large", 0),
	SV_FIELD(struct sv_dataset_filter, max_size_gib, GIB, "at most so large", 0),
	SV_FIELD(struct sv_dataset_filter, min_tokens, INT, "at least so many tokens", 0),
};
SV_KIND(sv_dataset_filter_kind, struct sv_dataset_filter, "dataset_filter",
	"which datasets to list", filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/datasets", "list datasets", .query = &sv_dataset_filter_kind,
		.out = &sv_dataset_kind, .flags = SV_MANY },
	SV_GET_VERB("/v1/datasets/{id}", "show one dataset", &sv_dataset_kind),
	{ 0 },
};

SV_KIND(sv_dataset_kind, struct sv_dataset, "dataset", "a dataset of the public library", fields,
	.plural = "datasets", .prefix = "dst_", .verbs = verbs);
