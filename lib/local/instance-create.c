/* SPDX-License-Identifier: MIT */
/* Making an instance: everything is looked at first (instance-plan.c), then the documents, the
 * cards, the flow. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "local/field.h"
#include "local/freeze.h"
#include "local/inside.h"
#include "local/instance-plan.h"
#include "model/json.h"

static void fill(struct plan *p)
{
	const struct sv_instance_create_body *b = p->body;
	struct sv_instance *i = p->i;
	char id[64];

	store_id(p->c->p->store, "ins_", id, sizeof(id));
	doc_text(i, i, id, id);
	doc_text(i, i, name, b->name);
	instance_status(i, "provisioning");
	instance_desire(i, "running");
	doc_null(i, status_reason);
	doc_null(i, stopped_by);
	doc_put(i, billing_active, 0);
	doc_text(i, i, image, p->image ? p->image->id : NULL);
	doc_text(i, i, app, p->app ? p->app->id : NULL);
	doc_text(i, i, network,
		b->network                       ? b->network
		: p->c->p->caps & ENGINE_NETWORK ? "outbound"
						 : "none");
	doc_null(i, ssh);
	doc_null(i, switched_to);
	doc_null(i, release_at);
	sv_mark(i, env);
	sv_mark(i, labels);
	for (size_t k = 0; k < b->env.n; k++)
		sv_map_set(i, &i->env, b->env.keys[k], b->env.values[k]);
	for (size_t k = 0; k < b->labels.n; k++)
		sv_map_set(i, &i->labels, b->labels.keys[k], b->labels.values[k]);
	if (b->auto_stop)
		doc_put(i, auto_stop, b->auto_stop); /* the body lives as long as the call */
	else
		doc_null(i, auto_stop);
}

static int keep_facts(struct plan *p)
{
	struct store *s = p->c->p->store;
	const struct sv_instance_create_body *b = p->body;
	int rc = store_fact_set(s, p->i->id, "authorized", sv_buf_text(&p->authorized));

	if (!rc && b->command)
		rc = store_fact_set(s, p->i->id, "command", b->command);
	if (!rc && b->network)
		rc = store_fact_set(s, p->i->id, "network", b->network);
	if (!rc && p->job)
		rc = store_fact_set(s, p->i->id, "job", p->job);
	return rc;
}

/* The disks' side of the mounts. */
static int take_disks(struct plan *p)
{
	int rc = SV_OK;

	for (size_t k = 0; !rc && k < p->i->mounts.n; k++) {
		const struct sv_instance_mount *m = p->i->mounts.v[k];
		struct sv_disk *d = NULL;

		if (strcmp(m->kind, "disk") != 0)
			continue;
		rc = disk_get(p->c->p, m->id, &d);
		if (!rc)
			rc = disk_attachment(d, p->i->id, m->path, m->read_only, m->state);
		if (!rc) {
			doc_text(d, d, status, "attached");
			rc = disk_put(p->c->p, p->c->account, d);
		}
		sv_free(d);
	}
	return rc;
}

static int join_queue(struct plan *p)
{
	instance_status(p->i, "queued");
	instance_reason(p->i, "waiting_for_capacity", "waits until the cards are free");
	return queue_note(p->c->p, p->i->id, &p->queued, &p->choices);
}

int plan_carry_out(struct plan *p, const struct flow_type *type)
{
	struct call *c = p->c;
	char op[64] = "";
	int rc;

	fill(p);
	rc = instance_take(c->p, p->i, &p->quote);
	if (!rc)
		rc = disk_system_make(c->p, c->account, p->i, p->system_gib,
			p->snapshot ? p->snapshot->id : NULL);
	if (!rc)
		rc = keep_facts(p);
	if (!rc)
		rc = layers_set(c->p->store, p->i->id, NULL,
			p->snapshot ? p->snapshot->id
			: p->image  ? p->image->id
				    : "");
	if (!rc)
		rc = take_disks(p);
	if (!rc)
		rc = p->queued.account ? join_queue(p)
				       : capacity_hold(c->p, c->account, p->i->id, p->i->gpu,
						 p->i->gpu_count);
	if (!rc)
		rc = platform_event(c->p, c->account, "instance.created", c->account, p->i->id,
			"%s: %lld x %s", p->i->name, (long long)p->i->gpu_count, p->i->gpu);
	return rc ? rc : instance_begin(c, type, p->i, op, sizeof(op));
}

static int create(struct call *c, struct sv_instance_create_body *body)
{
	struct plan p;
	int rc = plan_make(&p, c, body);

	if (!rc)
		rc = plan_carry_out(&p, &flow_instance_create);
	plan_free(&p);
	return rc;
}

int local_instance_create(struct call *c)
{
	return create(c, c->in);
}

