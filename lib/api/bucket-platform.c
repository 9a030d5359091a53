/* SPDX-License-Identifier: MIT */
/* The platform's own storages: found by name, entered with a key pair that is asked for once and
 * kept, each in a file of its own that nobody else may read. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <starverse/storage.h>

#include "api/bucket.h"
#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "kinds/kinds.h"
#include "model/json.h"

/* Ids are never used twice, so one names the platform, too. NULL: nothing can be kept. */
static char *key_file(const sv_client *c, const char *id)
{
	struct sv_buf b;
	char *path = NULL;

	if (!c->config->state_dir || strchr(id, '/'))
		return NULL;
	sv_buf_init(&b, 4096);
	sv_buf_fmt(&b, "%s/storage-keys", c->config->state_dir);
	if (!b.failed && !sv_dir_make(b.data)) {
		sv_buf_fmt(&b, "/%s.json", id);
		path = sv_buf_take(&b);
	}
	sv_buf_free(&b);
	return path;
}

/* A root of a site, or NULL: it is asked for. */
static struct sv_bucket_site *kept(const char *path)
{
	struct sv_buf b;
	void *site = NULL;

	if (!path)
		return NULL;
	sv_buf_init(&b, SV_MAX_FILE);
	if (!sv_file_read(path, 1, &b, NULL))
		sv_from_json(&sv_bucket_site_kind, sv_buf_text(&b), b.len, &site, NULL);
	if (b.data)
		explicit_bzero(b.data, b.cap);
	sv_buf_free(&b);
	return site;
}

static int replace(void *data, struct sv_buf *text, struct sv_error *err)
{
	(void)err;
	sv_buf_reset(text);
	return sv_write_json(text, &sv_bucket_site_kind, data, SV_WALK_WIRE, 0);
}

static struct sv_bucket_site *site_of(const struct sv_storage_credentials *pair)
{
	struct sv_bucket_site *site = sv_bucket_site_new();

	if (!site)
		return NULL;
	sv_put(site, endpoint, sv_strdup_in(site, pair->endpoint));
	sv_put(site, region, sv_strdup_in(site, pair->region));
	sv_put(site, bucket, sv_strdup_in(site, pair->bucket));
	sv_put(site, access_key, sv_strdup_in(site, pair->access_key));
	sv_put(site, secret_key, sv_strdup_in(site, pair->secret_key));
	return site;
}

static int ask(sv_client *c, const char *id, const char *path, struct sv_bucket_site **ret)
{
	struct sv_storage_credentials *pair = NULL;
	int r = sv_storage_credentials(c, id, &pair);

	if (r)
		return r;
	*ret = site_of(pair);
	sv_free(pair);
	if (!*ret)
		return sv_err(&c->error, SV_NOMEM, "out of memory");
	/* Where it cannot be kept the next one is asked for, that is all. */
	if (path)
		sv_file_edit(path, 0600, replace, *ret, NULL);
	return SV_OK;
}

static int open_storage(sv_client *c, const struct sv_storage *s, sv_bucket **ret)
{
	char *path = key_file(c, s->id);
	struct sv_bucket_site *site = kept(path);
	int r = site ? SV_OK : ask(c, s->id, path, &site);

	/* The service may have moved since. */
	if (!r && s->endpoint && *s->endpoint)
		sv_put(site, endpoint, sv_strdup_in(site, s->endpoint));
	if (!r)
		r = sv_bucket_open_at(c, site, ret);
	if (!r)
		(*ret)->key_file = path;
	else
		sv_mfree(path);
	sv_free(site);
	return r;
}

int sv_bucket_of_platform(sv_client *c, const char *name, sv_bucket **ret)
{
	void *found = NULL;
	const struct sv_storage *s;
	int r = sv_resolve(c, &sv_storage_kind, name, &found);

	if (r)
		return r;
	s = found;
	if (!s->id || !*s->id)
		r = sv_err(&c->error, SV_PROTO, "the storage has no id");
	else if (sv_has(s, endpoint) && sv_is_null(s, endpoint))
		r = sv_err(&c->error, SV_UNSUPPORTED, "%s is not reached by S3", name);
	else
		r = open_storage(c, s, ret);
	sv_free(found);
	return r;
}
