/* SPDX-License-Identifier: MIT */
#include <starverse/operation.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_operation *sv_operation_new(void)
{
	return sv_new(&sv_operation_kind);
}

struct sv_operation_filter *sv_operation_filter_new(void)
{
	return sv_new(&sv_operation_filter_kind);
}

int sv_operation_list(
	sv_client *c, const struct sv_operation_filter *filter, struct sv_operation_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_operation_kind, "list"), NULL, filter, ret);
}

int sv_operation_get(sv_client *c, const char *id, struct sv_operation **ret)
{
	return sv_typed(c, sv_verb_find(&sv_operation_kind, "get"), id, NULL, ret);
}

int sv_operation_cancel(sv_client *c, const char *id, struct sv_operation **ret)
{
	return sv_typed(c, sv_verb_find(&sv_operation_kind, "cancel"), id, NULL, ret);
}
