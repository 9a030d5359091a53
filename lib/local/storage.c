/* SPDX-License-Identifier: MIT */
/* Cloud storages: made, measured, deleted, and the keys by which S3 opens them. Their size is
 * billed from the second they are there until they are deleted. */
#include "local/storage.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "local/catalog.h"
#include "local/crud.h"
#include "local/instance-inside.h"

#define KEYS_MAX     100 /* pairs of one storage: the oldest give way */
#define ACCESS_CHARS 18
#define SECRET_CHARS 40

int storage_get(struct platform *p, const char *id, struct sv_storage **ret)
{
	void *obj = NULL;
	int rc = doc_get(p, &sv_storage_kind, id, &obj);

	*ret = obj;
	return rc;
}

int storage_dir(const struct platform *p, const char *id, char *buf, size_t size)
{
	if (!p->state_dir)
		return SV_NOTFOUND;
	return (size_t)snprintf(buf, size, "%s/storages/%s/data", p->state_dir, id) < size
		       ? SV_OK
		       : SV_INVALID;
}

static int per_month(const struct sv_storage *s, int64_t *ret)
{
	return sv_mul64(s->size_gib, s->price_per_gib_month, ret);
}

int64_t storage_price_per_month(struct platform *p, const char *id)
{
	struct sv_storage *s = NULL;
	int64_t price = 0;

	if (!storage_get(p, id, &s) && per_month(s, &price))
		price = 0;
	sv_free(s);
	return price;
}

static int meter(struct call *c, const struct sv_storage *s)
{
	struct meter m = { .account = c->account,
		.resource = s->id,
		.kind = "storage",
		.name = s->name,
		.labels = &s->labels };

	if (per_month(s, &m.rate_per_month))
		return sv_err_field(&c->err, "size_gib", "range", "is too large");
	return ledger_meter(c->p->ledger, &m, c->now);
}

static int make_dir(const char *path)
{
	return mkdir(path, 0700) && errno != EEXIST ? -1 : 0;
}

static int make_dirs(struct call *c, const char *id)
{
	const char *state = c->p->state_dir;
	char path[PATH_MAX];

	if (!state)
		return SV_OK;
	for (int i = 0; i < 4; i++) {
		static const char *const last[] = { "", "", "/work", "/data" };

		if ((size_t)snprintf(path, sizeof(path), "%s/storages%s%s%s", state, i ? "/" : "",
			    i ? id : "", last[i]) >= sizeof(path) ||
			make_dir(path))
			return sv_err_wire(&c->err, "unavailable", "%.300s: %s", path,
				strerrordesc_np(errno));
	}
	/* Whoever is inside an instance may enter; outside, the directories above are private. */
	return chmod(path, 0755) ? sv_err_wire(&c->err, "unavailable", "%.300s: %s", path,
					   strerrordesc_np(errno))
				 : SV_OK;
}

static int count(void *data, const char *account, void *obj)
{
	(void)account;
	(void)obj;
	++*(int64_t *)data;
	return 0;
}

static int check_size(struct call *c, int64_t gib)
{
	const struct catalog_settings *s = catalog_settings(c->p->catalog);
	struct balance b;
	int rc;

	if (s->storage_max_gib > 0 && gib > s->storage_max_gib)
		return sv_err_field(&c->err, "size_gib", "range", "must be at most %lld GiB",
			(long long)s->storage_max_gib);
	rc = ledger_account(c->p->ledger, c->account, c->now, &b);
	if (!rc && b.available <= 0) {
		rc = sv_err_wire(&c->err, "insufficient_balance", "the balance is used up");
		sv_err_hint(&c->err, "top the account up first");
	}
	return rc;
}

static int check_count(struct call *c)
{
	int64_t most = catalog_settings(c->p->catalog)->storages_max, n = 0;
	int rc = store_each(c->p->store, &sv_storage_kind, c->account, NULL, count, &n);

	if (!rc && most > 0 && n >= most)
		rc = sv_err_wire(&c->err, "quota_exceeded", "the account may have %lld storages",
			(long long)most);
	return rc;
}

int local_storage_create(struct call *c)
{
	const struct sv_storage_create_body *b = c->in;
	const char *wrong = doc_name_wrong(b->name);
	struct sv_storage *s = sv_new(&sv_storage_kind);
	char id[64];
	int rc = wrong ? sv_err_field(&c->err, "name", "value", "%s", wrong)
		       : check_size(c, b->size_gib);

	c->out = s;
	if (!s)
		return SV_NOMEM;
	if (!rc)
		rc = check_count(c);
	if (rc)
		return rc;
	store_id(c->p->store, "sto_", id, sizeof(id));
	doc_text(s, s, id, id);
	doc_text(s, s, name, b->name);
	doc_put(s, size_gib, b->size_gib);
	doc_put(s, price_per_gib_month, catalog_settings(c->p->catalog)->storage_price);
	sv_mark(s, labels);
	for (size_t k = 0; k < b->labels.n; k++)
		sv_map_set(s, &s->labels, b->labels.keys[k], b->labels.values[k]);
	rc = make_dirs(c, id);
	if (!rc)
		rc = meter(c, s);
	if (!rc)
		rc = store_put(c->p->store, &sv_storage_kind, c->account, s, c->now);
	return rc ? rc
		  : platform_event(c->p, c->account, "storage.created", c->account, id,
			    "%s: %lld GiB", s->name, (long long)s->size_gib);
}

