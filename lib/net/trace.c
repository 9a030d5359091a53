/* SPDX-License-Identifier: MIT */
/* What --debug shows. Every secret is masked here, before a line leaves the library. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/limits.h"
#include "model/json.h"
#include "net/engine.h"

#define BODY_MOST 4096
#define MASK      "***"

static const char *const secret_headers[] = {
	"Authorization",
	"Cookie",
	"Proxy-Authorization",
	"Set-Cookie",
	"X-Api-Key",
};

/* Parts of keys whose values are nobody's business. */
static const char *const secret_words[] = {
	"secret",
	"password",
	"token",
	"api_key",
	"authorization",
	"credential",
	"signature",
	"private_key",
	"voucher_code",
};

static int named(const char *const *words, size_t n, const char *name, int part)
{
	for (size_t i = 0; i < n; i++)
		if (part ? strcasestr(name, words[i]) != NULL : !strcasecmp(name, words[i]))
			return 1;
	return 0;
}

#define SECRET_HEADER(s) \
	named(secret_headers, sizeof(secret_headers) / sizeof(secret_headers[0]), s, 0)
#define SECRET_KEY(s) named(secret_words, sizeof(secret_words) / sizeof(secret_words[0]), s, 1)

static void line(sv_client *c, struct sv_buf *b)
{
	c->trace(c->trace_data, sv_buf_text(b));
	sv_buf_reset(b);
}

static void url(struct sv_buf *b, const char *url)
{
	size_t n = strcspn(url, "?");
	char name[64];

	sv_buf_add(b, url, n);
	url += n;
	while (*url) {
		size_t key = strcspn(url + 1, "=&"), all = 1 + strcspn(url + 1, "&");

		snprintf(name, sizeof(name), "%.*s", (int)key, url + 1);
		if (SECRET_KEY(name))
			sv_buf_fmt(b, "%.*s=" MASK, (int)key + 1, url);
		else
			sv_buf_add(b, url, all);
		url += all;
	}
}

static void headers(sv_client *c, struct sv_buf *b, char mark, const struct sv_header *h)
{
	for (; h && h->name; h++) {
		sv_buf_fmt(b, "%c %s: ", mark, h->name);
		if (!strcasecmp(h->name, "Authorization") && !strncmp(h->value, "Bearer ", 7))
			sv_buf_str(b, "Bearer " MASK);
		else
			sv_buf_str(b, SECRET_HEADER(h->name) ? MASK : h->value);
		line(c, b);
	}
}

/* The JSON writer with one thing more: it looks at keys. */
struct masker {
	struct sv_json_writer json;
	int (*key)(struct sv_writer *w, const char *key, const struct sv_field *field);
	int (*string)(struct sv_writer *w, const char *s);
	int secret;
};

static int mask_key(struct sv_writer *w, const char *key, const struct sv_field *field)
{
	struct masker *m = (struct masker *)w;

	m->secret = SECRET_KEY(key);
	return m->key(w, key, field);
}

static int mask_string(struct sv_writer *w, const char *s)
{
	struct masker *m = (struct masker *)w;

	return m->string(w, m->secret ? MASK : s);
}

static void body(sv_client *c, char mark, const char *text, size_t len)
{
	struct masker m = { .secret = 0 };
	struct sv_buf b;

	if (!text || !len)
		return;
	sv_buf_init(&b, SV_MAX_REPLY + 4);
	sv_buf_fmt(&b, "%c ", mark);
	sv_json_writer_init(&m.json, &b, 0);
	m.key = m.json.w.key;
	m.string = m.json.w.string;
	m.json.w.key = mask_key;
	m.json.w.string = mask_string;
	if (sv_walk_json(text, len, &m.json.w) || b.failed) {
		sv_buf_reset(&b);
		sv_buf_fmt(&b, "%c (%zu bytes that are not JSON)", mark, len);
	} else if (b.len > BODY_MOST) {
		b.len = BODY_MOST;
		sv_buf_fmt(&b, "... (%zu bytes)", len);
	}
	line(c, &b);
	sv_buf_free(&b);
}

void sv_trace_request(sv_op *op)
{
	sv_client *c = op->client;
	struct sv_buf b;

	if (!c->trace)
		return;
	sv_buf_init(&b, SV_MAX_URL + SV_MAX_KEY + 64);
	sv_buf_fmt(&b, "> %s ", op->request.method);
	url(&b, op->request.url);
	if (op->x.socket)
		sv_buf_fmt(&b, " (unix:%s)", op->x.socket);
	line(c, &b);
	headers(c, &b, '>', op->request.headers);
	sv_buf_free(&b);
	body(c, '>', op->request.body, op->request.body_len);
}

void sv_trace_answer(sv_op *op)
{
	const struct sv_xfer *x = &op->x;
	sv_client *c = op->client;
	struct sv_buf b;

	if (!c->trace)
		return;
	sv_buf_init(&b, SV_MAX_URL + SV_MAX_KEY + 64);
	if (x->result)
		sv_buf_fmt(&b, "= no answer: %s", x->message);
	else
		sv_buf_fmt(&b, "< %d", x->status);
	line(c, &b);
	if (!x->result) {
		headers(c, &b, '<', x->reply_headers);
		body(c, '<', x->reply, x->reply_len);
	}
	sv_buf_free(&b);
}

void sv_trace_note(sv_op *op, const char *fmt, ...)
{
	char text[512] = "= ";
	va_list ap;

	if (!op->client->trace)
		return;
	va_start(ap, fmt);
	vsnprintf(text + 2, sizeof(text) - 2, fmt, ap);
	va_end(ap);
	op->client->trace(op->client->trace_data, text);
}
