/* SPDX-License-Identifier: MIT */
/* What http.c, http-exchange.c and listen.c share. */
#ifndef SV_LOCAL_HTTP_INSIDE_H
#define SV_LOCAL_HTTP_INSIDE_H

#include <microhttpd.h>

#include "local/feed.h"
#include "local/http.h"

/* First member of what hangs on our epoll. */
enum source { SOURCE_MHD, SOURCE_LISTENER, SOURCE_EXCHANGE };

struct listener {
	enum source source;
	int fd, tls, unix_socket;
	struct gate gate;
	char instance[64];
	size_t connections;
	int closed; /* freed when its last connection is gone */
	struct listener *next;
};

struct connection {
	struct listener *listener;
	int fd;
	int foreign;   /* the peer is another user */
	int64_t since; /* of the last whole request, or of the connection */
	int busy;      /* a request is being handled */
	struct connection *next, *prev;
};

enum state { READING, COMMITTING, WAITING, STREAMING, ANSWERED, GONE };

/* One request and its answer. */
struct exchange {
	enum source source;
	struct http *h;
	struct MHD_Connection *mhd;
	struct connection *c;
	enum state state;
	struct request rq;
	struct reply rp;
	char *uri;
	struct sv_buf body;
	int too_large, handled, watched;
	unsigned undone;
	struct waiter waiter;
	struct sv_buf out; /* of the stream */
	size_t out_at;
	struct exchange *next; /* in the list of those that wait for the commit */
};

struct http {
	enum source source;
	struct platform *p;
	struct MHD_Daemon *plain, *tls;
	int ep;
	size_t n_connections, most, busy;
	struct listener *listeners, *accepting;
	struct connection *connections;
	struct exchange *committing;
	int full, quiet, more;
	int64_t sweep_at;
};

/* listen.c */
void listeners_watch(struct http *h, int on);
/* Ends a listener; it stays until its last connection is gone. */
void listener_stop(struct http *h, struct listener *l);
void listener_free(struct http *h, struct listener *l);
void listener_accept(struct http *h, struct listener *l);
/* Closes slow senders and idle connections. */
void connections_sweep(struct http *h, int64_t now);
void connection_notify(void *cls, struct MHD_Connection *mhd, void **context,
	enum MHD_ConnectionNotificationCode code);

/* http-exchange.c: MHD's callbacks. */
void *exchange_begin(void *cls, const char *uri, struct MHD_Connection *mhd);
enum MHD_Result exchange_serve(void *cls, struct MHD_Connection *mhd, const char *url,
	const char *method, const char *version, const char *upload, size_t *upload_size,
	void **context);
void exchange_completed(void *cls, struct MHD_Connection *mhd, void **context,
	enum MHD_RequestTerminationCode code);
void exchange_resume(struct exchange *x);

#endif
