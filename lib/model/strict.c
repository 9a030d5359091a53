/* SPDX-License-Identifier: MIT */
/* Answers held to the rows: for who wants to know of everything that a service says. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "model/json.h"

static int object(
	const struct sv_kind *kind, const cJSON *t, const char *path, struct sv_error *err);

static int member(const struct sv_field *f, const cJSON *c, const char *path, struct sv_error *err)
{
	int r = SV_OK, i = 0;
	char here[160];

	if (f->type == SV_OBJ)
		return object(f->kind, c, path, err);
	for (const cJSON *e = f->type == SV_LIST ? c->child : NULL; !r && e; e = e->next) {
		snprintf(here, sizeof(here), "%.140s[%d]", path, i++);
		r = object(f->kind, e, here, err);
	}
	return r;
}

static int object(
	const struct sv_kind *kind, const cJSON *t, const char *path, struct sv_error *err)
{
	int r = SV_OK;

	for (const cJSON *c = cJSON_IsObject(t) ? t->child : NULL; !r && c; c = c->next) {
		const struct sv_field *f = NULL;
		char here[160];

		snprintf(here, sizeof(here), "%.100s%s%.50s", path, *path ? "." : "", c->string);
		for (uint32_t i = 0; !f && i < kind->n; i++)
			if (!strcmp(kind->fields[i].name, c->string))
				f = &kind->fields[i];
		r = f ? member(f, c, here, err)
		      : sv_err(err, SV_PROTO, "%s: a field that %s has not", here, kind->name);
	}
	return r;
}

int sv_strict(const struct sv_kind *kind, const char *text, size_t len, int many,
	struct sv_error *err)
{
	const struct sv_field items = { .name = "items", .kind = kind, .type = SV_LIST };
	const struct sv_field next = { .name = "next_cursor", .type = SV_STR };
	const struct sv_field both[2] = { items, next };
	const struct sv_kind page = { .name = "page", .fields = both, .n = 2 };
	cJSON *tree = sv_json_parse(text, len, err);
	int r = tree ? object(many ? &page : kind, tree, "", err) : SV_PROTO;

	cJSON_Delete(tree);
	return r;
}
