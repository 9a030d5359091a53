/* SPDX-License-Identifier: MIT */
/* Verb, arguments and object -> method, URL, headers, body. Escaping lives here and nowhere else.
 */
#ifndef SV_NET_REQUEST_H
#define SV_NET_REQUEST_H

#include <starverse/kind.h>
#include <starverse/transport.h>

struct sv_arena;

/* What is asked for: a verb with its arguments, or a method with a path as it is. */
struct sv_request_spec {
	const struct sv_verb *verb;
	const char *const *args;          /* NULL-ended, or NULL */
	const void *in;                   /* query for GET, else body; or NULL */
	const char *cursor;               /* takes the place of the query's own, or NULL */
	const char *extra;                /* added to the query as it is, or NULL */
	const char *method, *path, *body; /* without a verb */
};

#define SV_MAX_HEADERS 24

struct sv_request {
	struct sv_arena *arena; /* holds all of it; wiped */
	const struct sv_verb *verb;
	const char *method;
	const char *url;
	const char *path; /* with its query, without the endpoint: for the spool and messages */
	const char *body; /* or NULL */
	size_t body_len;
	const char *name; /* the body's name, or NULL */
	const char *accept;
	int keyed, repeatable, open; /* sent with a key; may be sent twice; needs no API key */
	char key[129];
	struct sv_header headers[SV_MAX_HEADERS];
	size_t n_headers;
};

/* base is the endpoint's. r is zeroed by the caller and ended by sv_request_free(), also after a
 * failure. */
int sv_request_build(struct sv_request *r, const char *base, const struct sv_request_spec *spec,
	struct sv_error *err);
void sv_request_free(struct sv_request *r);
/* Adds a header, or changes the one there is; value is copied. */
int sv_request_header(struct sv_request *r, const char *name, const char *value);

#endif
