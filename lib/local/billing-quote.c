/* SPDX-License-Identifier: MIT */
/* A quote: what a create body would cost, item by item; nothing is created, nothing is billed. */
#include <stdio.h>
#include <string.h>

#include <starverse/billing.h>
#include <starverse/group.h>
#include <starverse/job.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/billing.h"
#include "local/catalog.h"
#include "local/field.h"
#include "local/job.h"
#include "local/quote.h"
#include "model/json.h"

struct item {
	const char *item, *text;
	int64_t quantity, unit, all;
};

static int add_item(struct sv_quote *out, const struct item *i)
{
	struct sv_quote_item *to = sv_new_in(out, &sv_quote_item_kind);

	if (!to)
		return SV_NOMEM;
	sv_put(to, item, i->item);
	sv_put(to, description, sv_strdup_in(out, i->text));
	sv_put(to, quantity, i->quantity);
	sv_put(to, unit_price_per_hour, i->unit);
	sv_put(to, price_per_hour, i->all);
	return sv_list_add(out, &out->items, to);
}

static int64_t rounded(int64_t rate, int64_t per, int64_t seconds)
{
	int64_t v = INT64_MAX;

	sv_charge_per(rate, per, seconds, &v);
	return v;
}

static struct sv_quote *begin(struct call *c, const char *kind)
{
	struct sv_quote *out = sv_new(&sv_quote_kind);

	c->out = out;
	if (!out)
		return NULL;
	sv_put(out, kind, kind);
	sv_put(out, currency, BILLING_CURRENCY);
	sv_mark(out, items);
	return out;
}

/* Days are 24 times the exact rate, not of a rounded hour. per_month: of what bills while stopped.
 */
static void show(struct sv_quote *out, int64_t compute, int64_t per_month, const struct quote *q)
{
	int64_t disks = rounded(per_month, 30, 1);

	sv_put(out, price_per_hour, compute + rounded(per_month, LEDGER_MONTH, 3600));
	sv_put(out, price_per_day, compute * 24 + disks);
	sv_put(out, residual_price_per_day, disks);
	sv_put(out, minimum_seconds, q->price.minimum_seconds);
	sv_put(out, minimum_charge, q->price.minimum_charge);
	sv_put(out, available, q->available);
	if (q->runway_seconds < 0)
		sv_mark_null(out, runway_seconds);
	else
		sv_put(out, runway_seconds, q->runway_seconds);
}

/* n: how many instances they are of. */
static int instance_items(struct call *c, struct sv_quote *out, const struct quote *q, int64_t n)
{
	char card[160], disk[160];
	struct item items[] = {
		{ "accelerator", card, q->gpu_count, q->unit_price_per_hour, q->price.accelerator },
		{ "discount", "promotional price", q->gpu_count,
			q->gpu_count ? -q->price.discount / q->gpu_count : 0, -q->price.discount },
		{ "image", "image", n, q->price.image / n, q->price.image },
		{ "system_disk", disk, q->system_disk_gib * n,
			rounded(q->system_disk_price, LEDGER_MONTH, 3600),
			q->system_disk_per_hour },
		{ "disk", "disks that are billed already", 1,
			q->price.disks - q->system_disk_per_hour,
			q->price.disks - q->system_disk_per_hour },
		{ "storage", "storages that are billed already", 1, q->price.storage,
			q->price.storage },
	};
	char price[32];
	int rc = SV_OK;

	sv_print_money(q->system_disk_price, price, sizeof(price));
	snprintf(card, sizeof(card), "%s%s", q->gpu, q->simulated ? " (simulated)" : "");
	snprintf(disk, sizeof(disk), "system disk, %s per GiB and month beyond %lld GiB",
		price, (long long)catalog_settings(c->p->catalog)->system_disk_gib);
	for (size_t i = 0; !rc && i < sizeof(items) / sizeof(items[0]); i++)
		if (items[i].all || i == 0)
			rc = add_item(out, &items[i]);
	return rc;
}

/* So many of them; what is billed already is there once for all. */
static int times(struct call *c, struct quote *q, int64_t n, int64_t *per_month)
{
	int64_t *const sums[] = { &q->gpu_count, &q->price.accelerator, &q->price.discount,
		&q->price.image, &q->price.compute_per_hour, &q->price.minimum_charge,
		&q->system_disk_per_hour, per_month };
	int64_t once = q->price.disks - q->system_disk_per_hour;
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < sizeof(sums) / sizeof(sums[0]); i++)
		if (sv_mul64(*sums[i], n, sums[i]))
			rc = sv_err(&c->err, SV_INVALID, "the price is too large");
	if (rc)
		return rc;
	q->price.disks = once + q->system_disk_per_hour;
	q->available = capacity_free(c->p, q->gpu, NULL) >= q->gpu_count;
	return quote_runway(c->p, c->account, q);
}

static int quote_bodies(
	struct call *c, const char *what, const struct sv_instance_create_body *body, int64_t n)
{
	struct sv_quote *out = NULL;
	struct quote q;
	int64_t per_month = 0;
	int rc = quote_create(c->p, c->account, body, 0, &q, &c->err);

