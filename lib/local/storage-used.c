/* SPDX-License-Identifier: MIT */
/* How much a storage holds: the sizes of its files, counted when somebody asks, since instances
 * write behind our back. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/storage.h"

#define MOST_FILES 100000 /* in one count */
#define MOST_DEPTH 64
#define REST       20     /* so many times as long as a count took, its result stands */

struct used {
	struct used *next;
	char id[64];
	int64_t bytes, until_ms;
};

struct counting {
	int64_t bytes;
	int left; /* files that may still be looked at; below 0: given up */
};

static void count(struct counting *c, int dir, int depth)
{
	DIR *d = dir < 0 || depth > MOST_DEPTH ? NULL : fdopendir(dir);
	struct dirent *n;
	struct stat st;

	if (!d) {
		c->left = -1;
		if (dir >= 0)
			close(dir);
		return;
	}
	while (c->left >= 0 && (n = readdir(d))) {
		if (!strcmp(n->d_name, ".") || !strcmp(n->d_name, ".."))
			continue;
		c->left--;
		if (fstatat(dirfd(d), n->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue; /* gone meanwhile */
		if (S_ISREG(st.st_mode))
			c->bytes += st.st_size;
		else if (S_ISDIR(st.st_mode))
			count(c,
				openat(dirfd(d), n->d_name,
					O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
				depth + 1);
	}
	closedir(d);
}

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
	struct counting c = { .left = MOST_FILES };
	int64_t begun = sv_mono_ms();
	char path[PATH_MAX];
	struct used *u;

	if (storage_dir(p, id, path, sizeof(path)))
		return 0; /* without files nothing is in it */
	u = entry(p, id);
	if (u && begun < u->until_ms)
		return u->bytes;
	count(&c, open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
	if (c.left < 0)
		c.bytes = -1;
	if (u) {
		u->bytes = c.bytes;
		u->until_ms = begun + (sv_mono_ms() - begun) * REST;
	}
	return c.bytes;
}

void storage_used_free(struct platform *p)
{
	struct used *u;

	while ((u = p->used)) {
		p->used = u->next;
		sv_mfree(u);
	}
}
