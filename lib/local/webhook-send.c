/* SPDX-License-Identifier: MIT */
/* When webhooks send. Each goes through the log of events in its order, one at a time, and keeps
 * how far it is; what was not taken is sent again, later and later, and given up after a day. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/doc.h"
#include "local/due.h"
#include "local/webhook.h"

#define PARALLEL_MOST 16   /* of all webhooks together */
#define FIRST_SECONDS 5    /* until the second try; three times as long each time */
#define LATER_SECONDS 3600 /* but not longer */
#define TRIES_MOST    30   /* about a day */

struct posting {
	struct posting *next;
	struct platform *p;
	char webhook[64], account[64];
	struct event_row event;
	int64_t attempt;
};

static int matches(const char *pattern, const char *type)
{
	size_t len = strlen(pattern);

	if (!strcmp(pattern, "*"))
		return 1;
	if (len > 1 && !strcmp(pattern + len - 2, ".*"))
		return !strncmp(pattern, type, len - 1);
	return !strcmp(pattern, type);
}

/* What happens to webhooks is not told by webhooks: it would never end. */
int webhook_wants(const struct sv_webhook *w, const char *type)
{
	if (!strncmp(type, "webhook.", 8))
		return 0;
	for (size_t i = 0; i < w->events.n; i++)
		if (matches(w->events.v[i], type))
			return 1;
	return !w->events.n;
}

static int wants(const void *data, const char *type)
{
	return webhook_wants(data, type);
}

static int64_t number_fact(struct platform *p, const char *id, const char *name)
{
	char text[32];
	int64_t v;

	return sv_parse_int(doc_fact(p, id, name, text, sizeof(text)), &v) ? 0 : v;
}

static int set_number(struct platform *p, const char *id, const char *name, int64_t v)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)v);
	return store_fact_set(p->store, id, name, v ? text : NULL);
}

/* The secret before, where it still signs. */
static const char *before_of(const char *fact, int64_t now)
{
	const char *space = strchr(fact, ' ');
	char text[32];
	int64_t until;

	if (!space || (size_t)(space - fact) >= sizeof(text))
		return "";
	snprintf(text, sizeof(text), "%.*s", (int)(space - fact), fact);
	return !sv_parse_int(text, &until) && now < until ? space + 1 : "";
}

int webhook_send(struct platform *p, const struct sv_webhook *w, const struct event_row *event,
	post_done *done, void *data)
{
	char secret[256], before[300], account[64];
	struct webhook_message m = { .webhook = w, .event = event, .now = platform_now(p) };
	struct sv_buf json;
	int rc = p->post ? store_owner(p->store, w->id, account, sizeof(account)) : SV_UNSUPPORTED;

	if (rc)
		return rc;
	m.secret = doc_fact(p, w->id, "secret", secret, sizeof(secret));
	m.before = before_of(doc_fact(p, w->id, "before", before, sizeof(before)), m.now);
	sv_buf_init(&json, 16 << 10);
	rc = event_json(p, account, event->seq, &json);
	m.json = sv_buf_text(&json);
	if (!rc)
		rc = webhook_render(&m);
	if (!rc)
		rc = p->post(p->post_data, &m.post, done, data);
	webhook_message_free(&m);
	sv_buf_free(&json);
	return rc;
}

int webhook_note(struct platform *p, const char *account, struct sv_webhook *w,
	const struct event_row *event, int64_t attempt, const struct post_result *r,
	const char *status, const char *why)
{
	struct sv_webhook_delivery *d = doc_part(w, &sv_webhook_kind, "last_delivery");
	char id[64];

	if (!d)
		return SV_NOMEM;
	event_id(event->seq, id, sizeof(id));
	doc_put(w, last_delivery, d);
	doc_text(w, d, event, id);
	doc_text(w, d, type, event->type);
	doc_text(w, d, status, status);
	doc_put(d, attempt, attempt);
	if (r->status)
		doc_put(d, http_status, r->status);
	else
		doc_null(d, http_status);
	doc_text(w, d, message, *why ? why : NULL);
	doc_put(d, at, platform_now(p));
	doc_text(w, w, status, !strcmp(status, "delivered") ? "active" : "failing");
	return store_put(p->store, &sv_webhook_kind, account, w, platform_now(p));
}

static int64_t pause_after(int64_t attempt)
{
	int64_t s = FIRST_SECONDS;

	for (int64_t i = 1; i < attempt && s < LATER_SECONDS; i++)
		s *= 3;
	return s < LATER_SECONDS ? s : LATER_SECONDS;
}

