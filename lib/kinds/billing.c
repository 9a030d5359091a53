/* SPDX-License-Identifier: MIT */
/* Metering, the ledger and quotes: tables only. */
#include <starverse/billing.h>

#include "kinds/kinds.h"

static const struct sv_word metered[] = {
	{ "compute", "cards of a running instance", 0 },
	{ "minimum", "rest of a shortest rental, charged once at the stop", 0 },
	{ "image", "a priced image of a running instance", 0 },
	{ "disk", "capacity of a disk", 0 },
	{ "snapshot", "capacity of a snapshot", 0 },
	{ "storage", "bytes in cloud storage", 0 },
	{ 0 },
};

static const struct sv_word charge_kinds[] = {
	{ "usage", "what a metered interval costs", 0 },
	{ "credit", "given", 0 },
	{ "top_up", "paid in", 0 },
	{ "expiry", "credit that was not used in time", 0 },
	{ "voucher", "given for a voucher", 0 },
	{ 0 },
};

static const struct sv_field usage_fields[] = {
	SV_FIELD(struct sv_usage, id, STR, "opaque identifier", SV_ID | SV_ALWAYS,
		.example = "use_000000000042"),
	SV_FIELD(struct sv_usage, resource, STR, "what was metered", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_usage, kind, STR, "compute, minimum, image, disk, snapshot or storage",
		SV_ALWAYS | SV_COL, .words = metered),
	SV_FIELD(struct sv_usage, name, STR, "its name, as it was", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage, gpu, STR, "its card, as it was", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage, started_at, TIME, "first second", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage, ended_at, TIME, "second after the last; null while it goes on",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_usage, seconds, SECONDS, "length so far", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage, price_per_hour, MONEY, "its one rate", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage, cost, MONEY, "rate times length, rounded once",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage, currency, STR, "of all amounts", SV_ALWAYS),
	SV_FIELD(struct sv_usage, labels, MAP, "its labels, as they were", SV_ALWAYS),
};
SV_KIND(sv_usage_kind, struct sv_usage, "usage", "one resource at one rate", usage_fields,
	.prefix = "use_");

#define FILTER_ROWS \
	SV_PAGE_ROWS(struct sv_usage_filter), \
		SV_FIELD(struct sv_usage_filter, since, TIME, "only what ended after", 0, \
			.example = "-7d"), \
		SV_FIELD(struct sv_usage_filter, until, TIME, "only what began before", 0), \
		SV_FIELD(struct sv_usage_filter, instance, STRS, "only of these instances", 0, \
			.ref = "instance"), \
		SV_FIELD(struct sv_usage_filter, resource, STRS, "only of these resources", 0), \
		SV_FIELD(struct sv_usage_filter, kind, STRS, "only of these kinds", 0), \
		SV_FIELD(struct sv_usage_filter, name, STRS, "only of resources with these names", \
			0), \
		SV_FIELD(struct sv_usage_filter, gpu, STRS, "only with these cards", 0, \
			.ref = "gpu"), \
		SV_FIELD(struct sv_usage_filter, job, STRS, "only of these jobs", 0), \
		SV_FIELD(struct sv_usage_filter, labels, MAP, "only with these labels", 0, \
			.option = "label")

static const struct sv_field usage_filter_fields[] = {
	FILTER_ROWS,
};
SV_KIND(sv_usage_filter_kind, struct sv_usage_filter, "usage_filter",
	"which intervals or charges to list", usage_filter_fields, .plural = NULL);

static const struct sv_field sum_filter_fields[] = {
	SV_FIELD(struct sv_usage_filter, by, STR,
		"hour, day, month, instance, resource, name, job, gpu, kind or label:KEY", 0,
		.example = "day"),
	FILTER_ROWS,
};
SV_KIND(sv_usage_sum_filter_kind, struct sv_usage_filter, "usage_sum_filter",
	"which intervals to sum up, and by what", sum_filter_fields, .plural = NULL);

