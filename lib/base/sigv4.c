/* SPDX-License-Identifier: MIT */
/* Signature Version 4: canonical request, string to sign, key of the day. */
#include "base/sigv4.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sha256.h"
#include "base/str.h"
#include "starverse/common.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define MAX_CANONICAL ((size_t)256 << 10)
#define MAX_FIELDS    256 /* of a query */
#define MAX_SECRET    200

static void hmac_hex(const unsigned char key[32], const char *text, size_t len, char hex[65])
{
	unsigned char digest[32];

	sv_hmac_sha256(key, 32, text, len, digest);
	sv_hex(digest, sizeof(digest), hex);
}

/* The key that a secret becomes for one day, region and service. */
static void day_key(const char *secret, const char *date, const char *region, const char *service,
	unsigned char key[32])
{
	char first[MAX_SECRET + 5];
	int n = snprintf(first, sizeof(first), "AWS4%s", secret);

	sv_hmac_sha256(first, (size_t)n, date, strlen(date), key);
	sv_hmac_sha256(key, 32, region, strlen(region), key);
	sv_hmac_sha256(key, 32, service, strlen(service), key);
	sv_hmac_sha256(key, 32, "aws4_request", 12, key);
	explicit_bzero(first, sizeof(first));
}

int sv_sigv4_equal(const char *a, const char *b)
{
	size_t n = strlen(a), other = strlen(b);
	unsigned char differ = n != other;

	for (size_t i = 0; i < n; i++)
		differ |= (unsigned char)(a[i] ^ b[i < other ? i : 0]);
	return !differ;
}

static void encoded(struct sv_buf *b, unsigned char c)
{
	if (sv_is_alnum((char)c) || strchr("-._~", c ? c : '!'))
		sv_buf_chr(b, (char)c);
	else
		sv_buf_fmt(b, "%%%02X", c);
}

int sv_sigv4_path(struct sv_buf *b, const char *key)
{
	for (; *key; key++)
		if (*key == '/')
			sv_buf_chr(b, '/');
		else
			encoded(b, (unsigned char)*key);
	return b->failed ? SV_NOMEM : SV_OK;
}

/* What is encoded somehow, encoded in the one way; `keep` stays as it is. A '%' without two digits
 * is itself. */
static void again(struct sv_buf *b, const char *s, size_t len, char keep, int plus_is_blank)
{
	for (size_t i = 0; i < len; i++) {
		int high = s[i] == '%' && i + 2 < len ? sv_hex_digit(s[i + 1]) : -1;
		int low = high >= 0 ? sv_hex_digit(s[i + 2]) : -1;

		if (keep && s[i] == keep) {
			sv_buf_chr(b, s[i]);
		} else if (low >= 0) {
			encoded(b, (unsigned char)(high << 4 | low));
			i += 2;
		} else {
			encoded(b, plus_is_blank && s[i] == '+' ? ' ' : (unsigned char)s[i]);
		}
	}
}

/* One field of a query: both parts in canonical form, in one text with a NUL between. */
struct field {
	size_t name, value; /* where they begin in the text of all */
};

static void field_add(struct sv_buf *text, struct field *f, const char *s, size_t len)
{
	const char *eq = memchr(s, '=', len);
	size_t n = eq ? (size_t)(eq - s) : len;

	f->name = text->len;
	again(text, s, n, 0, 1);
	sv_buf_chr(text, '\0');
	f->value = text->len;
	if (eq)
		again(text, eq + 1, len - n - 1, 0, 1);
	sv_buf_chr(text, '\0');
}

static int field_order(const char *text, const struct field *a, const struct field *b)
{
	int order = strcmp(text + a->name, text + b->name);

	return order ? order : strcmp(text + a->value, text + b->value);
}

