/* SPDX-License-Identifier: MIT */
/* Keyed calls on disk before they are sent: $state_dir/spool/KEY, one line of JSON, 0600, locked
 * while its call is in flight. What is left unlocked is a call whose outcome nobody knows. */
#ifndef SV_API_SPOOL_H
#define SV_API_SPOOL_H

#include "net/client.h"
#include "net/request.h"

/* The client's hooks. */
int sv_spool_write(sv_client *c, const struct sv_request *r, void **ret, struct sv_error *err);
void sv_spool_settle(sv_client *c, void *slot, int final);

#endif
