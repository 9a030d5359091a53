/* SPDX-License-Identifier: MIT */
/* What S3's error documents mean: rows from its words to codes. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/time.h"
#include "net/retry.h"
#include "net/s3.h"
#include "net/xml.h"

struct meaning {
	const char *wire;
	int code;
	int again; /* the same request may well succeed */
	const char *hint;
};

#define OTHER_REGION "is the region of this storage right?"
#define OTHER_TIME   "the clock of this machine or of the service is wrong"

/* clang-format off */
static const struct meaning meanings[] = {
	{ "AccessDenied",                 SV_DENIED,      0, NULL },
	{ "AuthorizationHeaderMalformed", SV_CONFIG,      0, OTHER_REGION },
	{ "BadDigest",                    SV_NET,         1, NULL },
	{ "BucketAlreadyExists",          SV_CONFLICT,    0, NULL },
	{ "BucketNotEmpty",               SV_CONFLICT,    0, NULL },
	{ "EntityTooLarge",               SV_INVALID,     0, NULL },
	{ "EntityTooSmall",               SV_INVALID,     0, NULL },
	{ "IncompleteBody",               SV_NET,         1, NULL },
	{ "InternalError",                SV_SERVER,      1, NULL },
	{ "InvalidAccessKeyId",           SV_AUTH,        0, NULL },
	{ "InvalidDigest",                SV_NET,         1, NULL },
	{ "InvalidPart",                  SV_CONFLICT,    0, NULL },
	{ "InvalidPartOrder",             SV_CONFLICT,    0, NULL },
	{ "InvalidRange",                 SV_INVALID,     0, NULL },
	{ "KeyTooLongError",              SV_INVALID,     0, NULL },
	{ "MethodNotAllowed",             SV_UNSUPPORTED, 0, NULL },
	{ "NoSuchBucket",                 SV_NOTFOUND,    0, NULL },
	{ "NoSuchKey",                    SV_NOTFOUND,    0, NULL },
	{ "NoSuchUpload",                 SV_NOTFOUND,    0, NULL },
	{ "NotImplemented",               SV_UNSUPPORTED, 0, NULL },
	{ "OperationAborted",             SV_CONFLICT,    0, NULL },
	{ "PermanentRedirect",            SV_CONFIG,      0, OTHER_REGION },
	{ "PreconditionFailed",           SV_CONFLICT,    0, NULL },
	{ "QuotaExceeded",                SV_QUOTA,       0, NULL },
	{ "RequestTimeTooSkewed",         SV_AUTH,        0, OTHER_TIME },
	{ "RequestTimeout",               SV_NET,         1, NULL },
	{ "ServiceUnavailable",           SV_SERVER,      1, NULL },
	{ "SignatureDoesNotMatch",        SV_AUTH,        0, "is the secret key right?" },
	{ "SlowDown",                     SV_RATE,        1, NULL },
	{ "XAmzContentSHA256Mismatch",    SV_NET,         1, NULL },
};
/* clang-format on */

#define N_MEANINGS (sizeof(meanings) / sizeof(meanings[0]))

struct document {
	char wire[64], message[300], request_id[80];
	int is_error;
};

static int on_end(void *data, const char *path, const char *text, size_t len)
{
	struct document *doc = data;

	(void)len;
	if (!strcmp(path, "/Error/Code"))
		snprintf(doc->wire, sizeof(doc->wire), "%s", text);
	else if (!strcmp(path, "/Error/Message"))
		snprintf(doc->message, sizeof(doc->message), "%s", text);
	else if (!strcmp(path, "/Error/RequestId"))
		snprintf(doc->request_id, sizeof(doc->request_id), "%s", text);
	else if (!strcmp(path, "/Error"))
		doc->is_error = 1;
	return 0;
}

static void read_document(const struct sv_xfer *x, struct document *doc)
{
	const struct sv_xml_reader reader = { NULL, on_end, doc };
	const char *id = sv_reply_header(x, "x-amz-request-id");

	if (x->reply_len && sv_xml_read(x->reply, x->reply_len, &reader, NULL))
		doc->is_error = 0;
	if (!*doc->request_id && id)
		snprintf(doc->request_id, sizeof(doc->request_id), "%s", id);
}

/* One line that a terminal may have. */
static void tame(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = ' ';
}

static int make(const struct sv_s3_place *p, struct document *doc, int status, char wire[64],
	struct sv_error *err)
{
	const struct sv_error_row *row = sv_err_of_status(status);
	size_t i = 0;

	tame(doc->wire);
	tame(doc->message);
	tame(doc->request_id);
	while (i < N_MEANINGS && strcmp(meanings[i].wire, doc->wire) != 0)
		i++;
	sv_err(err, i < N_MEANINGS ? meanings[i].code : row->code, "%s: %s%s%s", p->endpoint.shown,
		*doc->message ? doc->message : "refused", *doc->wire ? ", " : "", doc->wire);
	if (!*doc->wire && !*doc->message)
		sv_err(err, row->code, "%s: status %d", p->endpoint.shown, status);
	if (i < N_MEANINGS && meanings[i].hint)
		sv_err_hint(err, "%s", meanings[i].hint);
	snprintf(wire, 64, "%s", doc->wire);
	if (err) {
		snprintf(err->request_id, sizeof(err->request_id), "%s", doc->request_id);
		err->http_status = status;
		err->retryable = i < N_MEANINGS ? meanings[i].again
						: status == 429 || (status >= 500 && status != 501);
	}
	return i < N_MEANINGS ? meanings[i].code : row->code;
}

int sv_s3_error(
	const struct sv_s3_place *p, const struct sv_xfer *x, char wire[64], struct sv_error *err)
{
	struct document doc = { .wire = "" };
	int64_t after;
	int r;

	read_document(x, &doc);
	r = make(p, &doc, x->status, wire, err);
	after = sv_retry_after(
		sv_reply_header(x, "Retry-After"), sv_reply_header(x, "Date"), sv_now());
	if (err && after >= 0)
		err->retry_after_ms = after;
	return r;
}

int sv_s3_late_error(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	struct document doc = { .wire = "" };
	int r;

	read_document(x, &doc);
	if (!doc.is_error)
		return SV_OK;
	/* An unknown word is taken for the service's fault. */
	r = make(d->place, &doc, 500, d->wire, err);
	if (err)
		err->http_status = x->status;
	return r;
}
