/* SPDX-License-Identifier: MIT */
/* The one place where a key's rights are looked at, for every verb of every kind. */
#include "local/scope.h"

#include <stdio.h>
#include <string.h>

#include "kinds/kinds.h"
#include "local/field.h"

/* What changes something needs the scope of its kind; verb NULL: all the others of the kind. */
static const struct {
	const char *kind, *verb, *scope;
} rows[] = {
	{ "account", NULL, "account" },
	{ "app", NULL, "instances" },
	{ "billing", "quote", "read" },
	{ "billing", "tco", "read" },
	{ "billing", NULL, "account" },
	{ "budget", NULL, "account" },
	{ "disk", NULL, "disks" },
	{ "group", NULL, "instances" },
	{ "image", NULL, "disks" },
	{ "instance", NULL, "instances" },
	{ "job", NULL, "jobs" },
	{ "key", NULL, "keys" },
	{ "model", NULL, "instances" },
	{ "operation", NULL, "instances" },
	{ "snapshot", NULL, "disks" },
	{ "storage", NULL, "storage" },
	{ "token", NULL, "tokens" },
	{ "webhook", NULL, "webhooks" },
};

/* What an instance may ask from inside: of itself, and of what names it in that field. */
static const struct {
	const char *kind, *verb, *field;
} inside[] = {
	{ "instance", "extend", "id" },
	{ "instance", "get", "id" },
	{ "instance", "list", NULL }, /* list.c shows itself alone */
	{ "instance", "logs", "id" },
	{ "instance", "stop", "id" },
	{ "job", "get", "instance" },
	{ "job", "list", NULL },
	{ "job", "logs", "instance" },
	{ "job", "metrics", "instance" },
	{ "operation", "get", "resource" },
};

unsigned scope_bits(const struct sv_strs *words)
{
	unsigned bits = 0;

	for (size_t i = 0; i < words->n; i++)
		for (unsigned k = 0; sv_scope_words[k].word; k++)
			if (!strcmp(sv_scope_words[k].word, words->v[i]))
				bits |= 1U << k;
	return bits;
}

const char *scope_of(const struct sv_kind *kind, const struct sv_verb *verb)
{
	if (verb->method == SV_GET)
		return "read";
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].kind, kind->name) &&
			(!rows[i].verb || !strcmp(rows[i].verb, verb->name)))
			return rows[i].scope;
	return NULL;
}

static int check_scopes(
	const struct request *rq, const struct route_match *m, struct sv_error *err)
{
	const char *scope = scope_of(m->kind, m->verb);
	struct sv_strs one = { 1, &scope };

	if (rq->scopes == SCOPE_ALL || (scope && rq->scopes & scope_bits(&one)))
		return SV_OK;
	if (!scope)
		return sv_err(
			err, SV_DENIED, "no token may do %s %s", m->kind->name, m->verb->name);
	sv_err(err, SV_DENIED, "this token has no scope \"%s\", which %s %s needs", scope,
		m->kind->name, m->verb->name);
	sv_err_hint(err, "svctl token create NAME --scope %s", scope);
	snprintf(err->context, sizeof(err->context), "{\"scope\":\"%s\"}", scope);
	return SV_DENIED;
}

/* 1 when the document that the path names is, or names, the instance that asks. */
static int is_own(struct platform *p, const struct request *rq, const char *account,
	const struct route_match *m, const char *field)
{
	const char *text;
	void *obj = NULL;
	int own;

	if (!field)
		return 1;
	if (!m->id || store_get(p->store, m->kind, account, m->id, &obj))
		return 0;
	text = field_text(m->kind, obj, field);
	own = text && !strcmp(text, rq->instance);
	sv_free(obj);
	return own;
}

static int check_inside(struct platform *p, const struct request *rq, const char *account,
	struct route_match *m, struct sv_error *err)
{
	if (!strcmp(m->kind->name, "instance") && m->id && !strcmp(m->id, "self"))
		m->id = rq->instance;
	for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++)
		if (!strcmp(inside[i].kind, m->kind->name) &&
			!strcmp(inside[i].verb, m->verb->name) &&
			is_own(p, rq, account, m, inside[i].field))
			return SV_OK;
	return sv_err(err, SV_DENIED,
		"from inside an instance only that instance itself can be read, extended or "
		"stopped, and its job read");
}

int scope_check(struct platform *p, const struct request *rq, const char *account,
	struct route_match *m, struct sv_error *err)
{
	if (m->verb->flags & SV_NOKEY && !rq->instance)
		return SV_OK;
	return rq->instance ? check_inside(p, rq, account, m, err) : check_scopes(rq, m, err);
}
