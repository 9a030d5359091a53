/* SPDX-License-Identifier: MIT */
/* What a client holds. Known to net, which uses it, and to api, which makes it. */
#ifndef SV_NET_CLIENT_H
#define SV_NET_CLIENT_H

#include <starverse/client.h>
#include <starverse/config.h>

#include "net/endpoint.h"

struct sv_request;

/* What the layer above does for this one. Each may be NULL. */
struct sv_client_hooks {
	/* The API key as it is kept; *ret NULL when there is none. Ended by sv_mfree() after
	 * wiping. */
	int (*key)(sv_client *c, char **ret, const char **source, struct sv_error *err);
	/* Writes down a keyed call before its first byte leaves; *ret is handed to settle. */
	int (*spool)(sv_client *c, const struct sv_request *r, void **ret, struct sv_error *err);
	/* The call has ended; final: its outcome is known. */
	void (*settle)(sv_client *c, void *slot, int final);
};

struct sv_client {
	struct sv_config *config;
	struct sv_endpoint endpoint;
	struct sv_client_hooks hooks;
	struct sv_transport
		*transport; /* NULL until the first request; read by sv_wakeup() from any thread */
	struct sv_error error;
	char *key; /* cleaned, or NULL until it is needed */
	int64_t skew; /* seconds that our clock is ahead */
	int skew_known;
	char next_key[129];
	sv_op *first, *last; /* every op that sv_finish() has not ended */
	sv_op *ready;        /* ended, done not called yet */
	sv_op **ready_tail;
	int flying;             /* ops whose done was not called */
	int woken;              /* atomic: sv_wakeup() came while there was no transport */
	struct sv_spawn *spawn; /* the local platform being started */
	int spawned;            /* it was tried since the last answer */
	char spawn_said[300];   /* why it did not start */
	void (*trace)(void *data, const char *line);
	void *trace_data;
	int (*interrupt)(void *data);
	void *interrupt_data;
	sv_watch *watch; /* foreign event loop */
	void (*timer)(void *data, int64_t ms);
	void *loop_data;
	int64_t transport_due;  /* when the transport wants sv_act(), -1 for never */
	int64_t told_due;       /* what the foreign loop was told last */
	int64_t (*clock)(void); /* monotonic milliseconds; tests step it */
};

/* The transport, made at the first need. SV_OK or a code with *err. */
int sv_client_transport(sv_client *c, struct sv_error *err);
/* Makes a transport of libcurl: the module, or the code itself where it is linked in. */
int sv_curl_load(struct sv_transport **ret, struct sv_error *err);
/* Cancels and ends every op, the transport and what is being started. */
void sv_client_end(sv_client *c);

#endif
