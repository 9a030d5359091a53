/* SPDX-License-Identifier: MIT */
/* The signature of a request that is about to leave. */
#include "net/s3-sign.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/sigv4.h"

/* What stands between may change the others. */
static int is_signed(const char *name)
{
	return !strcasecmp(name, "host") || !strncasecmp(name, "x-amz-", 6) ||
	       !strncasecmp(name, "content-", 8);
}

static size_t signed_headers(const struct sv_request *r, struct sv_sigv4_header *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_headers; i++)
		if (is_signed(r->headers[i].name))
			ret[n++] =
				(struct sv_sigv4_header){ r->headers[i].name, r->headers[i].value };
	return n;
}

/* The path of a URL, and where its query begins. */
static void take_apart(const char *url, const char **path, const char **query)
{
	const char *host = strstr(url, "://");

	*path = strchr(host ? host + 3 : url, '/');
	*query = strchr(url, '?');
	*query = *query ? *query + 1 : "";
}

int sv_s3_sign(const struct sv_s3_place *p, struct sv_request *r, int64_t now)
{
	const struct sv_sigv4_key key = { p->access_key, p->secret, p->region, "s3" };
	struct sv_sigv4_header headers[SV_MAX_HEADERS];
	struct sv_sigv4_request s = { .method = r->method, .headers = headers };
	struct sv_buf path, value;
	const char *from;
	char time[17];
	int rc;

	sv_sigv4_time(now, time);
	rc = sv_request_header(r, "x-amz-date", time);
	s.time = time;
	s.n_headers = signed_headers(r, headers);
	for (size_t i = 0; i < s.n_headers; i++)
		if (!strcmp(headers[i].name, "x-amz-content-sha256"))
			s.payload = headers[i].value;
	take_apart(r->url, &from, &s.query);
	sv_buf_init(&path, SV_MAX_URL);
	sv_buf_init(&value, SV_MAX_URL);
	sv_buf_add(&path, from, strcspn(from, "?"));
	s.path = sv_buf_text(&path);
	if (!rc)
		rc = path.failed ? SV_NOMEM : sv_sigv4_sign(&key, &s, &value, NULL);
	if (!rc)
		rc = sv_request_header(r, "Authorization", sv_buf_text(&value));
	sv_buf_free(&path);
	sv_buf_free(&value);
	return rc;
}
