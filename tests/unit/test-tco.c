/* SPDX-License-Identifier: MIT */
/* Owning against renting: every figure was computed by hand, with paper's exactness. */
#include "unit.h"

#include <starverse/billing.h>

#define YUAN    INT64_C(1000000)
#define PERCENT INT64_C(1000000)

static struct sv_tco *computed(const struct sv_billing_tco_body *in)
{
	struct sv_tco *t = NULL;
	struct sv_error err;

	if (sv_billing_tco_compute(in, &t, &err) != SV_OK)
		fail_msg("%s", err.message);
	return t;
}

static void article(void **state)
{
	const struct sv_billing_tco_body in = { .own_capex = 1100000 * YUAN,
		.own_monthly = 3500 * YUAN,
		.cards = 8,
		.unit_price_per_hour = 1900000,
		.years = 3,
		.use_percent = 50 * PERCENT,
		.at_cost = 340000 * YUAN };
	struct sv_tco *t = computed(&in);

	(void)state;
	assert_int_equal(t->hours, 26280);
	assert_int_equal(t->own_total, 1226000 * YUAN);
	assert_int_equal(t->rent_total, 199728 * YUAN);
	assert_int_equal(t->rent_monthly, 5548 * YUAN);
	assert_int_equal(t->rent_at_full_use, 399456 * YUAN);
	assert_int_equal(t->saving, 1026272 * YUAN);
	assert_int_equal(t->saving_percent, 83708972);
	assert_int_equal(t->break_even_use_percent, 306917408);
	/* 1,100,000 by 5548 - 3500 a month: 537.1 months, 392,089.8 hours. */
	assert_int_equal(t->break_even_months, 538);
	assert_int_equal(t->break_even_hours, 392090);
	assert_int_equal(t->at_cost_use_percent, 85115757);
	assert_int_equal(t->at_cost_saving, 886000 * YUAN);
	assert_int_equal(t->at_cost_saving_percent, 72267537);
	sv_free(t);
}

static void other_inputs(void **state)
{
	const struct sv_billing_tco_body in = { .own_capex = 1000000 * YUAN,
		.own_monthly = 3000 * YUAN,
		.cards = 4,
		.unit_price_per_hour = 2500000,
		.years = 3,
		.use_percent = 50 * PERCENT };
	struct sv_tco *t = computed(&in);

	(void)state;
	assert_int_equal(t->own_total, 1108000 * YUAN);
	assert_int_equal(t->rent_total, 131400 * YUAN);
	assert_int_equal(t->saving, 976600 * YUAN);
	assert_int_equal(t->saving_percent, 88140794);
	assert_int_equal(t->break_even_months, 1539);
	assert_int_equal(t->break_even_hours, 1123077);
	assert_true(sv_is_null(t, at_cost) && sv_is_null(t, at_cost_saving_percent));
	sv_free(t);
}

/* What is not said: one card, three years, all hours, nothing a month. */
static void defaults(void **state)
{
	const struct sv_billing_tco_body in = {
		.own_capex = 26280 * YUAN, .unit_price_per_hour = 2 * YUAN
	};
	struct sv_tco *t = computed(&in);

	(void)state;
	assert_int_equal(t->cards, 1);
	assert_int_equal(t->years, 3);
	assert_int_equal(t->use_percent, 100 * PERCENT);
	assert_int_equal(t->rent_total, 52560 * YUAN);
	/* Renting is dearer, and says so with a minus. */
	assert_int_equal(t->saving, -26280 * YUAN);
	assert_int_equal(t->saving_percent, -100 * PERCENT);
	assert_int_equal(t->break_even_months, 18);
	assert_int_equal(t->break_even_hours, 13140);
	sv_free(t);
}

/* 3 x 0.000001 an hour in a third of 8760 hours: rounded once, half up. */
static void rounding(void **state)
{
	struct sv_billing_tco_body in = { .own_capex = 1, .cards = 1, .unit_price_per_hour = 1,
		.years = 1, .use_percent = 5707 };
	struct sv_tco *t = computed(&in);

	(void)state;
	assert_int_equal(t->rent_total, 0); /* 0.4999332 micro-yuan */
	sv_free(t);
	in.use_percent = 5708;
	t = computed(&in);
	assert_int_equal(t->rent_total, 1); /* 0.5000208 */
	sv_free(t);
}

static void never(void **state)
{
	const struct sv_billing_tco_body in = { .own_capex = YUAN,
		.own_monthly = 1460 * YUAN,
		.unit_price_per_hour = 2 * YUAN };
	struct sv_tco *t = computed(&in);

	(void)state;
	/* 730 hours at 2 are the 1460 that a month of one's own costs: the 1 is never won back. */
	assert_true(sv_is_null(t, break_even_months) && sv_is_null(t, break_even_hours));
	sv_free(t);
}

static void refusals(void **state)
{
	static const struct {
		struct sv_billing_tco_body in;
		const char *field;
	} bad[] = {
		{ { .own_capex = 1, .unit_price_per_hour = 1, .cards = -1 }, "cards" },
		{ { .own_capex = 1, .unit_price_per_hour = 1, .cards = 1000001 }, "cards" },
		{ { .own_capex = 1, .unit_price_per_hour = 1, .years = 101 }, "years" },
		{ { .own_capex = 1, .unit_price_per_hour = 1, .use_percent = 100000001 },
			"use_percent" },
		{ { .own_capex = 1, .unit_price_per_hour = 1, .use_percent = -1 }, "use_percent" },
		{ { .own_capex = 1, .unit_price_per_hour = INT64_MAX }, "unit_price_per_hour" },
		{ { .own_capex = 1 }, "unit_price_per_hour" },
		{ { .unit_price_per_hour = 1 }, "own_capex" },
		{ { .own_capex = INT64_MAX / 2, .own_monthly = INT64_MAX / 2,
			  .unit_price_per_hour = 1 },
			NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sv_tco *t = NULL;
		struct sv_error err;

		assert_int_equal(sv_billing_tco_compute(&bad[i].in, &t, &err), SV_INVALID);
		assert_null(t);
		assert_int_equal(err.n_errors, bad[i].field ? 1 : 0);
		if (bad[i].field)
			assert_string_equal(err.errors[0].field, bad[i].field);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(article),
		cmocka_unit_test(other_inputs),
		cmocka_unit_test(defaults),
		cmocka_unit_test(rounding),
		cmocka_unit_test(never),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
