/* SPDX-License-Identifier: MIT */
#include <starverse/dataset.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_dataset_filter *sv_dataset_filter_new(void)
{
	return sv_new(&sv_dataset_filter_kind);
}

int sv_dataset_list(
	sv_client *c, const struct sv_dataset_filter *filter, struct sv_dataset_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_dataset_kind, "list"), NULL, filter, ret);
}

int sv_dataset_get(sv_client *c, const char *id, struct sv_dataset **ret)
{
	return sv_typed(c, sv_verb_find(&sv_dataset_kind, "get"), id, NULL, ret);
}
