/* SPDX-License-Identifier: MIT */
/* Usage summed up on the platform: every sum by hand, all sums of a filter together its usage to
 * the micro-yuan. T0 is 2026-09-21 14:13:20 UTC. */
#include "platform-world.h"

#include <starverse/billing.h>

#include "base/time.h"
#include "local/ledger.h"

#define YUAN INT64_C(1000000)

static void meter(struct world *w, const char *resource, const char *kind, const char *name,
	const char *gpu, const char *job, int64_t rate, int64_t from, int64_t to)
{
	const char *keys[] = { "owner" }, *values[] = { name };
	struct sv_map labels = { strcmp(name, "anon") != 0, keys, values };
	struct meter m = { .account = w->account, .resource = resource, .kind = kind, .name = name,
		.gpu = gpu, .job = job, .labels = &labels, .rate_per_hour = rate };

	assert_int_equal(ledger_meter(w->p.ledger, &m, from), SV_OK);
	if (to)
		assert_int_equal(ledger_close(w->p.ledger, resource, kind, to), SV_OK);
}

static void rich(struct world *w)
{
	assert_int_equal(ledger_top_up(w->p.ledger, w->account, INT64_C(1000000) * YUAN, T0, NULL),
		SV_OK);
}

static struct sv_page *sums(struct world *w, const char *query)
{
	struct sv_page *ret = NULL;
	struct sv_error err;
	struct cJSON *tree;
	char path[400];

	snprintf(path, sizeof(path), "/v1/billing/usage/sums?%s", query);
	if (ask(w, "GET", path, NULL) != 200)
		fail_msg("%s: %s", query, w->text);
	tree = sv_json_parse(w->text, strlen(w->text), &err);
	assert_non_null(tree);
	assert_int_equal(sv_decode_page(&sv_usage_sum_kind, tree, &ret, &err), SV_OK);
	sv_json_free(tree);
	return ret;
}

static void row(const struct sv_page *p, size_t i, const char *key, int64_t seconds, int64_t cost)
{
	const struct sv_usage_sum *s;

	assert_true(i < p->n);
	s = p->v[i];
	if (!key)
		assert_null(s->key);
	else
		assert_string_equal(s->key, key);
	assert_int_equal(s->seconds, seconds);
	assert_int_equal(s->cost, cost);
}

static int64_t compute(const struct sv_page *p, size_t i)
{
	return ((struct sv_usage_sum *)p->v[i])->compute_seconds;
}

static void by_what_it_is(void **state)
{
	struct world *w = *state;
	struct sv_page *p;

	rich(w);
	meter(w, "ins_a", "compute", "ann", "rtx-4090", "job_1", 56 * YUAN, T0, T0 + 7);
	meter(w, "ins_a", "compute", "anna", "tpu-sim", NULL, 28 * YUAN, T0 + 7, T0 + 9);
	meter(w, "ins_b", "compute", "bob", "rtx-4090", "job_1", 14 * YUAN, T0, T0 + 1);
	meter(w, "dsk_a", "disk", "anon", NULL, NULL, 36000, T0, T0 + 100);
	w->p.clock.at = T0 + 100;
	p = sums(w, "by=instance");
	row(p, 0, NULL, 100, 1000);
	/* 0.108889 and 0.015556 */
	row(p, 1, "ins_a", 9, 124445);
	row(p, 2, "ins_b", 1, 3889);
	assert_string_equal(((struct sv_usage_sum *)p->v[1])->name, "anna");
	assert_int_equal(((struct sv_usage_sum *)p->v[1])->intervals, 2);
	assert_true(sv_is_null((struct sv_usage_sum *)p->v[1], started_at));
	/* A disk is no hour of a machine. */
	assert_int_equal(compute(p, 0), 0);
	assert_int_equal(compute(p, 1), 9);
	sv_free(p);
	p = sums(w, "by=day");
	assert_int_equal(p->n, 1);
	row(p, 0, "2026-09-21", 110, 129334);
	assert_int_equal(compute(p, 0), 10);
	sv_free(p);
	p = sums(w, "by=gpu");
	assert_int_equal(p->n, 3);
	row(p, 0, NULL, 100, 1000);
	row(p, 1, "rtx-4090", 8, 112778);
	row(p, 2, "tpu-sim", 2, 15556);
	sv_free(p);
	p = sums(w, "by=kind&instance=ins_a&instance=ins_b");
	assert_int_equal(p->n, 1);
	row(p, 0, "compute", 10, 128334);
	sv_free(p);
	p = sums(w, "by=job");
	row(p, 0, NULL, 102, 16556);
	row(p, 1, "job_1", 8, 112778);
	sv_free(p);
	p = sums(w, "by=job&job=job_1&gpu=rtx-4090");
	assert_int_equal(p->n, 1);
	sv_free(p);
	p = sums(w, "by=label:owner");
	assert_int_equal(p->n, 4);
	row(p, 0, NULL, 100, 1000);
	row(p, 1, "ann", 7, 108889);
	row(p, 2, "anna", 2, 15556);
	row(p, 3, "bob", 1, 3889);
	sv_free(p);
	p = sums(w, "by=name&labels.owner=bob");
	assert_int_equal(p->n, 1);
	row(p, 0, "bob", 1, 3889);
	sv_free(p);
	p = sums(w, "by=resource");
	assert_int_equal(p->n, 3);
	row(p, 0, "dsk_a", 100, 1000);
	sv_free(p);
}

