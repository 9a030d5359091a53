/* SPDX-License-Identifier: MIT */
/* SSH public keys: tables only. */
#include <starverse/key.h>

#include "kinds/kinds.h"

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_key, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "key_2b9w4e"),
	SV_FIELD(struct sv_key, name, STR, "name, need not be unique",
		SV_NAME | SV_IN | SV_REQUIRED | SV_POSITIONAL | SV_ALWAYS | SV_COL,
		.example = "laptop"),
	SV_FIELD(struct sv_key, public_key, STR, "one line as in id_ed25519.pub",
		SV_CREATE | SV_REQUIRED | SV_ALWAYS | SV_WIDE,
		.example = "ssh-ed25519 AAAAC3Nza me@laptop"),
	SV_FIELD(struct sv_key, fingerprint, STR, "SHA-256 of the key", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_key, labels, MAP, "free-form labels", SV_IN | SV_ALWAYS | SV_WIDE,
		.option = "label"),
	SV_FIELD(struct sv_key, created_at, TIME, "when it was created", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_key, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_key, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_key_filter),
	SV_SORT_ROW(struct sv_key_filter),
	SV_FIELD(struct sv_key_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_key_filter, fingerprint, STRS, "only with these fingerprints", 0),
	SV_FIELD(struct sv_key_filter, labels, MAP, "only with these labels", 0, .option = "label"),
};
SV_KIND(sv_key_filter_kind, struct sv_key_filter, "key_filter", "which keys to list", filter_fields,
	.plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/keys", "list SSH keys", .query = &sv_key_filter_kind,
		.out = &sv_key_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/keys", "register an SSH key", .in = &sv_key_kind,
		.out = &sv_key_kind, .flags = SV_KEYED },
	SV_GET_VERB("/v1/keys/{id}", "show one SSH key", &sv_key_kind),
	{ "update", SV_PATCH, "/v1/keys/{id}", "change a key's name or labels", .in = &sv_key_kind,
		.out = &sv_key_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/keys/{id}", "forget an SSH key", .out = &sv_key_kind,
		.flags = SV_CONFIRM },
	{ 0 },
};

SV_KIND(sv_key_kind, struct sv_key, "key", "an SSH public key", fields, .plural = "keys",
	.prefix = "key_", .verbs = verbs);
