/* SPDX-License-Identifier: MIT */
/* What a webhook sends: to programs the event itself, signed as Standard Webhooks are
 * (webhook-id, webhook-timestamp, webhook-signature); to the robots of Feishu, DingTalk and WeCom a
 * message, signed as each of them wants it. */
#include "local/webhook.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/sha256.h"
#include "base/str.h"
#include "base/time.h"
#include "model/kind.h"

#define PREFIX      "whsec_"
#define KEY_BYTES   24
#define KEY_MIN     16
#define KEY_MAX     64
#define ROBOT_MAX   200
#define BODY_MAX    (16 << 10)

/* HMAC-SHA256 as base64. */
static int sign(const void *key, size_t key_len, const char *data, size_t len, char *buf,
	size_t size)
{
	unsigned char mac[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	if (!HMAC(EVP_sha256(), key, (int)key_len, (const unsigned char *)data, len, mac, &n))
		return SV_SERVER;
	return sv_base64_encode(mac, n, 1, buf, size) < 0 ? SV_SERVER : SV_OK;
}

static int64_t key_of(const char *secret, unsigned char *key, size_t size)
{
	size_t skip = strncmp(secret, PREFIX, sizeof(PREFIX) - 1) ? 0 : sizeof(PREFIX) - 1;

	return sv_base64_decode(secret + skip, strlen(secret) - skip, key, size);
}

void webhook_secret_make(char *buf, size_t size)
{
	unsigned char key[KEY_BYTES];
	char text[64];

	while (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		;
	sv_base64_encode(key, sizeof(key), 1, text, sizeof(text));
	snprintf(buf, size, PREFIX "%s", text);
}

const char *webhook_secret_wrong(const struct webhook_format *f, const char *secret)
{
	unsigned char key[KEY_MAX + 3];
	int64_t n;

	if (f->secret == WEBHOOK_NEEDS_NONE)
		return "is not what this robot signs with: its address is the secret";
	if (f->secret == WEBHOOK_TAKES) {
		for (const char *s = secret; *s; s++)
			if (*s <= ' ' || *s >= 0x7f)
				return "has characters that no robot's secret has";
		return *secret && strlen(secret) <= ROBOT_MAX ? NULL : "is empty or too long";
	}
	n = key_of(secret, key, sizeof(key));
	return n < KEY_MIN || n > KEY_MAX ? "must be whsec_ and the base64 of 16 to 64 bytes"
					  : NULL;
}

static void header(struct webhook_message *m, const char *name, const char *value)
{
	int n = 0;

	while (n + 1 < POST_HEADERS && m->post.headers[n].name)
		n++;
	m->post.headers[n] = (struct post_header){ name, value };
}

/* One signature for each secret, the newest first. */
static int generic(struct webhook_message *m)
{
	const char *const secrets[] = { m->secret, m->before };
	unsigned char key[KEY_MAX + 3];
	struct sv_buf content;
	size_t at = 0;
	int rc = SV_OK;

	sv_buf_str(&m->body, m->json);
	snprintf(m->timestamp, sizeof(m->timestamp), "%lld", (long long)m->now);
	sv_buf_init(&content, BODY_MAX);
	sv_buf_fmt(&content, "%s.%s.%s", m->id, m->timestamp, m->json);
	for (size_t i = 0; !rc && i < 2; i++) {
		int64_t n = *secrets[i] ? key_of(secrets[i], key, sizeof(key)) : 0;
		char mac[64];

		if (n <= 0)
			continue;
		rc = sign(key, (size_t)n, sv_buf_text(&content), content.len, mac, sizeof(mac));
		at += (size_t)snprintf(m->signature + at, sizeof(m->signature) - at, "%sv1,%s",
			at ? " " : "", mac);
	}
	rc = content.failed ? SV_NOMEM : rc;
	sv_buf_free(&content);
	header(m, "webhook-id", m->id);
	header(m, "webhook-timestamp", m->timestamp);
	if (*m->signature)
		header(m, "webhook-signature", m->signature);
	return rc;
}

/* Feishu: the key is "timestamp\nsecret", what is signed is empty; seconds; both in the body. */
static int feishu(struct webhook_message *m)
{
	char key[ROBOT_MAX + 40], mac[64];
	int rc = SV_OK;

	sv_buf_chr(&m->body, '{');
	if (*m->secret) {
		snprintf(key, sizeof(key), "%lld\n%s", (long long)m->now, m->secret);
		rc = sign(key, strlen(key), "", 0, mac, sizeof(mac));
		sv_buf_fmt(&m->body, "\"timestamp\":\"%lld\",\"sign\":\"%s\",", (long long)m->now,
			mac);
	}
	sv_buf_str(&m->body, "\"msg_type\":\"text\",\"content\":{\"text\":");
	sv_buf_json(&m->body, m->text, strlen(m->text));
	sv_buf_str(&m->body, "}}");
	return rc;
}

/* A value of a query: of base64 only these need it. */
static void escape(const char *s, char *buf, size_t size)
{
	size_t n = 0;

	for (; *s && n + 4 < size; s++)
		n += (size_t)snprintf(buf + n, size - n, strchr("+/=", *s) ? "%%%02X" : "%c",
			(unsigned)*s);
}

static void text_body(struct webhook_message *m)
{
	sv_buf_str(&m->body, "{\"msgtype\":\"text\",\"text\":{\"content\":");
	sv_buf_json(&m->body, m->text, strlen(m->text));
	sv_buf_str(&m->body, "}}");
}

/* DingTalk: the secret signs "timestamp\nsecret"; milliseconds; both in the query. */
static int dingtalk(struct webhook_message *m)
{
	char data[ROBOT_MAX + 40], mac[64], escaped[200] = "";
	int rc;

	text_body(m);
	if (!*m->secret)
		return SV_OK;
	snprintf(data, sizeof(data), "%lld000\n%s", (long long)m->now, m->secret);
	rc = sign(m->secret, strlen(m->secret), data, strlen(data), mac, sizeof(mac));
	escape(mac, escaped, sizeof(escaped));
	snprintf(m->url, sizeof(m->url), "%s%ctimestamp=%lld000&sign=%s", m->webhook->url,
		strchr(m->webhook->url, '?') ? '&' : '?', (long long)m->now, escaped);
	return rc;
}

static int wecom(struct webhook_message *m)
{
	text_body(m);
	return SV_OK;
}

/* Robots answer 200 whatever they think of it; what they think is a number in the body. */
struct verdict {
	struct sv_set set;
	int64_t code, errcode;
	const char *msg, *errmsg;
};

static const struct sv_field verdict_fields[] = {
	SV_FIELD(struct verdict, code, INT, "Feishu's", SV_SIGNED),
	SV_FIELD(struct verdict, msg, STR, "in words", 0),
	SV_FIELD(struct verdict, errcode, INT, "DingTalk's and WeCom's", SV_SIGNED),
	SV_FIELD(struct verdict, errmsg, STR, "in words", 0),
};
static SV_KIND(verdict_kind, struct verdict, "verdict", "what a robot answers", verdict_fields,
	.plural = NULL);

static const char *complaint(
	const struct post_result *r, const char *name, char *buf, size_t size)
{
	const struct sv_field *f = sv_field_find(&verdict_kind, name);
	const char *text = r->body ? r->body : "", *why = NULL;
	struct verdict *v = NULL;
	int64_t code;

	if (sv_from_json(&verdict_kind, text, strlen(text), (void **)&v, NULL))
		return "the answer is not a robot's";
	code = *(const int64_t *)sv_member(f, v);
	if (!sv_field_has(f, v)) {
		why = "the answer is not a robot's";
	} else if (code) {
		snprintf(buf, size, "%s %lld: %.100s", name, (long long)code,
			v->msg      ? v->msg
			: v->errmsg ? v->errmsg
				    : "");
		why = buf;
	}
	sv_free(v);
	return why;
}

static const char *feishu_complaint(const struct post_result *r, char *buf, size_t size)
{
	return complaint(r, "code", buf, size);
}

static const char *err_complaint(const struct post_result *r, char *buf, size_t size)
{
	return complaint(r, "errcode", buf, size);
}

static const struct webhook_format formats[] = {
	{ "dingtalk", WEBHOOK_TAKES, dingtalk, err_complaint },
	{ "feishu", WEBHOOK_TAKES, feishu, feishu_complaint },
	{ "generic", WEBHOOK_MAKES, generic, NULL },
	{ "wecom", WEBHOOK_NEEDS_NONE, wecom, err_complaint },
};

const struct webhook_format *webhook_format(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name ? name : "generic"))
			return &formats[i];
	return webhook_format(NULL);
}

