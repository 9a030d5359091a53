/* SPDX-License-Identifier: MIT */
/* All memory of one object tree: allocated piece by piece, ended at once. */
#ifndef SV_BASE_ARENA_H
#define SV_BASE_ARENA_H

#include <stddef.h>

struct sv_arena;

/* NULL when out of memory. Cannot grow beyond ceiling bytes. */
struct sv_arena *sv_arena_new(size_t ceiling);
/* NULL is allowed. Memory is wiped first when sv_arena_secret() was called. */
void sv_arena_free(struct sv_arena *a);
/* From now on the memory is wiped before it is given back. */
void sv_arena_secret(struct sv_arena *a);
/* Zeroed, aligned for any type; NULL when out of memory or over the ceiling. */
void *sv_arena_alloc(struct sv_arena *a, size_t size);
/* NULL when out of memory; s must not be NULL. */
char *sv_arena_strndup(struct sv_arena *a, const char *s, size_t len);
char *sv_arena_strdup(struct sv_arena *a, const char *s);

/* The allocator below everything: counted, so that a test can make the n-th allocation fail. Only
 * base/ calls malloc. */
void *sv_malloc(size_t size);
void *sv_realloc(void *p, size_t size);
void sv_mfree(void *p);
char *sv_xstrdup(const char *s); /* NULL when s is NULL or memory is out; ended by sv_mfree() */
/* Tests only: the allocation after n more fails, and all that follow; -1 for never. */
void sv_malloc_fail_after(long n);

#endif
