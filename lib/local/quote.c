/* SPDX-License-Identifier: MIT */
/* Prices and refusals, in the order in which a user can do something about them: does it exist,
 * does it fit, is it free, may it cost so much, is there money. */
#include "local/budget.h"
#include "local/quote.h"

#include <stdio.h>
#include <string.h>

#include <starverse/gpu.h>
#include <starverse/image.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/catalog.h"
#include "local/platform.h"
#include "model/near.h"

struct asking {
	struct platform *p;
	const struct quote_ask *ask;
	struct sv_gpu *gpu;     /* a root, or NULL: no card */
	struct sv_image *image; /* a root, or NULL */
	struct quote *q;
	struct sv_error *err;
};

static int has(const struct sv_strs *all, const char *one)
{
	for (size_t i = 0; all && i < all->n; i++)
		if (!strcmp(all->v[i], one))
			return 1;
	return 0;
}

static int same_word(const struct sv_strs *a, const struct sv_strs *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (has(b, a->v[i]))
			return 1;
	return 0;
}

static void join(const struct sv_strs *all, char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; i < all->n && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? ", " : "", all->v[i]);
}

/* What the system disk runs on; NULL: anything, where nothing is known. */
static const struct sv_strs *fits(const struct asking *a)
{
	return a->image ? &a->image->backends : a->ask->backends;
}

struct nearest {
	const char *word;
	char best[64];
	int distance;
};

static int offer(void *data, const char *account, void *obj)
{
	const struct sv_gpu *g = obj;
	struct nearest *n = data;
	int distance = sv_near_distance(n->word, g->name, n->distance);

	(void)account;
	if (distance < n->distance && sv_near(n->word, g->name)) {
		n->distance = distance;
		snprintf(n->best, sizeof(n->best), "%s", g->name);
	}
	return 0;
}

static int no_card(struct asking *a)
{
	struct nearest near = { .word = a->ask->gpu, .distance = 100 };

	sv_err(a->err, SV_NOTFOUND, "there is no card %s", a->ask->gpu);
	sv_err_field(a->err, "gpu", a->err->wire, "%s", a->err->message);
	store_each(a->p->store, &sv_gpu_kind, NULL, NULL, offer, &near);
	if (*near.best)
		sv_err_hint(a->err, "did you mean %s?", near.best);
	else
		sv_err_hint(a->err, "svctl gpu list");
	return SV_NOTFOUND;
}

static int read_all(struct asking *a)
{
	const struct quote_ask *ask = a->ask;
	int rc = SV_OK;

	if (ask->gpu)
		rc = store_get(a->p->store, &sv_gpu_kind, NULL, ask->gpu, (void **)&a->gpu);
	if (rc == SV_NOTFOUND)
		return no_card(a);
	if (!rc && ask->image)
		rc = store_get(
			a->p->store, &sv_image_kind, ask->account, ask->image, (void **)&a->image);
	if (rc == SV_NOTFOUND) {
		sv_err(a->err, SV_NOTFOUND, "there is no image %s", ask->image);
		sv_err_field(a->err, "image", a->err->wire, "%s", a->err->message);
	}
	return rc;
}

struct fitting {
	const struct sv_gpu *gpu;
	char names[200];
	size_t n;
};

static int add_fitting(void *data, const char *account, void *obj)
{
	const struct sv_image *image = obj;
	struct fitting *f = data;

	(void)account;
	if (same_word(&image->backends, &f->gpu->backends) && f->n < sizeof(f->names))
		f->n += (size_t)snprintf(f->names + f->n, sizeof(f->names) - f->n, "%s%s",
			f->n ? ", " : "", image->name);
	return 0;
}

static int incompatible(struct asking *a, const char *field, const char *what)
{
	struct fitting f = { .gpu = a->gpu };
	char card[64], disk[64];

	join(&a->gpu->backends, card, sizeof(card));
	join(fits(a), disk, sizeof(disk));
	sv_err_wire(a->err, "incompatible", "%s runs on %s, and %s is driven by %s", what, disk,
		a->gpu->name, card);
	sv_err_field(a->err, field, a->err->wire, "%s", a->err->message);
	store_each(a->p->store, &sv_image_kind, "", NULL, add_fitting, &f);
	if (f.n)
		sv_err_hint(a->err, "images that fit %s: %s", a->gpu->name, f.names);
	return SV_INVALID;
}