static int check_shrink(struct call *c, const char *id, int64_t gib)
{
	int64_t used = storage_used(c->p, id);

	if (used < 0)
		return sv_err_field(&c->err, "size_gib", "range",
			"cannot become less: how much it holds is not known, since its files are "
			"too many or lie too deep");
	return used <= gib << 30 ? SV_OK
				 : sv_err_field(&c->err, "size_gib", "range",
					   "is less than what it holds");
}

int local_storage_update(struct call *c)
{
	const struct sv_storage *b = c->in;
	struct sv_storage *s = c->obj;
	int64_t before = s->size_gib;
	int rc = SV_OK;

	if (sv_has(b, size_gib) && b->size_gib > before)
		rc = check_size(c, b->size_gib);
	else if (sv_has(b, size_gib) && b->size_gib < before)
		rc = check_shrink(c, s->id, b->size_gib);
	if (!rc)
		rc = crud_update(c);
	return rc || s->size_gib == before ? rc : meter(c, s);
}

/* The first instance that mounts it, stopped ones too. */
static int check_unmounted(struct call *c, const struct sv_storage *s)
{
	sqlite3_stmt *st = store_stmt(c->p->store,
		"SELECT id FROM doc WHERE kind = 'instance' AND account = ?1 AND gone = 0"
		" AND instr(doc, ?2)");
	char id[64];
	int rc = SV_OK;

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, c->account, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, s->id, -1, SQLITE_STATIC);
	while (!rc && sqlite3_step(st) == SQLITE_ROW) {
		struct sv_instance *i = NULL;

		snprintf(id, sizeof(id), "%s", (const char *)sqlite3_column_text(st, 0));
		rc = instance_get(c->p, id, &i);
		if (!rc && mount_of(i, s->id)) {
			rc = sv_err_wire(&c->err, "invalid_state", "%s is mounted by instance %s",
				s->name, i->name);
			sv_err_hint(&c->err, "release %s first", i->id);
		}
		sv_free(i);
	}
	sqlite3_reset(st);
	return rc;
}

static int drop_keys(struct platform *p, const char *storage, int64_t keep)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"DELETE FROM s3_key WHERE storage = ?1 AND seq NOT IN"
		" (SELECT seq FROM s3_key WHERE storage = ?1 ORDER BY seq DESC LIMIT ?2)");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, storage, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 2, keep);
	return store_run(p->store, st);
}

int local_storage_delete(struct call *c)
{
	struct sv_storage *s = c->obj;
	int rc = check_unmounted(c, s);

	if (!rc)
		rc = ledger_close(c->p->ledger, s->id, "storage", c->now);
	if (!rc)
		rc = drop_keys(c->p, s->id, 0);
	c->p->sweep = 1;
	return rc ? rc : crud_delete(c);
}

static int keep_key(struct call *c, const char *access, const char *secret)
{
	sqlite3_stmt *st = store_stmt(c->p->store,
		"INSERT INTO s3_key(access, secret, storage, account) VALUES(?, ?, ?, ?)");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, access, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, secret, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, c->id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 4, c->account, -1, SQLITE_STATIC);
	return store_run(c->p->store, st);
}

static const char *endpoint_of(const struct platform *p, char *buf, size_t size)
{
	snprintf(buf, size, "http://127.0.0.1:%d", p->s3_port);
	return p->s3_port ? buf : NULL;
}

int local_storage_credentials(struct call *c)
{
	struct sv_storage_credentials *k = sv_new(&sv_storage_credentials_kind);
	const struct sv_storage *s = c->obj;
	char access[ACCESS_CHARS + 3] = "sv", secret[SECRET_CHARS + 1], url[64];
	int rc;

	c->out = k;
	if (!k)
		return SV_NOMEM;
	store_random(c->p->store, access + 2, ACCESS_CHARS);
	store_random(c->p->store, secret, SECRET_CHARS);
	rc = keep_key(c, access, secret);
	if (!rc)
		rc = drop_keys(c->p, s->id, KEYS_MAX);
	doc_text(k, k, access_key, access);
	doc_text(k, k, secret_key, secret);
	doc_text(k, k, region, STORAGE_REGION);
	doc_text(k, k, endpoint, endpoint_of(c->p, url, sizeof(url)));
	doc_text(k, k, bucket, s->id); /* its name is good too, until it has another */
	return rc ? rc
		  : platform_event(c->p, c->account, "storage.credentials", c->account, s->id,
			    "a key pair %s was made", access);
}

void local_storage_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_storage *s = obj;
	int64_t used = storage_used(p, s->id);
	char url[64];

	(void)account;
	(void)now;
	doc_text(s, s, endpoint, endpoint_of(p, url, sizeof(url)));
	if (used < 0)
		doc_null(s, used_bytes);
	else
		doc_put(s, used_bytes, used);
}

static void swept(void *data, const struct engine_result *r)
{
	if (r->code)
		platform_log(data, "a storage's directory cannot be removed: %s", r->message);
}

void storage_sweep(struct platform *p)
{
	char path[PATH_MAX];
	struct dirent *n;
	DIR *d;

	if (!p->sweep || !p->state_dir)
		return;
	p->sweep = 0;
	snprintf(path, sizeof(path), "%s/storages", p->state_dir);
	d = opendir(path);
	while (d && (n = readdir(d))) {
		if (strncmp(n->d_name, "sto_", 4) != 0 ||
			store_version(p->store, n->d_name) >= 0)
			continue;
		snprintf(path, sizeof(path), "%s/storages/%s", p->state_dir, n->d_name);
		p->ops->tree_drop(p->engine, path, swept, p);
	}
	if (d)
		closedir(d);
}
