/* SPDX-License-Identifier: MIT */
/* What the typed calls of the resources share. */
#ifndef SV_API_TYPED_H
#define SV_API_TYPED_H

#include <starverse/client.h>
#include <starverse/kind.h>

/* sv_run() with at most one path argument: id, NULL where the path has none. ret points to a
 * pointer of any object type, or is NULL. */
int sv_typed(sv_client *c, const struct sv_verb *v, const char *id, const void *in, void *ret);

#endif
