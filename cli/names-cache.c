/* SPDX-License-Identifier: MIT */
/* A cache may always be missing: whatever goes wrong here is silent. */
#include "names-cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FRESH_SECONDS 10
#define CACHE_MAX     ((size_t)4 << 20)

static uint64_t mix(uint64_t h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211U;
	return (h ^ 0xff) * 1099511628211U;
}

static int folder(const struct sv_config *config, struct text *ret)
{
	if (!config->cache_dir || *config->cache_dir != '/')
		return 0;
	text_fmt(ret, "%s/names", config->cache_dir);
	return 1;
}

/* Another key may be another account: its names are not ours. */
static void file(const struct sv_config *config, const char *kind, struct text *path)
{
	uint64_t h = 14695981039346656037U;

	h = mix(h, config->profile);
	h = mix(h, config->endpoint);
	h = mix(h, !strcmp(config->endpoint ? config->endpoint : "", "local:")
			   ? config->local_socket
			   : NULL);
	h = mix(h, config->api_key);
	h = mix(h, config->api_key_file);
	text_fmt(path, "/%016llx-%s", (unsigned long long)h, kind);
}

static int folders(char *path)
{
	for (char *p = path + 1;; p++) {
		char kept = *p;

		if (kept && kept != '/')
			continue;
		*p = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return -1;
		*p = kept;
		if (!kept)
			return 0;
	}
}

static int fresh(int fd)
{
	struct stat st;
	time_t age;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
		(st.st_mode & 077) || (size_t)st.st_size > CACHE_MAX)
		return 0;
	age = time(NULL) - st.st_mtime;
	return age >= 0 && age < FRESH_SECONDS;
}

int names_cached(const struct sv_config *config, const char *kind, struct text *ret)
{
	struct text path = { 0 };
	char piece[8192];
	ssize_t k = -1;
	int fd = -1;

	if (folder(config, &path)) {
		file(config, kind, &path);
		fd = open(path.s, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	}
	if (fd >= 0 && fresh(fd))
		while ((k = read(fd, piece, sizeof(piece))) > 0 && ret->n < CACHE_MAX)
			text_add(ret, piece, (size_t)k);
	if (fd >= 0)
		close(fd);
	if (k)
		text_free(ret);
	text_free(&path);
	return !k;
}

void names_cache_begin(struct names_cache *c, const struct sv_config *config, const char *kind)
{
	struct text path = { 0 }, temporary = { 0 };

	*c = (struct names_cache){ .fd = -1 };
	if (!folder(config, &path))
		return;
	if (!folders(path.s)) {
		file(config, kind, &path);
		text_fmt(&temporary, "%s.%ld", path.s, (long)getpid());
		unlink(temporary.s); /* of a process with this number that did not end well */
		c->fd = open(
			temporary.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	c->path = path.s;
	c->temporary = temporary.s;
}

void names_cache_end(struct names_cache *c, const struct text *text)
{
	int ok = c->fd >= 0 && text && text->n <= CACHE_MAX &&
		 write(c->fd, text_of(text), text->n) == (ssize_t)text->n;

	if (c->fd >= 0 && (close(c->fd) || !ok || rename(c->temporary, c->path)))
		unlink(c->temporary);
	mem_free(c->path);
	mem_free(c->temporary);
}

void names_cache_clear(const struct sv_config *config)
{
	struct text path = { 0 };
	const struct dirent *e;
	DIR *dir = folder(config, &path) ? opendir(path.s) : NULL;

	while (dir && (e = readdir(dir)) != NULL)
		if (*e->d_name != '.')
			unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
	text_free(&path);
}
