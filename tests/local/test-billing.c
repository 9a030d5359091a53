/* SPDX-License-Identifier: MIT */
/* Account, billing and quotes as requests see them, on a platform in memory with a stepped clock.
 */
#include "unit.h"

#include <starverse/account.h>
#include <starverse/billing.h>
#include <starverse/gpu.h>

#include "base/time.h"
#include "kinds/kinds.h"
#include "local/capacity.h"
#include "local/catalog.h"
#include "local/ledger.h"
#include "local/platform.h"
#include "local/quote.h"
#include "model/json.h"

#define T0   INT64_C(1790000000)
#define YUAN INT64_C(1000000)

struct world {
	struct platform p;
	char account[64], key[120];
	struct reply rp;
};

extern const struct engine_ops sv_engine_none;

static int ask(
	struct world *w, const char *method, const char *path, const char *query, const char *body)
{
	struct request rq = { .method = method,
		.path = path,
		.query = query ? query : "",
		.body = body ? body : "",
		.body_len = body ? strlen(body) : 0,
		.trusted = 1,
		.authorization = *w->key ? w->key : NULL };

	reply_free(&w->rp);
	platform_handle(&w->p, &rq, &w->rp);
	assert_int_equal(platform_commit(&w->p), SV_OK);
	return w->rp.status;
}

static void *answer(struct world *w, const struct sv_kind *kind)
{
	void *obj = NULL;
	struct sv_error err;

	if (sv_from_json(kind, sv_buf_text(&w->rp.body), w->rp.body.len, &obj, &err) != SV_OK)
		fail_msg("%s: %s", err.message, sv_buf_text(&w->rp.body));
	return obj;
}

static struct sv_page *page(struct world *w, const struct sv_kind *kind)
{
	struct sv_page *ret = NULL;
	struct sv_error err;
	struct cJSON *tree = sv_json_parse(sv_buf_text(&w->rp.body), w->rp.body.len, &err);

	assert_non_null(tree);
	assert_int_equal(sv_decode_page(kind, tree, &ret, &err), SV_OK);
	sv_json_free(tree);
	return ret;
}

