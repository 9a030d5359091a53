/* SPDX-License-Identifier: MIT */
/* Objects to files: into a temporary one beside the target, whose name says of which state of the
 * object it is; gone on with after a break, checked, renamed. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/bucket-get.h"
#include "api/upload.h"
#include "base/arena.h"
#include "base/crc32c.h"
#include "base/err.h"
#include "base/md5.h"
#include "base/sha256.h"
#include "base/str.h"

#define PIECE     ((size_t)256 << 10)
#define MOST_GOES 3 /* an object that changes again and again is given up */

struct fetching {
	struct sv_getting g;
	struct sv_transfer *t;
	const char *path;
	char temp[PATH_MAX];
	int fd, e; /* e: errno of a write */
	int64_t size, resumed;
	uint32_t crc;
	struct sv_md5 md5;
	int by_md5; /* the etag is the contents' own */
};

static int failed(struct fetching *f, const char *path, int e)
{
	return sv_err(&f->g.bucket->client->error, SV_IO, "%s: %s", path, strerrordesc_np(e));
}

/* ".NAME.<16 hex digits>.part" in the target's directory. */
static int name_temp(struct fetching *f)
{
	const struct sv_s3_place *p = &f->g.bucket->place;
	const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
	struct sv_buf b;
	char digest[65];
	int n;

	sv_buf_init(&b, 8192);
	sv_buf_fmt(&b, "%s\n%s\n%s\n%s\n%lld", p->endpoint.base, p->bucket, f->g.key, f->g.etag,
		(long long)f->size);
	sv_sha256_hex(sv_buf_text(&b), b.len, digest);
	sv_buf_free(&b);
	/* A name may have 255 bytes, and this one is longer than the target's. */
	n = snprintf(f->temp, sizeof(f->temp), "%.*s.%.200s.%.16s.part", (int)(name - f->path),
		f->path, name, digest);
	return n < 0 || (size_t)n >= sizeof(f->temp) ? failed(f, f->path, ENAMETOOLONG) : SV_OK;
}

static void tell_hashes(struct fetching *f, const void *p, size_t n)
{
	if (f->by_md5)
		sv_md5_add(&f->md5, p, n);
	else
		f->crc = sv_crc32c(f->crc, p, n);
}

/* What is there already counts, and goes into the digest. */
static int take_old(struct fetching *f)
{
	char *buf = sv_malloc(PIECE);
	int64_t at = 0;
	ssize_t n = 1;

	if (!buf)
		return SV_NOMEM;
	for (; at < f->size && n > 0; at += n > 0 ? n : 0) {
		n = pread(f->fd, buf, PIECE, (off_t)at);
		if (n > 0)
			tell_hashes(f, buf, (size_t)n);
	}
	sv_mfree(buf);
	f->resumed = at;
	return ftruncate(f->fd, (off_t)at) ? SV_IO : SV_OK;
}

static int open_temp(struct fetching *f)
{
	struct sv_error *err = &f->g.bucket->client->error;
	struct stat st;

	f->fd = open(f->temp, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (f->fd < 0)
		return failed(f, f->temp, errno);
	if (flock(f->fd, LOCK_EX | LOCK_NB))
		return sv_err(err, SV_CONFLICT, "another process is fetching %s", f->path);
	if (fstat(f->fd, &st) || !S_ISREG(st.st_mode))
		return failed(f, f->temp, EINVAL);
	if ((f->t->fresh || st.st_size > f->size) && ftruncate(f->fd, 0))
		return failed(f, f->temp, errno);
	sv_md5_init(&f->md5);
	f->crc = 0;
	if (take_old(f))
		return failed(f, f->temp, EIO);
	if (f->resumed)
		sv_transfer_note(f->t, "%s: resuming, %lld of %lld MiB are there", f->path,
			(long long)(f->resumed >> 20), (long long)(f->size >> 20));
	return SV_OK;
}

static int sink(void *data, const void *bytes, size_t len)
{
	struct fetching *f = data;
	const char *p = bytes;
	size_t left = len;

	while (left) {
		ssize_t n = pwrite(
			f->fd, p, left, (off_t)(f->resumed + f->g.got + (p - (const char *)bytes)));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			f->e = n ? errno : EIO;
			return -1;
		}
		p += n;
		left -= (size_t)n;
	}
	tell_hashes(f, bytes, len);
	f->t->sent_bytes += (int64_t)len;
	sv_transfer_tell(f->t, f->resumed + f->g.got + (int64_t)len, f->size);
	return 0;
}

