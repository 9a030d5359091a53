/* SPDX-License-Identifier: MIT */
/* How much a storage holds: the sizes of its files, counted when somebody asks, since instances
 * write behind our back. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/storage-count.h"
#include "local/storage.h"

#define MOST_FILES 100000 /* in one count */
#define REST       20     /* so many times as long as a count took, its result stands */

struct used {
	struct used *next;
	char id[64];
	int64_t bytes, until_ms;
};

static struct used *entry(struct platform *p, const char *id)
{
	struct used *u;

	for (u = p->used; u; u = u->next)
		if (!strcmp(u->id, id))
			return u;
	u = sv_malloc(sizeof(*u));
	if (!u)
		return NULL;
	memset(u, 0, sizeof(*u));
	snprintf(u->id, sizeof(u->id), "%s", id);
	u->next = p->used;
	p->used = u;
	return u;
}

int64_t storage_used(struct platform *p, const char *id)
{
	int64_t begun = sv_mono_ms(), bytes;
	char path[PATH_MAX];
	struct used *u;

	if (storage_dir(p, id, path, sizeof(path)))
		return 0; /* without files nothing is in it */
	u = entry(p, id);
	if (u && begun < u->until_ms)
		return u->bytes;
	bytes = storage_count(
		open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), MOST_FILES, NULL);
	if (u) {
		u->bytes = bytes;
		u->until_ms = begun + (sv_mono_ms() - begun) * REST;
	}
	return bytes;
}

void storage_used_free(struct platform *p)
{
	struct used *u;

	while ((u = p->used)) {
		p->used = u->next;
		sv_mfree(u);
	}
}
