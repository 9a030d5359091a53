/* SPDX-License-Identifier: MIT */
/* Budgets and the alert of a low balance under a stepped clock, with real instances of engine
 * "none": every second was computed by hand. T0 is Monday, 2026-09-21 14:13:20 UTC. */
#include "platform-world.h"

#include "local/budget.h"
#include "local/ledger.h"

#define YUAN    INT64_C(1000000)
#define DAY     INT64_C(86400)
#define TO_NEXT (DAY - T0 % DAY) /* midnight */

static void step(struct world *w, int64_t seconds)
{
	struct sv_error err;
	char message[300] = "";

	assert_int_equal(platform_step(&w->p, seconds, &err), SV_OK);
	if (ledger_verify(w->p.ledger, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
}

static void rich(struct world *w)
{
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", "{\"amount\":\"100000\"}"), 200);
}

/* An instance of four cards at 56 an hour; its id. */
static const char *run(struct world *w, const char *name, char *id)
{
	char body[200], image[64];

	assert_int_equal(ask(w, "GET", "/v1/images?name=pytorch-2.2", NULL), 200);
	member(w, "id", image, 64);
	snprintf(body, sizeof(body),
		"{\"name\":\"%s\",\"gpu\":\"rtx-4090\",\"gpu_count\":4,\"image\":\"%s\"}", name,
		image);
	if (ask(w, "POST", "/v1/instances", body) != 202)
		fail_msg("%s", w->text);
	member(w, "id", id, 64);
	for (int i = 0; i < 20; i++)
		platform_turn(&w->p);
	return id;
}

static int events(struct world *w, const char *type)
{
	char path[100];
	int n = 0;

	snprintf(path, sizeof(path), "/v1/events?type=%s&limit=1000", type);
	assert_int_equal(ask(w, "GET", path, NULL), 200);
	for (const char *at = w->text; (at = strstr(at, "\"id\":\"evt_")) != NULL; at++)
		n++;
	return n;
}

static void get(struct world *w, const char *collection, const char *id)
{
	char path[160];

	snprintf(path, sizeof(path), "/v1/%s/%s", collection, id);
	assert_int_equal(ask(w, "GET", path, NULL), 200);
}

static void set(struct world *w, const char *body, char *id)
{
	if (ask(w, "POST", "/v1/billing/budgets", body) != 201)
		fail_msg("%s", w->text);
	member(w, "id", id, 64);
}

#define says(w, part) \
	do { \
		if (!has(w, part)) \
			fail_msg("%s is not in %s", part, (w)->text); \
	} while (0)

/* 10 at 56 an hour: second 642, 9.986667; the warning of 80 % at second 515: 8.011111. */
static void stops_at_its_second(void **state)
{
	struct world *w = *state;
	char id[64], budget[64];

	rich(w);
	set(w, "{\"name\":\"b\",\"amount\":\"10\"}", budget);
	says(w, "\"period\":\"month\"");
	says(w, "\"action\":\"stop\"");
	says(w, "\"warn_percents\":[\"80\"]");
	says(w, "\"status\":\"ok\"");
	run(w, "t", id);
	get(w, "billing/budgets", budget);
	says(w, "\"stops_at\":\"2026-09-21T14:24:02Z\"");
	get(w, "instances", id);
	says(w, "\"next_stop\":{\"at\":\"2026-09-21T14:24:02Z\",\"cause\":\"budget\"}");
	step(w, 514);
	assert_int_equal(events(w, "budget.warning"), 0);
	step(w, 1);
	assert_int_equal(events(w, "budget.warning"), 1);
	says(w, "budget b (10.00 a month): 8.011111 are spent, 80 % of it");
	/* The daemon wakes late: billing ends where it should have. */
	step(w, 3600);
	assert_int_equal(events(w, "budget.warning"), 1);
	assert_int_equal(events(w, "budget.reached"), 1);
	get(w, "instances", id);
	says(w, "\"status\":\"stopped\"");
	says(w, "\"stopped_by\":\"budget\"");
	says(w, "\"cost\":\"9.986667\"");
	get(w, "billing/budgets", budget);
	says(w, "\"used\":\"9.986667\"");
	says(w, "\"remaining\":\"0.013333\"");
	says(w, "\"status\":\"reached\"");
	says(w, "\"stops_at\":null");
}

static void refuses_a_start(void **state)
{
	struct world *w = *state;
	char id[64], budget[64], path[100], body[100];

	rich(w);
	set(w, "{\"name\":\"b\",\"amount\":\"0.02\",\"period\":\"day\"}", budget);
	run(w, "t", id);
	step(w, 60);
	/* One second is 0.015556: nothing more fits. */
	snprintf(path, sizeof(path), "/v1/instances/%s/start", id);
	assert_int_equal(ask(w, "POST", path, "{}"), 402);
	says(w, "\"budget_exceeded\"");
	says(w, "budget b (0.02 a day) leaves 0.004444, and at least 0.015556 is needed");
	/* A minimum is asked for as a whole: an hour of h100-80g is 4.80. */
	snprintf(path, sizeof(path), "/v1/billing/budgets/%s", budget);
	assert_int_equal(ask(w, "PATCH", path, "{\"amount\":\"4\"}"), 200);
	assert_int_equal(ask(w, "GET", "/v1/images?name=pytorch-2.2", NULL), 200);
	member(w, "id", id, 64);
	snprintf(body, sizeof(body), "{\"name\":\"m\",\"gpu\":\"h100-80g\",\"image\":\"%s\"}", id);
	assert_int_equal(ask(w, "POST", "/v1/instances", body), 402);
	says(w, "\"budget_exceeded\"");
	/* Without a card there is no compute to pay for. */
	assert_int_equal(ask(w, "POST", "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}"), 202);
	/* Raised, it lets go. */
	assert_int_equal(ask(w, "PATCH", path, "{\"amount\":\"5\"}"), 200);
	assert_int_equal(ask(w, "POST", "/v1/instances", body), 202);
}

/* The day's budget begins anew at midnight, though the instance ran through it. */
static void begins_anew(void **state)
{
	struct world *w = *state;
	char id[64], budget[64], path[100];

	rich(w);
	/* A day of 56 an hour is 1344; from 14:13:20 to midnight 547.555556 are used. */
	set(w, "{\"name\":\"d\",\"amount\":\"600\",\"period\":\"day\","
	       "\"warn_percents\":[\"50\",\"100\"]}",
		budget);
	run(w, "t", id);
	step(w, TO_NEXT - 1);
	get(w, "billing/budgets", budget);
	says(w, "\"used\":\"547.540000\"");
	assert_int_equal(events(w, "budget.warning"), 1);
	step(w, 1);
	get(w, "billing/budgets", budget);
	says(w, "\"used\":\"0.000000\"");
	says(w, "\"status\":\"ok\"");
	says(w, "\"started_at\":\"2026-09-22T00:00:00Z\"");
	says(w, "\"ends_at\":\"2026-09-23T00:00:00Z\"");
	/* 600 by 56: 38571.4 seconds. The interval is one, its rounding too: what was used until
	 * midnight is what it cost then. */
	says(w, "\"stops_at\":\"2026-09-22T10:42:51Z\"");
	step(w, 38571);
	get(w, "instances", id);
	says(w, "\"stopped_by\":\"budget\"");
	assert_int_equal(events(w, "budget.warning"), 2);
	get(w, "billing/budgets", budget);
	says(w, "\"used\":\"599.993333\"");
	step(w, DAY);
	get(w, "billing/budgets", budget);
	says(w, "\"used\":\"0.000000\"");
	snprintf(path, sizeof(path), "/v1/instances/%s/start", id);
	assert_int_equal(ask(w, "POST", path, "{}"), 202);
}

static void periods(void **state)
{
	static const struct {
		const char *period, *from, *to;
	} all[] = { { "day", "2026-09-21T00:00:00Z", "2026-09-22T00:00:00Z" },
		{ "week", "2026-09-21T00:00:00Z", "2026-09-28T00:00:00Z" },
		{ "month", "2026-09-01T00:00:00Z", "2026-10-01T00:00:00Z" } };
	struct world *w = *state;
	char body[200], id[64], want[100];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(body, sizeof(body), "{\"name\":\"x\",\"amount\":\"1\",\"period\":\"%s\"}",
			all[i].period);
		set(w, body, id);
		snprintf(want, sizeof(want), "\"started_at\":\"%s\"", all[i].from);
		says(w, want);
		snprintf(want, sizeof(want), "\"ends_at\":\"%s\"", all[i].to);
		says(w, want);
	}
}

