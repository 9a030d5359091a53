/* SPDX-License-Identifier: MIT */
#include "local/queue.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

static int read_one(struct call *c, const char *text, struct choice *ret)
{
	const char *colon = strrchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : strlen(text);
	void *gpu = NULL;
	int rc;

	ret->count = 1;
	if (!len || len >= sizeof(ret->gpu) ||
		(colon && (sv_parse_int(colon + 1, &ret->count) || ret->count < 1)))
		return sv_err_field(&c->err, "fallback", "value",
			"\"%.80s\" is not MODEL or MODEL:COUNT", text);
	snprintf(ret->gpu, sizeof(ret->gpu), "%.*s", (int)len, text);
	rc = store_get(c->p->store, &sv_gpu_kind, NULL, ret->gpu, &gpu);
	sv_free(gpu);
	return rc ? sv_err_field(
			    &c->err, "fallback", "not_found", "there is no card %s", ret->gpu)
		  : SV_OK;
}

int choices_read(struct call *c, const char *gpu, int64_t count, const struct sv_strs *fallback,
	struct choices *ret)
{
	int rc = SV_OK;

	ret->n = 1;
	snprintf(ret->v[0].gpu, sizeof(ret->v[0].gpu), "%s", gpu ? gpu : "");
	ret->v[0].count = count;
	if (fallback->n >= CHOICES_MOST)
		return sv_err_field(&c->err, "fallback", "length", "names more than %d offers",
			CHOICES_MOST - 1);
	for (size_t i = 0; !rc && i < fallback->n; i++)
		rc = read_one(c, fallback->v[i], &ret->v[ret->n++]);
	return rc;
}

/* The backend that was asked for is the first card's. */
static struct quote_ask with(const struct quote_ask *ask, const struct choices *all, int k)
{
	const struct choice *x = &all->v[k];
	struct quote_ask a = *ask;

	a.gpu = x->count ? x->gpu : NULL;
	a.gpu_count = x->count;
	if (k && strcmp(x->gpu, all->v[0].gpu) != 0)
		a.backend = NULL;
	return a;
}

/* All must fit, before the first is looked for: a mistake does not wait for the day it matters. */
static int check(struct platform *p, const struct quote_ask *ask, const struct choices *all,
	struct quote *q, struct sv_error *err)
{
	for (int k = 1; k < all->n; k++) {
		struct quote_ask a = with(ask, all, k);
		int rc;

		a.check = 0;
		rc = quote_ask(p, &a, q, err);
		if (!rc)
			continue;
		err->n_errors = 0;
		sv_err_field(err, "fallback", err->wire, "%s", err->message);
		return rc;
	}
	return SV_OK;
}

static int passed_over(int k, const struct sv_error *err)
{
	return err->code == SV_CAPACITY || (k && !strcmp(err->wire, "price_exceeds_limit"));
}

int choices_ask(struct platform *p, const struct quote_ask *ask, const struct choices *all,
	struct quote *q, struct sv_error *err)
{
	struct sv_error first;
	int rc = check(p, ask, all, q, err);

	for (int k = 0; !rc && k < all->n; k++) {
		struct quote_ask a = with(ask, all, k);
		struct sv_error own;

		sv_err_clear(&own);
		rc = quote_ask(p, &a, q, &own);
		if (!rc)
			return SV_OK;
		if (!k)
			first = own;
		if (!passed_over(k, &own)) {
			*err = own;
			return rc;
		}
		rc = SV_OK;
	}
	if (rc)
		return rc;
	*err = first;
	return first.code;
}

static int set_number(struct platform *p, const char *id, const char *name, int64_t v)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)v);
	return store_fact_set(p->store, id, name, v >= 0 ? text : NULL);
}

int queue_note(struct platform *p, const char *id, const struct quote_ask *ask,
	const struct choices *all)
{
	struct sv_buf b;
	int rc;

	sv_buf_init(&b, 4096);
	for (int k = 0; k < all->n; k++)
		sv_buf_fmt(&b, "%s%s:%lld", k ? " " : "", all->v[k].gpu,
			(long long)all->v[k].count);
	rc = b.failed ? SV_NOMEM : store_fact_set(p->store, id, "choices", sv_buf_text(&b));
	sv_buf_free(&b);
	if (!rc)
		rc = store_fact_set(p->store, id, "wish", ask->backend);
	if (!rc)
		rc = set_number(p, id, "max_price", ask->max_price_per_hour);
	return rc ? rc
		  : set_number(p, id, "system_gib",
			    ask->system_disk_gib ? ask->system_disk_gib : -1);
}

