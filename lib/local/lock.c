/* SPDX-License-Identifier: MIT */
/* The lock of a state directory. The file is never removed: a removed one could be locked twice. */
#include "local/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

static int make_dirs(const char *dir, char *message, size_t size)
{
	char path[PATH_MAX];

	if (strlen(dir) >= sizeof(path)) {
		snprintf(message, size, "the state directory's path is too long");
		return -1;
	}
	snprintf(path, sizeof(path), "%s", dir);
	for (char *at = path + 1;; at++) {
		char c = *at;

		if (c && c != '/')
			continue;
		*at = '\0';
		if (mkdir(path, 0700) && errno != EEXIST) {
			snprintf(message, size, "%s: %s", path, strerrordesc_np(errno));
			return -1;
		}
		*at = c;
		if (!c)
			return 0;
	}
}

static long pid_in(int fd)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	int64_t pid;

	if (n <= 0)
		return 0;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return sv_parse_int(text, &pid) ? 0 : (long)pid;
}

static int check_dir(const char *dir, char *message, size_t size)
{
	struct stat st;

	if (stat(dir, &st)) {
		snprintf(message, size, "%s: %s", dir, strerrordesc_np(errno));
		return -1;
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		snprintf(message, size, "%s: not a directory of yours", dir);
		return -1;
	}
	if (st.st_mode & 077 && chmod(dir, 0700)) {
		snprintf(message, size, "%s: others may look into it, which cannot be changed: %s",
			dir, strerrordesc_np(errno));
		return -1;
	}
	return 0;
}

/* One that was killed just now holds the lock for a moment more. */
static int lock_soon(int fd)
{
	const struct timespec pause = { 0, 10000000 };

	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB); i++) {
		if (errno != EWOULDBLOCK || i == 25)
			return -1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

int lock_take(const char *state_dir, char *message, size_t size)
{
	char path[PATH_MAX];
	int fd;

	if (make_dirs(state_dir, message, size) || check_dir(state_dir, message, size))
		return -1;
	if ((size_t)snprintf(path, sizeof(path), "%s/lock", state_dir) >= sizeof(path)) {
		snprintf(message, size, "the state directory's path is too long");
		return -1;
	}
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		snprintf(message, size, "%s: %s", path, strerrordesc_np(errno));
		return -1;
	}
	if (lock_soon(fd)) {
		if (errno == EWOULDBLOCK)
			snprintf(message, size, "already running (pid %ld)", pid_in(fd));
		else
			snprintf(message, size, "%s: %s", path, strerrordesc_np(errno));
		close(fd);
		return -1;
	}
	return lock_sign(fd) ? -1 : fd;
}

int lock_sign(int fd)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	return ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n ? -1 : 0;
}

void lock_release(int fd)
{
	if (fd < 0)
		return;
	/* The lock, not the text, is what counts. */
	(void)!ftruncate(fd, 0);
	close(fd);
}

long lock_holder(const char *state_dir)
{
	char path[PATH_MAX];
	long pid = -1;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/lock", state_dir) >= sizeof(path))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	if (!flock(fd, LOCK_SH | LOCK_NB))
		pid = 0;
	else if (errno == EWOULDBLOCK)
		pid = pid_in(fd);
	close(fd);
	return pid;
}
