/* SPDX-License-Identifier: MIT */
#include <starverse/group.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_group *sv_group_new(void)
{
	return sv_new(&sv_group_kind);
}

struct sv_group_filter *sv_group_filter_new(void)
{
	return sv_new(&sv_group_filter_kind);
}

struct sv_group_scale_body *sv_group_scale_body_new(void)
{
	return sv_new(&sv_group_scale_body_kind);
}

int sv_group_list(sv_client *c, const struct sv_group_filter *filter, struct sv_group_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_group_kind, "list"), NULL, filter, ret);
}

int sv_group_get(sv_client *c, const char *id, struct sv_group **ret)
{
	return sv_typed(c, sv_verb_find(&sv_group_kind, "get"), id, NULL, ret);
}

int sv_group_create(sv_client *c, const struct sv_group *want, struct sv_group **ret)
{
	return sv_typed(c, sv_verb_find(&sv_group_kind, "create"), NULL, want, ret);
}

int sv_group_update(
	sv_client *c, const char *id, const struct sv_group *changes, struct sv_group **ret)
{
	return sv_typed(c, sv_verb_find(&sv_group_kind, "update"), id, changes, ret);
}

int sv_group_scale(sv_client *c, const char *id, const struct sv_group_scale_body *body,
	struct sv_group **ret)
{
	return sv_typed(c, sv_verb_find(&sv_group_kind, "scale"), id, body, ret);
}

int sv_group_delete(sv_client *c, const char *id, struct sv_group **ret)
{
	return sv_typed(c, sv_verb_find(&sv_group_kind, "delete"), id, NULL, ret);
}
