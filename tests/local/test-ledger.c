/* SPDX-License-Identifier: MIT */
/* Money to the micro-yuan. Expected figures are written by hand or computed here anew, never by the
 * ledger's own arithmetic. */
#include "ledger-world.h"

__extension__ typedef __int128 wide;

static struct meter compute(int64_t rate)
{
	return (struct meter){ .account = "acc",
		.resource = "ins_1",
		.kind = "compute",
		.name = "one",
		.gpu = "rtx-4090",
		.rate_per_hour = rate };
}

static struct meter disk(int64_t per_month)
{
	return (struct meter){ .account = "acc",
		.resource = "dsk_1",
		.kind = "disk",
		.name = "data",
		.rate_per_month = per_month };
}

static int64_t run_for(struct world *w, int64_t rate, int64_t seconds, int64_t dies_at)
{
	struct meter m = compute(rate);
	int64_t before =
		sum_of(w, "SELECT coalesce(sum(amount), 0) FROM ledger WHERE kind = 'usage'");

	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	if (dies_at) {
		assert_int_equal(ledger_post(w->l, T0 + dies_at), SV_OK);
		die(w);
	}
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + seconds), SV_OK);
	verified(w);
	return before -
	       sum_of(w, "SELECT coalesce(sum(amount), 0) FROM ledger WHERE kind = 'usage'");
}

static void charges_are_exact(void **state)
{
	static const struct {
		int64_t rate, seconds, charge;
	} rows[] = {
		{ 56 * YUAN, 3600, 56000000 },
		{ 56 * YUAN, 1, 15556 },
		{ 56 * YUAN, 7, 108889 },
		{ 56 * YUAN, 0, 0 },
		{ 56 * YUAN, 642, 9986667 },
		{ 56 * YUAN, 6, 93333 },
		{ 14 * YUAN, 3601, 14003889 },
		{ 1900000, 1, 528 },
		{ 700000, 3600, 700000 },
		/* half a micro-yuan goes up, less goes down */
		{ 1800, 1, 1 },
		{ 1799, 1, 0 },
		{ 5400, 1, 2 },
		{ 0, 100000, 0 },
	};
	struct world *w = *state;

	assert_int_equal(ledger_top_up(w->l, "acc", 1000 * YUAN, T0, NULL), SV_OK);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(run_for(w, rows[i].rate, rows[i].seconds, 0), rows[i].charge);
		if (rows[i].seconds > 3)
			assert_int_equal(
				run_for(w, rows[i].rate, rows[i].seconds, 3), rows[i].charge);
	}
}

static void monthly_prices_are_exact(void **state)
{
	struct world *w = *state;
	struct meter m = disk(30 * 350000); /* 30 GiB at 0.35 */

	assert_int_equal(ledger_top_up(w->l, "acc", 100 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_cost(w->l, "dsk_1", T0 + 1), 4); /* 4.05 */
	assert_int_equal(ledger_cost(w->l, "dsk_1", T0 + 86400), 350000);
	assert_int_equal(ledger_post(w->l, T0 + 1000003), SV_OK);
	assert_int_equal(ledger_close(w->l, "dsk_1", "disk", T0 + 30 * 86400), SV_OK);
	assert_int_equal(ledger_cost(w->l, "dsk_1", T0 + 40 * 86400), 10500000);
	verified(w);
}

static void posts_sum_to_one_charge(void **state)
{
	struct world *w = *state;
	struct meter m = compute(56 * YUAN);

	assert_int_equal(ledger_top_up(w->l, "acc", 100 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	for (int64_t t = 1; t <= 7; t++) {
		assert_int_equal(ledger_post(w->l, T0 + t), SV_OK);
		verified(w);
	}
	assert_int_equal(ledger_close(w->l, "ins_1", "compute", T0 + 7), SV_OK);
	assert_int_equal(ledger_close(w->l, "ins_1", "compute", T0 + 9), SV_OK);
	assert_int_equal(sum_of(w, "SELECT -sum(amount) FROM ledger WHERE kind = 'usage'"), 108889);
	assert_int_equal(sum_of(w, "SELECT count(*) FROM ledger WHERE kind = 'usage'"), 7);
}

static void a_change_of_rate_splits(void **state)
{
	struct world *w = *state;
	struct meter m = compute(56 * YUAN);

	assert_int_equal(ledger_top_up(w->l, "acc", 100 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0 + 3), SV_OK); /* the same: nothing happens */
	m.rate_per_hour = 14 * YUAN;
	assert_int_equal(ledger_meter(w->l, &m, T0 + 7), SV_OK);
	assert_int_equal(ledger_started_at(w->l, "ins_1"), T0);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 8), SV_OK);
	assert_int_equal(ledger_started_at(w->l, "ins_1"), 0);
	assert_int_equal(sum_of(w, "SELECT count(*) FROM metered"), 2);
	assert_int_equal(sum_of(w, "SELECT count(*) FROM metered WHERE began = 1790000007"
				   " AND ended = 1790000008 AND posted = 3889"),
		1);
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 100), 108889 + 3889);
	verified(w);
}

