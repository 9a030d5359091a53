/* SPDX-License-Identifier: MIT */
/* The parts of an upload become one object: mostly they lie where they belong already. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "base/str.h"
#include "local/s3/s3.h"

/* What the client says there is, in its order. */
struct completing {
	struct s3_part *have;
	size_t n_have;
	size_t *chosen; /* indices into have */
	size_t n, at;   /* at: the one that is being copied */
	int dir, number, in_place;
	char etag[40];
	struct s3_copier c;
	int64_t total, put;  /* put: where that one comes to lie */
	struct s3_sums sums; /* of the whole, where the client said one */
	int64_t summed;
};

static void completing_free(void *work)
{
	struct completing *w = work;

	if (w->dir >= 0)
		close(w->dir);
	if (w->c.from >= 0)
		close(w->c.from);
	s3_sums_free(&w->sums);
	sv_mfree(w->have);
	sv_mfree(w->chosen);
	sv_mfree(w);
}

int s3_complete_begin(struct s3_request *rq)
{
	struct completing *w = sv_malloc(sizeof(*w));

	if (!w)
		return s3_fail(rq, "SlowDown", "out of memory");
	memset(w, 0, sizeof(*w));
	w->c.from = -1;
	rq->work = w;
	rq->work_free = completing_free;
	w->dir = s3_upload_dir(rq, &rq->meta);
	return w->dir < 0 ? -1 : 0;
}

static int choose(struct s3_request *rq, struct completing *w)
{
	const struct s3_part *last = w->n ? &w->have[w->chosen[w->n - 1]] : NULL;

	if (last && w->number <= last->number)
		return s3_fail(
			rq, "InvalidPartOrder", "part %d follows part %d", w->number, last->number);
	for (size_t i = 0; i < w->n_have; i++)
		if (w->have[i].number == w->number && !strcmp(w->have[i].md5, w->etag)) {
			w->chosen[w->n++] = i;
			w->total += w->have[i].size;
			return 0;
		}
	return s3_fail(rq, "InvalidPart", "part %d with this ETag is not there", w->number);
}

static int element(struct s3_request *rq, const char *path, const char *text, int ends)
{
	struct completing *w = rq->work;
	int64_t number = 0;
	size_t len = strlen(text);

	if (!ends) {
		if (!strcmp(path, "/CompleteMultipartUpload/Part"))
			w->number = w->etag[0] = 0;
		return strncmp(path, "/CompleteMultipartUpload", 24)
			       ? s3_fail(rq, "MalformedXML", "CompleteMultipartUpload is expected")
			       : 0;
	}
	if (!strcmp(path, "/CompleteMultipartUpload/Part/PartNumber")) {
		if (sv_parse_int(text, &number) || number < 1 || number > S3_PARTS_MAX)
			return s3_fail(rq, "InvalidArgument", "PartNumber must be 1 to 10000");
		w->number = (int)number;
	} else if (!strcmp(path, "/CompleteMultipartUpload/Part/ETag")) {
		int quoted = len > 1 && text[0] == '"' && text[len - 1] == '"';

		snprintf(w->etag, sizeof(w->etag), "%.*s", (int)(len - (quoted ? 2 : 0)),
			text + quoted);
	} else if (!strcmp(path, "/CompleteMultipartUpload/Part")) {
		return choose(rq, w);
	}
	return 0;
}

/* The digest of the parts' digests, and how many there are. */
static void name_it(struct s3_request *rq, const struct completing *w)
{
	unsigned char digest[32];
	struct s3_sums sums;
	char hex[65];

	if (s3_sums_init(&sums, 1U << S3_MD5))
		return;
	for (size_t i = 0; i < w->n; i++) {
		sv_unhex(w->have[w->chosen[i]].md5, digest, 16);
		s3_sums_add(&sums, digest, 16);
	}
	s3_sum_end(&sums, S3_MD5, digest);
	s3_sums_free(&sums);
	sv_hex(digest, 16, hex);
	snprintf(rq->meta.etag, sizeof(rq->meta.etag), "%s-%zu", hex, w->n);
}

/* Every part is where it will be, or has a file of its own and its place there is free. */
static int lies_right(const struct completing *w, int64_t each)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct s3_part *p = &w->have[w->chosen[i]];
		int64_t want = (int64_t)i * each;

		if (p->number != (int)i + 1 || (p->at >= 0 && p->at != want) || p->size > each ||
			(p->size < each && i + 1 < w->n))
			return 0;
	}
	return 1;
}

