/* SPDX-License-Identifier: MIT */
/* What is asked of groups: looked at whole, written down; group-keep.c makes it so. */
#include "local/group.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "kinds/kinds.h"
#include "local/crud.h"
#include "local/doc.h"
#include "local/due.h"
#include "local/instance.h"
#include "local/ledger.h"

#define MEMBERS_MAX 1000

/* What is wrong with the template, at the template's fields. */
static int check_template(struct call *c, const struct sv_group *g)
{
	struct sv_instance_create_body *b = NULL;
	int rc = instance_body_copy(g->template_, &b);

	if (!rc)
		rc = instance_check(c->p, c->account, b, &c->err);
	sv_free(b);
	for (size_t i = 0; rc && i < c->err.n_errors; i++) {
		char field[sizeof(c->err.errors[i].field)];

		snprintf(field, sizeof(field), "template.%.80s", c->err.errors[i].field);
		memcpy(c->err.errors[i].field, field, sizeof(field));
	}
	return rc;
}

static int check_number(struct call *c, const struct sv_group *g, int64_t desired)
{
	int limited = sv_has(g, maximum) && !sv_is_null(g, maximum);

	if (desired < g->minimum)
		return sv_err_field(&c->err, "desired", "range",
			"must be at least %lld, the group's minimum", (long long)g->minimum);
	if (limited && desired > g->maximum)
		return sv_err_field(&c->err, "desired", "range",
			"must be at most %lld, the group's maximum", (long long)g->maximum);
	if (desired > MEMBERS_MAX)
		return sv_err_field(
			&c->err, "desired", "range", "must be at most %d", MEMBERS_MAX);
	if (desired > 1 && g->template_ && g->template_->disks.n)
		return sv_err_field(&c->err, "template.disks", "exclusive",
			"a disk can be attached to one instance only");
	return SV_OK;
}

static int put(struct call *c, struct sv_group *g)
{
	int rc = store_put(c->p->store, &sv_group_kind, c->account, g, c->now);

	return rc ? rc : group_look(c->p, g->id);
}

int local_group_create(struct call *c)
{
	struct sv_group *g = c->in;
	const char *wrong = doc_name_wrong(g->name);
	int rc;

	if (wrong)
		sv_err_field(&c->err, "name", "value", "%s", wrong);
	rc = check_number(c, g, g->desired);
	if (!rc && c->err.code)
		rc = c->err.code;
	if (!rc)
		rc = check_template(c, g);
	if (rc)
		return rc;
	doc_text(g, g, status, g->desired ? "scaling" : "ready");
	if (!sv_has(g, minimum))
		doc_put(g, minimum, 0);
	if (!sv_has(g, maximum))
		doc_null(g, maximum);
	doc_null(g, status_reason);
	sv_mark(g, instances);
	c->status = 202;
	rc = crud_create(c);
	return rc ? rc : group_look(c->p, ((struct sv_group *)c->out)->id);
}

static int gone(struct call *c, const struct sv_group *g)
{
	if (strcmp(g->status, "deleted") != 0 && strcmp(g->status, "deleting") != 0)
		return SV_OK;
	return sv_err_wire(&c->err, "invalid_state", "the group is %s", g->status);
}

int local_group_update(struct call *c)
{
	int rc = gone(c, c->obj);

	if (!rc)
		rc = crud_update(c);
	return rc ? rc : c->kind->check(c->obj, &c->err);
}

int local_group_scale(struct call *c)
{
	const struct sv_group_scale_body *b = c->in;
	struct sv_group *g = c->obj;
	int rc = gone(c, g);

	if (!rc)
		rc = check_number(c, g, b->desired);
	if (!rc && b->desired == g->desired && !strcmp(g->status, "ready")) {
		c->status = 200;
		return SV_OK;
	}
	if (!rc && b->desired > g->desired)
		rc = check_template(c, g);
	if (!rc)
		rc = group_fact_set(c->p, g->id, "anew", 1);
	if (!rc)
		rc = group_fact_set(c->p, g->id, "tries", 0);
	if (!rc)
		rc = due_clear(c->p->store, g->id, "group");
	if (rc)
		return rc;
	doc_put(g, desired, b->desired);
	doc_text(g, g, status, "scaling");
	doc_null(g, status_reason);
	rc = platform_event(c->p, c->account, "group.scaled", c->account, g->id, "%s: %lld desired",
		g->name, (long long)g->desired);
	return rc ? rc : put(c, g);
}

int local_group_delete(struct call *c)
{
	struct sv_group *g = c->obj;

	if (!strcmp(g->status, "deleted")) {
		c->status = 200;
		return SV_OK;
	}
	if (!strcmp(g->status, "deleting"))
		return SV_OK;
	doc_text(g, g, status, "deleting");
	doc_null(g, status_reason);
	return put(c, g);
}

/* Members that are gone have left what they cost; the others still add to it. */
void local_group_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_group *g = obj;
	int64_t cost = group_fact(p, g->id, "spent");

	(void)account;
	for (size_t i = 0; i < g->instances.n; i++)
		cost += ledger_cost(p->ledger, g->instances.v[i], now);
	doc_put(g, cost, cost);
}
