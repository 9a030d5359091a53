/* SPDX-License-Identifier: MIT */
/* Cloud disks: made, grown, deleted; metered from the second they are there until they are deleted.
 */
#include <stdio.h>
#include <string.h>

#include <starverse/snapshot.h>

#include "base/str.h"
#include "local/catalog.h"
#include "local/crud.h"
#include "local/instance-inside.h"

#define GIB ((int64_t)1 << 30)

int disk_get(struct platform *p, const char *id, struct sv_disk **ret)
{
	void *obj = NULL;
	int rc = doc_get(p, &sv_disk_kind, id, &obj);

	*ret = obj;
	return rc;
}

int disk_put(struct platform *p, const char *account, struct sv_disk *d)
{
	return store_put(p->store, &sv_disk_kind, account, d, platform_now(p));
}

int disk_attachment(
	struct sv_disk *d, const char *instance, const char *path, int read_only, const char *state)
{
	struct sv_disk_attachment *a;

	if (!instance) {
		doc_null(d, attachment);
		return SV_OK;
	}
	a = doc_part(d, &sv_disk_kind, "attachment");
	if (!a)
		return SV_NOMEM;
	doc_text(d, a, instance, instance);
	doc_text(d, a, path, path);
	doc_put(a, read_only, read_only);
	doc_text(d, a, state, state);
	doc_put(d, attachment, a);
	return SV_OK;
}

/* A disk's price of 30 days. */
static int per_month(struct platform *p, const struct sv_disk *d, int64_t *ret)
{
	int64_t gib = d->size_gib;

	if (d->type && !strcmp(d->type, "system"))
		gib = catalog_billed_gib(p->catalog, gib);
	return sv_mul64(gib, d->price_per_gib_month, ret);
}

int disk_meter(struct platform *p, const char *account, const struct sv_disk *d, int64_t at)
{
	struct meter m = { .account = account,
		.resource = d->id,
		.kind = "disk",
		.name = d->name,
		.labels = &d->labels };

	if (per_month(p, d, &m.rate_per_month))
		return SV_INVALID;
	return ledger_meter(p->ledger, &m, at);
}

int64_t disk_price_per_month(struct platform *p, const char *id)
{
	struct sv_disk *d = NULL;
	int64_t price = 0;

	if (id && !disk_get(p, id, &d) && per_month(p, d, &price))
		price = 0;
	sv_free(d);
	return price;
}

static struct sv_disk *blank(
	struct platform *p, const char *name, int64_t gib, const char *type, int64_t price)
{
	struct sv_disk *d = sv_new(&sv_disk_kind);
	char id[64];

	if (!d)
		return NULL;
	store_id(p->store, "dsk_", id, sizeof(id));
	doc_text(d, d, id, id);
	doc_text(d, d, name, name);
	doc_put(d, size_gib, gib);
	doc_text(d, d, type, type);
	doc_text(d, d, status, "creating");
	doc_put(d, price_per_gib_month, price);
	doc_null(d, attachment);
	doc_null(d, snapshot);
	doc_null(d, operation_id);
	sv_mark(d, labels);
	return d;
}

int disk_system_make(struct platform *p, const char *account, struct sv_instance *i, int64_t gib,
	const char *snapshot)
{
	const struct catalog_settings *s = catalog_settings(p->catalog);
	struct sv_disk *d;
	char name[200];
	int rc;

	snprintf(name, sizeof(name), "%s-system", i->name);
	d = blank(p, name, gib, "system", s->system_disk_price);
	if (!d)
		return SV_NOMEM;
	doc_text(d, d, snapshot, snapshot);
	doc_text(d, d, status, "attached");
	rc = disk_attachment(d, i->id, "/", 0, "attached");
	if (!rc)
		rc = disk_put(p, account, d);
	if (!rc)
		doc_text(i, i, system_disk, d->id);
	sv_free(d);
	return rc;
}

int disk_system_meter(
	struct platform *p, const char *account, const struct sv_instance *i, int64_t at)
{
	struct sv_disk *d = NULL;
	int rc = disk_get(p, i->system_disk, &d);

	if (!rc)
		rc = disk_meter(p, account, d, at);
	sv_free(d);
	return rc;
}

int disk_system_end(
	struct platform *p, const char *account, const struct sv_instance *i, int64_t at)
{
	struct sv_disk *d = NULL;
	int rc = i->system_disk ? disk_get(p, i->system_disk, &d) : SV_NOTFOUND;

	if (rc)
		return rc == SV_NOTFOUND ? SV_OK : rc;
	rc = ledger_close(p->ledger, d->id, "disk", at);
	doc_text(d, d, status, "deleted");
	disk_attachment(d, NULL, NULL, 0, NULL);
	if (!rc)
		rc = disk_put(p, account, d);
	sv_free(d);
	return rc;
}

static int begin(
	struct call *c, const struct flow_type *type, struct sv_disk *d, char *op, size_t size)
{
	struct flow_want want = { .type = type, .account = c->account, .resource = d->id };
	char id[64];
	int rc;

