/* SPDX-License-Identifier: MIT */
/* Copying a tree with all that an overlay's layer needs: whiteouts, opaque marks, owners, hard
 * links, holes. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/file.h>
#include <starverse/common.h>

#define OPAQUE   "user.overlay.opaque"
#define COPY_MAX ((size_t)1 << 20) /* at once, so that a signal need not wait long */

struct link_seen { /* a file with more names than one: where its first copy is */
	dev_t dev;
	ino_t ino;
	char *path;
	struct link_seen *next;
};

struct copying {
	const struct tree_options *o;
	int64_t bytes;
	int root; /* of the copy */
	struct link_seen *links;
};

static int is_whiteout(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(0, 0);
}

/* Marks that tie a layer to the very mount it came from are left behind. */
static int attribute_kept(const char *name)
{
	if (!strncmp(name, "user.overlay.", 13))
		return !strcmp(name, OPAQUE) || !strncmp(name, "user.overlay.whiteout", 21);
	return strncmp(name, "system.", 7) && strncmp(name, "security.selinux", 16) &&
	       strncmp(name, "trusted.overlay.", 16);
}

static int copy_attributes(int from, int to)
{
	char names[65536], value[65536];
	ssize_t len = flistxattr(from, names, sizeof(names));

	for (char *n = names; len > 0 && n < names + len; n += strlen(n) + 1) {
		ssize_t size;

		if (!attribute_kept(n))
			continue;
		size = fgetxattr(from, n, value, sizeof(value));
		if (size >= 0 && fsetxattr(to, n, value, (size_t)size, 0) &&
			!strncmp(n, "user.overlay", 12))
			return -1;
	}
	return 0;
}

static int copy_owner(const struct copying *c, int dir, const char *name, const struct stat *st)
{
	uid_t uid = st->st_uid + (uid_t)c->o->shift;
	gid_t gid = st->st_gid + (gid_t)c->o->shift;

	if (c->o->all != (uid_t)-1)
		uid = gid = c->o->all;
	return fchownat(dir, name, uid, gid, AT_SYMLINK_NOFOLLOW | (name[0] ? 0 : AT_EMPTY_PATH));
}

/* Data only, holes stay holes; whole-file sharing where the file system can. */
static int copy_data(int in, int out, off_t size)
{
	off_t at = 0;

	if (!ioctl(out, FICLONE, in))
		return 0;
	if (ftruncate(out, size))
		return -1;
	while (at < size) {
		off_t from = lseek(in, at, SEEK_DATA), end;

		if (from < 0)
			return errno == ENXIO ? 0 : -1;
		end = lseek(in, from, SEEK_HOLE);
		if (end < 0 || lseek(out, from, SEEK_SET) < 0 || lseek(in, from, SEEK_SET) < 0)
			return -1;
		for (at = from; at < end;) {
			char buf[65536];
			size_t most = end - at < (off_t)COPY_MAX ? (size_t)(end - at) : COPY_MAX;
			ssize_t n = copy_file_range(in, NULL, out, NULL, most, 0);

			if (n < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP ||
					     errno == ENOSYS)) {
				n = read(in, buf, most < sizeof(buf) ? most : sizeof(buf));
				if (n > 0 && sv_write_all(out, buf, (size_t)n))
					return -1;
			}
			if (n < 0)
				return -1;
			if (!n)
				return 0;
			at += n;
		}
	}
	return 0;
}

/* A file of our own, holes and all; to must not be there. */
int sv_file_copy(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), bad = -1;
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct stat st;

	if (in >= 0 && out >= 0 && !fstat(in, &st))
		bad = copy_data(in, out, st.st_size);
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out))
		bad = -1;
	return bad;
}

static int finish(const struct copying *c, int fd, const struct stat *st)
{
	struct timespec times[2] = { st->st_atim, st->st_mtim };

	/* The owner first: changing it clears set-id bits and capabilities. */
	if (copy_owner(c, fd, "", st) || fchmod(fd, st->st_mode & 07777))
		return -1;
	futimens(fd, times);
	return 0;
}

static int copy_file(struct copying *c, int from, int to, const char *name, const struct stat *st)
{
	int bad = -1, in = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (in >= 0 && out >= 0 && !copy_data(in, out, st->st_size) && !copy_attributes(in, out))
		bad = finish(c, out, st);
	else if (in < 0 && out >= 0 && c->o->lenient)
		bad = unlinkat(to, name, 0);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	c->bytes += st->st_blocks * 512;
	return bad;
}

