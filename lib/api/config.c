/* SPDX-License-Identifier: MIT */
/* struct sv_config: making, copying, defaults, where a setting came from. */
#include "api/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/kind.h"
#include "net/endpoint.h"

#define MOST_SECONDS INT64_C(2678400) /* 31 days */
#define MOST_RETRIES 100

struct sv_config *sv_config_new(void)
{
	struct sv_config_full *full = sv_root_new(sv_kind_config(), sizeof(*full));

	return full ? &full->now : NULL;
}

static size_t member_size(const struct sv_field *f)
{
	switch ((enum sv_type)f->type) {
	case SV_BOOL: return sizeof(int);
	case SV_STRS: return sizeof(struct sv_strs);
	default: return sizeof(int64_t);
	}
}

static int copy_member(struct sv_config *to, const struct sv_field *f, const struct sv_config *from)
{
	const char *const *text = sv_member(f, from);
	const struct sv_strs *list = sv_member(f, from);
	int r = SV_OK;

	if (f->type == SV_STR && *text) {
		const char *copy = sv_strdup_in(to, *text);

		memcpy(sv_member(f, to), &copy, sizeof(copy));
		r = copy ? SV_OK : SV_NOMEM;
	} else if (f->type == SV_STRS) {
		for (size_t i = 0; !r && i < list->n; i++)
			r = sv_strs_add(to, sv_member(f, to), list->v[i]);
	} else if (f->type != SV_STR) {
		memcpy(sv_member(f, to), sv_member(f, from), member_size(f));
	}
	return r;
}

struct sv_config *sv_config_copy(const struct sv_config *from)
{
	const struct sv_kind *kind = sv_kind_config();
	struct sv_config *to = sv_config_new();
	int r = to ? SV_OK : SV_NOMEM;

	for (uint32_t i = 0; !r && i < kind->n; i++) {
		r = copy_member(to, &kind->fields[i], from);
		if (!r)
			r = sv_config_from(to, &kind->fields[i], "%s",
				sv_config_origin(from, kind->fields[i].name));
	}
	if (r) {
		sv_free(to);
		return NULL;
	}
	to->set = from->set;
	sv_config_full(to)->loaded = *to;
	return to;
}

int sv_config_from(struct sv_config *c, const struct sv_field *f, const char *fmt, ...)
{
	size_t at = (size_t)(f - sv_kind_config()->fields);
	char text[512];
	va_list ap;

	if (at >= SV_CONFIG_ROWS)
		return SV_OK;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	sv_config_full(c)->origin[at] = sv_strdup_in(c, text);
	return sv_config_full(c)->origin[at] ? SV_OK : SV_NOMEM;
}

const char *sv_config_origin(const struct sv_config *config, const char *name)
{
	const struct sv_kind *kind = sv_kind_config();
	const struct sv_field *f = sv_field_find(kind, name);
	const struct sv_config_full *full = sv_config_full(config);
	const char *origin;

	if (!f || f - kind->fields >= SV_CONFIG_ROWS)
		return "";
	if (memcmp(sv_member(f, &full->now), sv_member(f, &full->loaded), member_size(f)) != 0)
		return "flag";
	origin = full->origin[f - kind->fields];
	return origin ? origin : "default";
}

const char *sv_config_warning(const struct sv_config *config, size_t i)
{
	const struct sv_strs *w = &sv_config_full(config)->warnings;

	return i < w->n ? w->v[i] : NULL;
}

static void number(struct sv_config *c, int64_t *member, int marked, int64_t value)
{
	struct sv_config *loaded = &sv_config_full(c)->loaded;

	if (marked || *member)
		return;
	*member = value;
	memcpy((char *)loaded + ((char *)member - (char *)c), &value, sizeof(value));
}

void sv_config_defaults(struct sv_config *c)
{
	number(c, &c->timeout, sv_has(c, timeout), 900);
	number(c, &c->request_timeout, sv_has(c, request_timeout), 60);
	number(c, &c->connect_timeout, sv_has(c, connect_timeout), 10);
	number(c, &c->retries, sv_has(c, retries), 4);
	if (!c->profile)
		c->profile = sv_config_full(c)->loaded.profile = "local";
	if (!c->endpoint)
		c->endpoint = sv_config_full(c)->loaded.endpoint = "local:";
}

static int within(const char *name, int64_t v, int64_t least, int64_t most, struct sv_error *err)
{
	if (v >= least && v <= most)
		return SV_OK;
	sv_err(err, SV_CONFIG, "%s: must be from %lld to %lld, not %lld", name, (long long)least,
		(long long)most, (long long)v);
	if (err)
		snprintf(err->field, sizeof(err->field), "%s", name);
	return SV_CONFIG;
}

int sv_config_check(const struct sv_config *config, struct sv_error *err)
{
	struct sv_endpoint ignored;
	int r = SV_OK;

	sv_err_clear(err);
	if (config->endpoint)
		r = sv_endpoint_parse(config->endpoint, &ignored, err);
	if (!r)
		r = within("timeout", config->timeout, 0, MOST_SECONDS, err);
	if (!r)
		r = within("request_timeout", config->request_timeout, 0, MOST_SECONDS, err);
	if (!r)
		r = within("connect_timeout", config->connect_timeout, 0, MOST_SECONDS, err);
	if (!r)
		r = within("retries", config->retries, 0, MOST_RETRIES, err);
	return r;
}
