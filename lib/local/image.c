/* SPDX-License-Identifier: MIT */
/* Images of the account's own, saved from instances. The layer has the image's id. */
#include <stdio.h>
#include <string.h>

#include <starverse/image.h>

#include "local/crud.h"
#include "local/freeze.h"
#include "local/instance-inside.h"

static int get(struct platform *p, const char *id, struct sv_image **ret)
{
	void *obj = NULL;
	int rc = doc_get(p, &sv_image_kind, id, &obj);

	*ret = obj;
	return rc;
}

static int put(struct platform *p, const char *account, struct sv_image *m)
{
	return store_put(p->store, &sv_image_kind, account, m, platform_now(p));
}

static void copy_map(void *root, struct sv_map *to, const struct sv_map *from)
{
	for (size_t k = 0; k < from->n; k++)
		sv_map_set(root, to, from->keys[k], from->values[k]);
}

/* What it inherits: it runs on what its instance's image ran on, and costs as much. */
static void inherit(struct sv_image *m, const struct sv_image *from, const struct sv_instance *i)
{
	sv_mark(m, frameworks);
	sv_mark(m, plugins);
	sv_mark(m, backends);
	sv_mark(m, labels);
	doc_put(m, price_per_hour, from ? from->price_per_hour : 0);
	doc_put(m, simulated, i->simulated);
	doc_text(m, m, arch, from ? from->arch : NULL);
	if (from) {
		copy_map(m, &m->frameworks, &from->frameworks);
		copy_map(m, &m->plugins, &from->plugins);
		for (size_t k = 0; k < from->backends.n; k++)
			sv_strs_add(m, &m->backends, from->backends.v[k]);
	} else if (i->backend) {
		sv_strs_add(m, &m->backends, i->backend);
	}
}

int image_begin(struct platform *p, const char *account, const struct sv_instance *i,
	const char *name, char *id, size_t size)
{
	struct sv_image *m = sv_new(&sv_image_kind), *from = NULL;
	struct sv_disk *d = NULL;
	int rc;

	if (!m)
		return SV_NOMEM;
	if (i->image)
		get(p, i->image, &from);
	store_id(p->store, "img_", id, size);
	doc_text(m, m, id, id);
	doc_text(m, m, name, name);
	doc_text(m, m, visibility, "private");
	doc_text(m, m, status, "creating");
	doc_text(m, m, source_instance, i->id);
	doc_null(m, operation_id);
	if (!disk_get(p, i->system_disk, &d))
		doc_put(m, size_gib, d->size_gib);
	inherit(m, from, i);
	rc = put(p, account, m);
	if (!rc)
		rc = layers_set(p->store, id, id, i->id);
	sv_free(d);
	sv_free(from);
	sv_free(m);
	return rc;
}

int image_end(struct platform *p, const char *account, const char *id, const char *status)
{
	struct sv_image *m = NULL;
	int rc = get(p, id, &m);

	if (rc)
		return rc;
	doc_text(m, m, status, status);
	doc_null(m, operation_id);
	if (!strcmp(status, "error"))
		rc = layers_set(p->store, id, NULL, NULL);
	if (!rc)
		rc = put(p, account, m);
	if (!rc)
		rc = platform_event(
			p, account, "image.changed", "platform", id, "%s is %s", m->name, status);
	sv_free(m);
	return rc;
}

static int check_private(struct call *c)
{
	const struct sv_image *m = c->obj;

	if (m->visibility && !strcmp(m->visibility, "private"))
		return SV_OK;
	return sv_err(&c->err, SV_DENIED, "image %s is public", m->name);
}

int local_image_update(struct call *c)
{
	int rc = check_private(c);

	return rc ? rc : crud_update(c);
}

int local_image_delete(struct call *c)
{
	struct sv_image *m = c->obj;
	struct flow_want want = {
		.type = &flow_image_delete, .account = c->account, .resource = m->id
	};
	char id[64], op[64] = "";
	int rc = check_private(c);

	if (!rc && m->status && !strcmp(m->status, "deleted")) {
		c->status = 200;
		return SV_OK;
	}
	if (!rc && m->status && !strcmp(m->status, "creating"))
		rc = sv_err_wire(
			&c->err, "operation_in_progress", "image %s is being made", m->name);
	if (!rc)
		rc = flow_free(c->p, m->id, 1, &c->err);
	if (rc)
		return rc;
	snprintf(id, sizeof(id), "%s", m->id);
	store_id(c->p->store, "op_", op, sizeof(op));
	doc_text(m, m, status, "deleting");
	doc_text(m, m, operation_id, op);
	rc = put(c->p, c->account, m);
	if (!rc)
		rc = flow_start(c->p, &want, op, sizeof(op));
	return rc ? rc : doc_answer(c, &sv_image_kind, id, op);
}

