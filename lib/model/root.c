/* SPDX-License-Identifier: MIT */
/* Roots: an arena with its object, found again from the object's address. */
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "model/kind.h"

#define MAGIC UINT64_C(0x53746172526f6f74)

/* Stands right before the object; as large as the strictest alignment. */
struct head {
	alignas(max_align_t) struct sv_arena *arena;
	uint64_t magic;
};

static struct head *head_of(void *root)
{
	struct head *h = (struct head *)root - 1;

	assert(h->magic == MAGIC);
	return h;
}

void *sv_root_new(const struct sv_kind *kind, size_t size)
{
	struct sv_arena *a = sv_arena_new(SV_MAX_ARENA);
	struct head *h = a ? sv_arena_alloc(a, sizeof(*h) + size) : NULL;

	if (!h) {
		sv_arena_free(a);
		return NULL;
	}
	h->arena = a;
	h->magic = MAGIC;
	for (uint32_t i = 0; kind && i < kind->n; i++)
		if (kind->fields[i].flags & SV_SECRET)
			sv_arena_secret(a);
	return h + 1;
}

struct sv_arena *sv_root_arena(void *root)
{
	return head_of(root)->arena;
}

void *sv_new(const struct sv_kind *kind)
{
	return sv_root_new(kind, kind->size);
}

void sv_free(void *root)
{
	if (root)
		sv_arena_free(head_of(root)->arena);
}

void *sv_new_in(void *root, const struct sv_kind *kind)
{
	return sv_arena_alloc(sv_root_arena(root), kind->size);
}

const char *sv_strdup_in(void *root, const char *s)
{
	return s ? sv_arena_strdup(sv_root_arena(root), s) : NULL;
}

/* Arrays that a caller may have assigned have no known room, so each addition copies: these are
 * short. */
static void *grown(void *root, const void *old, size_t n)
{
	void *v = n < SV_MAX_ITEMS ? sv_arena_alloc(sv_root_arena(root), (n + 1) * sizeof(void *))
				   : NULL;

	if (v && n)
		memcpy(v, old, n * sizeof(void *));
	return v;
}

int sv_strs_add(void *root, struct sv_strs *strs, const char *s)
{
	const char **v = grown(root, strs->v, strs->n);
	const char *copy = v ? sv_strdup_in(root, s) : NULL;

	if (!copy)
		return SV_NOMEM;
	v[strs->n++] = copy;
	strs->v = v;
	return SV_OK;
}

int sv_list_add(void *root, struct sv_list *list, void *element)
{
	void **v = grown(root, list->v, list->n);

	if (!v)
		return SV_NOMEM;
	v[list->n++] = element;
	list->v = v;
	return SV_OK;
}

int sv_map_set(void *root, struct sv_map *map, const char *key, const char *value)
{
	const char *v = sv_strdup_in(root, value), *k;
	const char **keys, **values;

	if (!v)
		return SV_NOMEM;
	for (size_t i = 0; i < map->n; i++)
		if (!strcmp(map->keys[i], key)) {
			map->values[i] = v;
			return SV_OK;
		}
	k = sv_strdup_in(root, key);
	keys = grown(root, map->keys, map->n);
	values = grown(root, map->values, map->n);
	if (!k || !keys || !values)
		return SV_NOMEM;
	keys[map->n] = k;
	values[map->n++] = v;
	map->keys = keys;
	map->values = values;
	return SV_OK;
}

const char *sv_map_get(const struct sv_map *map, const char *key)
{
	for (size_t i = 0; i < map->n; i++)
		if (!strcmp(map->keys[i], key))
			return map->values[i];
	return NULL;
}

/* A page and what of the way to it is remembered: one cursor, newer each time that the number of
 * pages has doubled. A way in a circle comes by it again (Brent), however long the circle is. */
struct walked {
	struct sv_page page;
	const char *mark;
	size_t pages;
};

struct sv_page *sv_page_new(void)
{
	return sv_root_new(NULL, sizeof(struct walked));
}

int sv_page_follows(const struct sv_page *from, struct sv_page *to)
{
	const struct walked *before = (const struct walked *)(const void *)from;
	struct walked *now = (struct walked *)(void *)to;
	const char *mark = before->mark ? before->mark : from->next;

	if (!to->next)
		return 1;
	if (mark && !strcmp(mark, to->next))
		return 0;
	now->pages = before->pages + 1;
	now->mark = now->pages & (now->pages - 1) ? sv_strdup_in(to, mark) : to->next;
	return 1;
}

/* A page's array is always ours: its room is the power of two that holds n. */
int sv_page_add(struct sv_page *page, void *element)
{
	if (!(page->n & (page->n - 1))) {
		size_t room = page->n ? page->n * 2 : 1;
		void **v = page->n < SV_MAX_ITEMS
				   ? sv_arena_alloc(sv_root_arena(page), room * sizeof(*v))
				   : NULL;

		if (!v)
			return SV_NOMEM;
		if (page->n)
			memcpy(v, page->v, page->n * sizeof(*v));
		page->v = v;
	}
	page->v[page->n++] = element;
	return SV_OK;
}
