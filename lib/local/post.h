/* SPDX-License-Identifier: MIT */
/* What is sent to an address outside, and what came of it. Who sends is the daemon's: courier.h. */
#ifndef SV_LOCAL_POST_H
#define SV_LOCAL_POST_H

#include <stddef.h>

#define POST_HEADERS 8

struct post_header {
	const char *name, *value;
};

/* Borrowed for the length of the call. */
struct post {
	const char *url;
	struct post_header headers[POST_HEADERS]; /* ended by a NULL name */
	const char *body;
	size_t body_len;
};

struct post_result {
	int status;          /* HTTP status, 0: no answer came */
	const char *message; /* why not */
	const char *body;    /* the beginning of what was answered, or NULL */
};

/* Called once, from the daemon's loop. */
typedef void post_done(void *data, const struct post_result *result);

#endif