static int step_release(struct flow *f)
{
	int rc = layers_release(f, f->resource);

	if (!rc)
		rc = image_end(f->p, f->account, f->resource, "deleted");
	return rc ? sv_err(&f->err, rc, "the image cannot be released") : FLOW_DONE;
}

static const struct flow_step delete_steps[] = {
	{ .name = "release", .run = step_release, .flags = FLOW_COMMIT },
	{ .name = "remove", .run = layers_free_run, .next = layers_free_next },
	{ 0 },
};
const struct flow_type flow_image_delete = {
	.type = "image.delete", .steps = delete_steps, .no_cancel = 1, .told = "deleted"
};

/* Saving from an instance: it is not billed meanwhile, and runs on afterwards if it ran. */

static char *image_of(struct flow *f, char *buf, size_t size)
{
	return flow_fact(f, "image", buf, size);
}

int image_step_copy(struct flow *f)
{
	char id[64];

	if (!image_of(f, id, sizeof(id))[0])
		return FLOW_SKIP;
	return flow_called(
		f, f->p->ops->snapshot(f->p->engine, f->resource, id, flow_engine_done, f));
}

int image_step_uncopy(struct flow *f)
{
	char id[64];

	if (!image_of(f, id, sizeof(id))[0])
		return FLOW_DONE;
	return flow_called(f, f->p->ops->layer_drop(f->p->engine, id, flow_engine_done, f));
}

int image_flow_end(struct flow *f, const char *status)
{
	char id[64];

	return image_of(f, id, sizeof(id))[0] ? image_end(f->p, f->account, id, status) : SV_OK;
}

static int back(struct flow *f)
{
	struct sv_instance *i = NULL;
	char was[16];
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc && !strcmp(flow_fact(f, "was", was, sizeof(was)), "running")) {
		rc = instance_run(f->p, f->account, i, platform_now(f->p));
	} else if (!rc) {
		instance_status(i, "stopped");
		doc_null(i, operation_id);
		rc = instance_put(f->p, f->account, i);
	}
	sv_free(i);
	return rc;
}

static int saved(struct flow *f)
{
	int rc = image_flow_end(f, "ready");

	return rc ? rc : back(f);
}

static int not_saved(struct flow *f)
{
	int rc = image_flow_end(f, "error");

	return rc ? rc : back(f);
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->resource);
}

static const struct flow_step save_steps[] = {
	{ .name = "freeze", .run = freeze_own, .undo = thaw_own },
	{ .name = "copy", .run = image_step_copy, .undo = image_step_uncopy },
	{ .name = "thaw", .run = thaw_own },
	{ 0 },
};
const struct flow_type flow_instance_save_image = { .type = "instance.save_image",
	.steps = save_steps,
	.finished = saved,
	.failed = not_saved,
	.after = after };

int instance_save(struct call *c, struct sv_instance *i, const char *name, const char *field)
{
	const char *wrong = doc_name_wrong(name);
	char op[64] = "", id[64];
	int rc;

	if (wrong)
		return sv_err_field(&c->err, field, "value", "%s", wrong);
	if (!(c->p->caps & ENGINE_SNAPSHOT))
		return sv_err_wire(
			&c->err, "invalid_state", "engine %s saves no images", c->p->ops->name);
	store_id(c->p->store, "op_", op, sizeof(op));
	rc = image_begin(c->p, c->account, i, name, id, sizeof(id));
	if (!rc)
		rc = store_fact_set(c->p->store, op, "image", id);
	if (!rc)
		rc = store_fact_set(c->p->store, op, "was", i->status);
	if (!rc && instance_is(i, "running"))
		rc = instance_unbill(c->p, i, c->now, 0);
	instance_status(i, "saving_image");
	return rc ? rc : instance_begin(c, &flow_instance_save_image, i, op, sizeof(op));
}

int local_instance_save_image(struct call *c)
{
	const struct sv_instance_save_image_body *b = c->in;
	int rc = instance_may(c, "save_image");

	return rc ? rc : instance_save(c, c->obj, b->name, "name");
}
