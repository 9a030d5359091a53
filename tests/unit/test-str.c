/* SPDX-License-Identifier: MIT */
/* Strict numbers, money, sizes, UTF-8: what is taken, what is refused, and that nothing obeys the
 * locale. */
#include "unit.h"

#include <locale.h>

#include "base/str.h"

static void ints(void **state)
{
	int64_t v = 7;

	(void)state;
	assert_int_equal(sv_parse_int("9223372036854775807", &v), SV_OK);
	assert_true(v == INT64_MAX);
	assert_int_equal(sv_parse_int("-9223372036854775808", &v), SV_OK);
	assert_true(v == INT64_MIN);
	v = 7;
	assert_int_equal(sv_parse_int("9223372036854775808", &v), SV_NOMEM);
	for (const char *const *bad = (const char *const[]){ "", "-", "+1", " 1", "1 ", "0x10",
		     "1e3", "1.0", "--1", NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_int(*bad, &v), SV_INVALID);
	assert_true(v == 7);
}

static void numbers(void **state)
{
	char buf[40];
	double v;

	(void)state;
	assert_int_equal(sv_parse_num("-1.5e2", &v), SV_OK);
	assert_true(v == -150);
	for (const char *const *bad = (const char *const[]){ "", "nan", "inf", "0x1", "1.", ".5",
		     "01", "1e", "1e400", "1,5", NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_num(*bad, &v), SV_INVALID);
	sv_print_num(0.1, buf, sizeof(buf));
	assert_string_equal(buf, "0.1");
	sv_print_num(1.0 / 3, buf, sizeof(buf));
	assert_int_equal(sv_parse_num(buf, &v), SV_OK);
	assert_true(v == 1.0 / 3);
}

/* Only where such a locale exists; everything else here still holds then. */
static void comma_locale(void **state)
{
	char buf[40];
	double v = 0;

	(void)state;
	if (getenv("SV_TEST_LOCALES"))
		setenv("LOCPATH", getenv("SV_TEST_LOCALES"), 1);
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
		print_message("# no such locale here\n");
		return;
	}
	assert_int_equal(sv_parse_num("1.5", &v), SV_OK);
	assert_true(v == 1.5);
	sv_print_num(0.43, buf, sizeof(buf));
	assert_string_equal(buf, "0.43");
	setlocale(LC_NUMERIC, "C");
}

static void money(void **state)
{
	static const struct {
		const char *text;
		int64_t micro;
	} good[] = {
		{ "0", 0 },
		{ "56.00", 56000000 },
		{ "0.015556", 15556 },
		{ "-0.000001", -1 },
		{ "1.9", 1900000 },
		{ "9223372036854.775807", INT64_MAX },
		{ "123456789012.345678", INT64_C(123456789012345678) },
	};
	int64_t v = 7;
	char buf[32];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(sv_parse_money(good[i].text, &v), SV_OK);
		assert_true(v == good[i].micro);
	}
	v = 7;
	for (const char *const *bad = (const char *const[]){ "", ".", "1.", ".5", "1.0000001",
		     "1e-7", "+1", "1,5", " 1", "1 ", "0.01999999999999999872", NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_money(*bad, &v), SV_INVALID);
	assert_int_equal(sv_parse_money("9223372036854.775808", &v), SV_NOMEM);
	assert_true(v == 7);
	sv_print_money(56000000, buf, sizeof(buf));
	assert_string_equal(buf, "56.00");
	sv_print_money(15556, buf, sizeof(buf));
	assert_string_equal(buf, "0.015556");
	sv_print_money(-1500000, buf, sizeof(buf));
	assert_string_equal(buf, "-1.50");
	sv_print_money(100, buf, sizeof(buf));
	assert_string_equal(buf, "0.0001");
	sv_print_money6(INT64_MIN, buf, sizeof(buf));
	assert_string_equal(buf, "-9223372036854.775808");
}

/* Every amount prints to text that parses to itself, in both forms. */
static void money_round_trip(void **state)
{
	uint64_t seed = unit_seed();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t v = (int64_t)(unit_random(&seed) >> (unit_random(&seed) % 60 + 1)), again;
		char buf[32];

		if (i & 1)
			v = -v;
		sv_print_money(v, buf, sizeof(buf));
		assert_int_equal(sv_parse_money(buf, &again), SV_OK);
		assert_true(again == v);
		sv_print_money6(v, buf, sizeof(buf));
		assert_int_equal(sv_parse_money(buf, &again), SV_OK);
		assert_true(again == v);
	}
}

