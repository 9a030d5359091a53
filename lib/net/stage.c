/* SPDX-License-Identifier: MIT */
/* The stages of a request: each adds its header, or refuses. The trace is the engine's: it is made
 * at every attempt. */
#include "net/stage.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "net/secret.h"

static int added(int r, struct sv_error *err)
{
	return r ? sv_err(err, SV_NOMEM, "out of memory") : SV_OK;
}

static int agent(sv_client *c, struct sv_request *r, struct sv_error *err)
{
	const char *own = c->config->user_agent;
	char text[256];

	for (const char *p = own; p && *p; p++)
		if (*p < 0x20 || *p > 0x7e)
			return sv_err_field(err, "user_agent", "value", "must be printable ASCII");
	snprintf(text, sizeof(text), "%.200s%slibstarverse/" SV_VERSION, own ? own : "",
		own ? " " : "");
	return added(sv_request_header(r, "User-Agent", text), err);
}

static int content(sv_client *c, struct sv_request *r, struct sv_error *err)
{
	(void)c;
	if (r->body && sv_request_header(r, "Content-Type", "application/json"))
		return added(SV_NOMEM, err);
	return added(sv_request_header(r, "Accept", r->accept), err);
}

static int find_key(sv_client *c, struct sv_error *err)
{
	const char *source = "api_key";
	char clean[SV_MAX_KEY + 1], *raw = NULL;
	int r = c->hooks.key ? c->hooks.key(c, &raw, &source, err) : SV_OK;

	if (!r && !c->hooks.key && c->config->api_key) {
		raw = sv_xstrdup(c->config->api_key);
		r = raw ? SV_OK : SV_NOMEM;
	}
	if (r || !raw)
		return r;
	r = sv_secret_clean(raw, strlen(raw), source, clean, err);
	if (!r) {
		c->key = sv_xstrdup(clean);
		r = c->key ? SV_OK : sv_err(err, SV_NOMEM, "out of memory");
	}
	explicit_bzero(clean, sizeof(clean));
	explicit_bzero(raw, strlen(raw));
	sv_mfree(raw);
	return r;
}

static int auth(sv_client *c, struct sv_request *r, struct sv_error *err)
{
	char text[SV_MAX_KEY + 16];
	int rc = c->key || r->open ? SV_OK : find_key(c, err);

	if (rc || r->open)
		return rc;
	if (c->key) {
		snprintf(text, sizeof(text), "Bearer %s", c->key);
		rc = sv_request_header(r, "Authorization", text);
		explicit_bzero(text, sizeof(text));
		return added(rc, err);
	}
	/* The local platform answers for itself what is missing; anything else needs no request to
	 * know. */
	if (c->endpoint.local || *c->endpoint.socket)
		return SV_OK;
	sv_err(err, SV_CONFIG, "no API key for profile \"%s\"",
		c->config->profile ? c->config->profile : "");
	sv_err_hint(err, "svctl login, or set STARVERSE_API_KEY");
	return SV_CONFIG;
}

static int request_id(sv_client *c, struct sv_request *r, struct sv_error *err)
{
	char id[40];

	(void)c;
	sv_random_token("req_", id);
	id[4 + 16] = '\0';
	return added(sv_request_header(r, "X-Request-Id", id), err);
}

static int idempotency_key(sv_client *c, struct sv_request *r, struct sv_error *err)
{
	if (!r->keyed)
		return SV_OK;
	if (*c->next_key)
		snprintf(r->key, sizeof(r->key), "%s", c->next_key);
	else
		sv_random_token("sv-", r->key);
	c->next_key[0] = '\0';
	return added(sv_request_header(r, "Idempotency-Key", r->key), err);
}

static int (*const stages[])(sv_client *c, struct sv_request *r, struct sv_error *err) = {
	agent,
	content,
	auth,
	request_id,
	idempotency_key,
};

int sv_stage_run(sv_client *c, struct sv_request *r, struct sv_error *err)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < sizeof(stages) / sizeof(stages[0]); i++)
		rc = stages[i](c, r, err);
	return rc;
}
