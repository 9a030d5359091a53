/* SPDX-License-Identifier: MIT */
/* Sums and the course of a balance, from numbers that are known. */
#include "unit.h"

#include "costs.h"

#define DAY INT64_C(86400)
#define T0  INT64_C(1767225600) /* 2026-01-01 */

/* 10 are there now, after 3 of the first day, 5 of the third, and 8 paid in on the second. */
static void balances(void **state)
{
	struct cost used[] = { { .started_at = T0, .cost = 3 },
		{ .started_at = T0 + 2 * DAY, .cost = 5 } };
	struct movement paid = { T0 + DAY + 60, 8, NULL, NULL };
	const struct course c = { .now = 10,
		.moves = &paid,
		.n = 1,
		.used = { .v = used, .n = 2 },
		.by_seconds = DAY };
	static const struct {
		int64_t at, want;
	} all[] = { { T0 - 1, 10 }, { T0, 10 }, { T0 + DAY - 2, 10 },
		/* A day's last second is when its usage is used. */
		{ T0 + DAY - 1, 7 }, { T0 + DAY, 7 }, { T0 + DAY + 59, 7 }, { T0 + DAY + 60, 15 },
		{ T0 + 3 * DAY - 2, 15 }, { T0 + 3 * DAY - 1, 10 }, { T0 + 9 * DAY, 10 } };

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++)
		if (course_at(&c, all[i].at) != all[i].want)
			fail_msg("after second %+lld: %lld, not %lld", (long long)(all[i].at - T0),
				(long long)course_at(&c, all[i].at), (long long)all[i].want);
}

static void put(struct costs *c, int64_t at, const char *key, int64_t cost)
{
	c->v = mem_grow(c->v, c->n + 1, sizeof(*c->v));
	c->v[c->n++] = (struct cost){ .key = mem_dup(key, strlen(key)),
		.started_at = at,
		.cost = cost };
	c->cost += cost;
}

static void empty_stretches(void **state)
{
	struct costs c = { 0 };

	(void)state;
	put(&c, T0, "2026-01-01", 1);
	put(&c, T0 + 3 * DAY, "2026-01-04", 2);
	assert_int_equal(costs_fill(&c, DAY, 400), 0);
	assert_int_equal(c.n, 4);
	assert_string_equal(c.v[1].key, "2026-01-02");
	assert_int_equal(c.v[3].cost, 2);
	costs_free(&c);
	put(&c, T0, "2026-01-01T00", 1);
	put(&c, T0 + 2 * 3600, "2026-01-01T02", 2);
	assert_int_equal(costs_fill(&c, 3600, 400), 0);
	assert_int_equal(c.n, 3);
	assert_string_equal(c.v[1].key, "2026-01-01T01");
	costs_free(&c);
	assert_int_equal(costs_fill(&c, DAY, 400), 0);
	assert_int_equal(c.n, 0);
}

/* More days than can be shown: what is new stays, and all that was spent is still the sum. */
static void newest_days(void **state)
{
	struct costs c = { 0 };

	(void)state;
	put(&c, T0, "2026-01-01", 1);
	put(&c, T0 + 10 * DAY, "2026-01-11", 2);
	put(&c, T0 + 409 * DAY, "2027-02-14", 4);
	assert_int_equal(costs_fill(&c, DAY, 400), 1);
	assert_int_equal(c.n, 400);
	assert_string_equal(c.v[0].key, "2026-01-11");
	assert_int_equal(c.v[0].cost, 2);
	assert_string_equal(c.v[399].key, "2027-02-14");
	assert_int_equal(c.v[399].cost, 4);
	assert_int_equal(c.cost, 7);
	costs_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(balances),
		cmocka_unit_test(empty_stretches),
		cmocka_unit_test(newest_days),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