int local_app_deploy(struct call *c)
{
	struct sv_instance_create_body *b = c->in;

	b->app = c->id;
	return create(c, b);
}

int instance_body_copy(
	const struct sv_instance_create_body *from, struct sv_instance_create_body **ret)
{
	const struct sv_kind *kind = &sv_instance_create_body_kind;
	struct sv_error err;
	struct sv_buf b;
	void *obj = NULL;
	int rc;

	sv_buf_init(&b, SV_MAX_BODY);
	rc = sv_write_json(&b, kind, from, SV_WALK_WIRE, 0);
	if (!rc)
		rc = sv_from_body(kind, sv_buf_text(&b), b.len, &obj, &err);
	sv_buf_free(&b);
	*ret = obj;
	return rc;
}

/* A call that nobody sent. */
static struct call own_call(
	struct platform *p, const char *account, struct sv_instance_create_body *body)
{
	static const struct request none = { .method = "POST", .path = "", .query = "" };
	struct call c = { .p = p,
		.kind = &sv_instance_kind,
		.verb = sv_verb_find(&sv_instance_kind, "create"),
		.request = &none,
		.account = account,
		.in = body,
		.now = platform_now(p) };

	sv_err_clear(&c.err);
	return c;
}

int instance_check(struct platform *p, const char *account, struct sv_instance_create_body *body,
	struct sv_error *err)
{
	struct call c = own_call(p, account, body);
	struct plan plan;
	int rc = plan_make(&plan, &c, body);

	plan_free(&plan);
	*err = c.err;
	return rc;
}

int instance_make(struct platform *p, const char *account, struct sv_instance_create_body *body,
	char *id, size_t size, struct sv_error *err)
{
	struct call c = own_call(p, account, body);
	int rc = create(&c, body);

	if (!rc)
		snprintf(id, size, "%s", ((const struct sv_instance *)c.out)->id);
	sv_free(c.out);
	*err = c.err;
	return rc;
}

static int created(struct flow *f)
{
	struct sv_instance *i = NULL;
	int64_t now = platform_now(f->p);
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc)
		rc = disk_system_meter(f->p, f->account, i, now);
	if (!rc)
		rc = instance_run(f->p, f->account, i, now);
	sv_free(i);
	return rc ? sv_err(&f->err, rc, "the instance cannot be entered as running") : SV_OK;
}

/* Nothing was billed; the disks are free again, the cards too. It stays readable, as an error. */
static int not_created(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->resource, &i);

	if (rc)
		return rc;
	instance_status(i, "error");
	instance_desire(i, "stopped");
	instance_reason(i, f->cancelled ? "cancelled" : "create_failed", f->err.message);
	doc_null(i, operation_id);
	rc = capacity_hold(f->p, f->account, i->id, NULL, 0);
	if (!rc)
		rc = inside_end(f->p, i->id);
	if (!rc)
		rc = mounts_drop(f->p, f->account, i);
	if (!rc)
		rc = disk_system_end(f->p, f->account, i, platform_now(f->p));
	if (!rc)
		rc = layers_set(f->p->store, i->id, NULL, NULL);
	if (!rc)
		rc = instance_put(f->p, f->account, i);
	sv_free(i);
	return rc;
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->resource);
	if (f->other[0])
		instance_wake(f->p, f->other);
}

static const struct flow_step create_steps[] = {
	{ .name = "capacity",
		.run = step_capacity,
		.next = step_capacity_next,
		.undo = step_capacity_undo,
		.flags = FLOW_QUEUE },
	{ .name = "prepare", .run = step_files, .undo = step_files_undo },
	{ .name = "boot", .run = step_boot, .undo = step_halt },
	{ 0 },
};
const struct flow_type flow_instance_create = { .type = "instance.create",
	.steps = create_steps,
	.finished = created,
	.failed = not_created,
	.after = after };

/* A clone: the same, over a frozen copy of the other's system disk. */

static char *layer_of(struct flow *f, char *buf, size_t size)
{
	return flow_fact(f, "layer", buf, size);
}

static int step_copy(struct flow *f)
{
	char layer[64];

	return flow_called(f, f->p->ops->snapshot(f->p->engine, f->other,
				      layer_of(f, layer, sizeof(layer)), flow_engine_done, f));
}

static int step_uncopy(struct flow *f)
{
	char layer[64];

	return flow_called(f, f->p->ops->layer_drop(f->p->engine, layer_of(f, layer, sizeof(layer)),
				      flow_engine_done, f));
}

