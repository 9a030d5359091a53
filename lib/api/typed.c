/* SPDX-License-Identifier: MIT */
#include "api/typed.h"

#include <string.h>

int sv_typed(sv_client *c, const struct sv_verb *v, const char *id, const void *in, void *ret)
{
	const char *args[] = { id, NULL };
	void *result = NULL;
	int r = sv_run(c, v, args, in, ret ? &result : NULL);

	/* Copied as bytes: the caller's pointer is of its own type, not a void pointer. */
	if (!r && ret)
		memcpy(ret, &result, sizeof(result));
	return r;
}