/* Parts of an interval are what the whole had cost at their end less what it had at their
 * beginning: 1 an hour is 0.000278 for the first second and 0.000278 for the second, but 0.000277
 * for the third. */
static void by_time(void **state)
{
	struct world *w = *state;
	const int64_t hour = T0 / 3600 * 3600 + 3600; /* 15:00 */
	struct sv_page *p;

	rich(w);
	meter(w, "ins_a", "compute", "ann", "rtx-4090", NULL, YUAN, hour - 2, hour + 3601);
	w->p.clock.at = hour + 7200;
	p = sums(w, "by=hour");
	assert_int_equal(p->n, 3);
	row(p, 0, "2026-09-21T14", 2, 556);
	row(p, 1, "2026-09-21T15", 3600, 1000000);
	row(p, 2, "2026-09-21T16", 1, 277);
	assert_int_equal(((struct sv_usage_sum *)p->v[1])->started_at, hour);
	sv_free(p);
	p = sums(w, "by=day");
	row(p, 0, "2026-09-21", 3603, 1000833);
	sv_free(p);
	/* In a window only what lies in it. */
	p = sums(w, "by=hour&since=2026-09-21T15:00:00Z&until=2026-09-21T16:00:00Z");
	assert_int_equal(p->n, 1);
	row(p, 0, "2026-09-21T15", 3600, 1000000);
	sv_free(p);
}

static void by_month(void **state)
{
	struct world *w = *state;
	struct sv_page *p;

	rich(w);
	/* From 2026-09-21 14:13:20 for 132 days: to 2027-01-31 14:13:20; 864 a day. */
	meter(w, "ins_a", "compute", "ann", NULL, NULL, 36 * YUAN, T0, T0 + INT64_C(132) * 86400);
	w->p.clock.at = T0 + INT64_C(132) * 86400;
	p = sums(w, "by=month");
	assert_int_equal(p->n, 5);
	row(p, 0, "2026-09", 9 * 86400 + 35200, INT64_C(8128000000));
	row(p, 1, "2026-10", 31 * 86400, INT64_C(31) * 864 * YUAN);
	row(p, 2, "2026-11", 30 * 86400, INT64_C(30) * 864 * YUAN);
	row(p, 3, "2026-12", 31 * 86400, INT64_C(31) * 864 * YUAN);
	row(p, 4, "2027-01", 30 * 86400 + 51200, INT64_C(26432000000));
	sv_free(p);
}

/* A charge that is no rate lies in the stretch of its second; one that is open goes on. */
static void minimums_and_open_ones(void **state)
{
	struct world *w = *state;
	struct meter m = { .account = w->account, .resource = "ins_a", .kind = "compute",
		.name = "ann", .rate_per_hour = 36 * YUAN, .minimum_seconds = 60 };
	struct sv_page *p;

	rich(w);
	assert_int_equal(ledger_meter(w->p.ledger, &m, T0), SV_OK);
	assert_int_equal(ledger_close(w->p.ledger, "ins_a", NULL, T0 + 10), SV_OK);
	meter(w, "ins_b", "compute", "bob", NULL, NULL, 36 * YUAN, T0, 0);
	w->p.clock.at = T0 + 20;
	p = sums(w, "by=kind");
	row(p, 0, "compute", 30, 300000);
	row(p, 1, "minimum", 0, 500000);
	sv_free(p);
	p = sums(w, "by=hour");
	assert_int_equal(p->n, 1);
	row(p, 0, "2026-09-21T14", 30, 800000);
	sv_free(p);
	w->p.clock.at = T0 + 30;
	p = sums(w, "by=instance&name=bob");
	row(p, 0, "ins_b", 30, 300000);
	sv_free(p);
}

