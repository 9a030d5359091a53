/* SPDX-License-Identifier: MIT */
/* Vouchers under a stepped clock: what they pay for, in which order, when they end, and that the
 * ledger adds up whoever looks at which second. All figures by hand. */
#include "platform-world.h"

#include "local/guard.h"
#include "local/ledger.h"

#define YUAN INT64_C(1000000)
#define DAY  INT64_C(86400)

#define says(w, part) \
	do { \
		if (!has(w, part)) \
			fail_msg("%s is not in %s", part, (w)->text); \
	} while (0)

static void step(struct world *w, int64_t seconds)
{
	struct sv_error err;
	char message[300] = "";

	assert_int_equal(platform_step(&w->p, seconds, &err), SV_OK);
	if (ledger_verify(w->p.ledger, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
}

static int redeem(struct world *w, const char *code)
{
	char body[100];

	snprintf(body, sizeof(body), "{\"code\":\"%s\"}", code);
	return ask(w, "POST", "/v1/billing/vouchers", body);
}

static const char *run(struct world *w, const char *gpu, int count, char *id)
{
	char body[200], image[64];

	assert_int_equal(ask(w, "GET", "/v1/images?name=pytorch-2.2", NULL), 200);
	member(w, "id", image, 64);
	snprintf(body, sizeof(body),
		"{\"name\":\"t\",\"gpu\":\"%s\",\"gpu_count\":%d,\"image\":\"%s\"}", gpu, count,
		image);
	if (ask(w, "POST", "/v1/instances", body) != 202)
		return NULL;
	member(w, "id", id, 64);
	for (int i = 0; i < 20; i++)
		platform_turn(&w->p);
	return id;
}

static void instance(struct world *w, const char *id)
{
	char path[100];

	snprintf(path, sizeof(path), "/v1/instances/%s", id);
	assert_int_equal(ask(w, "GET", path, NULL), 200);
}

static void vouchers(struct world *w)
{
	assert_int_equal(ask(w, "GET", "/v1/billing/vouchers", NULL), 200);
}

static void a_code_once(void **state)
{
	struct world *w = *state;

	assert_int_equal(redeem(w, "WELCOME"), 201);
	says(w, "\"name\":\"WELCOME\",\"status\":\"active\",\"amount\":\"20.000000\"");
	says(w, "\"expires_at\":\"2026-09-28T14:13:20Z\"");
	says(w, "\"scope\":[]");
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"credit\":\"30.000000\"");
	assert_int_equal(ask(w, "GET", "/v1/billing/charges?kind=voucher", NULL), 200);
	says(w, "\"amount\":\"20.000000\"");
	assert_int_equal(redeem(w, "WELCOME"), 409);
	says(w, "\"field\":\"code\"");
	says(w, "redeemed already");
	assert_int_equal(redeem(w, "LAUNCH-2025"), 422);
	says(w, "\"field\":\"code\"");
	says(w, "has expired, 2025-12-31T00:00:00Z");
	assert_int_equal(redeem(w, "NOTHING"), 404);
	says(w, "\"field\":\"code\"");
	assert_int_equal(ask(w, "POST", "/v1/billing/vouchers", "{}"), 422);
	assert_int_equal(redeem(w, "TPU-WEEK"), 201);
	says(w, "\"scope\":[\"tpu-sim\"],\"kinds\":[\"compute\"]");
	vouchers(w);
	says(w, "\"name\":\"trial credit\"");
	says(w, "\"name\":\"a week of TPUs\"");
	/* Pages hold each once. */
	assert_int_equal(ask(w, "GET", "/v1/billing/vouchers?limit=2", NULL), 200);
	says(w, "\"next_cursor\":\"2\"");
	assert_int_equal(ask(w, "GET", "/v1/billing/vouchers?limit=2&cursor=2", NULL), 200);
	says(w, "a week of TPUs");
	assert_false(has(w, "trial credit"));
	/* Somebody else has not had it. */
	enter(w, "b@example.com");
	assert_int_equal(redeem(w, "WELCOME"), 201);
}

/* The week's 20 go before the month's 10, though these were first: 36 at 14 an hour for 2 hours are
 * 28. */
static void the_soonest_first(void **state)
{
	struct world *w = *state;
	char id[64];

	assert_int_equal(redeem(w, "WELCOME"), 201);
	run(w, "rtx-4090", 1, id);
	step(w, 3600);
	vouchers(w);
	says(w, "\"amount\":\"10.000000\",\"remaining\":\"10.000000\"");
	says(w, "\"amount\":\"20.000000\",\"remaining\":\"6.000000\"");
	step(w, 3600);
	vouchers(w);
	says(w, "\"amount\":\"10.000000\",\"remaining\":\"2.000000\"");
	says(w, "\"status\":\"used\",\"amount\":\"20.000000\",\"remaining\":\"0.000000\"");
}

/* What is not used in time goes as an entry of its own. */
static void expires(void **state)
{
	struct world *w = *state;

	assert_int_equal(redeem(w, "WELCOME"), 201);
	step(w, 7 * DAY - 1);
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"credit\":\"30.000000\"");
	step(w, 1);
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"credit\":\"10.000000\"");
	assert_int_equal(ask(w, "GET", "/v1/billing/charges?kind=expiry", NULL), 200);
	says(w, "\"amount\":\"-20.000000\"");
	vouchers(w);
	says(w, "\"status\":\"expired\"");
}

