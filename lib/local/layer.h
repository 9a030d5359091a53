/* SPDX-License-Identifier: MIT */
/* Which frozen layers stand under what: an instance, a snapshot or an image (an owner) has a chain
 * of them, top first. A layer's files go when its last owner does. */
#ifndef SV_LOCAL_LAYER_H
#define SV_LOCAL_LAYER_H

#include <starverse/object.h>

#include "local/flow.h"

int layers_open(struct store *s); /* makes the table */
/* The chain of owner: top (or NULL), then that of below (or NULL). */
int layers_set(struct store *s, const char *owner, const char *top, const char *below);
/* Appends the chain to strs in the memory of root. */
int layers_get(struct store *s, const char *owner, void *root, struct sv_strs *strs);
/* Forgets owner; the layers that nothing stands on any more are kept as the flow's fact "orphans".
 */
int layers_release(struct flow *f, const char *owner);
/* Steps that remove the orphans' files: run after the release is durable. */
int layers_free_run(struct flow *f);
int layers_free_next(struct flow *f);

#endif
