/* SPDX-License-Identifier: MIT */
/* Answers that are errors, and what all answers are written with. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "base/time.h"
#include "local/s3/s3.h"

static const struct {
	const char *code;
	int status;
} rows[] = {
	{ "AccessDenied", 403 },
	{ "AuthorizationHeaderMalformed", 400 },
	{ "AuthorizationQueryParametersError", 400 },
	{ "BadDigest", 400 },
	{ "EntityTooLarge", 400 },
	{ "IncompleteBody", 400 },
	{ "InternalError", 500 },
	{ "InvalidAccessKeyId", 403 },
	{ "InvalidArgument", 400 },
	{ "InvalidBucketName", 400 },
	{ "InvalidDigest", 400 },
	{ "InvalidPart", 400 },
	{ "InvalidPartOrder", 400 },
	{ "InvalidRange", 416 },
	{ "InvalidRequest", 400 },
	{ "InvalidURI", 400 },
	{ "KeyTooLongError", 400 },
	{ "MalformedXML", 400 },
	{ "MetadataTooLarge", 400 },
	{ "MethodNotAllowed", 405 },
	{ "MissingContentLength", 411 },
	{ "NoSuchBucket", 404 },
	{ "NoSuchKey", 404 },
	{ "NoSuchUpload", 404 },
	{ "NotImplemented", 501 },
	{ "ObjectInTheWay", 409 },
	{ "PreconditionFailed", 412 },
	{ "QuotaExceeded", 403 },
	{ "RequestTimeTooSkewed", 403 },
	{ "SignatureDoesNotMatch", 403 },
	{ "SlowDown", 503 },
	{ "StorageFull", 507 },
	{ "XAmzContentSHA256Mismatch", 400 },
};

static void byte(struct sv_buf *b, const char *s)
{
	switch (*s) {
	case '&': sv_buf_str(b, "&amp;"); break;
	case '<': sv_buf_str(b, "&lt;"); break;
	case '>': sv_buf_str(b, "&gt;"); break;
	case '"': sv_buf_str(b, "&quot;"); break;
	default:
		if ((unsigned char)*s < 32)
			sv_buf_fmt(b, "&#x%x;", (unsigned char)*s);
		else
			sv_buf_chr(b, *s);
	}
}

void s3_xml(struct sv_buf *b, const char *text, int as_url)
{
	if (as_url)
		sv_sigv4_path(b, text);
	else
		for (; *text; text++)
			byte(b, text);
}

void s3_xml_begin(struct s3_request *rq)
{
	sv_buf_reset(&rq->out);
	sv_buf_str(&rq->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

void s3_answer_header(struct s3_request *rq, const char *name, const char *fmt, ...)
{
	char text[S3_META_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	sv_buf_fmt(&rq->out_headers, "%s: %s\n", name, text);
}

int s3_fail(struct s3_request *rq, const char *code, const char *fmt, ...)
{
	char text[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s3_release(rq);
	rq->status = 500;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].code, code))
			rq->status = rows[i].status;
	sv_buf_reset(&rq->out_headers);
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out, "<Error><Code>%s</Code><Message>", code);
	s3_xml(&rq->out, text, 0);
	sv_buf_str(&rq->out, "</Message><Resource>");
	s3_xml(&rq->out, rq->path ? rq->path : "", 0);
	sv_buf_fmt(&rq->out, "</Resource><RequestId>%s</RequestId></Error>\n", rq->id);
	return -1;
}

/* What a call of the system on an object's file means. */
int s3_fail_errno(struct s3_request *rq)
{
	int e = errno;

	switch (e) {
	case ENOENT: return s3_fail(rq, "NoSuchKey", "there is no such object");
	case ENOTDIR:
	case EEXIST:
	case EISDIR:
	case ENOTEMPTY:
	case ELOOP:
	case EXDEV:
		return s3_fail(rq, "ObjectInTheWay",
			"a file, a directory or a link in the storage stands where this one would");
	case ENAMETOOLONG:
		return s3_fail(rq, "KeyTooLongError", "the key or a part of it is too long");
	case EACCES:
	case EPERM:
		return s3_fail(rq, "AccessDenied",
			"the file belongs to somebody inside an instance who lets nobody else at "
			"it");
	case ENOSPC:
	case EDQUOT: return s3_fail(rq, "StorageFull", "the disk below the storage is full");
	case EMFILE:
	case ENFILE:
	case ENOMEM: return s3_fail(rq, "SlowDown", "too much at once; try again");
	default: return s3_fail(rq, "InternalError", "%s", strerrordesc_np(e));
	}
}

void s3_time_xml(int64_t t, char buf[32])
{
	sv_print_time(t, buf, 32);
	snprintf(buf + strlen(buf) - 1, 8, ".000Z");
}

static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
	"Oct", "Nov", "Dec" };

void s3_time_http(int64_t t, char buf[40])
{
	time_t seconds = (time_t)t;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	snprintf(buf, 40, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[tm.tm_wday], tm.tm_mday,
		months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* "Fri, 24 May 2013 00:00:00 GMT", or RFC 3339. */
int s3_time_parse_http(const char *text, int64_t *ret)
{
	char iso[32];

	if (strlen(text) != 29 || strcmp(text + 25, " GMT") != 0)
		return sv_parse_time(text, ret);
	for (int m = 0; m < 12; m++)
		if (!strncmp(months[m], text + 8, 3)) {
			snprintf(iso, sizeof(iso), "%.4s-%02d-%.2sT%.8sZ", text + 12, m + 1,
				text + 5, text + 17);
			return sv_parse_time(iso, ret);
		}
	return -1;
}
