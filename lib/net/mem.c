/* SPDX-License-Identifier: MIT */
/* A transport without a wire: a function of this process answers. */
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "starverse/transport.h"

struct mem {
	struct sv_transport base;
	void (*handle)(void *data, struct sv_xfer *x);
	void *data;
	struct answer *first, **tail; /* exchanges not answered yet */
	int wake;
};

/* x->state while the exchange or its reply lives. */
struct answer {
	struct answer *next;
	struct sv_xfer *x;
	struct sv_arena *arena;
	int replied, queued;
};

static void unqueue(struct mem *m, struct answer *a)
{
	struct answer **at = &m->first;

	while (*at && *at != a)
		at = &(*at)->next;
	if (*at)
		*at = a->next;
	if (!*at)
		m->tail = at;
	a->queued = 0;
}

static void cancel(struct sv_transport *t, struct sv_xfer *x)
{
	struct answer *a = x->state;

	if (!a)
		return;
	if (a->queued)
		unqueue((struct mem *)t, a);
	sv_arena_free(a->arena);
	sv_mfree(a);
	x->state = NULL;
	x->reply = NULL;
	x->reply_headers = NULL;
	x->reply_len = 0;
}

static int start(struct sv_transport *t, struct sv_xfer *x)
{
	struct mem *m = (struct mem *)t;
	struct answer *a;

	cancel(t, x);
	a = sv_malloc(sizeof(*a));
	if (!a)
		return SV_NOMEM;
	*a = (struct answer){ .x = x, .queued = 1, .arena = sv_arena_new((size_t)1 << 30) };
	if (!a->arena) {
		sv_mfree(a);
		return SV_NOMEM;
	}
	x->state = a;
	*m->tail = a;
	m->tail = &a->next;
	return SV_OK;
}

static const struct sv_header *copy_headers(struct sv_arena *arena, const struct sv_header *from)
{
	struct sv_header *to;
	size_t n = 0;

	while (from && from[n].name)
		n++;
	to = sv_arena_alloc(arena, (n + 1) * sizeof(*to));
	for (size_t i = 0; to && i < n; i++) {
		to[i].name = sv_arena_strdup(arena, from[i].name);
		to[i].value = sv_arena_strdup(arena, from[i].value);
		if (!to[i].name || !to[i].value)
			return NULL;
	}
	return to;
}

int sv_mem_reply(struct sv_xfer *x, int status, const struct sv_header *headers, const void *body,
	size_t len)
{
	struct answer *a = x->state;

	x->status = status;
	x->reply_headers = copy_headers(a->arena, headers);
	x->reply = sv_arena_strndup(a->arena, body ? body : "", body ? len : 0);
	if (!x->reply || !x->reply_headers) {
		x->reply = NULL;
		return SV_NOMEM;
	}
	x->reply_len = body ? len : 0;
	a->replied = 1;
	return SV_OK;
}

static void fail(struct sv_xfer *x, int code, const char *why)
{
	x->result = code;
	x->reply = NULL;
	x->reply_len = 0;
	memcpy(x->message, why, strlen(why) + 1);
}

static void answer(struct mem *m, struct answer *a)
{
	struct sv_xfer *x = a->x;

	x->sent = 1;
	m->handle(m->data, x);
	if (!a->replied && !x->result)
		fail(x, SV_NET, "no answer came");
	else if (!x->result && x->sink && x->status >= 200 && x->status < 300) {
		if (x->sink(x, x->reply, x->reply_len))
			fail(x, SV_CANCELED, "given up");
		x->reply_len = 0;
	} else if (!x->result && x->ceiling && x->reply_len > x->ceiling) {
		fail(x, SV_PROTO, "the answer is too large");
	}
	x->done(x);
}

static int in_flight(const struct mem *m)
{
	int n = 0;

	for (const struct answer *a = m->first; a; a = a->next)
		n++;
	return n;
}

static int pump(struct sv_transport *t, int timeout_ms)
{
	struct mem *m = (struct mem *)t;
	struct pollfd p = { .fd = m->wake, .events = POLLIN };
	uint64_t woken;
	/* What handle and done start is for the next turn. */
	int n = in_flight(m);

	if (poll(&p, 1, n ? 0 : timeout_ms) > 0 && read(m->wake, &woken, sizeof(woken)) < 0)
		return n;
	for (; n && m->first; n--) {
		struct answer *a = m->first;

		unqueue(m, a);
		answer(m, a);
	}
	return in_flight(m);
}

static void wakeup(struct sv_transport *t)
{
	uint64_t one = 1;

	if (write(((struct mem *)t)->wake, &one, sizeof(one)) < 0)
		return; /* full: it wakes anyway */
}

static void mem_free(struct sv_transport *t)
{
	struct mem *m = (struct mem *)t;

	while (m->first)
		cancel(t, m->first->x);
	close(m->wake);
	sv_mfree(m);
}

struct sv_transport *sv_transport_mem(void (*handle)(void *data, struct sv_xfer *x), void *data)
{
	static const struct sv_transport_ops ops = {
		.start = start, .pump = pump, .cancel = cancel, .wakeup = wakeup, .free = mem_free
	};
	struct mem *m = sv_malloc(sizeof(*m));

	if (!m)
		return NULL;
	*m = (struct mem){ .base = { &ops }, .handle = handle, .data = data };
	m->tail = &m->first;
	m->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (m->wake < 0) {
		sv_mfree(m);
		return NULL;
	}
	return &m->base;
}