/* Only told: nothing stops, and each threshold is said once. */
static void warns_only(void **state)
{
	struct world *w = *state;
	char id[64], budget[64];

	rich(w);
	set(w, "{\"name\":\"w\",\"amount\":\"56\",\"action\":\"warn\","
	       "\"warn_percents\":[\"25\",\"50\",\"100\"]}",
		budget);
	run(w, "t", id);
	step(w, 900);
	assert_int_equal(events(w, "budget.warning"), 1);
	step(w, 900);
	assert_int_equal(events(w, "budget.warning"), 2);
	step(w, 1799);
	assert_int_equal(events(w, "budget.warning"), 2);
	step(w, 1);
	assert_int_equal(events(w, "budget.warning"), 3);
	step(w, 3600);
	assert_int_equal(events(w, "budget.warning"), 3);
	get(w, "instances", id);
	says(w, "\"status\":\"running\"");
	get(w, "billing/budgets", budget);
	says(w, "\"remaining\":\"-56.000000\"");
	says(w, "\"status\":\"reached\"");
}

/* Two instances, one of them started later; a budget that is set while they run. */
static void all_of_an_account(void **state)
{
	struct world *w = *state;
	char a[64], b[64], budget[64];

	rich(w);
	run(w, "a", a);
	step(w, 100);
	run(w, "b", b);
	step(w, 100);
	/* Used: 200 s and 100 s at 56/3600: 3.111111 + 1.555556 = 4.666667. */
	set(w, "{\"name\":\"b\",\"amount\":\"5\"}", budget);
	says(w, "\"used\":\"4.666667\"");
	/* 0.333333 by 0.031111 a second: 10 seconds, 4.977778 in all, and the 80 % at once. */
	step(w, 1);
	assert_int_equal(events(w, "budget.warning"), 1);
	step(w, 100);
	get(w, "instances", a);
	says(w, "\"cost\":\"3.266667\"");
	says(w, "\"stopped_by\":\"budget\"");
	get(w, "instances", b);
	says(w, "\"cost\":\"1.711111\"");
	says(w, "\"stopped_by\":\"budget\"");
	/* One that is lowered below what is used says so at once, and removing it ends it. */
	assert_int_equal(events(w, "budget.reached"), 1);
}

