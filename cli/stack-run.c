/* SPDX-License-Identifier: MIT */
/* Does what a plan says: all calls of one level at once, then the waits, then the next level. */
#include <string.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "stack.h"

#define AT_ONCE 32 /* calls in flight */

/* Of an update there are as many as verbs that take something of it. */
const struct sv_verb *stack_next(const struct item *it)
{
	const struct sv_verb *update = sv_verb_find(it->kind, "update");
	int nth = 0;

	if (it->status || it->act == ACT_NONE || it->act == ACT_REFUSED || it->act == ACT_GONE)
		return NULL;
	if (it->act != ACT_UPDATE)
		return it->sent	? NULL
		       : sv_verb_find(it->kind, it->act == ACT_CREATE ? "create" : "delete");
	if (update && stack_takes(it, update) && nth++ == it->sent)
		return update;
	for (const struct sv_verb *v = it->kind->verbs; v->name; v++)
		if (v != update && stack_takes(it, v) && nth++ == it->sent)
			return v;
	return NULL;
}

static int calls_for(const struct item *it, enum act act, size_t level)
{
	return it->act == act && it->level == level && stack_next(it);
}

/* One whose parent failed is not tried. */
static int orphan(void *data, const struct sv_kind *to, const char **word)
{
	return stack_find(data, to, !strncmp(*word, "name:", 5) ? *word + 5 : *word) != NULL;
}

static int ready(struct stack *s, struct item *it)
{
	it->status = stack_refs(s, it);
	if (!it->status && each_ref(it->in, it->body, orphan, s))
		it->status = fail_text(s->call->app, EXIT_WORK_FAILED,
			_("%s %s: not tried: what it refers to is not there"), it->kind->name,
			it->name);
	return it->status;
}

static void failed(struct stack *s, struct item *it, const struct sv_error *err)
{
	struct text subject = { 0 };

	text_fmt(&subject, "%s %s", it->kind->name, it->name);
	it->status = fail(s->call->app, err, text_of(&subject));
	if (it->act == ACT_CREATE && !err->outcome_unknown)
		record_not_made(s, it);
	text_free(&subject);
}

static void begin(struct stack *s, struct item *it)
{
	sv_client *c = s->call->app->client;
	const struct sv_verb *v = stack_next(it);
	const char *args[2] = { it->id, NULL };
	void *patch = NULL;

	if (it->act == ACT_CREATE && ready(s, it))
		return;
	if (it->act == ACT_UPDATE)
		patch = stack_patch(s, it, v, &it->status);
	if (!it->status && it->act == ACT_CREATE)
		record_begin(s, it);
	if (!it->status) {
		it->op = sv_start(c, v, it->act == ACT_CREATE ? NULL : args,
			it->act == ACT_CREATE ? it->body : patch, NULL, NULL);
		it->verb = v;
		it->sent++;
		if (!it->op)
			failed(s, it, sv_client_error(c));
	}
	sv_free(patch);
}

/* A key or the like, which no later answer has and no document told. */
static void keep_secret(struct item *it)
{
	const struct sv_field *f = sv_field_flagged(it->kind, SV_SECRET);
	const char *s = f ? member_text(it->kind, it->answer, f->name) : "";

	if (*s && !it->secret && !*member_text(it->in, it->body, f->name))
		it->secret = mem_dup(s, strlen(s));
}

/* What was made is recorded before anything else happens. */
static void made(struct stack *s, struct item *it)
{
	const char *id = id_of(it->kind, it->answer);

	it->id = mem_dup(id, strlen(id));
	record_made(s, it);
	keep_secret(it);
}

/* Of several calls all: what is not changed yet is not recorded. */
static void changed(struct stack *s, struct item *it)
{
	keep_secret(it);
	if (!stack_next(it) && record_of(s, it->id))
		record_made(s, it);
}

