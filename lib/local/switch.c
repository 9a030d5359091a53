/* SPDX-License-Identifier: MIT */
/* Moving to another card. Until the one commit the old instance is only frozen, its disks still on
 * it: whatever fails, the death of the daemon included, the new one is removed and the old thawed.
 */
#include <stdio.h>
#include <string.h>

#include "local/field.h"
#include "local/freeze.h"
#include "local/inside.h"
#include "local/instance-inside.h"

static int start_of(struct call *c, struct sv_instance *i, struct quote *q)
{
	const struct sv_instance_switch_body *b = c->in;
	struct guard_limits limits = instance_limits(i);
	const char *one[1] = { i->backend };
	struct sv_strs backends = { .n = 1, .v = one };
	struct quote_ask a = { .account = c->account,
		.gpu = b->gpu,
		.gpu_count = b->gpu_count   ? b->gpu_count
			     : i->gpu_count ? i->gpu_count
					    : 1,
		.image = i->image,
		.instance = i->id,
		.max_price_per_hour = -1,
		.max_cost = limits.max_cost,
		.check = QUOTE_ALL };

	if (!i->image && i->backend)
		a.backends = &backends;
	return quote_ask(c->p, &a, q, &c->err);
}

/* The new one as it is before it has anything of its own. */
static int draft(
	struct call *c, const struct sv_instance *old, struct sv_instance *i, const char *id)
{
	char name[256];
	int rc = field_copy(i, &sv_instance_kind, i, &sv_instance_kind, old, 0);

	snprintf(name, sizeof(name), "%s-next", old->name);
	doc_text(i, i, id, id);
	doc_text(i, i, name, name);
	instance_status(i, "provisioning");
	instance_desire(i, "running");
	instance_reason(i, NULL, NULL);
	doc_null(i, stopped_by);
	doc_null(i, ssh);
	doc_null(i, system_disk);
	doc_null(i, operation_id);
	doc_null(i, switched_to);
	doc_put(i, billing_active, 0);
	doc_put(i, created_at, c->now);
	i->mounts = (struct sv_list){ 0 };
	for (size_t k = 0; !rc && k < old->mounts.n; k++) {
		const struct sv_instance_mount *m = old->mounts.v[k];

		rc = mount_add(i, m->kind, m->id, m->path, m->read_only, "attaching");
	}
	return rc;
}

static int keep(struct call *c, const char *op, const char *id, const char *layer)
{
	const struct sv_instance_switch_body *b = c->in;
	int rc = store_fact_set(c->p->store, op, "new", id);

	if (!rc)
		rc = store_fact_set(c->p->store, op, "layer", layer);
	return rc ? rc : store_fact_set(c->p->store, op, "release", b->release_old ? "1" : NULL);
}

static int make_new(struct call *c, const struct sv_instance *old, const struct quote *q,
	const char *id, const char *layer)
{
	struct sv_instance *i = sv_new(&sv_instance_kind);
	int rc = i ? draft(c, old, i, id) : SV_NOMEM;

	if (!rc)
		rc = instance_copy_facts(c->p, old->id, id);
	if (!rc)
		rc = store_fact_set(c->p->store, id, "hostname", old->name);
	if (!rc)
		rc = instance_take(c->p, i, q);
	if (!rc)
		rc = layers_set(c->p->store, id, layer, old->id);
	if (!rc)
		rc = capacity_hold(c->p, c->account, id, i->gpu, i->gpu_count);
	if (!rc)
		rc = instance_put(c->p, c->account, i);
	sv_free(i);
	return rc;
}

static int begin(struct call *c, struct sv_instance *old, const struct quote *q)
{
	char id[64], op[64], layer[64], was[64];
	struct flow_want want = { .type = &flow_instance_switch,
		.account = c->account,
		.resource = was,
		.other = id,
		.shown = id };
	int rc;

	snprintf(was, sizeof(was), "%s", old->id);
	store_id(c->p->store, "ins_", id, sizeof(id));
	store_id(c->p->store, "op_", op, sizeof(op));
	store_id(c->p->store, "lay_", layer, sizeof(layer));
	rc = make_new(c, old, q, id, layer);
	if (!rc)
		rc = keep(c, op, id, layer);
	if (!rc)
		rc = instance_unbill(c->p, old, c->now, 0);
	if (rc)
		return rc;
	instance_status(old, "switching");
	doc_text(old, old, operation_id, op);
	rc = instance_put(c->p, c->account, old);
	if (!rc)
		rc = platform_event(c->p, c->account, "instance.switching", c->account, was,
			"%s moves to %lld x %s", old->name, (long long)q->gpu_count, q->gpu);
	if (!rc)
		rc = flow_start(c->p, &want, op, sizeof(op));
	return rc ? rc : doc_answer(c, &sv_instance_kind, was, op);
}

