/* SPDX-License-Identifier: MIT */
/* Rows and presence. */
#include "model/kind.h"

#include <string.h>

#include "base/str.h"

static size_t slot(const struct sv_field *f)
{
	return (f->offset - sizeof(struct sv_set)) / 4;
}

static int bit(const uint64_t *set, size_t at)
{
	return (int)(set[at / 64] >> (at % 64) & 1);
}

int sv_field_has(const struct sv_field *field, const void *obj)
{
	return bit(((const struct sv_set *)obj)->has, slot(field));
}

int sv_field_is_null(const struct sv_field *field, const void *obj)
{
	return bit(((const struct sv_set *)obj)->null, slot(field));
}

void sv_field_mark(const struct sv_field *field, void *obj)
{
	struct sv_set *set = obj;
	size_t at = slot(field);

	set->has[at / 64] |= UINT64_C(1) << (at % 64);
	set->null[at / 64] &= ~(UINT64_C(1) << (at % 64));
}

void sv_field_mark_null(const struct sv_field *field, void *obj)
{
	size_t at = slot(field);

	sv_field_mark(field, obj);
	((struct sv_set *)obj)->null[at / 64] |= UINT64_C(1) << (at % 64);
}

int sv_field_nonzero(const struct sv_field *f, const void *obj)
{
	const void *m = sv_member(f, obj);

	switch ((enum sv_type)f->type) {
	case SV_STR:
	case SV_JSON: return *(const char *const *)m != NULL;
	case SV_OBJ: return *(void *const *)m != NULL;
	case SV_BOOL: return *(const int *)m != 0;
	case SV_INT:
	case SV_GIB:
	case SV_BYTES:
	case SV_SECONDS:
	case SV_TIME:
	case SV_PERCENT:
	case SV_MONEY: return *(const int64_t *)m != 0;
	case SV_NUM: return *(const double *)m < 0 || *(const double *)m > 0;
	case SV_STRS: return ((const struct sv_strs *)m)->n != 0;
	case SV_LIST: return ((const struct sv_list *)m)->n != 0;
	case SV_MAP: return ((const struct sv_map *)m)->n != 0;
	}
	return 0;
}

int sv_field_sent(const struct sv_field *f, const void *obj, int mode)
{
	switch (mode) {
	case SV_WALK_CREATE:
		return (f->flags & SV_CREATE) && (sv_field_has(f, obj) || sv_field_nonzero(f, obj));
	case SV_WALK_UPDATE: return (f->flags & SV_UPDATE) && sv_field_has(f, obj);
	case SV_WALK_WIRE:
		if (f->flags & SV_ALWAYS)
			return 1;
		return sv_field_has(f, obj) || sv_field_nonzero(f, obj);
	default: return sv_field_has(f, obj) || sv_field_nonzero(f, obj);
	}
}

const struct sv_verb *sv_verb_find(const struct sv_kind *kind, const char *name)
{
	for (const struct sv_verb *v = kind->verbs; v && v->name; v++)
		if (sv_same_name(v->name, name))
			return v;
	return NULL;
}

const struct sv_field *sv_field_find(const struct sv_kind *kind, const char *name)
{
	for (uint32_t i = 0; i < kind->n; i++)
		if (sv_same_name(kind->fields[i].name, name))
			return &kind->fields[i];
	return NULL;
}

const struct sv_field *sv_field_flagged(const struct sv_kind *kind, int flag)
{
	for (uint32_t i = 0; i < kind->n; i++)
		if (kind->fields[i].flags & flag)
			return &kind->fields[i];
	return NULL;
}

static const struct sv_word *word_find(const struct sv_word *words, const char *word)
{
	for (; words && words->word; words++)
		if (!strcmp(words->word, word))
			return words;
	return NULL;
}

int sv_word_known(const struct sv_word *words, const char *word)
{
	return word_find(words, word) != NULL;
}

int sv_settled(const struct sv_field *field, const char *word)
{
	const struct sv_word *w = word ? word_find(field->words, word) : NULL;

	return w ? w->settled : -1;
}

int sv_mood(const struct sv_field *field, const char *word)
{
	const struct sv_word *w = word ? word_find(field->words, word) : NULL;

	if (!w || w->mood)
		return w ? w->mood : SV_PLAIN;
	return (field->flags & SV_STATE) && !w->settled ? SV_BUSY : SV_PLAIN;
}
