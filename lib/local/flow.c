/* SPDX-License-Identifier: MIT */
/* The machine that takes a flow from step to step. What the steps do stands in the nouns' files;
 * what is shown of it, in flow-doc.c. */
#include "local/flow.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "local/doc.h"
#include "local/flow-doc.h"

static int instant(const struct flow *f)
{
	return (f->p->caps & ENGINE_INSTANT) != 0;
}

static int last_step(const struct flow_type *type)
{
	int n = 0;

	while (type->steps[n].name)
		n++;
	return n - 1;
}

/* 1 when the flow has passed the step from which there is no way back. */
static int committed(const struct flow *f)
{
	for (int i = 0; i < f->step && f->type->steps[i].name; i++)
		if (f->type->steps[i].flags & FLOW_COMMIT)
			return 1;
	return 0;
}

/* What has been settled must be durable before the engine is asked for more: two turns from now,
 * since this one may be before or after its own commit. */
static void rest(struct flow *f)
{
	f->answered = 0;
	f->round = 0;
	f->resting = instant(f) ? 0 : 2;
	flow_doc_save(f);
}

/* The next step at once: when the turn is lost, what is done again is only more. But not beyond the
 * point of no return, which must be durable first. */
static void go_on(struct flow *f)
{
	if (f->step > 0 && f->type->steps[f->step - 1].flags & FLOW_COMMIT) {
		rest(f);
		return;
	}
	f->answered = 0;
	f->round = 0;
	flow_doc_save(f);
}

static void turn_back(struct flow *f, int from)
{
	f->failed = f->step;
	f->step = from;
	rest(f);
}

static void end(struct flow *f, int ok)
{
	int rc = SV_OK;

	/* What it wrote before it failed is not kept. */
	if (ok && f->type->finished && store_mark(f->p->store) == SV_OK) {
		rc = f->type->finished(f);
		store_release(f->p->store, rc >= 0);
	}
	if (rc < 0 && !f->err.code)
		sv_err(&f->err, rc, "the end of %s could not be written", f->type->type);
	if (rc < 0 && !committed(f)) {
		f->step--;
		turn_back(f, f->step);
		return;
	}
	if (!ok && f->type->failed)
		f->type->failed(f);
	f->ended = 1;
	flow_doc_end(f, ok);
	if (f->type->after)
		f->type->after(f);
}

static void settle(struct flow *f, int rc)
{
	if (rc < 0 && committed(f)) {
		f->cleanup = 1;
		flow_doc_step(f, "failed");
		rc = FLOW_DONE;
	}
	if (rc < 0) {
		if (!f->err.code)
			sv_err(&f->err, rc, "%s failed", f->type->steps[f->step].name);
		turn_back(f, f->step);
		return;
	}
	if (rc == FLOW_SKIP)
		flow_doc_step(f, "skipped");
	f->step++;
	go_on(f);
}

static int answer_code(struct flow *f)
{
	if (f->last.code >= 0)
		return FLOW_DONE;
	if (f->last.wire[0])
		sv_err_wire(&f->err, f->last.wire, "%s", f->last.message);
	else
		sv_err(&f->err, f->last.code, "%s",
			f->last.message[0] ? f->last.message : sv_strerror(f->last.code));
	return f->err.code ? f->err.code : f->last.code;
}

static void forward(struct flow *f)
{
	const struct flow_step *s = &f->type->steps[f->step];
	int rc;

	if (!s->name) {
		end(f, 1);
		return;
	}
	if (f->cancelled && !committed(f) && !f->answered) {
		sv_err(&f->err, SV_CANCELED, "cancelled before %s", s->name);
		turn_back(f, f->step);
		return;
	}
	rc = f->answered ? FLOW_WAIT : s->run(f);
	while (rc == FLOW_WAIT && f->answered) {
		f->answered = 0;
		f->round++;
		rc = s->next ? s->next(f) : answer_code(f);
	}
	if (rc == FLOW_WAIT)
		f->waiting = 1;
	else
		settle(f, rc);
}

static void backward(struct flow *f)
{
	const struct flow_step *s = &f->type->steps[f->step];
	int rc = FLOW_DONE;

	if (f->step < 0) {
		end(f, 0);
		return;
	}
	if (f->answered)
		f->answered = 0;
	else if (s->undo)
		rc = s->undo(f);
	if (rc == FLOW_WAIT && !f->answered) {
		f->waiting = 1;
		return;
	}
	f->step--;
	rest(f);
}

