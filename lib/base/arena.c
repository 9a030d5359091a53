/* SPDX-License-Identifier: MIT */
/* A list of chunks, each twice as large as the one before up to a bound: small objects stay small.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST ((size_t)512)
#define MOST  ((size_t)256 << 10)

struct chunk {
	struct chunk *next;
	size_t used, size;
	alignas(max_align_t) char data[];
};

struct sv_arena {
	struct chunk *chunks;
	size_t total, ceiling;
	int secret;
};

/* Set by tests before any thread starts; -1 in every other program. */
static long fail_after = -1;

void sv_malloc_fail_after(long n)
{
	fail_after = n;
}

static int failing(void)
{
	if (fail_after < 0)
		return 0;
	if (fail_after == 0)
		return 1;
	fail_after--;
	return 0;
}

void *sv_malloc(size_t size)
{
	return failing() ? NULL : malloc(size ? size : 1);
}

void *sv_realloc(void *p, size_t size)
{
	return failing() ? NULL : realloc(p, size ? size : 1);
}

void sv_mfree(void *p)
{
	free(p);
}

char *sv_xstrdup(const char *s)
{
	size_t len = s ? strlen(s) + 1 : 0;
	char *p = s ? sv_malloc(len) : NULL;

	return p ? memcpy(p, s, len) : NULL;
}

struct sv_arena *sv_arena_new(size_t ceiling)
{
	struct sv_arena *a = sv_malloc(sizeof(*a));

	if (a)
		*a = (struct sv_arena){ .ceiling = ceiling };
	return a;
}

void sv_arena_secret(struct sv_arena *a)
{
	a->secret = 1;
}

void sv_arena_free(struct sv_arena *a)
{
	struct chunk *c, *next;

	if (!a)
		return;
	for (c = a->chunks; c; c = next) {
		next = c->next;
		if (a->secret)
			explicit_bzero(c->data, c->used);
		sv_mfree(c);
	}
	sv_mfree(a);
}

static struct chunk *grow(struct sv_arena *a, size_t need)
{
	size_t size = a->chunks ? a->chunks->size * 2 : FIRST;
	struct chunk *c;

	if (size > MOST)
		size = MOST;
	if (size < need)
		size = need;
	if (size > a->ceiling - a->total)
		size = need;
	if (need > a->ceiling - a->total)
		return NULL;
	c = sv_malloc(sizeof(*c) + size);
	if (!c)
		return NULL;
	*c = (struct chunk){ .next = a->chunks, .size = size };
	a->chunks = c;
	a->total += size;
	return c;
}

void *sv_arena_alloc(struct sv_arena *a, size_t size)
{
	struct chunk *c = a->chunks;
	size_t need;
	void *p;

	if (size > SIZE_MAX - alignof(max_align_t))
		return NULL;
	need = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
	if (!need)
		need = alignof(max_align_t);
	if (!c || need > c->size - c->used)
		c = grow(a, need);
	if (!c)
		return NULL;
	p = c->data + c->used;
	c->used += need;
	return memset(p, 0, need);
}

char *sv_arena_strndup(struct sv_arena *a, const char *s, size_t len)
{
	char *p = len < SIZE_MAX ? sv_arena_alloc(a, len + 1) : NULL;

	return p ? memcpy(p, s, len) : NULL;
}

char *sv_arena_strdup(struct sv_arena *a, const char *s)
{
	return sv_arena_strndup(a, s, strlen(s));
}
