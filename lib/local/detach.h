/* SPDX-License-Identifier: MIT */
/* A process in the background, whose parent knows how it began. */
#ifndef SV_LOCAL_DETACH_H
#define SV_LOCAL_DETACH_H

#include <stddef.h>

/* Forks. In the child: SV_OK at once, *child 1, *ready to be told. In the parent: what the child
 * tells, or SV_SERVER when it ends without a word. */
int detach(int *child, int *ready, char *message, size_t size);
/* Tells the parent, once; *ready is closed and -1 then. */
void detach_tell(int *ready, int code, const char *message);

#endif
