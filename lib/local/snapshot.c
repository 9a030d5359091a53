/* SPDX-License-Identifier: MIT */
/* Snapshots: of an instance's system disk a layer to boot from, of a data disk a copy to fill
 * another with. The layer has the snapshot's id. The fact "image" of a system disk's: what it
 * stands on, for the price and the backends it fits. */
#include <stdio.h>
#include <string.h>

#include <starverse/image.h>
#include <starverse/snapshot.h>

#include "local/catalog.h"
#include "local/crud.h"
#include "local/freeze.h"
#include "local/instance-inside.h"

static int get(struct platform *p, const char *id, struct sv_snapshot **ret)
{
	void *obj = NULL;
	int rc = doc_get(p, &sv_snapshot_kind, id, &obj);

	*ret = obj;
	return rc;
}

static int put(struct platform *p, const char *account, struct sv_snapshot *s)
{
	return store_put(p->store, &sv_snapshot_kind, account, s, platform_now(p));
}

static int of_instance(struct call *c, const char *text, struct sv_snapshot *s)
{
	struct sv_instance *i = NULL;
	struct sv_disk *d = NULL;
	void *obj = NULL;
	int rc = doc_find(c, &sv_instance_kind, text, "instance", &obj);

	i = obj;
	if (!rc)
		rc = flow_free(c->p, i->id, 0, &c->err);
	if (!rc && !instance_is(i, "running") && !instance_is(i, "stopped"))
		rc = sv_err_wire(&c->err, "invalid_state", "the instance is %s", i->status);
	if (!rc)
		rc = disk_get(c->p, i->system_disk, &d);
	if (!rc) {
		doc_text(s, s, instance, i->id);
		doc_text(s, s, disk, d->id);
		doc_put(s, size_gib, d->size_gib);
		if (i->image)
			rc = store_fact_set(c->p->store, s->id, "image", i->image);
	}
	if (!rc)
		rc = layers_set(c->p->store, s->id, s->id, i->id);
	sv_free(i);
	sv_free(d);
	return rc;
}

static int of_disk(struct call *c, const char *text, struct sv_snapshot *s)
{
	struct sv_disk *d = NULL;
	void *obj = NULL;
	int rc = doc_find(c, &sv_disk_kind, text, "disk", &obj);

	d = obj;
	if (!rc && d->attachment && d->type && !strcmp(d->type, "system"))
		rc = of_instance(c, d->attachment->instance, s);
	else if (!rc) {
		rc = flow_free(c->p, d->id, 0, &c->err);
		if (!rc && strcmp(d->status, "available") != 0 &&
			strcmp(d->status, "attached") != 0)
			rc = sv_err_wire(&c->err, "invalid_state", "the disk is %s", d->status);
		if (!rc)
			rc = layers_set(c->p->store, s->id, s->id, NULL);
		doc_text(s, s, disk, d->id);
		doc_null(s, instance);
		doc_put(s, size_gib, d->size_gib);
	}
	sv_free(d);
	return rc;
}

static int begin(
	struct call *c, const struct flow_type *type, struct sv_snapshot *s, const char *source)
{
	struct flow_want want = {
		.type = type, .account = c->account, .resource = s->id, .other = source
	};
	char id[64], op[64] = "";
	int rc;

	snprintf(id, sizeof(id), "%s", s->id);
	store_id(c->p->store, "op_", op, sizeof(op));
	doc_text(s, s, operation_id, op);
	rc = put(c->p, c->account, s);
	if (!rc)
		rc = flow_start(c->p, &want, op, sizeof(op));
	return rc ? rc : doc_answer(c, &sv_snapshot_kind, id, op);
}

