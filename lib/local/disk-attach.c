/* SPDX-License-Identifier: MIT */
/* Disks come to instances and go, while these run or not. */
#include <stdio.h>
#include <string.h>

#include <starverse/operation.h>

#include "base/time.h"
#include "local/instance-inside.h"
#include "local/mount.h"

#define BUSY_WAIT_MS \
	10000 /* a busy disk is refused in the answer itself, not only in the operation */

static int both(struct platform *p, const char *account, struct sv_disk *d, struct sv_instance *i)
{
	int rc = disk_put(p, account, d);

	return rc ? rc : instance_put(p, account, i);
}

static int begin(struct call *c, const struct flow_type *type, struct sv_disk *d,
	struct sv_instance *i, char *op, size_t size)
{
	struct flow_want want = {
		.type = type, .account = c->account, .resource = d->id, .other = i->id
	};
	char id[64];
	int rc;

	snprintf(id, sizeof(id), "%s", d->id);
	store_id(c->p->store, "op_", op, size);
	doc_text(d, d, operation_id, op);
	rc = both(c->p, c->account, d, i);
	if (!rc)
		rc = flow_start(c->p, &want, op, size);
	return rc ? rc : doc_answer(c, &sv_disk_kind, id, op);
}

static int nested(const char *a, const char *b)
{
	size_t len = strlen(a);

	return !strncmp(a, b, len) && (!b[len] || b[len] == '/');
}

int mount_path_check(
	struct call *c, const struct sv_instance *i, const char *path, const char *field)
{
	const char *wrong = mount_path_wrong(path);

	if (wrong)
		return sv_err_field(
			&c->err, field, "path", "\"%.80s\" %s", path ? path : "", wrong);
	for (size_t k = 0; k < i->mounts.n; k++) {
		const struct sv_instance_mount *m = i->mounts.v[k];

		if (m->path && (nested(m->path, path) || nested(path, m->path)))
			return sv_err_field(&c->err, field, "path",
				"\"%.80s\" and the mount on \"%.80s\" are in each other's way",
				path, m->path);
	}
	return SV_OK;
}

static int is_same(
	const struct sv_disk *d, const struct sv_instance *i, const struct sv_disk_attach_body *b)
{
	const struct sv_disk_attachment *a = d->attachment;

	return !strcmp(a->instance, i->id) && !strcmp(a->path, b->path) &&
	       !a->read_only == !b->read_only;
}

static int check_attach(struct call *c, const struct sv_disk *d, const struct sv_instance *i)
{
	const struct sv_disk_attach_body *b = c->in;
	char to[DOC_CALLED];
	int rc = flow_free(c->p, d->id, 1, &c->err);

	if (!rc)
		rc = flow_free(c->p, i->id, 0, &c->err);
	if (rc)
		return rc;
	if (strcmp(d->type ? d->type : "", "data") != 0)
		return sv_err_wire(
			&c->err, "invalid_state", "a system disk stays with its instance");
	if (d->attachment) {
		sv_err_wire(&c->err, "invalid_state", "the disk is attached to %s already",
			doc_called(c->p, d->attachment->instance, to, sizeof(to)));
		sv_err_hint(&c->err, "detach it first");
		return SV_CONFLICT;
	}
	if (strcmp(d->status ? d->status : "", "available") != 0)
		return sv_err_wire(&c->err, "invalid_state", "a disk that is %s cannot be attached",
			d->status);
	if (!instance_is(i, "running") && !instance_is(i, "stopped"))
		return sv_err_wire(&c->err, "invalid_state", "the instance is %s", i->status);
	if (instance_is(i, "running") && !(c->p->caps & ENGINE_HOTPLUG))
		return sv_err_wire(&c->err, "invalid_state",
			"engine %s attaches disks to stopped instances only", c->p->ops->name);
	return mount_path_check(c, i, b->path, "path");
}

