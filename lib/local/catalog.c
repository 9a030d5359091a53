/* SPDX-License-Identifier: MIT */
/* Reads the catalogue's file by rows: settings and five lists. */
#include "local/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <starverse/dataset.h>
#include <starverse/gpu.h>
#include <starverse/model.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/limits.h"
#include "kinds/kinds.h"
#include "local/catalog-inside.h"
#include "local/field.h"
#include "local/pack.h"
#include "model/kind.h"

#define JOB_LOG_MAX ((int64_t)256 << 20)

#define S(m, t, hlp) SV_FIELD(struct catalog_settings, m, t, hlp, SV_CREATE)
static const struct sv_field rows[] = {
	S(zone, STR, "where everything is said to be"),
	S(trial_credit, MONEY, "given on registering"),
	S(trial_credit_seconds, SECONDS, "until it expires, null for never"),
	S(no_gpu_price_per_hour, MONEY, "of an instance that is started without cards"),
	S(no_gpu_vcpus, INT, "its processors"),
	S(no_gpu_ram_gib, GIB, "its memory"),
	S(system_disk_price, MONEY, "per GiB beyond system_disk_gib and month"),
	S(data_disk_price, MONEY, "per GiB and month"),
	S(storage_price, MONEY, "per GiB and month"),
	S(snapshot_price, MONEY, "per GiB and month"),
	S(system_disk_gib, GIB, "when a create body does not say; so much is not billed"),
	S(disk_max_gib, GIB, "most of one disk"),
	S(instances_max, INT, "most of one account"),
	S(gpus_max, INT, "most cards of one account"),
	S(disks_max, INT, "most data disks of one account"),
	S(storage_max_gib, GIB, "most of one storage"),
	S(storages_max, INT, "most storages of one account"),
	S(disk_retention_seconds, SECONDS, "how long disks are kept when the balance is used up"),
	S(job_log_max_bytes, BYTES, "most that the log of one job keeps, 0 for no ceiling"),
};
SV_KIND(catalog_settings_kind, struct catalog_settings, "settings", "what is no resource", rows,
	.plural = NULL);

#define V(m, t, hlp) SV_FIELD(struct catalog_voucher, m, t, hlp, SV_CREATE)
static const struct sv_field voucher_rows[] = {
	V(code, STR, "what is redeemed"),
	V(name, STR, "what it is called, the code if not given"),
	V(amount, MONEY, "what it is worth"),
	V(expires_at, TIME, "when the code and its credit end, null for never"),
	V(valid_seconds, SECONDS, "how long its credit lasts, null for no limit of its own"),
	V(gpus, STRS, "the cards it pays for, empty for all"),
	V(kinds, STRS, "what it pays for, empty for everything"),
};
SV_KIND(catalog_voucher_kind, struct catalog_voucher, "voucher", "a code and its credit",
	voucher_rows, .plural = NULL);

/* The file's lists. */
static const struct {
	const char *key;
	const struct sv_kind *kind;
} lists[] = {
	{ "gpus", &sv_gpu_kind },
	{ "images", &sv_image_kind },
	{ "apps", &sv_app_kind },
	{ "models", &sv_model_kind },
	{ "datasets", &sv_dataset_kind },
};
#define N_LISTS (sizeof(lists) / sizeof(lists[0]))

/* What the platform says, never the file. */
static const char *const ours[] = { "id", "status", "visibility", "availability", "source_instance",
	"operation_id", "created_at", "updated_at", "version" };

const char *catalog_name(const struct catalog_item *item)
{
	return field_text(item->kind, item->obj, "name");
}

struct catalog_item *catalog_find(
	const struct catalog *c, const struct sv_kind *kind, const char *name)
{
	for (size_t i = 0; name && i < c->n; i++)
		if (c->items[i].kind == kind && catalog_name(&c->items[i]) &&
			!strcmp(catalog_name(&c->items[i]), name))
			return &c->items[i];
	return NULL;
}

static int add_item(struct catalog *c, const struct catalog_item *item)
{
	size_t cap = c->cap ? c->cap * 2 : 32;
	struct catalog_item *items;

	if (c->n == c->cap) {
		items = sv_realloc(c->items, cap * sizeof(*items));
		if (!items)
			return SV_NOMEM;
		c->items = items;
		c->cap = cap;
	}
	c->items[c->n++] = *item;
	return SV_OK;
}

static int refuse_ours(const struct sv_yaml *y, const struct sv_node *n, struct sv_error *err)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		const struct sv_node *bad = sv_node_get(n, ours[i]);

		if (bad)
			return sv_node_err(y, bad, err,
				"%s is said by the platform, not by the file", ours[i]);
	}
	return SV_OK;
}

