/* SPDX-License-Identifier: MIT */
/* What the rows of a catalogue cannot say: what must be there, refer to something, or be above 0.
 */
#include <string.h>
#include <sys/stat.h>

#include <starverse/app.h>
#include <starverse/gpu.h>
#include <starverse/image.h>

#include "base/str.h"
#include "kinds/kinds.h"
#include "local/catalog-inside.h"
#include "local/field.h"
#include "local/pack.h"
#include "model/kind.h"

struct checker {
	const struct catalog *c;
	const struct sv_yaml *y;
	const struct catalog_item *item;
	struct sv_error *err;
};

/* The place of a member where it stands, else of the item. */
static const struct sv_node *place(const struct checker *k, const char *key)
{
	const struct sv_node *n = sv_node_get(k->item->node, key);

	return n ? n : k->item->node;
}

static int needed(const struct checker *k, const char *key)
{
	const struct sv_field *f = sv_field_find(k->item->kind, key);

	if (f && sv_field_has(f, k->item->obj) && !sv_field_is_null(f, k->item->obj))
		return SV_OK;
	return sv_node_err(k->y, k->item->node, k->err, "%s is missing", key);
}

static int least(const struct checker *k, const char *key, int64_t value, int64_t min)
{
	return value >= min ? SV_OK
			    : sv_node_err(k->y, place(k, key), k->err, "%s must be at least %lld",
				      key, (long long)min);
}

static int backends(const struct checker *k, const struct sv_strs *all)
{
	const struct sv_field *f = sv_field_find(&sv_instance_kind, "backend");

	if (!all->n)
		return sv_node_err(k->y, place(k, "backends"), k->err, "backends are missing");
	for (size_t i = 0; i < all->n; i++)
		if (f && f->words && !sv_word_known(f->words, all->v[i]))
			return sv_node_err(k->y, place(k, "backends"), k->err,
				"unknown backend %s; known: cuda rocm tpu ascend gcu mlu",
				all->v[i]);
	return SV_OK;
}

/* Names become names of folders and ids. */
static int safe(const struct checker *k, const char *key, const char *name)
{
	int dots = !strcmp(name, ".") || !strcmp(name, "..");

	for (const char *s = name; *s && !dots; s++)
		if (!sv_is_alnum(*s) && !strchr("._-", *s))
			dots = 1;
	return *name && !dots ? SV_OK
			      : sv_node_err(k->y, place(k, key), k->err,
					"%s may hold letters, digits, '.', '_' and '-' only", key);
}

static int check_gpu(const struct checker *k)
{
	static const char *const keys[] = { "vendor", "memory_gib", "max_count", "free",
		"unit_price_per_hour", "vcpus_per_card", "ram_gib_per_card" };
	const struct sv_gpu *g = k->item->obj;
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < sizeof(keys) / sizeof(keys[0]); i++)
		rc = needed(k, keys[i]);
	if (!rc)
		rc = safe(k, "name", g->name);
	if (!rc)
		rc = backends(k, &g->backends);
	if (!rc)
		rc = least(k, "max_count", g->max_count, 1);
	if (!rc)
		rc = least(k, "unit_price_per_hour", g->unit_price_per_hour, 0);
	if (!rc && g->promo)
		rc = least(k, "promo", g->promo->max_cards, 1);
	if (!rc && g->promo && g->promo->unit_price_per_hour > g->unit_price_per_hour)
		rc = sv_node_err(
			k->y, place(k, "promo"), k->err, "promo is dearer than the price itself");
	return rc;
}

static int refers(
	const struct checker *k, const char *key, const struct sv_kind *kind, const char *name)
{
	if (!name || catalog_find(k->c, kind, name))
		return SV_OK;
	return sv_node_err(k->y, place(k, key), k->err, "%s: there is no %s %s in this file", key,
		kind->name, name);
}

static int check_app(const struct checker *k)
{
	const struct sv_app *a = k->item->obj;
	int rc = needed(k, "image");

	if (!rc)
		rc = needed(k, "gpu");
	if (!rc)
		rc = refers(k, "image", &sv_image_kind, a->image);
	if (!rc)
		rc = refers(k, "gpu", &sv_gpu_kind, a->gpu);
	for (size_t i = 0; !rc && i < a->models.n; i++)
		rc = refers(k, "models", &sv_model_kind, a->models.v[i]);
	for (size_t i = 0; !rc && i < a->datasets.n; i++)
		rc = refers(k, "datasets", &sv_dataset_kind, a->datasets.v[i]);
	return rc;
}

static int built_in(const struct catalog_item *item)
{
	const char *name = catalog_name(item);
	size_t plural = strlen(item->kind->plural), len = strlen(name);

	for (const struct packed *f = packed; f->path; f++) {
		const char *s = f->path;

		if (!strncmp(s, "library/", 8) && !strncmp(s + 8, item->kind->plural, plural) &&
			!strncmp(s + 8 + plural + 1, name, len) && s[8 + plural + 1 + len] == '/')
			return 1;
	}
	return 0;
}

static int check_files(const struct checker *k)
{
	const char *source = k->item->source;
	struct stat st;
	int rc = safe(k, "name", catalog_name(k->item));

	if (rc)
		return rc;
	if (!source)
		return built_in(k->item) ? SV_OK
					 : sv_node_err(k->y, k->item->node, k->err,
						   "%s has no built-in files: give its folder as "
						   "path: /absolute/folder",
						   catalog_name(k->item));
	if (*source != '/')
		return sv_node_err(k->y, place(k, "path"), k->err, "path must be absolute");
	if (stat(source, &st) || !S_ISDIR(st.st_mode))
		return sv_node_err(k->y, place(k, "path"), k->err, "path: %s is no folder", source);
	return SV_OK;
}

static int unique(const struct checker *k)
{
	const struct catalog_item *first = catalog_find(k->c, k->item->kind, catalog_name(k->item));

	return first == k->item
		       ? SV_OK
		       : sv_node_err(k->y, k->item->node, k->err,
				 "%s %s stands twice, first in line %d", k->item->kind->name,
				 catalog_name(k->item), first->node->line);
}

int catalog_check(const struct catalog *c, const struct sv_yaml *y, struct sv_error *err)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < c->n; i++) {
		struct checker k = { c, y, &c->items[i], err };
		const struct sv_kind *kind = k.item->kind;

		rc = needed(&k, "name");
		if (!rc)
			rc = unique(&k);
		if (rc)
			return rc;
		if (kind == &sv_gpu_kind)
			rc = check_gpu(&k);
		else if (kind == &sv_image_kind)
			rc = backends(&k, &((const struct sv_image *)k.item->obj)->backends);
		else if (kind == &sv_app_kind)
			rc = check_app(&k);
		else
			rc = check_files(&k);
	}
	return rc;
}
