/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <unistd.h>

int sv_write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}
