/* SPDX-License-Identifier: MIT */
/* Real or stepped time. */
#include "local/clock.h"

#include "base/time.h"

int64_t clock_now(const struct clock *c)
{
	return c->stepped || c->at ? c->at : sv_now();
}