static int says(struct world *w, const char *text)
{
	if (strstr(sv_buf_text(&w->rp.body), text))
		return 1;
	print_message("# %s\n", sv_buf_text(&w->rp.body));
	return 0;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct sv_account_registration *r;
	char message[300] = "";

	assert_non_null(w);
	w->p.clock = (struct clock){ .stepped = 1, .at = T0 };
	w->p.ops = &sv_engine_none;
	assert_int_equal(store_open(NULL, &w->p.store, message, sizeof(message)), SV_OK);
	assert_int_equal(catalog_read(NULL, &w->p.catalog, message, sizeof(message)), SV_OK);
	if (platform_open(&w->p, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
	assert_int_equal(
		ask(w, "POST", "/v1/account/register", NULL, "{\"email\":\"me@example.com\"}"),
		201);
	r = answer(w, &sv_account_registration_kind);
	snprintf(w->account, sizeof(w->account), "%s", r->account->id);
	snprintf(w->key, sizeof(w->key), "Bearer %s", r->api_key);
	sv_free(r);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	char message[300] = "";

	if (ledger_verify(w->p.ledger, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
	reply_free(&w->rp);
	platform_close(&w->p);
	catalog_free(w->p.catalog);
	store_close(w->p.store);
	free(w);
	return 0;
}

static void meter(struct world *w, int64_t rate, int64_t at)
{
	struct meter m = { .account = w->account,
		.resource = "ins_1",
		.kind = "compute",
		.name = "one",
		.gpu = "rtx-4090",
		.rate_per_hour = rate };

	assert_int_equal(ledger_meter(w->p.ledger, &m, at), SV_OK);
}

static void registering_gives_credit(void **state)
{
	struct world *w = *state;
	struct sv_account *a;

	assert_int_equal(ask(w, "GET", "/v1/account", NULL, NULL), 200);
	a = answer(w, &sv_account_kind);
	if (!a->balance)
		print_message("# %s\n", sv_buf_text(&w->rp.body));
	assert_int_equal(a->balance->credit, 10 * YUAN);
	assert_int_equal(a->balance->cash, 0);
	assert_int_equal(a->balance->available, 10 * YUAN);
	assert_string_equal(a->balance->currency, "CNY");
	assert_true(sv_is_null(a, runway_seconds));
	assert_int_equal(a->limits->instances, 1000);
	assert_int_equal(a->limits->disk_retention_seconds, 604800);
	sv_free(a);
	assert_int_equal(ask(w, "GET", "/v1/billing/vouchers", NULL, NULL), 200);
	assert_true(says(w, "\"trial credit\"") && says(w, "\"active\"") &&
		    says(w, "\"remaining\":\"10.000000\""));
}

static void top_up_is_cash(void **state)
{
	struct world *w = *state;
	struct sv_account *a;

	assert_int_equal(ask(w, "POST", "/v1/account/top_up", NULL, "{\"amount\":\"25.5\"}"), 200);
	a = answer(w, &sv_account_kind);
	assert_int_equal(a->balance->cash, 25500000);
	assert_int_equal(a->version, 2);
	sv_free(a);
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", NULL, "{\"amount\":25.5}"), 422);
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", NULL, "{\"amount\":\"0\"}"), 422);
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", NULL, "{\"amount\":\"-1\"}"), 422);
	assert_int_equal(
		ask(w, "POST", "/v1/account/top_up", NULL, "{\"amount\":\"9223372036854.775807\"}"),
		422);
	assert_true(says(w, "amount"));
	assert_int_equal(ask(w, "GET", "/v1/billing/charges", NULL, NULL), 200);
	assert_true(says(w, "\"top_up\"") && says(w, "\"balance\":\"35.500000\""));
}

static void usage_is_to_the_second(void **state)
{
	struct world *w = *state;
	struct sv_page *p;
	struct sv_usage *u;

	meter(w, 56 * YUAN, T0);
	w->p.clock.at = T0 + 7;
	assert_int_equal(ask(w, "GET", "/v1/billing/usage", NULL, NULL), 200);
	p = page(w, &sv_usage_kind);
	assert_int_equal(p->n, 1);
	u = p->v[0];
	assert_int_equal(u->seconds, 7);
	assert_int_equal(u->cost, 108889);
	assert_int_equal(u->price_per_hour, 56 * YUAN);
	assert_true(sv_is_null(u, ended_at));
	assert_string_equal(u->name, "one");
	sv_free(p);
	assert_int_equal(ask(w, "GET", "/v1/billing/usage", "gpu=tpu-sim", NULL), 200);
	p = page(w, &sv_usage_kind);
	assert_int_equal(p->n, 0);
	sv_free(p);
	assert_int_equal(
		ask(w, "GET", "/v1/billing/usage", "gpu=tpu-sim&gpu=rtx-4090&kind=compute", NULL),
		200);
	p = page(w, &sv_usage_kind);
	assert_int_equal(p->n, 1);
	sv_free(p);
	assert_int_equal(ask(w, "GET", "/v1/billing/usage", "limit=0", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/billing/usage", "cursor=x", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/billing/usage", "colour=red", NULL), 422);
}

static void pages_are_whole(void **state)
{
	struct world *w = *state;
	char query[80] = "limit=3";
	int64_t sum = 0, n = 0;
	struct balance b;

	for (int64_t i = 0; i < 10; i++)
		meter(w, (i + 1) * YUAN, T0 + i * 10);
	w->p.clock.at = T0 + 100;
	assert_int_equal(ledger_close(w->p.ledger, "ins_1", NULL, T0 + 100), SV_OK);
	while (*query) {
		struct sv_page *p;

		assert_int_equal(ask(w, "GET", "/v1/billing/charges", query, NULL), 200);
		p = page(w, &sv_charge_kind);
		*query = '\0';
		assert_true(p->n <= 3);
		for (size_t i = 0; i < p->n; i++, n++)
			sum += ((struct sv_charge *)p->v[i])->amount;
		if (p->next)
			snprintf(query, sizeof(query), "limit=3&cursor=%s", p->next);
		sv_free(p);
	}
	assert_int_equal(n, 11);
	assert_int_equal(ledger_account(w->p.ledger, w->account, T0 + 100, &b), SV_OK);
	assert_int_equal(sum, b.cash + b.credit);
	assert_int_equal(ask(w, "GET", "/v1/billing/invoices", NULL, NULL), 200);
	assert_true(says(w, "\"inv_202609\"") && says(w, "\"open\"") && says(w, "0.152778"));
	assert_int_equal(ask(w, "GET", "/v1/billing/budgets", NULL, NULL), 200);
	assert_true(says(w, "\"items\":[]"));
}

static struct sv_quote *quote(struct world *w, const char *body)
{
	int status = ask(w, "POST", "/v1/billing/quote", NULL, body);

	if (status != 200)
		fail_msg("%d %s", status, sv_buf_text(&w->rp.body));
	return answer(w, &sv_quote_kind);
}

static void quotes_are_itemised(void **state)
{
	struct world *w = *state;
	struct sv_quote *q;
	int64_t sum = 0;

	q = quote(w, "{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"gpu_count\":4,"
		     "\"image\":\"pytorch-2.2\",\"system_disk_gib\":66}}");
	/* 56 an hour; the 36 GiB beyond 30 at 0.06 a month are 2.16 a month, 0.003 an hour, 0.072 a
	 * day */
	assert_int_equal(q->price_per_hour, 56003000);
	assert_int_equal(q->price_per_day, 1344072000);
	assert_int_equal(q->residual_price_per_day, 72000);
	assert_int_equal(q->minimum_charge, 0);
	assert_int_equal(q->runway_seconds, 642);
	assert_true(q->available);
	assert_int_equal(q->items.n, 2);
	for (size_t i = 0; i < q->items.n; i++)
		sum += ((struct sv_quote_item *)q->items.v[i])->price_per_hour;
	assert_int_equal(sum, q->price_per_hour);
	sv_free(q);
	q = quote(w, "{\"kind\":\"instance\",\"body\":{\"gpu\":\"a100-80g\",\"image\":\"pytorch-2."
		     "2\"}}");
	assert_int_equal(q->price_per_hour, 700000);
	assert_string_equal(((struct sv_quote_item *)q->items.v[1])->item, "discount");
	assert_int_equal(((struct sv_quote_item *)q->items.v[1])->price_per_hour, -1200000);
	sv_free(q);
	q = quote(w, "{\"kind\":\"instance\",\"body\":{\"gpu\":\"a100-80g\",\"gpu_count\":2,"
		     "\"image\":\"pytorch-2.2\"}}");
	assert_int_equal(q->price_per_hour, 3800000);
	sv_free(q);
	q = quote(w, "{\"kind\":\"instance\",\"body\":{\"app\":\"llama-3-8b-pretrain\"}}");
	assert_int_equal(q->price_per_hour, 56000000);
	sv_free(q);
	q = quote(w, "{\"kind\":\"instance\",\"body\":{\"gpu\":\"h100-80g\",\"gpu_count\":2,"
		     "\"image\":\"pytorch-2.3\"}}");
	assert_int_equal(q->minimum_seconds, 3600);
	assert_int_equal(q->minimum_charge, 9600000);
	sv_free(q);
	q = quote(w, "{\"kind\":\"disk\",\"body\":{\"size_gib\":72}}");
	assert_int_equal(q->price_per_hour, 10000);
	assert_int_equal(q->price_per_day, 240000);
	/* The 10 would pay for a thousand hours, but are credit that ends after 30 days. */
	assert_int_equal(q->runway_seconds, 30 * 86400);
	sv_free(q);
}

static void what_does_not_fit_is_said(void **state)
{
	struct world *w = *state;

	assert_int_equal(ask(w, "POST", "/v1/billing/quote", NULL,
				 "{\"kind\":\"instance\",\"body\":{\"gpu\":\"tpu-sim\",\"image\":"
				 "\"cuda-devel\"}}"),
		422);
	assert_true(says(w, "\"incompatible\"") && says(w, "\"field\":\"image\"") &&
		    says(w, "images that fit tpu-sim: pytorch-2.2, pytorch-2.3"));
	assert_int_equal(
		ask(w, "POST", "/v1/billing/quote", NULL,
			"{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"backend\":\"tpu\","
			"\"image\":\"pytorch-2.2\"}}"),
		422);
	assert_true(says(w, "\"incompatible\"") && says(w, "rtx-4090 is driven by cuda"));
	assert_int_equal(
		ask(w, "POST", "/v1/billing/quote", NULL,
			"{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"gpu_count\":9,"
			"\"image\":\"pytorch-2.2\"}}"),
		422);
	assert_true(says(w, "gpu_count") && says(w, "at most 8"));
	assert_int_equal(ask(w, "POST", "/v1/billing/quote", NULL,
				 "{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-5090\",\"image\":"
				 "\"pytorch-2.2\"}}"),
		404);
	assert_int_equal(ask(w, "POST", "/v1/billing/quote", NULL,
				 "{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"image\":"
				 "\"pytorch-9\"}}"),
		404);
	assert_int_equal(
		ask(w, "POST", "/v1/billing/quote", NULL, "{\"kind\":\"planet\",\"body\":{}}"),
		422);
	assert_int_equal(
		ask(w, "POST", "/v1/billing/quote", NULL,
			"{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"colour\":1}}"),
		422);
	assert_true(says(w, "colour"));
}

static int refuse(struct world *w, const struct quote_ask *want, const char *wire)
{
	struct quote_ask ask = *want;
	struct sv_error err = { 0 };
	struct quote q;
	int rc;

	ask.account = w->account;
	ask.check = QUOTE_ALL;
	rc = quote_ask(&w->p, &ask, &q, &err);
	if (strcmp(err.wire, wire) != 0)
		fail_msg("%s: %s", err.wire, err.message);
	return rc;
}

static void money_is_asked_for_before_it_is_spent(void **state)
{
	struct world *w = *state;
	struct quote_ask a = {
		.gpu = "rtx-4090", .gpu_count = 4, .max_price_per_hour = -1, .max_cost = -1
	};

	assert_int_equal(refuse(w, &a, ""), SV_OK);
	a.max_price_per_hour = 56 * YUAN;
	assert_int_equal(refuse(w, &a, ""), SV_OK);
	a.max_price_per_hour--;
	assert_int_equal(refuse(w, &a, "price_exceeds_limit"), SV_PRICE);
	a = (struct quote_ask){
		.gpu = "h100-80g", .gpu_count = 2, .max_price_per_hour = -1, .max_cost = 9600000
	};
	assert_int_equal(refuse(w, &a, ""), SV_OK);
	a.max_cost--;
	assert_int_equal(refuse(w, &a, "budget_exceeded"), SV_BALANCE);
	a.max_cost = -1;
	a.gpu_count = 3;
	assert_int_equal(refuse(w, &a, "insufficient_balance"), SV_BALANCE);
	assert_int_equal(ledger_top_up(w->p.ledger, w->account, 4400000, T0, NULL), SV_OK);
	assert_int_equal(refuse(w, &a, ""), SV_OK);
}

static void cards_are_asked_for_too(void **state)
{
	struct world *w = *state;
	struct quote_ask a = {
		.gpu = "mi300x", .gpu_count = 2, .max_price_per_hour = -1, .max_cost = -1
	};

	assert_int_equal(capacity_hold(&w->p, "acc_other", "ins_o", "mi300x", 8), SV_OK);
	assert_int_equal(capacity_hold(&w->p, w->account, "ins_1", "mi300x", 7), SV_OK);
	assert_int_equal(refuse(w, &a, "insufficient_capacity"), SV_CAPACITY);
	a.instance = "ins_1"; /* its own cards count as free: a resize */
	a.gpu_count = 8;
	assert_int_equal(refuse(w, &a, ""), SV_OK);
	assert_int_equal(ask(w, "GET", "/v1/gpus", "min_free=2&name=mi300x", NULL), 200);
	assert_true(says(w, "\"items\":[]"));
	assert_int_equal(ask(w, "GET", "/v1/gpus/mi300x", NULL, NULL), 200);
	assert_true(says(w, "\"free\":1,") && says(w, "\"availability\":\"low\""));
}

static void the_library_is_searched(void **state)
{
	struct world *w = *state;

	assert_int_equal(
		ask(w, "GET", "/v1/apps", "search=LLAMA-3-8b%20%E9%A2%84%E8%AE%AD%E7%BB%83", NULL),
		200);
	assert_true(says(w, "llama-3-8b-pretrain"));
	assert_null(strstr(sv_buf_text(&w->rp.body), "llama-4-70b-sft"));
	assert_int_equal(ask(w, "GET", "/v1/apps", "search=llama%20zebra", NULL), 200);
	assert_true(says(w, "\"items\":[]"));
	assert_int_equal(
		ask(w, "GET", "/v1/datasets", "search=fineweb&min_size_gib=5000", NULL), 200);
	assert_true(says(w, "\"path\":\"/library/datasets/fineweb-edu\"") &&
		    says(w, "\"aligned_models\":[\"llama-3-8b\"]"));
	assert_int_equal(ask(w, "GET", "/v1/models", NULL, NULL), 200);
	assert_true(says(w, "\"llama-4-70b\"") && says(w, "\"simulated\":true"));
	assert_int_equal(ask(w, "GET", "/v1/gpus", "backend=mlu", NULL), 200);
	assert_true(says(w, "mlu370-x8"));
	assert_null(strstr(sv_buf_text(&w->rp.body), "rtx-4090"));
}

static void time_ends_what_money_does_not_cover(void **state)
{
	struct world *w = *state;
	struct sv_error err;
	struct balance b;

	meter(w, 56 * YUAN, T0);
	assert_int_equal(platform_step(&w->p, 3600, &err), SV_OK);
	assert_int_equal(ledger_account(w->p.ledger, w->account, T0 + 3600, &b), SV_OK);
	assert_int_equal(b.credit, 13333);
	assert_int_equal(ledger_busy(w->p.ledger), 0);
	assert_int_equal(ledger_cost(w->p.ledger, "ins_1", T0 + 3600), 9986667);
	/* The trial credit ends after 30 days, at its own second. */
	assert_int_equal(platform_step(&w->p, 40 * 86400, &err), SV_OK);
	assert_int_equal(ask(w, "GET", "/v1/billing/charges", "kind=expiry", NULL), 200);
	assert_true(says(w, "\"amount\":\"-0.013333\"") && says(w, "\"balance\":\"0.000000\""));
	assert_int_equal(ask(w, "GET", "/v1/events", NULL, NULL), 200);
	assert_true(says(w, "account.arrears") && says(w, "account.credit_expired"));
}

static void an_hour_costs_what_it_says(void **state)
{
	struct world *w = *state;
	struct sv_error err;

	assert_int_equal(ledger_top_up(w->p.ledger, w->account, 100 * YUAN, T0, NULL), SV_OK);
	meter(w, 56 * YUAN, T0);
	assert_int_equal(platform_step(&w->p, 3600, &err), SV_OK);
	assert_int_equal(ledger_cost(w->p.ledger, "ins_1", T0 + 3600), 56 * YUAN);
	assert_int_equal(
		ask(w, "GET", "/v1/billing/charges", "resource=ins_1&limit=1000", NULL), 200);
	{
		struct sv_page *p = page(w, &sv_charge_kind);
		int64_t sum = 0, last = T0;

		for (size_t i = 0; i < p->n; i++) {
			struct sv_charge *c = p->v[i];

			sum -= c->amount;
			assert_true(c->time - last <= 60);
			last = c->time;
		}
		assert_int_equal(sum, 56 * YUAN);
		sv_free(p);
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(registering_gives_credit),
		T(top_up_is_cash),
		T(usage_is_to_the_second),
		T(pages_are_whole),
		T(quotes_are_itemised),
		T(what_does_not_fit_is_said),
		T(money_is_asked_for_before_it_is_spent),
		T(cards_are_asked_for_too),
		T(the_library_is_searched),
		T(time_ends_what_money_does_not_cover),
		T(an_hour_costs_what_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