/* The backend that is asked for, else the first that card and system disk have in common. */
static int choose_backend(struct asking *a)
{
	const struct sv_strs *disk = fits(a), *card = &a->gpu->backends;
	const char *what = a->image ? a->image->name : "the system disk", *wish = a->ask->backend;
	char all[64];

	if (wish && !has(card, wish)) {
		join(card, all, sizeof(all));
		sv_err_wire(a->err, "incompatible", "%s is not driven by %s", a->gpu->name, wish);
		sv_err_field(a->err, "backend", a->err->wire, "%s", a->err->message);
		sv_err_hint(a->err, "%s is driven by %s", a->gpu->name, all);
		return SV_INVALID;
	}
	for (size_t i = 0; i < card->n; i++) {
		if ((wish && strcmp(wish, card->v[i]) != 0) || (disk && !has(disk, card->v[i])))
			continue;
		snprintf(a->q->backend, sizeof(a->q->backend), "%s", card->v[i]);
		return SV_OK;
	}
	return incompatible(a, a->image ? "image" : "gpu", what);
}

static int check_count(struct asking *a)
{
	int64_t n = a->ask->gpu_count;

	if (n < 1)
		return sv_err_field(a->err, "gpu_count", "range", "must be at least 1");
	if (n > a->gpu->max_count)
		return sv_err_field(a->err, "gpu_count", "range",
			"%s comes with at most %lld cards in one instance", a->gpu->name,
			(long long)a->gpu->max_count);
	return SV_OK;
}

static int64_t monthly_to_hour(int64_t per_month)
{
	int64_t v = INT64_MAX;

	sv_charge_per(per_month, LEDGER_MONTH, 3600, &v);
	return v;
}

static int multiply(int64_t a, int64_t b, int64_t *ret)
{
	return sv_mul64(a, b, ret) ? SV_INVALID : SV_OK;
}

static int price_card(struct asking *a)
{
	struct price *p = &a->q->price;
	const struct sv_gpu *g = a->gpu;
	int64_t n = a->ask->gpu_count, reduced = 0;

	if (multiply(g->unit_price_per_hour, n, &p->accelerator))
		return sv_err(a->err, SV_INVALID, "the price is too large");
	if (g->promo && n <= g->promo->max_cards) {
		if (multiply(g->promo->unit_price_per_hour, n, &reduced))
			return sv_err(a->err, SV_INVALID, "the price is too large");
		p->discount = p->accelerator - reduced;
	}
	p->minimum_seconds = g->minimum_seconds;
	a->q->unit_price_per_hour = g->unit_price_per_hour;
	return SV_OK;
}

static int price_all(struct asking *a)
{
	const struct catalog_settings *s = catalog_settings(a->p->catalog);
	struct price *p = &a->q->price;
	int64_t disk;
	int rc = a->gpu ? price_card(a) : SV_OK;

	if (rc)
		return rc;
	a->q->system_disk_gib = a->ask->system_disk_gib;
	a->q->system_disk_price = s->system_disk_price;
	a->q->existing_per_month = a->ask->existing_per_month;
	a->q->storage_per_month = a->ask->storage_per_month;
	if (multiply(s->system_disk_price,
		    catalog_billed_gib(a->p->catalog, a->ask->system_disk_gib), &disk))
		return sv_err(a->err, SV_INVALID, "the price is too large");
	a->q->system_disk_per_hour = monthly_to_hour(disk);
	if (!a->gpu)
		p->accelerator = s->no_gpu_price_per_hour;
	p->image = a->gpu && a->image ? a->image->price_per_hour : 0;
	p->disks = a->q->system_disk_per_hour + monthly_to_hour(a->ask->existing_per_month);
	p->storage = monthly_to_hour(a->ask->storage_per_month);
	p->compute_per_hour = p->accelerator - p->discount + p->image;
	p->stopped_per_hour = p->disks + p->storage;
	p->total_per_hour = p->compute_per_hour + p->stopped_per_hour;
	p->minimum_charge = 0;
	if (p->minimum_seconds)
		rc = sv_charge(p->compute_per_hour, p->minimum_seconds, &p->minimum_charge);
	return rc ? sv_err(a->err, SV_INVALID, "the price is too large") : SV_OK;
}

