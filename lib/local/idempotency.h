/* SPDX-License-Identifier: MIT */
/* Never twice: what a POST with a key did is saved in the same transaction as its effect, for 24
 * hours. */
#ifndef SV_LOCAL_IDEMPOTENCY_H
#define SV_LOCAL_IDEMPOTENCY_H

#include "local/platform.h"

enum { IDEMPOTENCY_GO = 0, IDEMPOTENCY_REPLAY = 1 };

/* Looks the request's key up. IDEMPOTENCY_GO: do it; IDEMPOTENCY_REPLAY: rp is the first answer; or
 * a negative code with *err filled. */
int idempotency_begin(struct platform *p, const char *account, const struct request *rq,
	struct reply *rp, struct sv_error *err);
/* The answer of a request that succeeded; running: it is still under way and will come again
 * (CALL_WAIT). */
int idempotency_save(struct platform *p, const char *account, const struct request *rq,
	const struct reply *rp, const char *resource, const char *operation, int running);
/* A request that was under way has failed: nothing happened, and the key may be used again. */
int idempotency_drop(struct platform *p, const char *account, const struct request *rq);
/* GET /v1/idempotency_keys/{key}. */
int idempotency_answer(struct platform *p, const char *account, const char *key, struct reply *rp,
	struct sv_error *err);
/* After a start: what was under way has an unknown outcome. Also drops what is older than 24 hours.
 */
int idempotency_recover(struct platform *p);

#endif