static void advance(struct flow *f)
{
	if (f->inside)
		return;
	f->inside = 1;
	while (!f->ended && !f->waiting && !f->resting) {
		if (f->failed >= 0)
			backward(f);
		else
			forward(f);
	}
	f->inside = 0;
}

static void reap(struct platform *p)
{
	struct flow **at = &p->flows;

	while (*at) {
		struct flow *f = *at;

		if (f->ended && !f->inside) {
			*at = f->next;
			sv_mfree(f);
		} else {
			at = &f->next;
		}
	}
}

/* The last lines are the ones that say why. */
static void take_note(struct flow *f, const struct engine_result *r)
{
	size_t len = r->err ? r->err_len : 0, from;

	while (len && (r->err[len - 1] == '\n' || r->err[len - 1] == '\r'))
		len--;
	from = len > sizeof(f->note) - 1 ? len - (sizeof(f->note) - 1) : 0;
	snprintf(f->note, sizeof(f->note), "%.*s", (int)(len - from), r->err ? r->err + from : "");
}

static int queues(const struct flow *f)
{
	return f->waiting && !f->ended && f->failed < 0 && f->type->steps[f->step].name &&
	       f->type->steps[f->step].flags & FLOW_QUEUE;
}

static struct flow *find(struct platform *p, const char *id)
{
	for (struct flow *f = p->flows; f; f = f->next)
		if (!strcmp(f->id, id))
			return f;
	return NULL;
}

static struct flow *add(struct platform *p, const struct flow_type *type, const char *id)
{
	struct flow *f = sv_malloc(sizeof(*f)), **at = &p->flows;

	if (!f)
		return NULL;
	memset(f, 0, sizeof(*f));
	f->p = p;
	f->type = type;
	f->failed = -1;
	snprintf(f->id, sizeof(f->id), "%s", id);
	while (*at)
		at = &(*at)->next;
	*at = f;
	return f;
}

static struct flow *of_type(struct platform *p, const char *id, const char *type)
{
	for (size_t i = 0; flow_types[i]; i++)
		if (!strcmp(flow_types[i]->type, type))
			return add(p, flow_types[i], id);
	return NULL;
}

/* Where the store has it; what was done since is done again, as after a crash. */
static void reload(struct flow *f)
{
	f->stale = 0;
	f->answered = 0;
	f->round = 0;
	f->step = 0;
	f->failed = -1;
	f->cancelled = f->cleanup = 0;
	f->resting = instant(f) ? 1 : 2;
	sv_err_clear(&f->err);
	f->ended = store_version(f->p->store, f->id) < 0 || flow_doc_load(f);
}

static int again(struct platform *p, const char *id, const char *type)
{
	struct flow *f = find(p, id) ? NULL : of_type(p, id, type);

	if (f)
		reload(f);
	return SV_OK;
}

void flow_undone(struct platform *p)
{
	for (struct flow *f = p->flows; f; f = f->next)
		/* Whom the engine still has to answer, waits for that. */
		if (f->waiting && !queues(f))
			f->stale = 1;
		else if (!f->inside) {
			f->waiting = 0;
			reload(f);
		}
	reap(p);
	/* What ended in that turn did not. */
	flow_doc_each(p, again);
}

void flow_engine_done(void *data, const struct engine_result *result)
{
	struct flow *f = data;

	if (f->stale) {
		f->waiting = 0;
		reload(f);
		if (!f->inside)
			reap(f->p);
		return;
	}
	f->last = *result;
	take_note(f, result);
	f->last.out = f->last.err = NULL;
	f->waiting = 0;
	f->answered = 1;
	if (f->inside)
		return;
	advance(f);
	reap(f->p);
}

int flow_called(struct flow *f, int rc)
{
	if (rc >= 0)
		return FLOW_WAIT;
	if (!f->err.code)
		sv_err(&f->err, rc, "the engine refused: %s", sv_strerror(rc));
	return rc;
}

int flow_start(struct platform *p, const struct flow_want *want, char *id, size_t size)
{
	struct flow *f;

	if (!id[0])
		store_id(p->store, "op_", id, size);
	f = add(p, want->type, id);
	if (!f)
		return SV_NOMEM;
	snprintf(f->account, sizeof(f->account), "%s", want->account);
	snprintf(f->resource, sizeof(f->resource), "%s", want->resource);
	snprintf(f->other, sizeof(f->other), "%s", want->other ? want->other : "");
	f->started_at = platform_now(p);
	f->resting = instant(f) ? 0 : 2;
	if (flow_doc_make(f, want->shown ? want->shown : want->resource)) {
		f->ended = 1;
		reap(p);
		return SV_SERVER;
	}
	if (instant(f)) {
		advance(f);
		reap(p);
	}
	return SV_OK;
}

