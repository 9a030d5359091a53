/* SPDX-License-Identifier: MIT */
/* The HTTP server: libmicrohttpd, polled from outside in the daemon's one thread, since another
 * thread would make unshare() and setns() fail. Nothing but http*.c and listen.c knows it. */
#include "local/http.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/http-inside.h"

#define N_EVENTS 256

static void add_daemon(struct http *h, struct MHD_Daemon *d)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_EPOLL_FD);
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = h };

	epoll_ctl(h->ep, EPOLL_CTL_ADD, info->epoll_fd, &ev);
}

static struct MHD_Daemon *start(struct http *h, const char *cert, const char *key)
{
	struct MHD_OptionItem tls[] = { { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)cert },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)key },
		{ MHD_OPTION_END, 0, NULL } };
	struct MHD_OptionItem none[] = { { MHD_OPTION_END, 0, NULL } };
	unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;

	return MHD_start_daemon(flags | (cert ? MHD_USE_TLS : 0), 0, NULL, NULL, exchange_serve, h,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)h->most + 8, MHD_OPTION_NOTIFY_COMPLETED,
		exchange_completed, h, MHD_OPTION_NOTIFY_CONNECTION, connection_notify, h,
		MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, h, MHD_OPTION_ARRAY, cert ? tls : none,
		MHD_OPTION_END);
}

int http_open(struct platform *p, size_t connections, struct http **ret, char *message, size_t size)
{
	struct http *h = sv_malloc(sizeof(*h));

	if (!h)
		return SV_NOMEM;
	memset(h, 0, sizeof(*h));
	h->source = SOURCE_MHD;
	h->p = p;
	h->most = connections;
	h->ep = epoll_create1(EPOLL_CLOEXEC);
	h->plain = h->ep >= 0 ? start(h, NULL, NULL) : NULL;
	if (!h->plain) {
		snprintf(message, size, "the HTTP server cannot be started");
		http_close(h);
		return SV_IO;
	}
	add_daemon(h, h->plain);
	*ret = h;
	return SV_OK;
}

int http_tls(struct http *h, const char *cert, const char *key, char *message, size_t size)
{
	h->tls = MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES ? start(h, cert, key) : NULL;
	if (!h->tls) {
		snprintf(message, size,
			"TLS cannot be started: the certificate and the key do not fit, or are no "
			"PEM");
		return SV_CONFIG;
	}
	add_daemon(h, h->tls);
	return SV_OK;
}

int http_fd(const struct http *h)
{
	return h->ep;
}

static void run(struct http *h)
{
	h->more = 0;
	MHD_run(h->plain);
	if (h->tls)
		MHD_run(h->tls);
}

void http_run(struct http *h)
{
	struct epoll_event ev[N_EVENTS];
	int n = epoll_wait(h->ep, ev, N_EVENTS, 0);

	for (int i = 0; i < n; i++) {
		struct exchange *x = ev[i].data.ptr;

		/* Its peer has closed: let MHD come round to it and end it. */
		if (*(enum source *)ev[i].data.ptr == SOURCE_EXCHANGE && x->state != GONE) {
			x->state = GONE;
			feed_leave(h->p->feed, &x->waiter);
			exchange_resume(x);
		}
	}
	for (int i = 0; i < n; i++)
		if (*(enum source *)ev[i].data.ptr == SOURCE_LISTENER && !h->quiet)
			listener_accept(h, ev[i].data.ptr);
	run(h);
	connections_sweep(h, sv_mono_ms());
}

void http_answer(struct http *h)
{
	struct exchange *x;
	struct waiter *w;
	int64_t now = sv_mono_ms();

	while ((x = h->committing)) {
		h->committing = x->next;
		x->next = NULL;
		exchange_resume(x);
	}
	while ((w = feed_ready(h->p->feed, now)))
		exchange_resume(w->owner);
	if (h->more)
		run(h);
}

static int daemon_timeout(struct MHD_Daemon *d, int most)
{
	MHD_UNSIGNED_LONG_LONG ms;

	return d && MHD_get_timeout(d, &ms) == MHD_YES && ms < (unsigned)most ? (int)ms : most;
}

int http_timeout(struct http *h, int most)
{
	if (h->more || h->committing)
		return 0;
	return feed_timeout(
		h->p->feed, sv_mono_ms(), daemon_timeout(h->tls, daemon_timeout(h->plain, most)));
}

void http_quiesce(struct http *h)
{
	if (h->quiet)
		return;
	h->quiet = 1;
	for (struct listener *l = h->listeners, *next; l; l = next) {
		next = l->next;
		listener_stop(h, l);
	}
	if (h->p->feed)
		feed_release(h->p->feed);
}

size_t http_busy(const struct http *h)
{
	return h->busy;
}

void http_close(struct http *h)
{
	struct exchange *x;
	struct waiter *w;

	if (!h)
		return;
	if (h->plain) {
		http_quiesce(h);
		/* MHD aborts when it is stopped over a suspended connection. */
		while ((x = h->committing)) {
			h->committing = x->next;
			x->next = NULL;
			x->state = GONE;
			exchange_resume(x);
		}
		while (h->p->feed && (w = feed_ready(h->p->feed, sv_mono_ms()))) {
			((struct exchange *)w->owner)->state = GONE;
			exchange_resume(w->owner);
		}
		run(h);
		MHD_stop_daemon(h->plain);
	}
	if (h->tls)
		MHD_stop_daemon(h->tls);
	while (h->listeners)
		listener_free(h, h->listeners);
	if (h->ep >= 0)
		close(h->ep);
	sv_mfree(h);
}
