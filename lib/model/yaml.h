/* SPDX-License-Identifier: MIT */
/* YAML text -> nodes with their places -> objects by rows. The only file that knows libyaml in this
 * layer is yaml.c. */
#ifndef SV_MODEL_YAML_H
#define SV_MODEL_YAML_H

#include <starverse/kind.h>

enum sv_node_type { SV_NODE_SCALAR, SV_NODE_LIST, SV_NODE_MAP };

struct sv_node {
	int type, line, column; /* from 1 */
	int plain;              /* scalar without quotes: may be null, a number ... */
	const char *text;       /* scalar */
	const char *key;        /* where it stands in a map */
	int key_line, key_column;
	struct sv_node *child, *next; /* list, map */
	size_t begin, end, key_begin; /* characters from the start of the text, for who edits it */
	int flow;                     /* collection in brackets */
};

struct sv_yaml {
	const char *name;       /* for messages */
	struct sv_arena *arena; /* all nodes live here */
	struct sv_node **docs;  /* documents that are not empty */
	size_t n;
};

/* Reads every document. Duplicate keys, tabs, too many aliases, deep nesting, keys that are not
 * scalars: SV_INVALID with "name:line:column: ..." in *err. Ended by sv_yaml_free(), also after a
 * failure. */
int sv_yaml_read(
	struct sv_yaml *y, const char *name, const char *text, size_t len, struct sv_error *err);
void sv_yaml_free(struct sv_yaml *y);
/* The child of a map with this key, or NULL. */
struct sv_node *sv_node_get(const struct sv_node *map, const char *key);
/* Fills obj from a map by rows: every key must be a row, but the one named in skip (or NULL).
 * Scalars are typed by their row; bare numbers are in the wire's units. */
int sv_node_decode(const struct sv_yaml *y, const struct sv_node *map, const struct sv_kind *kind,
	void *root, void *obj, const char *skip, struct sv_error *err);
/* The body of a resource's create verb, or NULL when it cannot be created. */
const struct sv_kind *sv_creates(const struct sv_kind *resource);
/* Refuses with the node's place in the message; returns SV_INVALID. */
int sv_node_err(const struct sv_yaml *y, const struct sv_node *n, struct sv_error *err,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
