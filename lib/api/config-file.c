/* SPDX-License-Identifier: MIT */
/* Files that are whole or not there: a lock beside them, a temporary file, a rename. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/config.h"
#include "base/err.h"
#include "base/limits.h"
#include "net/secret.h"

#define MOST_LINKS 40

static int whole(int fd, struct sv_buf *ret)
{
	char piece[4096];
	ssize_t n;

	for (;;) {
		n = read(fd, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : 0;
		if (sv_buf_add(ret, piece, (size_t)n))
			return EFBIG;
	}
}

int sv_file_read(const char *path, int private_to_user, struct sv_buf *ret, struct sv_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), e;
	struct stat st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return SV_NOTFOUND;
	if (fd < 0)
		return sv_err(
			err, SV_CONFIG, "%s cannot be read: %s", path, strerrordesc_np(errno));
	e = fstat(fd, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
	if (!e && private_to_user && (st.st_mode & 077)) {
		close(fd);
		sv_err(err, SV_CONFIG, "%s can be read by others (mode %04o)", path,
			(unsigned)st.st_mode & 07777);
		sv_err_hint(err, "chmod 600 %s", path);
		return SV_CONFIG;
	}
	if (!e && private_to_user && st.st_uid != geteuid() && st.st_uid != 0) {
		close(fd);
		return sv_err(err, SV_CONFIG, "%s belongs to another user", path);
	}
	if (!e)
		e = whole(fd, ret);
	close(fd);
	return e ? sv_err(err, SV_CONFIG, "%s cannot be read: %s", path, strerrordesc_np(e))
		 : SV_OK;
}

int sv_dir_make(const char *path)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof(part))
		return ENAMETOOLONG;
	memcpy(part, path, n + 1);
	for (char *p = part + 1;; p++) {
		char kept = *p;

		if (kept && kept != '/')
			continue;
		*p = '\0';
		/* The mode must hold whatever the umask is. */
		if (!mkdir(part, 0700))
			chmod(part, 0700);
		else if (errno != EEXIST && !(errno == EROFS && !access(part, F_OK)))
			return errno;
		*p = kept;
		if (!kept)
			return 0;
	}
}

/* Writing past a file size limit raises a signal that would end the program; the error is enough.
 */
static int write_all(int fd, const char *text, size_t len)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t xfsz, old;
	int e = 0;

	sigemptyset(&xfsz);
	sigaddset(&xfsz, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &xfsz, &old);
	while (len && !e) {
		ssize_t n = write(fd, text, len);

		if (n > 0) {
			text += n;
			len -= (size_t)n;
		} else if (n < 0 && errno != EINTR) {
			e = errno;
		}
	}
	if (!e && fsync(fd))
		e = errno;
	if (e == EFBIG)
		sigtimedwait(&xfsz, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return e;
}

int sv_file_create(const char *path, unsigned mode, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), e;

	if (fd < 0)
		return errno;
	e = fchmod(fd, mode) ? errno : write_all(fd, text, len);
	if (close(fd) && !e)
		e = errno;
	if (e)
		unlink(path);
	return e;
}

void sv_dir_sync(const char *path)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;
	int fd;

	if (n >= sizeof(dir))
		return;
	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(n ? n : 1) : 1, slash ? path : ".");
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/* Where the links end, be there a file or not. 0 or errno. */
static int follow(const char *path, char *ret)
{
	char link[PATH_MAX];

	if (strlen(path) >= PATH_MAX)
		return ENAMETOOLONG;
	strncpy(ret, path, PATH_MAX);
	for (int i = 0; i < MOST_LINKS; i++) {
		ssize_t n = readlink(ret, link, sizeof(link) - 1);
		char *slash = strrchr(ret, '/');
		size_t dir = slash ? (size_t)(slash - ret) + 1 : 0;

		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : errno;
		if (*link == '/')
			dir = 0;
		if (dir + (size_t)n >= PATH_MAX)
			return ENAMETOOLONG;
		memcpy(ret + dir, link, (size_t)n);
		ret[dir + (size_t)n] = '\0';
	}
	return ELOOP;
}

static int failed(struct sv_error *err, const char *path, int e)
{
	return sv_err(err, SV_CONFIG, "%s cannot be written: %s; nothing was changed", path,
		strerrordesc_np(e));
}

/* Makes the directory that is to hold target. */
static int make_dir(const char *target)
{
	const char *slash = strrchr(target, '/');
	char dir[PATH_MAX];

	if (!slash || slash == target)
		return 0;
	snprintf(dir, sizeof(dir), "%.*s", (int)(slash - target), target);
	return access(dir, F_OK) ? sv_dir_make(dir) : 0;
}

static int take_lock(const char *target, int *fd)
{
	char lock[PATH_MAX + 8];

	snprintf(lock, sizeof(lock), "%s.lock", target);
	*fd = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (*fd < 0)
		return errno;
	fchmod(*fd, 0600);
	while (flock(*fd, LOCK_EX))
		if (errno != EINTR)
			return errno;
	return 0;
}

static int replace(const char *target, unsigned mode, const struct sv_buf *text)
{
	char temp[PATH_MAX + 48], token[48];
	struct stat st;
	int e;

	if (!mode)
		mode = stat(target, &st) ? 0600 : (unsigned)st.st_mode & 0777;
	sv_random_token(".", token);
	snprintf(temp, sizeof(temp), "%s%s", target, token);
	e = sv_file_create(temp, mode, sv_buf_text(text), text->len);
	if (e)
		return e;
	if (rename(temp, target)) {
		e = errno;
		unlink(temp);
		return e;
	}
	sv_dir_sync(target);
	return 0;
}

int sv_file_edit(const char *path, unsigned mode,
	int (*edit)(void *data, struct sv_buf *text, struct sv_error *err), void *data,
	struct sv_error *err)
{
	char target[PATH_MAX];
	struct sv_buf text;
	int lock = -1, r = SV_OK, e;

	sv_err_clear(err);
	sv_buf_init(&text, SV_MAX_FILE);
	e = follow(path, target);
	if (!e)
		e = make_dir(target);
	if (!e)
		e = take_lock(target, &lock);
	if (e) {
		r = failed(err, path, e);
		goto out;
	}
	r = sv_file_read(target, 0, &text, err);
	if (r == SV_NOTFOUND)
		r = SV_OK;
	if (!r)
		r = edit(data, &text, err);
	if (!r && text.failed)
		r = sv_err(err, SV_NOMEM, "out of memory");
	if (!r) {
		e = replace(target, mode, &text);
		r = e ? failed(err, path, e) : SV_OK;
	}
out:
	if (lock >= 0)
		close(lock);
	if (text.data)
		explicit_bzero(text.data, text.cap);
	sv_buf_free(&text);
	return r;
}
