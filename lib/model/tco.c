/* SPDX-License-Identifier: MIT */
/* Owning against renting, in integers: what is shown is rounded once. */
#include <starverse/billing.h>

#include "base/err.h"
#include "kinds/kinds.h"

__extension__ typedef __int128 wide;

#define YEAR_HOURS  8760
#define MONTH_HOURS 730                /* a twelfth of a year */
#define WHOLE       INT64_C(100000000) /* 100 % */
#define PRICE_MAX   INT64_C(1000000000000000)
#define CARDS_MAX   1000000
#define YEARS_MAX   100

/* n / d, half up, away from zero; what does not fit is counted. */
static int64_t divided(wide n, wide d, int *bad)
{
	wide v = n < 0 ? -((-n + d / 2) / d) : (n + d / 2) / d;

	*bad |= v > INT64_MAX / 2 || v < INT64_MIN / 2;
	return (int64_t)v;
}

static int64_t up(wide n, wide d, int *bad)
{
	return divided((n + d - 1) / d, 1, bad);
}

/* A part of a whole as a percentage: not known where there is no whole. */
#define SHARE(t, m, part, whole) \
	((whole) != 0 ? (void)sv_put(t, m, divided((part)*WHOLE, whole, &bad)) : sv_mark_null(t, m))

static int check(const struct sv_billing_tco_body *in, struct sv_error *err)
{
	int rc = sv_check(&sv_billing_tco_body_kind, in, SV_WALK_CREATE, err);
	const struct {
		const char *field;
		int64_t value, least, most;
	} all[] = { { "cards", in->cards, 1, CARDS_MAX }, { "years", in->years, 1, YEARS_MAX } };

	for (size_t i = 0; !rc && i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].value < all[i].least || all[i].value > all[i].most)
			rc = sv_err_field(err, all[i].field, "range", "must be 1 to %lld",
				(long long)all[i].most);
	if (!rc && (in->use_percent <= 0 || in->use_percent > WHOLE))
		rc = sv_err_field(
			err, "use_percent", "range", "must be more than 0 and at most 100");
	if (!rc && in->unit_price_per_hour > PRICE_MAX)
		rc = sv_err_field(err, "unit_price_per_hour", "range", "is too large");
	return rc;
}

/* In the first whole month, and hour, whose end finds renting no cheaper than owning. */
static void break_even(struct sv_tco *t, wide rent_month, int *bad)
{
	/* What a month of renting costs beyond a month of one's own, in hundred-millionths. */
	wide margin = rent_month - (wide)t->own_monthly * WHOLE, capex = (wide)t->own_capex * WHOLE;

	if (margin > 0) {
		sv_put(t, break_even_months, up(capex, margin, bad));
		sv_put(t, break_even_hours, up(capex * MONTH_HOURS, margin, bad));
	} else {
		sv_mark_null(t, break_even_months);
		sv_mark_null(t, break_even_hours);
	}
}

static void inputs(struct sv_tco *t, const struct sv_billing_tco_body *in)
{
	sv_put(t, own_capex, in->own_capex);
	sv_put(t, own_monthly, in->own_monthly);
	sv_put(t, cards, in->cards);
	sv_put(t, unit_price_per_hour, in->unit_price_per_hour);
	sv_put(t, years, in->years);
	sv_put(t, use_percent, in->use_percent);
	sv_put(t, currency, "CNY");
}

static int compute(struct sv_tco *t)
{
	wide hour = (wide)t->unit_price_per_hour * t->cards, hours = (wide)t->years * YEAR_HOURS;
	wide full = hour * hours, own = (wide)t->own_capex + (wide)t->own_monthly * t->years * 12;
	int bad = 0;

	sv_put(t, hours, (int64_t)hours);
	sv_put(t, own_total, divided(own, 1, &bad));
	sv_put(t, rent_total, divided(full * t->use_percent, WHOLE, &bad));
	sv_put(t, rent_monthly, divided(hour * MONTH_HOURS * t->use_percent, WHOLE, &bad));
	sv_put(t, rent_at_full_use, divided(full, 1, &bad));
	sv_put(t, saving, t->own_total - t->rent_total);
	SHARE(t, saving_percent, own * WHOLE - full * t->use_percent, own * WHOLE);
	SHARE(t, break_even_use_percent, own, full);
	break_even(t, hour * MONTH_HOURS * t->use_percent, &bad);
	if (sv_has(t, at_cost)) {
		sv_put(t, at_cost_saving, t->own_total - t->at_cost);
		SHARE(t, at_cost_saving_percent, own - t->at_cost, own);
		SHARE(t, at_cost_use_percent, (wide)t->at_cost, full);
	} else {
		sv_mark_null(t, at_cost);
		sv_mark_null(t, at_cost_saving);
		sv_mark_null(t, at_cost_saving_percent);
		sv_mark_null(t, at_cost_use_percent);
	}
	return bad;
}

int sv_billing_tco_compute(
	const struct sv_billing_tco_body *body, struct sv_tco **ret, struct sv_error *err)
{
	struct sv_billing_tco_body in = *body;
	struct sv_tco *t;
	int rc;

	sv_err_clear(err);
	if (!sv_has(body, cards) && !body->cards)
		in.cards = 1;
	if (!sv_has(body, years) && !body->years)
		in.years = 3;
	if (!sv_has(body, use_percent) && !body->use_percent)
		in.use_percent = WHOLE;
	rc = check(&in, err);
	t = rc ? NULL : sv_new(&sv_tco_kind);
	if (!t)
		return rc ? rc : sv_err(err, SV_NOMEM, "out of memory");
	inputs(t, &in);
	if ((sv_has(body, at_cost) || body->at_cost) && !sv_is_null(body, at_cost))
		sv_put(t, at_cost, body->at_cost);
	if (compute(t)) {
		sv_free(t);
		return sv_err(err, SV_INVALID, "the amounts are too large");
	}
	*ret = t;
	return SV_OK;
}