/* The answer of a call. What a signal cut off is told of all together. */
static void end(struct stack *s, struct item *it)
{
	struct sv_error err;
	void *answer = NULL;
	int rc;

	if (!it->op)
		return;
	err = *sv_op_error(it->op);
	rc = sv_finish(it->op, &answer);
	it->op = NULL;
	/* somebody else was faster */
	if (rc && it->act == ACT_DELETE && err.code == SV_NOTFOUND)
		rc = 0;
	if (rc && err.code == SV_CANCELED && hold_signal())
		it->status = 128 + hold_signal();
	else if (rc)
		failed(s, it, &err);
	if (rc)
		return;
	sv_free(it->answer);
	it->answer = answer;
	if (it->act == ACT_CREATE && it->answer)
		made(s, it);
	else if (it->act == ACT_UPDATE)
		changed(s, it);
}

static void calls(struct stack *s, enum act act, size_t level)
{
	sv_client *c = s->call->app->client;
	size_t from = 0, flying;

	do {
		flying = 0;
		for (; from < s->n && flying < AT_ONCE && !hold_signal(); from++)
			if (calls_for(&s->items[from], act, level)) {
				begin(s, &s->items[from]);
				flying++;
			}
		while (flying && sv_pump(c, -1) > 0)
			;
		for (size_t i = 0; flying && i < from; i++)
			end(s, &s->items[i]);
	} while (from < s->n && !hold_signal());
}

struct naming {
	const struct item *it;
	int found;
};

static int names(void *data, const struct sv_kind *to, const char **word)
{
	struct naming *n = data;

	const char *name = !strncmp(*word, "name:", 5) ? *word + 5 : *word;

	n->found |= to == n->it->kind &&
		    (!strcmp(name, n->it->name) || (n->it->id && !strcmp(*word, n->it->id)));
	return 0;
}

/* 1 when another document waits for this one. */
static int named(const struct stack *s, const struct item *it)
{
	struct naming n = { it, 0 };

	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].act == ACT_CREATE && s->items[i].level > it->level)
			each_ref(s->items[i].in, s->items[i].body, names, &n);
	return n.found;
}

static int to_wait(const struct stack *s, const struct item *it)
{
	if (!(it->verb->flags & SV_ASYNC) || !it->answer)
		return 0;
	/* What stands below cannot be deleted, nor made, before. */
	return !opt_off(s->call, OPT_WAIT) || (it->act == ACT_CREATE && named(s, it)) ||
	       (it->act == ACT_DELETE && it->level);
}

static void waits(struct stack *s, enum act act, size_t level)
{
	for (size_t i = 0; i < s->n; i++) {
		struct item *it = &s->items[i];

		if (it->act != act || it->level != level || it->status || !it->sent)
			continue;
		if (to_wait(s, it) && hold_signal())
			it->status = 128 + hold_signal();
		else if (to_wait(s, it))
			it->status = wait_for(s->call, it->kind, &it->answer, it->name);
		if (!it->status && act == ACT_DELETE)
			record_gone(s, it);
	}
}

/* 1 when it is on its way to a state that lasts. Other work on it is not apply's. */
static int passing(const struct item *it)
{
	const struct sv_field *state = sv_field_flagged(it->kind, SV_STATE);

	return state && *member_text(it->kind, it->found, "operation_id") &&
	       !sv_settled(state, member_text(it->kind, it->found, state->name));
}

/* What an earlier run began, and nobody waited for to its end. */
static void settle(struct stack *s, size_t level)
{
	for (size_t i = 0; i < s->n; i++) {
		struct item *it = &s->items[i];

		if (it->act != ACT_NONE || it->level != level || !passing(it))
			continue;
		if (hold_signal())
			it->status = 128 + hold_signal();
		else if (!opt_off(s->call, OPT_WAIT) || named(s, it))
			it->status = wait_settled(s->call, it->kind, &it->found, it->name);
	}
}