/* Sorted by name, then value; the signature itself is no part of what is signed. */
static void canonical_query(struct sv_buf *b, const char *query)
{
	struct field fields[MAX_FIELDS];
	struct sv_buf text;
	size_t n = 0;

	sv_buf_init(&text, MAX_CANONICAL);
	for (size_t len; *query; query += len + (query[len] == '&')) {
		struct field f;
		size_t at = n;

		len = strcspn(query, "&");
		if (!len || !strncmp(query, "X-Amz-Signature=", 16))
			continue;
		field_add(&text, &f, query, len);
		if (text.failed || n == MAX_FIELDS) {
			b->failed = 1;
			break;
		}
		for (; at && field_order(text.data, &f, &fields[at - 1]) < 0; at--)
			fields[at] = fields[at - 1];
		fields[at] = f;
		n++;
	}
	for (size_t i = 0; i < n && !b->failed; i++)
		sv_buf_fmt(b, "%s%s=%s", i ? "&" : "", text.data + fields[i].name,
			text.data + fields[i].value);
	sv_buf_free(&text);
}

/* Without blanks at the ends, and one where there were several. */
static void trimmed(struct sv_buf *b, const char *s)
{
	int begun = 0, blank = 0;

	for (; *s; s++) {
		if (sv_is_space(*s)) {
			blank = begun;
			continue;
		}
		if (blank)
			sv_buf_chr(b, ' ');
		sv_buf_chr(b, *s);
		begun = 1;
		blank = 0;
	}
}

/* "name:value,value\n" of every header with this name; one that did not come is empty. */
static void canonical_header(
	struct sv_buf *b, const struct sv_sigv4_request *r, const char *name, size_t len)
{
	int found = 0;

	sv_buf_add(b, name, len);
	sv_buf_chr(b, ':');
	for (size_t i = 0; i < r->n_headers; i++) {
		if (strncasecmp(r->headers[i].name, name, len) || r->headers[i].name[len])
			continue;
		if (found++)
			sv_buf_chr(b, ',');
		trimmed(b, r->headers[i].value);
	}
	sv_buf_chr(b, '\n');
}

void sv_sigv4_canonical(struct sv_buf *b, const struct sv_sigv4_request *r, const char *names)
{
	sv_buf_fmt(b, "%s\n", r->method);
	if (r->path[0] != '/')
		sv_buf_chr(b, '/');
	again(b, r->path, strlen(r->path), '/', 0);
	sv_buf_chr(b, '\n');
	canonical_query(b, r->query ? r->query : "");
	sv_buf_chr(b, '\n');
	for (const char *name = names; *name;) {
		size_t len = strcspn(name, ";");

		canonical_header(b, r, name, len);
		name += len + (name[len] == ';');
	}
	sv_buf_fmt(b, "\n%s\n%s", names, r->payload ? r->payload : SV_SIGV4_UNSIGNED);
}

static int chain_init(struct sv_sigv4_chain *c, const struct sv_sigv4_key *key, const char *time)
{
	char date[9];
	int n;

	*c = (struct sv_sigv4_chain){ 0 };
	if (strlen(time) != 16 || strlen(key->secret) > MAX_SECRET)
		return SV_INVALID;
	snprintf(c->time, sizeof(c->time), "%s", time);
	snprintf(date, sizeof(date), "%.8s", time);
	n = snprintf(c->scope, sizeof(c->scope), "%s/%s/%s/aws4_request", date, key->region,
		key->service);
	if (n < 0 || (size_t)n >= sizeof(c->scope))
		return SV_INVALID;
	day_key(key->secret, date, key->region, key->service, c->key);
	return SV_OK;
}

int sv_sigv4_begin(struct sv_sigv4_chain *c, const struct sv_sigv4_key *key, const char *time,
	const struct sv_sigv4_request *r, const char *names)
{
	struct sv_buf b;
	char hex[65];
	int code = chain_init(c, key, time);

	if (code)
		return code;
	sv_buf_init(&b, MAX_CANONICAL);
	sv_sigv4_canonical(&b, r, names);
	if (!b.failed) {
		sv_sha256_hex(b.data, b.len, hex);
		sv_buf_reset(&b);
		sv_buf_fmt(&b, ALGORITHM "\n%s\n%s\n%s", c->time, c->scope, hex);
	}
	if (b.failed)
		code = SV_NOMEM;
	else
		hmac_hex(c->key, b.data, b.len, c->last);
	sv_buf_free(&b);
	return code;
}

