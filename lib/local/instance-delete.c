/* SPDX-License-Identifier: MIT */
/* Releasing: the system disk is lost, data disks are kept, what it cost stays readable. */
#include <stdio.h>
#include <string.h>

#include "local/due.h"
#include "local/group.h"
#include "local/inside.h"
#include "local/instance-inside.h"

static int begin(struct call *c, struct sv_instance *i)
{
	char op[64] = "";
	int rc = instance_unbill(c->p, i, c->now, 1);

	if (rc)
		return rc;
	if (instance_is(i, "running"))
		doc_text(i, i, stopped_by, "user");
	instance_status(i, "releasing");
	instance_desire(i, "released");
	return instance_begin(c, &flow_instance_delete, i, op, sizeof(op));
}

static int is_making(const struct flow *f)
{
	return f && (f->type == &flow_instance_create || f->type == &flow_instance_clone ||
			    f->type == &flow_instance_start);
}

/* One that is being made, or waits for its cards, is given up; what is there of it then goes, too:
 * instance_wake(). */
static int give_up(struct call *c, struct sv_instance *i, const struct flow *f)
{
	char id[64], op[64];
	int undoes = f->failed >= 0, rc;

	snprintf(id, sizeof(id), "%s", i->id);
	snprintf(op, sizeof(op), "%s", f->id);
	instance_desire(i, "released");
	doc_null(i, operation_id);
	rc = instance_put(c->p, c->account, i);
	if (!rc)
		rc = instance_later(c->p, id, "delete", c->now, "user", "given up before it ran");
	if (!rc && !undoes)
		rc = flow_cancel(c->p, op, &c->err);
	return rc ? rc : doc_answer(c, &sv_instance_kind, id, NULL);
}

int local_instance_delete(struct call *c)
{
	struct sv_instance *i = c->obj;
	const struct flow *f = flow_of(c->p, i->id, 0);
	int rc;

	if (instance_is(i, "released")) {
		c->status = 200;
		return SV_OK;
	}
	if (instance_is(i, "releasing") && flow_of(c->p, i->id, 0))
		return SV_OK;
	if (is_making(f))
		return give_up(c, i, f);
	rc = instance_may(c, "delete");
	return rc ? rc : begin(c, i);
}

static int release_now(struct platform *p, struct sv_instance *i, const char *account, int64_t at,
	const char *by, const char *reason)
{
	struct flow_want want = {
		.type = &flow_instance_delete, .account = account, .resource = i->id
	};
	char op[64] = "";
	int rc = instance_unbill(p, i, at, 1);

	instance_reason(i, by, reason);
	if (instance_is(i, "running"))
		doc_text(i, i, stopped_by, by);
	instance_status(i, "releasing");
	instance_desire(i, "released");
	store_id(p->store, "op_", op, sizeof(op));
	doc_text(i, i, operation_id, op);
	if (!rc)
		rc = instance_put(p, account, i);
	return rc ? rc : flow_start(p, &want, op, sizeof(op));
}

static int release_later(struct platform *p, struct sv_instance *i, const char *account, int64_t at,
	const char *by, const char *reason)
{
	int rc = SV_OK;

	if (instance_is(i, "releasing"))
		return SV_OK;
	if (i->billing_active) {
		rc = instance_unbill(p, i, at, 1);
		if (!rc)
			rc = instance_put(p, account, i);
	}
	return rc ? rc : instance_later(p, i->id, "delete", at, by, reason);
}

int instance_release_at(struct platform *p, const char *id, int64_t at, const char *by,
	const char *reason)
{
	struct sv_instance *i = NULL;
	char account[64];
	int rc = instance_get(p, id, &i);

	if (rc == SV_NOTFOUND)
		return SV_OK;
	if (!rc)
		rc = store_owner(p->store, id, account, sizeof(account));
	if (!rc && !instance_is(i, "released"))
		rc = flow_of(p, id, 1) ? release_later(p, i, account, at, by, reason)
				       : release_now(p, i, account, at, by, reason);
	sv_free(i);
	return rc;
}

int instance_release_documents(struct flow *f, const char *id)
{
	struct sv_instance *i = NULL;
	int64_t now = platform_now(f->p);
	int rc = instance_get(f->p, id, &i);

	if (rc)
		return rc;
	instance_status(i, "released");
	instance_desire(i, "released");
	doc_null(i, operation_id);
	doc_null(i, ssh);
	doc_null(i, release_at);
	rc = mounts_drop(f->p, f->account, i);
	if (!rc)
		rc = inside_end(f->p, id);
	if (!rc)
		rc = capacity_hold(f->p, f->account, id, NULL, 0);
	if (!rc)
		rc = disk_system_end(f->p, f->account, i, now);
	if (!rc)
		rc = due_clear(f->p->store, id, NULL);
	if (!rc)
		rc = layers_release(f, id);
	group_touch(f->p, id);
	if (!rc)
		rc = store_facts_drop(f->p->store, id);
	if (!rc)
		rc = instance_put(f->p, f->account, i);
	if (!rc)
		rc = platform_event(f->p, f->account, "instance.released", "platform", id,
			"%s is released", i->name);
	sv_free(i);
	return rc;
}

static int step_release(struct flow *f)
{
	int rc = instance_release_documents(f, f->resource);

	return rc ? sv_err(&f->err, rc, "the instance cannot be released") : FLOW_DONE;
}

/* Something of it is still there: it can be tried again. */
static int not_deleted(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->resource, &i);

	if (rc)
		return rc;
	instance_status(i, "error");
	instance_reason(i, "release_failed", f->err.message);
	doc_null(i, operation_id);
	rc = instance_put(f->p, f->account, i);
	sv_free(i);
	return rc;
}

static const struct flow_step steps[] = {
	{ .name = "hook", .run = step_hook, .next = step_hooked },
	{ .name = "halt", .run = step_halt },
	{ .name = "remove", .run = step_destroy },
	{ .name = "release", .run = step_release, .flags = FLOW_COMMIT },
	{ .name = "free_layers", .run = layers_free_run, .next = layers_free_next },
	{ 0 },
};
const struct flow_type flow_instance_delete = {
	.type = "instance.delete", .steps = steps, .failed = not_deleted, .no_cancel = 1
};