	snprintf(id, sizeof(id), "%s", d->id);
	if (!op[0])
		store_id(c->p->store, "op_", op, size);
	doc_text(d, d, operation_id, op);
	rc = disk_put(c->p, c->account, d);
	if (!rc)
		rc = flow_start(c->p, &want, op, size);
	return rc ? rc : doc_answer(c, &sv_disk_kind, id, op);
}

static int count(void *data, const char *account, void *obj)
{
	const struct sv_disk *d = obj;

	(void)account;
	if (d->type && !strcmp(d->type, "data") && d->status && strcmp(d->status, "deleted") != 0)
		++*(int64_t *)data;
	return 0;
}

static int check_limits(struct call *c, int64_t gib)
{
	const struct catalog_settings *s = catalog_settings(c->p->catalog);
	struct balance b;
	int64_t n = 0;
	int rc;

	if (s->disk_max_gib > 0 && gib > s->disk_max_gib)
		return sv_err_field(&c->err, "size_gib", "range", "must be at most %lld GiB",
			(long long)s->disk_max_gib);
	rc = store_each(c->p->store, &sv_disk_kind, c->account, NULL, count, &n);
	if (!rc && s->disks_max > 0 && n >= s->disks_max && !c->obj)
		return sv_err_wire(&c->err, "quota_exceeded",
			"the account may have %lld data disks", (long long)s->disks_max);
	if (!rc)
		rc = ledger_account(c->p->ledger, c->account, c->now, &b);
	if (!rc && b.available <= 0) {
		sv_err_wire(&c->err, "insufficient_balance", "the balance is used up");
		sv_err_hint(&c->err, "top the account up first");
		return SV_BALANCE;
	}
	return rc;
}

static int from_snapshot(struct call *c, const struct sv_disk_create_body *b, struct sv_disk *d)
{
	struct sv_snapshot *s = NULL;
	void *obj = NULL;
	int rc = doc_find(c, &sv_snapshot_kind, b->snapshot, "snapshot", &obj);

	if (rc)
		return rc;
	s = obj;
	if (!s->status || strcmp(s->status, "ready") != 0)
		rc = sv_err_wire(&c->err, "invalid_state", "snapshot %s is not ready", s->id);
	else if (s->instance)
		rc = sv_err_field(&c->err, "snapshot", "kind",
			"is of a system disk: create an instance from it");
	else if (b->size_gib < s->size_gib)
		rc = sv_err_field(&c->err, "size_gib", "range",
			"must be at least the snapshot's %lld GiB", (long long)s->size_gib);
	doc_text(d, d, snapshot, s->id);
	sv_free(s);
	return rc;
}

int local_disk_create(struct call *c)
{
	const struct sv_disk_create_body *b = c->in;
	const char *wrong = doc_name_wrong(b->name);
	struct sv_disk *d;
	char op[64] = "";
	int rc = wrong ? sv_err_field(&c->err, "name", "value", "%s", wrong)
		       : check_limits(c, b->size_gib);

	if (rc)
		return rc;
	d = blank(c->p, b->name, b->size_gib, "data",
		catalog_settings(c->p->catalog)->data_disk_price);
	if (!d)
		return SV_NOMEM;
	for (size_t k = 0; k < b->labels.n; k++)
		sv_map_set(d, &d->labels, b->labels.keys[k], b->labels.values[k]);
	if (b->snapshot)
		rc = from_snapshot(c, b, d);
	if (!rc)
		rc = begin(c, &flow_disk_create, d, op, sizeof(op));
	sv_free(d);
	return rc;
}

static int make_to(struct flow *f, const struct sv_disk *d, int64_t gib)
{
	return flow_called(f, f->p->ops->disk_make(f->p->engine, d->id, gib * GIB, d->snapshot,
				      flow_engine_done, f));
}

static int step_make(struct flow *f)
{
	struct sv_disk *d = NULL;
	int rc = disk_get(f->p, f->resource, &d);

	rc = rc ? sv_err(&f->err, rc, "the disk cannot be read") : make_to(f, d, d->size_gib);
	sv_free(d);
	return rc;
}

static int step_drop(struct flow *f)
{
	return flow_called(f, f->p->ops->disk_drop(f->p->engine, f->resource, flow_engine_done, f));
}

/* Sets the state in which the operation leaves the disk. */
static int leave(struct flow *f, const char *status, int metered)
{
	struct sv_disk *d = NULL;
	int rc = disk_get(f->p, f->resource, &d);

	if (rc)
		return rc;
	doc_text(d, d, status, status);
	doc_null(d, operation_id);
	if (metered)
		rc = disk_meter(f->p, f->account, d, platform_now(f->p));
	if (!rc)
		rc = disk_put(f->p, f->account, d);
	sv_free(d);
	return rc;
}

static int created(struct flow *f)
{
	return leave(f, "available", 1);
}

static int not_created(struct flow *f)
{
	return leave(f, "error", 0);
}

static const struct flow_step create_steps[] = {
	{ .name = "make", .run = step_make, .undo = step_drop },
	{ 0 },
};
const struct flow_type flow_disk_create = {
	.type = "disk.create", .steps = create_steps, .finished = created, .failed = not_created,
	.told = "created",
};