/* The upload's own file becomes the object, where nobody writes into it any more. */
static int take_file(struct s3_request *rq, struct completing *w)
{
	int64_t each = s3_parts_size(w->dir);
	struct stat st;

	if (each < 0 || !lies_right(w, each) || !s3_claim_file(rq))
		return 0;
	rq->fd = openat(w->dir, S3_UPLOAD_DATA, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (rq->fd >= 0 && !fstat(rq->fd, &st) && st.st_size <= w->total) {
		snprintf(rq->temp, sizeof(rq->temp), "%s/" S3_UPLOAD_DATA, rq->upload);
		rq->shared = 1;
		return 1;
	}
	if (rq->fd >= 0)
		close(rq->fd);
	rq->fd = -1;
	return 0;
}

/* What the client says of the whole is compared with it; 1: there is more to read. */
static int sum_some(struct s3_request *rq, struct completing *w)
{
	char *buf = sv_malloc(S3_PIECE);
	int64_t end = w->summed + S3_STEP;
	ssize_t n = 1;

	if (!buf)
		return s3_fail(rq, "SlowDown", "out of memory");
	for (; n > 0 && w->summed<end; w->summed += n> 0 ? n : 0) {
		n = pread(rq->fd, buf, S3_PIECE, w->summed);
		s3_sums_add(&w->sums, buf, n > 0 ? (size_t)n : 0);
	}
	sv_mfree(buf);
	return n < 0 ? s3_fail_errno(rq) : n > 0;
}

static int compare(struct s3_request *rq, struct completing *w)
{
	for (int i = 0; i < S3_SUMS; i++) {
		if (!(w->sums.wanted & 1U << i))
			continue;
		if (s3_sum_compare(rq, &w->sums, i))
			return -1;
		if (s3_meta_add(&rq->meta, s3_sum_header(i), rq->body.given[i]))
			return s3_fail(rq, "MetadataTooLarge", "the object's headers are too long");
	}
	return 0;
}

static int finish(struct s3_request *rq, struct completing *w)
{
	name_it(rq, w);
	if (compare(rq, w) || s3_commit(rq, rq->object))
		return -1;
	s3_upload_remove(rq);
	s3_release(rq);
	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out,
		"<CompleteMultipartUploadResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
		"<Location>/%s/",
		rq->bucket);
	s3_xml(&rq->out, rq->object, 1);
	sv_buf_fmt(&rq->out, "</Location><Bucket>%s</Bucket><Key>", rq->bucket);
	s3_xml(&rq->out, rq->object, 0);
	sv_buf_fmt(&rq->out, "</Key><ETag>&quot;%s&quot;</ETag></CompleteMultipartUploadResult>\n",
		rq->meta.etag);
	return 0;
}

/* From its own file, or from its wrong place in the upload's. */
static int part_open(struct s3_request *rq, struct completing *w, const struct s3_part *p)
{
	w->c.from = openat(
		w->dir, p->at < 0 ? p->file : S3_UPLOAD_DATA, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	w->c.at = p->at < 0 ? 0 : p->at;
	w->c.left = p->size;
	if (w->c.from < 0)
		return s3_fail(rq, "InvalidPart", "part %d is gone", p->number);
	return lseek(rq->fd, w->put, SEEK_SET) < 0 ? s3_fail_errno(rq) : 0;
}

/* 1: it has not all been copied. */
static int copy_some(struct s3_request *rq, struct completing *w)
{
	int64_t left = S3_STEP;

	for (; w->at < w->n && left > 0; w->at++) {
		const struct s3_part *p = &w->have[w->chosen[w->at]];
		int64_t before;

		if (!w->in_place || p->at < 0) {
			if (w->c.from < 0 && part_open(rq, w, p))
				return -1;
			before = w->c.left;
			if (s3_copier_step(rq, &w->c, left))
				return -1;
			left -= before - w->c.left;
			if (w->c.left)
				return 1;
			close(w->c.from);
			w->c.from = -1;
		}
		w->put += p->size;
	}
	return w->at < w->n;
}

static int more(struct s3_request *rq)
{
	struct completing *w = rq->work;
	int rc = copy_some(rq, w);

	if (!rc && w->sums.wanted)
		rc = sum_some(rq, w);
	return rc ? rc : finish(rq, w);
}

/* Where the object grows, and what is to be known of it. */
static int prepare(struct s3_request *rq, struct completing *w)
{
	unsigned wanted = 0;

	for (int i = 0; i < S3_SUMS; i++)
		if (i != S3_MD5 && rq->body.given[i][0])
			wanted |= 1U << i;
	if (wanted && s3_sums_init(&w->sums, wanted))
		return s3_fail(rq, "SlowDown", "out of memory");
	w->in_place = take_file(rq, w);
	return w->in_place ? 0 : s3_temp_make(rq);
}

/* With the claim: what parts there are does not change any more. */
static int start(struct s3_request *rq)
{
	struct completing *w = rq->work;

	/* Who had the claim before may have made the object. */
	if (faccessat(w->dir, S3_UPLOAD_RECORD, F_OK, 0))
		return s3_fail(rq, "NoSuchUpload", "the upload was ended meanwhile");
	if (s3_parts_read(w->dir, &w->have, &w->n_have))
		return s3_fail(rq, "SlowDown", "the parts cannot be read");
	w->chosen = sv_malloc((w->n_have + 1) * sizeof(*w->chosen));
	if (!w->chosen)
		return s3_fail(rq, "SlowDown", "out of memory");
	if (s3_read_xml(rq, sv_buf_text(&rq->text), rq->text.len, element))
		return -1;
	if (!w->n)
		return s3_fail(rq, "MalformedXML", "no part is named");
	if (w->total > S3_OBJECT_MAX)
		return s3_fail(rq, "EntityTooLarge", "an object has at most 5 TiB");
	/* They count already; what the object replaces does no harm. */
	return prepare(rq, w);
}

/* Behind another that completes the same upload. */
static int wait_turn(struct s3_request *rq)
{
	if (!s3_claim_wait(rq, 0))
		return 1;
	if (start(rq))
		return -1;
	rq->more = more;
	return 1;
}

int s3_complete(struct s3_request *rq)
{
	const struct completing *w = rq->work;
	int mine = s3_claim(rq, 0);

	if (mine && start(rq))
		return -1;
	if (mine && w->total <= S3_STEP)
		return more(rq);
	rq->status = 200;
	rq->more = mine ? more : wait_turn;
	return 0;
}