static const struct sv_field sum_fields[] = {
	SV_FIELD(struct sv_usage_sum, key, STR, "id or word, or the stretch of time",
		SV_ALWAYS | SV_COL, .example = "2026-11-30"),
	SV_FIELD(struct sv_usage_sum, name, STR, "name of what key is the id of",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage_sum, started_at, TIME, "first second of the stretch of time",
		SV_ALWAYS),
	SV_FIELD(
		struct sv_usage_sum, intervals, INT, "intervals that have a part in it", SV_ALWAYS),
	SV_FIELD(struct sv_usage_sum, seconds, SECONDS,
		"length of all of them, of disks beside those of compute", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage_sum, compute_seconds, SECONDS, "length of those of compute alone",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage_sum, cost, MONEY, "what they cost", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_usage_sum, currency, STR, "of all amounts", SV_ALWAYS),
};
SV_KIND(sv_usage_sum_kind, struct sv_usage_sum, "usage_sum", "usage under one word", sum_fields,
	.plural = NULL);

static const struct sv_field charge_fields[] = {
	SV_FIELD(struct sv_charge, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "chg_000000000042"),
	SV_FIELD(struct sv_charge, time, TIME, "when", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_charge, kind, STR, "usage, credit, top_up, expiry or voucher",
		SV_ALWAYS | SV_COL, .words = charge_kinds),
	SV_FIELD(struct sv_charge, amount, MONEY, "negative takes from the balance",
		SV_ALWAYS | SV_COL | SV_SIGNED),
	SV_FIELD(struct sv_charge, currency, STR, "of all amounts", SV_ALWAYS),
	SV_FIELD(struct sv_charge, resource, STR, "what for", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_charge, interval, STR, "metered interval it belongs to",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_charge, note, STR, "for people", SV_ALWAYS | SV_PROSE | SV_COL),
	SV_FIELD(struct sv_charge, balance, MONEY, "cash and credit after it", SV_ALWAYS | SV_COL),
};
SV_KIND(sv_charge_kind, struct sv_charge, "charge", "a line of the ledger", charge_fields,
	.prefix = "chg_");

static const struct sv_field voucher_fields[] = {
	SV_FIELD(struct sv_voucher, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_COL,
		.example = "vch_7t4b2n"),
	SV_FIELD(struct sv_voucher, name, STR, "name", SV_ALWAYS | SV_COL | SV_PROSE),
	SV_FIELD(struct sv_voucher, status, STR, "active, used or expired", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_voucher, amount, MONEY, "what it was worth", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_voucher, remaining, MONEY, "what is left", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_voucher, currency, STR, "of all amounts", SV_ALWAYS),
	SV_FIELD(struct sv_voucher, expires_at, TIME, "when it ends", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_voucher, scope, STRS, "cards it pays for, empty for all",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_voucher, kinds, STRS, "kinds of usage it pays for, empty for all",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_voucher, created_at, TIME, "when it was given", SV_ALWAYS),
};
SV_KIND(sv_voucher_kind, struct sv_voucher, "voucher", "credit with an end", voucher_fields,
	.prefix = "vch_");

static const struct sv_field redeem_fields[] = {
	SV_FIELD(struct sv_billing_redeem_body, code, STR, "what the voucher says",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "WELCOME"),
};
SV_KIND(sv_billing_redeem_body_kind, struct sv_billing_redeem_body, "billing_redeem",
	"which voucher", redeem_fields, .plural = NULL);

static const struct sv_field invoice_fields[] = {
	SV_FIELD(struct sv_invoice, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_COL,
		.example = "inv_202611"),
	SV_FIELD(struct sv_invoice, period, STR, "month", SV_ALWAYS | SV_COL, .example = "2026-11"),
	SV_FIELD(struct sv_invoice, status, STR, "open or closed", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_invoice, amount, MONEY, "usage of that month", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_invoice, currency, STR, "of all amounts", SV_ALWAYS),
	SV_FIELD(struct sv_invoice, created_at, TIME, "first second of the month", SV_ALWAYS),
};
SV_KIND(sv_invoice_kind, struct sv_invoice, "invoice", "a statement of one month", invoice_fields,
	.prefix = "inv_");

static const struct sv_word quoted[] = {
	{ "instance", "a body of instance create", 0 },
	{ "disk", "a body of disk create", 0 },
	{ "group", "a body of group create", 0 },
	{ "storage", "a body of storage create", 0 },
	{ "job", "a body of job create", 0 },
	{ 0 },
};

static const struct sv_field quote_body_fields[] = {
	SV_FIELD(struct sv_billing_quote_body, kind, STR, "what would be created",
		SV_CREATE | SV_REQUIRED, .words = quoted),
	SV_FIELD(struct sv_billing_quote_body, body, JSON, "its create body",
		SV_CREATE | SV_REQUIRED),
};
SV_KIND(sv_billing_quote_body_kind, struct sv_billing_quote_body, "billing_quote", "what to price",
	quote_body_fields, .plural = NULL);

