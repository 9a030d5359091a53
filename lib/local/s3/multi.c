/* SPDX-License-Identifier: MIT */
/* Uploads in parts. An upload is a directory beside the storage, work/up-ID, with a file that says
 * what it will be and one file for each part, whose name holds its digest: they survive whoever
 * dies. */
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

#define XMLNS   "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""
#define RECORD  "upload"
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
	int fd = openat(dir, RECORD, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct sv_buf b;
	int bad;

	sv_buf_init(&b, S3_KEY_MAX + S3_META_MAX + 16);
	sv_buf_fmt(&b, "%s\n%s", rq->object, m->headers);
	bad = fd < 0 || b.failed || write(fd, b.data, b.len) != (ssize_t)b.len || fsync(fd);
	if (fd >= 0)
		close(fd);
	sv_buf_free(&b);
	return bad;
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
	int fd = openat(dir, RECORD, O_RDONLY | O_CLOEXEC);
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
	return s3_part_number(rq) || s3_quota(rq, rq->body.expected) || s3_sink_file(rq) ? -1 : 0;
}

/* "00001.d41d8cd98f00b204e9800998ecf8427e" */
static int read_part(int dir, const char *name, struct s3_part *p)
{
	char number[8];
	struct stat st;
	int64_t n;

	snprintf(number, sizeof(number), "%.5s", name);
	if (strlen(name) != 38 || name[5] != '.' || strspn(number, "0123456789") != 5)
		return -1;
	if (sv_parse_int(number + strspn(number, "0"), &n) || fstatat(dir, name, &st, 0))
		return -1;
	*p = (struct s3_part){
		.number = (int)n, .size = st.st_size, .modified = st.st_mtim.tv_sec
	};
	snprintf(p->md5, sizeof(p->md5), "%s", name + 6);
	snprintf(p->file, sizeof(p->file), "%s", name);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const struct s3_part *x = a, *y = b;

	return x->number != y->number ? (x->number < y->number ? -1 : 1)
				      : (x->modified > y->modified) - (x->modified < y->modified);
}

int s3_parts_read(int dir, struct s3_part **ret, size_t *n)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
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

/* The new part is there before the old one goes. */
int s3_part_keep(struct s3_request *rq, const char *md5)
{
	char name[64], prefix[8];
	int work = s3_dir(rq, "work"), dir, fd, bad;
	struct dirent *e;
	DIR *d;

	snprintf(prefix, sizeof(prefix), "%05d.", rq->part);
	snprintf(name, sizeof(name), "%s%s", prefix, md5);
	dir = work < 0 ? -1 : openat(work, rq->upload, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bad = dir < 0 || fdatasync(rq->fd) || renameat(work, rq->temp, dir, name);
	if (bad && errno == ENOENT)
		bad = s3_fail(rq, "NoSuchUpload", "the upload was ended meanwhile");
	else if (bad)
		bad = s3_fail_errno(rq);
	fd = bad ? -1 : openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, prefix, strlen(prefix)) && strcmp(e->d_name, name) != 0)
			unlinkat(dir, e->d_name, 0);
	if (d)
		closedir(d);
	if (dir >= 0)
		close(dir);
	if (work >= 0)
		close(work);
	return bad;
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

void s3_upload_remove(struct s3_request *rq)
{
	int work = s3_dir(rq, "work"), dir, fd;
	struct dirent *e;
	DIR *d;

	dir = work < 0 ? -1
		       : openat(work, rq->upload, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir >= 0)
		unlinkat(dir, RECORD, 0); /* first: without it it is no upload any more */
	fd = dir < 0 ? -1 : openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	while (d && (e = readdir(d)))
		unlinkat(dir, e->d_name, 0);
	if (d)
		closedir(d);
	if (dir >= 0)
		close(dir);
	if (work >= 0) {
		unlinkat(work, rq->upload, AT_REMOVEDIR);
		close(work);
	}
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
	bad = s3_parts_read(dir, &parts, &n);
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
		!fstatat(dir, RECORD, &st, 0)) {
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
