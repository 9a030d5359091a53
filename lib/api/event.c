/* SPDX-License-Identifier: MIT */
#include <starverse/event.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_event_filter *sv_event_filter_new(void)
{
	return sv_new(&sv_event_filter_kind);
}

int sv_event_list(sv_client *c, const struct sv_event_filter *filter, struct sv_event_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_event_kind, "list"), NULL, filter, ret);
}