/* An offer's id is its name; a folder of the user's becomes a place inside /library. */
static int complete(struct catalog_item *item)
{
	const char *plural = item->kind->plural, *name;
	struct sv_gpu *gpu = item->obj;
	char path[300];

	if (item->kind == &sv_gpu_kind) {
		field_set_text(item->kind, gpu, "id", gpu->name);
		return SV_OK;
	}
	if (item->kind != &sv_model_kind && item->kind != &sv_dataset_kind)
		return SV_OK;
	name = catalog_name(item);
	item->source = field_text(item->kind, item->obj, "path");
	snprintf(path, sizeof(path), "/library/%s/%s", plural, name ? name : "");
	name = sv_strdup_in(item->obj, path);
	field_set_text(item->kind, item->obj, "path", name);
	return name ? SV_OK : SV_NOMEM;
}

static int read_list(struct catalog *c, const struct sv_yaml *y, const struct sv_node *list,
	const struct sv_kind *kind, struct sv_error *err)
{
	int rc = list->type == SV_NODE_LIST
			 ? SV_OK
			 : sv_node_err(y, list, err, "%s must be a list", list->key);

	for (const struct sv_node *n = rc ? NULL : list->child; !rc && n; n = n->next) {
		struct catalog_item item = { .kind = kind, .obj = sv_new(kind), .node = n };

		rc = item.obj ? add_item(c, &item) : SV_NOMEM;
		if (rc) {
			sv_free(item.obj);
			return sv_err(err, rc, "out of memory");
		}
		rc = sv_node_decode(y, n, kind, item.obj, item.obj, NULL, err);
		if (!rc)
			rc = refuse_ours(y, n, err);
		if (!rc && complete(&c->items[c->n - 1]))
			rc = sv_err(err, SV_NOMEM, "out of memory");
	}
	return rc;
}

static int read_settings(
	struct catalog *c, const struct sv_yaml *y, const struct sv_node *n, struct sv_error *err)
{
	struct catalog_settings *s = c->settings;
	const struct sv_node *credit = n ? sv_node_get(n, "trial_credit_seconds") : NULL;
	int rc;

	if (!n)
		return sv_err(err, SV_INVALID, "%s: settings are missing", y->name);
	sv_put(s, job_log_max_bytes, JOB_LOG_MAX); /* which files of before do not say */
	rc = sv_node_decode(y, n, &catalog_settings_kind, s, s, NULL, err);
	for (size_t i = 0; !rc && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!sv_field_has(&rows[i], s))
			rc = sv_node_err(y, n, err, "%s is missing", rows[i].name);
	if (!rc &&
		sv_field_is_null(sv_field_find(&catalog_settings_kind, "trial_credit_seconds"), s))
		s->trial_credit_seconds = -1;
	else if (!rc && !s->trial_credit_seconds)
		rc = sv_node_err(y, credit, err, "trial_credit_seconds must be above 0, or null");
	return rc;
}

static int check_voucher(const struct catalog *c, const struct sv_yaml *y, const struct sv_node *n,
	const struct catalog_voucher *v, struct sv_error *err)
{
	const struct sv_field *kind = sv_field_find(&sv_usage_kind, "kind");

	if (!v->code || !*v->code)
		return sv_node_err(y, n, err, "code is missing");
	if (v->amount <= 0)
		return sv_node_err(y, n, err, "amount must be above 0");
	for (size_t i = 0; i < v->gpus.n; i++)
		if (!catalog_find(c, &sv_gpu_kind, v->gpus.v[i]))
			return sv_node_err(y, n, err, "gpus: there is no gpu %s in this file",
				v->gpus.v[i]);
	for (size_t i = 0; i < v->kinds.n; i++)
		if (!sv_word_known(kind->words, v->kinds.v[i]))
			return sv_node_err(y, n, err, "kinds: nothing of kind %s is metered",
				v->kinds.v[i]);
	return SV_OK;
}

/* After the offers, which they name. */
static int read_vouchers(struct catalog *c, const struct sv_yaml *y, const struct sv_node *list,
	struct sv_error *err)
{
	int rc = SV_OK;

	if (list && list->type != SV_NODE_LIST)
		return sv_node_err(y, list, err, "%s must be a list", list->key);
	for (const struct sv_node *n = list ? list->child : NULL; !rc && n; n = n->next) {
		struct catalog_voucher *v = sv_new_in(c->settings, &catalog_voucher_kind);

		rc = v ? sv_list_add(c->settings, &c->settings->vouchers, v) : SV_NOMEM;
		if (rc)
			return sv_err(err, SV_NOMEM, "out of memory");
		rc = sv_node_decode(y, n, &catalog_voucher_kind, c->settings, v, NULL, err);
		if (!rc)
			rc = check_voucher(c, y, n, v, err);
		if (!v->name)
			v->name = v->code;
	}
	return rc;
}

