/* SPDX-License-Identifier: MIT */
/* What was spent on which card, and what three years of eight cards would cost to own. */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

/* Money is micro-yuan: no double ever holds it. */
static void print(const char *what, int64_t micro)
{
	uint64_t v = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;

	printf("%s\t%s%" PRIu64 ".%06" PRIu64 "\n", what, micro < 0 ? "-" : "", v / 1000000,
		v % 1000000);
}

static int spent(sv_client *c, struct sv_usage_filter *f)
{
	struct sv_usage_sum_list *list = NULL;
	int64_t all = 0;
	int r;

	f->by = "gpu";
	r = sv_billing_sums(c, f, &list);
	for (size_t i = 0; !r && i < list->n; i++) {
		print(list->v[i]->key ? list->v[i]->key : "no card", list->v[i]->cost);
		all += list->v[i]->cost;
	}
	if (!r)
		print("all of it", all);
	sv_free(list);
	return r;
}

/* Computed here: no platform is asked. */
static void own(void)
{
	struct sv_billing_tco_body body = { .own_capex = INT64_C(1100000000000),
		.own_monthly = INT64_C(3500000000), .cards = 8, .unit_price_per_hour = 1900000 };
	struct sv_tco *tco = NULL;
	struct sv_error err;

	if (!sv_billing_tco_compute(&body, &tco, &err))
		print("to own", tco->own_total);
	sv_free(tco);
}

int main(void)
{
	struct sv_usage_filter *filter = sv_usage_filter_new();
	sv_client *c = NULL;
	int r = filter ? sv_client_new(NULL, &c) : SV_NOMEM;

	if (!r)
		r = spent(c, filter);
	if (r)
		fprintf(stderr, "bill: %s\n", c ? sv_client_error(c)->message : sv_strerror(r));
	else
		own();
	sv_free(filter);
	sv_client_free(c);
	return r ? sv_exit_code(r) : 0;
}