/* 50 for TPUs: they are used for them alone, and before the trial's 10 that end later. */
static void pays_for_its_cards(void **state)
{
	struct world *w = *state;
	char tpu[64], card[64];

	assert_int_equal(redeem(w, "TPU-WEEK"), 201);
	run(w, "tpu-sim", 4, tpu); /* 28 an hour */
	run(w, "rtx-4090", 1, card); /* 14 an hour */
	step(w, 1800);
	vouchers(w);
	says(w, "\"amount\":\"10.000000\",\"remaining\":\"3.000000\"");
	says(w, "\"amount\":\"50.000000\",\"remaining\":\"36.000000\"");
	/* 3 by 14 an hour: 771 seconds, 2.998333. The other card stops there, the TPUs go on. */
	step(w, 1800);
	instance(w, card);
	says(w, "\"stopped_by\":\"arrears\"");
	says(w, "\"cost\":\"9.998333\"");
	instance(w, tpu);
	says(w, "\"status\":\"running\"");
	says(w, "\"cost\":\"28.000000\"");
	/* 50 and the 0.001667 that the trial has left by 28 an hour: second 6428, 49.995556. */
	step(w, 3600);
	instance(w, tpu);
	says(w, "\"stopped_by\":\"arrears\"");
	says(w, "\"cost\":\"49.995556\"");
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"cash\":\"0.000000\"");
}

/* What it does not pay for cannot begin on it, and its money is not said to be there for it. */
static void starts(void **state)
{
	struct world *w = *state;
	char id[64];

	assert_int_equal(redeem(w, "TPU-WEEK"), 201);
	run(w, "rtx-4090", 8, id); /* 112 an hour: the trial's 10 are gone in 321 seconds */
	step(w, 400);
	instance(w, id);
	says(w, "\"stopped_by\":\"arrears\"");
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"available\":\"50.013333\"");
	assert_null(run(w, "rtx-4090", 8, id));
	says(w, "\"insufficient_balance\"");
	says(w, "at least 0.031111 is needed, and 0.013333 is available");
	assert_non_null(run(w, "tpu-sim", 1, id));
}

/* A minimum is paid by what pays for its compute. */
static void minimums(void **state)
{
	struct world *w = *state;
	struct ledger_voucher v = {
		.code = "x", .name = "x", .amount = 5 * YUAN, .expires_at = -1
	};
	const char *gpu = "h100-80g", *kind = "compute";
	char id[64], path[100];

	v.gpus = (struct sv_strs){ 1, &gpu };
	v.kinds = (struct sv_strs){ 1, &kind };
	assert_int_equal(ledger_redeem(w->p.ledger, w->account, &v, T0), SV_OK);
	/* The trial's 10 end in a month, the voucher never: it is the second. */
	run(w, "h100-80g", 3, id); /* 14.40 for an hour at least */
	step(w, 60);
	snprintf(path, sizeof(path), "/v1/instances/%s/stop", id);
	assert_int_equal(ask(w, "POST", path, "{}"), 202);
	for (int i = 0; i < 20; i++)
		platform_turn(&w->p);
	step(w, 60);
	instance(w, id);
	says(w, "\"cost\":\"14.400000\"");
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	says(w, "\"available\":\"0.600000\"");
}

