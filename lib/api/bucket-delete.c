/* SPDX-License-Identifier: MIT */
/* Deleting: a thousand keys a request where the service has that, else one by one. */
#include <stdio.h>
#include <string.h>

#include "api/bucket.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/md5.h"
#include "base/sha256.h"
#include "net/xml.h"

#define MOST_KEYS 1000

struct deleting {
	void (*refused)(void *data, const char *key, const char *code, const char *message);
	void *data;
	char key[SV_KEY_MOST + 1], code[64], message[300];
	size_t n_refused;
};

static void escaped(struct sv_buf *b, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '&': sv_buf_str(b, "&amp;"); break;
		case '<': sv_buf_str(b, "&lt;"); break;
		case '>': sv_buf_str(b, "&gt;"); break;
		case '\r':
		case '\n':
		case '\t': sv_buf_fmt(b, "&#%d;", *s); break;
		default: sv_buf_chr(b, *s);
		}
}

/* XML has no way to write most control characters. */
static int writable(const char *key)
{
	for (; *key; key++)
		if ((unsigned char)*key < 0x20 && !strchr("\t\n\r", *key))
			return 0;
	return 1;
}

static int on_end(void *data, const char *path, const char *text, size_t len)
{
	struct deleting *s = data;

	(void)len;
	if (!strcmp(path, "/DeleteResult/Error/Key"))
		snprintf(s->key, sizeof(s->key), "%s", text);
	else if (!strcmp(path, "/DeleteResult/Error/Code"))
		snprintf(s->code, sizeof(s->code), "%s", text);
	else if (!strcmp(path, "/DeleteResult/Error/Message"))
		snprintf(s->message, sizeof(s->message), "%s", text);
	else if (!strcmp(path, "/DeleteResult/Error")) {
		/* What is not there needs no deleting. */
		if (strcmp(s->code, "NoSuchKey") != 0) {
			s->n_refused++;
			if (s->refused)
				s->refused(s->data, s->key, s->code, s->message);
		}
		s->key[0] = s->code[0] = s->message[0] = '\0';
	}
	return 0;
}

static int read_result(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	const struct sv_xml_reader reader = { NULL, on_end, d->data };
	int r = sv_s3_late_error(d, x, err);

	return r || !x->reply_len ? r : sv_xml_read(x->reply, x->reply_len, &reader, err);
}

static int body_of(struct sv_buf *b, const char *const *keys, size_t n)
{
	sv_buf_str(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
		      "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
		      "<Quiet>true</Quiet>");
	for (size_t i = 0; i < n; i++) {
		sv_buf_str(b, "<Object><Key>");
		escaped(b, keys[i]);
		sv_buf_str(b, "</Key></Object>");
	}
	return sv_buf_str(b, "</Delete>");
}

static int delete_many(sv_bucket *b, const char *const *keys, size_t n, struct deleting *s)
{
	unsigned char digest[16];
	struct sv_s3_do d;
	struct sv_md5 md5;
	struct sv_buf body;
	char text[32];
	int r;

	sv_buf_init(&body, 8 * (SV_KEY_MOST + 64) * MOST_KEYS);
	r = body_of(&body, keys, n);
	if (r) {
		sv_buf_free(&body);
		return sv_err(&b->client->error, SV_NOMEM, "out of memory");
	}
	sv_md5_init(&md5);
	sv_md5_add(&md5, body.data, body.len);
	sv_md5_end(&md5, digest);
	sv_base64_encode(digest, sizeof(digest), 1, text, sizeof(text));
	sv_bucket_do(b, &d, "POST", NULL);
	sv_s3_query(&d, "delete", "");
	sv_s3_header(&d, "Content-MD5", text);
	sv_s3_header(&d, "Content-Type", "application/xml");
	d.body = body.data;
	d.body_len = body.len;
	d.data = s;
	d.answer = read_result;
	r = sv_s3_run(b->client, &d);
	sv_buf_free(&body);
	return r;
}

static int delete_one(sv_bucket *b, const char *key, struct deleting *s)
{
	struct sv_error *err = &b->client->error;
	struct sv_s3_do d;
	int r;

	sv_bucket_do(b, &d, "DELETE", key);
	r = sv_s3_run(b->client, &d);
	if (r == SV_NOTFOUND && strcmp(d.wire, "NoSuchBucket") != 0) {
		sv_err_clear(err);
		return SV_OK;
	}
	if (r == SV_DENIED || r == SV_CONFLICT) {
		s->n_refused++;
		if (s->refused)
			s->refused(s->data, key, d.wire, err->message);
		return SV_OK;
	}
	return r;
}

static int one_by_one(sv_bucket *b, const char *const *keys, size_t n, struct deleting *s)
{
	int r = SV_OK;

	for (size_t i = 0; !r && i < n; i++)
		r = delete_one(b, keys[i], s);
	return r;
}

/* As many as go into one request; *n of them. */
static int batch(sv_bucket *b, const char *const *keys, size_t *n, struct deleting *s)
{
	size_t many = 0;
	int r;

	while (many < *n && many < MOST_KEYS && writable(keys[many]))
		many++;
	*n = many ? many : 1;
	if (*n == 1)
		return delete_one(b, keys[0], s);
	r = delete_many(b, keys, *n, s);
	return r == SV_UNSUPPORTED ? one_by_one(b, keys, *n, s) : r;
}

int sv_bucket_delete(sv_bucket *b, const char *const *keys, size_t n,
	void (*refused)(void *data, const char *key, const char *code, const char *message),
	void *data)
{
	struct deleting s = { .refused = refused, .data = data };
	int r = SV_OK;

	for (size_t i = 0; !r && i < n; i++)
		r = sv_bucket_key(b, keys[i]);
	for (size_t i = 0, k; !r && i < n; i += k) {
		k = n - i;
		r = batch(b, keys + i, &k, &s);
	}
	if (!r && s.n_refused)
		r = sv_err(&b->client->error, SV_FAILED, "%zu of %zu objects were not deleted",
			s.n_refused, n);
	return r;
}
