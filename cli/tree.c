/* SPDX-License-Identifier: MIT */
/* Files below a directory. Links to files are files; links to directories are not followed, so no
 * tree is endless. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "errors.h"
#include "storage.h"

#define MOST_DEPTH 200

static void add(struct tree *t, char *path, const struct stat *st)
{
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 64;
		t->v = mem_grow(t->v, t->cap, sizeof(*t->v));
	}
	t->v[t->n++] = (struct tree_file){ path, st->st_size, st->st_mtim.tv_sec };
}

/* ".NAME.0123456789abcdef.part": what a download that was broken off has left. */
static int unfinished(const char *name)
{
	size_t n = strlen(name);

	return *name == '.' && n > 23 && !strcmp(name + n - 5, ".part") && name[n - 22] == '.' &&
	       strspn(name + n - 21, "0123456789abcdef") == 16;
}

static int walk(struct app *a, const char *dir, const char *below, int depth, struct tree *t);

static int entry(struct app *a, const char *dir, const char *rel, int depth, struct tree *t)
{
	char *path = join_path(dir, rel);
	struct stat own, st;
	int rc = 0;

	if (lstat(path, &own) || (stat(path, &st) && errno != ENOENT))
		rc = fail_text(a, 1, "%s: %s", path, strerror(errno));
	else if (S_ISDIR(own.st_mode))
		rc = walk(a, dir, rel, depth + 1, t);
	else if (!stat(path, &st) && S_ISREG(st.st_mode))
		add(t, mem_dup(rel, strlen(rel)), &st);
	else
		note(a, _("%s is no regular file: left out"), path);
	mem_free(path);
	return rc;
}

static int walk(struct app *a, const char *dir, const char *below, int depth, struct tree *t)
{
	char *path = join_path(dir, below);
	DIR *d = depth < MOST_DEPTH ? opendir(path) : NULL;
	struct dirent *e;
	int rc = 0;

	if (!d)
		rc = fail_text(a, 1, "%s: %s", path,
			depth < MOST_DEPTH ? strerror(errno) : _("nested too deeply"));
	while (!rc && d && (e = readdir(d))) {
		char *rel;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
			unfinished(e->d_name))
			continue;
		rel = join_path(below, e->d_name);
		rc = entry(a, dir, rel, depth, t);
		mem_free(rel);
	}
	if (d)
		closedir(d);
	mem_free(path);
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int tree_read(struct app *a, const char *dir, struct tree *ret)
{
	int rc;

	*ret = (struct tree){ 0 };
	rc = walk(a, dir, "", 0, ret);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_path);
	return rc;
}

void tree_free(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		mem_free(t->v[i].path);
	mem_free(t->v);
	*t = (struct tree){ 0 };
}

int tree_safe(const char *key)
{
	for (;;) {
		size_t n = strcspn(key, "/");

		if (!n || (n == 1 && *key == '.') || (n == 2 && !strncmp(key, "..", 2)))
			return 0;
		if (!key[n])
			return 1;
		key += n + 1;
	}
}

int tree_parents(const char *path)
{
	char *copy = mem_dup(path, strlen(path));
	int e = 0;

	for (char *p = copy + 1; *copy && *p && !e; p++)
		if (*p == '/') {
			*p = '\0';
			if (mkdir(copy, 0777) && errno != EEXIST)
				e = errno;
			*p = '/';
		}
	mem_free(copy);
	return e;
}
