/* SPDX-License-Identifier: MIT */
/* How a row is written. A row does not compile when its type and its C member disagree. */
#ifndef SV_MODEL_KIND_H
#define SV_MODEL_KIND_H

#include <starverse/kind.h>

#define SV_CT(T, m)         (((T *)0)->m)
#define SV_IS_STR(T, m)     _Generic(SV_CT(T, m), const char * : SV_STR)
#define SV_IS_BOOL(T, m)    _Generic(SV_CT(T, m), int : SV_BOOL)
#define SV_IS_INT(T, m)     _Generic(SV_CT(T, m), int64_t : SV_INT)
#define SV_IS_GIB(T, m)     _Generic(SV_CT(T, m), int64_t : SV_GIB)
#define SV_IS_BYTES(T, m)   _Generic(SV_CT(T, m), int64_t : SV_BYTES)
#define SV_IS_SECONDS(T, m) _Generic(SV_CT(T, m), int64_t : SV_SECONDS)
#define SV_IS_NUM(T, m)     _Generic(SV_CT(T, m), double : SV_NUM)
#define SV_IS_TIME(T, m)    _Generic(SV_CT(T, m), int64_t : SV_TIME)
#define SV_IS_MONEY(T, m)   _Generic(SV_CT(T, m), int64_t : SV_MONEY)
#define SV_IS_STRS(T, m)    _Generic(SV_CT(T, m), struct sv_strs : SV_STRS)
#define SV_IS_LIST(T, m)    _Generic(SV_CT(T, m), struct sv_list : SV_LIST)
#define SV_IS_MAP(T, m)     _Generic(SV_CT(T, m), struct sv_map : SV_MAP)
#define SV_IS_JSON(T, m)    _Generic(SV_CT(T, m), const char * : SV_JSON)
#define SV_IS_PERCENT(T, m) _Generic(SV_CT(T, m), int64_t : SV_PERCENT)
#define SV_IS_OBJ(T, m)     (sizeof(*SV_CT(T, m)) > sizeof(struct sv_set) ? SV_OBJ : 0)

/* SV_FIELD(struct, member, TYPE, "help", flags, .words = ..., .ref = ..., .kind = ...) */
#define SV_FIELD(T, m, t, hlp, ...) SV_FIELD_AS(T, m, #m, t, hlp, __VA_ARGS__)
/* The same where the wire's key is no C name. */
#define SV_FIELD_AS(T, m, key, t, hlp, ...) \
	{ \
		.name = key, .help = hlp, .offset = offsetof(T, m), .type = SV_IS_##t(T, m), \
		.flags = __VA_ARGS__ \
	}

/* SV_KIND(variable, struct, "name", "help", rows, .plural = ..., .prefix = ..., .check = ...,
 * .verbs = ...); at least one of the last; .plural = NULL where there is none. */
#define SV_KIND(var, T, nm, hlp, rows, ...) \
	const struct sv_kind var = { .name = nm, \
		.help = hlp, \
		.fields = rows, \
		.n = sizeof(rows) / sizeof((rows)[0]), \
		.size = sizeof(T), \
		__VA_ARGS__ }; \
	_Static_assert(offsetof(T, set) == 0, "struct sv_set set comes first"); \
	_Static_assert( \
		sizeof(T) - sizeof(struct sv_set) <= 1024, "members do not fit the presence bits")

/* Sets a member and marks it: a 0 or false that is meant. */
#define sv_put(p, m, v) ((void)((p)->m = (v)), sv_mark(p, m))

/* The member that a row describes. */
static inline void *sv_member(const struct sv_field *f, const void *obj)
{
	return (char *)(uintptr_t)obj + f->offset;
}

/* 1 when the member is not zero, NULL or empty, marked or not. */
int sv_field_nonzero(const struct sv_field *f, const void *obj);
/* 1 when the mode writes the field: see enum sv_walk_mode. */
int sv_field_sent(const struct sv_field *f, const void *obj, int mode);
/* 1 when word is one of words. */
int sv_word_known(const struct sv_word *words, const char *word);

/* A root of size bytes with an arena of its own; the page form for lists. NULL when out of memory.
 */
void *sv_root_new(const struct sv_kind *kind, size_t size);
struct sv_page *sv_page_new(void);
/* element lies in the page's memory (sv_new_in). */
int sv_page_add(struct sv_page *page, void *element);
struct sv_arena;
struct sv_arena *sv_root_arena(void *root);

#endif