/* Any sequence of starts, stops, codes, money and time: nothing is lost, nothing is below zero, and
 * what a voucher has paid was for its cards. */
static void property(void **state)
{
	static const char *const gpus[] = { "rtx-4090", "tpu-sim", "a100-80g" };
	struct world *w = *state;
	const char *words[3][1] = { { "rtx-4090" }, { "tpu-sim" }, { "a100-80g" } };
	uint64_t x = 0x9e3779b97f4a7c15u;
	int64_t given[3] = { 0 }, ended = 0;
	char name[32], code[32];

	for (int i = 0; i < 400; i++) {
		struct meter m = { .account = w->account, .resource = name, .kind = "compute",
			.name = name };
		struct ledger_voucher v = { .code = code, .name = code };
		int64_t now = w->p.clock.at;
		int which;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		which = (int)((x >> 4) % 3);
		snprintf(name, sizeof(name), "ins_%d", (int)((x >> 20) % 6));
		snprintf(code, sizeof(code), "code%d", i);
		m.gpu = gpus[(x >> 20) % 6 % 3];
		m.rate_per_hour = (int64_t)(x >> 30) % (40 * YUAN);
		switch (x % 8) {
		case 0:
			v.amount = 1 + (int64_t)(x >> 30) % (5 * YUAN);
			v.expires_at = x & 256 ? now + 1 + (int64_t)(x >> 40) % 20000 : -1;
			if (x & 512)
				v.gpus = (struct sv_strs){ 1, words[which] };
			if (x & 512)
				given[which] += v.amount;
			assert_int_equal(ledger_redeem(w->p.ledger, w->account, &v, now), SV_OK);
			break;
		case 1:
			assert_int_equal(ledger_top_up(w->p.ledger, w->account,
						 1 + (int64_t)(x >> 30) % YUAN, now, NULL),
				SV_OK);
			break;
		case 2:
		case 3: {
			struct balance b;
			int64_t left;

			/* As a start is refused: only what there is something for. */
			assert_int_equal(ledger_available_for(w->p.ledger, w->account, m.gpu,
						 "compute", now, &left),
				SV_OK);
			assert_int_equal(ledger_account(w->p.ledger, w->account, now, &b), SV_OK);
			if (left > m.rate_per_hour / 3600 + 1)
				assert_int_equal(ledger_meter(w->p.ledger, &m, now), SV_OK);
			break;
		}
		case 4:
			assert_int_equal(ledger_close(w->p.ledger, name, NULL, now), SV_OK);
			break;
		default: step(w, 1 + (int64_t)(x >> 30) % 3000); break;
		}
		ended += now;
	}
	step(w, 1);
	assert_true(ended > 0 && given[0] && given[1] && given[2]);
}

/* The same history, looked at every second or once at the end, comes to the same. */
static void lateness(void **state)
{
	struct world *w = *state;
	int64_t costs[2][2], credit[2];
	char tpu[64], card[64], email[32];

	for (int late = 0; late < 2; late++) {
		struct balance b;

		snprintf(email, sizeof(email), "l%d@example.com", late);
		enter(w, email);
		assert_int_equal(redeem(w, "TPU-WEEK"), 201);
		run(w, "tpu-sim", 4, tpu);
		run(w, "rtx-4090", 1, card);
		for (int i = 0; i < (late ? 1 : 500); i++)
			step(w, late ? 9000 : 18);
		costs[late][0] = ledger_cost(w->p.ledger, tpu, w->p.clock.at);
		costs[late][1] = ledger_cost(w->p.ledger, card, w->p.clock.at);
		assert_int_equal(
			ledger_account(w->p.ledger, w->account, w->p.clock.at, &b), SV_OK);
		credit[late] = b.credit;
	}
	assert_int_equal(costs[0][0], costs[1][0]);
	assert_int_equal(costs[0][1], costs[1][1]);
	assert_int_equal(credit[0], credit[1]);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_code_once),
		CASE(the_soonest_first),
		CASE(expires),
		CASE(pays_for_its_cards),
		CASE(starts),
		CASE(minimums),
		CASE(property),
		CASE(lateness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