static int64_t due_of(struct world *w, const char *resource, const char *cause)
{
	sqlite3_stmt *st =
		store_stmt(w->s, "SELECT at FROM due WHERE resource = ?1 AND cause = ?2");
	int64_t at = -1;

	sqlite3_bind_text(st, 1, resource, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, cause, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		at = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return at;
}

static void balance_ends_at_its_second(void **state)
{
	struct world *w = *state;
	struct meter m = compute(56 * YUAN);
	struct balance b;
	int64_t at;

	assert_int_equal(ledger_credit(w->l, "acc", 10 * YUAN, T0, -1, "trial"), SV_OK);
	assert_int_equal(ledger_exhausted_at(w->l, "acc", T0, &at), SV_OK);
	assert_int_equal(at, -1);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_exhausted_at(w->l, "acc", T0, &at), SV_OK);
	assert_int_equal(at, T0 + 642);
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 642);
	assert_int_equal(ledger_cap_at(w->l, "ins_1", 100000, T0), T0 + 6);
	/* The daemon wakes an hour late and asks everything before it stops anything. */
	assert_int_equal(ledger_account(w->l, "acc", T0 + 4242, &b), SV_OK);
	assert_int_equal(b.available, 13333);
	assert_int_equal(b.runway_seconds, 0);
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 4242), 9986667);
	assert_int_equal(ledger_post(w->l, T0 + 4242), SV_OK);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 4242), SV_OK);
	assert_int_equal(ledger_account(w->l, "acc", T0 + 4242, &b), SV_OK);
	assert_int_equal(b.credit, 13333);
	assert_int_equal(b.cash, 0);
	assert_int_equal(ledger_exhausted_at(w->l, "acc", T0 + 4242, &at), SV_OK);
	assert_int_equal(at, -1);
	assert_int_equal(due_of(w, "acc", "arrears"), -1);
	verified(w);
}

