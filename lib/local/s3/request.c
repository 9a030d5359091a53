/* SPDX-License-Identifier: MIT */
/* A request from its head to its answer: who, what, where. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "local/s3/s3.h"

static int not_here(struct s3_request *rq)
{
	return s3_fail(rq, "NotImplemented", "%s with this query or header is not offered here",
		rq->method);
}

static int bucket_make(struct s3_request *rq)
{
	rq->status = 200;
	s3_answer_header(rq, "Location", "/%s", rq->bucket);
	return 0;
}

static int bucket_head(struct s3_request *rq)
{
	rq->status = 200;
	return 0;
}

static int bucket_delete(struct s3_request *rq)
{
	return s3_fail(rq, "AccessDenied",
		"a storage is deleted by its platform: svctl storage delete %s", rq->key.storage);
}

static int bucket_location(struct s3_request *rq)
{
	rq->status = 200;
	s3_xml_begin(rq);
	return sv_buf_str(&rq->out,
		"<LocationConstraint xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"/>\n");
}

/* The first that fits; for one method and level, words come first. */
static const struct s3_op ops[] = {
	{ "GET", 0, NULL, NULL, NULL, s3_list_buckets },
	{ "GET", 1, "location", NULL, NULL, bucket_location },
	{ "GET", 1, "uploads", NULL, NULL, s3_multi_list },
	{ "GET", 1, NULL, NULL, NULL, s3_list },
	{ "HEAD", 1, NULL, NULL, NULL, bucket_head },
	{ "PUT", 1, NULL, NULL, NULL, bucket_make },
	{ "DELETE", 1, NULL, NULL, NULL, bucket_delete },
	{ "POST", 1, "delete", NULL, s3_delete_many_begin, s3_delete_many },
	{ "GET", 2, "uploadId", NULL, NULL, s3_multi_parts },
	{ "GET", 2, NULL, NULL, NULL, s3_get },
	{ "HEAD", 2, NULL, NULL, NULL, s3_head },
	{ "PUT", 2, "uploadId", "x-amz-copy-source", s3_part_copy_begin, s3_part_copy_end },
	{ "PUT", 2, "uploadId", NULL, s3_multi_put_begin, s3_multi_put_end },
	{ "PUT", 2, NULL, "x-amz-copy-source", s3_copy_begin, s3_copy_end },
	{ "PUT", 2, NULL, NULL, s3_put_begin, s3_put_end },
	{ "DELETE", 2, "uploadId", NULL, NULL, s3_multi_abort },
	{ "DELETE", 2, NULL, NULL, NULL, s3_delete },
	{ "POST", 2, "uploads", NULL, NULL, s3_multi_create },
	{ "POST", 2, "uploadId", NULL, s3_complete_begin, s3_complete, .sums_what_comes = 1 },
};

/* Parts of S3 that are asked for by a name in the query, and that are not here. */
static const char *const absent[] = { "accelerate", "acl", "analytics", "attributes", "cors",
	"encryption", "intelligent-tiering", "inventory", "legal-hold", "lifecycle", "logging",
	"metrics", "notification", "object-lock", "ownershipControls", "policy", "policyStatus",
	"publicAccessBlock", "replication", "requestPayment", "restore", "retention", "select",
	"tagging", "torrent", "versioning", "versions", "website" };

/* Headers that ask for what is not here; value: what may be said all the same. */
static const struct {
	const char *name, *value;
} absent_headers[] = {
	{ "x-amz-acl", "private" },
	{ "x-amz-grant-full-control", NULL },
	{ "x-amz-grant-read", NULL },
	{ "x-amz-grant-write", NULL },
	{ "x-amz-object-lock-mode", NULL },
	{ "x-amz-server-side-encryption", NULL },
	{ "x-amz-server-side-encryption-customer-algorithm", NULL },
	{ "x-amz-tagging", NULL },
	{ "x-amz-website-redirect-location", NULL },
};

const char *s3_header(const struct s3_request *rq, const char *name)
{
	for (size_t i = 0; i < rq->n_headers; i++)
		if (!strcasecmp(rq->headers[i].name, name))
			return rq->headers[i].value;
	return NULL;
}

int s3_query(const struct s3_request *rq, const char *name, char *buf, size_t size)
{
	const char *q = rq->query;
	size_t want = strlen(name);

	for (size_t len; *q; q += len + (q[len] == '&')) {
		len = strcspn(q, "&");
		if (len < want || strncmp(q, name, want) != 0 || (len > want && q[want] != '='))
			continue;
		if (!buf)
			return 1;
		buf[0] = '\0';
		if (len <= want + 1)
			return 1;
		return sv_url_decode(q + want + 1, len - want - 1, 1, buf, size) < 0 ? -1 : 1;
	}
	return 0;
}

static int is_absent(const struct s3_request *rq)
{
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		if (s3_query(rq, absent[i], NULL, 0))
			return 1;
	for (size_t i = 0; i < sizeof(absent_headers) / sizeof(absent_headers[0]); i++) {
		const char *value = s3_header(rq, absent_headers[i].name);

		if (value &&
			(!absent_headers[i].value || strcmp(value, absent_headers[i].value) != 0))
			return 1;
	}
	return 0;
}