static void tell(struct webhook_message *m)
{
	char when[40];

	sv_print_time(m->event->at, when, sizeof(when));
	snprintf(m->text, sizeof(m->text), "[Starverse] %s\n%s\n%s%s%s", m->event->type,
		m->event->message, when, *m->event->resource ? "\n" : "", m->event->resource);
}

int webhook_render(struct webhook_message *m)
{
	int rc;

	sv_buf_init(&m->body, BODY_MAX);
	event_id(m->event->seq, m->id, sizeof(m->id));
	snprintf(m->url, sizeof(m->url), "%s", m->webhook->url);
	tell(m);
	header(m, "Content-Type", "application/json");
	header(m, "User-Agent", "starverse-webhook/1");
	rc = webhook_format(m->webhook->format)->render(m);
	m->post.url = m->url;
	m->post.body = sv_buf_text(&m->body);
	m->post.body_len = m->body.len;
	return rc ? rc : m->body.failed ? SV_NOMEM : SV_OK;
}

void webhook_message_free(struct webhook_message *m)
{
	sv_buf_free(&m->body);
}

int webhook_taken(const struct webhook_format *f, const struct post_result *r, char *why,
	size_t size)
{
	const char *what;

	*why = '\0';
	if (!r->status) {
		snprintf(why, size, "%s",
			r->message && *r->message ? r->message : "no answer came");
		return 0;
	}
	if (r->status < 200 || r->status > 299) {
		snprintf(why, size, "HTTP status %d", r->status);
		return 0;
	}
	what = f->complaint ? f->complaint(r, why, size) : NULL;
	if (what && what != why)
		snprintf(why, size, "%s", what);
	return !what;
}
