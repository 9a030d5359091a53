/* SPDX-License-Identifier: MIT */
#include "local/flow-doc.h"

#include <stdio.h>
#include <string.h>

#include <starverse/operation.h>

#include "base/str.h"
#include "kinds/kinds.h"
#include "local/doc.h"

static const struct sv_kind *const kind = &sv_operation_kind;

/* Where it stands, for the next daemon: step, failed, cancelled, cleanup. */
static int write_place(struct flow *f)
{
	char text[64];

	snprintf(text, sizeof(text), "%d %d %d %d", f->step, f->failed, f->cancelled, f->cleanup);
	return store_fact_set(f->p->store, f->id, "place", text);
}

static const char *status_of(const struct flow *f, int i)
{
	if (f->failed < 0)
		return i < f->step ? "succeeded" : i == f->step ? "running" : "pending";
	if (i > f->failed)
		return "pending";
	if (i == f->failed)
		return "failed";
	return i > f->step ? "undone" : "succeeded";
}

static void write_steps(struct flow *f, struct sv_operation *op)
{
	int64_t now = platform_now(f->p);
	int done = 0;

	for (size_t i = 0; i < op->steps.n; i++) {
		struct sv_operation_step *s = op->steps.v[i];
		const char *was = s->status ? s->status : "";
		const char *is = status_of(f, (int)i);

		if (!strcmp(was, "skipped") ||
			(!strcmp(was, "failed") && strcmp(is, "undone") != 0))
			is = was;
		doc_text(op, s, status, is);
		if (strcmp(is, "pending") != 0 && !s->started_at)
			doc_put(s, started_at, now);
		if (strcmp(is, "pending") != 0 && strcmp(is, "running") != 0 &&
			!s->ended_at)
			doc_put(s, ended_at, now);
		done += !strcmp(is, "succeeded") || !strcmp(is, "failed") || !strcmp(is, "skipped");
	}
	if (op->steps.n)
		doc_put(op, progress_percent, done * 100 / (int64_t)op->steps.n);
}

static void write_error(struct flow *f, struct sv_operation *op)
{
	if (!f->err.code || op->error)
		return;
	op->error = doc_part(op, kind, "error");
	if (!op->error)
		return;
	doc_put(op, error, op->error);
	doc_text(op, op->error, code, f->cancelled && f->err.code == SV_CANCELED ? "cancelled" :
		f->err.wire[0] ? f->err.wire : "internal");
	doc_text(op, op->error, message, f->err.message);
	doc_text(op, op->error, suggestion, f->err.suggestion[0] ? f->err.suggestion : NULL);
}

int flow_doc_make(struct flow *f, const char *shown)
{
	struct sv_operation *op = sv_new(kind);
	int rc = op ? SV_OK : SV_NOMEM;

	for (int i = 0; !rc && f->type->steps[i].name; i++) {
		struct sv_operation_step *s = doc_part(op, kind, "steps");

		rc = s ? sv_list_add(op, &op->steps, s) : SV_NOMEM;
		if (s)
			doc_text(op, s, name, f->type->steps[i].name);
	}
	if (!rc) {
		sv_mark(op, steps);
		doc_text(op, op, id, f->id);
		doc_text(op, op, type, f->type->type);
		doc_text(op, op, status, "running");
		doc_text(op, op, resource, shown);
		doc_null(op, error);
		write_steps(f, op);
		rc = store_put(f->p->store, kind, f->account, op, f->started_at);
	}
	if (!rc)
		rc = store_fact_set(f->p->store, f->id, "resource", f->resource);
	if (!rc)
		rc = store_fact_set(f->p->store, f->id, "other", f->other);
	if (!rc)
		rc = write_place(f);
	sv_free(op);
	return rc;
}

static void put(struct flow *f, const char *status)
{
	struct sv_operation *op = NULL;
	void *obj = NULL;

	if (doc_get(f->p, kind, f->id, &obj))
		return;
	op = obj;
	write_steps(f, op);
	write_error(f, op);
	if (status) {
		doc_text(op, op, status, status);
		if (!strcmp(status, "succeeded"))
			doc_put(op, progress_percent, 100);
	}
	store_put(f->p->store, kind, f->account, op, platform_now(f->p));
	sv_free(op);
}

