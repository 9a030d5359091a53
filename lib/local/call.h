/* SPDX-License-Identifier: MIT */
/* One call of the contract: decode, check, do, answer. */
#ifndef SV_LOCAL_CALL_H
#define SV_LOCAL_CALL_H

#include "local/platform.h"
#include "local/route.h"

/* SV_OK with rp filled, or a negative code with *err filled and nothing left behind. */
int call_run(struct platform *p, const struct route_match *m, const struct request *rq,
	const char *account, struct reply *rp, struct sv_error *err);

#endif
