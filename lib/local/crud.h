/* SPDX-License-Identifier: MIT */
/* What any kind does that does not behave otherwise. A behaviour may call these and add to them. */
#ifndef SV_LOCAL_CRUD_H
#define SV_LOCAL_CRUD_H

#include "local/platform.h"

behave_fn crud_list, crud_get, crud_create, crud_update, crud_delete;
/* The one for a verb, or NULL for an action. */
behave_fn *crud_of(const struct sv_verb *verb);
/* SV_OK, or the body's name is refused. */
int crud_name(struct call *c);
/* For a long poll in a behaviour: CALL_WAIT until the version of id is above the query's
 * after_version or its time is up, then SV_OK. */
int crud_wait(struct call *c, const char *id);
/* Computed fields of one document, before it is answered. */
void crud_present(struct platform *p, const struct sv_kind *kind, const char *account, void *obj,
	int64_t now);

#endif
