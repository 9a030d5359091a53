/* SPDX-License-Identifier: MIT */
#include <starverse/token.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_token *sv_token_new(void)
{
	return sv_new(&sv_token_kind);
}

struct sv_token_filter *sv_token_filter_new(void)
{
	return sv_new(&sv_token_filter_kind);
}

int sv_token_list(sv_client *c, const struct sv_token_filter *filter, struct sv_token_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_token_kind, "list"), NULL, filter, ret);
}

int sv_token_get(sv_client *c, const char *id, struct sv_token **ret)
{
	return sv_typed(c, sv_verb_find(&sv_token_kind, "get"), id, NULL, ret);
}

int sv_token_create(sv_client *c, const struct sv_token *want, struct sv_token **ret)
{
	return sv_typed(c, sv_verb_find(&sv_token_kind, "create"), NULL, want, ret);
}

int sv_token_update(
	sv_client *c, const char *id, const struct sv_token *changes, struct sv_token **ret)
{
	return sv_typed(c, sv_verb_find(&sv_token_kind, "update"), id, changes, ret);
}

int sv_token_delete(sv_client *c, const char *id, struct sv_token **ret)
{
	return sv_typed(c, sv_verb_find(&sv_token_kind, "delete"), id, NULL, ret);
}