static void balance_counts_what_is_open(void **state)
{
	struct world *w = *state;
	struct meter m = compute(36 * YUAN),
		     d = disk(2592 * YUAN); /* 0.010000 and 0.001000 a second */
	struct balance b;

	assert_int_equal(ledger_top_up(w->l, "acc", 11 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_meter(w->l, &d, T0), SV_OK);
	assert_int_equal(ledger_account(w->l, "acc", T0 + 100, &b), SV_OK);
	assert_int_equal(b.cash, 11 * YUAN);
	assert_int_equal(b.available, 9900000);
	assert_int_equal(b.burn_rate_per_hour, 39600000);
	assert_int_equal(b.runway_seconds, 900);
	assert_int_equal(b.arrears, 0);
	assert_int_equal(ledger_post(w->l, T0 + 100), SV_OK);
	assert_int_equal(ledger_account(w->l, "acc", T0 + 100, &b), SV_OK);
	assert_int_equal(b.cash, 9900000);
	assert_int_equal(b.available, 9900000);
}

/* Many start one after another: the due second stays before the end, and the end is exact when
 * asked. */
static void many_share_one_balance(void **state)
{
	struct world *w = *state;
	struct meter m = compute(14 * YUAN);
	int64_t at, cost = 0;
	char id[32];

	m.resource = id;
	assert_int_equal(ledger_top_up(w->l, "acc", 100000 * YUAN, T0, NULL), SV_OK);
	for (int i = 0; i < 500; i++) {
		snprintf(id, sizeof(id), "ins_%d", i);
		assert_int_equal(ledger_meter(w->l, &m, T0 + i), SV_OK);
	}
	assert_true(due_of(w, "acc", "arrears") > T0 + 500);
	assert_true(due_of(w, "acc", "arrears") <= T0 + 51678);
	/* 7,000 an hour: 51,428 s, and the average start was 249.5 s late; rounding decides the
	 * second. */
	assert_int_equal(ledger_exhausted_at(w->l, "acc", T0, &at), SV_OK);
	assert_int_equal(at, T0 + 51678);
	assert_int_equal(due_of(w, "acc", "arrears"), at);
	for (int i = 0; i < 500; i++) {
		snprintf(id, sizeof(id), "ins_%d", i);
		assert_int_equal(ledger_close(w->l, id, NULL, at), SV_OK);
		cost += (int64_t)(((wide)14 * YUAN * (51678 - i) + 1800) / 3600);
	}
	assert_int_equal(sum_of(w, "SELECT -sum(amount) FROM ledger WHERE kind = 'usage'"), cost);
	assert_true(cost <= 100000 * YUAN && cost + 500 * 3889 > 100000 * YUAN);
	assert_int_equal(due_of(w, "acc", "arrears"), -1);
	verified(w);
}

static void credit_goes_first_and_expires(void **state)
{
	struct world *w = *state;
	struct meter m = compute(36 * YUAN);
	struct balance b;

	assert_int_equal(ledger_top_up(w->l, "acc", 1 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_credit(w->l, "acc", 2 * YUAN, T0, -1, NULL), SV_OK);
	assert_int_equal(ledger_credit(w->l, "acc", 3 * YUAN, T0, T0 + 200, NULL), SV_OK);
	assert_int_equal(ledger_credit(w->l, "acc", 3 * YUAN, T0, T0 + 100, NULL), SV_OK);
	assert_int_equal(due_of(w, "acc", "credit"), T0 + 100);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	/* 100 s take 1.00 of the one that ends then, 100 more 1.00 of the next; 2.00 and 2.00 are
	 * lost, and 3.00 last for 300 s. */
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 500);
	assert_int_equal(ledger_account(w->l, "acc", T0 + 150, &b), SV_OK);
	assert_int_equal(b.credit, 5 * YUAN);
	assert_int_equal(b.available, 5500000);
	assert_int_equal(sum_of(w, "SELECT amount FROM ledger WHERE kind = 'expiry'"), -2 * YUAN);
	assert_int_equal(sum_of(w, "SELECT time FROM ledger WHERE kind = 'expiry'"), T0 + 100);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 450), SV_OK);
	assert_int_equal(
		sum_of(w, "SELECT sum(amount) FROM ledger WHERE kind = 'expiry'"), -4 * YUAN);
	assert_int_equal(ledger_account(w->l, "acc", T0 + 450, &b), SV_OK);
	assert_int_equal(b.credit, 0);
	assert_int_equal(b.cash, 500000);
	verified(w);
}

static void credit_that_expires_ends_the_run(void **state)
{
	struct world *w = *state;
	struct meter m = compute(36 * YUAN);

	assert_int_equal(ledger_credit(w->l, "acc", 10 * YUAN, T0, T0 + 50, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 50);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 500), SV_OK);
	assert_int_equal(sum_of(w, "SELECT -sum(amount) FROM ledger WHERE kind = 'usage'"), 500000);
	assert_int_equal(sum_of(w, "SELECT sum(amount) FROM ledger"), 0);
	verified(w);
}

static void a_minimum_is_charged_once(void **state)
{
	struct world *w = *state;
	struct meter m = compute(12 * YUAN);
	struct balance b;

	m.minimum_seconds = 3600;
	assert_int_equal(ledger_top_up(w->l, "acc", 100 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_account(w->l, "acc", T0 + 10, &b), SV_OK);
	assert_int_equal(b.frozen, 12 * YUAN - 33333);
	assert_int_equal(b.available, 88 * YUAN);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 10), SV_OK);
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 10), 33333 + 11966667);
	/* A second start has a minimum of its own; changes of rate within it have not, and the last
	 * one counts. */
	assert_int_equal(ledger_meter(w->l, &m, T0 + 100), SV_OK);
	m.rate_per_hour = 24 * YUAN;
	assert_int_equal(ledger_meter(w->l, &m, T0 + 100 + 1800), SV_OK);
	assert_int_equal(ledger_close(w->l, "ins_1", "compute", T0 + 100 + 2700), SV_OK);
	assert_int_equal(
		ledger_cost(w->l, "ins_1", T0 + 9999), 12 * YUAN + 6 * YUAN + 6 * YUAN + 6 * YUAN);
	assert_int_equal(ledger_meter(w->l, &m, T0 + 5000), SV_OK);
	assert_int_equal(ledger_close(w->l, "ins_1", "compute", T0 + 5000 + 3600), SV_OK);
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 9999), 54 * YUAN);
	assert_int_equal(sum_of(w, "SELECT count(*) FROM metered WHERE kind = 'minimum'"), 2);
	verified(w);
}

