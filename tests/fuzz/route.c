/* SPDX-License-Identifier: MIT */
/* What a peer may ask of the platform: "METHOD PATH\n" and the body. Every request has an answer of
 * the contract: below 500, and a problem with its code where it was refused. */
#include <starverse.h>
#include <starverse/local.h>
#include "fuzz.h"

struct said {
	int status, calls;
	char *body;
};

static void done(struct sv_xfer *x)
{
	struct said *s = x->data;

	s->calls++;
	s->status = x->result == SV_OK ? x->status : 0;
	s->body = x->reply ? strdup(x->reply) : NULL;
}

/* A request as the platform's own server would hand it over, with the account's key. */
static void ask(
	struct sv_transport *t, const char *key, const char *line, const uint8_t *body, size_t size)
{
	char method[8], path[512], url[600], bearer[256];
	struct sv_header headers[] = { { "Authorization", bearer },
		{ "Content-Type", "application/json" }, { "Idempotency-Key", "fuzz-key-1" },
		{ NULL, NULL } };
	struct said s = { 0, 0, NULL };
	struct sv_xfer x;

	if (sscanf(line, "%7s %511s", method, path) != 2 || path[0] != '/')
		return;
	snprintf(bearer, sizeof(bearer), "Bearer %s", key);
	snprintf(url, sizeof(url), "http://local%s", path);
	memset(&x, 0, sizeof(x));
	x.method = method;
	x.url = url;
	x.headers = headers;
	x.body = size ? body : NULL;
	x.body_len = size;
	x.ceiling = 1 << 20;
	x.done = done;
	x.data = &s;
	if (t->ops->start(t, &x) != SV_OK)
		return;
	for (int i = 0; i < 100 && !s.calls; i++)
		t->ops->pump(t, 10);
	t->ops->cancel(t, &x);
	always(s.calls <= 1);
	if (s.calls) {
		if (s.status < 400)
			came_deep();
		always(s.status >= 200 && (s.status < 500 || s.status == 503 || s.status == 501));
		always(s.status < 400 || (s.body && strstr(s.body, "\"code\"")));
	}
	free(s.body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[640];
	size_t at = first_line(data, size, line, sizeof(line));
	const char *key = NULL;
	struct sv_transport *t;
	sv_local *l = NULL;

	if (!size || strlen(line) + (data[at - 1] == '\n') != at)
		return 0;
	always(sv_local_open(NULL, &l, NULL, 0) == SV_OK);
	always(sv_local_register(l, "fuzz@example.org", &key) == SV_OK);
	t = sv_local_transport(l);
	always(t != NULL);
	ask(t, key, line, data + at, size - at);
	always(sv_local_step(l, 60) == SV_OK);
	t->ops->free(t);
	sv_local_close(l);
	return 0;
}
