/* SPDX-License-Identifier: MIT */
/* Whether and when to try again. Pure: clock and chance are arguments. */
#ifndef SV_NET_RETRY_H
#define SV_NET_RETRY_H

#include <stdint.h>

struct sv_retry {
	int attempt;            /* how many were made, from 1 */
	int most;               /* most attempts after the first */
	int repeatable;         /* 1: idempotent method, or sent with a key */
	int sent;               /* 1: any byte of the request may have reached the peer */
	int final;              /* 1: the same would happen again (a certificate that is refused) */
	int result;             /* SV_OK when an answer came, else SV_NET and the like */
	int status;             /* HTTP status of the answer */
	int in_progress;        /* 1: the answer says that the first attempt is still under way */
	int64_t retry_after_ms; /* as the answer says, -1 for not at all */
	int64_t left_ms;        /* until the call's deadline */
	uint32_t chance;        /* random */
};

/* One of the three forms of an HTTP date: 1 and *ret, or 0. */
int sv_http_date(const char *s, int64_t *ret);

#define SV_RETRY_STOP INT64_C(-1)

/* Milliseconds to wait before the next attempt, or SV_RETRY_STOP. */
int64_t sv_retry_wait(const struct sv_retry *r);
/* One of the three forms of an HTTP date. 1 when it is one. */
int sv_http_date(const char *s, int64_t *ret);
/* The value of Retry-After in milliseconds: seconds, or one of the three HTTP dates seen from the
 * answer's own Date (NULL: from now). -1 when malformed, negative or past; far values stop at 2^53.
 */
int64_t sv_retry_after(const char *value, const char *date, int64_t now);

#endif
