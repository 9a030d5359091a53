/* SPDX-License-Identifier: MIT */
/* Images: tables only. */
#include <starverse/image.h>

#include "kinds/kinds.h"

static const struct sv_word visibilities[] = {
	{ "public", "everybody's", 0 },
	{ "private", "the account's own", 0 },
	{ 0 },
};

static const struct sv_word states[] = {
	{ "creating", "being saved", 0 },
	{ "ready", "can be used", 1, SV_GOOD },
	{ "deleting", "being deleted", 0 },
	{ "deleted", "gone", 1, SV_IDLE },
	{ "error", "failed; see its operation", 1, SV_BAD },
	{ 0 },
};

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_image, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "img_9s3h1v"),
	SV_FIELD(struct sv_image, name, STR, "name",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "pytorch-2.2"),
	SV_FIELD(struct sv_image, visibility, STR, "public or private", SV_ALWAYS | SV_COL,
		.words = visibilities),
	SV_FIELD(struct sv_image, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_image, frameworks, MAP, "frameworks and their versions",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_image, plugins, MAP, "plug-ins and their versions", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_image, backends, STRS, "backends that it fits", SV_ALWAYS | SV_COL,
		.words = sv_backend_words),
	SV_FIELD(struct sv_image, arch, STR, "processor architecture", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_image, size_gib, GIB, "size", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_image, source_instance, STR, "instance it was made of",
		SV_ALWAYS | SV_WIDE, .ref = "instance"),
	SV_FIELD(struct sv_image, price_per_hour, MONEY, "price while an instance of it runs",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_image, simulated, BOOL, "stands for an image that is not here",
		SV_ALWAYS),
	SV_FIELD(struct sv_image, operation_id, STR, "operation under way", SV_ALWAYS,
		.ref = "operation"),
	SV_COMMON_ROWS(struct sv_image),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_image_filter),
	SV_SORT_ROW(struct sv_image_filter),
	SV_FIELD(struct sv_image_filter, status, STRS, "only in these states", 0, .words = states),
	SV_FIELD(struct sv_image_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_image_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
	SV_FIELD(struct sv_image_filter, search, STR, "only with these words in name or frameworks",
		SV_POSITIONAL),
};
SV_KIND(sv_image_filter_kind, struct sv_image_filter, "image_filter", "which images to list",
	filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/images", "list images", .query = &sv_image_filter_kind,
		.out = &sv_image_kind, .flags = SV_MANY },
	SV_GET_VERB("/v1/images/{id}", "show one image", &sv_image_kind),
	{ "update", SV_PATCH, "/v1/images/{id}", "change a private image's name or labels",
		.in = &sv_image_kind, .out = &sv_image_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/images/{id}", "delete a private image", .out = &sv_image_kind,
		.flags = SV_CONFIRM | SV_ASYNC },
	{ 0 },
};

SV_KIND(sv_image_kind, struct sv_image, "image", "what an instance boots from", fields,
	.plural = "images", .prefix = "img_", .verbs = verbs);
