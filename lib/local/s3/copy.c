/* SPDX-License-Identifier: MIT */
/* Copies within a storage, whole objects or parts of an upload. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "base/str.h"
#include "local/s3/s3.h"

struct copying {
	struct s3_copier c;
	struct stat st;
};

/* Through our own memory, where the bytes have to be seen. */
static int step_seen(struct s3_request *rq, struct s3_copier *c, int64_t most)
{
	char *buf = sv_malloc(S3_PIECE);
	int bad = buf ? 0 : s3_fail(rq, "SlowDown", "out of memory");

	while (!bad && c->left && most > 0) {
		ssize_t n = pread(c->from, buf,
			c->left < (int64_t)S3_PIECE ? (size_t)c->left : S3_PIECE, c->at);

		if (n <= 0 || write(rq->fd, buf, (size_t)n) != n) {
			bad = n ? s3_fail_errno(rq)
				: s3_fail(rq, "InternalError",
					  "the source became shorter meanwhile");
			break;
		}
		s3_sums_add(&c->sums, buf, (size_t)n);
		c->at += n;
		c->left -= n;
		most -= n;
	}
	sv_mfree(buf);
	return bad;
}

int s3_copier_step(struct s3_request *rq, struct s3_copier *c, int64_t most)
{
	while (!c->hash && c->left && most > 0) {
		int64_t want = c->left < most ? c->left : most;
		ssize_t n = copy_file_range(c->from, &c->at, rq->fd, NULL, (size_t)want, 0);

		if (n < 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS ||
				     errno == EOPNOTSUPP))
			return step_seen(rq, c, most);
		if (n <= 0)
			return n ? s3_fail_errno(rq)
				 : s3_fail(rq, "InternalError",
					   "the source became shorter meanwhile");
		c->left -= n;
		most -= n;
	}
	return c->left && most > 0 ? step_seen(rq, c, most) : 0;
}

static void copying_free(void *work)
{
	struct copying *w = work;

	if (w->c.from >= 0)
		close(w->c.from);
	s3_sums_free(&w->c.sums);
	sv_mfree(w);
}

/* "/bucket/key", encoded. */
static int take_source(struct s3_request *rq, char *key, size_t size)
{
	const char *source = s3_header(rq, "x-amz-copy-source"), *slash, *code, *wrong;
	char bucket[256], path[S3_KEY_MAX * 3 + 300];

	snprintf(path, sizeof(path), "%s", source + (*source == '/'));
	path[strcspn(path, "?")] = '\0';
	slash = strchr(path, '/');
	if (!slash && (slash = strcasestr(path, "%2f")))
		path[slash - path] = '\0';
	if (!slash || sv_url_decode(path, strcspn(path, "/"), 0, bucket, sizeof(bucket)) <= 0 ||
		sv_url_decode(slash + (*slash == '/' ? 1 : 3),
			strlen(slash + (*slash == '/' ? 1 : 3)), 0, key, size) <= 0)
		return s3_fail(
			rq, "InvalidArgument", "x-amz-copy-source is not /BUCKET/KEY, encoded");
	if (strcmp(bucket, rq->key.storage) != 0 &&
		(!rq->key.named || strcmp(bucket, rq->key.name) != 0))
		return s3_fail(rq, "AccessDenied",
			"this key opens %s alone: what is in another storage has to be read and "
			"written",
			rq->key.storage);
	wrong = s3_key_wrong(key, &code);
	return wrong ? s3_fail(rq, code, "x-amz-copy-source: %s", wrong) : 0;
}

static int open_source(struct s3_request *rq, struct s3_meta *m, struct copying **ret)
{
	struct copying *w = sv_malloc(sizeof(*w));
	char key[S3_KEY_MAX + 1];
	int data;

	if (!w)
		return s3_fail(rq, "SlowDown", "out of memory");
	memset(w, 0, sizeof(*w));
	w->c.from = -1;
	rq->work = w;
	rq->work_free = copying_free;
	if (take_source(rq, key, sizeof(key)))
		return -1;
	data = s3_dir(rq, "data");
	w->c.from = data < 0 ? -1 : s3_open(data, key, O_RDONLY, &w->st);
	if (data >= 0)
		close(data);
	if (w->c.from < 0)
		return s3_fail_errno(rq);
	s3_meta_read(w->c.from, &w->st, m);
	w->c.left = S_ISREG(w->st.st_mode) ? w->st.st_size : 0;
	*ret = w;
	return s3_conditions(rq, "x-amz-copy-source-", m->etag, &w->st, 1);
}

static void answer(struct s3_request *rq, const char *element)
{
	char when[40];
	struct stat st;

	s3_time_xml(!fstat(rq->fd, &st) ? st.st_mtim.tv_sec : 0, when);
	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out,
		"<%s "
		"xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><LastModified>%s</LastModified>"
		"<ETag>&quot;%s&quot;</ETag></%s>\n",
		element, when, rq->meta.etag, element);
}