/* The names of all headers of a request: lower case, sorted, each once, parted by ';'. */
static int header_names(const struct sv_sigv4_request *r, struct sv_buf *b)
{
	const char *last = "";

	for (;;) {
		const char *least = NULL;

		for (size_t i = 0; i < r->n_headers; i++) {
			const char *name = r->headers[i].name;

			if (strcasecmp(name, last) > 0 && (!least || strcasecmp(name, least) < 0))
				least = name;
		}
		if (!least)
			return b->failed ? SV_NOMEM : SV_OK;
		if (b->len)
			sv_buf_chr(b, ';');
		for (const char *p = least; *p; p++)
			sv_buf_chr(b, (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p));
		last = least;
	}
}

int sv_sigv4_sign(const struct sv_sigv4_key *key, const struct sv_sigv4_request *r,
	struct sv_buf *authorization, struct sv_sigv4_chain *chain)
{
	struct sv_sigv4_chain c = { 0 };
	struct sv_buf names;
	int code;

	sv_buf_init(&names, SV_SIGV4_MAX_NAMES);
	code = header_names(r, &names);
	if (!code)
		code = sv_sigv4_begin(&c, key, r->time, r, sv_buf_text(&names));
	if (!code)
		code = sv_buf_fmt(authorization,
			ALGORITHM " Credential=%s/%s, SignedHeaders=%s, Signature=%s", key->access,
			c.scope, sv_buf_text(&names), c.last);
	if (!code && chain)
		*chain = c;
	sv_buf_free(&names);
	explicit_bzero(c.key, sizeof(c.key));
	return code;
}

/* The query that is signed: what the request had, and the fields of the signature but for itself.
 */
static int presigned_query(struct sv_buf *q, const struct sv_sigv4_key *key,
	const struct sv_sigv4_request *r, int64_t expires, const char *names)
{
	if (r->query && *r->query)
		sv_buf_fmt(q, "%s&", r->query);
	sv_buf_str(q, "X-Amz-Algorithm=" ALGORITHM "&X-Amz-Credential=");
	sv_buf_url(q, key->access);
	sv_buf_fmt(q, "%%2F%.8s%%2F", r->time);
	sv_buf_url(q, key->region);
	sv_buf_str(q, "%2F");
	sv_buf_url(q, key->service);
	sv_buf_fmt(q, "%%2Faws4_request&X-Amz-Date=%s&X-Amz-Expires=%lld&X-Amz-SignedHeaders=",
		r->time, (long long)expires);
	return sv_buf_url(q, names);
}

int sv_sigv4_presign(const struct sv_sigv4_key *key, const struct sv_sigv4_request *r,
	int64_t expires, struct sv_buf *query)
{
	struct sv_sigv4_request inner = *r;
	struct sv_sigv4_chain c = { 0 };
	struct sv_buf names, q;
	int code;

	if (expires < 1 || expires > SV_SIGV4_MAX_EXPIRES)
		return SV_INVALID;
	sv_buf_init(&names, SV_SIGV4_MAX_NAMES);
	sv_buf_init(&q, MAX_CANONICAL);
	code = header_names(r, &names);
	if (!code)
		code = presigned_query(&q, key, r, expires, sv_buf_text(&names));
	inner.query = sv_buf_text(&q);
	if (!code)
		code = sv_sigv4_begin(&c, key, r->time, &inner, sv_buf_text(&names));
	if (!code)
		code = sv_buf_fmt(query, "%s&X-Amz-Signature=%s", q.data, c.last);
	sv_buf_free(&names);
	sv_buf_free(&q);
	explicit_bzero(c.key, sizeof(c.key));
	return code;
}

static void chunk(struct sv_sigv4_chain *c, const char *what, const char *middle,
	const char *digest, char signature[65])
{
	char text[512];
	int n = snprintf(text, sizeof(text), "%s\n%s\n%s\n%s\n%s%s", what, c->time, c->scope,
		c->last, middle, digest);

	hmac_hex(c->key, text, (size_t)n, c->last);
	memcpy(signature, c->last, 65);
}

void sv_sigv4_chunk(struct sv_sigv4_chain *chain, const char digest[65], char signature[65])
{
	chunk(chain, ALGORITHM "-PAYLOAD", SV_SIGV4_EMPTY "\n", digest, signature);
}

void sv_sigv4_trailer(struct sv_sigv4_chain *chain, const char digest[65], char signature[65])
{
	chunk(chain, ALGORITHM "-TRAILER", "", digest, signature);
}
