/* SPDX-License-Identifier: MIT */
/* An upload's directory beside the storage, work/up-ID. Its file becomes the object: parts of one
 * size are written where they will lie, and only what has no such place has a file of its own. A
 * name says that a part is there, with its digest: it survives whoever dies. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/s3/s3.h"

/* Links that only hold a text, since a link is made at once and whole. */
#define SIZE "size"
#define BOOT "boot"

static int open_upload(const struct s3_request *rq)
{
	int work = s3_dir(rq, "work"), dir;

	if (work < 0)
		return -1;
	dir = openat(work, rq->upload, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(work);
	return dir;
}

static DIR *entries_of(int dir)
{
	int fd = dir < 0 ? -1 : openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopendir(fd);
}

int s3_parts_begin(const struct s3 *s, int dir)
{
	int fd = openat(dir, S3_UPLOAD_DATA, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return -1;
	close(fd);
	return symlinkat(s->boot, dir, BOOT);
}

/* "8388608.0": size and place of a part that lies in the upload's file. */
static int read_place(const char *text, struct s3_part *p)
{
	char size[24];
	size_t len = strcspn(text, ".");

	if (!text[len] || len >= sizeof(size))
		return -1;
	snprintf(size, sizeof(size), "%.*s", (int)len, text);
	return sv_parse_int(size, &p->size) || sv_parse_int(text + len + 1, &p->at) ||
			       p->size < 0 || p->at < 0
		       ? -1
		       : 0;
}

/* "00001.d41d8cd98f00b204e9800998ecf8427e", with a place behind it or not. */
static int read_part(int dir, const char *name, struct s3_part *p)
{
	char number[8];
	struct stat st;
	int64_t n;

	snprintf(number, sizeof(number), "%.5s", name);
	if (strlen(name) < 38 || strlen(name) >= sizeof(p->file) || name[5] != '.' ||
		strspn(number, "0123456789") != 5 ||
		sv_parse_int(number + strspn(number, "0"), &n) ||
		fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return -1;
	*p = (struct s3_part){
		.number = (int)n, .size = st.st_size, .modified = st.st_mtim.tv_sec, .at = -1
	};
	snprintf(p->md5, sizeof(p->md5), "%s", name + 6);
	snprintf(p->file, sizeof(p->file), "%s", name);
	return name[38] == '.' ? read_place(name + 39, p) : name[38] ? -1 : 0;
}

static int by_number(const void *a, const void *b)
{
	const struct s3_part *x = a, *y = b;

	return x->number != y->number ? (x->number < y->number ? -1 : 1)
				      : (x->modified > y->modified) - (x->modified < y->modified);
}

int s3_parts_read(int dir, struct s3_part **ret, size_t *n)
{
	DIR *d = entries_of(dir);
	struct s3_part *parts = d ? sv_malloc(S3_PARTS_MAX * 2 * sizeof(*parts)) : NULL;
	struct dirent *e;
	size_t have = 0, kept = 0;

	while (parts && have < S3_PARTS_MAX * 2 && (e = readdir(d)))
		have += !read_part(dir, e->d_name, &parts[have]);
	if (d)
		closedir(d);
	if (!parts)
		return -1;
	qsort(parts, have, sizeof(*parts), by_number);
	for (size_t i = 0; i < have; i++) /* of two with one number the younger */
		if (i + 1 == have || parts[i + 1].number != parts[i].number)
			parts[kept++] = parts[i];
	*ret = parts;
	*n = kept;
	return 0;
}

static int holds_what_it_says(int dir, const struct s3_part *p)
{
	int fd = openat(dir, p->at < 0 ? p->file : S3_UPLOAD_DATA, O_RDONLY | O_CLOEXEC);
	unsigned char digest[32];
	char hex[65] = "", *buf = sv_malloc(S3_PIECE);
	int64_t left = p->size, at = p->at < 0 ? 0 : p->at;
	struct s3_sums sums;
	ssize_t n = 1;

	if (fd >= 0 && buf && !s3_sums_init(&sums, 1U << S3_MD5)) {
		for (; left > 0 && n > 0; at += n, left -= n) {
			n = pread(fd, buf, left < (int64_t)S3_PIECE ? (size_t)left : S3_PIECE, at);
			s3_sums_add(&sums, buf, n > 0 ? (size_t)n : 0);
		}
		s3_sum_end(&sums, S3_MD5, digest);
		sv_hex(digest, 16, hex);
		s3_sums_free(&sums);
	}
	if (fd >= 0)
		close(fd);
	sv_mfree(buf);
	return !strcmp(hex, p->md5);
}

static int link_text(int dir, const char *name, char *buf, size_t size)
{
	ssize_t n = readlinkat(dir, name, buf, size - 1);

	buf[n < 0 ? 0 : n] = '\0';
	return n > 0 ? 0 : -1;
}

static int is_trusted(const struct s3 *s, int dir)
{
	char boot[64];

	return !link_text(dir, BOOT, boot, sizeof(boot)) && !strcmp(boot, s->boot);
}

static int look_at_all(const struct s3 *s, int dir)
{
	struct s3_part *parts = NULL;
	size_t n = 0;

	if (s3_parts_read(dir, &parts, &n))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!holds_what_it_says(dir, &parts[i]))
			unlinkat(dir, parts[i].file, 0);
	sv_mfree(parts);
	unlinkat(dir, BOOT, 0);
	(void)!symlinkat(s->boot, dir, BOOT);
	return 0;
}

/* One at a time: a second look might take away what has come anew after the first. */
int s3_parts_trust(struct s3 *s, int dir)
{
	int bad = 0;

	if (faccessat(dir, S3_UPLOAD_DATA, F_OK, AT_SYMLINK_NOFOLLOW))
		return -1;
	if (is_trusted(s, dir))
		return 0;
	pthread_mutex_lock(&s->trust_lock);
	if (!is_trusted(s, dir))
		bad = look_at_all(s, dir);
	pthread_mutex_unlock(&s->trust_lock);
	return bad;
}

int64_t s3_parts_size(int dir)
{
	char text[24];
	int64_t size;

	return link_text(dir, SIZE, text, sizeof(text)) || sv_parse_int(text, &size) ? -1 : size;
}

/* The first part that comes says how large they are; whoever it is, all get the same answer. */
static int64_t parts_size(int dir, int64_t size)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)size);
	(void)!symlinkat(text, dir, SIZE);
	return s3_parts_size(dir);
}

