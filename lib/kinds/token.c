/* SPDX-License-Identifier: MIT */
/* Tokens: tables only. What a scope opens stands in lib/local/scope.c. */
#include <starverse/token.h>

#include "kinds/kinds.h"

const struct sv_word sv_scope_words[] = {
	{ "read", "see everything but secrets", 0 },
	{ "account", "pay in, set budgets, name the account", 0 },
	{ "disks", "create, change and delete disks, snapshots and images", 0 },
	{ "instances", "create, change and release instances and groups", 0 },
	{ "jobs", "run and cancel jobs", 0 },
	{ "keys", "register and forget SSH keys", 0 },
	{ "storage", "create, change and delete storages and their credentials", 0 },
	{ "tokens", "make and end tokens of no more scopes than its own", 0 },
	{ "webhooks", "create, change and delete webhooks", 0 },
	{ 0 },
};

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_token, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "tok_9d4f1s"),
	SV_FIELD(struct sv_token, name, STR, "name, need not be unique",
		SV_NAME | SV_IN | SV_REQUIRED | SV_POSITIONAL | SV_ALWAYS | SV_COL,
		.example = "ci"),
	SV_FIELD(struct sv_token, scopes, STRS, "what it may do",
		SV_CREATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .words = sv_scope_words,
		.option = "scope", .example = "read"),
	SV_FIELD(struct sv_token, expires_at, TIME, "when it ends; never when not given",
		SV_CREATE | SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_token, last_used_at, TIME, "when it was last used, to the minute",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_token, secret, STR, "the key itself, answered once, on its creation",
		SV_SECRET),
	SV_FIELD(struct sv_token, labels, MAP, "free-form labels", SV_IN | SV_ALWAYS | SV_WIDE,
		.option = "label"),
	SV_FIELD(struct sv_token, created_at, TIME, "when it was created", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_token, updated_at, TIME, "when it last changed", SV_ALWAYS),
	SV_FIELD(struct sv_token, version, INT, "grows with each change", SV_ALWAYS),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_token_filter),
	SV_SORT_ROW(struct sv_token_filter),
	SV_FIELD(struct sv_token_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_token_filter, scope, STRS, "only with one of these scopes", 0,
		.words = sv_scope_words),
	SV_FIELD(struct sv_token_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
};
SV_KIND(sv_token_filter_kind, struct sv_token_filter, "token_filter", "which tokens to list",
	filter_fields, .plural = NULL);

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/tokens", "list tokens", .query = &sv_token_filter_kind,
		.out = &sv_token_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/tokens", "make a token; its secret is shown once",
		.in = &sv_token_kind, .out = &sv_token_kind, .flags = SV_KEYED },
	SV_GET_VERB("/v1/tokens/{id}", "show one token", &sv_token_kind),
	{ "update", SV_PATCH, "/v1/tokens/{id}", "change a token's name or labels",
		.in = &sv_token_kind, .out = &sv_token_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, "/v1/tokens/{id}", "end a token", .out = &sv_token_kind,
		.flags = SV_CONFIRM },
	{ 0 },
};

SV_KIND(sv_token_kind, struct sv_token, "token", "a key that may do less", fields,
	.plural = "tokens", .prefix = "tok_", .verbs = verbs);
