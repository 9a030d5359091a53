/* SPDX-License-Identifier: MIT */
/* A thousand random histories: whatever happens, and whenever the daemon dies, no micro-yuan is
 * lost or invented. The expected figures come from a second, plain model of the rules. */
#include "ledger-world.h"

__extension__ typedef __int128 wide;

/* One account's life as the rules have it, kept beside the ledger. */
#define N_RES     4
#define N_CREDITS 64

struct piece {
	int64_t rate, per, began, ended; /* ended -1: open */
};

struct life {
	struct piece pieces[600];
	size_t n;
	int64_t open[N_RES];              /* index + 1 of the open piece */
	int64_t now, given, cash, wealth; /* wealth: factor of what is paid in */
	struct grant {
		int64_t at, left, expires;
	} grants[N_CREDITS];
	size_t n_grants;
	int64_t spent, expired; /* of all that is owed, what the model has paid so far */
};

static int64_t expected_of(const struct piece *p, int64_t end)
{
	wide exact = (wide)p->rate * (end - p->began);

	return (int64_t)((exact + p->per / 2) / p->per);
}

static int64_t owed_by(const struct life *f, int64_t at)
{
	int64_t sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct piece *p = &f->pieces[i];
		int64_t end = p->ended < 0 || p->ended > at ? at : p->ended;

		sum += end > p->began ? expected_of(p, end) : 0;
	}
	return sum;
}

/* Pays what is owed up to a second: credit first, the soonest to expire first, then cash. */
static void pay(struct life *f, int64_t at)
{
	int64_t rest = owed_by(f, at) - f->spent;

	f->spent += rest;
	while (rest > 0) {
		struct grant *best = NULL;

		for (size_t i = 0; i < f->n_grants; i++)
			if (f->grants[i].left && (!best || f->grants[i].expires < best->expires))
				best = &f->grants[i];
		if (!best)
			break;
		if (best->left > rest) {
			best->left -= rest;
			return;
		}
		rest -= best->left;
		best->left = 0;
	}
	f->cash -= rest;
}

/* Lets credit expire, in order, each at its own second. */
static void expire(struct life *f, int64_t to)
{
	for (;;) {
		struct grant *first = NULL;

		for (size_t i = 0; i < f->n_grants; i++)
			if (f->grants[i].left && f->grants[i].expires <= to &&
				(!first || f->grants[i].expires < first->expires))
				first = &f->grants[i];
		if (!first)
			return;
		pay(f, first->expires);
		f->expired += first->left;
		first->left = 0;
	}
}

static const char *const names[N_RES] = { "ins_1", "ins_2", "dsk_1", "dsk_2" };

/* Asks the ledger for the second of the end, and does what the platform does then. */
static void settle(struct world *w, struct life *f, int64_t to)
{
	int64_t at, due;

	for (;;) {
		due = sum_of(w, "SELECT coalesce(min(at), -1) FROM due WHERE cause = 'arrears'");
		assert_int_equal(ledger_exhausted_at(w->l, "acc", f->now, &at), SV_OK);
		/* Whoever waits for the due second is never too late. */
		if (at >= 0)
			assert_true(due >= 0 && due <= at);
		if (at < 0 || at > to)
			break;
		for (size_t i = 0; i < N_RES; i++) {
			if (!f->open[i])
				continue;
			f->pieces[f->open[i] - 1].ended = at > f->pieces[f->open[i] - 1].began
								  ? at
								  : f->pieces[f->open[i] - 1].began;
			f->open[i] = 0;
			assert_int_equal(ledger_close(w->l, names[i], NULL, at), SV_OK);
		}
	}
	f->now = to;
}

