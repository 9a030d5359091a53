/* SPDX-License-Identifier: MIT */
/* The parts of an upload become one object. */
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
	int dir, number;
	char etag[40];
	struct s3_copier c;
	int64_t total;
};

static void completing_free(void *work)
{
	struct completing *w = work;

	if (w->dir >= 0)
		close(w->dir);
	if (w->c.from >= 0)
		close(w->c.from);
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

static int finish(struct s3_request *rq, struct completing *w)
{
	name_it(rq, w);
	if (s3_commit(rq, rq->object))
		return -1;
	s3_upload_remove(rq);
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

static int more(struct s3_request *rq)
{
	struct completing *w = rq->work;
	int64_t left = S3_STEP;

	while (w->at < w->n && left > 0) {
		const struct s3_part *p = &w->have[w->chosen[w->at]];
		int64_t before;

		if (w->c.from < 0) {
			w->c.from = openat(w->dir, p->file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
			w->c.at = 0;
			w->c.left = p->size;
			if (w->c.from < 0)
				return s3_fail(rq, "InvalidPart", "part %d is gone", p->number);
		}
		before = w->c.left;
		if (s3_copier_step(rq, &w->c, left))
			return -1;
		left -= before - w->c.left;
		if (w->c.left)
			continue;
		close(w->c.from);
		w->c.from = -1;
		w->at++;
	}
	return w->at < w->n ? 1 : finish(rq, w);
}

int s3_complete(struct s3_request *rq)
{
	struct completing *w = rq->work;

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
	if (s3_quota(rq, w->total) || s3_temp_make(rq))
		return -1;
	if (w->total > S3_STEP) {
		rq->status = 200;
		rq->more = more;
		return 0;
	}
	return more(rq);
}
