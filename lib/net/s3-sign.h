/* SPDX-License-Identifier: MIT */
/* Signs a request as S3 wants it. */
#ifndef SV_NET_S3_SIGN_H
#define SV_NET_S3_SIGN_H

#include "net/s3.h"

/* Adds x-amz-date and Authorization for the time now; host and what S3 wants signed is. SV_OK or a
 * code. */
int sv_s3_sign(const struct sv_s3_place *p, struct sv_request *r, int64_t now);

#endif
