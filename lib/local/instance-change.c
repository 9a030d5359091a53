/* SPDX-License-Identifier: MIT */
/* Changes of an instance that goes on running: name, labels, guards, number of cards, more time. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/crud.h"
#include "local/due.h"
#include "local/field.h"
#include "local/instance-plan.h"

#define GIB       ((int64_t)1 << 30)
#define TIME_LAST INT64_C(253402300799) /* the last second that a time on the wire can have */

/* The guards as they now are take effect. The time until a release begins anew when it is changed
 * itself. */
static int rearm(struct call *c, struct sv_instance *i, const struct sv_instance_auto_stop *changes)
{
	struct guard_limits limits = instance_limits(i);
	int rc;

	if (i->billing_active) {
		rc = guard_arm(c->p, i->id, &limits, c->now);
		return rc ? rc : instance_idle_arm(c->p, i, c->now);
	}
	if (!instance_is(i, "stopped") ||
		(changes && !sv_has(changes, release_after_stopped_seconds)))
		return SV_OK;
	return instance_plan_release(c->p, i, c->now);
}

int local_instance_update(struct call *c)
{
	const struct sv_instance *b = c->in;
	struct sv_instance *i = c->obj;
	int rc = crud_name(c);

	if (rc)
		return rc;
	if (instance_is(i, "released"))
		return sv_err_wire(&c->err, "invalid_state", "the instance is released");
	rc = plan_auto_stop(c, b->auto_stop, i->simulated);
	if (!rc)
		rc = field_copy(i, &sv_instance_kind, i, &sv_instance_kind, b, SV_UPDATE);
	if (!rc && sv_has(b, auto_stop))
		rc = rearm(c, i, b->auto_stop);
	if (!rc)
		rc = instance_put(c->p, c->account, i);
	return rc ? rc
		  : platform_event(c->p, c->account, "instance.updated", c->account, i->id,
			    "%s is changed", i->name);
}

static int later(struct call *c, int64_t *at, int64_t seconds)
{
	if (sv_add64(*at, seconds, at) || *at > TIME_LAST)
		return sv_err_field(&c->err, "seconds", "range", "is too long");
	return SV_OK;
}

/* What ends it by time ends it so much later; cost, idling and the balance do as before. */
int local_instance_extend(struct call *c)
{
	const struct sv_instance_extend_body *b = c->in;
	struct sv_instance *i = c->obj;
	struct sv_instance_auto_stop *a = i->auto_stop;
	struct guard_limits l = instance_limits(i);
	int rc = instance_may(c, "extend");

	if (rc)
		return rc;
	if (l.stop_at < 0 && l.max_runtime_seconds < 0) {
		sv_err_wire(&c->err, "invalid_state", "nothing stops the instance at a time");
		sv_err_hint(&c->err, "auto_stop.stop_at or auto_stop.max_runtime_seconds does");
		return SV_CONFLICT;
	}
	if (l.stop_at >= 0)
		rc = later(c, &a->stop_at, b->seconds);
	if (!rc && l.max_runtime_seconds >= 0)
		rc = later(c, &a->max_runtime_seconds, b->seconds);
	if (!rc)
		rc = rearm(c, i, a);
	if (!rc)
		rc = instance_put(c->p, c->account, i);
	return rc ? rc
		  : platform_event(c->p, c->account, "instance.extended", c->account, i->id,
			    "%lld s more", (long long)b->seconds);
}

static int ask(
	struct call *c, const struct sv_instance *i, int64_t count, int check, struct quote *q)
{
	struct guard_limits limits = instance_limits(i);
	struct quote_ask a = { .account = c->account,
		.gpu = i->gpu,
		.gpu_count = count,
		.backend = i->backend,
		.image = i->image,
		.instance = i->id,
		.max_price_per_hour = -1,
		.max_cost = limits.max_cost,
		.check = check };

	return quote_ask(c->p, &a, q, &c->err);
}

/* What it uses now must find room in what it will have. */
static int fits(struct call *c, const struct sv_instance *i, const struct quote *q)
{
	struct engine_metrics m = ENGINE_UNMEASURED;

	if (c->p->ops->metrics(c->p->engine, i->id, &m) || m.ram_bytes <= q->ram_gib * GIB)
		return SV_OK;
	return sv_err_field(&c->err, "gpu_count", "range",
		"comes with %lld GiB of memory, and it uses %lld GiB now", (long long)q->ram_gib,
		(long long)((m.ram_bytes + GIB - 1) / GIB));
}