static void describe(struct asking *a)
{
	const struct catalog_settings *s = catalog_settings(a->p->catalog);
	struct quote *q = a->q;

	snprintf(q->zone, sizeof(q->zone), "%s", s->zone);
	if (a->image)
		snprintf(q->image, sizeof(q->image), "%s", a->image->id);
	q->available = 1;
	q->vcpus = s->no_gpu_vcpus;
	q->ram_gib = s->no_gpu_ram_gib;
	if (!a->gpu)
		return;
	snprintf(q->gpu, sizeof(q->gpu), "%s", a->gpu->name);
	snprintf(q->fabric, sizeof(q->fabric), "%s", a->gpu->fabric ? a->gpu->fabric : "");
	if (a->gpu->zone)
		snprintf(q->zone, sizeof(q->zone), "%s", a->gpu->zone);
	q->gpu_count = a->ask->gpu_count;
	q->vcpus = a->gpu->vcpus_per_card * q->gpu_count;
	q->ram_gib = a->gpu->ram_gib_per_card * q->gpu_count;
	q->simulated = a->gpu->simulated;
}

struct free_offers {
	struct asking *a;
	char names[200];
	size_t n;
};

static int add_free(void *data, const char *account, void *obj)
{
	struct free_offers *f = data;
	const struct sv_gpu *g = obj;
	const struct sv_strs *disk = fits(f->a);
	int64_t count = f->a->ask->gpu_count;

	(void)account;
	if (!strcmp(g->name, f->a->gpu->name) || g->max_count < count ||
		(disk && !same_word(disk, &g->backends)) ||
		capacity_free(f->a->p, g->name, NULL) < count)
		return 0;
	if (f->n < sizeof(f->names))
		f->n += (size_t)snprintf(f->names + f->n, sizeof(f->names) - f->n, "%s%s:%lld",
			f->n ? ", " : "", g->name, (long long)count);
	return 0;
}

static int no_capacity(struct asking *a, int64_t left)
{
	struct free_offers f = { .a = a };

	sv_err(a->err, SV_CAPACITY, "not enough %s (free %lld, asked for %lld)", a->ask->gpu,
		(long long)left, (long long)a->ask->gpu_count);
	sv_err_field(a->err, "gpu_count", a->err->wire, "%s", a->err->message);
	store_each(a->p->store, &sv_gpu_kind, NULL, NULL, add_free, &f);
	if (f.n)
		sv_err_hint(a->err, "free now and fitting: %s; or wait: --wait-capacity", f.names);
	else
		sv_err_hint(a->err, "--wait-capacity waits for them");
	a->err->retryable = 1;
	a->err->retry_after_ms = 60000;
	snprintf(a->err->context, sizeof(a->err->context), "{\"free\":%lld,\"gpu\":\"%s\"}",
		(long long)left, a->ask->gpu);
	return SV_CAPACITY;
}

static int check_capacity(struct asking *a)
{
	const struct quote_ask *ask = a->ask;
	int64_t most = catalog_settings(a->p->catalog)->gpus_max, left, held;

	if (!a->gpu)
		return SV_OK;
	left = capacity_free(a->p, ask->gpu, ask->instance);
	a->q->available = left >= ask->gpu_count;
	if (!(ask->check & QUOTE_CAPACITY))
		return SV_OK;
	held = capacity_held(a->p, ask->account, ask->instance);
	if (held + ask->gpu_count > most) {
		sv_err(a->err, SV_QUOTA, "the account may have %lld cards at once, and has %lld",
			(long long)most, (long long)held);
		sv_err_field(a->err, "gpu_count", a->err->wire, "%s", a->err->message);
		return SV_QUOTA;
	}
	return a->q->available ? SV_OK : no_capacity(a, left);
}

