/* SPDX-License-Identifier: MIT */
/* What an instance finds at /run/starverse: a socket and a token that are good for itself alone,
 * and svctl to use them with. */
#ifndef SV_LOCAL_INSIDE_H
#define SV_LOCAL_INSIDE_H

#include "local/platform.h"

#define INSIDE_ENDPOINT "unix:///run/starverse/api.sock"
#define INSIDE_TOKEN    "/run/starverse/token"

/* 1 when instances have it here: they are processes, and the platform listens. */
int inside_is(const struct platform *p);
/* The directory on the host that one sees as /run/starverse. Returns buf. */
char *inside_dir(const struct platform *p, const char *instance, char *buf, size_t size);
/* From now on: listens by that function (see struct platform). Takes a copy of svctl-inside, which
 * lies where this program does and only needs what the host's /usr has; a phrase in the log when it
 * cannot. */
void inside_open(struct platform *p,
	int (*listen)(void *data, const char *instance, const char *path), void *data);
/* Before it boots: a new token, the socket. May be done again. */
int inside_begin(struct platform *p, const char *account, const char *instance);
/* After a restart of the platform: the socket of one that still runs. */
void inside_resume(struct platform *p, const char *instance);
/* It does not run any more: nobody listens, and its token is worth nothing. */
int inside_end(struct platform *p, const char *instance);

#endif
