/* SPDX-License-Identifier: MIT */
/* What only the local platform's socket answers. None of these starts it. */
#ifndef SVCTL_LOCAL_H
#define SVCTL_LOCAL_H

#include "args.h"

/* 1 when somebody listens. */
int local_listening(const char *path);
/* Where the daemon listens: --socket, a "unix:" endpoint, or the configuration's place. NULL: an
 * error was printed. */
const char *local_socket(struct app *a, int *status);
/* A client for that place. NULL as above. */
sv_client *local_client(struct app *a, int *status);
/* Sends, and shows the answer as the daemon's status where that is wanted. An exit status. */
int local_ask(struct call *call, const char *method, const char *path, const char *body, int show);
/* Tells of an error answer. Its exit status. */
int local_refused(struct call *call, int http, const char *reply, size_t len);

#endif