	if (!rc && sv_mul64(q.system_disk_price,
			   catalog_billed_gib(c->p->catalog, q.system_disk_gib), &per_month))
		rc = sv_err(&c->err, SV_INVALID, "the price is too large");
	if (!rc && n != 1)
		rc = times(c, &q, n, &per_month);
	if (!rc)
		rc = (out = begin(c, what)) ? SV_OK : SV_NOMEM;
	if (rc)
		return rc;
	show(out, q.price.compute_per_hour,
		per_month + q.existing_per_month + q.storage_per_month, &q);
	return instance_items(c, out, &q, n ? n : 1);
}

/* A create body of a kind from its text; a name is no part of a price. */
static int read_body(struct call *c, const struct sv_kind *kind, const char *text, void **ret)
{
	int rc = sv_from_body(kind, text, strlen(text), ret, &c->err);

	if (!rc && !field_text(kind, *ret, "name"))
		field_set_text(kind, *ret, "name", "quote");
	return rc ? rc : sv_check(kind, *ret, SV_WALK_CREATE, &c->err);
}

static int quote_instance(struct call *c, const char *text)
{
	void *body = NULL;
	int rc = read_body(c, &sv_instance_create_body_kind, text, &body);

	if (!rc)
		rc = quote_bodies(c, "instance", body, 1);
	sv_free(body);
	return rc;
}

/* One that runs where something is billed already costs nothing more. */
static int price_job_there(struct call *c)
{
	struct quote q = { .available = 1, .runway_seconds = -1 };
	const struct item item = { "accelerator", "an instance that is billed already", 1, 0, 0 };
	struct sv_quote *out = begin(c, "job");
	struct balance b;
	int rc = out ? ledger_account(c->p->ledger, c->account, c->now, &b) : SV_NOMEM;

	if (rc)
		return rc;
	q.runway_seconds = b.runway_seconds;
	show(out, 0, 0, &q);
	return add_item(out, &item);
}

static int quote_job(struct call *c, const char *text)
{
	struct sv_instance_create_body *instance = NULL;
	void *body = NULL;
	int rc = read_body(c, &sv_job_create_body_kind, text, &body);
	const struct sv_job_create_body *job = body;

	if (!rc && job->instance) {
		rc = price_job_there(c);
	} else if (!rc) {
		instance = job_instance_body(job);
		rc = instance ? quote_bodies(c, "job", instance, 1) : SV_NOMEM;
	}
	sv_free(instance);
	sv_free(body);
	return rc;
}

static int quote_group(struct call *c, const char *text)
{
	struct sv_group *g = NULL;
	int rc = read_body(c, &sv_group_kind, text, (void **)&g);

	if (!rc)
		rc = quote_bodies(c, "group", g->template_, g->desired);
	sv_free(g);
	return rc;
}

/* What is priced by its size alone. */
struct sized {
	const struct sv_kind *kind; /* of its create body */
	const char *item, *text;
	int64_t price; /* per GiB and month */
};

static int quote_sized(struct call *c, const struct sized *what, const char *text)
{
	int64_t per_month = 0, gib = 0;
	struct quote q = { .available = 1, .runway_seconds = -1 };
	struct sv_quote *out = NULL;
	struct ledger_more more = { what->item, NULL, 0 };
	void *body = NULL;
	int rc = read_body(c, what->kind, text, &body);

	if (!rc)
		gib = field_number(what->kind, body, "size_gib", 0);
	if (!rc && sv_mul64(what->price, gib, &per_month))
		rc = sv_err_field(&c->err, "size_gib", "range", "is too large");
	more.per_hour = rounded(per_month, LEDGER_MONTH, 3600);
	if (!rc)
		rc = ledger_runway(
			c->p->ledger, c->account, c->now, &more, 1, &q.runway_seconds);
	if (!rc)
		rc = (out = begin(c, what->item)) ? SV_OK : SV_NOMEM;
	if (!rc) {
		struct item item = { what->item, what->text, gib,
			rounded(what->price, LEDGER_MONTH, 3600), more.per_hour };

		show(out, 0, per_month, &q);
		rc = add_item(out, &item);
	}
	sv_free(body);
	return rc;
}

int local_billing_quote(struct call *c)
{
	const struct catalog_settings *s = catalog_settings(c->p->catalog);
	const struct sv_billing_quote_body *in = c->in;
	const struct sized sized[] = {
		{ &sv_disk_create_body_kind, "disk", "data disk", s->data_disk_price },
		{ &sv_storage_create_body_kind, "storage", "cloud storage", s->storage_price },
	};

	for (size_t i = 0; i < sizeof(sized) / sizeof(sized[0]); i++)
		if (!strcmp(in->kind, sized[i].item))
			return quote_sized(c, &sized[i], in->body);
	if (!strcmp(in->kind, "job"))
		return quote_job(c, in->body);
	return strcmp(in->kind, "group") ? quote_instance(c, in->body) : quote_group(c, in->body);
}