static void lowered_and_removed(void **state)
{
	struct world *w = *state;
	char id[64], budget[64], path[100];

	rich(w);
	set(w, "{\"name\":\"b\",\"amount\":\"100\"}", budget);
	run(w, "t", id);
	step(w, 3600);
	snprintf(path, sizeof(path), "/v1/billing/budgets/%s", budget);
	assert_int_equal(ask(w, "PATCH", path, "{\"amount\":\"50\"}"), 200);
	step(w, 1);
	get(w, "instances", id);
	says(w, "\"stopped_by\":\"budget\"");
	says(w, "\"cost\":\"56.000000\"");
	assert_int_equal(ask(w, "DELETE", path, NULL), 200);
	says(w, "\"used\":\"56.000000\"");
	snprintf(path, sizeof(path), "/v1/instances/%s/start", id);
	assert_int_equal(ask(w, "POST", path, "{}"), 202);
	step(w, 3600);
	get(w, "instances", id);
	says(w, "\"status\":\"running\"");
}

/* 10 of credit, an alert below 5: at 56 an hour it is 4.991111 after second 322. */
static void alert_once(void **state)
{
	struct world *w = *state;
	char id[64];

	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"balance_alert\":null");
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"balance_alert\":\"5\"}"), 200);
	says(w, "\"balance_alert\":\"5.000000\"");
	run(w, "t", id);
	step(w, 321);
	assert_int_equal(events(w, "account.balance_low"), 0);
	step(w, 1);
	assert_int_equal(events(w, "account.balance_low"), 1);
	says(w, "4.991111 can be spent, less than 5.00; it lasts 5m20s");
	step(w, 100);
	assert_int_equal(events(w, "account.balance_low"), 1);
	/* Money comes, and goes: said again. */
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", "{\"amount\":\"10\"}"), 200);
	step(w, 100);
	assert_int_equal(events(w, "account.balance_low"), 1);
	step(w, 1000);
	assert_int_equal(events(w, "account.balance_low"), 2);
	/* One that is above the balance already is said at once; none is never said. */
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", "{\"amount\":\"1\"}"), 200);
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"balance_alert\":\"500\"}"), 200);
	step(w, 1);
	assert_int_equal(events(w, "account.balance_low"), 3);
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"balance_alert\":null}"), 200);
	says(w, "\"balance_alert\":null");
	step(w, DAY);
	assert_int_equal(events(w, "account.balance_low"), 3);
}