static int copy_special(
	struct copying *c, int from, int to, const char *name, const struct stat *st)
{
	char target[4096];
	ssize_t n;

	if (S_ISLNK(st->st_mode)) {
		n = readlinkat(from, name, target, sizeof(target) - 1);
		if (n < 0)
			return -1;
		target[n] = '\0';
		return symlinkat(target, to, name) || copy_owner(c, to, name, st) ? -1 : 0;
	}
	if (S_ISSOCK(st->st_mode) || (!is_whiteout(st) && !S_ISFIFO(st->st_mode)))
		return 0; /* a socket nobody listens on, a device nobody may open: not worth keeping
			   */
	if (mknodat(to, name, st->st_mode & (S_IFMT | 07777), st->st_rdev))
		return -1;
	return is_whiteout(st) ? 0 : copy_owner(c, to, name, st);
}

/* 1 when name was made as a link to an earlier copy. */
static int copy_link(
	struct copying *c, int to, const char *name, const char *path, const struct stat *st)
{
	struct link_seen *l;

	if (st->st_nlink < 2 || S_ISDIR(st->st_mode) || is_whiteout(st))
		return 0;
	for (l = c->links; l; l = l->next)
		if (l->dev == st->st_dev && l->ino == st->st_ino)
			return linkat(c->root, l->path, to, name, 0) ? 0 : 1;
	l = sv_malloc(sizeof(*l));
	if (!l)
		return 0;
	*l = (struct link_seen){ st->st_dev, st->st_ino, sv_xstrdup(path), c->links };
	if (!l->path) {
		sv_mfree(l);
		return 0;
	}
	c->links = l;
	return 0;
}

static int remove_inside(int dir, int depth);