static int go_past(struct posting *g)
{
	int rc = set_number(g->p, g->webhook, "cursor", g->event.seq);

	return rc ? rc : set_number(g->p, g->webhook, "attempt", 0);
}

static int try_again(struct posting *g)
{
	int rc = set_number(g->p, g->webhook, "attempt", g->attempt);

	return rc ? rc
		  : due_set(g->p->store, g->webhook, "deliver",
			    platform_now(g->p) + pause_after(g->attempt));
}

static int give_up(struct posting *g, const struct sv_webhook *w)
{
	int rc = go_past(g);

	return rc ? rc
		  : platform_event(g->p, g->account, "webhook.gave_up", "platform", g->webhook,
			    "%s: %s could not be delivered in %d tries", w->name, g->event.type,
			    TRIES_MOST);
}

static void settle(struct posting *g, struct sv_webhook *w, const struct post_result *r)
{
	char why[200];
	int taken = webhook_taken(webhook_format(w->format), r, why, sizeof(why));
	int last = !taken && g->attempt >= TRIES_MOST, rc;

	rc = taken ? go_past(g) : last ? give_up(g, w) : try_again(g);
	if (!rc)
		rc = webhook_note(g->p, g->account, w, &g->event, g->attempt, r,
			taken  ? "delivered"
			: last ? "failed"
			       : "retrying",
			why);
	if (rc)
		platform_log(g->p, "what came of %s cannot be kept: %s", g->webhook,
			sv_strerror(rc));
}

static void take_out(struct posting *g)
{
	struct posting **at = &g->p->postings;

	while (*at && *at != g)
		at = &(*at)->next;
	if (*at)
		*at = g->next;
}

/* One that is gone by now has nothing to be told of. */
static void posted(void *data, const struct post_result *r)
{
	struct posting *g = data;
	void *obj = NULL;

	take_out(g);
	if (!doc_get(g->p, &sv_webhook_kind, g->webhook, &obj))
		settle(g, obj, r);
	g->p->webhook_wake = 1;
	sv_free(obj);
	sv_mfree(g);
}

static int sends(struct platform *p, const char *id)
{
	int n = 0;

	for (const struct posting *g = p->postings; g; g = g->next, n++)
		if (!strcmp(g->webhook, id))
			return 1;
	return n >= PARALLEL_MOST;
}

static void begin(struct platform *p, const char *account, const struct sv_webhook *w,
	const struct event_row *event)
{
	struct posting *g = sv_malloc(sizeof(*g));
	int rc;

	if (!g)
		return;
	*g = (struct posting){ .next = p->postings, .p = p, .event = *event };
	snprintf(g->webhook, sizeof(g->webhook), "%s", w->id);
	snprintf(g->account, sizeof(g->account), "%s", account);
	g->attempt = number_fact(p, w->id, "attempt") + 1;
	p->postings = g;
	rc = webhook_send(p, w, event, posted, g);
	if (rc)
		posted(g, &(struct post_result){ .message = "it could not be sent" });
}

static int consider(void *data, const char *account, void *obj)
{
	struct platform *p = data;
	const struct sv_webhook *w = obj;
	int64_t cursor, scanned;
	struct event_row event;
	int rc;

	if (sends(p, w->id) || due_at(p->store, w->id, "deliver") >= 0)
		return 0;
	cursor = number_fact(p, w->id, "cursor");
	rc = event_next(p, account, cursor, wants, w, &scanned, &event);
	if (rc == 1)
		begin(p, account, w, &event);
	else if (!rc && scanned > cursor) {
		set_number(p, w->id, "cursor", scanned);
		p->webhook_wake = 1; /* there may be more than one look shows */
	}
	return 0;
}

void webhook_turn(struct platform *p)
{
	if (!p->post || !p->webhook_wake || p->leaving)
		return;
	p->webhook_wake = 0;
	store_each(p->store, &sv_webhook_kind, NULL, NULL, consider, p);
}

int webhook_due(struct platform *p, const char *id, int64_t at)
{
	(void)id, (void)at;
	p->webhook_wake = 1;
	return SV_OK;
}

void webhook_close(struct platform *p)
{
	while (p->postings) {
		struct posting *g = p->postings;

		p->postings = g->next;
		sv_mfree(g);
	}
}

void local_webhook_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_webhook *w = obj;
	int64_t next = due_at(p->store, w->id, "deliver");

	(void)now;
	doc_put(w, pending,
		event_count(p, account, number_fact(p, w->id, "cursor"), 1000, wants, w));
	if (next >= 0)
		doc_put(w, next_attempt_at, next);
	else
		doc_null(w, next_attempt_at);
}
