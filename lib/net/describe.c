/* SPDX-License-Identifier: MIT */
/* A request as text, for who would send it by other means. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/limits.h"
#include "net/engine.h"
#include "net/stage.h"

static void text(struct sv_buf *b, const char *name, const char *value)
{
	sv_buf_fmt(b, "%s\"%s\":", b->len > 1 ? "," : "", name);
	if (value && *value)
		sv_buf_json(b, value, strlen(value));
	else
		sv_buf_str(b, "null");
}

static void headers(struct sv_buf *b, const struct sv_request *r)
{
	static const char key[] = "Bearer $STARVERSE_API_KEY";

	sv_buf_str(b, ",\"headers\":{");
	for (size_t i = 0; i < r->n_headers; i++) {
		const struct sv_header *h = &r->headers[i];
		const char *value = strcmp(h->name, "Authorization") != 0 ? h->value : key;

		sv_buf_str(b, i ? "," : "");
		sv_buf_json(b, h->name, strlen(h->name));
		sv_buf_chr(b, ':');
		sv_buf_json(b, value, strlen(value));
	}
	sv_buf_chr(b, '}');
}

static int described(sv_client *c, const struct sv_request *r, char **ret)
{
	struct sv_buf b;

	sv_buf_init(&b, SV_MAX_BODY);
	sv_buf_chr(&b, '{');
	text(&b, "method", r->method);
	text(&b, "url", r->url);
	text(&b, "socket", c->endpoint.socket);
	text(&b, "cacert", c->config->cacert);
	sv_buf_fmt(&b, ",\"insecure\":%s", c->config->insecure ? "true" : "false");
	headers(&b, r);
	text(&b, "body", r->body);
	sv_buf_chr(&b, '}');
	*ret = b.failed ? NULL : sv_xstrdup(sv_buf_text(&b));
	sv_buf_free(&b);
	return *ret ? SV_OK : sv_err(&c->error, SV_NOMEM, "out of memory");
}

int sv_describe(sv_client *c, const struct sv_verb *v, const char *const *args, const void *in,
	char **ret)
{
	const struct sv_request_spec spec = { .verb = v, .args = args, .in = in };
	struct sv_request r = { .n_headers = 0 };
	int rc = SV_OK;

	sv_err_clear(&c->error);
	*ret = NULL;
	if (!*c->endpoint.base)
		rc = sv_err(&c->error, SV_CONFIG,
			"local_socket: not set, so the local platform cannot be found");
	if (!rc)
		rc = sv_request_build(&r, c->endpoint.base, &spec, &c->error);
	if (!rc)
		rc = sv_stage_run(c, &r, &c->error);
	if (!rc)
		rc = described(c, &r, ret);
	sv_request_free(&r);
	return rc;
}
