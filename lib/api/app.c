/* SPDX-License-Identifier: MIT */
#include <starverse/app.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_app_filter *sv_app_filter_new(void)
{
	return sv_new(&sv_app_filter_kind);
}

int sv_app_list(sv_client *c, const struct sv_app_filter *filter, struct sv_app_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_app_kind, "list"), NULL, filter, ret);
}

int sv_app_get(sv_client *c, const char *id, struct sv_app **ret)
{
	return sv_typed(c, sv_verb_find(&sv_app_kind, "get"), id, NULL, ret);
}

int sv_app_deploy(sv_client *c, const char *id, const struct sv_instance_create_body *body,
	struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_app_kind, "deploy"), id, body, ret);
}
