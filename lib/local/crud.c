/* SPDX-License-Identifier: MIT */
/* get, create, update, delete for any kind. Lists are in list.c. */
#include "local/crud.h"

#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "local/doc.h"
#include "local/field.h"
#include "model/kind.h"

#define WAIT_MAX_SECONDS 60
#define WAIT_SECONDS     30

static const struct {
	const char *verb;
	behave_fn *fn;
} defaults[] = {
	{ "create", crud_create },
	{ "delete", crud_delete },
	{ "get", crud_get },
	{ "list", crud_list },
	{ "update", crud_update },
};

behave_fn *crud_of(const struct sv_verb *verb)
{
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (!strcmp(defaults[i].verb, verb->name))
			return defaults[i].fn;
	return NULL;
}

void crud_present(
	struct platform *p, const struct sv_kind *kind, const char *account, void *obj, int64_t now)
{
	for (const struct present *one = presents; one->kind; one++)
		if (!strcmp(one->kind, kind->name))
			one->fn(p, account, obj, now);
}

int crud_wait(struct call *c, const char *id)
{
	const struct sv_kind *q = c->verb->query;
	int64_t after = c->in && q ? field_number(q, c->in, "after_version", -1) : -1, version,
		seconds;

	if (after < 0)
		return SV_OK;
	seconds = field_number(q, c->in, "timeout_seconds", WAIT_SECONDS);
	if (seconds < 0 || seconds > WAIT_MAX_SECONDS)
		return sv_err_field(
			&c->err, "timeout_seconds", "range", "must be 0 to %d", WAIT_MAX_SECONDS);
	version = store_version(c->p->store, id);
	if (version < 0 || version > after || c->p->leaving)
		return SV_OK;
	c->wait_until_ms = c->request->wait_until_ms ? c->request->wait_until_ms
						     : sv_mono_ms() + seconds * 1000;
	if (sv_mono_ms() >= c->wait_until_ms)
		return SV_OK;
	snprintf(c->wait_id, sizeof(c->wait_id), "%s", id);
	return CALL_WAIT;
}

int crud_get(struct call *c)
{
	const char *id = c->obj ? field_text(c->kind, c->obj, "id") : NULL;

	return id ? crud_wait(c, id) : SV_OK;
}

static int kept(struct call *c, int rc)
{
	if (rc && !c->err.code)
		sv_err_wire(
			&c->err, "unavailable", "the store refuses: %s", store_error(c->p->store));
	return rc;
}

int crud_create(struct call *c)
{
	char id[64];
	int rc;

	c->out = sv_new(c->kind);
	if (!c->out)
		return SV_NOMEM;
	rc = c->in ? field_copy(c->out, c->kind, c->out, c->verb->in, c->in, 0) : SV_OK;
	if (rc)
		return rc;
	store_id(c->p->store, c->kind->prefix, id, sizeof(id));
	field_set_text(c->kind, c->out, "id", sv_strdup_in(c->out, id));
	rc = kept(c, store_put(c->p->store, c->kind, c->account, c->out, c->now));
	if (rc == SV_OK) {
		char type[80];

		snprintf(type, sizeof(type), "%s.created", c->kind->name);
		rc = platform_event(
			c->p, c->account, type, c->account, id, "%s created", c->kind->name);
	}
	return rc;
}

int crud_name(struct call *c)
{
	const char *name = c->in ? field_text(c->verb->in, c->in, "name") : NULL;
	const char *wrong = name ? doc_name_wrong(name) : NULL;

	return wrong ? sv_err_field(&c->err, "name", "value", "%s", wrong) : SV_OK;
}

int crud_update(struct call *c)
{
	char type[80];
	int rc = crud_name(c);

	if (rc == SV_OK && c->in)
		rc = field_copy(c->obj, c->kind, c->obj, c->verb->in, c->in, SV_UPDATE);

	if (rc == SV_OK)
		rc = kept(c, store_put(c->p->store, c->kind, c->account, c->obj, c->now));
	snprintf(type, sizeof(type), "%s.updated", c->kind->name);
	return rc ? rc
		  : platform_event(
			    c->p, c->account, type, c->account, c->id, "%s changed", c->kind->name);
}

int crud_delete(struct call *c)
{
	char type[80];
	int rc = kept(c, store_drop(c->p->store, c->kind, c->id, c->now));

	if (rc == SV_OK)
		rc = store_facts_drop(c->p->store, c->id);
	snprintf(type, sizeof(type), "%s.deleted", c->kind->name);
	return rc ? rc
		  : platform_event(
			    c->p, c->account, type, c->account, c->id, "%s deleted", c->kind->name);
}
