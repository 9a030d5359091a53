/* SPDX-License-Identifier: MIT */
/* Webhooks as resources: making, changing, another secret, a test. */
#include "local/webhook.h"

#include <stdio.h>
#include <string.h>

#include "kinds/kinds.h"
#include "local/crud.h"
#include "local/doc.h"
#include "local/due.h"

#define BEFORE_SECONDS 86400 /* so long the secret before signs, too */

/* A secret that is given, or made, or none. Puts it into *ret as it is to be kept. */
static int choose(struct call *c, const struct webhook_format *f, const char *given, int required,
	char *ret, size_t size)
{
	const char *wrong = given ? webhook_secret_wrong(f, given) : NULL;

	*ret = '\0';
	if (wrong)
		return sv_err_field(&c->err, "secret", "value", "%s", wrong);
	if (given)
		snprintf(ret, size, "%s", given);
	else if (f->secret == WEBHOOK_MAKES)
		webhook_secret_make(ret, size);
	else if (required && f->secret == WEBHOOK_NEEDS_NONE)
		return sv_err_field(&c->err, "format", "value",
			"%s robots have no secret: their address is it", f->name);
	else if (required)
		return sv_err_field(&c->err, "secret", "required",
			"is made in the settings of the robot: give it");
	return SV_OK;
}

static struct sv_webhook *draft(struct call *c, const struct sv_webhook_create_body *b)
{
	struct sv_webhook *w = sv_new(&sv_webhook_kind);
	char id[64];

	c->out = w;
	if (!w)
		return NULL;
	store_id(c->p->store, "whk_", id, sizeof(id));
	doc_text(w, w, id, id);
	doc_text(w, w, name, b->name);
	doc_text(w, w, url, b->url);
	doc_text(w, w, format, b->format ? b->format : "generic");
	doc_text(w, w, status, "active");
	sv_mark(w, events);
	sv_mark(w, labels);
	for (size_t i = 0; i < b->events.n; i++)
		sv_strs_add(w, &w->events, b->events.v[i]);
	for (size_t i = 0; i < b->labels.n; i++)
		sv_map_set(w, &w->labels, b->labels.keys[i], b->labels.values[i]);
	return w;
}

/* The answer alone has it. */
static void show_once(struct sv_webhook *w, const char *secret)
{
	if (*secret)
		doc_text(w, w, secret, secret);
}

int local_webhook_create(struct call *c)
{
	const struct sv_webhook_create_body *b = c->in;
	const char *wrong = doc_name_wrong(b->name);
	char secret[256], cursor[32];
	struct sv_webhook *w;
	int rc;

	if (wrong)
		return sv_err_field(&c->err, "name", "value", "%s", wrong);
	rc = choose(c, webhook_format(b->format), b->secret, 0, secret, sizeof(secret));
	if (rc)
		return rc;
	w = draft(c, b);
	if (!w)
		return SV_NOMEM;
	rc = store_put(c->p->store, &sv_webhook_kind, c->account, w, c->now);
	if (!rc && *secret)
		rc = store_fact_set(c->p->store, w->id, "secret", secret);
	if (!rc)
		rc = platform_event(c->p, c->account, "webhook.created", c->account, w->id,
			"%s is created", w->name);
	/* What happens from now on. */
	snprintf(cursor, sizeof(cursor), "%lld", (long long)event_last(c->p));
	if (!rc)
		rc = store_fact_set(c->p->store, w->id, "cursor", cursor);
	show_once(w, secret);
	return rc;
}

/* What failed before is tried at once as it now is. */
static int send_anew(struct call *c, const char *id)
{
	int rc = store_fact_set(c->p->store, id, "attempt", NULL);

	c->p->webhook_wake = 1;
	return rc ? rc : due_clear(c->p->store, id, "deliver");
}

/* One format's secret means nothing to another: it is gone, or made anew where the platform makes
 * them. */
static int reformat(struct call *c, const struct webhook_format *f, char *secret, size_t size)
{
	int rc = choose(c, f, NULL, 0, secret, size);

	if (!rc)
		rc = store_fact_set(c->p->store, c->id, "secret", *secret ? secret : NULL);
	return rc ? rc : store_fact_set(c->p->store, c->id, "before", NULL);
}

int local_webhook_update(struct call *c)
{
	const struct sv_webhook *b = c->in;
	struct sv_webhook *w = c->obj;
	const struct webhook_format *f = webhook_format(b->format ? b->format : w->format);
	char secret[256] = "";
	int rc = SV_OK;

	if (f != webhook_format(w->format))
		rc = reformat(c, f, secret, sizeof(secret));
	if (!rc)
		rc = send_anew(c, w->id);
	if (!rc)
		rc = crud_update(c);
	if (!rc)
		show_once(w, secret);
	return rc;
}

int local_webhook_delete(struct call *c)
{
	int rc = due_clear(c->p->store, c->id, NULL);

	return rc ? rc : crud_delete(c);
}

