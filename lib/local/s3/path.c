/* SPDX-License-Identifier: MIT */
/* Keys as paths below a storage. Instances write there too, links and pipes among it: nothing here
 * follows a link, leaves the directory or opens what is no file. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/str.h"
#include "local/s3/s3.h"

/* Marks a directory that a PUT made only because a key lies below it. */
#define MADE_BY_KEY "user.starverse.implied"

const char *s3_key_wrong(const char *key, const char **code)
{
	*code = "InvalidArgument";
	if (strlen(key) > S3_KEY_MAX) {
		*code = "KeyTooLongError";
		return "a key has at most 1024 bytes";
	}
	if (!sv_utf8_valid(key, strlen(key)))
		return "a key must be valid UTF-8";
	for (const char *at = key; *at;) {
		size_t len = strcspn(at, "/");

		if (!len)
			return "a key is a path here: it has no empty part (\"//\" or a \"/\" at "
			       "its begin)";
		if ((len == 1 && at[0] == '.') || (len == 2 && at[0] == '.' && at[1] == '.'))
			return "a key is a path here: it has no part \".\" or \"..\"";
		if (len > S3_NAME_MAX) {
			*code = "KeyTooLongError";
			return "a key is a path here: its parts have at most 255 bytes";
		}
		at += len + (at[len] == '/');
	}
	return *key ? NULL : "a key must not be empty";
}

int s3_dir_of(const struct s3 *s, const char *storage, const char *which)
{
	char path[S3_PATH_MAX];

	snprintf(path, sizeof(path), "%s/storages/%s/%s", s->state_dir, storage, which);
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int s3_dir(const struct s3_request *rq, const char *which)
{
	return s3_dir_of(rq->s, rq->key.storage, which);
}

static int open_below(int dir, const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned)(flags | O_CLOEXEC | O_NONBLOCK),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV };

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

int s3_open(int data, const char *key, int flags, struct stat *st)
{
	size_t len = strlen(key);
	int directory = len && key[len - 1] == '/', fd, e;

	fd = open_below(data, key, flags | (directory ? O_DIRECTORY : 0));
	if (fd >= 0 && !fstat(fd, st) &&
		(directory ? S_ISDIR(st->st_mode) : S_ISREG(st->st_mode)))
		return fd;
	e = fd >= 0 || errno == ENOTDIR || errno == ELOOP || errno == EISDIR || errno == ENXIO
		    ? ENOENT
		    : errno;
	if (fd >= 0)
		close(fd);
	errno = e;
	return -1;
}

int s3_dir_make(int dir, const char *name)
{
	int fd;

	if (!mkdirat(dir, name, 0755)) {
		fd = open_below(dir, name, O_RDONLY | O_DIRECTORY);
		if (fd >= 0)
			(void)!fsetxattr(fd, MADE_BY_KEY, "1", 1, 0);
		return fd;
	}
	return errno == EEXIST ? open_below(dir, name, O_RDONLY | O_DIRECTORY) : -1;
}

void s3_dir_keep(int dir)
{
	(void)!fremovexattr(dir, MADE_BY_KEY);
}

int s3_parent(int data, const char *key, int make, const char **last)
{
	char part[S3_NAME_MAX + 1];
	int dir = fcntl(data, F_DUPFD_CLOEXEC, 3), next;

	while (dir >= 0) {
		size_t len = strcspn(key, "/");

		*last = key;
		if (!key[len] || !key[len + 1])
			return dir;
		snprintf(part, sizeof(part), "%.*s", (int)len, key);
		next = make ? s3_dir_make(dir, part)
			    : open_below(dir, part, O_RDONLY | O_DIRECTORY);
		close(dir);
		dir = next;
		key += len + 1;
	}
	return -1;
}

/* 1: a PUT made it, or nobody can tell. */
static int is_implied(int dir)
{
	char one;

	return fgetxattr(dir, MADE_BY_KEY, &one, 1) >= 0 || errno == ENOTSUP;
}

void s3_prune(int data, const char *key)
{
	char path[S3_KEY_MAX + 1];
	const char *last;
	char *slash;
	int above, dir, go = 1;

	snprintf(path, sizeof(path), "%s", key);
	while (go && (slash = strrchr(path, '/'))) {
		*slash = '\0';
		above = s3_parent(data, path, 0, &last);
		dir = above < 0 ? -1 : open_below(above, last, O_RDONLY | O_DIRECTORY);
		go = dir >= 0 && is_implied(dir) && !unlinkat(above, last, AT_REMOVEDIR);
		if (dir >= 0)
			close(dir);
		if (above >= 0)
			close(above);
	}
}
