/* SPDX-License-Identifier: MIT */
#include <starverse/model.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_model_filter *sv_model_filter_new(void)
{
	return sv_new(&sv_model_filter_kind);
}

int sv_model_list(sv_client *c, const struct sv_model_filter *filter, struct sv_model_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_model_kind, "list"), NULL, filter, ret);
}

int sv_model_get(sv_client *c, const char *id, struct sv_model **ret)
{
	return sv_typed(c, sv_verb_find(&sv_model_kind, "get"), id, NULL, ret);
}

int sv_model_copy(sv_client *c, const char *id, const char *instance, const char *path,
	struct sv_operation **ret)
{
	struct sv_model_copy_body b = { .instance = instance, .path = path };

	return sv_typed(c, sv_verb_find(&sv_model_kind, "copy"), id, &b, ret);
}