/* One that was acknowledged stays as it is until another is whole. */
static int lies_there(int dir, int number)
{
	DIR *d = entries_of(dir);
	struct s3_part p;
	struct dirent *e;
	int found = 0;

	while (d && !found && (e = readdir(d)))
		found = !read_part(dir, e->d_name, &p) && p.number == number && p.at >= 0;
	if (d)
		closedir(d);
	return found || !d;
}

int s3_part_place(struct s3_request *rq, int64_t size)
{
	int dir = size > 0 ? open_upload(rq) : -1;
	int64_t each = dir < 0 ? -1 : parts_size(dir, size);

	if (each >= size && s3_claim(rq, rq->part)) {
		rq->at = (rq->part - 1) * each;
		if (!lies_there(dir, rq->part))
			rq->fd = openat(dir, S3_UPLOAD_DATA, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
		rq->shared = rq->fd >= 0;
		if (!rq->shared || lseek(rq->fd, rq->at, SEEK_SET) < 0) {
			rq->at = -1;
			s3_unclaim(rq);
		}
	}
	if (dir >= 0)
		close(dir);
	if (rq->at >= 0)
		return 0;
	if (rq->fd >= 0)
		close(rq->fd);
	rq->fd = -1;
	rq->shared = 0;
	return s3_temp_make(rq);
}

/* The name that says it is there. */
static int tell(struct s3_request *rq, int work, int dir, const char *name)
{
	int fd;

	if (!rq->shared)
		return renameat(work, rq->temp, dir, name);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

/* What was there under its number before goes; how many bytes that was. */
static int64_t drop_others(int dir, int number, const char *name)
{
	DIR *d = entries_of(dir);
	struct s3_part p;
	struct dirent *e;
	int64_t bytes = 0;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, name, 6) && !read_part(dir, e->d_name, &p) &&
			p.number == number && strcmp(e->d_name, name) != 0 &&
			!unlinkat(dir, e->d_name, 0))
			bytes += p.size;
	if (d)
		closedir(d);
	return bytes;
}

