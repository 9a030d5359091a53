/* SPDX-License-Identifier: MIT */
/* What a peer may answer: "KIND VERB STATUS\n" and the body, as bytes. The call ends, with a result
 * or with an error. */
#include "peer.h"

static const struct sv_header headers[] = { { "Content-Type", "application/json" },
	{ "X-Request-Id", "req_1" }, { NULL, NULL } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const args[] = { "x_1", "x_2", NULL };
	char line[128], kind_name[64], verb_name[64];
	struct answer a = { 200, headers, NULL, 0 };
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