static void refusals(void **state)
{
	struct world *w = *state;

	assert_int_equal(ask(w, "GET", "/v1/billing/usage/sums", NULL), 422);
	assert_true(has(w, "\"field\":\"by\""));
	assert_int_equal(ask(w, "GET", "/v1/billing/usage/sums?by=colour", NULL), 422);
	assert_true(has(w, "\"field\":\"by\"") && has(w, "label:KEY"));
	assert_int_equal(ask(w, "GET", "/v1/billing/usage/sums?by=label:", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/billing/usage/sums?by=day&cursor=x", NULL), 422);
	assert_true(has(w, "\"field\":\"cursor\""));
	assert_int_equal(ask(w, "GET", "/v1/billing/usage/sums?by=day&limit=1001", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/billing/usage?by=day", NULL), 422);
	/* A century of hours is no answer. */
	rich(w);
	meter(w, "dsk_a", "disk", "anon", NULL, NULL, 1, T0, 0);
	w->p.clock.at = T0 + INT64_C(36500) * 86400;
	assert_int_equal(ask(w, "GET", "/v1/billing/usage/sums?by=hour", NULL), 422);
	assert_true(has(w, "narrow"));
}

/* 10,000 lines of 100 instances: pages hold all of them once, sums are exact, and it is quick. */
static void many(void **state)
{
	static const char *const words[] = { "day", "gpu", "hour", "instance", "kind",
		"label:owner", "month", "name", "resource" };
	struct world *w = *state;
	int64_t whole = 0, slowest = 0;
	char name[32], query[200];

	rich(w);
	for (int64_t i = 0; i < 10000; i++) {
		struct meter m = { .account = w->account, .resource = name, .kind = "compute",
			.name = name, .gpu = i % 3 ? "rtx-4090" : "tpu-sim",
			.rate_per_hour = 1000003 + i };

		snprintf(name, sizeof(name), "ins_%lld", (long long)(i % 100));
		assert_int_equal(ledger_meter(w->p.ledger, &m, T0 + i / 100 * 977), SV_OK);
	}
	w->p.clock.at = T0 + 100 * 977;
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "ins_%d", i);
		assert_int_equal(ledger_close(w->p.ledger, name, NULL, w->p.clock.at), SV_OK);
	}
	assert_int_equal(platform_commit(&w->p), SV_OK);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		int64_t sum = 0, n = 0, began;

		snprintf(query, sizeof(query), "limit=7&by=%s", words[i]);
		for (;;) {
			struct sv_page *p;
			int more;

			began = sv_mono_ms();
			p = sums(w, query);
			began = sv_mono_ms() - began;
			slowest = began > slowest ? began : slowest;
			for (size_t k = 0; k < p->n; k++)
				sum += ((struct sv_usage_sum *)p->v[k])->cost;
			n += (int64_t)p->n;
			more = p->next != NULL;
			snprintf(query, sizeof(query), "limit=7&by=%s&cursor=%s", words[i],
				more ? p->next : "");
			sv_free(p);
			if (!more)
				break;
		}
		if (!whole)
			whole = sum;
		assert_int_equal(sum, whole);
		if (!strcmp(words[i], "instance"))
			assert_int_equal(n, 100);
		if (!strcmp(words[i], "hour"))
			assert_int_equal(n, 28);
	}
	/* Every line costs its own rounded charge. */
	assert_true(whole > 0);
	print_message("# slowest of 10,000 lines: %lld ms\n", (long long)slowest);
	assert_true(slowest < 2000);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(by_what_it_is),
		CASE(by_time),
		CASE(by_month),
		CASE(minimums_and_open_ones),
		CASE(refusals),
		CASE(many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
