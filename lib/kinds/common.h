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

/* What the local platform gives its courier to send, and what comes back. */
struct sv_parcel {
	struct sv_set set;
	int64_t id;
	const char *url;
	struct sv_map headers;
	const char *body;
};
struct sv_receipt {
	struct sv_set set;
	int64_t id;
	int64_t status; /* HTTP, 0: no answer came */
	const char *message;
	const char *body; /* the beginning of the answer */
};

#endif
