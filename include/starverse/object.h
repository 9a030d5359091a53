/* SPDX-License-Identifier: MIT */
/** @file object.h
 * Ownership and presence. The library allocates every struct it defines: sv_<kind>_new() or a call
 * gives a *root*; sv_free() ends it with all that hangs on it. Strings that you assign are borrowed
 * for the length of the call that takes the struct. */
#ifndef STARVERSE_OBJECT_H
#define STARVERSE_OBJECT_H

#include <starverse/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which members were sent (or marked by you), and which of them as null. First member of every
 * kind's struct. One bit for each 4-byte slot of the members that follow. */
struct sv_set {
	uint64_t has[4], null[4];
};

/** Strings. */
struct sv_strs {
	size_t n;
	const char **v;
};

/** String pairs, in the order of the wire. */
struct sv_map {
	size_t n;
	const char **keys;
	const char **values;
};

/** Pointers to structs of one kind. */
struct sv_list {
	size_t n;
	void **v;
};

/** One page of a list; every struct sv_<kind>_list has this form, with its own element type. */
struct sv_page {
	size_t n;
	void **v;
	const char *next; /**< cursor of the next page, or NULL after the last */
};

#define SV_SLOT(p, m) \
	(((size_t)((const char *)&(p)->m - (const char *)(p)) - sizeof(struct sv_set)) / 4)
/** 1 when member m of *p was sent or marked. */
#define sv_has(p, m) ((int)((p)->set.has[SV_SLOT(p, m) / 64] >> (SV_SLOT(p, m) % 64) & 1))
/** 1 when member m of *p is null on the wire: known to be unknown, or to be cleared. */
#define sv_is_null(p, m) ((int)((p)->set.null[SV_SLOT(p, m) / 64] >> (SV_SLOT(p, m) % 64) & 1))
/** Sends member m as it is, 0 included; not as null any more. */
#define sv_mark(p, m) \
	((void)((p)->set.has[SV_SLOT(p, m) / 64] |= UINT64_C(1) << (SV_SLOT(p, m) % 64)), \
		(void)((p)->set.null[SV_SLOT(p, m) / 64] &= ~(UINT64_C(1) << (SV_SLOT(p, m) % 64))))
/** Sends member m as null: clears it. */
#define sv_mark_null(p, m) \
	(sv_mark(p, m), \
		(void)((p)->set.null[SV_SLOT(p, m) / 64] |= UINT64_C(1) << (SV_SLOT(p, m) % 64)))

/** A new, empty root of the kind, zeroed; NULL when out of memory. Typed forms: sv_instance_new()
 * ... */
SV_API void *sv_new(const struct sv_kind *kind);
/** Ends a root (object, page, configuration) with all below it; NULL is allowed. Secrets in it are
 * wiped first. */
SV_API void sv_free(void *root);
/** A zeroed struct of the kind inside root's memory, for OBJ members and list elements; NULL when
 * out of memory. */
SV_API void *sv_new_in(void *root, const struct sv_kind *kind);
/** 1 when to leads on from the page before it, or is the last; 0 when a page that led to the same
 * one was come by already, so that the walk would never end. Of every page of a walk in turn; both
 * are answers of a list. sv_next() asks by itself. */
SV_API int sv_page_follows(const struct sv_page *from, struct sv_page *to);
/** A copy of s inside root's memory; NULL when s is NULL or memory is out. */
SV_API const char *sv_strdup_in(void *root, const char *s);
/** Appends a copy of s. SV_OK or SV_NOMEM. */
SV_API int sv_strs_add(void *root, struct sv_strs *strs, const char *s);
/** Sets key to a copy of value, in place when the key is there. SV_OK or SV_NOMEM. */
SV_API int sv_map_set(void *root, struct sv_map *map, const char *key, const char *value);
/** The value of key, borrowed, or NULL. */
SV_API const char *sv_map_get(const struct sv_map *map, const char *key);
/** Appends an element made by sv_new_in(). SV_OK or SV_NOMEM. */
SV_API int sv_list_add(void *root, struct sv_list *list, void *element);

#ifdef __cplusplus
}
#endif

#endif