static const struct flow_step clone_steps[] = {
	{ .name = "freeze", .run = freeze_other, .undo = thaw_other },
	{ .name = "copy", .run = step_copy, .undo = step_uncopy },
	{ .name = "thaw", .run = thaw_other },
	{ .name = "prepare", .run = step_files, .undo = step_files_undo },
	{ .name = "boot", .run = step_boot, .undo = step_halt },
	{ 0 },
};
const struct flow_type flow_instance_clone = { .type = "instance.clone",
	.steps = clone_steps,
	.finished = created,
	.failed = not_created,
	.after = after };

int instance_copy_facts(struct platform *p, const char *from, const char *to)
{
	static const char *const names[] = { "authorized", "command", "network" };
	struct sv_buf b;
	int rc = SV_OK;

	sv_buf_init(&b, 1 << 20);
	for (size_t k = 0; !rc && k < sizeof(names) / sizeof(names[0]); k++) {
		sv_buf_reset(&b);
		if (!store_fact_get(p->store, from, names[k], &b))
			rc = store_fact_set(p->store, to, names[k], sv_buf_text(&b));
	}
	sv_buf_free(&b);
	return rc;
}

static int copy_from(struct sv_instance *to, const struct sv_instance *from)
{
	int rc = field_copy(to, &sv_instance_kind, to, &sv_instance_kind, from, 0);
	size_t n = from->mounts.n;

	to->mounts = (struct sv_list){ 0 };
	for (size_t k = 0; !rc && k < n; k++) {
		const struct sv_instance_mount *m = from->mounts.v[k];

		if (strcmp(m->kind, "disk") != 0)
			rc = mount_add(to, m->kind, m->id, m->path, m->read_only, "attaching");
	}
	return rc;
}

static int clone_documents(struct call *c, struct sv_instance *from, struct sv_instance *i,
	const struct quote *q, const char *layer)
{
	int rc = instance_copy_facts(c->p, from->id, i->id);

	if (!rc)
		rc = instance_take(c->p, i, q);
	if (!rc)
		rc = disk_system_make(c->p, c->account, i, q->system_disk_gib, NULL);
	if (!rc)
		rc = layers_set(c->p->store, i->id, layer, from->id);
	return rc ? rc : capacity_hold(c->p, c->account, i->id, i->gpu, i->gpu_count);
}

static int clone(
	struct call *c, struct sv_instance *from, struct sv_instance *i, const struct quote *q)
{
	struct flow_want want = {
		.type = &flow_instance_clone, .account = c->account, .other = from->id
	};
	char id[64], op[64], layer[64];
	int rc;

	store_id(c->p->store, "ins_", id, sizeof(id));
	store_id(c->p->store, "op_", op, sizeof(op));
	store_id(c->p->store, "lay_", layer, sizeof(layer));
	rc = copy_from(i, from);
	doc_text(i, i, id, id);
	doc_text(i, i, name, ((const struct sv_instance_clone_body *)c->in)->name);
	instance_status(i, "provisioning");
	instance_desire(i, "running");
	instance_reason(i, NULL, NULL);
	doc_null(i, stopped_by);
	doc_null(i, ssh);
	doc_null(i, switched_to);
	doc_null(i, release_at);
	doc_put(i, billing_active, 0);
	doc_text(i, i, operation_id, op);
	doc_put(i, created_at, c->now);
	want.resource = id;
	if (!rc)
		rc = clone_documents(c, from, i, q, layer);
	if (!rc)
		rc = store_fact_set(c->p->store, op, "layer", layer);
	if (!rc)
		rc = instance_put(c->p, c->account, i);
	if (!rc)
		rc = flow_start(c->p, &want, op, sizeof(op));
	return rc ? rc : doc_answer(c, &sv_instance_kind, id, op);
}

int local_instance_clone(struct call *c)
{
	struct sv_instance *from = c->obj, *i = NULL;
	struct quote_ask ask = { .account = c->account,
		.gpu = from->gpu,
		.gpu_count = from->gpu_count ? from->gpu_count : 1,
		.backend = from->backend,
		.image = from->image,
		.max_price_per_hour = -1,
		.max_cost = -1,
		.check = QUOTE_ALL };
	const char *wrong = doc_name_wrong(((const struct sv_instance_clone_body *)c->in)->name);
	struct sv_disk *d = NULL;
	struct quote q;
	int rc = instance_may(c, "clone");

	if (!rc && wrong)
		rc = sv_err_field(&c->err, "name", "value", "%s", wrong);
	if (!rc)
		rc = disk_get(c->p, from->system_disk, &d);
	if (!rc) {
		ask.system_disk_gib = d->size_gib;
		rc = quote_ask(c->p, &ask, &q, &c->err);
	}
	if (!rc) {
		q.system_disk_gib = d->size_gib;
		i = sv_new(&sv_instance_kind);
		rc = i ? clone(c, from, i, &q) : SV_NOMEM;
	}
	sv_free(d);
	sv_free(i);
	return rc;
}