void flow_turn(struct platform *p)
{
	if (p->cards_freed) {
		p->cards_freed = 0;
		flow_poke(p);
	}
	for (struct flow *f = p->flows; f; f = f->next)
		if (f->resting && !--f->resting) {
			/* The turn that made it may have been undone. */
			if (store_version(p->store, f->id) < 0)
				f->ended = 1;
			else
				advance(f);
		}
	reap(p);
}

/* One that gets what it waits for may end, others with it: from the beginning each time. */
void flow_poke(struct platform *p)
{
	static const struct engine_result nothing = { .bytes = -1 };
	struct flow *f;

	for (f = p->flows; f; f = f->next)
		f->poked = queues(f);
	do {
		for (f = p->flows; f && !f->poked; f = f->next)
			;
		if (f) {
			f->poked = 0;
			flow_engine_done(f, &nothing);
		}
	} while (f);
}

int flow_cancel(struct platform *p, const char *operation_id, struct sv_error *err)
{
	struct flow *f = find(p, operation_id);

	if (!f)
		return sv_err_wire(err, "invalid_state", "the operation is over");
	if (f->cancelled)
		return SV_OK;
	if (f->failed >= 0)
		return sv_err_wire(
			err, "invalid_state", "the operation has failed and is being undone");
	if (f->type->no_cancel || committed(f))
		return sv_err_wire(
			err, "invalid_state", "%s cannot be cancelled any more", f->type->type);
	f->cancelled = 1;
	flow_doc_save(f);
	if (queues(f))
		flow_engine_done(f, &(struct engine_result){ .bytes = -1 });
	return SV_OK;
}

/* Where a flow that was open when the daemon died goes on. */
static void after_crash(struct flow *f)
{
	f->resting = 2;
	if (f->failed >= 0 || !f->type->crash_undoes || committed(f))
		return;
	sv_err_wire(&f->err, "internal", "the platform was stopped in the middle of %s",
		f->type->steps[f->step].name ? f->type->steps[f->step].name : "it");
	/* From the very last step: what came after the last durable turn may have been begun too.
	 */
	f->failed = f->step;
	f->step = last_step(f->type);
	flow_doc_save(f);
}

static int resume(struct platform *p, const char *id, const char *type)
{
	struct flow *f = find(p, id) ? NULL : of_type(p, id, type);

	if (!f)
		return SV_OK;
	if (flow_doc_load(f)) {
		f->ended = 1;
		reap(p);
		return SV_SERVER;
	}
	after_crash(f);
	return SV_OK;
}

int flow_resume_all(struct platform *p)
{
	return flow_doc_each(p, resume);
}

int flow_open(struct platform *p)
{
	int n = 0;

	for (const struct flow *f = p->flows; f; f = f->next)
		n += !f->ended;
	return n;
}

int flow_ready(struct platform *p)
{
	for (const struct flow *f = p->flows; f; f = f->next)
		if (f->resting)
			return 1;
	return 0;
}

const struct flow *flow_of(struct platform *p, const char *id, int shared)
{
	for (const struct flow *f = p->flows; f; f = f->next)
		if (!f->ended && (!strcmp(f->resource, id) || (shared && !strcmp(f->other, id))))
			return f;
	return NULL;
}

int flow_free(struct platform *p, const char *id, int shared, struct sv_error *err)
{
	const struct flow *f = flow_of(p, id, shared);
	char on[DOC_CALLED];

	if (!f)
		return SV_OK;
	sv_err_wire(err, "operation_in_progress", "%s is under way on %s: operation %s",
		f->type->type, doc_called(p, id, on, sizeof(on)), f->id);
	if (err) {
		err->retryable = 1;
		snprintf(err->context, sizeof(err->context),
			"{\"operation_id\":\"%s\",\"resource\":\"%s\"}", f->id, id);
	}
	return SV_CONFLICT;
}

void flow_close(struct platform *p)
{
	for (struct flow *f = p->flows; f; f = f->next)
		f->ended = 1;
	reap(p);
}

char *flow_fact(struct flow *f, const char *name, char *buf, size_t size)
{
	struct sv_buf b;

	sv_buf_init(&b, 4096);
	buf[0] = '\0';
	if (!store_fact_get(f->p->store, f->id, name, &b))
		snprintf(buf, size, "%s", sv_buf_text(&b));
	sv_buf_free(&b);
	return buf;
}
