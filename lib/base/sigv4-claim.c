/* SPDX-License-Identifier: MIT */
/* The other side of a signature: what a request claims, and whether it is so. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sigv4.h"
#include "base/str.h"
#include "base/time.h"
#include "starverse/common.h"

#define ALGORITHM "AWS4-HMAC-SHA256"

void sv_sigv4_time(int64_t t, char text[17])
{
	char iso[32];
	size_t n = 0;

	sv_print_time(t, iso, sizeof(iso));
	for (const char *p = iso; *p && n < 16; p++)
		if (*p != '-' && *p != ':')
			text[n++] = *p;
	text[n] = '\0';
}

int sv_sigv4_parse_time(const char *text, int64_t *ret)
{
	char iso[32];

	if (strlen(text) != 16 || text[8] != 'T' || text[15] != 'Z')
		return SV_INVALID;
	snprintf(iso, sizeof(iso), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", text, text + 4, text + 6,
		text + 9, text + 11, text + 13);
	return sv_parse_time(iso, ret);
}

/* Copies what fits; 0, or -1 where it is empty or too long. */
static int take(char *to, size_t size, const char *from, size_t len)
{
	if (!len || len >= size)
		return -1;
	memcpy(to, from, len);
	to[len] = '\0';
	return 0;
}

/* "AKID/20130524/us-east-1/s3/aws4_request"; an access key may hold a '/' itself. */
static int take_credential(struct sv_sigv4_claim *c, const char *s, size_t len)
{
	const char *part[4], *end = s + len;
	int n = 4;

	while (n && end > s)
		if (*--end == '/')
			part[--n] = end + 1;
	if (n || strncmp(part[3], "aws4_request", 12) || s + len != part[3] + 12 ||
		part[1] - part[0] != 9)
		return -1;
	if (take(c->access, sizeof(c->access), s, (size_t)(part[0] - 1 - s)) ||
		take(c->date, sizeof(c->date), part[0], 8))
		return -1;
	return take(c->region, sizeof(c->region), part[1], (size_t)(part[2] - 1 - part[1])) ||
			       take(c->service, sizeof(c->service), part[2],
				       (size_t)(part[3] - 1 - part[2]))
		       ? -1
		       : 0;
}

static int complete(const struct sv_sigv4_claim *c)
{
	return c->access[0] && c->signed_headers[0] && strlen(c->signature) == 64 &&
	       strlen(c->time) == 16 && !strncmp(c->time, c->date, 8);
}

static int claim_header(const char *s, const char *date, struct sv_sigv4_claim *c)
{
	int bad = 0;

	if (strncmp(s, ALGORITHM, strlen(ALGORITHM)) || !sv_is_space(s[strlen(ALGORITHM)]))
		return SV_INVALID;
	s += strlen(ALGORITHM);
	while (*s && !bad) {
		size_t len, name;

		s += strspn(s, " ,\t");
		len = strcspn(s, ",");
		name = strcspn(s, "=");
		while (len && sv_is_space(s[len - 1]))
			len--;
		if (name >= len)
			break;
		if (!strncmp(s, "Credential=", 11))
			bad = take_credential(c, s + 11, len - 11);
		else if (!strncmp(s, "SignedHeaders=", 14))
			bad = take(c->signed_headers, sizeof(c->signed_headers), s + 14, len - 14);
		else if (!strncmp(s, "Signature=", 10))
			bad = take(c->signature, sizeof(c->signature), s + 10, len - 10);
		s += len;
		s += strcspn(s, ",");
	}
	if (bad || !date || take(c->time, sizeof(c->time), date, strlen(date)))
		return SV_INVALID;
	return complete(c) ? SV_OK : SV_INVALID;
}

/* The value of a query's field, decoded; 0, or -1 where it is not there, empty or too long. */
static int query_value(const char *query, const char *name, char *buf, size_t size)
{
	size_t want = strlen(name);

	for (size_t len; *query; query += len + (query[len] == '&')) {
		len = strcspn(query, "&");
		if (len <= want || strncmp(query, name, want) || query[want] != '=')
			continue;
		return sv_url_decode(query + want + 1, len - want - 1, 1, buf, size) > 0 ? 0 : -1;
	}
	return -1;
}

static int claim_query(const char *query, struct sv_sigv4_claim *c)
{
	char text[256];

	if (query_value(query, "X-Amz-Algorithm", text, sizeof(text)) &&
		query_value(query, "X-Amz-Signature", text, sizeof(text)))
		return SV_NOTFOUND;
	if (query_value(query, "X-Amz-Algorithm", text, sizeof(text)) || strcmp(text, ALGORITHM))
		return SV_INVALID;
	if (query_value(query, "X-Amz-Credential", text, sizeof(text)) ||
		take_credential(c, text, strlen(text)))
		return SV_INVALID;
	if (query_value(query, "X-Amz-Date", c->time, sizeof(c->time)) ||
		query_value(query, "X-Amz-Signature", c->signature, sizeof(c->signature)) ||
		query_value(query, "X-Amz-SignedHeaders", c->signed_headers,
			sizeof(c->signed_headers)))
		return SV_INVALID;
	if (query_value(query, "X-Amz-Expires", text, sizeof(text)) ||
		sv_parse_int(text, &c->expires) || c->expires < 0 ||
		c->expires > SV_SIGV4_MAX_EXPIRES)
		return SV_INVALID;
	c->presigned = 1;
	return complete(c) ? SV_OK : SV_INVALID;
}

int sv_sigv4_claim(
	const char *authorization, const char *date, const char *query, struct sv_sigv4_claim *ret)
{
	struct sv_sigv4_claim c = { 0 };
	int code = authorization ? claim_header(authorization, date, &c)
				 : claim_query(query ? query : "", &c);

	if (!code)
		*ret = c;
	return code;
}

/* 1 when a header stands among the signed names. */
static int is_signed(const char *names, const char *header)
{
	size_t want = strlen(header);

	for (size_t len; *names; names += len + (names[len] == ';')) {
		len = strcspn(names, ";");
		if (len == want && !strncasecmp(names, header, len))
			return 1;
	}
	return 0;
}

int sv_sigv4_verify(const struct sv_sigv4_claim *claim, const char *secret,
	const struct sv_sigv4_request *r, struct sv_sigv4_chain *chain)
{
	struct sv_sigv4_key key = { claim->access, secret, claim->region, claim->service };
	struct sv_sigv4_chain c = { 0 };
	int code;

	if (!is_signed(claim->signed_headers, "host"))
		return SV_DENIED;
	for (size_t i = 0; i < r->n_headers; i++)
		if (!strncasecmp(r->headers[i].name, "x-amz-", 6) &&
			!is_signed(claim->signed_headers, r->headers[i].name))
			return SV_DENIED;
	code = sv_sigv4_begin(&c, &key, claim->time, r, claim->signed_headers);
	if (!code && !sv_sigv4_equal(c.last, claim->signature))
		code = SV_AUTH;
	if (!code && chain)
		*chain = c;
	explicit_bzero(c.key, sizeof(c.key));
	return code;
}
