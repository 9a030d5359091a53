/* SPDX-License-Identifier: MIT */
/* Structs of rows that no public header needs. */
#ifndef SV_KINDS_COMMON_H
#define SV_KINDS_COMMON_H

#include <starverse/billing.h>
#include <starverse/object.h>

/* GET ...?after_version=N&timeout_seconds=30 */
struct sv_wait_query {
	struct sv_set set;
	int64_t after_version;
	int64_t timeout_seconds;
};

#endif
