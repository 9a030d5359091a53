/* SPDX-License-Identifier: MIT */
/* Ids, paths and the small files of the state directory. Ids and inside paths come from strangers.
 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/file.h>
#include <starverse/common.h>

int sv_id_valid(const char *id)
{
	size_t n = id ? strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;

	return n > 0 && !id[n] && n < BOX_ID_MAX;
}

/* What the instance's own system lives in: a mount there would hide it, or our masks. */
static const char *const closed[] = { "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64",
	"/libx32", "/proc", "/run", "/sbin", "/sys", "/usr", NULL };
/* A mount may be below these, but not on them. */
static const char *const roots[] = { "/root", "/var", "/home", "/tmp", "/opt", "/srv", "/mnt",
	"/media", "/library", NULL };

static int segment_valid(const char *s, size_t len)
{
	if (!len || len > 255 || (len == 1 && s[0] == '.') ||
		(len == 2 && s[0] == '.' && s[1] == '.'))
		return 0;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			return 0;
	return 1;
}

int sv_inside_path_valid(const char *path)
{
	size_t len = path ? strlen(path) : 0;

	if (len < 2 || len >= BOX_PATH_MAX || path[0] != '/')
		return 0;
	for (const char *s = path; *s;) {
		size_t n = strcspn(s + 1, "/");

		if (!segment_valid(s + 1, n))
			return 0;
		s += 1 + n;
	}
	for (size_t i = 0; closed[i]; i++) {
		size_t n = strlen(closed[i]);

		if (!strncmp(path, closed[i], n) && (!path[n] || path[n] == '/'))
			return 0;
	}
	for (size_t i = 0; roots[i]; i++)
		if (!strcmp(path, roots[i]))
			return 0;
	return 1;
}

int sv_state_path(const struct engine *e, char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	size_t n = strlen(e->state);
	int len;

	if (n + 2 > size)
		return SV_NOMEM;
	memcpy(buf, e->state, n);
	buf[n++] = '/';
	va_start(ap, fmt);
	len = vsnprintf(buf + n, size - n, fmt, ap);
	va_end(ap);
	return len < 0 || (size_t)len >= size - n ? SV_NOMEM : SV_OK;
}

int sv_file_read(const char *path, char *buf, size_t size, size_t *ret_len)
{
	size_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? SV_NOTFOUND : SV_IO;
	while (n + 1 < size) {
		ssize_t got = read(fd, buf + n, size - 1 - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	close(fd);
	buf[n] = '\0';
	if (ret_len)
		*ret_len = n;
	return SV_OK;
}

/* Whole or not at all: a reader after a crash never sees half a file. */
int sv_file_write(const char *path, const void *data, size_t len, mode_t mode)
{
	char tmp[BOX_PATH_MAX + 16];
	int fd, bad;

	snprintf(tmp, sizeof(tmp), "%s.%d", path, (int)getpid());
	fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd < 0)
		return SV_IO;
	bad = sv_write_all(fd, data, len);
	bad |= fchmod(fd, mode);
	bad |= close(fd);
	if (!bad && !rename(tmp, path))
		return SV_OK;
	unlink(tmp);
	return SV_IO;
}

int sv_dirs_make(const char *path, mode_t mode)
{
	char buf[BOX_PATH_MAX];
	size_t len = strlen(path);

	if (len >= sizeof(buf))
		return SV_NOMEM;
	memcpy(buf, path, len + 1);
	for (char *p = buf + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			if (mkdir(buf, mode) && errno != EEXIST && errno != EROFS &&
				errno != EACCES)
				return SV_IO;
			*p = '/';
		}
	return mkdir(buf, mode) && errno != EEXIST ? SV_IO : SV_OK;
}

const char *sv_errno_text(int error)
{
	const char *text = strerrordesc_np(error);

	return text ? text : "unknown failure";
}
