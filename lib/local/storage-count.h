/* SPDX-License-Identifier: MIT */
/* The sizes of all files below a directory. */
#ifndef SV_LOCAL_STORAGE_COUNT_H
#define SV_LOCAL_STORAGE_COUNT_H

#include <stdint.h>

/* Closes dir. -1 when it could not be seen whole, or holds more than `most` entries; *ret_seen (or
 * NULL) gets what was counted all the same. */
int64_t storage_count(int dir, int most, int64_t *ret_seen);

#endif
