/* SPDX-License-Identifier: MIT */
/* The list of resources, made by meson.build. */
#include <string.h>

#include "base/str.h"
#include "kinds/kinds.h"
#include "model/kind.h"

static const struct sv_kind *const kinds[] = {
#define X(r) &sv_##r##_kind,
#include "resources.inc"
#undef X
};

const struct sv_kind *sv_kinds(size_t i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? kinds[i] : NULL;
}

const struct sv_kind *sv_kind_find(const char *name)
{
	const struct sv_kind *k;

	for (size_t i = 0; (k = sv_kinds(i)); i++)
		if (sv_same_name(k->name, name) || (k->plural && sv_same_name(k->plural, name)))
			return k;
	return NULL;
}

const struct sv_kind *sv_kind_of_id(const char *id)
{
	const struct sv_kind *k;

	for (size_t i = 0; (k = sv_kinds(i)); i++)
		if (k->prefix && !strncmp(k->prefix, id, strlen(k->prefix)))
			return k;
	return NULL;
}
