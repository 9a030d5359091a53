/* SPDX-License-Identifier: MIT */
/* The catalogue's items as documents that everybody sees. */
#include <stdio.h>
#include <string.h>

#include <starverse/app.h>
#include <starverse/gpu.h>
#include <starverse/image.h>

#include "base/limits.h"
#include "kinds/kinds.h"
#include "local/capacity.h"
#include "local/catalog-inside.h"
#include "local/field.h"
#include "local/platform.h"
#include "model/json.h"
#include "model/kind.h"

static int known_id(
	struct store *s, const struct sv_kind *kind, const char *name, char *buf, size_t size)
{
	sqlite3_stmt *st = store_stmt(
		s, "SELECT id FROM doc WHERE kind = ?1 AND account = '' AND name = ?2 LIMIT 1");
	int rc;

	*buf = '\0';
	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, kind->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		snprintf(buf, size, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_reset(st);
	return store_code(s, rc);
}

/* A copy by the wire's own form: the catalogue's object stays as the file has it. */
static int copy(const struct sv_kind *kind, const void *obj, void **ret)
{
	struct sv_error err;
	struct sv_buf b;
	int rc;

	sv_buf_init(&b, SV_MAX_BODY);
	rc = sv_write_json(&b, kind, obj, SV_WALK_WIRE, 0);
	if (!rc)
		rc = sv_from_json(kind, sv_buf_text(&b), b.len, ret, &err);
	sv_buf_free(&b);
	return rc;
}

static int equal(const struct sv_kind *kind, const void *a, const void *b)
{
	struct sv_buf x, y;
	int same;

	sv_buf_init(&x, SV_MAX_BODY);
	sv_buf_init(&y, SV_MAX_BODY);
	sv_write_json(&x, kind, a, SV_WALK_WIRE, 0);
	sv_write_json(&y, kind, b, SV_WALK_WIRE, 0);
	same = !x.failed && !y.failed && x.len == y.len && !memcmp(x.data, y.data, x.len);
	sv_buf_free(&x);
	sv_buf_free(&y);
	return same;
}

/* Every answer carries these, whether the file says them or not. */
static void defaults(
	struct platform *p, const struct catalog *c, const struct sv_kind *kind, void *obj)
{
	struct sv_gpu *gpu = obj;

	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!(f->flags & SV_ALWAYS) || sv_field_has(f, obj))
			continue;
		if (f->type == SV_STRS || f->type == SV_MAP || f->type == SV_LIST ||
			f->type == SV_BOOL)
			sv_field_mark(f, obj);
		else
			sv_field_mark_null(f, obj);
	}
	if (kind == &sv_image_kind) {
		field_set_text(kind, obj, "visibility", "public");
		field_set_text(kind, obj, "status", "ready");
		if (sv_is_null((struct sv_image *)obj, price_per_hour) ||
			!sv_has((struct sv_image *)obj, price_per_hour))
			field_set_number(kind, obj, "price_per_hour", 0);
	}
	if (kind != &sv_gpu_kind)
		return;
	if (!gpu->zone)
		field_set_text(kind, obj, "zone", c->settings->zone);
	if (!gpu->minimum_seconds)
		field_set_number(kind, obj, "minimum_seconds", 0);
	capacity_show(p, gpu);
}

static int resolve_app(struct platform *p, const struct sv_kind *kind, void *obj)
{
	struct sv_app *app = obj;
	char id[64];
	int rc;

	if (kind != &sv_app_kind)
		return SV_OK;
	rc = known_id(p->store, &sv_image_kind, app->image, id, sizeof(id));
	if (rc)
		return rc;
	field_set_text(kind, obj, "image", sv_strdup_in(obj, id));
	return app->image ? SV_OK : SV_NOMEM;
}

static int put_item(struct platform *p, const struct catalog *c, const struct catalog_item *item)
{
	const struct sv_kind *kind = item->kind;
	void *obj = NULL, *old = NULL;
	char id[64];
	int rc = copy(kind, item->obj, &obj);

	if (!rc)
		rc = known_id(p->store, kind, catalog_name(item), id, sizeof(id));
	if (!rc && *id)
		rc = store_get(p->store, kind, NULL, id, &old);
	if (rc)
		goto out;
	if (!*id && kind == &sv_gpu_kind)
		snprintf(id, sizeof(id), "%s", catalog_name(item));
	else if (!*id)
		store_id(p->store, kind->prefix, id, sizeof(id));
	field_set_text(kind, obj, "id", id);
	rc = resolve_app(p, kind, obj);
	if (rc)
		goto out;
	if (old) {
		field_set_number(kind, obj, "version", field_number(kind, old, "version", 0));
		field_set_number(kind, obj, "created_at", field_number(kind, old, "created_at", 0));
		field_set_number(kind, obj, "updated_at", field_number(kind, old, "updated_at", 0));
	}
	defaults(p, c, kind, obj);
	if (!old || !equal(kind, obj, old))
		rc = store_put(p->store, kind, NULL, obj, platform_now(p));
out:
	sv_free(old);
	sv_free(obj);
	return rc;
}

struct sweep {
	struct platform *p;
	const struct catalog *c;
	const struct sv_kind *kind;
	int rc;
};

static int sweep_one(void *data, const char *account, void *obj)
{
	struct sweep *s = data;

	(void)account;
	if (catalog_find(s->c, s->kind, field_text(s->kind, obj, "name")))
		return 0;
	s->rc = store_drop(
		s->p->store, s->kind, field_text(s->kind, obj, "id"), platform_now(s->p));
	return s->rc;
}

int catalog_publish(struct platform *p, const struct catalog *c)
{
	const struct sv_kind *const kinds[] = { &sv_gpu_kind, &sv_image_kind, &sv_app_kind,
		&sv_model_kind, &sv_dataset_kind };
	int rc = capacity_open_table(p);

	/* In this order: an app names the id of its image. */
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct sweep s = { p, c, kinds[k], SV_OK };

		for (size_t i = 0; !rc && i < c->n; i++)
			if (c->items[i].kind == kinds[k])
				rc = put_item(p, c, &c->items[i]);
		if (!rc)
			rc = store_each(p->store, kinds[k], "", NULL, sweep_one, &s);
		if (!rc)
			rc = s.rc;
	}
	return rc;
}
