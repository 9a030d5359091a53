/* SPDX-License-Identifier: MIT */
/* /local/reset: everything that the engine made is destroyed, whoever's it is; the files of the
 * state itself go when the daemon has left. */
#ifndef SV_LOCAL_WIPE_H
#define SV_LOCAL_WIPE_H

#include "local/platform.h"

/* Begins, goes on, or has ended: then 200. Else the reply waits, to be asked again. */
int wipe_handle(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err);

#endif
