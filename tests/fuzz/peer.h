/* SPDX-License-Identifier: MIT */
/* A service that gives every request one answer, and a client of it. */
#ifndef SV_FUZZ_PEER_H
#define SV_FUZZ_PEER_H

#include <starverse.h>
#include "fuzz.h"

struct answer {
	int status;
	const struct sv_header *headers; /* up to one without a name */
	const uint8_t *body;
	size_t size;
};

static inline void peer_handle(void *data, struct sv_xfer *x)
{
	const struct answer *a = data;

	(void)sv_mem_reply(x, a->status, a->headers, a->body, a->size);
}

static inline sv_client *client_of(struct answer *a)
{
	struct sv_config *config = sv_config_new();
	struct sv_transport *t = sv_transport_mem(peer_handle, a);
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

#endif
