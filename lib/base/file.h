/* SPDX-License-Identifier: MIT */
/* Descriptors. */
#ifndef SV_BASE_FILE_H
#define SV_BASE_FILE_H

#include <stddef.h>

/* All of it, however often that takes: a full disk takes a part first, and says so at the rest. 0,
 * or -1 with errno. */
int sv_write_all(int fd, const void *data, size_t len);

#endif