static int attach_to(struct call *c, struct sv_disk *d, struct sv_instance *i)
{
	const struct sv_disk_attach_body *b = c->in;
	int hot = instance_is(i, "running");
	const char *state = hot ? "attaching" : "planned";
	char op[64] = "";
	int rc = mount_add(i, "disk", d->id, b->path, b->read_only, state);

	if (!rc)
		rc = disk_attachment(d, i->id, b->path, b->read_only, state);
	doc_text(d, d, status, hot ? "attaching" : "attached");
	if (rc || hot)
		return rc ? rc : begin(c, &flow_disk_attach, d, i, op, sizeof(op));
	c->status = 200;
	rc = both(c->p, c->account, d, i);
	return rc ? rc
		  : platform_event(c->p, c->account, "disk.attached", c->account, d->id,
			    "%s is planned on %s", d->name, i->name);
}

int local_disk_attach(struct call *c)
{
	const struct sv_disk_attach_body *b = c->in;
	struct sv_disk *d = c->obj;
	void *i = NULL;
	int rc = doc_find(c, &sv_instance_kind, b->instance, "instance", &i);

	if (rc)
		return rc;
	if (d->attachment && is_same(d, i, b) && !flow_of(c->p, d->id, 1)) {
		c->status = 200;
		sv_free(i);
		return SV_OK;
	}
	rc = check_attach(c, d, i);
	if (!rc)
		rc = attach_to(c, d, i);
	sv_free(i);
	return rc;
}

/* Both sides of the flow's mount. */
static int open_both(struct flow *f, struct sv_disk **d, struct sv_instance **i)
{
	int rc = disk_get(f->p, f->resource, d);

	*i = NULL;
	return rc ? rc : instance_get(f->p, f->other, i);
}

static int call_engine(struct flow *f, int attach)
{
	struct sv_disk *d = NULL;
	struct sv_instance *i = NULL;
	struct engine_mount m;
	int rc = open_both(f, &d, &i);

	if (rc || !d->attachment) {
		rc = sv_err(&f->err, rc ? rc : SV_NOTFOUND, "the attachment is gone");
	} else {
		m = (struct engine_mount){ .disk = d->id,
			.path = d->attachment->path,
			.read_only = d->attachment->read_only };
		rc = flow_called(f,
			attach ? f->p->ops->attach(f->p->engine, i->id, &m, flow_engine_done, f)
			       : f->p->ops->detach(f->p->engine, i->id, &m, flow_engine_done, f));
	}
	sv_free(d);
	sv_free(i);
	return rc;
}

static int step_mount(struct flow *f)
{
	return call_engine(f, 1);
}

static int step_unmount(struct flow *f)
{
	return call_engine(f, 0);
}

static int there(struct flow *f)
{
	struct sv_disk *d = NULL;
	struct sv_instance *i = NULL;
	struct sv_instance_mount *m;
	int rc = open_both(f, &d, &i);

	m = rc ? NULL : mount_of(i, d->id);
	if (m && d->attachment) {
		/* Its instance may have been lost meanwhile. */
		const char *state = instance_is(i, "running") ? "attached" : "planned";

		doc_text(i, m, state, state);
		doc_text(d, d->attachment, state, state);
		doc_text(d, d, status, "attached");
		doc_null(d, operation_id);
		rc = both(f->p, f->account, d, i);
	}
	if (!rc)
		rc = platform_event(f->p, f->account, "disk.attached", f->account, f->resource,
			"attached to %s", f->other);
	sv_free(d);
	sv_free(i);
	return rc;
}

static int gone(struct flow *f)
{
	struct sv_disk *d = NULL;
	struct sv_instance *i = NULL;
	int rc = open_both(f, &d, &i);

	if (!rc) {
		mount_remove(i, d->id);
		disk_attachment(d, NULL, NULL, 0, NULL);
		doc_text(d, d, status, "available");
		doc_null(d, operation_id);
		rc = both(f->p, f->account, d, i);
	}
	if (!rc)
		rc = platform_event(f->p, f->account, "disk.detached", f->account, f->resource,
			"not attached to %s", f->other);
	sv_free(d);
	sv_free(i);
	return rc;
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->other);
}

