/* SPDX-License-Identifier: MIT */
/* The retry rules as a table, and Retry-After in every form. */
#include "unit.h"

#include "base/limits.h"
#include "net/retry.h"

struct row {
	const char *what;
	struct sv_retry in;
	int64_t least, most; /* of the wait; -1: stops */
};

#define LIKE(attempt_, most_, after_, left_) \
	.attempt = attempt_, .most = most_, .retry_after_ms = after_, .left_ms = left_, \
	.chance = 4294967295u
#define BASE LIKE(1, 4, -1, 60000)
#define STOP -1, -1

static const struct row rows[] = {
	{ "503 of a GET", { BASE, .repeatable = 1, .sent = 1, .status = 503 }, 0, 250 },
	{ "500 too", { BASE, .repeatable = 1, .sent = 1, .status = 500 }, 0, 250 },
	{ "502 too", { BASE, .repeatable = 1, .sent = 1, .status = 502 }, 0, 250 },
	{ "599 too", { BASE, .repeatable = 1, .sent = 1, .status = 599 }, 0, 250 },
	{ "408 too", { BASE, .repeatable = 1, .sent = 1, .status = 408 }, 0, 250 },
	{ "425 too", { BASE, .repeatable = 1, .sent = 1, .status = 425 }, 0, 250 },
	{ "429 too", { BASE, .repeatable = 1, .sent = 1, .status = 429 }, 0, 250 },
	{ "501 never", { BASE, .repeatable = 1, .sent = 1, .status = 501 }, STOP },
	{ "404 never", { BASE, .repeatable = 1, .sent = 1, .status = 404 }, STOP },
	{ "409 never", { BASE, .repeatable = 1, .sent = 1, .status = 409 }, STOP },
	{ "409 while the first runs",
		{ BASE, .repeatable = 1, .sent = 1, .status = 409, .in_progress = 1 }, 0, 250 },
	{ "422 never", { BASE, .repeatable = 1, .sent = 1, .status = 422 }, STOP },
	{ "200 never", { BASE, .repeatable = 1, .sent = 1, .status = 200 }, STOP },
	{ "503 of a POST without a key", { BASE, .sent = 1, .status = 503 }, STOP },
	{ "429 of a POST without a key", { BASE, .sent = 1, .status = 429 }, STOP },
	{ "no connection, even for a POST", { BASE, .result = SV_NET }, 0, 250 },
	{ "answer lost, POST without a key", { BASE, .sent = 1, .result = SV_NET }, STOP },
	{ "answer lost, repeatable", { BASE, .repeatable = 1, .sent = 1, .result = SV_NET }, 0,
		250 },
	{ "certificate refused", { BASE, .repeatable = 1, .final = 1, .result = SV_NET }, STOP },
	{ "answer not understood", { BASE, .repeatable = 1, .sent = 1, .result = SV_PROTO }, STOP },
	{ "given up", { BASE, .repeatable = 1, .sent = 1, .result = SV_CANCELED }, STOP },
	{ "attempts used up", { LIKE(5, 4, -1, 60000), .repeatable = 1, .sent = 1, .status = 503 },
		STOP },
	{ "the last attempt", { LIKE(4, 4, -1, 60000), .repeatable = 1, .sent = 1, .status = 503 },
		0, 2000 },
	{ "no retries wanted", { LIKE(1, 0, -1, 60000), .repeatable = 1, .sent = 1, .status = 503 },
		STOP },
	{ "Retry-After wins",
		{ LIKE(1, 4, 3000, 60000), .repeatable = 1, .sent = 1, .status = 429 }, 3000,
		3000 },
	{ "Retry-After 0", { LIKE(1, 4, 0, 60000), .repeatable = 1, .sent = 1, .status = 429 }, 0,
		0 },
	{ "beyond the deadline",
		{ LIKE(1, 4, 3600000, 60000), .repeatable = 1, .sent = 1, .status = 429 }, STOP },
	{ "no time left", { LIKE(1, 4, -1, 0), .repeatable = 1, .sent = 1, .status = 503 }, STOP },
	{ "late by now", { LIKE(1, 4, -1, -5), .repeatable = 1, .sent = 1, .status = 503 }, STOP },
};

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t wait = sv_retry_wait(&rows[i].in);

		if (wait < rows[i].least || wait > rows[i].most)
			fail_msg("%s: %lld", rows[i].what, (long long)wait);
	}
}

