/* SPDX-License-Identifier: MIT */
#include "local/storage-count.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DEPTH 64

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

int64_t storage_count(int dir, int most)
{
	struct counting c = { .left = most };

	count(&c, dir, 0);
	return c.left < 0 ? -1 : c.bytes;
}
