/* SPDX-License-Identifier: MIT */
/* A transport that records what is sent and answers by a script, and a clock that waits for nobody:
 * time passes where the engine waits. One at a time. */
#ifndef SV_TEST_WIRE_H
#define SV_TEST_WIRE_H

#include <starverse.h>

#define WIRE_MOST 256

struct wire_request {
	char method[16], url[1024], body[4096], socket[128];
	char headers[2048]; /* "Name: value\n" each */
	int64_t at;         /* milliseconds of the test's clock */
	int timeout_ms, once;
};

struct wire {
	struct sv_transport base;
	struct wire_request sent[WIRE_MOST];
	size_t n_sent;
	size_t n_script, next;
	int woken;
	/* Called before each answer is given; NULL for none. */
	void (*before)(void *data, struct wire *w, struct sv_xfer *x);
	void *data;
};

/* Milliseconds since the test's clock began. */
extern int64_t wire_now;

/* A client with endpoint http://api.test, key "sk_test", 4 retries, no spool; ended by
 * sv_client_free(). *ret_wire is its transport. configure (or NULL) changes the configuration
 * before. */
sv_client *wire_client(struct wire **ret_wire, void (*configure)(struct sv_config *c));
/* The next answer. headers: "Name: value\n..." or NULL (then Content-Type: application/json). */
void wire_reply(struct wire *w, int status, const char *headers, const char *body);
/* The next exchange ends without an answer: code such as SV_NET. */
void wire_lose(struct wire *w, int code, int sent, int final);
/* The next exchange never ends by itself. */
void wire_hang(struct wire *w);
/* The next 2xx body comes in these pieces (for sinks), each NULL-ended; then the connection ends
 * with code. */
void wire_pieces(struct wire *w, const char *headers, const char *const *pieces, int code);
/* The value of a header of the i-th request, "" when there is none; in a static buffer. */
const char *wire_header(const struct wire *w, size_t i, const char *name);

#endif
