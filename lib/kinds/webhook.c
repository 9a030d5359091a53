/* SPDX-License-Identifier: MIT */
/* Webhooks: tables, and what an address and an event's type look like. */
#include <starverse/webhook.h>

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"

static const struct sv_word states[] = {
	{ "active", "what was sent last was taken", 1, SV_GOOD },
	{ "failing", "what was sent last was not taken, and is sent again", 1, SV_BAD },
	{ 0 },
};

static const struct sv_word formats[] = {
	{ "generic", "the event as JSON, signed as Standard Webhooks are", 0 },
	{ "feishu", "a message of a Feishu robot", 0 },
	{ "dingtalk", "a message of a DingTalk robot", 0 },
	{ "wecom", "a message of a WeCom robot", 0 },
	{ 0 },
};

static const struct sv_word results[] = {
	{ "delivered", "it was taken", 0 },
	{ "retrying", "it was not taken, and is sent again", 0 },
	{ "failed", "it was not taken, and is given up", 0 },
	{ 0 },
};

static const struct sv_field delivery_fields[] = {
	SV_FIELD(struct sv_webhook_delivery, event, STR, "event that was sent", SV_ALWAYS),
	SV_FIELD(struct sv_webhook_delivery, type, STR, "its type", SV_ALWAYS),
	SV_FIELD(struct sv_webhook_delivery, status, STR, "what came of it", SV_ALWAYS,
		.words = results),
	SV_FIELD(struct sv_webhook_delivery, attempt, INT, "which try it was", SV_ALWAYS),
	SV_FIELD(struct sv_webhook_delivery, http_status, INT, "what was answered", SV_ALWAYS),
	SV_FIELD(struct sv_webhook_delivery, message, STR, "what was wrong", SV_ALWAYS | SV_PROSE),
	SV_FIELD(struct sv_webhook_delivery, at, TIME, "when", SV_ALWAYS),
};
SV_KIND(sv_webhook_delivery_kind, struct sv_webhook_delivery, "webhook_delivery",
	"the last try to deliver something", delivery_fields, .plural = NULL);

#define URL_MAX 2048

static const char *url_wrong(const char *url)
{
	const char *host = strstr(url, "://");

	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return "must begin with http:// or https://";
	if (!host[3] || strchr("/?#", host[3]))
		return "names no host";
	if (strlen(url) > URL_MAX)
		return "is longer than 2048 characters";
	for (const char *s = url; *s; s++)
		if (*s <= ' ' || *s >= 0x7f)
			return "has characters that a URL cannot have";
	return NULL;
}

/* NOUN.WORD, NOUN.* or *: a noun that is misspelled would never be heard of. */
static const char *event_wrong(const char *type)
{
	size_t len = strcspn(type, ".");
	const char *word = type + len + 1;
	const struct sv_kind *k;

	if (!strcmp(type, "*"))
		return NULL;
	for (size_t i = 0; (k = sv_kinds(i)); i++)
		if (strlen(k->name) == len && !strncmp(k->name, type, len))
			break;
	if (k == &sv_webhook_kind)
		return "is not told of: webhooks do not tell of webhooks";
	if (!k)
		return "names no kind of thing: instance.stopped, disk.*";
	if (!type[len] || !*word)
		return "must be KIND.WORD or KIND.*";
	if (!strcmp(word, "*"))
		return NULL;
	for (; *word; word++)
		if (!sv_is_alnum(*word) && *word != '_')
			return "must be KIND.WORD or KIND.*";
	return NULL;
}

static int fields_check(const char *url, const struct sv_strs *events, struct sv_error *err)
{
	const char *wrong = url ? url_wrong(url) : NULL;

	if (wrong)
		sv_err_field(err, "url", "value", "%s", wrong);
	for (size_t i = 0; i < events->n; i++) {
		wrong = event_wrong(events->v[i]);
		if (wrong)
			sv_err_field(err, "events", "value", "\"%.60s\" %s", events->v[i], wrong);
	}
	return err->code;
}

static int webhook_check(const void *obj, struct sv_error *err)
{
	const struct sv_webhook *w = obj;

	return fields_check(w->url, &w->events, err);
}

