/* SPDX-License-Identifier: MIT */
/* Who asks. Nothing is served unsigned. */
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "base/time.h"
#include "local/s3/s3.h"
#include "starverse/common.h"

static int refuse_claim(struct s3_request *rq, int code, int in_header)
{
	const char *given = s3_header(rq, "authorization");

	if (s3_query(rq, "AWSAccessKeyId", NULL, 0) || (given && !strncmp(given, "AWS ", 4)))
		return s3_fail(rq, "InvalidRequest",
			"signatures of version 2 are not understood: sign with AWS4-HMAC-SHA256");
	if (code == SV_NOTFOUND)
		return s3_fail(rq, "AccessDenied", "the request is not signed");
	return s3_fail(rq,
		in_header ? "AuthorizationHeaderMalformed" : "AuthorizationQueryParametersError",
		"only AWS4-HMAC-SHA256 with a key, a date, signed headers and a signature is "
		"understood");
}

static int check_time(struct s3_request *rq, const struct sv_sigv4_claim *claim)
{
	int64_t then, now = sv_now();

	if (sv_sigv4_parse_time(claim->time, &then))
		return s3_fail(rq, "AccessDenied", "the request's date is none");
	if (claim->presigned) {
		if (now > then + claim->expires)
			return s3_fail(rq, "AccessDenied", "Request has expired");
		return then > now + S3_SKEW_SECONDS
			       ? s3_fail(rq, "AccessDenied", "Request is not yet valid")
			       : 0;
	}
	return then > now + S3_SKEW_SECONDS || then < now - S3_SKEW_SECONDS
		       ? s3_fail(rq, "RequestTimeTooSkewed",
				 "the request's time and the server's differ by more than 15 "
				 "minutes")
		       : 0;
}

static int is_digest(const char *s)
{
	return strlen(s) == 64 && strspn(s, "0123456789abcdef") == 64;
}

/* What stands for the body in the signature, and how the body is wrapped then. */
static int take_payload(struct s3_request *rq, int presigned)
{
	static const struct {
		const char *word;
		enum s3_wrap wrap;
		int trailer;
	} words[] = {
		{ SV_SIGV4_UNSIGNED, S3_PLAIN, 0 },
		{ "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", S3_CHUNKED_SIGNED, 0 },
		{ "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", S3_CHUNKED_SIGNED, 1 },
		{ "STREAMING-UNSIGNED-PAYLOAD-TRAILER", S3_CHUNKED, 1 },
	};
	const char *given = s3_header(rq, "x-amz-content-sha256");

	rq->payload = given ? given : presigned ? SV_SIGV4_UNSIGNED : NULL;
	if (!rq->payload)
		return s3_fail(rq, "InvalidRequest", "x-amz-content-sha256 is missing");
	if (is_digest(rq->payload)) {
		memcpy(rq->body.sha256, rq->payload, 65);
		return 0;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].word, rq->payload)) {
			rq->body.wrap = words[i].wrap;
			rq->body.has_trailer = words[i].trailer;
			return 0;
		}
	return s3_fail(rq, "InvalidArgument",
		"x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a known STREAMING- word or a "
		"SHA-256");
}

static int verify(struct s3_request *rq, const struct sv_sigv4_claim *claim)
{
	struct sv_sigv4_request signed_request = { rq->method, rq->path, rq->query, rq->headers,
		rq->n_headers, rq->payload, claim->time };

	switch (sv_sigv4_verify(claim, rq->key.secret, &signed_request, &rq->chain)) {
	case SV_OK: return 0;
	case SV_DENIED:
		return s3_fail(rq, "AccessDenied",
			"host and all x-amz- headers of a request must be signed");
	case SV_AUTH:
		return s3_fail(rq, "SignatureDoesNotMatch",
			"the signature is not that of this request under this key: is the secret "
			"right?");
	default: return s3_fail(rq, "InvalidRequest", "the request's head is too large");
	}
}

int s3_authenticate(struct s3_request *rq)
{
	const char *authorization = s3_header(rq, "authorization");
	struct sv_sigv4_claim claim;
	int code = sv_sigv4_claim(authorization, s3_header(rq, "x-amz-date"), rq->query, &claim);

	if (code)
		return refuse_claim(rq, code, authorization != NULL);
	if (strcmp(claim.service, "s3") != 0)
		return refuse_claim(rq, SV_INVALID, authorization != NULL);
	code = s3_key_find(rq->s, claim.access, &rq->key);
	if (code == SV_NOTFOUND)
		return s3_fail(rq, "InvalidAccessKeyId", "the access key is not known here");
	if (code)
		return s3_fail(rq, "SlowDown", "the key cannot be looked up now");
	if (take_payload(rq, claim.presigned) || verify(rq, &claim))
		return -1;
	return check_time(rq, &claim);
}