int local_snapshot_create(struct call *c)
{
	const struct sv_snapshot_create_body *b = c->in;
	const char *wrong = doc_name_wrong(b->name);
	struct sv_snapshot *s;
	char id[64];
	int rc;

	if (wrong)
		return sv_err_field(&c->err, "name", "value", "%s", wrong);
	if (!(c->p->caps & ENGINE_SNAPSHOT))
		return sv_err_wire(
			&c->err, "invalid_state", "engine %s makes no snapshots", c->p->ops->name);
	s = sv_new(&sv_snapshot_kind);
	if (!s)
		return SV_NOMEM;
	store_id(c->p->store, "snp_", id, sizeof(id));
	doc_text(s, s, id, id);
	doc_text(s, s, name, b->name);
	doc_text(s, s, status, "creating");
	doc_put(s, progress_percent, 0);
	sv_mark(s, labels);
	for (size_t k = 0; k < b->labels.n; k++)
		sv_map_set(s, &s->labels, b->labels.keys[k], b->labels.values[k]);
	rc = b->instance ? of_instance(c, b->instance, s) : of_disk(c, b->disk, s);
	if (!rc)
		rc = begin(c, &flow_snapshot_create, s, s->instance ? s->instance : s->disk);
	sv_free(s);
	return rc;
}

static int step_copy(struct flow *f)
{
	return flow_called(
		f, f->p->ops->snapshot(f->p->engine, f->other, f->resource, flow_engine_done, f));
}

static int step_uncopy(struct flow *f)
{
	return flow_called(
		f, f->p->ops->layer_drop(f->p->engine, f->resource, flow_engine_done, f));
}

static int meter(struct flow *f, const struct sv_snapshot *s)
{
	struct meter m = { .account = f->account,
		.resource = s->id,
		.kind = "disk",
		.name = s->name,
		.labels = &s->labels };

	m.rate_per_month = s->size_gib * catalog_settings(f->p->catalog)->snapshot_price;
	return m.rate_per_month > 0 ? ledger_meter(f->p->ledger, &m, platform_now(f->p)) : SV_OK;
}

static int leave(struct flow *f, const char *status, int percent, int metered)
{
	struct sv_snapshot *s = NULL;
	int rc = get(f->p, f->resource, &s);

	if (rc)
		return rc;
	doc_text(s, s, status, status);
	doc_null(s, operation_id);
	doc_put(s, progress_percent, percent);
	if (metered)
		rc = meter(f, s);
	if (!rc)
		rc = put(f->p, f->account, s);
	if (!rc)
		rc = platform_event(f->p, f->account, "snapshot.changed", "platform", s->id,
			"%s is %s", s->name, status);
	sv_free(s);
	return rc;
}

static int created(struct flow *f)
{
	return leave(f, "ready", 100, 1);
}

static int not_created(struct flow *f)
{
	layers_set(f->p->store, f->resource, NULL, NULL);
	return leave(f, "error", 0, 0);
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->other);
}

static const struct flow_step create_steps[] = {
	{ .name = "freeze", .run = freeze_other, .undo = thaw_other },
	{ .name = "copy", .run = step_copy, .undo = step_uncopy },
	{ .name = "thaw", .run = thaw_other },
	{ 0 },
};
const struct flow_type flow_snapshot_create = { .type = "snapshot.create",
	.steps = create_steps,
	.finished = created,
	.told = "created",
	.failed = not_created,
	.after = after };

int local_snapshot_delete(struct call *c)
{
	struct sv_snapshot *s = c->obj;
	int rc;

	if (s->status && !strcmp(s->status, "deleted")) {
		c->status = 200;
		return SV_OK;
	}
	rc = flow_free(c->p, s->id, 1, &c->err);
	if (!rc)
		rc = ledger_close(c->p->ledger, s->id, "disk", c->now);
	if (rc)
		return rc;
	doc_text(s, s, status, "deleting");
	return begin(c, &flow_snapshot_delete, s, NULL);
}

static int step_release(struct flow *f)
{
	int rc = layers_release(f, f->resource);

	if (!rc)
		rc = leave(f, "deleted", 100, 0);
	return rc ? sv_err(&f->err, rc, "the snapshot cannot be released") : FLOW_DONE;
}

static const struct flow_step delete_steps[] = {
	{ .name = "release", .run = step_release, .flags = FLOW_COMMIT },
	{ .name = "remove", .run = layers_free_run, .next = layers_free_next },
	{ 0 },
};
const struct flow_type flow_snapshot_delete = {
	.type = "snapshot.delete", .steps = delete_steps, .no_cancel = 1, .told = "deleted"
};
