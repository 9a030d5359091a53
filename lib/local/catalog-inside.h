/* SPDX-License-Identifier: MIT */
/* The catalogue as its own files see it. */
#ifndef SV_LOCAL_CATALOG_INSIDE_H
#define SV_LOCAL_CATALOG_INSIDE_H

#include "local/catalog.h"
#include "model/yaml.h"

struct catalog_item {
	const struct sv_kind *kind;
	void *obj;          /* a root */
	const char *source; /* a user's own folder, in obj's memory, or NULL */
	const struct sv_node *node;
};

struct catalog {
	struct catalog_settings *settings; /* a root */
	struct catalog_item *items;
	size_t n, cap;
	char *library;
};

struct catalog_item *catalog_find(
	const struct catalog *c, const struct sv_kind *kind, const char *name);
const char *catalog_name(const struct catalog_item *item);
/* What rows cannot say: names, references, counts. SV_INVALID with the place in *err. */
int catalog_check(const struct catalog *c, const struct sv_yaml *y, struct sv_error *err);

#endif
