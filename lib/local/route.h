/* SPDX-License-Identifier: MIT */
/* (method, path) -> verb, by the same rows as the client's. */
#ifndef SV_LOCAL_ROUTE_H
#define SV_LOCAL_ROUTE_H

#include <starverse/kind.h>

#define ROUTE_SEGMENTS 8
#define ROUTE_TEXT     512 /* bytes of all decoded segments: an id is short */

struct routes;

/* A path, cut and decoded once. */
struct path {
	size_t n;
	const char *segments[ROUTE_SEGMENTS];
	char text[ROUTE_TEXT];
};

struct route_match {
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	const char *id; /* the path's argument, in struct path, or NULL */
	char allow[40]; /* when only the method is wrong: "GET, POST"; else "" */
};

int routes_new(struct routes **ret);
void routes_free(struct routes *r);
/* Refuses what is no absolute path, empty segments, NUL, ".", "..", malformed escapes: SV_INVALID
 * with a message. */
int path_cut(const char *path, struct path *ret, struct sv_error *err);
/* method: enum sv_method. 1 when found; a literal segment wins over an argument. */
int routes_find(
	const struct routes *r, int method, const struct path *path, struct route_match *ret);
/* "GET" -> SV_GET (HEAD too), 0 for what the contract does not use. */
int route_method(const char *method);

#endif
