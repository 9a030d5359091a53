/* SPDX-License-Identifier: MIT */
/* The library's folder on the host: what models and datasets hold, read-only. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "kinds/kinds.h"
#include "local/catalog-inside.h"
#include "local/pack.h"

static int failed(char *message, size_t size, const char *path)
{
	snprintf(message, size, "%s: cannot be written (%s)", path,
		errno == ENOSPC   ? "the disk is full"
		: errno == EACCES ? "permission denied"
		: errno == EROFS  ? "read-only file system"
				  : "input or output error");
	return SV_IO;
}

static int make_folder(const char *path, char *message, size_t size)
{
	return mkdir(path, 0755) && errno != EEXIST ? failed(message, size, path) : SV_OK;
}

/* Every folder on the way to a file. */
static int make_way(char *path, size_t from, char *message, size_t size)
{
	int rc = SV_OK;

	for (char *s = path + from; !rc && (s = strchr(s, '/')); s++) {
		*s = '\0';
		rc = make_folder(path, message, size);
		*s = '/';
	}
	return rc;
}

static int same(const char *path, const struct packed *f)
{
	unsigned char chunk[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	size_t at = 0;
	ssize_t got = -1;

	if (fd < 0)
		return 0;
	while ((got = read(fd, chunk, sizeof(chunk))) > 0) {
		if ((size_t)got > f->size - at || memcmp(chunk, f->data + at, (size_t)got) != 0)
			break;
		at += (size_t)got;
	}
	close(fd);
	return got == 0 && at == f->size;
}

/* Under another name first: an instance that reads sees the old file or the new one, whole. */
static int write_file(const char *path, const struct packed *f, char *message, size_t size)
{
	char temporary[PATH_MAX];
	int fd;

	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.new", path) >= sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return failed(message, size, path);
	}
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return failed(message, size, temporary);
	if (sv_write_all(fd, f->data, f->size) || fchmod(fd, 0444) || close(fd) ||
		rename(temporary, path)) {
		failed(message, size, path);
		unlink(temporary);
		return SV_IO;
	}
	return SV_OK;
}

static int install_item(
	const struct catalog_item *item, const char *library, char *message, size_t size)
{
	char prefix[300], path[PATH_MAX];
	size_t len;
	int rc = SV_OK;

	snprintf(prefix, sizeof(prefix), "library/%s/%s/", item->kind->plural, catalog_name(item));
	len = strlen(prefix);
	snprintf(path, sizeof(path), "%s/%s", library, prefix + strlen("library/"));
	rc = make_way(path, strlen(library) + 1, message, size);
	for (const struct packed *f = packed; !rc && !item->source && f->path; f++) {
		if (strncmp(f->path, prefix, len) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", library, f->path + strlen("library/"));
		rc = make_way(path, strlen(library) + 1, message, size);
		if (!rc && !same(path, f))
			rc = write_file(path, f, message, size);
	}
	return rc;
}

int catalog_install(struct catalog *c, const char *state_dir, char *message, size_t size)
{
	char library[PATH_MAX - 400];
	int rc;

	if ((size_t)snprintf(library, sizeof(library), "%s/library", state_dir) >=
		sizeof(library)) {
		snprintf(message, size, "the path of the state directory is too long");
		return SV_INVALID;
	}
	rc = make_folder(library, message, size);
	for (size_t i = 0; !rc && i < c->n; i++)
		if (c->items[i].kind == &sv_model_kind || c->items[i].kind == &sv_dataset_kind)
			rc = install_item(&c->items[i], library, message, size);
	if (rc)
		return rc;
	sv_mfree(c->library);
	c->library = sv_xstrdup(library);
	return c->library ? SV_OK : SV_NOMEM;
}

const char *catalog_library(const struct catalog *c)
{
	return c ? c->library : NULL;
}