static int read_doc(struct catalog *c, const struct sv_yaml *y, struct sv_error *err)
{
	struct sv_node *top = y->n ? y->docs[0] : NULL;
	int rc = SV_OK;

	if (y->n != 1 || top->type != SV_NODE_MAP)
		return sv_err(err, SV_INVALID, "%s: one document with settings and lists is needed",
			y->name);
	for (const struct sv_node *n = top->child; !rc && n; n = n->next) {
		size_t i = 0;

		while (i < N_LISTS && strcmp(lists[i].key, n->key) != 0)
			i++;
		if (i < N_LISTS)
			rc = read_list(c, y, n, lists[i].kind, err);
		else if (strcmp(n->key, "settings") != 0 && strcmp(n->key, "vouchers") != 0)
			rc = sv_node_err(y, n, err,
				"unknown key %s; possible: settings gpus images apps models "
				"datasets vouchers",
				n->key);
	}
	if (!rc)
		rc = read_settings(c, y, sv_node_get(top, "settings"), err);
	if (!rc)
		rc = read_vouchers(c, y, sv_node_get(top, "vouchers"), err);
	return rc ? rc : catalog_check(c, y, err);
}

static int read_file(const char *path, struct sv_buf *b, struct sv_error *err)
{
	char chunk[8192];
	FILE *f = fopen(path, "re");
	size_t got;
	int bad;

	if (!f)
		return sv_err(err, errno == ENOENT ? SV_NOTFOUND : SV_IO, "%s: %s", path,
			errno == ENOENT ? "no such file" : "cannot be read");
	while ((got = fread(chunk, 1, sizeof(chunk), f)) > 0 && !b->failed)
		sv_buf_add(b, chunk, got);
	bad = ferror(f);
	fclose(f);
	if (b->failed)
		return sv_err(err, SV_INVALID, "%s: larger than %zu bytes", path, SV_MAX_FILE);
	return bad ? sv_err(err, SV_IO, "%s: cannot be read", path) : SV_OK;
}

const char *catalog_text(void)
{
	for (const struct packed *f = packed; f->path; f++)
		if (!strcmp(f->path, "catalog.yaml"))
			return (const char *)f->data;
	return "";
}

static int read_text(struct catalog *c, const char *path, struct sv_error *err)
{
	struct sv_yaml y = { 0 };
	struct sv_buf b;
	int rc = SV_OK;

	sv_buf_init(&b, SV_MAX_FILE);
	if (path)
		rc = read_file(path, &b, err);
	else
		sv_buf_str(&b, catalog_text());
	if (!rc) {
		rc = sv_yaml_read(&y, path ? path : "catalog.yaml", sv_buf_text(&b), b.len, err);
		if (!rc)
			rc = read_doc(c, &y, err);
		sv_yaml_free(&y);
	}
	sv_buf_free(&b);
	return rc;
}

int catalog_read(const char *path, struct catalog **ret, char *message, size_t size)
{
	struct catalog *c = sv_malloc(sizeof(*c));
	struct sv_error err;
	int rc;

	sv_err_clear(&err);
	if (!c)
		return SV_NOMEM;
	*c = (struct catalog){ .settings = sv_new(&catalog_settings_kind) };
	rc = c->settings ? read_text(c, path, &err) : sv_err(&err, SV_NOMEM, "out of memory");
	if (rc) {
		snprintf(message, size, "%s", err.message);
		catalog_free(c);
		return rc;
	}
	/* The nodes are gone with the file. */
	for (size_t i = 0; i < c->n; i++)
		c->items[i].node = NULL;
	*ret = c;
	return SV_OK;
}

void catalog_free(struct catalog *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++)
		sv_free(c->items[i].obj);
	sv_mfree(c->items);
	sv_free(c->settings);
	sv_mfree(c->library);
	sv_mfree(c);
}

const struct catalog_settings *catalog_settings(const struct catalog *c)
{
	return c->settings;
}

int64_t catalog_billed_gib(const struct catalog *c, int64_t system_disk_gib)
{
	int64_t included = catalog_settings(c)->system_disk_gib;

	return system_disk_gib > included ? system_disk_gib - included : 0;
}

int64_t catalog_cards(const struct catalog *c, const char *gpu)
{
	const struct catalog_item *item = c ? catalog_find(c, &sv_gpu_kind, gpu) : NULL;

	return item ? ((const struct sv_gpu *)item->obj)->free : -1;
}

const char *catalog_own(const struct catalog *c, size_t i, const char **path)
{
	for (size_t k = 0; c && k < c->n; k++)
		if (c->items[k].source && !i--) {
			*path = field_text(c->items[k].kind, c->items[k].obj, "path");
			return c->items[k].source;
		}
	return NULL;
}
