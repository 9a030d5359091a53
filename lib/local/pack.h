/* SPDX-License-Identifier: MIT */
/* Files that travel inside the library: the built-in catalogue and what its models and data sets
 * hold. */
#ifndef SV_LOCAL_PACK_H
#define SV_LOCAL_PACK_H

#include <stddef.h>

struct packed {
	const char *path;          /* "catalog.yaml", "library/models/NAME/FILE" */
	const unsigned char *data; /* a NUL stands behind it */
	size_t size;
};
extern const struct packed packed[]; /* ended by a NULL path */

#endif