static int right(struct fetching *f)
{
	char text[33];
	unsigned char digest[16];

	if (!f->by_md5) {
		sv_crc32c_text(f->crc, text);
		return !*f->g.crc32c || !strcmp(text, f->g.crc32c);
	}
	sv_md5_end(&f->md5, digest);
	sv_hex(digest, sizeof(digest), text);
	return !strcmp(text, f->g.etag);
}

static int put_in_place(struct fetching *f)
{
	struct stat st;

	/* A program that is replaced stays one. */
	if (!stat(f->path, &st) && S_ISREG(st.st_mode))
		fchmod(f->fd, st.st_mode & 07777);
	return rename(f->temp, f->path) ? failed(f, f->path, errno) : SV_OK;
}

static int transfer(struct fetching *f)
{
	sv_client *c = f->g.bucket->client;
	int r = name_temp(f);

	if (!r)
		r = open_temp(f);
	f->g.offset = f->resumed;
	f->g.got = 0;
	sv_transfer_tell(f->t, f->resumed, f->size);
	if (!r && f->resumed < f->size)
		r = sv_getting_run(&f->g);
	if (f->e)
		r = failed(f, f->temp, f->e);
	if (!r && !right(f)) {
		unlink(f->temp);
		r = sv_err(&c->error, SV_PROTO, "%s: what arrived is not what %s is",
			f->g.bucket->place.endpoint.shown, f->g.key);
	}
	if (!r)
		r = put_in_place(f);
	f->t->resumed_bytes = f->resumed;
	return r;
}

/* Takes note of which object it is, so that all that is fetched is of that one. */
static int look(struct fetching *f, struct sv_bucket_object **ret)
{
	struct sv_bucket_object *o = NULL;
	int r = sv_bucket_head_sum(f->g.bucket, f->g.key, &o, f->g.crc32c);

	if (r)
		return r;
	if (!sv_has(o, size_bytes)) {
		sv_free(o);
		return sv_err(&f->g.bucket->client->error, SV_PROTO,
			"the service does not say how large %s is", f->g.key);
	}
	f->size = o->size_bytes;
	snprintf(f->g.etag, sizeof(f->g.etag), "%s", o->etag ? o->etag : "");
	f->by_md5 = !*f->g.crc32c && sv_etag_is_md5(f->g.etag);
	sv_free(*ret);
	*ret = o;
	return SV_OK;
}

static int once(struct fetching *f, struct sv_bucket_object **o)
{
	int r = look(f, o);

	if (!r)
		r = transfer(f);
	if (r && f->g.changed)
		unlink(f->temp);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	sv_free(f->g.o);
	f->g.o = NULL;
	return r;
}

/* A link stays one, and what is no file is not replaced by one. */
static int find_target(sv_bucket *b, const char *path, char real[PATH_MAX])
{
	struct sv_error *err = &b->client->error;
	struct stat st;

	if (strlen(path) >= PATH_MAX)
		return sv_err(err, SV_IO, "%s: %s", path, strerrordesc_np(ENAMETOOLONG));
	if (!realpath(path, real))
		snprintf(real, PATH_MAX, "%s", path);
	if (!stat(real, &st) && !S_ISREG(st.st_mode))
		return sv_err(err, SV_INVALID, "%s is no regular file", path);
	return SV_OK;
}

int sv_bucket_download(sv_bucket *b, const char *key, const char *path, struct sv_transfer *t,
	struct sv_bucket_object **ret)
{
	struct sv_transfer own = { .fresh = 0 };
	struct sv_bucket_object *o = NULL;
	struct fetching *f;
	char real[PATH_MAX];
	int r = sv_bucket_key(b, key);

	if (!r)
		r = find_target(b, path, real);
	if (r)
		return r;
	f = sv_malloc(sizeof(*f));
	if (!f)
		return sv_err(&b->client->error, SV_NOMEM, "out of memory");
	t = t ? t : &own;
	t->sent_bytes = t->resumed_bytes = 0;
	for (int goes = 0; goes < MOST_GOES; goes++) {
		memset(f, 0, sizeof(*f));
		f->g = (struct sv_getting){
			.bucket = b, .key = key, .length = -1, .sink = sink, .data = f
		};
		f->t = t;
		f->path = real;
		f->fd = -1;
		r = once(f, &o);
		if (!r || !f->g.changed)
			break;
		sv_transfer_note(t, "%s has changed meanwhile: starting over", key);
	}
	sv_mfree(f);
	if (!r && ret)
		*ret = o;
	else
		sv_free(o);
	return r;
}
