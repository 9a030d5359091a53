/* SPDX-License-Identifier: MIT */
/* What a key may do: the scope that each verb needs, and what is left inside an instance. */
#ifndef SV_LOCAL_SCOPE_H
#define SV_LOCAL_SCOPE_H

#include "local/platform.h"
#include "local/route.h"

#define SCOPE_ALL (~0U)

/* A set of scopes, one bit for each of their words. */
unsigned scope_bits(const struct sv_strs *words);
/* The scope's word that a verb needs; NULL for one that nobody has put into the table, which only
 * an account's own key may use. */
const char *scope_of(const struct sv_kind *kind, const struct sv_verb *verb);
/* SV_OK, or SV_DENIED naming what is missing. "self" as the path's argument becomes the instance's
 * id when it asks from inside. */
int scope_check(struct platform *p, const struct request *rq, const char *account,
	struct route_match *m, struct sv_error *err);

#endif
