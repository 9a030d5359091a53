/* SPDX-License-Identifier: MIT */
#include <starverse/image.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_image *sv_image_new(void)
{
	return sv_new(&sv_image_kind);
}

struct sv_image_filter *sv_image_filter_new(void)
{
	return sv_new(&sv_image_filter_kind);
}

int sv_image_list(sv_client *c, const struct sv_image_filter *filter, struct sv_image_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_image_kind, "list"), NULL, filter, ret);
}

int sv_image_get(sv_client *c, const char *id, struct sv_image **ret)
{
	return sv_typed(c, sv_verb_find(&sv_image_kind, "get"), id, NULL, ret);
}

int sv_image_update(
	sv_client *c, const char *id, const struct sv_image *changes, struct sv_image **ret)
{
	return sv_typed(c, sv_verb_find(&sv_image_kind, "update"), id, changes, ret);
}

int sv_image_delete(sv_client *c, const char *id, struct sv_image **ret)
{
	return sv_typed(c, sv_verb_find(&sv_image_kind, "delete"), id, NULL, ret);
}
