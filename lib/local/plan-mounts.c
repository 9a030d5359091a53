/* SPDX-License-Identifier: MIT */
/* What a new instance will see, and who may log in. */
#include <stdio.h>
#include <string.h>

#include <starverse/dataset.h>
#include <starverse/key.h>
#include <starverse/model.h>

#include "local/field.h"
#include "local/instance-plan.h"
#include "local/mount.h"
#include "local/storage.h"

static int add_disk(struct plan *p, const struct sv_disk_mount *want)
{
	struct call *c = p->c;
	struct sv_disk *d;
	char to[DOC_CALLED];
	void *obj = NULL;
	int rc = doc_find(c, &sv_disk_kind, want->disk, "disks.disk", &obj);

	if (rc)
		return rc;
	d = obj;
	if (strcmp(d->type ? d->type : "", "data") != 0)
		rc = sv_err_field(&c->err, "disks.disk", "kind", "%s is a system disk", d->name);
	else if (mount_of(p->i, d->id))
		rc = sv_err_field(&c->err, "disks.disk", "twice", "%s is given twice", d->name);
	else if (d->attachment)
		rc = sv_err_wire(&c->err, "invalid_state", "disk %s is attached to %s already",
			d->name, doc_called(c->p, d->attachment->instance, to, sizeof(to)));
	else if (!d->status || strcmp(d->status, "available") != 0)
		rc = sv_err_wire(&c->err, "invalid_state", "disk %s is %s", d->name,
			d->status ? d->status : "not ready");
	if (!rc)
		rc = flow_free(c->p, d->id, 1, &c->err);
	if (!rc)
		rc = mount_path_check(c, p->i, want->path, "disks.path");
	if (!rc)
		rc = mount_add(p->i, "disk", d->id, want->path, want->read_only, "attaching");
	sv_free(d);
	return rc;
}

/* Any number of instances may have it. */
static int add_storage(struct plan *p, const struct sv_storage_mount *want)
{
	struct sv_storage *s;
	void *obj = NULL;
	int rc = doc_find(p->c, &sv_storage_kind, want->storage, "storages.storage", &obj);

	if (rc)
		return rc;
	s = obj;
	if (mount_of(p->i, s->id))
		rc = sv_err_field(
			&p->c->err, "storages.storage", "twice", "%s is given twice", s->name);
	if (!rc)
		rc = mount_path_check(p->c, p->i, want->path, "storages.path");
	if (!rc)
		rc = mount_add(p->i, "storage", s->id, want->path, 0, "attaching");
	sv_free(s);
	return rc;
}

static int add_library(
	struct plan *p, const struct sv_kind *kind, const char *name, const char *field)
{
	const char *id, *path;
	void *obj = NULL;
	int rc = doc_find(p->c, kind, name, field, &obj);

	if (rc)
		return rc;
	id = field_text(kind, obj, "id");
	path = field_text(kind, obj, "path");
	if (id && path && !mount_of(p->i, id))
		rc = mount_add(p->i, kind->name, id, path, 1, "attaching");
	sv_free(obj);
	return rc;
}

int plan_mounts(struct plan *p)
{
	const struct sv_instance_create_body *b = p->body;
	int rc = SV_OK;

	sv_mark(p->i, mounts);
	for (size_t k = 0; !rc && k < b->disks.n; k++)
		rc = add_disk(p, b->disks.v[k]);
	for (size_t k = 0; !rc && k < b->storages.n; k++)
		rc = add_storage(p, b->storages.v[k]);
	for (size_t k = 0; !rc && k < b->models.n; k++)
		rc = add_library(p, &sv_model_kind, b->models.v[k], "models");
	for (size_t k = 0; !rc && k < b->datasets.n; k++)
		rc = add_library(p, &sv_dataset_kind, b->datasets.v[k], "datasets");
	return rc;
}

static int add_key(void *data, const char *account, void *obj)
{
	const struct sv_key *k = obj;

	(void)account;
	sv_buf_fmt(data, "%s\n", k->public_key ? k->public_key : "");
	return 0;
}

int plan_keys(struct plan *p)
{
	const struct sv_strs *keys = &p->body->keys;
	void *obj = NULL;
	int rc = SV_OK;

	if (!keys->n)
		return store_each(
			p->c->p->store, &sv_key_kind, p->c->account, NULL, add_key, &p->authorized);
	for (size_t k = 0; !rc && k < keys->n; k++) {
		rc = doc_find(p->c, &sv_key_kind, keys->v[k], "keys", &obj);
		if (!rc) {
			add_key(&p->authorized, NULL, obj);
			sv_free(obj);
		}
	}
	return rc;
}
