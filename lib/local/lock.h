/* SPDX-License-Identifier: MIT */
/* One daemon for one state directory: a locked file that holds its pid. The lock dies with its
 * holder. */
#ifndef SV_LOCAL_LOCK_H
#define SV_LOCAL_LOCK_H

#include <stddef.h>

/* Makes the directory (0700) when it is missing. The descriptor, or -1 with a phrase in message
 * ("already running (pid N)"). */
int lock_take(const char *state_dir, char *message, size_t size);
/* Writes another pid into it: the daemon's, after it has detached itself. */
int lock_sign(int fd);
void lock_release(int fd); /* -1 is allowed */
/* The pid that holds it, 0 when nobody does, -1 when that cannot be told. */
long lock_holder(const char *state_dir);

#endif
