/* SPDX-License-Identifier: MIT */
/* What a create body asks for, in names or ids, as something that has a price. Nothing is made. */
#include <stdio.h>
#include <string.h>

#include <starverse/app.h>
#include <starverse/disk.h>
#include <starverse/snapshot.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/catalog.h"
#include "local/platform.h"
#include "local/quote.h"
#include "local/storage.h"

/* The id of what is called so, by id or by a name that only one has. */
static int find(struct platform *p, const struct sv_kind *kind, const char *account,
	const char *word, const char *field, char *id, size_t size, struct sv_error *err)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"SELECT id FROM doc WHERE kind = ?1 AND account IN ('', ?2) AND gone = 0"
		" AND (id = ?3 OR name = ?3) ORDER BY id <> ?3 LIMIT 2");
	int n = 0, rc;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, kind->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, account, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, word, -1, SQLITE_STATIC);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && !(n == 1 && !strcmp(id, word)))
		if (!n++)
			snprintf(id, size, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_reset(st);
	if (n == 1)
		return SV_OK;
	rc = n ? sv_err(err, SV_CONFLICT, "%s: more than one %s is called %s", field, kind->name,
			 word)
	       : sv_err(err, SV_NOTFOUND, "%s: there is no %s %s", field, kind->name, word);
	sv_err_field(err, field, err->wire, "%s", err->message);
	return rc;
}

static int read_one(struct platform *p, const struct sv_kind *kind, const char *account,
	const char *word, const char *field, void **ret, struct sv_error *err)
{
	char id[80] = "";
	int rc = find(p, kind, account, word, field, id, sizeof(id), err);

	return rc ? rc : store_get(p->store, kind, account, id, ret);
}

/* What comes from an app or a snapshot lives as long as the asking. */
struct source {
	struct sv_app *app;
	struct sv_snapshot *snapshot;
	char image[80];
};

static int read_source(struct platform *p, const char *account,
	const struct sv_instance_create_body *b, struct source *s, struct sv_error *err)
{
	int rc;

	if (b->app) {
		rc = read_one(p, &sv_app_kind, account, b->app, "app", (void **)&s->app, err);
		if (!rc)
			snprintf(s->image, sizeof(s->image), "%s", s->app->image);
		return rc;
	}
	if (b->image)
		return find(p, &sv_image_kind, account, b->image, "image", s->image,
			sizeof(s->image), err);
	return b->snapshot ? read_one(p, &sv_snapshot_kind, account, b->snapshot, "snapshot",
				     (void **)&s->snapshot, err)
			   : SV_OK;
}

static int add_disks(struct platform *p, const char *account,
	const struct sv_instance_create_body *b, struct quote_ask *ask, struct sv_error *err)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < b->disks.n; i++) {
		const struct sv_disk_mount *m = b->disks.v[i];
		struct sv_disk *d = NULL;
		int64_t price;

		rc = read_one(p, &sv_disk_kind, account, m->disk, "disks", (void **)&d, err);
		if (!rc &&
			(sv_mul64(d->price_per_gib_month, d->size_gib, &price) ||
				sv_add64(ask->existing_per_month, price, &ask->existing_per_month)))
			rc = sv_err(err, SV_INVALID, "the price is too large");
		sv_free(d);
	}
	return rc;
}

static int add_storages(struct platform *p, const char *account,
	const struct sv_instance_create_body *b, struct quote_ask *ask, struct sv_error *err)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < b->storages.n; i++) {
		const struct sv_storage_mount *m = b->storages.v[i];
		char id[80] = "";

		rc = find(
			p, &sv_storage_kind, account, m->storage, "storages", id, sizeof(id), err);
		if (!rc)
			ask->storage_per_month += storage_price_per_month(p, id);
	}
	return rc;
}

static int64_t system_size(
	struct platform *p, const struct sv_instance_create_body *b, const struct source *s)
{
	int64_t usual = catalog_settings(p->catalog)->system_disk_gib;

	if (b->system_disk_gib)
		return b->system_disk_gib;
	if (s->app && s->app->disk_gib)
		return s->app->disk_gib;
	return s->snapshot && s->snapshot->size_gib > usual ? s->snapshot->size_gib : usual;
}

int quote_create(struct platform *p, const char *account, const struct sv_instance_create_body *b,
	int check, struct quote *ret, struct sv_error *err)
{
	struct quote_ask ask = {
		.account = account, .max_price_per_hour = -1, .max_cost = -1, .check = check
	};
	struct source s = { .image = "" };
	int rc = read_source(p, account, b, &s, err);

	if (rc)
		goto out;
	ask.gpu = b->gpu ? b->gpu : s.app ? s.app->gpu : NULL;
	ask.gpu_count = b->gpu_count                           ? b->gpu_count
			: !b->gpu && s.app && s.app->gpu_count ? s.app->gpu_count
							       : 1;
	ask.backend = b->backend;
	ask.image = *s.image ? s.image : NULL;
	ask.system_disk_gib = system_size(p, b, &s);
	if (sv_has(b, max_price_per_hour) && !sv_is_null(b, max_price_per_hour))
		ask.max_price_per_hour = b->max_price_per_hour;
	if (b->auto_stop && sv_has(b->auto_stop, max_cost) && !sv_is_null(b->auto_stop, max_cost))
		ask.max_cost = b->auto_stop->max_cost;
	if (!ask.gpu) {
		rc = sv_err_field(err, "gpu", "required", "is needed");
		goto out;
	}
	rc = add_disks(p, account, b, &ask, err);
	if (!rc)
		rc = add_storages(p, account, b, &ask, err);
	if (!rc)
		rc = quote_ask(p, &ask, ret, err);
out:
	sv_free(s.app);
	sv_free(s.snapshot);
	return rc;
}
