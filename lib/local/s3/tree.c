/* SPDX-License-Identifier: MIT */
/* A storage's files in the order of their keys, from any key on. Of a directory no more names are
 * kept at once than one answer can hold, whatever lies in it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/s3/s3.h"

#define BATCH (S3_LIST_MAX + 1)

/* The first names of a directory beyond one of them; directories with their '/'. */
struct batch {
	char *names[BATCH];
	size_t n;
	int any; /* the directory holds something, listed or not */
};

struct walking {
	struct s3_walk *w;
	char key[S3_KEY_MAX + 2];
};

static void batch_clear(struct batch *b)
{
	while (b->n)
		sv_mfree(b->names[--b->n]);
}

/* Whether name, at this place of the tree, can be or lead to a key that is asked for. */
static int is_wanted(const struct walking *g, size_t at, const char *name)
{
	const char *prefix = g->w->prefix, *after = g->w->after;
	size_t len = strlen(name), prefix_len = strlen(prefix);
	int directory = name[len - 1] == '/';

	if (at + len > S3_KEY_MAX)
		return 0;
	if (prefix_len > at) {
		size_t rest = prefix_len - at;

		if (strncmp(name, prefix + at, len < rest ? len : rest) != 0 ||
			(len < rest && !directory))
			return 0;
	}
	if (!strncmp(after, g->key, at)) {
		int order = strncmp(name, after + at, directory ? len : S3_KEY_MAX + 1);

		return directory ? order >= 0 : order > 0;
	}
	return 1; /* at is beyond it, or it would not have been entered */
}

static int batch_add(struct batch *b, const char *name)
{
	size_t low = 0, high = b->n;
	char *copy;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (strcmp(b->names[mid], name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == BATCH)
		return 0;
	copy = sv_xstrdup(name);
	if (!copy)
		return -1;
	if (b->n == BATCH)
		sv_mfree(b->names[--b->n]);
	memmove(b->names + low + 1, b->names + low, (b->n - low) * sizeof(b->names[0]));
	b->names[low] = copy;
	b->n++;
	return 0;
}

static int is_directory(int dir, const struct dirent *n)
{
	struct stat st;

	if (n->d_type != DT_UNKNOWN)
		return n->d_type == DT_DIR ? 1 : n->d_type == DT_REG ? 0 : -1;
	if (fstatat(dir, n->d_name, &st, AT_SYMLINK_NOFOLLOW))
		return -1;
	return S_ISDIR(st.st_mode) ? 1 : S_ISREG(st.st_mode) ? 0 : -1;
}

static int batch_read(const struct walking *g, DIR *d, size_t at, const char *low, struct batch *b)
{
	struct dirent *n;
	char name[S3_NAME_MAX + 2];
	int kind;

	rewinddir(d);
	while ((n = readdir(d))) {
		if (!strcmp(n->d_name, ".") || !strcmp(n->d_name, ".."))
			continue;
		b->any = 1;
		kind = is_directory(dirfd(d), n);
		snprintf(name, sizeof(name), "%s%s", n->d_name, kind == 1 ? "/" : "");
		if (kind < 0 || strcmp(name, low) <= 0 || !is_wanted(g, at, name) ||
			!sv_utf8_valid(name, strlen(name)))
			continue;
		if (batch_add(b, name))
			return -1;
	}
	return 0;
}

static int enter(struct walking *g, int dir, size_t at);

static int visit(struct walking *g, int dir, size_t at, const char *name)
{
	size_t len = strlen(name);
	struct stat st;
	int rc, fd;

	memcpy(g->key + at, name, len + 1);
	if (name[len - 1] != '/') {
		if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			return 0;
		return g->w->object(g->w, g->key, dir, name, &st);
	}
	rc = g->w->directory ? g->w->directory(g->w, g->key) : 0;
	if (rc)
		return rc - 1;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? 0 : enter(g, fd, at + len);
}

/* An empty directory is the object "name/". */
static int visit_empty(struct walking *g, int dir, size_t at)
{
	struct stat st;

	g->key[at] = '\0';
	if (!at || strncmp(g->key, g->w->prefix, strlen(g->w->prefix)) != 0 ||
		strcmp(g->key, g->w->after) <= 0 || fstat(dir, &st))
		return 0;
	return g->w->object(g->w, g->key, dir, ".", &st);
}

/* Closes dir. g->key[0..at) is its key, "" or with a '/' at its end. */
static int enter(struct walking *g, int dir, size_t at)
{
	DIR *d = fdopendir(dir);
	struct batch *b = d ? sv_malloc(sizeof(*b)) : NULL;
	char low[S3_NAME_MAX + 2] = "";
	int rc = b ? 0 : -1;

	while (!rc) {
		size_t n;

		b->n = 0;
		b->any = 0;
		rc = batch_read(g, d, at, low, b);
		n = b->n;
		for (size_t i = 0; !rc && i < n; i++)
			rc = visit(g, dir, at, b->names[i]);
		if (n)
			snprintf(low, sizeof(low), "%s", b->names[n - 1]);
		if (!rc && !b->any)
			rc = visit_empty(g, dir, at);
		batch_clear(b);
		if (n < BATCH)
			break;
	}
	if (d)
		closedir(d);
	else
		close(dir);
	sv_mfree(b);
	return rc;
}

int s3_walk(struct s3_walk *w)
{
	struct walking g = { .w = w };
	int dir = openat(w->data, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return dir < 0 ? -1 : enter(&g, dir, 0);
}
