/* SPDX-License-Identifier: MIT */
/* The account: tables only. */
#include <starverse/account.h>

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"

static const struct sv_field balance_fields[] = {
	SV_FIELD(struct sv_account_balance, available, MONEY, "what can be spent",
		SV_ALWAYS | SV_SIGNED | SV_COL),
	SV_FIELD(struct sv_account_balance, cash, MONEY, "paid in", SV_ALWAYS),
	SV_FIELD(struct sv_account_balance, credit, MONEY, "given, with an end", SV_ALWAYS),
	SV_FIELD(struct sv_account_balance, frozen, MONEY, "held back", SV_ALWAYS),
	SV_FIELD(struct sv_account_balance, arrears, MONEY, "owed", SV_ALWAYS),
	SV_FIELD(struct sv_account_balance, currency, STR, "of all amounts", SV_ALWAYS,
		.example = "CNY"),
};
SV_KIND(sv_account_balance_kind, struct sv_account_balance, "account_balance",
	"money of an account", balance_fields, .plural = NULL);

static const struct sv_field limits_fields[] = {
	SV_FIELD(struct sv_account_limits, instances, INT, "most instances", SV_ALWAYS),
	SV_FIELD(struct sv_account_limits, gpus, INT, "most cards in all running instances",
		SV_ALWAYS),
	SV_FIELD(struct sv_account_limits, disks, INT, "most data disks", SV_ALWAYS),
	SV_FIELD(struct sv_account_limits, disk_max_gib, GIB, "largest disk", SV_ALWAYS),
	SV_FIELD(struct sv_account_limits, disk_retention_seconds, SECONDS,
		"how long disks are kept in arrears", SV_ALWAYS),
	SV_FIELD(struct sv_account_limits, job_log_max_bytes, BYTES,
		"most that the log of one job keeps", SV_ALWAYS),
};
SV_KIND(sv_account_limits_kind, struct sv_account_limits, "account_limits",
	"what an account may have", limits_fields, .plural = NULL);

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_account, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_COL,
		.example = "acc_1h5y8u"),
	SV_FIELD(struct sv_account, name, STR, "name", SV_NAME | SV_UPDATE | SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_account, email, STR, "e-mail address", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_account, phone, STR, "phone number", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_account, verified, BOOL, "address or number is verified", SV_ALWAYS),
	SV_FIELD(struct sv_account, balance, OBJ, "money", SV_ALWAYS | SV_COL,
		.kind = &sv_account_balance_kind),
	SV_FIELD(struct sv_account, burn_rate_per_hour, MONEY, "what accrues now",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_account, runway_seconds, SECONDS,
		"how long that lasts; credit counts until it expires", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_account, balance_alert, MONEY,
		"an event once when less than this can be spent, null for never",
		SV_UPDATE | SV_ALWAYS, .example = "20"),
	SV_FIELD(struct sv_account, limits, OBJ, "what it may have", SV_ALWAYS,
		.kind = &sv_account_limits_kind),
	SV_COMMON_ROWS(struct sv_account),
};

static int email_like(const char *s)
{
	const char *at = strchr(s, '@');

	return at && at != s && at[1] && !strchr(at + 1, '@') && !strpbrk(s, " \t\r\n") &&
	       strlen(s) <= 254;
}

static int phone_like(const char *s)
{
	size_t digits = 0;

	s += *s == '+';
	for (; *s; s++)
		if (sv_is_digit(*s))
			digits++;
		else if (*s != '-' && *s != ' ')
			return 0;
	return digits >= 5 && digits <= 15;
}

static int register_check(const void *obj, struct sv_error *err)
{
	const struct sv_account_register_body *b = obj;

	if (!b->email == !b->phone)
		return sv_err_field(err, b->phone ? "phone" : "email", "exactly_one",
			"give exactly one of email and phone");
	if (b->email && !email_like(b->email))
		return sv_err_field(err, "email", "value", "must be an e-mail address");
	if (b->phone && !phone_like(b->phone))
		return sv_err_field(err, "phone", "value", "must be a phone number");
	return SV_OK;
}

static const struct sv_field register_fields[] = {
	SV_FIELD(struct sv_account_register_body, email, STR, "e-mail address", SV_CREATE,
		.example = "me@example.com"),
	SV_FIELD(struct sv_account_register_body, phone, STR, "phone number", SV_CREATE,
		.example = "+8613800000000"),
	SV_FIELD(struct sv_account_register_body, name, STR, "name", SV_CREATE),
};
SV_KIND(sv_account_register_body_kind, struct sv_account_register_body, "account_register",
	"who registers", register_fields, .check = register_check);

static const struct sv_field registration_fields[] = {
	SV_FIELD(struct sv_account_registration, account, OBJ, "the new account", SV_ALWAYS,
		.kind = &sv_account_kind),
	SV_FIELD(struct sv_account_registration, api_key, STR, "its key, shown once",
		SV_ALWAYS | SV_SECRET),
};
SV_KIND(sv_account_registration_kind, struct sv_account_registration, "account_registration",
	"a new account and its key", registration_fields, .plural = NULL);

static int top_up_check(const void *obj, struct sv_error *err)
{
	return ((const struct sv_account_top_up_body *)obj)->amount > 0
		       ? SV_OK
		       : sv_err_field(err, "amount", "range", "must be more than 0");
}

static const struct sv_field top_up_fields[] = {
	SV_FIELD(struct sv_account_top_up_body, amount, MONEY, "how much",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "100.00"),
};
SV_KIND(sv_account_top_up_body_kind, struct sv_account_top_up_body, "account_top_up",
	"how much to pay in", top_up_fields, .check = top_up_check);

static const struct sv_verb verbs[] = {
	SV_GET_VERB("/v1/account", "show the account and its balance", &sv_account_kind),
	{ "update", SV_PATCH, "/v1/account", "change the account's name, labels or alert",
		.in = &sv_account_kind, .out = &sv_account_kind, .flags = SV_MASKED },
	{ "register", SV_POST, "/v1/account/register", "register by e-mail or phone",
		.in = &sv_account_register_body_kind, .out = &sv_account_registration_kind,
		.flags = SV_KEYED | SV_NOKEY | SV_LOCAL | SV_HAND },
	{ "top_up", SV_POST, "/v1/account/top_up", "pay in", .in = &sv_account_top_up_body_kind,
		.out = &sv_account_kind, .flags = SV_KEYED | SV_BILLS | SV_LOCAL },
	{ 0 },
};

SV_KIND(sv_account_kind, struct sv_account, "account", "who pays", fields, .plural = NULL,
	.prefix = "acc_", .verbs = verbs);