int local_instance_resize(struct call *c)
{
	const struct sv_instance_resize_body *b = c->in;
	struct sv_instance *i = c->obj;
	struct quote q;
	char op[64] = "", count[32];
	int hot = instance_is(i, "running"), rc;

	if (b->gpu_count == i->gpu_count && (hot || instance_is(i, "stopped"))) {
		c->status = 200;
		return SV_OK;
	}
	rc = instance_may(c, "resize");
	if (!rc)
		rc = ask(c, i, b->gpu_count, hot ? QUOTE_ALL : 0, &q);
	if (!rc && hot)
		rc = fits(c, i, &q);
	if (rc)
		return rc;
	if (!hot) {
		c->status = 200;
		rc = store_fact_set(c->p->store, i->id, "cards", NULL);
		if (!rc)
			rc = instance_take(c->p, i, &q);
		return rc ? rc : instance_put(c->p, c->account, i);
	}
	store_id(c->p->store, "op_", op, sizeof(op));
	snprintf(count, sizeof(count), "%lld", (long long)b->gpu_count);
	rc = store_fact_set(c->p->store, op, "count", count);
	/* More cards are held at once, fewer when they are given back. */
	if (!rc && b->gpu_count > i->gpu_count)
		rc = capacity_hold(c->p, c->account, i->id, i->gpu, b->gpu_count);
	instance_status(i, "resizing");
	return rc ? rc : instance_begin(c, &flow_instance_resize, i, op, sizeof(op));
}

/* What it would be with so many cards, as the engine is told; stored is what it is. */
static int adjust(struct flow *f, struct sv_instance *i, const struct quote *q)
{
	struct spec spec;
	int rc;

	if (!f->p->ops->adjust)
		return FLOW_SKIP;
	if (q) {
		doc_put(i, gpu_count, q->gpu_count);
		doc_put(i, vcpus, q->vcpus);
		doc_put(i, ram_gib, q->ram_gib);
		if (q->backend[0])
			doc_text(i, i, backend, q->backend);
	}
	rc = spec_make(f->p, i, &spec);
	if (rc)
		return sv_err(&f->err, rc, "the instance cannot be read");
	rc = flow_called(f, f->p->ops->adjust(f->p->engine, &spec.s, flow_engine_done, f));
	spec_free(&spec);
	return rc;
}

static int wanted(struct flow *f, struct sv_instance *i, struct quote *q)
{
	struct call c = { .p = f->p, .account = f->account, .now = platform_now(f->p) };
	char text[32];
	int64_t count = 0;
	int rc = sv_parse_int(flow_fact(f, "count", text, sizeof(text)), &count);

	sv_err_clear(&c.err);
	if (!rc)
		rc = ask(&c, i, count, 0, q);
	if (rc)
		f->err = c.err;
	return rc;
}

static int step_limits(struct flow *f)
{
	struct sv_instance *i = NULL;
	struct quote q;
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc)
		rc = wanted(f, i, &q);
	if (!rc)
		rc = adjust(f, i, &q);
	sv_free(i);
	return rc;
}

static int undo_limits(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc)
		rc = adjust(f, i, NULL);
	sv_free(i);
	return rc;
}

/* The old rate ends and the new one begins at one second. */
static int step_cards(struct flow *f)
{
	struct sv_instance *i = NULL;
	struct quote q;
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc)
		rc = wanted(f, i, &q);
	if (!rc)
		rc = instance_take(f->p, i, &q);
	if (!rc)
		rc = store_fact_set(f->p->store, i->id, "cards", NULL);
	if (!rc)
		rc = capacity_hold(f->p, f->account, i->id, i->gpu, q.gpu_count);
	if (!rc)
		rc = instance_run(f->p, f->account, i, platform_now(f->p));
	sv_free(i);
	if (rc && !f->err.code)
		return sv_err(&f->err, rc, "the cards cannot be changed");
	return rc ? rc : FLOW_DONE;
}

static int not_resized(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc)
		rc = capacity_hold(
			f->p, f->account, i->id, i->gpu_count ? i->gpu : NULL, i->gpu_count);
	if (!rc)
		rc = instance_run(f->p, f->account, i, platform_now(f->p));
	sv_free(i);
	return rc;
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->resource);
}

static const struct flow_step resize_steps[] = {
	{ .name = "limits", .run = step_limits, .undo = undo_limits },
	{ .name = "cards", .run = step_cards },
	{ 0 },
};
const struct flow_type flow_instance_resize = { .type = "instance.resize", .steps = resize_steps,
	.failed = not_resized, .after = after };
