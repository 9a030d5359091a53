/* SPDX-License-Identifier: MIT */
/* Rows that several resources share. */
#include "kinds/kinds.h"

#include "kinds/common.h"

const struct sv_word sv_backend_words[] = {
	{ "cuda", "NVIDIA CUDA", 0 },
	{ "rocm", "AMD ROCm", 0 },
	{ "tpu", "TPU by PyTorch/XLA", 0 },
	{ "ascend", "Huawei Ascend by torch_npu", 0 },
	{ "gcu", "Enflame GCU", 0 },
	{ "mlu", "Cambricon MLU", 0 },
	{ 0 },
};

const struct sv_word sv_mount_state_words[] = {
	{ "planned", "will be there at the next start", 1 },
	{ "attaching", "on its way in", 0 },
	{ "attached", "seen inside", 1 },
	{ "detaching", "on its way out", 0 },
	{ 0 },
};

static const struct sv_field wait_fields[] = {
	SV_FIELD(struct sv_wait_query, after_version, INT, "answer when the version is greater",
		SV_NOARG),
	SV_FIELD(struct sv_wait_query, timeout_seconds, SECONDS,
		"or when the time is up, at most 60", SV_NOARG),
};
SV_KIND(sv_wait_query_kind, struct sv_wait_query, "wait_query", "a long poll", wait_fields,
	.plural = NULL);

static const struct sv_field page_fields[] = {
	SV_PAGE_ROWS(struct sv_page_query),
};
SV_KIND(sv_page_query_kind, struct sv_page_query, "page_query", "one page of a list", page_fields,
	.plural = NULL);

static const struct sv_field parcel_fields[] = {
	SV_FIELD(struct sv_parcel, id, INT, "number that comes back", SV_CREATE),
	SV_FIELD(struct sv_parcel, url, STR, "where to", SV_CREATE),
	SV_FIELD(struct sv_parcel, headers, MAP, "headers", SV_CREATE),
	SV_FIELD(struct sv_parcel, body, STR, "what", SV_CREATE),
};
SV_KIND(sv_parcel_kind, struct sv_parcel, "parcel", "something to send", parcel_fields,
	.plural = NULL);

static const struct sv_field receipt_fields[] = {
	SV_FIELD(struct sv_receipt, id, INT, "of the parcel", SV_CREATE),
	SV_FIELD(struct sv_receipt, status, INT, "HTTP status", SV_CREATE),
	SV_FIELD(struct sv_receipt, message, STR, "what went wrong", SV_CREATE | SV_PROSE),
	SV_FIELD(struct sv_receipt, body, STR, "what was answered", SV_CREATE),
};
SV_KIND(sv_receipt_kind, struct sv_receipt, "receipt", "what came of it", receipt_fields,
	.plural = NULL);