int local_instance_switch(struct call *c)
{
	const struct sv_instance_switch_body *b = c->in;
	struct sv_instance *i = c->obj;
	struct quote q;
	int rc;

	if (instance_is(i, "running") && i->gpu && !strcmp(i->gpu, b->gpu) &&
		(!b->gpu_count || b->gpu_count == i->gpu_count)) {
		c->status = 200;
		return SV_OK;
	}
	rc = instance_may(c, "switch");
	if (!rc &&
		(c->p->caps & (ENGINE_PAUSE | ENGINE_SNAPSHOT)) != (ENGINE_PAUSE | ENGINE_SNAPSHOT))
		rc = sv_err_wire(&c->err, "invalid_state",
			"engine %s cannot freeze or copy an instance", c->p->ops->name);
	if (!rc)
		rc = start_of(c, i, &q);
	return rc ? rc : begin(c, i, &q);
}

static char *layer_of(struct flow *f, char *buf, size_t size)
{
	return flow_fact(f, "layer", buf, size);
}

static int step_snapshot(struct flow *f)
{
	char layer[64];

	return flow_called(f, f->p->ops->snapshot(f->p->engine, f->resource,
				      layer_of(f, layer, sizeof(layer)), flow_engine_done, f));
}

static int undo_snapshot(struct flow *f)
{
	char layer[64];

	return flow_called(f, f->p->ops->layer_drop(f->p->engine, layer_of(f, layer, sizeof(layer)),
				      flow_engine_done, f));
}

static int step_create(struct flow *f)
{
	struct sv_instance *i = NULL;
	struct spec spec;
	int rc = instance_get(f->p, f->other, &i);

	if (!rc)
		rc = spec_make(f->p, i, &spec);
	sv_free(i);
	if (rc)
		return sv_err(&f->err, rc, "the new instance cannot be read");
	rc = flow_called(f, f->p->ops->create(f->p->engine, &spec.s, flow_engine_done, f));
	spec_free(&spec);
	return rc;
}

static int undo_create(struct flow *f)
{
	return flow_called(f, f->p->ops->destroy(f->p->engine, f->other, flow_engine_done, f));
}

static int step_boot_new(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->other, &i);

	if (!rc) {
		instance_status(i, "starting");
		rc = instance_put(f->p, f->account, i);
	}
	sv_free(i);
	return rc ? sv_err(&f->err, rc, "the new instance cannot be read")
		  : flow_start_instance(f, f->other);
}

static int undo_boot(struct flow *f)
{
	return flow_called(f, f->p->ops->stop(f->p->engine, f->other, flow_engine_done, f));
}

static int step_verify(struct flow *f)
{
	if (!(f->p->caps & (ENGINE_SSH | ENGINE_INSTANT)))
		return FLOW_DONE;
	return flow_called(f, f->p->ops->login(f->p->engine, f->other, flow_engine_done, f));
}

/* The first free NAME-N. */
static void old_name(struct flow *f, const char *name, char *buf, size_t size)
{
	for (int n = 1;; n++) {
		snprintf(buf, size, "%.100s-%d", name, n);
		if (!doc_named(f->p, &sv_instance_kind, f->account, buf))
			return;
	}
}

static int retire(struct flow *f, struct sv_instance *old, int64_t now)
{
	char name[128];
	size_t kept = 0;
	int rc;

	old_name(f, old->name, name, sizeof(name));
	doc_text(old, old, name, name);
	doc_text(old, old, switched_to, f->other);
	doc_text(old, old, stopped_by, "switch");
	instance_reason(old, "switched", "another instance took its place");
	for (size_t k = 0; k < old->mounts.n; k++) {
		struct sv_instance_mount *m = old->mounts.v[k];

		if (strcmp(m->kind, "disk") != 0)
			old->mounts.v[kept++] = m;
	}
	old->mounts.n = kept;
	rc = instance_unbill(f->p, old, now, 1);
	return rc ? rc : instance_rest(f->p, f->account, old, now);
}

/* The guards go along as they now are. What the old one has cost is gone from the cap: it holds for
 * both together. */
static void take_guards(struct flow *f, struct sv_instance *i, struct sv_instance *old, int64_t now)
{
	struct guard_limits limits = instance_limits(old);
	int64_t left = limits.max_cost - ledger_cost(f->p->ledger, old->id, now);

	if (!old->auto_stop) {
		doc_null(i, auto_stop);
		return;
	}
	doc_put(i, auto_stop, old->auto_stop); /* its memory lives as long as the commit */
	if (limits.max_cost >= 0)
		doc_put(i->auto_stop, max_cost, left > 0 ? left : 1);
}

