/* SPDX-License-Identifier: MIT */
/* Offers: tables only. */
#include <starverse/gpu.h>

#include "kinds/kinds.h"

static const struct sv_word availabilities[] = {
	{ "none", "nothing is free", 0 },
	{ "low", "few are free", 0 },
	{ "medium", "some are free", 0 },
	{ "high", "most are free", 0 },
	{ 0 },
};

static const struct sv_field promo_fields[] = {
	SV_FIELD(struct sv_gpu_promo, unit_price_per_hour, MONEY, "promotional price of one card",
		SV_ALWAYS),
	SV_FIELD(struct sv_gpu_promo, max_cards, INT, "for instances of at most so many cards",
		SV_ALWAYS),
};
SV_KIND(sv_gpu_promo_kind, struct sv_gpu_promo, "gpu_promo", "a promotional price", promo_fields,
	.plural = NULL);

static const struct sv_field fields[] = {
	SV_FIELD(
		struct sv_gpu, id, STR, "the model name", SV_ID | SV_ALWAYS, .example = "rtx-4090"),
	SV_FIELD(struct sv_gpu, name, STR, "the model name", SV_NAME | SV_ALWAYS | SV_COL,
		.example = "rtx-4090"),
	SV_FIELD(struct sv_gpu, vendor, STR, "who makes it", SV_ALWAYS | SV_COL,
		.example = "nvidia"),
	SV_FIELD(struct sv_gpu, model, STR, "what the vendor calls it", SV_ALWAYS | SV_WIDE,
		.example = "GeForce RTX 4090"),
	SV_FIELD(struct sv_gpu, memory_gib, GIB, "memory of one card", SV_ALWAYS | SV_COL,
		.example = "24"),
	SV_FIELD(struct sv_gpu, backends, STRS, "backends that drive it", SV_ALWAYS | SV_COL,
		.words = sv_backend_words),
	SV_FIELD(struct sv_gpu, max_count, INT, "most cards of one instance", SV_ALWAYS | SV_COL,
		.example = "8"),
	SV_FIELD(struct sv_gpu, free, INT, "cards free now", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_gpu, unit_price_per_hour, MONEY, "price of one card", SV_ALWAYS | SV_COL,
		.example = "14.000000"),
	SV_FIELD(struct sv_gpu, promo, OBJ, "promotional price", SV_ALWAYS | SV_WIDE,
		.kind = &sv_gpu_promo_kind),
	SV_FIELD(struct sv_gpu, minimum_seconds, SECONDS, "shortest rental, billed in any case",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_gpu, vcpus_per_card, INT, "virtual processors with each card",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_gpu, ram_gib_per_card, GIB, "memory of the host with each card",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_gpu, fabric, STR, "what joins the cards", SV_ALWAYS | SV_WIDE,
		.example = "nvlink"),
	SV_FIELD(struct sv_gpu, zone, STR, "where it is", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_gpu, availability, STR, "how many are free", SV_ALWAYS | SV_COL,
		.words = availabilities),
	SV_FIELD(struct sv_gpu, simulated, BOOL, "no such card is here", SV_ALWAYS),
	SV_FIELD(struct sv_gpu, labels, MAP, "labels", SV_ALWAYS),
	SV_FIELD(struct sv_gpu, created_at, TIME, "when it was first offered", SV_ALWAYS),
	SV_FIELD(struct sv_gpu, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_gpu, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_gpu_filter),
	SV_SORT_ROW(struct sv_gpu_filter),
	SV_FIELD(struct sv_gpu_filter, name, STRS, "only these models", 0),
	SV_FIELD(struct sv_gpu_filter, vendor, STRS, "only of these vendors", 0),
	SV_FIELD(struct sv_gpu_filter, backend, STRS, "only driven by these backends", 0,
		.words = sv_backend_words),
	SV_FIELD(struct sv_gpu_filter, availability, STRS, "only so many free", 0,
		.words = availabilities),
	SV_FIELD(struct sv_gpu_filter, min_memory_gib, GIB, "at least so much memory a card", 0),
	SV_FIELD(struct sv_gpu_filter, max_memory_gib, GIB, "at most so much memory a card", 0),
	SV_FIELD(struct sv_gpu_filter, min_free, INT, "at least so many cards free", 0),
	SV_FIELD(struct sv_gpu_filter, min_max_count, INT, "at least so many cards in one instance",
		0),
};
SV_KIND(sv_gpu_filter_kind, struct sv_gpu_filter, "gpu_filter", "which offers to list",
	filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/gpus", "list offers", .query = &sv_gpu_filter_kind,
		.out = &sv_gpu_kind, .flags = SV_MANY },
	SV_GET_VERB("/v1/gpus/{id}", "show one offer", &sv_gpu_kind),
	{ 0 },
};

SV_KIND(sv_gpu_kind, struct sv_gpu, "gpu", "an accelerator that can be rented", fields,
	.plural = "gpus", .verbs = verbs);
