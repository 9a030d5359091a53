/* SPDX-License-Identifier: MIT */
#include "refs.h"

#include <string.h>

static const struct names *names_for(struct refs *r, const struct sv_kind *kind)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->kinds[i] == kind)
			return &r->names[i];
	if (r->n == REFS_KINDS)
		return NULL;
	r->kinds[r->n] = kind;
	names_of(r->app, kind, &r->names[r->n]);
	return &r->names[r->n++];
}

const char *refs_name(struct refs *r, const char *kind_name, const char *id)
{
	const struct sv_kind *kind = sv_kind_find(kind_name);
	const struct names *all;
	const char *found = NULL;
	size_t called = 0;

	if (!kind || !kind->prefix || strncmp(id, kind->prefix, strlen(kind->prefix)) != 0)
		return id;
	all = names_for(r, kind);
	for (size_t i = 0; all && !found && i < all->n; i++)
		if (!strcmp(all->v[i].id, id))
			found = all->v[i].name;
	for (size_t i = 0; found && i < all->n; i++)
		called += !strcmp(all->v[i].name, found);
	return called == 1 ? found : id;
}

void refs_free(struct refs *r)
{
	for (size_t i = 0; i < r->n; i++)
		names_free(&r->names[i]);
	r->n = 0;
}
