/* SPDX-License-Identifier: MIT */
/* The shell's history: a private file that several shells append to at once. A secret is never
 * written there. */
#include <errno.h>
#include <fcntl.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "shell.h"

#define LINES_KEPT 2000
#define FILE_MAX   ((size_t)1 << 20)
#define KEY_LENGTH 16 /* of what stands behind the mark of a key, at least */

/* The file under its lock. Whoever waited for it while the file was replaced opens the new one. */
static int locked(const char *file)
{
	struct stat here, there;
	int fd;

	for (int tries = 0; tries < 8; tries++) {
		fd = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
			0600);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX) || fstat(fd, &here) || !S_ISREG(here.st_mode)) {
			close(fd);
			return -1;
		}
		if (!stat(file, &there) && here.st_ino == there.st_ino &&
			here.st_dev == there.st_dev) {
			if (here.st_mode & 077)
				fchmod(fd, 0600);
			return fd;
		}
		close(fd);
	}
	errno = EAGAIN;
	return -1;
}

static void read_all(int fd, struct text *t)
{
	char piece[8192];
	ssize_t k;

	while (t->n < FILE_MAX && (k = read(fd, piece, sizeof(piece))) != 0)
		if (k > 0)
			text_add(t, piece, (size_t)k);
		else if (errno != EINTR)
			break;
}

/* The last lines, in a new file that takes the place of the old one. */
static void shorten(const char *file, const char *from)
{
	struct text temporary = { 0 };
	int fd;

	text_fmt(&temporary, "%s.%ld", file, (long)getpid());
	unlink(temporary.s);
	fd = open(temporary.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		int bad = write_all(fd, from, strlen(from));

		if (close(fd) || bad || rename(temporary.s, file))
			unlink(temporary.s);
	}
	text_free(&temporary);
}

void history_load(const char *file, void (*each)(void *data, const char *line), void *data)
{
	int fd = locked(file);
	struct text t = { 0 };
	size_t lines = 0, all;
	char *at, *end;

	if (fd < 0)
		return;
	read_all(fd, &t);
	for (size_t i = 0; i < t.n; i++)
		lines += t.s[i] == '\n';
	at = t.s;
	for (all = lines; lines > LINES_KEPT; lines--)
		at = strchr(at, '\n') + 1;
	if (all > (size_t)2 * LINES_KEPT)
		shorten(file, at);
	close(fd);
	for (; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		if (!blank(at))
			each(data, at);
	}
	text_free(&t);
}

int history_add(const char *file, const char *line)
{
	int fd = locked(file), why = fd < 0 ? errno : 0;
	struct text t = { 0 };

	if (fd < 0)
		return why;
	text_fmt(&t, "%s\n", line);
	why = write_all(fd, t.s, t.n);
	close(fd);
	text_free(&t);
	return why;
}

/* "sv_" and many letters: what keys look like. */
static int looks_like_key(const char *line)
{
	for (const char *at = line; (at = strstr(at, "sv_")) != NULL; at++) {
		size_t n = 3;

		while (isalnum((unsigned char)at[n]) || at[n] == '_')
			n++;
		if (n >= KEY_LENGTH)
			return 1;
	}
	return 0;
}

int history_secret(const char *line, const char *key)
{
	static const char *const marks[] = { "api_key", "api-key", "secret", "passw", "passphrase",
		"token", "credential", "authorization", "bearer", "private" };

	for (size_t i = 0; i < COUNT(marks); i++)
		if (strcasestr(line, marks[i]))
			return 1;
	return *line == ' ' || looks_like_key(line) || (key && *key && strstr(line, key));
}