int step_capacity_undo(struct flow *f)
{
	static const char *const names[] = { "choices", "wish", "max_price", "system_gib" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		store_fact_set(f->p->store, f->resource, names[i], NULL);
	return FLOW_DONE;
}

static int64_t number(struct platform *p, const char *id, const char *name, int64_t otherwise)
{
	char text[32];
	int64_t v;

	return sv_parse_int(doc_fact(p, id, name, text, sizeof(text)), &v) ? otherwise : v;
}

static void parse(char *text, struct choices *ret)
{
	char *next;

	ret->n = 0;
	for (char *at = text; at && *at && ret->n < CHOICES_MOST; at = next) {
		struct choice *x = &ret->v[ret->n++];
		char *colon;

		next = strchr(at, ' ');
		if (next)
			*next++ = '\0';
		colon = strrchr(at, ':');
		x->count = 0;
		if (colon) {
			*colon = '\0';
			sv_parse_int(colon + 1, &x->count);
		}
		snprintf(x->gpu, sizeof(x->gpu), "%.63s", at);
	}
}

static int ask_again(struct flow *f, struct sv_instance *i, char *choices, struct quote *q)
{
	struct guard_limits limits = instance_limits(i);
	const char *one[1] = { i->backend };
	struct sv_strs backends = { .n = 1, .v = one };
	struct choices all;
	char wish[32];
	struct quote_ask a = { .account = f->account,
		.image = i->image,
		.instance = i->id,
		.system_disk_gib = number(f->p, i->id, "system_gib", 0),
		.max_price_per_hour = number(f->p, i->id, "max_price", -1),
		.max_cost = limits.max_cost,
		.check = QUOTE_ALL };

	if (doc_fact(f->p, i->id, "wish", wish, sizeof(wish))[0])
		a.backend = wish;
	if (!i->image && i->backend)
		a.backends = &backends;
	instance_mounts_price(f->p, i, &a);
	parse(choices, &all);
	sv_err_clear(&f->err);
	return choices_ask(f->p, &a, &all, q, &f->err);
}

static int take(struct flow *f, struct sv_instance *i, const struct quote *q)
{
	int rc = instance_take(f->p, i, q);

	if (!rc)
		rc = capacity_hold(f->p, f->account, i->id, i->gpu, i->gpu_count);
	if (!rc)
		rc = store_fact_set(f->p->store, i->id, "cards", NULL);
	if (!rc)
		rc = step_capacity_undo(f);
	instance_status(i, f->type == &flow_instance_start ? "starting" : "provisioning");
	instance_reason(i, NULL, NULL);
	if (!rc)
		rc = instance_put(f->p, f->account, i);
	return rc ? rc
		  : platform_event(f->p, f->account, "instance.dequeued", "platform", i->id,
			    "%s takes %lld x %s", i->name, (long long)i->gpu_count, i->gpu);
}

/* What its account has in use may become less, too. */
static int waits(const struct sv_error *err)
{
	return err->code == SV_CAPACITY || err->code == SV_QUOTA;
}

static int look(struct flow *f)
{
	struct sv_instance *i = NULL;
	struct quote q;
	char choices[CHOICES_MOST * 90];
	int rc;

	if (!doc_fact(f->p, f->resource, "choices", choices, sizeof(choices))[0])
		return FLOW_SKIP;
	rc = instance_get(f->p, f->resource, &i);
	if (!rc)
		rc = ask_again(f, i, choices, &q);
	if (rc && waits(&f->err)) {
		sv_err_clear(&f->err);
		rc = FLOW_WAIT;
	} else if (!rc) {
		rc = take(f, i, &q);
	}
	sv_free(i);
	return rc;
}

int step_capacity(struct flow *f)
{
	return look(f);
}

/* Cards have become free, or it is given up. */
int step_capacity_next(struct flow *f)
{
	if (f->cancelled)
		return sv_err(&f->err, SV_CANCELED, "cancelled while it waited for capacity");
	return look(f);
}