static int is_system(const struct sv_disk *d)
{
	return d->type && !strcmp(d->type, "system");
}

int local_disk_delete(struct call *c)
{
	struct sv_disk *d = c->obj;
	char op[64] = "", to[DOC_CALLED];
	int rc;

	if (d->status && !strcmp(d->status, "deleted")) {
		c->status = 200;
		return SV_OK;
	}
	rc = flow_free(c->p, d->id, 1, &c->err);
	if (rc)
		return rc;
	if (is_system(d)) {
		sv_err_wire(
			&c->err, "invalid_state", "a system disk lives as long as its instance");
		sv_err_hint(&c->err, "release the instance instead");
		return SV_CONFLICT;
	}
	if (d->attachment) {
		sv_err_wire(&c->err, "invalid_state", "the disk is attached to %s",
			doc_called(c->p, d->attachment->instance, to, sizeof(to)));
		sv_err_hint(&c->err, "detach it first");
		return SV_CONFLICT;
	}
	doc_text(d, d, status, "deleting");
	rc = ledger_close(c->p->ledger, d->id, "disk", c->now);
	return rc ? rc : begin(c, &flow_disk_delete, d, op, sizeof(op));
}

static int deleted(struct flow *f)
{
	return leave(f, "deleted", 0);
}

static const struct flow_step delete_steps[] = {
	{ .name = "remove", .run = step_drop },
	{ 0 },
};
const struct flow_type flow_disk_delete = { .type = "disk.delete",
	.steps = delete_steps,
	.finished = deleted,
	.told = "deleted",
	.failed = not_created,
	.no_cancel = 1 };

/* The engine gives a system disk its size when the instance starts. */
static int grow_system(struct call *c, struct sv_disk *d, int64_t gib)
{
	int rc;

	doc_put(d, size_gib, gib);
	c->status = 200;
	rc = disk_meter(c->p, c->account, d, c->now);
	return rc ? rc : disk_put(c->p, c->account, d);
}

int local_disk_resize(struct call *c)
{
	const struct sv_disk_resize_body *b = c->in;
	struct sv_disk *d = c->obj;
	char op[64] = "", size[32];
	int rc;

	if (disk_awaited(c, &rc))
		return rc;
	if (b->size_gib < d->size_gib)
		return sv_err_field(&c->err, "size_gib", "range",
			"must not be less than the %lld GiB it has: disks only grow",
			(long long)d->size_gib);
	rc = flow_free(c->p, d->id, 1, &c->err);
	if (rc)
		return rc;
	if (b->size_gib == d->size_gib) {
		c->status = 200;
		return SV_OK;
	}
	if (!d->status ||
		(strcmp(d->status, "available") != 0 && strcmp(d->status, "attached") != 0))
		return sv_err_wire(&c->err, "invalid_state", "a disk that is %s cannot grow",
			d->status ? d->status : "");
	rc = check_limits(c, b->size_gib);
	if (rc)
		return rc;
	if (is_system(d))
		return grow_system(c, d, b->size_gib);
	store_id(c->p->store, "op_", op, sizeof(op));
	snprintf(size, sizeof(size), "%lld", (long long)b->size_gib);
	rc = store_fact_set(c->p->store, op, "size", size);
	doc_text(d, d, status, "resizing");
	if (!rc)
		rc = begin(c, &flow_disk_resize, d, op, sizeof(op));
	return rc ? rc : disk_await(c, op);
}

static int64_t wanted(struct flow *f)
{
	char text[32];
	int64_t gib = 0;

	return sv_parse_int(flow_fact(f, "size", text, sizeof(text)), &gib) ? 0 : gib;
}

static int step_grow(struct flow *f)
{
	struct sv_disk *d = NULL;
	int rc = disk_get(f->p, f->resource, &d);

	if (!rc)
		doc_null(d, snapshot);
	rc = rc ? sv_err(&f->err, rc, "the disk cannot be read") : make_to(f, d, wanted(f));
	sv_free(d);
	return rc;
}

static int end_resize(struct flow *f, int64_t gib)
{
	struct sv_disk *d = NULL;
	int rc = disk_get(f->p, f->resource, &d);

	if (rc)
		return rc;
	if (gib) {
		doc_put(d, size_gib, gib);
		rc = disk_meter(f->p, f->account, d, platform_now(f->p));
	}
	doc_text(d, d, status, d->attachment ? "attached" : "available");
	doc_null(d, operation_id);
	if (!rc)
		rc = disk_put(f->p, f->account, d);
	sv_free(d);
	return rc;
}

static int resized(struct flow *f)
{
	return end_resize(f, wanted(f));
}

static int not_resized(struct flow *f)
{
	return end_resize(f, 0);
}

static const struct flow_step resize_steps[] = {
	{ .name = "grow", .run = step_grow },
	{ 0 },
};
const struct flow_type flow_disk_resize = { .type = "disk.resize",
	.steps = resize_steps,
	.finished = resized,
	.told = "resized",
	.failed = not_resized,
	.no_cancel = 1 };
