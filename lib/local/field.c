/* SPDX-License-Identifier: MIT */
/* Members by name. */
#include "local/field.h"

#include <string.h>

#include "model/kind.h"

const char *field_text(const struct sv_kind *kind, const void *obj, const char *name)
{
	const struct sv_field *f = sv_field_find(kind, name);

	return f && f->type == SV_STR ? *(const char *const *)sv_member(f, obj) : NULL;
}

static int is_number(const struct sv_field *f)
{
	return f && (f->type == SV_INT || f->type == SV_TIME || f->type == SV_SECONDS ||
			    f->type == SV_BYTES || f->type == SV_GIB || f->type == SV_MONEY);
}

int64_t field_number(
	const struct sv_kind *kind, const void *obj, const char *name, int64_t otherwise)
{
	const struct sv_field *f = sv_field_find(kind, name);

	if (!is_number(f) || sv_field_is_null(f, obj) ||
		(!sv_field_has(f, obj) && !sv_field_nonzero(f, obj)))
		return otherwise;
	return *(const int64_t *)sv_member(f, obj);
}

int field_true(const struct sv_kind *kind, const void *obj, const char *name)
{
	const struct sv_field *f = sv_field_find(kind, name);

	return f && f->type == SV_BOOL && *(const int *)sv_member(f, obj);
}

void field_set_text(const struct sv_kind *kind, void *obj, const char *name, const char *value)
{
	const struct sv_field *f = sv_field_find(kind, name);

	if (!f || f->type != SV_STR)
		return;
	*(const char **)sv_member(f, obj) = value;
	if (value)
		sv_field_mark(f, obj);
	else
		sv_field_mark_null(f, obj);
}

void field_set_number(const struct sv_kind *kind, void *obj, const char *name, int64_t value)
{
	const struct sv_field *f = sv_field_find(kind, name);

	if (!is_number(f))
		return;
	*(int64_t *)sv_member(f, obj) = value;
	sv_field_mark(f, obj);
}

static size_t size_of(int type)
{
	switch ((enum sv_type)type) {
	case SV_STR:
	case SV_JSON:
	case SV_OBJ: return sizeof(void *);
	case SV_BOOL: return sizeof(int);
	case SV_INT:
	case SV_GIB:
	case SV_BYTES:
	case SV_SECONDS:
	case SV_TIME:
	case SV_PERCENT:
	case SV_MONEY: return sizeof(int64_t);
	case SV_NUM: return sizeof(double);
	case SV_STRS: return sizeof(struct sv_strs);
	case SV_LIST: return sizeof(struct sv_list);
	case SV_MAP: return sizeof(struct sv_map);
	}
	return 0;
}

static int merge(
	void *root, const struct sv_field *t, void *to, const struct sv_field *f, const void *from)
{
	void **have = sv_member(t, to);
	const void *want = *(void *const *)sv_member(f, from);

	if (!*have)
		*have = sv_new_in(root, t->kind);
	if (!*have)
		return SV_NOMEM;
	sv_field_mark(t, to);
	return field_copy(root, t->kind, *have, f->kind, want, 0);
}

int field_copy(void *root, const struct sv_kind *to_kind, void *to, const struct sv_kind *from_kind,
	const void *from, int flag)
{
	int rc = SV_OK;

	for (uint32_t i = 0; rc == SV_OK && i < from_kind->n; i++) {
		const struct sv_field *f = &from_kind->fields[i],
				      *t = sv_field_find(to_kind, f->name);

		if ((flag && !(f->flags & flag)) || !t || t->type != f->type)
			continue;
		if (!sv_field_has(f, from) && !sv_field_nonzero(f, from))
			continue;
		if (f->type == SV_OBJ && !sv_field_is_null(f, from)) {
			rc = merge(root, t, to, f, from);
			continue;
		}
		memcpy(sv_member(t, to), sv_member(f, from), size_of(f->type));
		if (sv_field_is_null(f, from))
			sv_field_mark_null(t, to);
		else
			sv_field_mark(t, to);
	}
	return rc;
}
