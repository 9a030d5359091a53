/* SPDX-License-Identifier: MIT */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int write_all(int fd, const char *s, size_t n)
{
	while (n) {
		ssize_t k = write(fd, s, n);

		if (k < 0 && errno != EINTR)
			return errno;
		if (k > 0) {
			s += k;
			n -= (size_t)k;
		}
	}
	return 0;
}

int file_replace(const char *path, const struct text *text, unsigned mode)
{
	char real[PATH_MAX];
	struct text temp = { 0 };
	struct stat st;
	int fd, why = 0;

	/* A link stays a link: what it leads to is replaced. */
	if (!realpath(path, real)) {
		if (errno != ENOENT || strlen(path) >= sizeof(real) || !lstat(path, &st))
			return errno;
		memcpy(real, path, strlen(path) + 1);
	} else if (!stat(real, &st)) {
		mode = st.st_mode & 07777;
	}
	text_fmt(&temp, "%s.%ld", real, (long)getpid());
	fd = open(temp.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	why = fd < 0 ? errno : write_all(fd, text_of(text), text->n);
	if (fd >= 0 && !why && fsync(fd))
		why = errno;
	if (fd >= 0 && !why && fchmod(fd, (mode_t)mode))
		why = errno;
	if (fd >= 0)
		close(fd);
	if (!why && rename(temp.s, real))
		why = errno;
	if (why && fd >= 0)
		unlink(temp.s);
	text_free(&temp);
	return why;
}