static int commit(struct flow *f)
{
	struct sv_instance *old = NULL, *i = NULL;
	struct sv_disk *d = NULL;
	int64_t now = platform_now(f->p);
	char name[256];
	int rc = instance_get(f->p, f->resource, &old);

	if (!rc)
		rc = instance_get(f->p, f->other, &i);
	if (!rc)
		rc = disk_get(f->p, old->system_disk, &d);
	if (!rc) {
		snprintf(name, sizeof(name), "%s", old->name);
		rc = retire(f, old, now);
	}
	if (!rc) {
		doc_text(i, i, name, name);
		take_guards(f, i, old, now);
		rc = store_fact_set(f->p->store, i->id, "hostname", NULL);
	}
	if (!rc)
		rc = instance_later_copy(f->p, old->id, i->id);
	if (!rc)
		rc = disk_system_make(f->p, f->account, i, d->size_gib, NULL);
	if (!rc)
		rc = disk_system_meter(f->p, f->account, i, now);
	if (!rc)
		rc = instance_run(f->p, f->account, i, now);
	if (!rc)
		rc = platform_event(f->p, f->account, "instance.switched", "platform", i->id,
			"%s runs on %lld x %s", name, (long long)i->gpu_count, i->gpu);
	sv_free(old);
	sv_free(i);
	sv_free(d);
	return rc;
}

/* All of it or nothing. */
static int step_commit(struct flow *f)
{
	int rc = store_mark(f->p->store);

	if (!rc) {
		rc = commit(f);
		store_release(f->p->store, !rc);
	}
	return rc ? sv_err(&f->err, rc, "the new instance could not take over") : FLOW_DONE;
}

static int release_wanted(struct flow *f)
{
	char text[8];

	return flow_fact(f, "release", text, sizeof(text))[0] != '\0';
}

static int step_remove_old(struct flow *f)
{
	return release_wanted(f) ? step_destroy(f) : FLOW_SKIP;
}

static int step_release_old(struct flow *f)
{
	int rc;

	if (!release_wanted(f))
		return FLOW_SKIP;
	rc = instance_release_documents(f, f->resource);
	return rc ? sv_err(&f->err, rc, "the old instance could not be released") : FLOW_DONE;
}

static int forget_new(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->other, &i);

	if (rc)
		return rc == SV_NOTFOUND ? SV_OK : rc;
	i->mounts.n = 0;
	instance_status(i, "released");
	instance_desire(i, "released");
	instance_reason(i, "switch_failed", f->err.message);
	rc = capacity_hold(f->p, f->account, i->id, NULL, 0);
	if (!rc)
		rc = inside_end(f->p, i->id);
	if (!rc)
		rc = layers_set(f->p->store, i->id, NULL, NULL);
	if (!rc)
		rc = store_facts_drop(f->p->store, i->id);
	if (!rc)
		rc = instance_put(f->p, f->account, i);
	sv_free(i);
	return rc;
}

static int not_switched(struct flow *f)
{
	struct sv_instance *old = NULL;
	int rc = forget_new(f);

	if (!rc)
		rc = instance_get(f->p, f->resource, &old);
	if (!rc)
		rc = inside_begin(f->p, f->account, old->id);
	if (!rc)
		rc = instance_run(f->p, f->account, old, platform_now(f->p));
	sv_free(old);
	return rc;
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->resource);
	instance_wake(f->p, f->other);
}

static const struct flow_step steps[] = {
	{ .name = "freeze", .run = freeze_own, .undo = thaw_own },
	{ .name = "snapshot", .run = step_snapshot, .undo = undo_snapshot },
	{ .name = "create", .run = step_create, .undo = undo_create },
	{ .name = "boot", .run = step_boot_new, .undo = undo_boot },
	{ .name = "verify", .run = step_verify },
	{ .name = "take_over", .run = step_commit, .flags = FLOW_COMMIT },
	{ .name = "halt_old", .run = step_halt },
	{ .name = "remove_old", .run = step_remove_old },
	{ .name = "release_old", .run = step_release_old },
	{ .name = "free_layers", .run = layers_free_run, .next = layers_free_next },
	{ 0 },
};
const struct flow_type flow_instance_switch = { .type = "instance.switch",
	.steps = steps,
	.failed = not_switched,
	.after = after,
	.crash_undoes = 1 };
