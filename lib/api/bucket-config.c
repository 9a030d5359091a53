/* SPDX-License-Identifier: MIT */
/* Storages of the configuration's own: storages.NAME. */
#include <stdio.h>
#include <string.h>

#include "api/bucket.h"
#include "api/config.h"
#include "base/err.h"
#include "base/limits.h"
#include "kinds/kinds.h"
#include "model/yaml.h"

static int decode(const struct sv_yaml *y, const struct sv_node *n, struct sv_bucket_site **ret,
	struct sv_error *err)
{
	struct sv_bucket_site *site;
	const struct sv_node *literal = sv_node_get(n, "secret_key");
	int r;

	if (n->type != SV_NODE_MAP)
		return sv_node_err(y, n, err, "%s: must be a map", n->key);
	if (literal) {
		sv_node_err(y, literal, err, "secret_key does not belong into this file");
		sv_err_hint(err, "secret_key_command names a program that prints it");
		return SV_INVALID;
	}
	site = sv_bucket_site_new();
	if (!site)
		return sv_err(err, SV_NOMEM, "out of memory");
	r = sv_node_decode(y, n, &sv_bucket_site_kind, site, site, NULL, err);
	if (r)
		sv_free(site);
	else
		*ret = site;
	return r;
}

static int find(const struct sv_yaml *y, const char *name, struct sv_bucket_site **ret,
	struct sv_error *err)
{
	const struct sv_node *n = y->n ? sv_node_get(y->docs[0], "storages") : NULL;

	if (n && n->type == SV_NODE_SCALAR && *n->text)
		return sv_node_err(y, n, err, "storages: must be a map");
	n = n && n->type == SV_NODE_MAP ? sv_node_get(n, name) : NULL;
	return n ? decode(y, n, ret, err) : SV_NOTFOUND;
}

static int as_config(struct sv_error *err, int r)
{
	char text[sizeof(err->message)], hint[sizeof(err->suggestion)];

	if (r != SV_INVALID)
		return r;
	snprintf(text, sizeof(text), "%s", err->message);
	snprintf(hint, sizeof(hint), "%s", err->suggestion);
	sv_err(err, SV_CONFIG, "%s", text);
	if (*hint)
		sv_err_hint(err, "%s", hint);
	return SV_CONFIG;
}

int sv_bucket_configured(sv_client *c, const char *name, sv_bucket **ret)
{
	const char *file = c->config->config_file;
	struct sv_bucket_site *site = NULL;
	struct sv_yaml y = { .name = NULL };
	struct sv_buf text;
	int r;

	if (!file)
		return SV_NOTFOUND;
	sv_buf_init(&text, SV_MAX_FILE);
	r = sv_file_read(file, 0, &text, &c->error);
	if (!r)
		r = sv_yaml_read(&y, file, sv_buf_text(&text), text.len, &c->error);
	if (!r)
		r = find(&y, name, &site, &c->error);
	r = as_config(&c->error, r);
	if (!r)
		r = sv_bucket_open_at(c, site, ret);
	sv_free(site);
	if (y.arena)
		sv_yaml_free(&y);
	sv_buf_free(&text);
	return r;
}
