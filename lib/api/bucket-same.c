/* SPDX-License-Identifier: MIT */
/* Is a file what an object is? An etag is the MD5 of the contents, or that of the parts' MD5s. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/upload.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/md5.h"
#include "base/str.h"

#define PIECE ((size_t)256 << 10)

/* Sizes of parts that are usual, in MiB; 0: what this library would choose. */
static const int usual[] = { 0, 8, 5, 15, 16, 32, 64, 100, 128 };

static int stopped(const sv_client *c)
{
	return c->interrupt && c->interrupt(c->interrupt_data);
}

static int digest(const sv_client *c, int fd, int64_t from, int64_t size, unsigned char md5[16])
{
	char *buf = sv_malloc(PIECE);
	struct sv_md5 sum;
	ssize_t n = 1;
	int r = buf ? SV_OK : SV_NOMEM;

	sv_md5_init(&sum);
	for (; !r && size > 0 && n > 0; from += n, size -= n) {
		n = pread(fd, buf, (int64_t)PIECE < size ? PIECE : (size_t)size, (off_t)from);
		if (n > 0)
			sv_md5_add(&sum, buf, (size_t)n);
		r = n < 0 ? SV_IO : stopped(c) ? SV_CANCELED : SV_OK;
	}
	sv_md5_end(&sum, md5);
	sv_mfree(buf);
	return r;
}

static int of_parts(
	const sv_client *c, int fd, int64_t size, int64_t part, const char *etag, int *ret)
{
	unsigned char md5[16];
	char text[33];
	struct sv_md5 all;
	int r = SV_OK;

	sv_md5_init(&all);
	for (int64_t at = 0; !r && at < size; at += part) {
		r = digest(c, fd, at, size - at < part ? size - at : part, md5);
		sv_md5_add(&all, md5, sizeof(md5));
	}
	sv_md5_end(&all, md5);
	sv_hex(md5, sizeof(md5), text);
	*ret = !strncmp(text, etag, 32);
	return r;
}

static int compare(const sv_client *c, int fd, int64_t size, const char *etag, int *ret)
{
	unsigned char md5[16];
	char text[33];
	int64_t parts;
	int r = SV_OK;

	if (sv_etag_is_md5(etag)) {
		r = digest(c, fd, 0, size, md5);
		sv_hex(md5, sizeof(md5), text);
		*ret = !strcmp(text, etag);
		return r;
	}
	if (strlen(etag) < 34 || etag[32] != '-' || sv_parse_int(etag + 33, &parts))
		return SV_OK;
	for (size_t i = 0; !r && !*ret && i < sizeof(usual) / sizeof(usual[0]); i++) {
		int64_t part = usual[i] ? (int64_t)usual[i] << 20 : sv_part_size(NULL, size);

		if (part > 0 && (size + part - 1) / part == parts &&
			(!i || part != sv_part_size(NULL, size)))
			r = of_parts(c, fd, size, part, etag, ret);
	}
	return r;
}

int sv_bucket_same(sv_bucket *b, const char *path, const struct sv_bucket_object *object, int *ret)
{
	struct sv_error *err = &b->client->error;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), same = 0, r = SV_OK;
	struct stat st;

	sv_err_clear(err);
	if (fd < 0 || fstat(fd, &st)) {
		r = sv_err(err, SV_IO, "%s: %s", path, strerrordesc_np(errno));
	} else if (S_ISREG(st.st_mode) && object->etag && object->size_bytes == st.st_size) {
		r = compare(b->client, fd, st.st_size, object->etag, &same);
		if (r)
			sv_err(err, r, "%s: %s", path,
				r == SV_CANCELED ? "given up" : "cannot be read");
	}
	if (fd >= 0)
		close(fd);
	if (!r)
		*ret = same;
	return r;
}
