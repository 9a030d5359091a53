/* SPDX-License-Identifier: MIT */
/* The walk over pages. */
#include <string.h>

#include "base/err.h"
#include "model/kind.h"
#include "net/engine.h"

int sv_next(
	sv_client *c, const struct sv_verb *v, const char *const *args, const void *in, void **list)
{
	struct sv_page *page = *list, *next = NULL;
	struct sv_call call = { .spec = { .verb = v, .args = args, .in = in } };
	void *got = NULL;
	int r;

	if (!page->next) {
		sv_err_clear(&c->error);
		sv_free(page);
		*list = NULL;
		return SV_OK;
	}
	call.spec.cursor = page->next;
	r = sv_op_run(c, &call, &got);
	if (r)
		return r;
	next = got;
	if (!next)
		return sv_err(&c->error, SV_PROTO, "GET %s: no page", v->path);
	/* A service that repeats itself would be read for ever. */
	if (!sv_page_follows(page, next)) {
		sv_free(next);
		return sv_err(
			&c->error, SV_PROTO, "GET %s: the answer repeats its cursor", v->path);
	}
	sv_free(page);
	*list = next;
	return SV_OK;
}
