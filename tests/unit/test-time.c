/* SPDX-License-Identifier: MIT */
/* RFC 3339, durations, and what people type for a time. */
#include "unit.h"

#include "base/time.h"

static void rfc3339(void **state)
{
	int64_t t = 7;
	char buf[32];

	(void)state;
	assert_int_equal(sv_parse_time("1970-01-01T00:00:00Z", &t), SV_OK);
	assert_true(t == 0);
	assert_int_equal(sv_parse_time("2024-02-29T23:59:59+08:00", &t), SV_OK);
	assert_true(t == 1709222399);
	assert_int_equal(sv_parse_time("1969-12-31T19:00:01-05:00", &t), SV_INVALID);
	assert_int_equal(sv_parse_time("1970-01-01T00:00:01-05:30", &t), SV_OK);
	assert_true(t == 19801);
	assert_int_equal(sv_parse_time("2026-11-30T05:30:24.987Z", &t), SV_OK);
	sv_print_time(t, buf, sizeof(buf));
	assert_string_equal(buf, "2026-11-30T05:30:24Z");
	t = 7;
	for (const char *const *bad = (const char *const[]){ "", "2023-02-29T00:00:00Z",
		     "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
		     "2026-01-01T00:00:00", "2026-01-01", "2026-1-1T00:00:00Z",
		     "1969-12-31T23:59:59Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx",
		     NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_time(*bad, &t), SV_INVALID);
	assert_true(t == 7);
}

/* Any second prints to text that parses to itself; the C library agrees about the date. */
static void round_trip(void **state)
{
	uint64_t seed = unit_seed();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t t = (int64_t)(unit_random(&seed) % 253402300800), again;
		char buf[32], theirs[32];
		time_t tt = (time_t)t;
		struct tm tm;

		sv_print_time(t, buf, sizeof(buf));
		strftime(theirs, sizeof(theirs), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&tt, &tm));
		assert_string_equal(buf, theirs);
		assert_int_equal(sv_parse_time(buf, &again), SV_OK);
		assert_true(again == t);
	}
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = { { "90s", 90 }, { "1h30m", 5400 }, { "1.5h", 5400 }, { "2w", 1209600 },
		{ "1d", 86400 }, { "0s", 0 } };
	int64_t v = 7;
	char buf[48];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(sv_parse_duration(good[i].text, &v), SV_OK);
		assert_true(v == good[i].seconds);
	}
	v = 7;
	for (const char *const *bad = (const char *const[]){ "", "30", "-1s", "5 m", "0x10", " 5s",
		     "5s ", "nan", "inf", "1e400", "1m1h", "1h1h", "0.3s", "s", "1.h", NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_duration(*bad, &v), SV_INVALID);
	assert_int_equal(sv_parse_duration("9223372036854775807d", &v), SV_NOMEM);
	assert_int_equal(sv_parse_duration("999999999999999999999w", &v), SV_NOMEM);
	assert_true(v == 7);
	assert_int_equal(sv_parse_duration_ms("0.4ms", &v), SV_OK);
	assert_true(v == 1); /* tiny is not nothing */
	sv_print_duration(93784, buf, sizeof(buf));
	assert_string_equal(buf, "1d2h3m4s");
	sv_print_duration(0, buf, sizeof(buf));
	assert_string_equal(buf, "0s");
}

static void when(void **state)
{
	int64_t now = 1764480624, t;

	(void)state;
	assert_int_equal(sv_parse_when("+7d", now, &t), SV_OK);
	assert_true(t == now + 7 * 86400);
	assert_int_equal(sv_parse_when("-1h", now, &t), SV_OK);
	assert_true(t == now - 3600);
	assert_int_equal(sv_parse_when("23:30", now, &t), SV_OK);
	assert_true(t > now && t <= now + 86400 + 3600);
	assert_int_equal(sv_parse_when("2026-12-31T08:00:00Z", now, &t), SV_OK);
	assert_true(t == 1798704000);
	assert_int_equal(sv_parse_when("+999999w", now, &t), SV_NOMEM);
	for (const char *const *bad =
			(const char *const[]){ "", "tomorrow", "25:00", "7d", "+7", "12:3", NULL };
		*bad; bad++)
		assert_int_equal(sv_parse_when(*bad, now, &t), SV_INVALID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rfc3339),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(durations),
		cmocka_unit_test(when),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
