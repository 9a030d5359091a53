/* SPDX-License-Identifier: MIT */
/* Waiting by long poll: no interval, the answer comes one round trip after the change. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/limits.h"
#include "model/kind.h"
#include "net/engine.h"

#define POLL_SECONDS 30
/* A transport's timer may be early by some milliseconds. */
#define EARLY_MS 50
#define PATIENT      1000000 /* attempts: a wait outlives a service that is restarted */

typedef void progress_fn(void *data, const struct sv_kind *kind, const void *obj);

struct waiter {
	sv_client *c;
	int64_t deadline;
	progress_fn *progress;
	void *data;
};

static const void *member(const struct sv_kind *kind, const void *obj, const char *name, int type)
{
	const struct sv_field *f = sv_field_find(kind, name);

	return f && f->type == type ? sv_member(f, obj) : NULL;
}

static const char *text(const struct sv_kind *kind, const void *obj, const char *name)
{
	const char *const *s = member(kind, obj, name, SV_STR);

	return s ? *s : NULL;
}

static int64_t version(const struct sv_kind *kind, const void *obj)
{
	const int64_t *v = member(kind, obj, "version", SV_INT);

	return v ? *v : 0;
}

static int out_of_time(struct waiter *w, const char *id)
{
	sv_err(&w->c->error, SV_TIMEDOUT, "%s: the time for waiting ran out; the work goes on", id);
	return SV_TIMEDOUT;
}

/* Reads kind/id; after >= 0: as soon as its version is greater. */
static int look(
	struct waiter *w, const struct sv_kind *kind, const char *id, int64_t after, void **ret)
{
	const char *const args[] = { id, NULL };
	struct sv_call call = { .spec = { .verb = sv_verb_find(kind, "get"), .args = args },
		.most = PATIENT };
	int64_t left = w->deadline == INT64_MAX ? INT64_MAX : w->deadline - w->c->clock(), seconds;
	char extra[80];
	int r;

	if (!call.spec.verb)
		return sv_err(&w->c->error, SV_UNSUPPORTED, "%s cannot be waited for", kind->name);
	if (after >= 0) {
		if (left <= 0)
			return out_of_time(w, id);
		seconds = left / 1000 < POLL_SECONDS ? left / 1000 : POLL_SECONDS;
		seconds = seconds ? seconds : 1;
		snprintf(extra, sizeof(extra), "after_version=%lld&timeout_seconds=%lld",
			(long long)after, (long long)seconds);
		call.spec.extra = extra;
		call.timeout_ms = (seconds + w->c->config->request_timeout) * 1000;
		if (call.timeout_ms > left)
			call.timeout_ms = left;
	}
	r = sv_op_run(w->c, &call, ret);
	if (r == SV_NET && after >= 0 && w->c->clock() + EARLY_MS >= w->deadline)
		return out_of_time(w, id);
	if (!r && !*ret)
		return sv_err(&w->c->error, SV_PROTO, "%s: no answer to wait on", id);
	return r;
}

/* Follows kind/id until its state word is settled; *ret is the newest form (NULL when there was
 * none). */
static int follow(struct waiter *w, const struct sv_kind *kind, const char *id, void **ret)
{
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	void *seen = NULL, *next;
	const char *word = NULL;
	int64_t at = -1;
	int r;

	for (;;) {
		next = NULL;
		r = look(w, kind, id, at, &next);
		if (r)
			break;
		if (w->progress && (!seen || version(kind, next) > at))
			w->progress(w->data, kind, next);
		sv_free(seen);
		seen = next;
		at = version(kind, seen);
		word = state ? *(const char *const *)sv_member(state, seen) : NULL;
		if (!word || sv_settled(state, word) == 1)
			break;
	}
	*ret = seen;
	return r;
}

/* One more look at the object, which takes the place of *obj; not finding it is no failure. */
static int refresh(struct waiter *w, const struct sv_kind *kind, const char *id, void **obj)
{
	void *next = NULL;
	int r = look(w, kind, id, -1, &next);

	if (r == SV_NOTFOUND) {
		sv_err_clear(&w->c->error);
		return SV_OK;
	}
	if (r)
		return r;
	sv_free(*obj);
	*obj = next;
	return SV_OK;
}

/* The operation's own error becomes the wait's. */
static int failed(struct waiter *w, const struct sv_kind *kind, const void *op)
{
	const struct sv_field *f = sv_field_find(kind, "error");
	const void *e = f && f->type == SV_OBJ ? *(void *const *)sv_member(f, op) : NULL;
	const char *what = e ? text(f->kind, e, "message") : NULL,
		   *code = e ? text(f->kind, e, "code") : NULL;
	const char *hint = e ? text(f->kind, e, "suggestion") : NULL, *id = text(kind, op, "id");
	struct sv_error *err = &w->c->error;

	sv_err(err, SV_FAILED, "%s: %s", id ? id : "operation",
		what ? what : text(kind, op, "status"));
	snprintf(err->wire, sizeof(err->wire), "%s", code ? code : "");
	if (hint)
		sv_err_hint(err, "%s", hint);
	return SV_FAILED;
}

static int by_operation(struct waiter *w, const struct sv_kind *kind, const char *op_id, void **obj)
{
	const struct sv_kind *ops = sv_kind_find("operation");
	const char *status, *made, *own = text(kind, *obj, "id");
	struct sv_error why;
	void *op = NULL;
	int r = follow(w, ops, op_id, &op);

	if (r)
		goto out;
	status = text(ops, op, "status");
	made = text(ops, op, "resource");
	if (made && sv_kind_of_id(made) == kind)
		own = made;
	if (status && !strcmp(status, "succeeded")) {
		r = own ? refresh(w, kind, own, obj) : SV_OK;
		goto out;
	}
	r = failed(w, ops, op);
	why = w->c->error;
	if (own)
		refresh(w, kind, own, obj);
	w->c->error = why;
out:
	sv_free(op);
	return r;
}

/* What status_reason says to people, or NULL. */
static const char *reason(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = sv_field_find(kind, "status_reason");
	const void *part = f && f->type == SV_OBJ ? *(void *const *)sv_member(f, obj) : NULL;

	return part ? text(f->kind, part, "message") : NULL;
}

static int by_state(struct waiter *w, const struct sv_kind *kind, void **obj)
{
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	const char *id = text(kind, *obj, "id"), *word, *why;
	void *seen = NULL;
	int r;

	if (!state || !id)
		return SV_OK;
	r = follow(w, kind, id, &seen);
	if (seen) {
		sv_free(*obj);
		*obj = seen;
	}
	word = *(const char *const *)sv_member(state, *obj);
	why = text(kind, *obj, "message") ? text(kind, *obj, "message") : reason(kind, *obj);
	if (!r && word && (!strcmp(word, "error") || !strcmp(word, "failed")))
		r = sv_err(&w->c->error, SV_FAILED, "%s: %s", text(kind, *obj, "id"),
			why ? why : word);
	return r;
}

int sv_wait(sv_client *c, const struct sv_kind *kind, void **obj, int64_t timeout_ms,
	progress_fn *progress, void *data)
{
	struct waiter w = { c, timeout_ms < 0 ? INT64_MAX : c->clock() + timeout_ms, progress,
		data };
	const char *op;
	char id[128];

	if (!obj || !*obj)
		return sv_err(&c->error, SV_INVALID, "nothing to wait for");
	sv_err_clear(&c->error);
	op = text(kind, *obj, "operation_id");
	if (!op)
		return by_state(&w, kind, obj);
	snprintf(id, sizeof(id), "%s", op);
	return by_operation(&w, kind, id, obj);
}
