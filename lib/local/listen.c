/* SPDX-License-Identifier: MIT */
/* Listening sockets and their connections. They are accepted here, so that any number of sockets
 * share one MHD daemon and a peer is known before its first byte is read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/http-inside.h"

#define IDLE_MS    60000 /* a connection that has brought no whole request for so long is closed */
#define SWEEP_MS   1000
#define ACCEPT_MAX 256 /* in one turn */

void listeners_watch(struct http *h, int on)
{
	for (struct listener *l = h->listeners; l; l = l->next) {
		struct epoll_event ev = { .events = on ? EPOLLIN : 0, .data.ptr = l };

		if (l->fd >= 0)
			epoll_ctl(h->ep, EPOLL_CTL_MOD, l->fd, &ev);
	}
	h->full = !on;
}

void listener_free(struct http *h, struct listener *l)
{
	struct listener **at;

	for (at = &h->listeners; *at && *at != l; at = &(*at)->next)
		;
	if (*at)
		*at = l->next;
	sv_mfree(l);
}

static void connected(struct http *h, struct MHD_Connection *mhd, void **context)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct connection *c = sv_malloc(sizeof(*c));
	struct ucred peer;
	socklen_t len = sizeof(peer);

	*context = c;
	if (!c)
		return;
	memset(c, 0, sizeof(*c));
	c->listener = h->accepting;
	c->fd = info ? info->connect_fd : -1;
	c->since = sv_mono_ms();
	/* Inside an instance the peer is whoever its user namespace makes of it; there the token
	 * decides. */
	if (c->listener->unix_socket && !*c->listener->instance)
		c->foreign = getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) ||
			     (peer.uid != geteuid() && peer.uid != 0);
	c->listener->connections++;
	c->next = h->connections;
	if (c->next)
		c->next->prev = c;
	h->connections = c;
	h->n_connections++;
}

static void disconnected(struct http *h, struct connection *c)
{
	if (!c)
		return;
	if (c->next)
		c->next->prev = c->prev;
	*(c->prev ? &c->prev->next : &h->connections) = c->next;
	h->n_connections--;
	if (!--c->listener->connections && c->listener->closed)
		listener_free(h, c->listener);
	sv_mfree(c);
	if (h->full && !h->quiet && h->n_connections < h->most)
		listeners_watch(h, 1);
}

void connection_notify(void *cls, struct MHD_Connection *mhd, void **context,
	enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		connected(cls, mhd, context);
	else
		disconnected(cls, *context);
}

void listener_accept(struct http *h, struct listener *l)
{
	for (int i = 0; i < ACCEPT_MAX; i++) {
		struct sockaddr_storage addr;
		socklen_t len = sizeof(addr);
		int fd;

		if (h->n_connections >= h->most) {
			listeners_watch(h, 0);
			return;
		}
		fd = accept4(l->fd, (struct sockaddr *)&addr, &len, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0) {
			/* Out of descriptors: the backlog keeps them until one is closed. */
			if (errno == EMFILE || errno == ENFILE)
				listeners_watch(h, 0);
			return;
		}
		h->accepting = l;
		if (len < sizeof(sa_family_t) + 1)
			addr.ss_family = AF_UNIX;
		MHD_add_connection(l->tls ? h->tls : h->plain, fd, (struct sockaddr *)&addr, len);
		h->accepting = NULL;
	}
}

/* Slow senders and idle ones; those whose request is being handled are ours to wait for. */
void connections_sweep(struct http *h, int64_t now)
{
	if (now < h->sweep_at)
		return;
	h->sweep_at = now + SWEEP_MS;
	for (struct connection *c = h->connections; c; c = c->next)
		if (!c->busy && now - c->since > IDLE_MS)
			shutdown(c->fd, SHUT_RDWR);
	if (h->full && !h->quiet && h->n_connections < h->most)
		listeners_watch(h, 1);
}

int http_listen(struct http *h, int fd, const struct gate *gate, int tls, const char *instance)
{
	struct listener *l = sv_malloc(sizeof(*l));
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = l };

	if (!l)
		return SV_NOMEM;
	memset(l, 0, sizeof(*l));
	l->source = SOURCE_LISTENER;
	l->fd = fd;
	l->tls = tls;
	l->unix_socket = !gate;
	if (gate)
		l->gate = *gate;
	snprintf(l->instance, sizeof(l->instance), "%s", instance ? instance : "");
	if (epoll_ctl(h->ep, EPOLL_CTL_ADD, fd, &ev)) {
		sv_mfree(l);
		return SV_IO;
	}
	l->next = h->listeners;
	h->listeners = l;
	return SV_OK;
}

void listener_stop(struct http *h, struct listener *l)
{
	if (l->fd >= 0) {
		epoll_ctl(h->ep, EPOLL_CTL_DEL, l->fd, NULL);
		close(l->fd);
	}
	l->fd = -1;
	l->closed = 1;
	if (!l->connections)
		listener_free(h, l);
}

void http_unlisten(struct http *h, const char *instance)
{
	for (struct listener *l = h->listeners, *next; l; l = next) {
		next = l->next;
		if (!strcmp(l->instance, instance))
			listener_stop(h, l);
	}
}