void flow_doc_save(struct flow *f)
{
	write_place(f);
	put(f, NULL);
}

void flow_doc_step(struct flow *f, const char *status)
{
	struct sv_operation_step *s;
	struct sv_operation *op = NULL;
	void *obj = NULL;

	if (doc_get(f->p, kind, f->id, &obj))
		return;
	op = obj;
	if (f->step >= 0 && (size_t)f->step < op->steps.n) {
		s = op->steps.v[f->step];
		doc_text(op, s, status, status);
		store_put(f->p->store, kind, f->account, op, platform_now(f->p));
	}
	sv_free(op);
}

/* What people who do not know of operations want to hear. */
static void tell(struct flow *f)
{
	size_t noun = strcspn(f->type->type, ".");
	char type[80], name[200];

	if (!f->type->told)
		return;
	snprintf(type, sizeof(type), "%.*s.%s", (int)noun, f->type->type, f->type->told);
	store_name(f->p->store, f->resource, name, sizeof(name));
	platform_event(f->p, f->account, type, "platform", f->resource, "%s is %s",
		*name ? name : f->resource, f->type->told);
}

void flow_doc_end(struct flow *f, int ok)
{
	const char *status = ok                                           ? "succeeded"
			     : f->cancelled && f->err.code == SV_CANCELED ? "cancelled"
									  : "failed";

	put(f, status);
	if (ok)
		tell(f);
	if (ok)
		platform_event(f->p, f->account, "operation.succeeded", "platform", f->resource,
			"%s succeeded", f->type->type);
	else
		platform_event(f->p, f->account,
			f->cancelled ? "operation.cancelled" : "operation.failed", "platform",
			f->resource,
			strcmp(status, "failed") != 0 ? "%s cancelled: %s" : "%s failed: %s",
			f->type->type, f->err.message);
	store_facts_drop(f->p->store, f->id);
}

static void read_error(struct flow *f, const struct sv_operation *op)
{
	if (!op->error)
		return;
	if (op->error->code && !strcmp(op->error->code, "cancelled"))
		sv_err(&f->err, SV_CANCELED, "%s", op->error->message ? op->error->message : "");
	else
		sv_err_wire(&f->err, op->error->code ? op->error->code : "internal", "%s",
			op->error->message ? op->error->message : "");
}

static void read_place(struct flow *f, char *text)
{
	int *const into[] = { &f->step, &f->failed, &f->cancelled, &f->cleanup };
	char *at = text;

	for (size_t i = 0; i < 4 && at; i++) {
		char *end = strchr(at, ' ');
		int64_t v = 0;

		if (end)
			*end++ = '\0';
		if (!sv_parse_int(at, &v))
			*into[i] = (int)v;
		at = end;
	}
}

int flow_doc_load(struct flow *f)
{
	char text[128];
	void *obj = NULL;
	int rc = doc_get(f->p, kind, f->id, &obj);

	if (rc)
		return rc;
	f->started_at = ((struct sv_operation *)obj)->created_at;
	rc = store_owner(f->p->store, f->id, f->account, sizeof(f->account));
	flow_fact(f, "resource", f->resource, sizeof(f->resource));
	flow_fact(f, "other", f->other, sizeof(f->other));
	read_place(f, flow_fact(f, "place", text, sizeof(text)));
	read_error(f, obj);
	sv_free(obj);
	return rc;
}

struct each {
	struct platform *p;
	int (*fn)(struct platform *p, const char *id, const char *type);
};

static int open_one(void *data, const char *account, void *obj)
{
	const struct sv_operation *op = obj;
	const struct each *e = data;

	(void)account;
	e->fn(e->p, op->id, op->type ? op->type : "");
	return 0;
}

int flow_doc_each(
	struct platform *p, int (*fn)(struct platform *p, const char *id, const char *type))
{
	struct each e = { p, fn };

	return store_each(p->store, kind, NULL, "running", open_one, &e);
}
