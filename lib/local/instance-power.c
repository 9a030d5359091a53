/* SPDX-License-Identifier: MIT */
/* Starting, stopping, restarting: compute is billed while it runs, and not a second longer. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/due.h"
#include "local/queue.h"

static int already(struct call *c)
{
	c->status = 200;
	return SV_OK;
}

/* What is being done already is answered as such, with its operation. */
static int under_way(struct call *c, const char *status)
{
	const struct sv_instance *i = c->obj;

	return instance_is(i, status) && i->operation_id && flow_of(c->p, i->id, 0) != NULL;
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->resource);
}

/* Start. */

/* What its cards would be; the backend stays where the card does. */
static struct quote_ask ask_of(struct call *c, const struct sv_instance *i, const struct choice *at,
	const struct sv_strs *backends)
{
	const struct sv_instance_start_body *b = c->in;
	struct guard_limits limits = instance_limits(i);
	struct quote_ask a = { .account = c->account,
		.image = i->image,
		.instance = i->id,
		.max_price_per_hour = -1,
		.max_cost = limits.max_cost,
		.check = QUOTE_ALL };

	if (i->gpu && at->count && !strcmp(i->gpu, at->gpu))
		a.backend = i->backend;
	if (!i->image && i->backend)
		a.backends = backends;
	if (b && sv_has(b, max_price_per_hour) && !sv_is_null(b, max_price_per_hour))
		a.max_price_per_hour = b->max_price_per_hour;
	instance_mounts_price(c->p, i, &a);
	return a;
}

/* The card asked for, else one of the others; or 1 when it waits for them. */
static int choose(
	struct call *c, struct sv_instance *i, const struct choices *all, struct quote *q)
{
	const struct sv_instance_start_body *b = c->in;
	const char *one[1] = { i->backend };
	struct sv_strs backends = { .n = 1, .v = one };
	struct quote_ask a = ask_of(c, i, &all->v[0], &backends);
	int rc = choices_ask(c->p, &a, all, q, &c->err);

	if (rc != SV_CAPACITY || !b || !b->wait_capacity)
		return rc;
	sv_err_clear(&c->err);
	rc = queue_note(c->p, i->id, &a, all);
	return rc ? rc : 1;
}

static int64_t configured(struct platform *p, const struct sv_instance *i)
{
	char text[32];
	int64_t n = i->gpu_count;

	if (!n && sv_parse_int(doc_fact(p, i->id, "cards", text, sizeof(text)), &n))
		n = 1;
	return n;
}

/* Holds what it takes, or waits: the cards in the document are then those of before. */
static int take_cards(struct call *c, struct sv_instance *i, const struct choices *all, int bare)
{
	struct quote q;
	char cards[32];
	int rc, waits;

	snprintf(cards, sizeof(cards), "%lld", (long long)configured(c->p, i));
	rc = choose(c, i, all, &q);
	waits = rc == 1;
	if (rc < 0)
		return rc;
	instance_status(i, waits ? "queued" : "starting");
	if (waits) {
		instance_reason(i, "waiting_for_capacity", "waits until the cards are free");
		return SV_OK;
	}
	rc = store_fact_set(c->p->store, i->id, "cards", bare ? cards : NULL);
	if (!rc)
		rc = instance_take(c->p, i, &q);
	return rc ? rc
		  : capacity_hold(c->p, c->account, i->id, q.gpu_count ? i->gpu : NULL,
			    q.gpu_count);
}

static int start(struct call *c, struct sv_instance *i, const struct sv_instance_start_body *b)
{
	static const struct sv_strs none;
	int bare = b && b->mode && !strcmp(b->mode, "no_gpu");
	int64_t count = bare ? 0 : b && b->gpu_count ? b->gpu_count : configured(c->p, i);
	struct choices all;
	char op[64] = "";
	int rc = choices_read(
		c, b && b->gpu ? b->gpu : i->gpu, count, b ? &b->fallback : &none, &all);

	if (!rc)
		rc = take_cards(c, i, &all, bare);
	if (!rc)
		rc = instance_plan_release(c->p, i, -1);
	if (rc)
		return rc;
	instance_desire(i, "running");
	return instance_begin(c, &flow_instance_start, i, op, sizeof(op));
}

static int same_as_asked(
	struct platform *p, const struct sv_instance *i, const struct sv_instance_start_body *b)
{
	int bare = b && b->mode && !strcmp(b->mode, "no_gpu");

	if (!b)
		return 1;
	if (b->mode && bare != (i->gpu_count == 0))
		return 0;
	if (b->gpu && i->gpu && strcmp(b->gpu, i->gpu) != 0)
		return 0;
	return !b->gpu_count || b->gpu_count == configured(p, i);
}

int local_instance_start(struct call *c)
{
	struct sv_instance *i = c->obj;
	int rc;

	if (instance_is(i, "running") && same_as_asked(c->p, i, c->in))
		return already(c);
	if (under_way(c, "starting") || under_way(c, "provisioning") || under_way(c, "queued"))
		return SV_OK;
	rc = instance_may(c, "start");
	if (rc && instance_is(i, "running"))
		sv_err_hint(&c->err, "resize or switch changes the cards of one that runs");
	return rc ? rc : start(c, i, c->in);
}

