/* SPDX-License-Identifier: MIT */
/* The handle: a copy of the configuration, an endpoint, and what the engine needs. */
#include <string.h>

#include "api/config.h"
#include "api/spool.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/time.h"
#include "net/client.h"

static int key(sv_client *c, char **ret, const char **source, struct sv_error *err)
{
	return sv_config_key(c->config, ret, source, err);
}

static int find_endpoint(sv_client *c)
{
	int r = sv_endpoint_parse(
		c->config->endpoint ? c->config->endpoint : "local:", &c->endpoint, &c->error);

	if (!r && c->endpoint.local && c->config->local_socket)
		r = sv_endpoint_socket(&c->endpoint, c->config->local_socket, &c->error);
	return r;
}

static int fill(sv_client *c, const struct sv_config *config)
{
	int r = SV_OK;

	sv_err_clear(&c->error);
	c->ready_tail = &c->ready;
	c->clock = sv_mono_ms;
	c->transport_due = -1;
	c->told_due = INT64_MAX;
	c->hooks.key = key;
	c->hooks.spool = sv_spool_write;
	c->hooks.settle = sv_spool_settle;
	if (!config)
		r = sv_config_load(NULL, NULL, &c->config, &c->error);
	else
		c->config = sv_config_copy(config);
	if (r || !c->config)
		return r ? r : SV_NOMEM;
	sv_config_defaults(c->config);
	r = sv_config_check(c->config, &c->error);
	return r ? r : find_endpoint(c);
}

int sv_client_new_with(
	const struct sv_config *config, struct sv_transport *transport, sv_client **ret)
{
	sv_client *c = sv_malloc(sizeof(*c));
	int r = SV_NOMEM;

	if (c) {
		memset(c, 0, sizeof(*c));
		c->transport = transport;
		r = fill(c, config);
	} else if (transport) {
		transport->ops->free(transport);
	}
	if (r)
		sv_client_free(c);
	else
		*ret = c;
	return r;
}

int sv_client_new(const struct sv_config *config, sv_client **ret)
{
	return sv_client_new_with(config, NULL, ret);
}

void sv_client_free(sv_client *c)
{
	if (!c)
		return;
	sv_client_end(c);
	if (c->key)
		explicit_bzero(c->key, strlen(c->key));
	sv_mfree(c->key);
	sv_free(c->config);
	sv_mfree(c);
}

const struct sv_error *sv_client_error(const sv_client *c)
{
	return &c->error;
}

const struct sv_config *sv_client_config(const sv_client *c)
{
	return c->config;
}

void sv_client_trace(sv_client *c, void (*fn)(void *data, const char *line), void *data)
{
	c->trace = fn;
	c->trace_data = data;
}

int sv_client_skew(const sv_client *c, int64_t *seconds)
{
	if (!c->skew_known)
		return SV_UNSUPPORTED;
	*seconds = c->skew;
	return SV_OK;
}

void sv_client_interrupt(sv_client *c, int (*fn)(void *data), void *data)
{
	c->interrupt = fn;
	c->interrupt_data = data;
}

int sv_client_next_key(sv_client *c, const char *next)
{
	size_t n = strlen(next);

	for (size_t i = 0; i < n; i++)
		if (next[i] < 0x21 || next[i] > 0x7e)
			n = 0;
	if (n < 8 || n > 128)
		return sv_err(&c->error, SV_INVALID,
			"an idempotency key is 8 to 128 printable ASCII characters");
	memcpy(c->next_key, next, n + 1);
	return SV_OK;
}

const char *sv_version(void)
{
	return SV_VERSION;
}