static void a_minimum_is_kept_back(void **state)
{
	struct world *w = *state;
	struct meter m = compute(12 * YUAN), d = disk(2592 * YUAN);

	m.minimum_seconds = 3600;
	assert_int_equal(ledger_top_up(w->l, "acc", 13 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_meter(w->l, &d, T0), SV_OK);
	/* The disk has 1.00 to itself: after 1,000 s all must end, and what is left pays for the
	 * rest of the hour. */
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 1000);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 1000), SV_OK);
	assert_int_equal(ledger_suspend(w->l, "acc", T0 + 1000), SV_OK);
	assert_int_equal(sum_of(w, "SELECT sum(amount) FROM ledger"), 0);
	verified(w);
}

static void a_pause_is_no_stop(void **state)
{
	struct world *w = *state;
	struct meter m = compute(12 * YUAN);

	m.minimum_seconds = 3600;
	assert_int_equal(ledger_top_up(w->l, "acc", 100 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(ledger_pause(w->l, "ins_1", T0 + 600), SV_OK);
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 700), 2 * YUAN);
	assert_int_equal(ledger_meter(w->l, &m, T0 + 900), SV_OK);
	assert_int_equal(ledger_started_at(w->l, "ins_1"), T0);
	assert_int_equal(ledger_close(w->l, "ins_1", "compute", T0 + 3600), SV_OK);
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 3600), 11 * YUAN);
	assert_int_equal(ledger_meter(w->l, &m, T0 + 5000), SV_OK);
	assert_int_equal(ledger_pause(w->l, "ins_1", T0 + 5900), SV_OK);
	assert_int_equal(ledger_busy(w->l), 1);
	assert_int_equal(ledger_close(w->l, "ins_1", "compute", T0 + 6000), SV_OK);
	/* 900 s run and 2,700 - 100 s of shortfall */
	assert_int_equal(ledger_cost(w->l, "ins_1", T0 + 9000), 11 * YUAN + 3 * YUAN + 8666667);
	assert_int_equal(ledger_busy(w->l), 0);
	verified(w);
}

static void disks_wait_for_money(void **state)
{
	struct world *w = *state;
	struct meter d = disk(2592 * YUAN);

	assert_int_equal(ledger_top_up(w->l, "acc", 1 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &d, T0), SV_OK);
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 1000);
	assert_int_equal(ledger_suspend(w->l, "acc", T0 + 1000), SV_OK);
	assert_int_equal(due_of(w, "acc", "arrears"), -1);
	assert_int_equal(ledger_top_up(w->l, "acc", 1 * YUAN, T0 + 5000, NULL), SV_OK);
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 6000);
	assert_int_equal(ledger_close(w->l, "dsk_1", NULL, T0 + 5500), SV_OK);
	assert_int_equal(ledger_cost(w->l, "dsk_1", T0 + 9000), 1500000);
	/* Deleted while it waited: nothing comes back. */
	assert_int_equal(ledger_meter(w->l, &d, T0 + 6000), SV_OK);
	assert_int_equal(ledger_suspend(w->l, "acc", T0 + 6500), SV_OK);
	assert_int_equal(ledger_close(w->l, "dsk_1", NULL, T0 + 7000), SV_OK);
	assert_int_equal(ledger_top_up(w->l, "acc", 1 * YUAN, T0 + 8000, NULL), SV_OK);
	assert_int_equal(sum_of(w, "SELECT count(*) FROM metered WHERE ended IS NULL"), 0);
	verified(w);
}

