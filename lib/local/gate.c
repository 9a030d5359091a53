/* SPDX-License-Identifier: MIT */
/* Host and Origin, compared whole: a prefix or a suffix would let "127.evil.example" in. */
#include "local/gate.h"

#include <string.h>
#include <strings.h>

static int is_ours(const struct gate *g, const char *host)
{
	return !strcasecmp(host, g->host) || (*g->other && !strcasecmp(host, g->other));
}

int gate_check(const struct gate *g, const struct request *rq, struct sv_error *err)
{
	const char *origin = rq->origin, *at;

	if (!rq->host || (!g->any && !is_ours(g, rq->host)))
		return sv_err(err, SV_DENIED, "the Host header names another host");
	if (!origin)
		return SV_OK;
	at = strstr(origin, "://");
	if (!at || strcasecmp(at + 3, rq->host) != 0)
		return sv_err(err, SV_DENIED, "requests of foreign web pages are not served");
	return SV_OK;
}
