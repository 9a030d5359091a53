/* SPDX-License-Identifier: MIT */
/* From a matched route to an answer. Everything a call changes stands between a savepoint and its
 * release. */
#include "local/call.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "local/crud.h"
#include "local/field.h"
#include "local/idempotency.h"
#include "local/stream.h"
#include "model/json.h"
#include "model/kind.h"

static behave_fn *behaviour_of(const struct call *c)
{
	for (const struct behave *b = behaviours; b->kind; b++)
		if (!strcmp(b->kind, c->kind->name) && !strcmp(b->verb, c->verb->name))
			return b->fn;
	return crud_of(c->verb);
}

static int blank(const char *s, size_t len)
{
	while (len && sv_is_space(*s)) {
		s++;
		len--;
	}
	return !len;
}

static int decode_body(struct call *c)
{
	const struct request *rq = c->request;
	const struct sv_kind *in = c->verb->in;
	int empty = blank(rq->body ? rq->body : "", rq->body_len), rc;

	if (!in)
		return empty || (rq->body_len == 2 && !memcmp(rq->body, "{}", 2))
			       ? SV_OK
			       : sv_err(&c->err, SV_INVALID, "this request takes no body");
	rc = sv_from_body(in, empty ? "{}" : rq->body, empty ? 2 : rq->body_len, &c->in, &c->err);
	if (rc)
		return rc == SV_PROTO ? sv_err(&c->err, SV_INVALID, "the body is not valid JSON")
				      : rc;
	return sv_check(
		in, c->in, c->verb->method == SV_PATCH ? SV_WALK_UPDATE : SV_WALK_CREATE, &c->err);
}

static int decode_query(struct call *c)
{
	const char *query = c->request->query ? c->request->query : "";

	if (c->verb->query)
		return sv_from_query(c->verb->query, query, &c->in, &c->err);
	return *query ? sv_err(&c->err, SV_INVALID, "this request takes no parameters") : SV_OK;
}

static int decode(struct call *c)
{
	if (c->verb->method == SV_GET || c->verb->method == SV_DELETE)
		return decode_query(c);
	if (c->request->query && *c->request->query)
		return sv_err(&c->err, SV_INVALID, "this request takes no parameters");
	return decode_body(c);
}

/* The resource that the path names; for the account's own verbs the account that asks. */
static int load(struct call *c)
{
	const char *id = c->id                                              ? c->id
			 : !strcmp(c->kind->name, "account") && *c->account ? c->account
									    : NULL;
	int rc = id ? store_get(c->p->store, c->kind, c->account, id, &c->obj) : SV_OK;

	if (rc == SV_NOTFOUND && (c->id || c->verb->method == SV_GET)) {
		sv_err(&c->err, SV_NOTFOUND, "%s \"%.64s\" not found", c->kind->name, id);
		sv_err_hint(&c->err, "svctl %s list", c->kind->name);
		return SV_NOTFOUND;
	}
	if (rc == SV_NOTFOUND)
		return SV_OK;
	return rc ? sv_err_wire(&c->err, "unavailable", "the store cannot be read: %s",
			    store_error(c->p->store))
		  : SV_OK;
}

static int write_page(struct call *c, struct reply *rp)
{
	const struct sv_page *page = c->out;
	int rc = SV_OK;

	sv_buf_str(&rp->body, "{\"items\":[");
	for (size_t i = 0; rc == SV_OK && i < page->n; i++) {
		if (i)
			sv_buf_chr(&rp->body, ',');
		crud_present(c->p, c->verb->out, c->account, page->v[i], c->now);
		rc = sv_write_json(&rp->body, c->verb->out, page->v[i], SV_WALK_WIRE, 0);
	}
	sv_buf_str(&rp->body, "],\"next_cursor\":");
	if (page->next)
		sv_buf_json(&rp->body, page->next, strlen(page->next));
	else
		sv_buf_str(&rp->body, "null");
	sv_buf_chr(&rp->body, '}');
	return rc;
}

static int write_answer(struct call *c, struct reply *rp)
{
	const struct sv_kind *kind = c->verb->out ? c->verb->out : c->kind;
	void *obj = c->out ? c->out : c->obj;
	int rc = SV_OK;

	rp->status = c->status;
	rp->replayed |= c->replayed;
	if (c->verb->flags & SV_TEXT)
		rp->content_type = "text/plain; charset=utf-8";
	if (c->text.len || c->verb->flags & SV_TEXT) {
		rc = sv_buf_add(&rp->body, sv_buf_text(&c->text), c->text.len);
	} else if (c->verb->out && (c->verb->flags & SV_MANY) && c->out) {
		rc = write_page(c, rp);
	} else if (c->verb->out && obj) {
		crud_present(c->p, kind, c->account, obj, c->now);
		rc = sv_write_json(&rp->body, kind, obj, SV_WALK_WIRE, 0);
	} else if (!c->verb->out && c->status == 200) {
		rp->status = 204;
	}
	return rc || rp->body.failed || c->text.failed ? SV_NOMEM : SV_OK;
}