static const struct sv_field item_fields[] = {
	SV_FIELD(struct sv_quote_item, item, STR,
		"accelerator, image, system_disk, disk, storage or discount", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote_item, description, STR, "for people",
		SV_ALWAYS | SV_PROSE | SV_COL),
	SV_FIELD(struct sv_quote_item, quantity, INT, "cards, GiB or 1", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote_item, unit_price_per_hour, MONEY, "of one",
		SV_ALWAYS | SV_COL | SV_SIGNED),
	SV_FIELD(struct sv_quote_item, price_per_hour, MONEY, "of all",
		SV_ALWAYS | SV_COL | SV_SIGNED),
};
SV_KIND(sv_quote_item_kind, struct sv_quote_item, "quote_item", "one item of a quote", item_fields,
	.plural = NULL);

static const struct sv_field quote_fields[] = {
	SV_FIELD(struct sv_quote, kind, STR, "what would be created", SV_ALWAYS),
	SV_FIELD(struct sv_quote, items, LIST, "what it consists of", SV_ALWAYS,
		.kind = &sv_quote_item_kind),
	SV_FIELD(struct sv_quote, price_per_hour, MONEY, "all of it, while running",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, price_per_day, MONEY, "a day of it, while running",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, residual_price_per_day, MONEY, "a day of it, while stopped",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, minimum_seconds, SECONDS, "shortest rental, billed in any case",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, minimum_charge, MONEY, "what a start costs at least",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, currency, STR, "of all amounts", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, available, BOOL, "could be created now", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_quote, runway_seconds, SECONDS, "how long the balance would last",
		SV_ALWAYS | SV_COL),
};
SV_KIND(sv_quote_kind, struct sv_quote, "quote", "what something would cost", quote_fields,
	.plural = NULL);

/* A part of what GET /v1/account answers. */
static const struct sv_field fields[] = {
	SV_FIELD(struct sv_billing, balance, OBJ, "money", SV_ALWAYS | SV_COL,
		.kind = &sv_account_balance_kind),
	SV_FIELD(struct sv_billing, burn_rate_per_hour, MONEY, "what accrues now",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_billing, runway_seconds, SECONDS,
		"how long that lasts; credit counts until it expires", SV_ALWAYS | SV_COL),
};

static const struct sv_verb verbs[] = {
	{ "balance", SV_GET, "/v1/account", "show the balance and how long it lasts",
		.out = &sv_billing_kind },
	{ "usage", SV_GET, "/v1/billing/usage", "list every metered second",
		.query = &sv_usage_filter_kind, .out = &sv_usage_kind, .flags = SV_MANY },
	{ "sums", SV_GET, "/v1/billing/usage/sums", "sum usage up by time or by what it is",
		.query = &sv_usage_sum_filter_kind, .out = &sv_usage_sum_kind,
		.flags = SV_MANY },
	{ "charges", SV_GET, "/v1/billing/charges", "list the lines of the ledger",
		.query = &sv_usage_filter_kind, .out = &sv_charge_kind, .flags = SV_MANY },
	{ "vouchers", SV_GET, "/v1/billing/vouchers", "list vouchers", .query = &sv_page_query_kind,
		.out = &sv_voucher_kind, .flags = SV_MANY },
	{ "redeem", SV_POST, "/v1/billing/vouchers", "turn a voucher's code into credit",
		.in = &sv_billing_redeem_body_kind, .out = &sv_voucher_kind, .flags = SV_KEYED },
	{ "invoices", SV_GET, "/v1/billing/invoices", "list statements by month",
		.query = &sv_page_query_kind, .out = &sv_invoice_kind, .flags = SV_MANY },
	{ "quote", SV_POST, "/v1/billing/quote", "price something without creating it",
		.in = &sv_billing_quote_body_kind, .out = &sv_quote_kind, .flags = SV_HAND },
	{ "tco", SV_POST, "/v1/billing/tco", "compare owning with renting",
		.in = &sv_billing_tco_body_kind, .out = &sv_tco_kind, .flags = SV_HAND },
	{ 0 },
};

SV_KIND(sv_billing_kind, struct sv_billing, "billing", "what was metered, charged and promised",
	fields, .plural = NULL, .verbs = verbs);
