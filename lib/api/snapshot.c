/* SPDX-License-Identifier: MIT */
#include <starverse/snapshot.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_snapshot *sv_snapshot_new(void)
{
	return sv_new(&sv_snapshot_kind);
}

struct sv_snapshot_filter *sv_snapshot_filter_new(void)
{
	return sv_new(&sv_snapshot_filter_kind);
}

struct sv_snapshot_create_body *sv_snapshot_create_body_new(void)
{
	return sv_new(&sv_snapshot_create_body_kind);
}

int sv_snapshot_list(
	sv_client *c, const struct sv_snapshot_filter *filter, struct sv_snapshot_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_snapshot_kind, "list"), NULL, filter, ret);
}

int sv_snapshot_get(sv_client *c, const char *id, struct sv_snapshot **ret)
{
	return sv_typed(c, sv_verb_find(&sv_snapshot_kind, "get"), id, NULL, ret);
}

int sv_snapshot_create(
	sv_client *c, const struct sv_snapshot_create_body *body, struct sv_snapshot **ret)
{
	return sv_typed(c, sv_verb_find(&sv_snapshot_kind, "create"), NULL, body, ret);
}

int sv_snapshot_update(
	sv_client *c, const char *id, const struct sv_snapshot *changes, struct sv_snapshot **ret)
{
	return sv_typed(c, sv_verb_find(&sv_snapshot_kind, "update"), id, changes, ret);
}

int sv_snapshot_delete(sv_client *c, const char *id, struct sv_snapshot **ret)
{
	return sv_typed(c, sv_verb_find(&sv_snapshot_kind, "delete"), id, NULL, ret);
}
