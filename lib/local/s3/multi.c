/* SPDX-License-Identifier: MIT */
/* Uploads in parts: the calls. What lies in an upload's directory is parts.c's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/s3/s3.h"

#define XMLNS   "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""
#define UPLOADS 1000 /* in one list */

static int upload_name(const char *id, char *buf, size_t size)
{
	size_t len = strlen(id);

	if (len != 20 || strspn(id, "0123456789abcdefghijklmnopqrstuv") != len)
		return -1;
	snprintf(buf, size, "up-%s", id);
	return 0;
}

static int write_record(struct s3_request *rq, int dir, const struct s3_meta *m)
{
	int fd = openat(dir, S3_UPLOAD_RECORD, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct sv_buf b;
	int bad;

	sv_buf_init(&b, S3_KEY_MAX + S3_META_MAX + 16);
	sv_buf_fmt(&b, "%s\n%s", rq->object, m->headers);
	bad = fd < 0 || b.failed || write(fd, b.data, b.len) != (ssize_t)b.len || fsync(fd);
	if (fd >= 0)
		close(fd);
	sv_buf_free(&b);
	return bad || s3_parts_begin(rq->s, dir);
}

int s3_multi_create(struct s3_request *rq)
{
	int work = s3_dir(rq, "work"), dir = -1, bad;
	char name[40];

	if (strchr(rq->object, '\n') || rq->object[strlen(rq->object) - 1] == '/')
		bad = s3_fail(rq, "InvalidArgument",
			"a key of an upload neither ends in \"/\" nor has a line break");
	else
		bad = s3_meta_of_request(rq, &rq->meta);
	snprintf(name, sizeof(name), "up-%s", rq->id);
	if (!bad) {
		dir = work < 0 || mkdirat(work, name, 0700)
			      ? -1
			      : openat(work, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		bad = dir < 0 || write_record(rq, dir, &rq->meta) ? s3_fail_errno(rq) : 0;
	}
	if (dir >= 0)
		close(dir);
	if (work >= 0)
		close(work);
	if (bad)
		return -1;
	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out, "<InitiateMultipartUploadResult " XMLNS "><Bucket>%s</Bucket><Key>",
		rq->bucket);
	s3_xml(&rq->out, rq->object, 0);
	return sv_buf_fmt(&rq->out,
		"</Key><UploadId>%s</UploadId></InitiateMultipartUploadResult>\n", rq->id);
}

/* What an upload's record says; 0 or -1. */
static int read_record(int dir, char *key, size_t size, struct s3_meta *m)
{
	char text[S3_KEY_MAX + S3_META_MAX + 16], *line;
	int fd = openat(dir, S3_UPLOAD_RECORD, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	line = strchr(text, '\n');
	if (!line || (size_t)(line - text) >= size)
		return -1;
	snprintf(key, size, "%.*s", (int)(line - text), text);
	if (m)
		snprintf(m->headers, sizeof(m->headers), "%s", line + 1);
	return 0;
}

int s3_upload_dir(struct s3_request *rq, struct s3_meta *m)
{
	char id[64] = "", name[40], key[S3_KEY_MAX + 1];
	int work, dir = -1;

	s3_query(rq, "uploadId", id, sizeof(id));
	work = upload_name(id, name, sizeof(name)) ? -1 : s3_dir(rq, "work");
	if (work >= 0) {
		dir = openat(work, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(work);
	}
	if (dir >= 0 && !read_record(dir, key, sizeof(key), m) && !strcmp(key, rq->object)) {
		snprintf(rq->upload, sizeof(rq->upload), "%s", name);
		if (!s3_parts_trust(rq->s, dir))
			return dir;
	}
	if (dir >= 0)
		close(dir);
	return s3_fail(rq, "NoSuchUpload", "there is no such upload of this key");
}

int s3_part_number(struct s3_request *rq)
{
	char text[16] = "";
	int64_t number;
	int dir;

	s3_query(rq, "partNumber", text, sizeof(text));
	if (sv_parse_int(text, &number) || number < 1 || number > S3_PARTS_MAX)
		return s3_fail(rq, "InvalidArgument", "partNumber must be 1 to 10000");
	rq->part = (int)number;
	dir = s3_upload_dir(rq, NULL);
	if (dir >= 0)
		close(dir);
	return dir < 0 ? -1 : 0;
}

int s3_multi_put_begin(struct s3_request *rq)
{
	rq->body.sink = s3_sink_file;
	return s3_part_number(rq) || s3_quota(rq, rq->body.expected) ||
			       s3_part_place(rq, rq->body.expected)
		       ? -1
		       : 0;
}

int s3_multi_put_end(struct s3_request *rq)
{
	if ((rq->body.expected < 0 && s3_quota(rq, rq->body.got)) ||
		s3_part_keep(rq, rq->meta.etag))
		return -1;
	rq->status = 200;
	s3_answer_header(rq, "ETag", "\"%s\"", rq->meta.etag);
	for (int i = 0; i < S3_SUMS; i++)
		if (i != S3_MD5 && rq->body.given[i][0])
			s3_answer_header(rq, s3_sum_header(i), "%s", rq->body.given[i]);
	return 0;
}

int s3_multi_abort(struct s3_request *rq)
{
	int dir = s3_upload_dir(rq, NULL);

	if (dir < 0)
		return -1;
	close(dir);
	s3_upload_remove(rq);
	rq->status = 204;
	return 0;
}

static int64_t number_of(struct s3_request *rq, const char *name, int64_t otherwise)
{
	char text[16];
	int64_t v;

	if (s3_query(rq, name, text, sizeof(text)) != 1 || sv_parse_int(text, &v) || v < 0)
		return otherwise;
	return v < otherwise || !strcmp(name, "part-number-marker") ? v : otherwise;
}

static void part_xml(struct sv_buf *b, const struct s3_part *p)
{
	char when[40];

	s3_time_xml(p->modified, when);
	sv_buf_fmt(b,
		"<Part><PartNumber>%d</PartNumber><LastModified>%s</LastModified>"
		"<ETag>&quot;%s&quot;</ETag><Size>%lld</Size></Part>",
		p->number, when, p->md5, (long long)p->size);
}

int s3_multi_parts(struct s3_request *rq)
{
	int64_t most = number_of(rq, "max-parts", S3_LIST_MAX),
		after = number_of(rq, "part-number-marker", 0), next = 0, told = 0;
	int dir = s3_upload_dir(rq, NULL), bad;
	struct s3_part *parts = NULL;
	struct sv_buf list;
	size_t n = 0, i = 0;

	if (dir < 0)
		return -1;
	sv_buf_init(&list, S3_OUT_MAX);
	pthread_mutex_lock(&rq->s->claim_lock);
	bad = s3_parts_read(dir, &parts, &n);
	pthread_mutex_unlock(&rq->s->claim_lock);
	close(dir);
	while (i < n && parts[i].number <= after)
		i++;
	for (; i < n && told < most; i++, told++) {
		part_xml(&list, &parts[i]);
		next = parts[i].number;
	}
	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out, "<ListPartsResult " XMLNS "><Bucket>%s</Bucket><Key>", rq->bucket);
	s3_xml(&rq->out, rq->object, 0);
	sv_buf_fmt(&rq->out,
		"</Key><UploadId>%s</UploadId><StorageClass>STANDARD</StorageClass>"
		"<PartNumberMarker>%lld</PartNumberMarker><NextPartNumberMarker>%lld"
		"</NextPartNumberMarker><MaxParts>%lld</MaxParts><IsTruncated>%s</IsTruncated>%s"
		"</ListPartsResult>\n",
		rq->upload + 3, (long long)after, (long long)next, (long long)most,
		i < n ? "true" : "false", sv_buf_text(&list));
	bad = bad || list.failed ? s3_fail(rq, "SlowDown", "out of memory") : 0;
	sv_buf_free(&list);
	sv_mfree(parts);
	return bad;
}

static void upload_xml(
	struct s3_request *rq, int work, const char *name, const char *prefix, int as_url)
{
	int dir = openat(work, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char key[S3_KEY_MAX + 1], when[40];
	struct stat st;

	if (dir < 0)
		return;
	if (!read_record(dir, key, sizeof(key), NULL) && !strncmp(key, prefix, strlen(prefix)) &&
		!fstatat(dir, S3_UPLOAD_RECORD, &st, 0)) {
		s3_time_xml(st.st_mtim.tv_sec, when);
		sv_buf_str(&rq->out, "<Upload><Key>");
		s3_xml(&rq->out, key, as_url);
		sv_buf_fmt(&rq->out,
			"</Key><UploadId>%s</UploadId><StorageClass>STANDARD</StorageClass>"
			"<Initiated>%s</Initiated></Upload>",
			name + 3, when);
	}
	close(dir);
}

int s3_multi_list(struct s3_request *rq)
{
	char prefix[S3_KEY_MAX + 1] = "", encoding[8] = "";
	int work = s3_dir(rq, "work"), fd, left = UPLOADS;
	struct dirent *e;
	DIR *d;

	s3_query(rq, "prefix", prefix, sizeof(prefix));
	s3_query(rq, "encoding-type", encoding, sizeof(encoding));
	fd = work < 0 ? -1 : openat(work, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out,
		"<ListMultipartUploadsResult " XMLNS
		"><Bucket>%s</Bucket><KeyMarker/><UploadIdMarker/>"
		"<MaxUploads>%d</MaxUploads><IsTruncated>false</IsTruncated>",
		rq->bucket, UPLOADS);
	while (d && left && (e = readdir(d)))
		if (!strncmp(e->d_name, "up-", 3)) {
			upload_xml(rq, work, e->d_name, prefix, *encoding != '\0');
			left--;
		}
	if (d)
		closedir(d);
	if (work >= 0)
		close(work);
	return sv_buf_str(&rq->out, "</ListMultipartUploadsResult>\n");
}
