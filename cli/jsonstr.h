/* SPDX-License-Identifier: MIT */
/* The strings of a JSON text, for the few places that look into one without a kind. */
#ifndef SVCTL_JSONSTR_H
#define SVCTL_JSONSTR_H

#include <stddef.h>

/* Calls string for each string member or element (key is the nearest one above) and closed at the
 * end of each object. depth 1 is the top. 0, or -1 when it is no JSON. */
struct strings {
	void (*string)(void *data, int depth, const char *key, const char *value);
	void (*closed)(void *data, int depth);
	void *data;
};
int strings_walk(const char *json, size_t len, const struct strings *s);

#endif