/* The new part is there before the old one goes, and no other comes meanwhile: of two that end at
 * once each would drop the other. Nor does one come or go while an object is made of them. */
static int take_place(struct s3_request *rq, int work, int dir, const char *name, int64_t size)
{
	int64_t gone = 0;
	int bad;

	pthread_mutex_lock(&rq->s->claim_lock);
	bad = s3_is_completing(rq);
	if (!bad) {
		bad = work < 0 || dir < 0 || faccessat(dir, S3_UPLOAD_RECORD, F_OK, 0) ||
				      tell(rq, work, dir, name)
			      ? -1
			      : 0;
		gone = bad ? 0 : drop_others(dir, rq->part, name);
	}
	pthread_mutex_unlock(&rq->s->claim_lock);
	if (bad > 0)
		return s3_fail(rq, "SlowDown", "the upload is being completed; try again");
	if (bad && errno == ENOENT)
		return s3_fail(rq, "NoSuchUpload", "the upload was ended meanwhile");
	if (bad)
		return s3_fail_errno(rq);
	s3_used_add(rq->s, rq->key.storage, size - gone);
	return 0;
}

/* What is acknowledged outlives the server; that it outlives the machine is the object's promise,
 * and s3_parts_trust()'s to look. */
int s3_part_keep(struct s3_request *rq, const char *md5)
{
	int64_t size = lseek(rq->fd, 0, SEEK_CUR) - (rq->shared ? rq->at : 0);
	int work, dir, bad;
	char name[96];

	snprintf(name, sizeof(name), "%05d.%s", rq->part, md5);
	if (rq->shared)
		snprintf(name + strlen(name), sizeof(name) - strlen(name), ".%lld.%lld",
			(long long)size, (long long)rq->at);
	/* So that less is left to write when it becomes an object. */
	(void)!sync_file_range(rq->fd, rq->shared ? rq->at : 0, size, SYNC_FILE_RANGE_WRITE);
	work = s3_dir(rq, "work");
	dir = open_upload(rq);
	bad = take_place(rq, work, dir, name, size);
	s3_release(rq);
	if (dir >= 0)
		close(dir);
	if (work >= 0)
		close(work);
	return bad;
}

static int64_t sum_of(int dir)
{
	struct s3_part *parts = NULL;
	int64_t sum = 0;
	size_t n = 0;

	if (!s3_parts_read(dir, &parts, &n))
		for (size_t i = 0; i < n; i++)
			sum += parts[i].size;
	sv_mfree(parts);
	return sum;
}

void s3_upload_remove(struct s3_request *rq)
{
	int work = s3_dir(rq, "work"), dir = open_upload(rq);
	int64_t sum = dir < 0 ? 0 : sum_of(dir);
	struct dirent *e;
	DIR *d;

	/* First: without it it is no upload any more, and no part comes. */
	pthread_mutex_lock(&rq->s->claim_lock);
	if (dir >= 0)
		unlinkat(dir, S3_UPLOAD_RECORD, 0);
	pthread_mutex_unlock(&rq->s->claim_lock);
	d = entries_of(dir);
	while (d && (e = readdir(d)))
		unlinkat(dir, e->d_name, 0);
	if (d)
		closedir(d);
	if (dir >= 0)
		close(dir);
	if (work >= 0) {
		if (!unlinkat(work, rq->upload, AT_REMOVEDIR))
			s3_used_add(rq->s, rq->key.storage, -sum);
		close(work);
	}
}

int64_t s3_parts_count(int work)
{
	DIR *d = work < 0 ? NULL : fdopendir(work);
	int64_t sum = 0;
	struct dirent *e;
	int dir;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, "up-", 3) != 0)
			continue;
		dir = openat(work, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		sum += dir < 0 ? 0 : sum_of(dir);
		if (dir >= 0)
			close(dir);
	}
	if (d)
		closedir(d);
	else if (work >= 0)
		close(work);
	return sum;
}