static void charges(void **state)
{
	int64_t v = 0;

	(void)state;
	assert_int_equal(sv_charge(56000000, 1, &v), SV_OK);
	assert_true(v == 15556);
	assert_int_equal(sv_charge(56000000, 7, &v), SV_OK);
	assert_true(v == 108889);
	assert_int_equal(sv_charge(56000000, 3600, &v), SV_OK);
	assert_true(v == 56000000);
	assert_int_equal(sv_charge(56000000, 642, &v), SV_OK);
	assert_true(v == 9986667);
	assert_int_equal(sv_charge(56000000, 6, &v), SV_OK);
	assert_true(v == 93333);
	assert_int_equal(sv_charge(1800, 1, &v), SV_OK);
	assert_true(v == 1); /* half goes up */
	assert_int_equal(sv_charge(1799, 1, &v), SV_OK);
	assert_true(v == 0);
	assert_int_equal(sv_charge(INT64_MAX, INT64_MAX, &v), SV_NOMEM);
	assert_int_equal(sv_charge(-1, 1, &v), SV_INVALID);
}

/* 2 x charge lies within one unit of 2 x rate x seconds / 3600, for whatever is drawn. */
static void charge_is_nearest(void **state)
{
	uint64_t seed = unit_seed();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t rate = (int64_t)(unit_random(&seed) % 1000000000),
			sec = (int64_t)(unit_random(&seed) % 100000000), v;
		int64_t exact = rate * (sec / 3600), rest = rate * (sec % 3600);

		assert_int_equal(sv_charge(rate, sec, &v), SV_OK);
		v = (v - exact) * 3600 - rest;
		assert_true(v <= 1800 && v > -1800);
	}
}

static void bytes(void **state)
{
	int64_t v = 7;

	(void)state;
	assert_int_equal(sv_parse_bytes("40", INT64_C(1) << 30, &v), SV_OK);
	assert_true(v == INT64_C(40) << 30);
	assert_int_equal(sv_parse_bytes("1.5TiB", 1, &v), SV_OK);
	assert_true(v == INT64_C(3) << 39);
	assert_int_equal(sv_parse_bytes("10MB", 1, &v), SV_OK);
	assert_true(v == 10000000);
	assert_int_equal(sv_parse_bytes("9999999999T", 1, &v), SV_NOMEM);
	for (const char *const *bad = (const char *const[]){ "", "-1", "5 GiB", "5gib", "5X", "1.",
		     "0.3B", "1e3", NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_bytes(*bad, 1, &v), SV_INVALID);
}

static void utf8(void **state)
{
	(void)state;
	assert_true(sv_utf8_valid("a\xc3\xa9\xe4\xb8\xad\xf0\x9f\x9a\x80", 10));
	assert_false(sv_utf8_valid("\xc0\x80", 2));
	assert_false(sv_utf8_valid("\xed\xa0\x80", 3));
	assert_false(sv_utf8_valid("\xf4\x90\x80\x80", 4));
	assert_false(sv_utf8_valid("\xe4\xb8", 2));
	assert_false(sv_utf8_valid("\xff\xfe", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ints),
		cmocka_unit_test(numbers),
		cmocka_unit_test(comma_locale),
		cmocka_unit_test(money),
		cmocka_unit_test(money_round_trip),
		cmocka_unit_test(charges),
		cmocka_unit_test(charge_is_nearest),
		cmocka_unit_test(bytes),
		cmocka_unit_test(utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