/* What an upper layer has replaces what a lower one had; only two directories merge. */
static int make_room(int from, int to, const char *name, const struct stat *st)
{
	struct stat old;
	char mark[8];
	int fd, sub, bad = 0;

	if (fstatat(to, name, &old, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (!S_ISDIR(old.st_mode))
		return unlinkat(to, name, 0);
	sub = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	fd = S_ISDIR(st->st_mode)
		     ? openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		     : -1;
	if (fd < 0 || fgetxattr(fd, OPAQUE, mark, sizeof(mark)) > 0)
		bad = sub < 0 ? -1 : remove_inside(sub, 0);
	if (sub >= 0)
		close(sub);
	if (fd >= 0)
		close(fd);
	else if (!bad)
		bad = unlinkat(to, name, AT_REMOVEDIR);
	return bad;
}

static int copy_inside(struct copying *c, int from, int to, const char *path, int depth);

static int copy_entry(
	struct copying *c, int from, int to, const char *name, const char *path, int depth)
{
	struct stat st;
	int a, b, bad = -1;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -1;
	if (c->o->overlay && make_room(from, to, name, &st))
		return -1;
	if (copy_link(c, to, name, path, &st))
		return 0;
	if (S_ISREG(st.st_mode))
		return copy_file(c, from, to, name, &st);
	if (!S_ISDIR(st.st_mode))
		return copy_special(c, from, to, name, &st);
	if (mkdirat(to, name, 0700) && errno != EEXIST)
		return -1;
	a = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	b = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (a >= 0 && b >= 0 && !copy_attributes(a, b))
		bad = copy_inside(c, a, b, path, depth + 1) || finish(c, b, &st) ? -1 : 0;
	else if (a < 0 && b >= 0 && c->o->lenient)
		bad = fchmod(b, 0755);
	if (a >= 0)
		close(a);
	if (b >= 0)
		close(b);
	c->bytes += st.st_blocks * 512;
	return bad;
}

static int is_dots(const char *n)
{
	return n[0] == '.' && (!n[1] || (n[1] == '.' && !n[2]));
}

static int copy_inside(struct copying *c, int from, int to, const char *path, int depth)
{
	DIR *dir;
	struct dirent *d;
	int fd = depth < BOX_TREE_DEPTH ? openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
					: -1,
	    bad = 0;

	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		return -1;
	while (!bad && (d = readdir(dir))) {
		char sub[4096];
		int n = snprintf(sub, sizeof(sub), "%s%s%s", path, path[0] ? "/" : "", d->d_name);

		if (is_dots(d->d_name) || (!path[0] && !strcmp(d->d_name, "lost+found")))
			continue;
		bad = n >= (int)sizeof(sub) ? -1 : copy_entry(c, from, to, d->d_name, sub, depth);
	}
	fd = errno;
	closedir(dir);
	errno = fd;
	return bad;
}

/* dst is made; the root's own mode and owner are copied too. */
int sv_tree_copy(const char *src, const char *dst, const struct tree_options *o, int64_t *bytes)
{
	struct copying c = { .o = o };
	struct stat st;
	int from = open(src, O_RDONLY | O_DIRECTORY | O_CLOEXEC), bad = -1, error;

	if (mkdir(dst, 0700) && errno != EEXIST)
		from = from < 0 ? from : (close(from), -1);
	c.root = open(dst, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (from >= 0 && c.root >= 0 && !fstat(from, &st) && !copy_attributes(from, c.root))
		bad = copy_inside(&c, from, c.root, "", 0) || finish(&c, c.root, &st) ? -1 : 0;
	error = errno;
	while (c.links) {
		struct link_seen *l = c.links;

		c.links = l->next;
		sv_mfree(l->path);
		sv_mfree(l);
	}
	if (from >= 0)
		close(from);
	if (c.root >= 0)
		close(c.root);
	if (bytes)
		*bytes += c.bytes;
	errno = error;
	return bad;
}

/* Too deep for our descriptors: the rest is moved up beside and met again there. */
static int move_up(int dir, const char *name, int depth)
{
	char up[256], fresh[64];
	struct timespec now;

	if (depth * 3 >= (int)sizeof(up))
		return -1;
	for (int i = 0; i < depth; i++)
		memcpy(up + i * 3, "../", 4);
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(fresh, sizeof(fresh), ".deep-%lld-%ld", (long long)now.tv_sec, now.tv_nsec);
	strncat(up, fresh, sizeof(up) - strlen(up) - 1);
	return renameat(dir, name, dir, up);
}

static int remove_entry(int dir, const char *name, int depth)
{
	int sub, bad;

	if (!unlinkat(dir, name, 0))
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return errno == ENOENT ? 0 : -1;
	if (!unlinkat(dir, name, AT_REMOVEDIR))
		return 0;
	if (depth >= 64)
		return move_up(dir, name, depth);
	if (fchmodat(dir, name, 0700, 0))
		return -1;
	sub = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sub < 0)
		return -1;
	bad = remove_inside(sub, depth + 1);
	close(sub);
	return bad || unlinkat(dir, name, AT_REMOVEDIR) ? -1 : 0;
}

static int remove_inside(int dir, int depth)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), bad = 0, left = 1;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *n;

	if (!d)
		return -1;
	while (!bad && left) { /* again until empty: entries may have been moved here meanwhile */
		left = 0;
		rewinddir(d);
		while (!bad && (n = readdir(d)))
			if (!is_dots(n->d_name)) {
				left = 1;
				bad = remove_entry(dir, n->d_name, depth);
			}
	}
	closedir(d);
	return bad;
}

int sv_tree_remove(const char *path)
{
	int fd, bad;

	if (!unlink(path) || errno == ENOENT)
		return 0;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	fchmod(fd, 0700);
	bad = remove_inside(fd, 0);
	close(fd);
	return bad || rmdir(path) ? -1 : 0;
}

static int drop_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	return sv_tree_remove(w->path) ? sv_fail_errno(r, w->path) : SV_OK;
}

static const struct job_kind drop_job = { .body = drop_body };

int sv_box_tree_drop(struct engine *e, const char *path, engine_done *done, void *data)
{
	const char *last = strrchr(path, '/');
	struct work w = { .id = last ? last + 1 : path, .path = path };

	return sv_work_start(e, &drop_job, &w, done, data);
}

static int64_t size_inside(int dir, int depth)
{
	int fd = depth < BOX_TREE_DEPTH ? openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *n;
	struct stat st;
	int64_t sum = 0;

	while (d && (n = readdir(d))) {
		int sub;

		if (is_dots(n->d_name) || fstatat(dir, n->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		sum += st.st_blocks * 512;
		if (!S_ISDIR(st.st_mode))
			continue;
		sub = openat(dir, n->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub >= 0) {
			sum += size_inside(sub, depth + 1);
			close(sub);
		}
	}
	if (d)
		closedir(d);
	return sum;
}

int64_t sv_tree_size(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int64_t sum = fd < 0 ? 0 : size_inside(fd, 0);

	if (fd >= 0)
		close(fd);
	return sum;
}
