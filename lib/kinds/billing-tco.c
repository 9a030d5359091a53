/* SPDX-License-Identifier: MIT */
/* Owning against renting: tables only. */
#include <starverse/billing.h>

#include "kinds/kinds.h"

static const struct sv_field body_fields[] = {
	SV_FIELD(struct sv_billing_tco_body, own_capex, MONEY,
		"paid once for hardware of one's own", SV_CREATE | SV_REQUIRED,
		.example = "1100000"),
	SV_FIELD(struct sv_billing_tco_body, own_monthly, MONEY,
		"power, space and people for it, a month", SV_CREATE, .example = "3500"),
	SV_FIELD(struct sv_billing_tco_body, cards, INT, "cards rented instead, 1 if not given",
		SV_CREATE, .example = "8"),
	SV_FIELD(struct sv_billing_tco_body, unit_price_per_hour, MONEY, "of renting one card",
		SV_CREATE | SV_REQUIRED, .option = "price", .example = "1.90"),
	SV_FIELD(struct sv_billing_tco_body, years, INT, "years of 8760 hours, 3 if not given",
		SV_CREATE, .example = "3"),
	SV_FIELD(struct sv_billing_tco_body, use_percent, PERCENT,
		"share of all hours in which cards are rented, 100% if not given", SV_CREATE,
		.option = "use", .example = "50"),
	SV_FIELD(struct sv_billing_tco_body, at_cost, MONEY, "a rent to compare with, too",
		SV_CREATE, .example = "340000"),
};
SV_KIND(sv_billing_tco_body_kind, struct sv_billing_tco_body, "billing_tco",
	"what is owned and what is rented", body_fields, .plural = NULL);

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_tco, own_capex, MONEY, "paid once for hardware of one's own", SV_ALWAYS),
	SV_FIELD(struct sv_tco, own_monthly, MONEY, "a month of running it", SV_ALWAYS),
	SV_FIELD(struct sv_tco, cards, INT, "cards rented instead", SV_ALWAYS),
	SV_FIELD(struct sv_tco, unit_price_per_hour, MONEY, "of renting one card", SV_ALWAYS),
	SV_FIELD(struct sv_tco, years, INT, "years of 8760 hours", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_tco, hours, INT, "hours of all the years", SV_ALWAYS),
	SV_FIELD(struct sv_tco, use_percent, PERCENT, "share of all hours", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_tco, own_total, MONEY, "what owning costs", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_tco, rent_total, MONEY, "what renting costs", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_tco, rent_monthly, MONEY, "a month of renting", SV_ALWAYS),
	SV_FIELD(struct sv_tco, rent_at_full_use, MONEY, "what renting costs at 100%", SV_ALWAYS),
	SV_FIELD(struct sv_tco, saving, MONEY, "what renting saves",
		SV_ALWAYS | SV_COL | SV_SIGNED),
	SV_FIELD(struct sv_tco, saving_percent, PERCENT, "the same as a share of owning",
		SV_ALWAYS | SV_COL | SV_SIGNED),
	SV_FIELD(struct sv_tco, break_even_use_percent, PERCENT,
		"use at which both cost the same", SV_ALWAYS),
	SV_FIELD(struct sv_tco, break_even_months, INT,
		"months after which owning is no dearer; null for never", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_tco, break_even_hours, INT, "the same in hours", SV_ALWAYS),
	SV_FIELD(struct sv_tco, at_cost, MONEY, "the rent that was asked about", SV_ALWAYS),
	SV_FIELD(struct sv_tco, at_cost_use_percent, PERCENT, "use that it pays for", SV_ALWAYS),
	SV_FIELD(struct sv_tco, at_cost_saving, MONEY, "what it saves", SV_ALWAYS | SV_SIGNED),
	SV_FIELD(struct sv_tco, at_cost_saving_percent, PERCENT, "the same as a share of owning",
		SV_ALWAYS | SV_SIGNED),
	SV_FIELD(struct sv_tco, currency, STR, "of all amounts", SV_ALWAYS),
};
SV_KIND(sv_tco_kind, struct sv_tco, "tco", "owning against renting", fields, .plural = NULL);