/* Credit that expires takes the balance below it, too. */
static void alert_at_expiry(void **state)
{
	struct world *w = *state;

	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"balance_alert\":\"5\"}"), 200);
	step(w, 30 * DAY - 1);
	assert_int_equal(events(w, "account.balance_low"), 0);
	step(w, 2);
	assert_int_equal(events(w, "account.balance_low"), 1);
	says(w, "0.00 can be spent, less than 5.00");
}

/* Whatever is started, stopped, paid in and limited, at whatever second somebody looks: the ledger
 * adds up, and no budget that stops is exceeded by compute. */
static void property(void **state)
{
	struct world *w = *state;
	char ids[6][64], budget[64], path[100];
	uint64_t x = 88172645463325252u;

	rich(w);
	for (int i = 0; i < 6; i++)
		run(w, "t", ids[i]);
	set(w, "{\"name\":\"b\",\"amount\":\"300\",\"period\":\"day\"}", budget);
	for (int i = 0; i < 150; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		snprintf(path, sizeof(path), "/v1/instances/%s/%s", ids[x % 6],
			x >> 8 & 1 ? "stop" : "start");
		ask(w, "POST", path, "{}");
		for (int k = 0; k < 4; k++)
			platform_turn(&w->p);
		step(w, (int64_t)(x >> 16) % (x >> 9 & 1 ? 100 : 9000));
		get(w, "billing/budgets", budget);
		if (has(w, "\"remaining\":\"-"))
			fail_msg("after %d: %s", i, w->text);
	}
	assert_true(events(w, "budget.reached") > 1);
}

static void refusals(void **state)
{
	static const char *const bad[][2] = {
		{ "{\"name\":\"b\"}", "amount" },
		{ "{\"amount\":\"1\"}", "name" },
		{ "{\"name\":\"b\",\"amount\":\"0\"}", "amount" },
		{ "{\"name\":\"b\",\"amount\":1}", "amount" },
		{ "{\"name\":\"b\",\"amount\":\"1\",\"period\":\"year\"}", "period" },
		{ "{\"name\":\"b\",\"amount\":\"1\",\"action\":\"explode\"}", "action" },
		{ "{\"name\":\"b\",\"amount\":\"1\",\"warn_percents\":[\"101\"]}",
			"warn_percents" },
		{ "{\"name\":\"b\",\"amount\":\"1\",\"warn_percents\":[\"80%\"]}",
			"warn_percents" },
		{ "{\"name\":\"b\",\"amount\":\"1\",\"used\":\"1\"}", "used" },
	};
	struct world *w = *state;
	char want[60];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(ask(w, "POST", "/v1/billing/budgets", bad[i][0]), 422);
		snprintf(want, sizeof(want), "\"field\":\"%s\"", bad[i][1]);
		says(w, want);
	}
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"balance_alert\":\"-1\"}"), 422);
	says(w, "\"field\":\"balance_alert\"");
	assert_int_equal(ask(w, "GET", "/v1/billing/budgets", NULL), 200);
	says(w, "\"items\":[]");
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(stops_at_its_second),
		CASE(refuses_a_start),
		CASE(begins_anew),
		CASE(periods),
		CASE(warns_only),
		CASE(all_of_an_account),
		CASE(lowered_and_removed),
		CASE(alert_once),
		CASE(alert_at_expiry),
		CASE(property),
		CASE(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