/* Full jitter: from 0 to a bound that doubles up to 8 s, and every part of it is used. */
static void jitter(void **state)
{
	static const int64_t bounds[] = { 250, 500, 1000, 2000, 4000, 8000, 8000, 8000 };
	uint64_t seed = unit_seed();

	(void)state;
	for (int a = 1; a <= 8; a++) {
		int64_t low = INT64_MAX, high = -1;

		for (int i = 0; i < 3000; i++) {
			struct sv_retry r = { BASE, .repeatable = 1, .sent = 1, .status = 503 };
			int64_t wait;

			r.attempt = a;
			r.most = 100;
			r.chance = (uint32_t)unit_random(&seed);
			wait = sv_retry_wait(&r);
			low = wait < low ? wait : low;
			high = wait > high ? wait : high;
		}
		assert_true(low >= 0 && low < bounds[a - 1] / 20);
		assert_true(high <= bounds[a - 1] && high > bounds[a - 1] - bounds[a - 1] / 20);
	}
}

#define NOW INT64_C(784111777) /* Sun, 06 Nov 1994 08:49:37 GMT */

static const struct {
	const char *value, *date;
	int64_t want;
} afters[] = {
	{ "2", NULL, 2000 },
	{ "0", NULL, 0 },
	{ "3600", NULL, 3600000 },
	{ "Sun, 06 Nov 1994 08:49:40 GMT", NULL, 3000 },
	{ "Sunday, 06-Nov-94 08:49:40 GMT", NULL, 3000 },
	{ "Sun Nov  6 08:49:40 1994", NULL, 3000 },
	{ "Tue, 29 Feb 2000 00:00:00 GMT", NULL, (INT64_C(951782400) - NOW) * 1000 },
	{ "Friday, 01-Jan-27 00:00:00 GMT", NULL, (INT64_C(1798761600) - NOW) * 1000 },
	/* The answer's own clock counts, not ours. */
	{ "Sun, 06 Nov 1994 10:00:05 GMT", "Sun, 06 Nov 1994 10:00:00 GMT", 5000 },
	{ "Sun, 06 Nov 1994 10:00:05 GMT", "never", (INT64_C(784116005) - NOW) * 1000 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT", NULL, -1 },
	{ "Sun, 06 Nov 1994 08:49:30 GMT", NULL, -1 },
	{ "-5", NULL, -1 },
	{ "+5", NULL, -1 },
	{ "abc", NULL, -1 },
	{ "", NULL, -1 },
	{ "2.5", NULL, -1 },
	{ "5 s", NULL, -1 },
	{ "Sun, 06 Nov 1994 08:49:40", NULL, -1 },
	{ "Sun, 06 Foo 1994 08:49:40 GMT", NULL, -1 },
	{ "Sun, 06 Nov 1994 24:49:40 GMT", NULL, -1 },
	{ "Sun, 06 Nov 1994 08:49:40 CET", NULL, -1 },
	{ "Sun, ", NULL, -1 },
	{ ",", NULL, -1 },
	{ NULL, NULL, -1 },
};

static void retry_after(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(afters) / sizeof(afters[0]); i++) {
		int64_t got = sv_retry_after(afters[i].value, afters[i].date, NOW);

		if (got != afters[i].want)
			fail_msg("%s: %lld", afters[i].value ? afters[i].value : "none",
				(long long)got);
	}
	/* Far away, and never wrapped. */
	assert_true(sv_retry_after("99999999999999999999", NULL, NOW) > INT64_C(1000000000000));
	assert_true(sv_retry_after("18446744073709551617", NULL, NOW) > INT64_C(1000000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(jitter),
		cmocka_unit_test(retry_after),
	};

	return cmocka_run_group_tests_name("retry", tests, NULL, NULL);
}
