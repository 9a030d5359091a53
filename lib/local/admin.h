/* SPDX-License-Identifier: MIT */
/* /local/...: what only the owner of the machine may ask. */
#ifndef SV_LOCAL_ADMIN_H
#define SV_LOCAL_ADMIN_H

#include "local/platform.h"
#include "local/route.h"

int admin_handle(struct platform *p, const struct path *path, const struct request *rq,
	struct reply *rp, struct sv_error *err);

#endif