static int started(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc)
		rc = instance_run(f->p, f->account, i, platform_now(f->p));
	sv_free(i);
	return rc ? sv_err(&f->err, rc, "the instance cannot be entered as running") : SV_OK;
}

/* It could not boot: stopped, and what was still owed of a minimum is owed. */
static int not_started(struct flow *f)
{
	struct sv_instance *i = NULL;
	int64_t now = platform_now(f->p);
	int rc = instance_get(f->p, f->resource, &i);

	if (rc)
		return rc;
	instance_reason(i, f->cancelled ? "cancelled" : "start_failed", f->err.message);
	/* Before it had its cards it was what it had been. */
	if (f->failed > 0)
		doc_text(i, i, stopped_by, "platform");
	rc = instance_unbill(f->p, i, now, 1);
	if (!rc)
		rc = instance_rest(f->p, f->account, i, now);
	sv_free(i);
	return rc;
}

static const struct flow_step start_steps[] = {
	{ .name = "capacity",
		.run = step_capacity,
		.next = step_capacity_next,
		.undo = step_capacity_undo,
		.flags = FLOW_QUEUE },
	{ .name = "boot", .run = step_boot, .undo = step_halt },
	{ 0 },
};
const struct flow_type flow_instance_start = { .type = "instance.start",
	.steps = start_steps,
	.finished = started,
	.failed = not_started,
	.after = after };

/* Restart. */

int local_instance_restart(struct call *c)
{
	struct sv_instance *i = c->obj;
	char op[64] = "";
	int rc;

	if (under_way(c, "restarting"))
		return SV_OK;
	rc = instance_may(c, "restart");
	if (!rc)
		rc = instance_unbill(c->p, i, c->now, 0);
	if (rc)
		return rc;
	instance_status(i, "restarting");
	return instance_begin(c, &flow_instance_restart, i, op, sizeof(op));
}

static const struct flow_step restart_steps[] = {
	{ .name = "halt", .run = step_halt },
	{ .name = "boot", .run = step_boot, .undo = step_halt },
	{ 0 },
};
const struct flow_type flow_instance_restart = { .type = "instance.restart", .steps = restart_steps,
	.finished = started, .failed = not_started, .after = after, .no_cancel = 1 };

/* Stop. */

static int begin_stop(struct call *c, struct sv_instance *i, const char *image)
{
	const char *wrong = image ? doc_name_wrong(image) : NULL;
	char op[64] = "", id[64] = "";
	int rc = SV_OK;

	if (wrong)
		return sv_err_field(&c->err, "save_image", "value", "%s", wrong);
	store_id(c->p->store, "op_", op, sizeof(op));
	if (image)
		rc = image_begin(c->p, c->account, i, image, id, sizeof(id));
	if (!rc && image)
		rc = store_fact_set(c->p->store, op, "image", id);
	if (!rc)
		rc = instance_unbill(c->p, i, c->now, 1);
	if (rc)
		return rc;
	doc_text(i, i, stopped_by, c->request->instance ? "instance" : "user");
	instance_reason(i, "stopped_by_user", "stopped on request");
	instance_status(i, "stopping");
	instance_desire(i, "stopped");
	return instance_begin(c, &flow_instance_stop, i, op, sizeof(op));
}

int local_instance_stop(struct call *c)
{
	const struct sv_instance_stop_body *b = c->in;
	struct sv_instance *i = c->obj;
	const char *image = b ? b->save_image : NULL;
	int rc;

	if (instance_is(i, "stopped") || instance_is(i, "suspended")) {
		if (!image)
			return already(c);
		rc = instance_may(c, "save_image");
		return rc ? rc : instance_save(c, i, image, "save_image");
	}
	if (!image && under_way(c, "stopping"))
		return SV_OK;
	rc = instance_may(c, "stop");
	return rc ? rc : begin_stop(c, i, image);
}

static int rest(struct flow *f, const char *image)
{
	struct sv_instance *i = NULL;
	int rc = image_flow_end(f, image);

	if (!rc)
		rc = instance_get(f->p, f->resource, &i);
	if (!rc)
		rc = instance_rest(f->p, f->account, i, platform_now(f->p));
	sv_free(i);
	return rc;
}

static int stopped(struct flow *f)
{
	return rest(f, "ready");
}

/* Billing has ended and stays so; whoever asked learns what could not be done. */
static int not_stopped(struct flow *f)
{
	return rest(f, "error");
}

static const struct flow_step stop_steps[] = {
	{ .name = "hook", .run = step_hook, .next = step_hooked },
	{ .name = "halt", .run = step_halt },
	{ .name = "save", .run = image_step_copy, .undo = image_step_uncopy },
	{ 0 },
};
const struct flow_type flow_instance_stop = { .type = "instance.stop",
	.steps = stop_steps,
	.finished = stopped,
	.failed = not_stopped,
	.after = after,
	.no_cancel = 1 };
