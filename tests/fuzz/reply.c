/* SPDX-License-Identifier: MIT */
/* What a peer may answer: "KIND VERB STATUS\n" and the body, as bytes. The call ends, with a result
 * or with an error. */
#include <starverse.h>
#include "fuzz.h"

struct answer {
	int status;
	const uint8_t *body;
	size_t size;
};

static void handle(void *data, struct sv_xfer *x)
{
	static const struct sv_header headers[] = { { "Content-Type", "application/json" },
		{ "X-Request-Id", "req_1" }, { NULL, NULL } };
	const struct answer *a = data;

	(void)sv_mem_reply(x, a->status, headers, a->body, a->size);
}

static sv_client *client_of(struct answer *a)
{
	struct sv_config *config = sv_config_new();
	struct sv_transport *t = sv_transport_mem(handle, a);
	sv_client *c = NULL;

	always(config && t);
	config->endpoint = "http://peer.invalid";
	sv_mark(config, endpoint);
	config->api_key = "key";
	sv_mark(config, api_key);
	config->retries = 0;
	sv_mark(config, retries);
	always(sv_client_new_with(config, t, &c) == SV_OK);
	sv_free(config);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const args[] = { "x_1", "x_2", NULL };
	char line[128], kind_name[64], verb_name[64];
	struct answer a = { 200, NULL, 0 };
	size_t at = first_line(data, size, line, sizeof(line));
	const struct sv_kind *kind;
	const struct sv_verb *v;
	const char *const *path;
	sv_client *c;
	void *result = NULL;
	int r;

	if (sscanf(line, "%63s %63s %3d", kind_name, verb_name, &a.status) != 3 || a.status < 100 ||
		a.status > 599)
		return 0;
	kind = sv_kind_find(kind_name);
	v = kind ? sv_verb_find(kind, verb_name) : NULL;
	if (!v || v->flags & SV_STREAM)
		return 0;
	a.body = data + at;
	a.size = size - at;
	path = strchr(v->path, '{') ? args + (strchr(strchr(v->path, '{') + 1, '{') ? 0 : 1) : NULL;
	c = client_of(&a);
	r = sv_run(c, v, path, NULL, &result);
	always(r <= 0);
	always(r == SV_OK || sv_client_error(c)->code == r);
	always(r == SV_OK || !result);
	came_deep();
	sv_free(result);
	sv_client_free(c);
	return 0;
}
