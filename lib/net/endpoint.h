/* SPDX-License-Identifier: MIT */
/* Where requests go: an endpoint as a person writes it, taken apart strictly. */
#ifndef SV_NET_ENDPOINT_H
#define SV_NET_ENDPOINT_H

#include <starverse/error.h>

struct sv_endpoint {
	char base[1024];  /* "https://host:port/prefix", no slash at the end; "" for local: */
	char socket[112]; /* of unix:, "@name" for abstract ones; "" for none */
	char shown[300];  /* for messages: "host:port", "unix:/path", "local" */
	int local;        /* 1: the local platform, which is started when it does not answer */
};

/* https, http, unix: and local: alone; user information, query and fragment are refused, and never
 * repeated in the message. SV_OK or SV_CONFIG. */
int sv_endpoint_parse(const char *text, struct sv_endpoint *ret, struct sv_error *err);
/* Connects by a Unix socket from now on. SV_CONFIG when the path is too long. */
int sv_endpoint_socket(struct sv_endpoint *e, const char *path, struct sv_error *err);

#endif
