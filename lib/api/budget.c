/* SPDX-License-Identifier: MIT */
#include <starverse/budget.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_budget *sv_budget_new(void)
{
	return sv_new(&sv_budget_kind);
}

struct sv_budget_filter *sv_budget_filter_new(void)
{
	return sv_new(&sv_budget_filter_kind);
}

int sv_budget_list(
	sv_client *c, const struct sv_budget_filter *filter, struct sv_budget_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_budget_kind, "list"), NULL, filter, ret);
}

int sv_budget_get(sv_client *c, const char *id, struct sv_budget **ret)
{
	return sv_typed(c, sv_verb_find(&sv_budget_kind, "get"), id, NULL, ret);
}

int sv_budget_create(sv_client *c, const struct sv_budget *want, struct sv_budget **ret)
{
	return sv_typed(c, sv_verb_find(&sv_budget_kind, "create"), NULL, want, ret);
}

int sv_budget_update(
	sv_client *c, const char *id, const struct sv_budget *changes, struct sv_budget **ret)
{
	return sv_typed(c, sv_verb_find(&sv_budget_kind, "update"), id, changes, ret);
}

int sv_budget_delete(sv_client *c, const char *id, struct sv_budget **ret)
{
	return sv_typed(c, sv_verb_find(&sv_budget_kind, "delete"), id, NULL, ret);
}
