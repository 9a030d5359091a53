/* SPDX-License-Identifier: MIT */
/* Sends what the local platform's webhooks send. Standard input is a socket of packets: one JSON
 * object in for each thing to send, one out with what came of it. It ends when the other end does.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <starverse/kind.h>
#include <starverse/transport.h>

#include "base/arena.h"
#include "base/err.h"
#include "kinds/common.h"
#include "kinds/kinds.h"
#include "net/client.h"

#define PACKET_MAX 65536
#define REPLY_MAX  2000  /* of what was answered, so much is told */
#define CONNECT_MS 5000
#define TOTAL_MS   10000
#define PUMP_MS    20
#define HEADERS    16

struct errand {
	struct sv_xfer x;
	struct sv_header headers[HEADERS + 1];
	struct sv_parcel *parcel;
	struct errand *next, **over; /* what is done is told later: never from inside pump */
};

static void tell(const struct errand *e)
{
	struct sv_receipt *r = sv_new(&sv_receipt_kind);
	char *text = NULL, reply[REPLY_MAX + 1];

	if (!r)
		return;
	snprintf(reply, sizeof(reply), "%s", e->x.status && e->x.reply ? e->x.reply : "");
	r->id = e->parcel->id;
	r->status = e->x.status;
	r->message = e->x.message;
	r->body = reply;
	if (!sv_to_json(&sv_receipt_kind, r, SV_WALK_CREATE, 0, &text))
		send(STDIN_FILENO, text, strlen(text), MSG_NOSIGNAL);
	sv_free_text(text);
	sv_free(r);
}

static void done(struct sv_xfer *x)
{
	struct errand *e = x->data;

	e->next = *e->over;
	*e->over = e;
}

static void fill(struct errand *e, struct errand **over)
{
	const struct sv_map *h = &e->parcel->headers;

	for (size_t i = 0; i < h->n && i < HEADERS; i++)
		e->headers[i] = (struct sv_header){ h->keys[i], h->values[i] };
	e->over = over;
	e->x = (struct sv_xfer){ .method = "POST",
		.url = e->parcel->url ? e->parcel->url : "",
		.headers = e->headers,
		.body = e->parcel->body ? e->parcel->body : "",
		.body_len = e->parcel->body ? strlen(e->parcel->body) : 0,
		.ceiling = PACKET_MAX,
		.connect_timeout_ms = CONNECT_MS,
		.timeout_ms = TOTAL_MS,
		.once = 1,
		.done = done,
		.data = e };
}

static void begin(struct sv_transport *t, const char *text, size_t len, struct errand **over)
{
	struct errand *e = sv_malloc(sizeof(*e));

	if (!e)
		return;
	memset(e, 0, sizeof(*e));
	if (sv_from_json(&sv_parcel_kind, text, len, (void **)&e->parcel, NULL)) {
		sv_mfree(e);
		return;
	}
	fill(e, over);
	if (t->ops->start(t, &e->x)) {
		if (!e->x.message[0])
			snprintf(e->x.message, sizeof(e->x.message), "it cannot be sent");
		done(&e->x);
	}
}

static void tell_all(struct sv_transport *t, struct errand **over)
{
	while (*over) {
		struct errand *e = *over;

		*over = e->next;
		tell(e);
		t->ops->cancel(t, &e->x);
		sv_free(e->parcel);
		sv_mfree(e);
	}
}

/* 1 while the other end is there. */
static int receive(struct sv_transport *t, int wait_ms, struct errand **over)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	char text[PACKET_MAX];
	ssize_t n;

	if (poll(&p, 1, wait_ms) <= 0)
		return 1;
	n = recv(STDIN_FILENO, text, sizeof(text), MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n > 0)
		begin(t, text, (size_t)n, over);
	return n > 0;
}

int main(void)
{
	struct sv_transport *t = NULL;
	struct sv_error err;
	struct errand *over = NULL;
	int flying = 0;

	sv_err_clear(&err);
	if (sv_curl_load(&t, &err)) {
		fprintf(stderr, "svctl-courier: %s\n", err.message);
		return 1;
	}
	while (receive(t, flying || over ? 0 : -1, &over)) {
		flying = t->ops->pump(t, PUMP_MS);
		tell_all(t, &over);
	}
	return 0;
}