int local_webhook_rotate(struct call *c)
{
	const struct sv_webhook_rotate_body *b = c->in;
	struct sv_webhook *w = c->obj;
	const struct webhook_format *f = webhook_format(w->format);
	char secret[256], was[256], before[300];
	int rc = choose(c, f, b ? b->secret : NULL, 1, secret, sizeof(secret));

	if (rc)
		return rc;
	doc_fact(c->p, w->id, "secret", was, sizeof(was));
	snprintf(before, sizeof(before), "%lld %s", (long long)(c->now + BEFORE_SECONDS), was);
	rc = store_fact_set(c->p->store, w->id, "before",
		f->secret == WEBHOOK_MAKES && *was ? before : NULL);
	if (!rc)
		rc = store_fact_set(c->p->store, w->id, "secret", secret);
	if (!rc)
		rc = send_anew(c, w->id);
	if (!rc)
		rc = store_put(c->p->store, &sv_webhook_kind, c->account, w, c->now);
	if (!rc)
		rc = platform_event(c->p, c->account, "webhook.rotated", c->account, w->id,
			"%s signs with another secret", w->name);
	show_once(w, secret);
	return rc;
}

int local_webhook_test(struct call *c)
{
	struct sv_webhook *w = c->obj;
	struct flow_want want = {
		.type = &flow_webhook_test, .account = c->account, .resource = c->id
	};
	char op[64] = "";
	int rc = flow_free(c->p, w->id, 0, &c->err);

	if (!rc && !c->p->post)
		rc = sv_err_wire(&c->err, "invalid_state",
			"a platform without a daemon of its own sends nothing");
	if (rc)
		return rc;
	store_id(c->p->store, "op_", op, sizeof(op));
	doc_text(w, w, operation_id, op);
	rc = store_put(c->p->store, &sv_webhook_kind, c->account, w, c->now);
	if (!rc)
		rc = flow_start(c->p, &want, op, sizeof(op));
	return rc ? rc : doc_answer(c, &sv_webhook_kind, c->id, op);
}

static int webhook_of(struct flow *f, struct sv_webhook **ret)
{
	void *obj = NULL;
	int rc = doc_get(f->p, &sv_webhook_kind, f->resource, &obj);

	*ret = obj;
	return rc;
}

static int test_event(struct flow *f, const struct sv_webhook *w, struct event_row *ret)
{
	int rc = platform_event(f->p, f->account, "webhook.test", f->account, w->id,
		"a test of %s", w->name);

	*ret = (struct event_row){ .seq = event_last(f->p), .at = platform_now(f->p) };
	snprintf(ret->type, sizeof(ret->type), "webhook.test");
	snprintf(ret->resource, sizeof(ret->resource), "%s", w->id);
	snprintf(ret->message, sizeof(ret->message), "a test of %s", w->name);
	return rc;
}

static int keep_result(struct flow *f, const struct post_result *r, int taken, const char *why)
{
	struct event_row event = { .type = "webhook.test" };
	struct sv_webhook *w = NULL;
	char seq[32];
	int rc = webhook_of(f, &w);

	event.seq = event_seq(flow_fact(f, "event", seq, sizeof(seq)));
	if (!rc)
		rc = webhook_note(f->p, f->account, w, &event, 1, r,
			taken ? "delivered" : "failed", why);
	sv_free(w);
	return rc;
}

static void tested(void *data, const struct post_result *r)
{
	struct flow *f = data;
	struct engine_result answer = { .bytes = -1 };
	struct sv_webhook *w = NULL;
	char why[200] = "";
	int taken = !webhook_of(f, &w) &&
		    webhook_taken(webhook_format(w->format), r, why, sizeof(why));

	sv_free(w);
	keep_result(f, r, taken, why);
	if (!taken) {
		answer.code = SV_FAILED;
		snprintf(answer.wire, sizeof(answer.wire), "unavailable");
		snprintf(answer.message, sizeof(answer.message), "it was not taken: %s", why);
	}
	flow_engine_done(f, &answer);
}

static int step_deliver(struct flow *f)
{
	struct event_row event;
	struct sv_webhook *w = NULL;
	char id[64];
	int rc = webhook_of(f, &w);

	if (!rc)
		rc = test_event(f, w, &event);
	if (!rc) {
		event_id(event.seq, id, sizeof(id));
		rc = store_fact_set(f->p->store, f->id, "event", id);
	}
	if (!rc)
		rc = webhook_send(f->p, w, &event, tested, f);
	sv_free(w);
	return rc ? sv_err(&f->err, rc, "the test could not be sent: %s", sv_strerror(rc))
		  : FLOW_WAIT;
}

static int over(struct flow *f)
{
	struct sv_webhook *w = NULL;
	int rc = webhook_of(f, &w);

	if (!rc) {
		doc_null(w, operation_id);
		rc = store_put(f->p->store, &sv_webhook_kind, f->account, w, platform_now(f->p));
	}
	sv_free(w);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}

static const struct flow_step test_steps[] = {
	{ .name = "deliver", .run = step_deliver },
	{ 0 },
};
const struct flow_type flow_webhook_test = { .type = "webhook.test",
	.steps = test_steps,
	.finished = over,
	.failed = over,
	.no_cancel = 1 };
