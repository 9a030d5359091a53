/* SPDX-License-Identifier: MIT */
/* The scripted transport. */
#include "wire.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/client.h"

enum step_kind { REPLY, LOSE, HANG };

struct step {
	int kind, status, code, sent, final;
	const char *headers, *body;
	const char *const *pieces;
};

struct full {
	struct wire w;
	struct step script[WIRE_MOST];
	struct pending *first;
};

struct pending {
	struct pending *next;
	struct sv_xfer *x;
	struct step step;
	int done;
	struct sv_header lines[16];
	char text[2048], *body;
};

int64_t wire_now;

static int64_t test_clock(void)
{
	return wire_now;
}

static void record(struct wire *w, const struct sv_xfer *x)
{
	struct wire_request *r = &w->sent[w->n_sent++];
	size_t n = 0;

	assert(w->n_sent <= WIRE_MOST);
	memset(r, 0, sizeof(*r));
	snprintf(r->method, sizeof(r->method), "%s", x->method);
	snprintf(r->url, sizeof(r->url), "%s", x->url);
	snprintf(r->socket, sizeof(r->socket), "%s", x->socket ? x->socket : "");
	snprintf(r->body, sizeof(r->body), "%.*s", (int)x->body_len,
		x->body ? (const char *)x->body : "");
	for (const struct sv_header *h = x->headers; h && h->name; h++)
		n += (size_t)snprintf(
			r->headers + n, sizeof(r->headers) - n, "%s: %s\n", h->name, h->value);
	r->at = wire_now;
	r->timeout_ms = x->timeout_ms;
	r->once = x->once;
}

static void cancel(struct sv_transport *t, struct sv_xfer *x)
{
	struct full *f = (struct full *)t;
	struct pending **at = &f->first, *p = x->state;

	if (!p)
		return;
	while (*at && *at != p)
		at = &(*at)->next;
	if (*at)
		*at = p->next;
	free(p->body);
	free(p);
	x->state = NULL;
}

static int start(struct sv_transport *t, struct sv_xfer *x)
{
	struct full *f = (struct full *)t;
	struct pending *p, **at = &f->first;

	cancel(t, x);
	record(&f->w, x);
	assert(f->w.next < f->w.n_script);
	p = calloc(1, sizeof(*p));
	p->x = x;
	p->step = f->script[f->w.next++];
	while (*at)
		at = &(*at)->next;
	*at = p;
	x->state = p;
	return SV_OK;
}

static void headers(struct pending *p)
{
	char *line = p->text;
	size_t n = 0;

	snprintf(p->text, sizeof(p->text), "%s",
		p->step.headers ? p->step.headers : "Content-Type: application/json\n");
	while (line && *line && n < 15) {
		char *end = strchr(line, '\n'), *colon = strchr(line, ':');

		if (end)
			*end++ = '\0';
		assert(colon);
		*colon = '\0';
		p->lines[n].name = line;
		p->lines[n++].value = colon + 2;
		line = end;
	}
	p->x->reply_headers = p->lines;
}

static void answer(struct full *f, struct pending *p)
{
	struct sv_xfer *x = p->x;

	if (f->w.before)
		f->w.before(f->w.data, &f->w, x);
	x->result = p->step.code;
	x->sent = p->step.kind == REPLY || p->step.sent;
	x->final = p->step.final;
	if (p->step.kind == LOSE)
		snprintf(x->message, sizeof(x->message), "lost by the test");
	if (p->step.kind == REPLY) {
		x->status = p->step.status;
		headers(p);
		if (!p->step.pieces && !x->sink) {
			p->body = strdup(p->step.body ? p->step.body : "");
			x->reply = p->body;
			x->reply_len = strlen(p->body);
		}
		for (const char *const *s = p->step.pieces; s && *s; s++)
			if (x->sink(x, *s, strlen(*s))) {
				x->result = SV_CANCELED;
				break;
			}
		if (!p->step.pieces && x->sink && p->step.body)
			x->sink(x, p->step.body, strlen(p->step.body));
	}
	x->done(x);
}

static int in_flight(const struct full *f)
{
	int n = 0;

	for (const struct pending *p = f->first; p; p = p->next)
		n += !p->done;
	return n;
}

static int pump(struct sv_transport *t, int timeout_ms)
{
	struct full *f = (struct full *)t;
	struct pending *p = f->first;

	while (p && (p->done || p->step.kind == HANG))
		p = p->next;
	if (p) {
		p->done = 1;
		answer(f, p);
	} else if (!f->w.woken) {
		/* Nothing will happen before: the time is over at once. */
		wire_now += timeout_ms < 0 ? 3600000 : timeout_ms;
	}
	f->w.woken = 0;
	return in_flight(f);
}

static void wake(struct sv_transport *t)
{
	((struct wire *)t)->woken = 1;
}

static void end(struct sv_transport *t)
{
	struct full *f = (struct full *)t;

	while (f->first)
		cancel(t, f->first->x);
	free(f);
}

static struct step *add(struct wire *w)
{
	assert(w->n_script < WIRE_MOST);
	return &((struct full *)w)->script[w->n_script++];
}

void wire_reply(struct wire *w, int status, const char *head, const char *body)
{
	*add(w) = (struct step){ .kind = REPLY, .status = status, .headers = head, .body = body };
}

void wire_lose(struct wire *w, int code, int sent, int final)
{
	*add(w) = (struct step){ .kind = LOSE, .code = code, .sent = sent, .final = final };
}

void wire_hang(struct wire *w)
{
	*add(w) = (struct step){ .kind = HANG };
}

void wire_pieces(struct wire *w, const char *head, const char *const *pieces, int code)
{
	*add(w) = (struct step){
		.kind = REPLY, .status = 200, .headers = head, .pieces = pieces, .code = code
	};
}

const char *wire_header(const struct wire *w, size_t i, const char *name)
{
	static char value[512];
	const char *p = w->sent[i].headers;
	size_t n = strlen(name);

	while (p && *p) {
		if (!strncasecmp(p, name, n) && p[n] == ':') {
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(p + n + 2, "\n"),
				p + n + 2);
			return value;
		}
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return "";
}

sv_client *wire_client(struct wire **ret_wire, void (*configure)(struct sv_config *c))
{
	static const struct sv_transport_ops ops = {
		.start = start, .pump = pump, .cancel = cancel, .wakeup = wake, .free = end
	};
	struct sv_config *config = sv_config_new();
	struct full *f = calloc(1, sizeof(*f));
	sv_client *c = NULL;
	int r;

	assert(config && f);
	f->w.base.ops = &ops;
	config->endpoint = "http://api.test";
	config->api_key = "sk_test";
	if (configure)
		configure(config);
	r = sv_client_new_with(config, &f->w.base, &c);
	assert(r == SV_OK);
	(void)r;
	c->clock = test_clock;
	sv_free(config);
	*ret_wire = &f->w;
	return c;
}