static void check_life(struct world *w, struct life *f, int post)
{
	int64_t credit = 0, owed = owed_by(f, f->now);
	struct balance b;

	assert_int_equal(ledger_expire(w->l, "acc", f->now), SV_OK);
	if (post)
		assert_int_equal(ledger_post(w->l, f->now), SV_OK);
	verified(w);
	assert_int_equal(ledger_account(w->l, "acc", f->now, &b), SV_OK);
	assert_true(b.cash >= 0 && b.credit >= 0 && b.available >= 0);
	assert_int_equal(
		sum_of(w, "SELECT coalesce(sum(amount), 0) FROM ledger"), b.cash + b.credit);
	expire(f, f->now);
	assert_int_equal(b.available, f->given - owed - f->expired);
	if (!post)
		return;
	pay(f, f->now);
	for (size_t i = 0; i < f->n_grants; i++)
		credit += f->grants[i].left;
	assert_int_equal(b.cash, f->cash);
	assert_int_equal(b.credit, credit);
}

static void turn_on(struct world *w, struct life *f, size_t i, int64_t rate)
{
	struct meter m = {
		.account = "acc", .resource = names[i], .kind = i < 2 ? "compute" : "disk"
	};
	struct piece *p;

	if (i < 2)
		m.rate_per_hour = rate;
	else
		m.rate_per_month = rate;
	if (f->open[i] && f->pieces[f->open[i] - 1].rate == rate)
		return;
	assert_int_equal(ledger_meter(w->l, &m, f->now), SV_OK);
	if (f->open[i])
		f->pieces[f->open[i] - 1].ended = f->now;
	p = &f->pieces[f->n++];
	*p = (struct piece){
		.rate = rate, .per = i < 2 ? 3600 : 2592000, .began = f->now, .ended = -1
	};
	f->open[i] = (int64_t)f->n;
}

static void one_step(struct world *w, struct life *f, uint64_t *seed)
{
	uint64_t what = unit_random(seed) % 12;
	size_t i = unit_random(seed) % N_RES;
	int64_t amount = (int64_t)(unit_random(seed) % 5000000 + 1) * f->wealth;
	int64_t expires = f->now + (int64_t)(unit_random(seed) % 20000) + 1;
	int64_t rate = (int64_t)(unit_random(seed) % 60000000);

	if (what < 4) { /* start, attach, resize */
		turn_on(w, f, i, i < 2 ? rate : rate * 20);
	} else if (what < 6) { /* stop, detach */
		assert_int_equal(ledger_close(w->l, names[i], NULL, f->now), SV_OK);
		if (f->open[i])
			f->pieces[f->open[i] - 1].ended = f->now;
		f->open[i] = 0;
	} else if (what == 6) {
		assert_int_equal(ledger_top_up(w->l, "acc", amount, f->now, NULL), SV_OK);
		expire(f, f->now - 1);
		pay(f, f->now);
		f->given += amount;
		f->cash += amount;
	} else if (what == 7) {
		if (unit_random(seed) % 4 == 0)
			expires = -1;
		assert_int_equal(ledger_credit(w->l, "acc", amount, f->now, expires, NULL), SV_OK);
		expire(f, f->now - 1);
		pay(f, f->now);
		f->given += amount;
		f->grants[f->n_grants++] = (struct grant){
			.at = f->now, .left = amount, .expires = expires < 0 ? INT64_MAX : expires
		};
	} else if (what == 8) {
		assert_int_equal(ledger_expire(w->l, "acc", f->now), SV_OK);
	} else if (what == 9) {
		assert_int_equal(ledger_post(w->l, f->now), SV_OK);
	} else {
		die(w);
	}
}

static void histories_lose_nothing(void **state)
{
	uint64_t seed = unit_seed();

	teardown(state);
	for (int history = 0; history < 1000; history++) {
		struct life f = { .now = T0, .wealth = history % 3 ? 1 : 300 };
		struct world *w;
		int steps = 8 + (int)(unit_random(&seed) % 30);

		setup(state);
		w = *state;
		for (int i = 0; i < steps; i++) {
			one_step(w, &f, &seed);
			if (i % 4 == 3)
				check_life(w, &f, i % 8 == 7);
			settle(w, &f, f.now + (int64_t)(unit_random(&seed) % 2500));
		}
		for (size_t i = 0; i < N_RES; i++) {
			assert_int_equal(ledger_close(w->l, names[i], NULL, f.now), SV_OK);
			if (f.open[i])
				f.pieces[f.open[i] - 1].ended = f.now;
		}
		check_life(w, &f, 1);
		if (history < 999)
			teardown(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(histories_lose_nothing, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