static int refuse_money(struct asking *a, const char *wire, const char *field, const char *fmt,
	int64_t have, int64_t want)
{
	char x[32], y[32], text[200];
	int code;

	sv_print_money(want, x, sizeof(x));
	sv_print_money(have, y, sizeof(y));
	snprintf(text, sizeof(text), fmt, x, y);
	code = sv_err_wire(a->err, wire, "%s", text);
	if (*field)
		sv_err_field(a->err, field, a->err->wire, "%s", a->err->message);
	return code;
}

/* What is billed already is in the ledger. */
int quote_runway(struct platform *p, const char *account, struct quote *q)
{
	const struct ledger_more more[] = {
		{ "compute", *q->gpu ? q->gpu : NULL, q->price.compute_per_hour },
		{ "disk", NULL, q->system_disk_per_hour },
	};

	return ledger_runway(p->ledger, account, platform_now(p), more, 2, &q->runway_seconds);
}

/* A start costs its minimum, or a second of all it makes, before anything else. */
static int check_money(struct asking *a)
{
	const struct quote_ask *ask = a->ask;
	const struct price *p = &a->q->price;
	int64_t need = p->minimum_charge, second = 0, spent = 0, available = 0;
	struct balance b;
	int rc = ledger_account(a->p->ledger, ask->account, platform_now(a->p), &b);

	if (rc)
		return rc;
	sv_charge(p->total_per_hour, 1, &second);
	if (need < second)
		need = second;
	if (!need && p->total_per_hour)
		need = 1;
	rc = quote_runway(a->p, ask->account, a->q);
	if (rc || !(ask->check & QUOTE_MONEY))
		return rc;
	if (ask->max_price_per_hour >= 0 && p->total_per_hour > ask->max_price_per_hour)
		return refuse_money(a, "price_exceeds_limit", "max_price_per_hour",
			"it costs %s an hour, above the limit of %s", ask->max_price_per_hour,
			p->total_per_hour);
	if (ask->instance)
		spent = ledger_cost(a->p->ledger, ask->instance, platform_now(a->p));
	if (ask->max_cost >= 0 && p->compute_per_hour &&
		(p->minimum_charge ? p->minimum_charge : 1) > ask->max_cost - spent)
		return refuse_money(a, "budget_exceeded", "auto_stop.max_cost",
			"a start costs at least %s, and max_cost leaves %s",
			ask->max_cost > spent ? ask->max_cost - spent : 0, p->minimum_charge);
	rc = p->compute_per_hour ? budget_refuses(a->p, ask->account, need,
					   platform_now(a->p), a->err)
				 : SV_OK;
	if (rc)
		return rc;
	rc = ledger_available_for(a->p->ledger, ask->account, ask->gpu, "compute",
		platform_now(a->p), &available);
	if (rc)
		return rc;
	/* What a voucher for other cards holds does not count. */
	available = available < b.available ? available : b.available;
	if (need > available) {
		rc = refuse_money(a, "insufficient_balance", "",
			"at least %s is needed, and %s is available", available, need);
		sv_err_hint(a->err, "svctl account top-up AMOUNT");
		return rc;
	}
	return SV_OK;
}

int quote_ask(
	struct platform *p, const struct quote_ask *ask, struct quote *ret, struct sv_error *err)
{
	struct asking a = { .p = p, .ask = ask, .q = ret, .err = err };
	int rc;

	*ret = (struct quote){ .runway_seconds = -1 };
	rc = read_all(&a);
	if (!rc && a.gpu)
		rc = check_count(&a);
	if (!rc && a.gpu)
		rc = choose_backend(&a);
	if (!rc)
		rc = price_all(&a);
	if (!rc)
		describe(&a);
	if (!rc)
		rc = check_capacity(&a);
	if (!rc)
		rc = check_money(&a);
	sv_free(a.gpu);
	sv_free(a.image);
	if (rc && err && !err->code)
		sv_err(err, rc, "%s", sv_strerror(rc));
	return rc;
}