static void money_is_checked(void **state)
{
	struct world *w = *state;
	struct meter m = compute(-1);

	assert_int_equal(ledger_top_up(w->l, "acc", 0, T0, NULL), SV_INVALID);
	assert_int_equal(ledger_top_up(w->l, "acc", -1, T0, NULL), SV_INVALID);
	assert_int_equal(ledger_top_up(w->l, "acc", INT64_MAX, T0, NULL), SV_OK);
	assert_int_equal(ledger_top_up(w->l, "acc", 1, T0, NULL), SV_INVALID);
	assert_int_equal(ledger_credit(w->l, "acc", 1, T0, -1, NULL), SV_INVALID);
	assert_int_equal(ledger_credit(w->l, "other", 1, T0, T0, NULL), SV_INVALID);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_INVALID);
	m.rate_per_hour = INT64_MAX;
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	assert_int_equal(due_of(w, "acc", "arrears"), T0 + 3599);
	assert_int_equal(ledger_close(w->l, "ins_1", NULL, T0 + 36000), SV_OK);
	verified(w);
}

static void the_heartbeat_never_goes_back(void **state)
{
	struct world *w = *state;

	assert_int_equal(ledger_last_alive(w->l), 0);
	assert_int_equal(ledger_heartbeat(w->l, T0), SV_OK);
	assert_int_equal(ledger_post(w->l, T0 + 60), SV_OK);
	assert_int_equal(ledger_heartbeat(w->l, T0 + 30), SV_OK);
	die(w);
	assert_int_equal(ledger_last_alive(w->l), T0 + 60);
}

static int add_cost(void *data, const struct ledger_interval *i)
{
	int64_t *sums = data;

	sums[0] += i->cost;
	sums[1] += i->seconds;
	sums[2]++;
	return 0;
}

static void windows_add_up(void **state)
{
	const char *value = "a", *other = "b", *key = "team", *cards[] = { "tpu-sim", "rtx-4090" };
	struct sv_map labels = { .n = 1, .keys = &key, .values = &value };
	struct ledger_filter by_gpu = { .gpu = { 2, cards } }, wrong = { .labels = labels };
	struct world *w = *state;
	struct meter m = compute(56 * YUAN);
	int64_t all[3] = { 0 }, parts[3] = { 0 }, none[3] = { 0 };

	m.labels = &labels;
	assert_int_equal(ledger_top_up(w->l, "acc", 100 * YUAN, T0, NULL), SV_OK);
	assert_int_equal(ledger_meter(w->l, &m, T0), SV_OK);
	for (int64_t t = T0 - 5; t < T0 + 200; t += 7) {
		struct ledger_filter f = {
			.account = "acc", .labels = labels, .since = t, .until = t + 7
		};

		assert_int_equal(ledger_each_interval(w->l, &f, T0 + 100, add_cost, parts), SV_OK);
	}
	assert_int_equal(ledger_each_interval(w->l, &by_gpu, T0 + 100, add_cost, all), SV_OK);
	assert_int_equal(all[0], 1555556);
	assert_int_equal(parts[0], all[0]);
	assert_int_equal(parts[1], 100);
	wrong.labels.values = &other;
	assert_int_equal(ledger_each_interval(w->l, &wrong, T0 + 100, add_cost, none), SV_OK);
	assert_int_equal(none[2], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(charges_are_exact, setup, teardown),
		cmocka_unit_test_setup_teardown(monthly_prices_are_exact, setup, teardown),
		cmocka_unit_test_setup_teardown(posts_sum_to_one_charge, setup, teardown),
		cmocka_unit_test_setup_teardown(a_change_of_rate_splits, setup, teardown),
		cmocka_unit_test_setup_teardown(balance_ends_at_its_second, setup, teardown),
		cmocka_unit_test_setup_teardown(balance_counts_what_is_open, setup, teardown),
		cmocka_unit_test_setup_teardown(many_share_one_balance, setup, teardown),
		cmocka_unit_test_setup_teardown(credit_goes_first_and_expires, setup, teardown),
		cmocka_unit_test_setup_teardown(credit_that_expires_ends_the_run, setup, teardown),
		cmocka_unit_test_setup_teardown(a_minimum_is_charged_once, setup, teardown),
		cmocka_unit_test_setup_teardown(a_minimum_is_kept_back, setup, teardown),
		cmocka_unit_test_setup_teardown(a_pause_is_no_stop, setup, teardown),
		cmocka_unit_test_setup_teardown(disks_wait_for_money, setup, teardown),
		cmocka_unit_test_setup_teardown(money_is_checked, setup, teardown),
		cmocka_unit_test_setup_teardown(the_heartbeat_never_goes_back, setup, teardown),
		cmocka_unit_test_setup_teardown(windows_add_up, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