static int status_of(const struct sv_verb *v)
{
	if (v->flags & SV_ASYNC)
		return 202;
	if (!strcmp(v->name, "create") || (v->flags & SV_NOKEY && v->method == SV_POST))
		return 201;
	return 200;
}

static int act(struct call *c, struct reply *rp)
{
	behave_fn *fn = behaviour_of(c);
	int rc = fn ? fn(c)
		    : sv_err(&c->err, SV_UNSUPPORTED, "%s %s is not supported here", c->kind->name,
			      c->verb->name);

	if (rc == CALL_WAIT) {
		rp->kind = REPLY_WAIT;
		snprintf(rp->wait_id, sizeof(rp->wait_id), "%s", c->wait_id);
		rp->wait_until_ms = c->wait_until_ms;
		return SV_OK;
	}
	if (rc == SV_OK && c->stream) {
		rp->kind = REPLY_STREAM;
		rp->status = 200;
		rp->stream = c->stream;
		rp->content_type = c->verb->flags & SV_TEXT ? "text/plain; charset=utf-8"
							    : "text/event-stream";
		c->stream = NULL;
		return SV_OK;
	}
	return rc ? rc : write_answer(c, rp);
}

static int keyed(const struct call *c)
{
	return c->verb->method == SV_POST && c->request->idempotency_key;
}

/* What is shown once is not kept to be shown again: a replayed answer says null. 1 when there was
 * something. */
static int hide_secrets(struct call *c)
{
	const struct sv_kind *kind = c->verb->out;
	int found = 0;

	for (uint32_t i = 0; c->out && !(c->verb->flags & SV_MANY) && kind && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!(f->flags & SV_SECRET) || !sv_field_has(f, c->out))
			continue;
		field_set_text(kind, c->out, f->name, NULL);
		found = 1;
	}
	return found;
}

static int save(struct call *c, const struct reply *rp)
{
	const struct sv_kind *kind = c->verb->out ? c->verb->out : c->kind;
	const void *obj = c->out && !(c->verb->flags & SV_MANY) ? c->out : NULL;
	const char *id = obj ? field_text(kind, obj, "id") : c->id;
	const char *operation = obj ? field_text(kind, obj, "operation_id") : NULL;
	struct reply kept = *rp;
	struct sv_buf body;
	int rc = SV_OK;

	if (!obj && c->obj)
		operation = field_text(c->kind, c->obj, "operation_id");
	sv_buf_init(&body, SV_MAX_REPLY);
	if (hide_secrets(c)) {
		rc = sv_write_json(&body, kind, c->out, SV_WALK_WIRE, 0);
		kept.body = body;
	}
	if (rc == SV_OK)
		rc = idempotency_save(c->p, c->account, c->request, &kept, id, operation,
			rp->kind == REPLY_WAIT);
	sv_buf_free(&body);
	return rc;
}

/* A change, between its savepoint and its release. */
static int change(struct call *c, struct reply *rp)
{
	int rc = store_begin(c->p->store), left;

	if (rc == SV_OK && keyed(c))
		rc = idempotency_begin(c->p, c->account, c->request, rp, &c->err);
	if (rc == IDEMPOTENCY_REPLAY || rc)
		return rc < 0 ? rc : SV_OK;
	rc = load(c);
	if (rc == SV_OK)
		rc = store_mark(c->p->store);
	if (rc)
		return rc;
	rc = act(c, rp);
	if (rc == SV_OK && keyed(c) && !(c->verb->flags & SV_NOKEY))
		rc = save(c, rp);
	left = store_release(c->p->store, rc == SV_OK);
	/* Rolled back with the rest, unless an earlier turn has saved that it was under way. */
	if (rc && keyed(c) && c->request->wait_until_ms)
		idempotency_drop(c->p, c->account, c->request);
	return rc ? rc : left;
}

static void complete_error(struct call *c, int rc)
{
	if (c->err.code < 0)
		return;
	if (rc == SV_SERVER || rc == SV_IO)
		sv_err_wire(&c->err, "unavailable", "the platform cannot do this now: %s",
			store_error(c->p->store));
	else
		sv_err(&c->err, rc, "%s", sv_strerror(rc));
}

int call_run(struct platform *p, const struct route_match *m, const struct request *rq,
	const char *account, struct reply *rp, struct sv_error *err)
{
	struct call c = { .p = p,
		.kind = m->kind,
		.verb = m->verb,
		.request = rq,
		.account = account,
		.id = m->id };
	int rc;

	c.now = platform_now(p);
	c.status = status_of(c.verb);
	sv_buf_init(&c.text, SV_MAX_REPLY);
	sv_err_clear(&c.err);
	rc = decode(&c);
	if (rc == SV_OK && c.verb->method == SV_GET) {
		rc = load(&c);
		if (rc == SV_OK)
			rc = act(&c, rp);
	} else if (rc == SV_OK) {
		rc = change(&c, rp);
	}
	if (rc) {
		sv_buf_reset(&rp->body);
		complete_error(&c, rc);
		*err = c.err;
	}
	sv_free(c.in);
	sv_free(c.out);
	sv_free(c.obj);
	stream_free(c.stream);
	sv_buf_free(&c.text);
	return rc;
}
