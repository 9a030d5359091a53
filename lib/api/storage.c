/* SPDX-License-Identifier: MIT */
#include <starverse/storage.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_storage *sv_storage_new(void)
{
	return sv_new(&sv_storage_kind);
}

struct sv_storage_filter *sv_storage_filter_new(void)
{
	return sv_new(&sv_storage_filter_kind);
}

struct sv_storage_create_body *sv_storage_create_body_new(void)
{
	return sv_new(&sv_storage_create_body_kind);
}

int sv_storage_list(
	sv_client *c, const struct sv_storage_filter *filter, struct sv_storage_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_storage_kind, "list"), NULL, filter, ret);
}

int sv_storage_get(sv_client *c, const char *id, struct sv_storage **ret)
{
	return sv_typed(c, sv_verb_find(&sv_storage_kind, "get"), id, NULL, ret);
}

int sv_storage_create(
	sv_client *c, const struct sv_storage_create_body *body, struct sv_storage **ret)
{
	return sv_typed(c, sv_verb_find(&sv_storage_kind, "create"), NULL, body, ret);
}

int sv_storage_update(
	sv_client *c, const char *id, const struct sv_storage *changes, struct sv_storage **ret)
{
	return sv_typed(c, sv_verb_find(&sv_storage_kind, "update"), id, changes, ret);
}

int sv_storage_delete(sv_client *c, const char *id, struct sv_storage **ret)
{
	return sv_typed(c, sv_verb_find(&sv_storage_kind, "delete"), id, NULL, ret);
}

int sv_storage_credentials(sv_client *c, const char *id, struct sv_storage_credentials **ret)
{
	return sv_typed(c, sv_verb_find(&sv_storage_kind, "credentials"), id, NULL, ret);
}
