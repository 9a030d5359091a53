/* SPDX-License-Identifier: MIT */
/* The sockets' side of the platform. One turn of the loop: http_run(), platform_turn(),
 * http_answer(). */
#ifndef SV_LOCAL_HTTP_H
#define SV_LOCAL_HTTP_H

#include "local/gate.h"
#include "local/platform.h"

struct http;

int http_open(
	struct platform *p, size_t connections, struct http **ret, char *message, size_t size);
void http_close(struct http *h);
/* Certificates and keys as PEM text, for listeners that say tls. */
int http_tls(struct http *h, const char *cert, const char *key, char *message, size_t size);
/* Takes connections from a listening socket, which it then owns. gate NULL: a Unix socket, whose
 * peers must be of our user; instance: those who come this way are inside it (copied), or NULL.
 * SV_OK or a code. */
int http_listen(struct http *h, int fd, const struct gate *gate, int tls, const char *instance);
/* Ends the listener of an instance. */
void http_unlisten(struct http *h, const char *instance);
/* Readable when there is something to do. */
int http_fd(const struct http *h);
/* Takes what has arrived and handles it; nothing is answered that is not committed. */
void http_run(struct http *h);
/* After the commit: sends the answers, and asks again for those whose wait is over. */
void http_answer(struct http *h);
/* Milliseconds until it must run again, at most most. */
int http_timeout(struct http *h, int most);
/* No new connections; replies close theirs. */
void http_quiesce(struct http *h);
/* Requests that are not yet answered. */
size_t http_busy(const struct http *h);

#endif
