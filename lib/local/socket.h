/* SPDX-License-Identifier: MIT */
/* Listening sockets, made so that nobody else ever had a chance, and removed only when they are
 * ours. */
#ifndef SV_LOCAL_SOCKET_H
#define SV_LOCAL_SOCKET_H

#include <sys/stat.h>

#include "local/gate.h"

/* A Unix socket, 0600 from its first moment, its directory made 0700 when missing; "@name" is
 * abstract. A socket that nobody answers is replaced; whatever else lies there stays. The caller
 * holds the lock of its state. st is to be kept for socket_unlink(). The descriptor in *ret, or a
 * code with a phrase. */
int socket_unix(const char *path, int *ret, struct stat *st, char *message, size_t size);
/* The same for a path that is too long for an address, in a directory that is there. */
int socket_unix_deep(const char *path, int *ret, struct stat *st, char *message, size_t size);
/* Removes it when it is still the one that was made. */
void socket_unlink(const char *path, const struct stat *st);
/* "127.0.0.1:8080", "[::1]:8080", ":8080", "8080"; port 0: any. Fills gate. */
int socket_tcp(
	const char *address, int tls, int *ret, struct gate *gate, char *message, size_t size);

#endif
