/* SPDX-License-Identifier: MIT */
#include <starverse/key.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_key *sv_key_new(void)
{
	return sv_new(&sv_key_kind);
}

struct sv_key_filter *sv_key_filter_new(void)
{
	return sv_new(&sv_key_filter_kind);
}

int sv_key_list(sv_client *c, const struct sv_key_filter *filter, struct sv_key_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_key_kind, "list"), NULL, filter, ret);
}

int sv_key_get(sv_client *c, const char *id, struct sv_key **ret)
{
	return sv_typed(c, sv_verb_find(&sv_key_kind, "get"), id, NULL, ret);
}

int sv_key_create(sv_client *c, const struct sv_key *want, struct sv_key **ret)
{
	return sv_typed(c, sv_verb_find(&sv_key_kind, "create"), NULL, want, ret);
}

int sv_key_update(sv_client *c, const char *id, const struct sv_key *changes, struct sv_key **ret)
{
	return sv_typed(c, sv_verb_find(&sv_key_kind, "update"), id, changes, ret);
}

int sv_key_delete(sv_client *c, const char *id, struct sv_key **ret)
{
	return sv_typed(c, sv_verb_find(&sv_key_kind, "delete"), id, NULL, ret);
}
