/* SPDX-License-Identifier: MIT */
/* What an upload has sent, written down part by part, so that a killed one goes on. Lines of words,
 * each escaped; a line that is not whole is not there. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "api/config.h"
#include "api/upload.h"
#include "base/err.h"
#include "base/sha256.h"
#include "base/str.h"

#define MOST_RECORD ((size_t)8 << 20)
#define MOST_WORDS  5

static void name_target(struct sv_record_file *f, const struct sv_multipart *m)
{
	const struct sv_s3_place *p = &m->bucket->place;
	struct sv_buf b;

	sv_buf_init(&b, sizeof(f->target));
	sv_buf_url(&b, p->endpoint.base);
	sv_buf_chr(&b, ',');
	sv_buf_url(&b, p->bucket);
	sv_buf_chr(&b, ',');
	sv_buf_url(&b, m->key);
	snprintf(f->target, sizeof(f->target), "%s", sv_buf_text(&b));
	sv_buf_free(&b);
}

/* What makes a file the same as before. */
static void name_file(struct sv_record_file *f, const char *path, const struct stat *st)
{
	struct sv_buf b;

	sv_buf_init(&b, sizeof(f->file) - 128);
	sv_buf_url(&b, path);
	snprintf(f->file, sizeof(f->file), "%llu,%llu,%lld,%lld.%09ld,%s",
		(unsigned long long)st->st_dev, (unsigned long long)st->st_ino,
		(long long)st->st_size, (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
		sv_buf_text(&b));
	sv_buf_free(&b);
}

static int find_place(struct sv_record_file *f, const char *state_dir)
{
	char digest[65];

	snprintf(f->path, sizeof(f->path), "%s/uploads", state_dir);
	if (strlen(f->path) + 80 > sizeof(f->path) || sv_dir_make(f->path))
		return -1;
	sv_sha256_hex(f->target, strlen(f->target), digest);
	snprintf(f->path + strlen(f->path), 80, "/%s", digest);
	return 0;
}

/* 0: locked; SV_CONFLICT; -1: nothing can be kept. */
static int lock(struct sv_record_file *f)
{
	struct stat mine, there;

	for (int tries = 0; tries < 100; tries++) {
		f->fd = open(f->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (f->fd < 0)
			return -1;
		if (flock(f->fd, LOCK_EX | LOCK_NB)) {
			close(f->fd);
			f->fd = -1;
			return errno == EWOULDBLOCK ? SV_CONFLICT : -1;
		}
		/* Whoever held it may have removed it. */
		if (!fstat(f->fd, &mine) && !stat(f->path, &there) && mine.st_ino == there.st_ino)
			return 0;
		close(f->fd);
	}
	f->fd = -1;
	return -1;
}

/* Undoes sv_buf_url(); 0, or -1. */
static int plain(const char *word, char *buf, size_t size)
{
	return sv_url_decode(word, strlen(word), 0, buf, size) < 0 ? -1 : 0;
}

/* "part 3 8388608 etag crc32c" */
static void part_line(struct sv_multipart *m, char *const *words, size_t n)
{
	int64_t number, size;
	struct sv_part p = { 0 };

	if (n < 4 || sv_parse_int(words[1], &number) || sv_parse_int(words[2], &size) ||
		number < 1 || number > SV_PARTS_MOST || size < 1)
		return;
	p.size = size;
	if (plain(words[3], p.etag, sizeof(p.etag)) || !*p.etag ||
		sv_multipart_room(m, (int)number))
		return;
	if (n > 4 && plain(words[4], p.crc32c, sizeof(p.crc32c)))
		return;
	m->parts[number - 1] = p;
	if (number > m->n)
		m->n = (int)number;
}

static void line(struct sv_record_file *f, struct sv_multipart *m, char *const *words, size_t n)
{
	int64_t v;

	if (n > 1 && !strcmp(words[0], "target"))
		f->other_file |= strcmp(words[1], f->target) != 0;
	else if (n > 1 && !strcmp(words[0], "file"))
		f->other_file |= strcmp(words[1], f->file) != 0;
	else if (n > 2 && !strcmp(words[0], "upload") && !sv_parse_int(words[2], &v) &&
		 v >= SV_PART_LEAST && v <= SV_PART_MOST && !plain(words[1], m->id, sizeof(m->id)))
		f->part_size = v;
	else if (n > 1 && !strcmp(words[0], "part") && f->part_size)
		part_line(m, words, n);
}

static void read_record(struct sv_record_file *f, struct sv_multipart *m, char *text)
{
	char *end, *words[MOST_WORDS];

	for (; (end = strchr(text, '\n')); text = end + 1) {
		size_t n = 0;

		*end = '\0';
		for (char *p = text; *p && n < MOST_WORDS; n++) {
			words[n] = p;
			p += strcspn(p, " ");
			if (*p)
				*p++ = '\0';
		}
		line(f, m, words, n);
	}
}

static int load(struct sv_record_file *f, struct sv_multipart *m)
{
	char piece[4096];
	struct sv_buf b;
	ssize_t n;

	sv_buf_init(&b, MOST_RECORD);
	while ((n = read(f->fd, piece, sizeof(piece))) > 0)
		sv_buf_add(&b, piece, (size_t)n);
	if (!n && !b.failed && b.data && !memchr(b.data, '\0', b.len))
		read_record(f, m, b.data);
	sv_buf_free(&b);
	return SV_OK;
}

int sv_record_open(
	struct sv_record_file *f, struct sv_multipart *m, const char *path, const struct stat *st)
{
	sv_client *c = m->bucket->client;
	int r;

	*f = (struct sv_record_file){ .fd = -1 };
	name_target(f, m);
	name_file(f, path, st);
	if (!c->config->state_dir || find_place(f, c->config->state_dir))
		return SV_OK;
	r = lock(f);
	if (r == SV_CONFLICT)
		return sv_err(&c->error, SV_CONFLICT, "another process is sending to %s", m->key);
	return r ? SV_OK : load(f, m);
}

static void add_line(struct sv_record_file *f, const struct sv_buf *b)
{
	/* Whether it could be written or not: without it more is sent again, that is all. */
	if (!b->failed && write(f->fd, b->data, b->len) != (ssize_t)b->len)
		unlink(f->path);
}

int sv_record_begin(struct sv_record_file *f, const struct sv_multipart *m, int64_t part_size)
{
	struct sv_buf b;

	f->part_size = part_size;
	f->other_file = 0;
	if (f->fd < 0)
		return SV_OK;
	sv_buf_init(&b, MOST_RECORD);
	sv_buf_fmt(&b, "target %s\nfile %s\nupload ", f->target, f->file);
	sv_buf_url(&b, m->id);
	sv_buf_fmt(&b, " %lld\n", (long long)part_size);
	if (!ftruncate(f->fd, 0))
		add_line(f, &b);
	sv_buf_free(&b);
	return SV_OK;
}

void sv_record_part(struct sv_record_file *f, const struct sv_multipart *m, int number)
{
	const struct sv_part *p = &m->parts[number - 1];
	struct sv_buf b;

	if (f->fd < 0)
		return;
	sv_buf_init(&b, MOST_RECORD);
	sv_buf_fmt(&b, "part %d %lld ", number, (long long)p->size);
	sv_buf_url(&b, p->etag);
	if (*p->crc32c) {
		sv_buf_chr(&b, ' ');
		sv_buf_url(&b, p->crc32c);
	}
	sv_buf_chr(&b, '\n');
	add_line(f, &b);
	sv_buf_free(&b);
}

void sv_record_close(struct sv_record_file *f, int done)
{
	if (f->fd < 0)
		return;
	if (done)
		unlink(f->path);
	close(f->fd);
	f->fd = -1;
}