/* The user's SSH key, where an instance is made that names none. */
static int key_ready(struct stack *s)
{
	struct call *call = s->call;
	int rc = 0;

	for (size_t i = 0; !rc && i < s->n; i++) {
		const struct item *it = &s->items[i];

		if (it->act != ACT_CREATE || !sv_field_find(it->kind, "ssh") ||
			sv_field_has(sv_field_find(it->in, "keys"), it->body))
			continue;
		call->in_kind = it->in;
		call->in = it->body;
		rc = ssh_key_ready(call);
		call->in = NULL;
		call->in_kind = NULL;
		break;
	}
	return rc;
}

/* 0, the one status that all failed with, or "some failed". */
static int verdict(const struct stack *s)
{
	int rc = s->n ? s->items[0].status : 0;

	for (size_t i = 1; i < s->n; i++)
		if (s->items[i].status != rc)
			return EXIT_SOME;
	return rc;
}

enum stage {
	STAGE_DONE,
	STAGE_BEGUN,   /* answered, and not waited for to its end */
	STAGE_UNKNOWN, /* sent, and the answer not awaited */
	STAGE_NOT_BEGUN,
	STAGE_OTHER /* nothing to do, or failed */
};

static enum stage stage_of(const struct item *it, int status)
{
	if (it->act == ACT_NONE && it->status && it->status == status)
		return STAGE_BEGUN; /* by an earlier run */
	if (it->act == ACT_NONE || it->act == ACT_REFUSED || it->act == ACT_GONE)
		return STAGE_OTHER;
	if (!it->status)
		return stack_next(it) ? STAGE_NOT_BEGUN : STAGE_DONE;
	return it->status != status ? STAGE_OTHER : it->answer ? STAGE_BEGUN : STAGE_UNKNOWN;
}

static void tell_stage(struct stack *s, enum stage stage, int status, const char *fmt)
{
	struct text t = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		const struct item *it = &s->items[i];

		if (stage_of(it, status) != stage)
			continue;
		text_fmt(&t, "%s%s %s", t.n ? ", " : "", it->kind->name, it->name);
		if (it->id)
			text_fmt(&t, " (%s)", it->id);
	}
	if (t.n)
		note(s->call->app, fmt, text_of(&t));
	text_free(&t);
}

/* A signal ends everything; what was begun goes on. */
static int stopped(struct stack *s)
{
	int status = 128 + hold_signal();

	if (!hold_signal())
		return 0;
	note(s->call->app, _("interrupted; the same command again does the rest"));
	tell_stage(s, STAGE_DONE, status, _("done: %s"));
	tell_stage(s, STAGE_BEGUN, status, _("goes on: %s"));
	tell_stage(s, STAGE_UNKNOWN, status, _("sent, the answer not awaited: %s"));
	tell_stage(s, STAGE_NOT_BEGUN, status, _("not begun: %s"));
	return status;
}

static void make(struct stack *s)
{
	for (size_t i = 0; i < s->levels && !hold_signal(); i++) {
		calls(s, ACT_CREATE, i);
		calls(s, ACT_UPDATE, i);
		/* what an update does not take has a call of its own */
		calls(s, ACT_UPDATE, i);
		settle(s, i);
		waits(s, ACT_CREATE, i);
		waits(s, ACT_UPDATE, i);
	}
}

static void unmake(struct stack *s)
{
	for (size_t i = s->levels; i-- > 0 && !hold_signal();) {
		calls(s, ACT_DELETE, i);
		waits(s, ACT_DELETE, i);
	}
}

int stack_run(struct stack *s)
{
	struct hold hold = { 0 };
	int rc = key_ready(s), sig;

	if (rc)
		return rc;
	s->ran = 1;
	hold_begin(s->call->app, &hold);
	make(s);
	/* Nothing is given up for what could not be made in its place. */
	if (!verdict(s))
		unmake(s);
	else if (!hold_signal())
		tell_stage(s, STAGE_NOT_BEGUN, 0, _("not deleted, since something failed: %s"));
	rc = stack_answer(s);
	sig = stopped(s);
	hold_end(s->call->app, &hold);
	return sig ? sig : rc ? rc : verdict(s);
}
