/* SPDX-License-Identifier: MIT */
/* Down and up again by single steps, since who writes into a storage may nest directories as deep
 * as he likes: no path is ever spelt, and few directories are open at once. */
#include "local/storage-count.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"

#define OPEN_MOST  32                /* further up they are opened anew */
#define NAMES_MOST ((size_t)64 << 20) /* of directories that are still to be entered */

struct level {
	int fd; /* -1: closed meanwhile */
	dev_t dev;
	ino_t ino;
	size_t from; /* where its own names begin */
};

struct counting {
	struct level *levels;
	size_t n, room;
	struct sv_buf names;
	int64_t bytes;
	int left;    /* entries that may still be looked at */
	int partial; /* something could not be seen */
};

static int make_room(struct counting *c)
{
	size_t room = c->room ? c->room * 2 : 64;
	struct level *more;

	if (c->n < c->room)
		return 0;
	more = sv_realloc(c->levels, room * sizeof(*more));
	if (!more)
		return -1;
	c->levels = more;
	c->room = room;
	return 0;
}

static void take_entry(struct counting *c, int dir, const char *name)
{
	struct stat st;

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return;
	c->left--;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return; /* gone meanwhile */
	if (S_ISREG(st.st_mode))
		c->bytes += st.st_size;
	else if (S_ISDIR(st.st_mode))
		sv_buf_add(&c->names, name, strlen(name) + 1);
}

static int read_all(struct counting *c, int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	DIR *d = own < 0 ? NULL : fdopendir(own);
	struct dirent *e;

	if (!d) {
		if (own >= 0)
			close(own);
		return -1;
	}
	while (c->left >= 0 && !c->names.failed && (e = readdir(d)))
		take_entry(c, fd, e->d_name);
	closedir(d);
	return c->left < 0 || c->names.failed ? -1 : 0;
}

/* Takes fd over. */
static int enter(struct counting *c, int fd)
{
	struct level *l;
	struct stat st;

	if (fstat(fd, &st) || make_room(c)) {
		close(fd);
		return -1;
	}
	l = &c->levels[c->n++];
	*l = (struct level){ .fd = fd, .dev = st.st_dev, .ino = st.st_ino, .from = c->names.len };
	if (c->n > OPEN_MOST && l[-OPEN_MOST].fd >= 0) {
		close(l[-OPEN_MOST].fd);
		l[-OPEN_MOST].fd = -1;
	}
	return read_all(c, fd);
}

/* -1 where it was moved meanwhile: nobody knows what is above it now. */
static int leave(struct counting *c)
{
	int fd = c->levels[--c->n].fd, bad = 0;
	struct level *up = c->n ? &c->levels[c->n - 1] : NULL;
	struct stat st;

	if (up && up->fd < 0) {
		up->fd = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		bad = up->fd < 0 || fstat(up->fd, &st) || st.st_dev != up->dev ||
		      st.st_ino != up->ino;
	}
	close(fd);
	return bad ? -1 : 0;
}

static int next(struct counting *c, int dir)
{
	char *name = c->names.data + c->names.len - 1;
	int fd;

	while (name > c->names.data && name[-1])
		name--;
	c->names.len = (size_t)(name - c->names.data);
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		return enter(c, fd);
	/* Gone meanwhile, or nobody's business: the rest is counted all the same. */
	c->partial |= errno != ENOENT && errno != ENOTDIR && errno != ELOOP;
	return 0;
}

int64_t storage_count(int dir, int most, int64_t *ret_seen)
{
	struct counting c = { .left = most };
	int bad;

	sv_buf_init(&c.names, NAMES_MOST);
	bad = dir < 0 || enter(&c, dir);
	while (!bad && c.n) {
		const struct level *l = &c.levels[c.n - 1];

		bad = c.names.len > l->from ? next(&c, l->fd) : leave(&c);
	}
	while (c.n)
		if (c.levels[--c.n].fd >= 0)
			close(c.levels[c.n].fd);
	sv_mfree(c.levels);
	sv_buf_free(&c.names);
	if (ret_seen)
		*ret_seen = c.bytes;
	return bad || c.partial ? -1 : c.bytes;
}