/* "/bucket/key": the level, or -1 with the answer made. */
static int take_path(struct s3_request *rq)
{
	const char *bucket = rq->path + strspn(rq->path, "/"), *slash, *wrong, *code;
	size_t len = strcspn(bucket, "/");

	if (!*bucket)
		return 0;
	if (bucket - rq->path != 1 ||
		sv_url_decode(bucket, len, 0, rq->bucket, sizeof(rq->bucket)) <= 0)
		return s3_fail(rq, "InvalidURI", "the path names no bucket");
	slash = bucket + len;
	if (!slash[0] || !slash[1])
		return 1;
	if (strlen(slash) > S3_KEY_MAX * 3 + 1)
		return s3_fail(rq, "KeyTooLongError", "a key has at most 1024 bytes");
	if (sv_url_decode(slash + 1, strlen(slash + 1), 0, rq->object, sizeof(rq->object)) < 0)
		return s3_fail(rq, strlen(slash) > S3_KEY_MAX ? "KeyTooLongError" : "InvalidURI",
			"a key is percent-encoded, without NUL, and has at most 1024 bytes");
	wrong = s3_key_wrong(rq->object, &code);
	return wrong ? s3_fail(rq, code, "%s", wrong) : 2;
}

/* One key opens one storage, by its id, and by its name where that is no other's too. */
static int check_bucket(struct s3_request *rq)
{
	const struct s3_key *k = &rq->key;

	if (!strcmp(rq->bucket, k->storage) || (k->named && !strcmp(rq->bucket, k->name)))
		return 0;
	if (!strcmp(rq->method, "PUT") && !rq->object[0])
		return s3_fail(rq, "AccessDenied",
			"a bucket is a storage: svctl storage create makes one");
	return s3_fail(rq, "NoSuchBucket", "this key opens %s alone, and the bucket is %s",
		k->storage, rq->bucket);
}

static const struct s3_op *find_op(const struct s3_request *rq, int level)
{
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (!strcmp(ops[i].method, rq->method) && ops[i].level == level &&
			(!ops[i].word || s3_query(rq, ops[i].word, NULL, 0)) &&
			(!ops[i].header || s3_header(rq, ops[i].header)))
			return &ops[i];
	return NULL;
}

static int begin(struct s3_request *rq)
{
	char version[16];
	int level;

	if (s3_authenticate(rq))
		return -1;
	level = take_path(rq);
	if (level < 0 || (level > 0 && check_bucket(rq)))
		return -1;
	if (is_absent(rq))
		return not_here(rq);
	if (s3_query(rq, "versionId", version, sizeof(version)) && strcmp(version, "null") != 0)
		return s3_fail(rq, "NotImplemented", "objects have no versions here");
	rq->op = find_op(rq, level);
	if (!rq->op)
		return not_here(rq);
	rq->body.sink = s3_sink_text;
	if (s3_body_init(rq))
		return -1;
	return rq->op->begin ? rq->op->begin(rq) : 0;
}

int s3_begin(struct s3_request *rq)
{
	const char *length = s3_header(rq, "content-length");

	rq->content_length = -1;
	if (length && sv_parse_int(length, &rq->content_length))
		return s3_fail(rq, "InvalidArgument", "Content-Length is no number");
	if (!length && !s3_header(rq, "transfer-encoding"))
		rq->content_length = 0;
	return begin(rq);
}

int s3_data(struct s3_request *rq, const char *data, size_t len)
{
	return s3_body_add(rq, data, len);
}

void s3_end(struct s3_request *rq)
{
	if (!s3_body_end(rq) && !rq->op->end(rq) && rq->out.failed)
		s3_fail(rq, "InternalError", "the answer is too large");
}

int s3_sink_text(struct s3_request *rq, const char *data, size_t len)
{
	return sv_buf_add(&rq->text, data, len)
		       ? s3_fail(rq, "EntityTooLarge", "the body is too large")
		       : 0;
}

int s3_sink_file(struct s3_request *rq, const char *data, size_t len)
{
	return sv_write_all(rq->fd, data, len) ? s3_fail_errno(rq) : 0;
}

int s3_temp_make(struct s3_request *rq)
{
	int work = s3_dir(rq, "work");

	snprintf(rq->temp, sizeof(rq->temp), "tmp-%s", rq->id);
	if (work >= 0) {
		rq->fd = openat(work, rq->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		close(work);
	}
	return rq->fd < 0 ? s3_fail_errno(rq) : 0;
}

void s3_request_init(struct s3_request *rq, struct s3 *s)
{
	static const char alphabet[] = "0123456789abcdefghijklmnopqrstuv";
	unsigned char random[20];

	memset(rq, 0, sizeof(*rq));
	rq->s = s;
	rq->fd = rq->old = rq->file = -1;
	rq->content_length = rq->at = -1;
	if (getrandom(random, sizeof(random), 0) < 0)
		memset(random, 0, sizeof(random));
	for (size_t i = 0; i < sizeof(random); i++)
		rq->id[i] = alphabet[random[i] & 31];
	sv_buf_init(&rq->text, S3_XML_MAX);
	sv_buf_init(&rq->out, S3_OUT_MAX);
	sv_buf_init(&rq->out_headers, 16 << 10);
}

/* Before the answer leaves, since its reader asks for more at once. */
void s3_release(struct s3_request *rq)
{
	s3_unclaim(rq);
	s3_quota_end(rq);
}

void s3_request_free(struct s3_request *rq)
{
	int work = rq->fd >= 0 && !rq->shared ? s3_dir(rq, "work") : -1;

	if (work >= 0) {
		unlinkat(work, rq->temp, 0);
		close(work);
	}
	if (rq->fd >= 0)
		close(rq->fd);
	s3_release(rq);
	if (rq->old >= 0)
		close(rq->old);
	if (rq->file >= 0)
		close(rq->file);
	if (rq->work_free)
		rq->work_free(rq->work);
	s3_body_free(&rq->body);
	sv_buf_free(&rq->text);
	sv_buf_free(&rq->out);
	sv_buf_free(&rq->out_headers);
	explicit_bzero(&rq->key, sizeof(rq->key));
}
