/* SPDX-License-Identifier: MIT */
#include "local/freeze.h"

#include <string.h>

static int set(struct flow *f, const char *id, int frozen)
{
	struct engine_status s;

	memset(&s, 0, sizeof(s));
	if (!(f->p->caps & ENGINE_PAUSE) || f->p->ops->status(f->p->engine, id, &s) ||
		s.state < ENGINE_RUNNING)
		return FLOW_DONE;
	return flow_called(f, f->p->ops->pause(f->p->engine, id, frozen, flow_engine_done, f));
}

int freeze_other(struct flow *f)
{
	return set(f, f->other, 1);
}

int thaw_other(struct flow *f)
{
	return set(f, f->other, 0);
}

int freeze_own(struct flow *f)
{
	return set(f, f->resource, 1);
}

int thaw_own(struct flow *f)
{
	return set(f, f->resource, 0);
}
