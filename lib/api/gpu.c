/* SPDX-License-Identifier: MIT */
#include <starverse/gpu.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_gpu_filter *sv_gpu_filter_new(void)
{
	return sv_new(&sv_gpu_filter_kind);
}

int sv_gpu_list(sv_client *c, const struct sv_gpu_filter *filter, struct sv_gpu_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_gpu_kind, "list"), NULL, filter, ret);
}

int sv_gpu_get(sv_client *c, const char *id, struct sv_gpu **ret)
{
	return sv_typed(c, sv_verb_find(&sv_gpu_kind, "get"), id, NULL, ret);
}