static const struct flow_step attach_steps[] = {
	{ .name = "mount", .run = step_mount, .undo = step_unmount },
	{ 0 },
};
const struct flow_type flow_disk_attach = { .type = "disk.attach",
	.steps = attach_steps,
	.finished = there,
	.failed = gone,
	.after = after };

static const struct flow_step detach_steps[] = {
	{ .name = "unmount", .run = step_unmount },
	{ 0 },
};
const struct flow_type flow_disk_detach = { .type = "disk.detach",
	.steps = detach_steps,
	.finished = gone,
	.failed = there,
	.after = after,
	.no_cancel = 1 };

/* The engine's refusal becomes the answer when it comes in time; else the operation goes on. */
static int answer(struct call *c, const char *op)
{
	struct sv_operation *o = NULL;
	void *obj = NULL;
	int rc = doc_get(c->p, &sv_operation_kind, op, &obj), over;

	if (rc)
		return rc;
	o = obj;
	over = strcmp(o->status ? o->status : "", "running") != 0;
	if (over && o->error && o->error->code && !strcmp(o->error->code, "disk_busy")) {
		rc = sv_err_wire(&c->err, "disk_busy", "%s", o->error->message);
		if (!strcmp(c->verb->name, "resize"))
			sv_err_hint(&c->err, "svctl disk detach %s", c->id);
		else
			sv_err_hint(&c->err, "end what uses it, or change its directory");
	} else if (!over &&
		   (!c->request->wait_until_ms || sv_mono_ms() < c->request->wait_until_ms)) {
		snprintf(c->wait_id, sizeof(c->wait_id), "%s", op);
		c->wait_until_ms = c->request->wait_until_ms ? c->request->wait_until_ms
							     : sv_mono_ms() + BUSY_WAIT_MS;
		rc = CALL_WAIT;
	} else {
		rc = doc_answer(c, &sv_disk_kind, c->id, op);
	}
	sv_free(o);
	return rc;
}

static int settle_call(struct call *c, int rc)
{
	if (rc != CALL_WAIT)
		store_facts_drop(c->p->store, c->request->request_id);
	return rc;
}

int disk_await(struct call *c, const char *op)
{
	int rc = store_fact_set(c->p->store, c->request->request_id, "operation", op);

	return rc ? rc : settle_call(c, answer(c, op));
}

int disk_awaited(struct call *c, int *rc)
{
	char op[64];

	if (!doc_fact(c->p, c->request->request_id, "operation", op, sizeof(op))[0])
		return 0;
	*rc = settle_call(c, answer(c, op));
	return 1;
}

static int detach_from(struct call *c, struct sv_disk *d, struct sv_instance *i)
{
	struct sv_instance_mount *m = mount_of(i, d->id);
	char op[64] = "";
	int rc = flow_free(c->p, i->id, 0, &c->err);

	if (rc)
		return rc;
	if (!instance_is(i, "running")) {
		mount_remove(i, d->id);
		disk_attachment(d, NULL, NULL, 0, NULL);
		doc_text(d, d, status, "available");
		c->status = 200;
		return both(c->p, c->account, d, i);
	}
	if (m)
		doc_text(i, m, state, "detaching");
	doc_text(d, d->attachment, state, "detaching");
	doc_text(d, d, status, "detaching");
	rc = begin(c, &flow_disk_detach, d, i, op, sizeof(op));
	return rc ? rc : disk_await(c, op);
}

int local_disk_detach(struct call *c)
{
	struct sv_disk *d = c->obj;
	struct sv_instance *i = NULL;
	int rc;

	if (disk_awaited(c, &rc))
		return rc;
	rc = flow_free(c->p, d->id, 1, &c->err);
	if (rc)
		return rc;
	if (strcmp(d->type ? d->type : "", "system") == 0) {
		sv_err_wire(&c->err, "invalid_state", "a system disk cannot be detached");
		sv_err_hint(&c->err, "make a snapshot of it, or release the instance");
		return SV_CONFLICT;
	}
	if (!d->attachment) {
		c->status = 200;
		return SV_OK;
	}
	rc = instance_get(c->p, d->attachment->instance, &i);
	if (!rc)
		rc = detach_from(c, d, i);
	sv_free(i);
	return rc;
}