static int create_check(const void *obj, struct sv_error *err)
{
	const struct sv_webhook_create_body *b = obj;

	return fields_check(b->url, &b->events, err);
}

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_webhook, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "whk_4r7t2m"),
	SV_FIELD(struct sv_webhook, name, STR, "name, need not be unique",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "chat"),
	SV_FIELD(struct sv_webhook, url, STR, "where it is sent to",
		SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL,
		.example = "https://example.com/hook"),
	SV_FIELD(struct sv_webhook, events, STRS, "types that are sent, all when there is none",
		SV_UPDATE | SV_ALWAYS | SV_COL, .option = "event", .example = "instance.stopped"),
	SV_FIELD(struct sv_webhook, format, STR, "what is sent",
		SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .words = formats),
	SV_FIELD(struct sv_webhook, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(struct sv_webhook, pending, INT, "events that are not delivered yet",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_webhook, last_delivery, OBJ, "the last try", SV_ALWAYS | SV_WIDE,
		.kind = &sv_webhook_delivery_kind),
	SV_FIELD(struct sv_webhook, next_attempt_at, TIME, "when what failed is sent again",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_webhook, operation_id, STR, "test under way", SV_ALWAYS,
		.ref = "operation"),
	SV_FIELD(struct sv_webhook, secret, STR,
		"what signs, answered once: by create, rotate, and a change to generic", SV_SECRET),
	SV_COMMON_ROWS(struct sv_webhook),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_webhook_filter),
	SV_SORT_ROW(struct sv_webhook_filter),
	SV_FIELD(struct sv_webhook_filter, status, STRS, "only in these states", 0,
		.words = states),
	SV_FIELD(struct sv_webhook_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_webhook_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
};
SV_KIND(sv_webhook_filter_kind, struct sv_webhook_filter, "webhook_filter",
	"which webhooks to list", filter_fields, .plural = NULL);

static const struct sv_field create_fields[] = {
	SV_FIELD(struct sv_webhook_create_body, name, STR, "name, need not be unique",
		SV_CREATE | SV_REQUIRED | SV_POSITIONAL, .example = "chat"),
	SV_FIELD(struct sv_webhook_create_body, url, STR, "where to send",
		SV_CREATE | SV_REQUIRED, .example = "https://example.com/hook"),
	SV_FIELD(struct sv_webhook_create_body, events, STRS,
		"types to send (instance.stopped, instance.*), all when none is given", SV_CREATE,
		.option = "event", .example = "instance.stopped"),
	SV_FIELD(struct sv_webhook_create_body, format, STR, "what to send", SV_CREATE,
		.words = formats),
	SV_FIELD(struct sv_webhook_create_body, secret, STR,
		"the robot's secret; made by the platform for generic", SV_CREATE | SV_SECRET),
	SV_FIELD(struct sv_webhook_create_body, labels, MAP, "free-form label", SV_CREATE,
		.option = "label"),
};
SV_KIND(sv_webhook_create_body_kind, struct sv_webhook_create_body, "webhook_create",
	"a webhook to create", create_fields, .check = create_check);

static const struct sv_field rotate_fields[] = {
	SV_FIELD(struct sv_webhook_rotate_body, secret, STR,
		"the robot's new secret; made by the platform for generic",
		SV_CREATE | SV_SECRET),
};
SV_KIND(sv_webhook_rotate_body_kind, struct sv_webhook_rotate_body, "webhook_rotate",
	"another secret", rotate_fields, .plural = NULL);

#define ONE "/v1/webhooks/{id}"

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/webhooks", "list webhooks", .query = &sv_webhook_filter_kind,
		.out = &sv_webhook_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/webhooks", "send events to an address from now on",
		.in = &sv_webhook_create_body_kind, .out = &sv_webhook_kind, .flags = SV_KEYED },
	SV_GET_VERB(ONE, "show one webhook", &sv_webhook_kind),
	{ "update", SV_PATCH, ONE, "change where, what and how it sends", .in = &sv_webhook_kind,
		.out = &sv_webhook_kind, .flags = SV_MASKED },
	{ "delete", SV_DELETE, ONE, "send nothing any more", .out = &sv_webhook_kind,
		.flags = SV_CONFIRM },
	{ "test", SV_POST, ONE "/test", "send a test and say what came of it",
		.out = &sv_webhook_kind, .flags = SV_KEYED | SV_ASYNC },
	{ "rotate", SV_POST, ONE "/rotate", "sign with another secret",
		.in = &sv_webhook_rotate_body_kind, .out = &sv_webhook_kind, .flags = SV_KEYED },
	{ 0 },
};

SV_KIND(sv_webhook_kind, struct sv_webhook, "webhook", "sends events to an address", fields,
	.plural = "webhooks", .prefix = "whk_", .check = webhook_check, .verbs = verbs);
