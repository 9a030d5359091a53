/* SPDX-License-Identifier: MIT */
/* What every request passes through before it leaves, in order. */
#ifndef SV_NET_STAGE_H
#define SV_NET_STAGE_H

#include "net/client.h"
#include "net/request.h"

/* Runs every stage once, when the request is built. */
int sv_stage_run(sv_client *c, struct sv_request *r, struct sv_error *err);

#endif