int s3_copy_begin(struct s3_request *rq)
{
	const char *directive = s3_header(rq, "x-amz-metadata-directive");
	struct s3_meta source;
	struct copying *w = NULL;

	if (open_source(rq, &source, &w))
		return -1;
	if (S_ISDIR(w->st.st_mode) || rq->object[strlen(rq->object) - 1] == '/') {
		if (w->c.left || rq->object[strlen(rq->object) - 1] != '/')
			return s3_fail(rq, "InvalidArgument",
				"a directory and a file cannot take each other's place");
		return 0;
	}
	if (directive && strcmp(directive, "REPLACE") != 0 && strcmp(directive, "COPY") != 0)
		return s3_fail(rq, "InvalidArgument", "x-amz-metadata-directive: COPY or REPLACE");
	if (directive && !strcmp(directive, "REPLACE")) {
		if (s3_meta_of_request(rq, &rq->meta))
			return -1;
	} else {
		memcpy(rq->meta.headers, source.headers, sizeof(source.headers));
	}
	return s3_quota(rq, w->c.left) || s3_temp_make(rq) ? -1 : 0;
}

static int copied(struct s3_request *rq, struct copying *w)
{
	unsigned char digest[32];

	s3_sum_end(&w->c.sums, S3_MD5, digest);
	sv_hex(digest, 16, rq->meta.etag);
	if (s3_commit(rq, rq->object))
		return -1;
	answer(rq, "CopyObjectResult");
	return 0;
}

static int more(struct s3_request *rq)
{
	struct copying *w = rq->work;

	if (s3_copier_step(rq, &w->c, S3_STEP))
		return -1;
	return w->c.left ? 1 : copied(rq, w);
}

int s3_copy_end(struct s3_request *rq)
{
	struct copying *w = rq->work;

	if (rq->fd < 0) {
		if (s3_marker_make(rq, rq->object))
			return -1;
		snprintf(rq->meta.etag, sizeof(rq->meta.etag), "d41d8cd98f00b204e9800998ecf8427e");
		answer(rq, "CopyObjectResult");
		return 0;
	}
	w->c.hash = 1;
	if (s3_sums_init(&w->c.sums, 1U << S3_MD5))
		return s3_fail(rq, "SlowDown", "out of memory");
	if (w->c.left > S3_STEP) {
		rq->status = 200;
		rq->more = more;
		return 0;
	}
	return more(rq);
}

/* "bytes=0-9" of the source, both ends said. */
static int take_range(struct s3_request *rq, struct copying *w)
{
	const char *range = s3_header(rq, "x-amz-copy-source-range"), *dash;
	char text[24];
	int64_t from, to;

	if (!range)
		return 0;
	dash = strncmp(range, "bytes=", 6) ? NULL : strchr(range, '-');
	if (dash)
		snprintf(text, sizeof(text), "%.*s", (int)(dash - range - 6), range + 6);
	if (!dash || sv_parse_int(text, &from) || sv_parse_int(dash + 1, &to) || from < 0 ||
		to < from || to >= w->c.left)
		return s3_fail(rq, "InvalidArgument",
			"x-amz-copy-source-range is not bytes=FROM-TO within the source");
	w->c.at = from;
	w->c.left = to - from + 1;
	return 0;
}

int s3_part_copy_begin(struct s3_request *rq)
{
	struct s3_meta source;
	struct copying *w = NULL;

	if (s3_part_number(rq) || open_source(rq, &source, &w) || take_range(rq, w) ||
		s3_quota(rq, w->c.left))
		return -1;
	if (w->c.left > S3_PUT_MAX)
		return s3_fail(rq, "EntityTooLarge", "at most 5 GiB may be one part");
	return s3_part_place(rq, w->c.left);
}

static int part_copied(struct s3_request *rq)
{
	struct copying *w = rq->work;
	unsigned char digest[32];

	if (s3_copier_step(rq, &w->c, S3_STEP))
		return -1;
	if (w->c.left)
		return 1;
	s3_sum_end(&w->c.sums, S3_MD5, digest);
	sv_hex(digest, 16, rq->meta.etag);
	answer(rq, "CopyPartResult");
	return s3_part_keep(rq, rq->meta.etag);
}

int s3_part_copy_end(struct s3_request *rq)
{
	struct copying *w = rq->work;

	w->c.hash = 1;
	if (s3_sums_init(&w->c.sums, 1U << S3_MD5))
		return s3_fail(rq, "SlowDown", "out of memory");
	if (w->c.left > S3_STEP) {
		rq->status = 200;
		rq->more = part_copied;
		return 0;
	}
	return part_copied(rq);
}
