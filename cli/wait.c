/* SPDX-License-Identifier: MIT */
/* Waiting: for what a call answered, for a state, for a login. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <starverse/client.h>
#include <starverse/config.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "progress.h"
#include "ssh.h"

#define POLL_SECONDS 30 /* of one long poll */

int64_t wait_limit(struct call *call)
{
	int status;
	const struct sv_config *config = app_config(call->app, &status);

	return config && config->timeout > 0 && config->timeout < INT64_MAX / 1000
		       ? config->timeout * 1000
		       : -1;
}

/* Made by this very command, so that ending it takes back what the command did. */
static int is_new(const struct call *call, const struct sv_kind *kind)
{
	return call->verb && (call->kind != kind || !strcmp(call->verb->name, "create") ||
				     !strcmp(call->verb->name, "clone"));
}

/* How to wait again, and how to end it where that is what was interrupted. */
static void ways_on(struct call *call, const struct sv_kind *kind, const void *obj)
{
	const char *id = id_of(kind, obj), *op = member_text(kind, obj, "operation_id");
	const char *undo = sv_verb_find(kind, "delete")	  ? "delete"
			   : sv_verb_find(kind, "cancel") ? "cancel"
							  : NULL;

	if (undo && is_new(call, kind))
		note(call->app,
			command_find(kind->name, "wait")
				? _("svctl %s wait %s waits again; svctl %s %s %s ends it")
				: _("svctl %s get %s shows it; svctl %s %s %s ends it"),
			kind->name, id, kind->name, undo, id);
	else if (op && *op && strcmp(kind->name, "operation") != 0)
		note(call->app, _("svctl operation wait %s waits again"), op);
}

/* What goes on although nobody waits any more. A switch and a resize end at another price. */
static void left_behind(struct call *call, const struct sv_kind *kind, const void *obj)
{
	const char *id = id_of(kind, obj), *name = name_of(kind, obj);
	const char *verb = call->verb ? call->verb->name : "";
	struct text what = { 0 }, price = { 0 };

	if (!is_new(call, kind) && *verb)
		text_fmt(&what, _("%s of %s %s (%s)"), verb, kind->name, name, id);
	else
		text_fmt(&what, "%s %s (%s)", kind->name, name, id);
	if (strcmp(verb, "switch") != 0 && strcmp(verb, "resize") != 0)
		price_of(call->app, kind, obj, &price);
	note(call->app, price.n ? _("%s goes on, %s an hour while it runs") : _("%s goes on"),
		text_of(&what), text_of(&price));
	ways_on(call, kind, obj);
	text_free(&what);
	text_free(&price);
}

/* What there is after work on it has failed: asked for, not guessed. */
static void stands(struct call *call, const struct sv_kind *kind, const char *id)
{
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	const char *args[] = { id, NULL }, *gpu;
	struct text what = { 0 }, price = { 0 };
	void *now = NULL;

	if (!state || !sv_verb_find(kind, "get") ||
		sv_run(call->app->client, sv_verb_find(kind, "get"), args, NULL, &now))
		return;
	gpu = member_text(kind, now, "gpu");
	text_fmt(&what, "%s %s (%s%s%s)", kind->name, name_of(kind, now), id, *gpu ? ", " : "",
		gpu);
	if (!strcmp(member_text(kind, now, state->name), "running"))
		price_of(call->app, kind, now, &price);
	note(call->app, price.n ? _("%s is %s, %s an hour") : _("%s is %s"), text_of(&what),
		member_text(kind, now, state->name), text_of(&price));
	note(call->app, _("svctl %s get %s shows it"), kind->name, id);
	text_free(&what);
	text_free(&price);
	sv_free(now);
}

/* Nobody answers: what is done of it is seen when somebody does. */
static void out_of_sight(
	struct call *call, const struct sv_kind *kind, const void *obj, const char *id)
{
	if (is_new(call, kind)) {
		left_behind(call, kind, obj);
		return;
	}
	note(call->app,
		_("what became of it is not known; svctl %s get %s shows what there is now"),
		kind->name, id);
	if (call->verb && !strcmp(call->verb->name, "switch"))
		note(call->app,
			_("a switch that is broken off leaves the old instance as it was, and "
			  "nothing new is billed"));
	ways_on(call, kind, obj);
}

static int waited(struct call *call, const struct sv_kind *kind, const void *obj, const char *name,
	const char *id)
{
	const struct sv_error *err = sv_client_error(call->app->client);
	struct text subject = { 0 };
	int code = err->code, on = code == SV_CANCELED && !opt_on(call, OPT_ROLLBACK), rc;

	if (code == SV_TIMEDOUT) {
		rc = fail_hint(call->app, EXIT_TIMED_OUT, NULL,
			_("%s %s (%s): the time ran out; the work goes on"), kind->name, name,
			id_of(kind, obj));
	} else if (hold_signal() && on && !call->app->json_errors) {
		/* "given up" would read as if the work were. */
		rc = 128 + hold_signal();
	} else {
		text_fmt(&subject, "%s %s", kind->name, name);
		rc = fail(call->app, err, text_of(&subject));
		text_free(&subject);
	}
	if (on)
		left_behind(call, kind, obj);
	else if (rc == EXIT_UNREACHABLE)
		out_of_sight(call, kind, obj, id);
	else if (code == SV_FAILED && call->verb && call->kind == kind && !is_new(call, kind))
		stands(call, kind, id);
	return rc;
}

/* A state that only a person's doing ends cannot become another by waiting. */
static int hopeless(const char *state)
{
	return !strcmp(state, "error") || !strcmp(state, "released") || !strcmp(state, "deleted") ||
	       !strcmp(state, "failed") || !strcmp(state, "cancelled");
}

/* 1 when the thing is as it is to stay, and well. */
static int well(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	const char *is = state ? member_text(kind, obj, state->name) : "";

	return *is && sv_settled(state, is) == 1 && !hopeless(is);
}

/* itself: what becomes of the thing counts, not of the work that it is waited for with. */
static int wait_with(struct call *call, const struct sv_kind *kind, void **obj, const char *name,
	int itself)
{
	struct progress p;
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	char *shown = mem_dup(name, strlen(name));
	char *id = mem_dup(id_of(kind, *obj), strlen(id_of(kind, *obj)));
	int rc;

	progress_begin(&p, call->app, shown);
	progress_cost(&p, kind, *obj);
	if (state && !sv_settled(state, member_text(kind, *obj, state->name)))
		progress_step(&p, kind, *obj);
	rc = sv_wait(call->app->client, kind, obj, wait_limit(call), progress_step, &p);
	progress_end(&p);
	if (rc == SV_FAILED && itself && well(kind, *obj))
		rc = 0;
	if (rc)
		rc = waited(call, kind, *obj, shown, id);
	mem_free(shown);
	mem_free(id);
	return rc;
}

int wait_for(struct call *call, const struct sv_kind *kind, void **obj, const char *name)
{
	return wait_with(call, kind, obj, name, 0);
}

int wait_settled(struct call *call, const struct sv_kind *kind, void **obj, const char *name)
{
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	struct text what = { 0 };
	const char *is;
	int rc;

	if (!state || sv_settled(state, member_text(kind, *obj, state->name)) != 0)
		return 0;
	text_fmt(&what, "%s %s", kind->name, name);
	rc = wait_with(call, kind, obj, name, 1);
	is = member_text(kind, *obj, state->name);
	if (!rc && hopeless(is))
		rc = fail_text(call->app, EXIT_WORK_FAILED, _("%s is %s"), text_of(&what), is);
	text_free(&what);
	return rc;
}

int wait_over(struct call *call, const struct sv_kind *kind, void **obj, const char *name)
{
	const struct sv_field *state = sv_field_flagged(kind, SV_STATE);
	char *shown = mem_dup(name, strlen(name)); /* it may be the object's, which is replaced */
	int rc = wait_for(call, kind, obj, shown);

	if (!rc && state && !strcmp(member_text(kind, *obj, state->name), "cancelled"))
		rc = fail_text(call->app, EXIT_WORK_FAILED, _("%s %s was cancelled"), kind->name,
			shown);
	mem_free(shown);
	return rc;
}

/* Tries once. A platform that died answers no login, and is started again by asking it: after some
 * failures the way in is asked for anew. */
static int try_login(struct call *call, const char *word, struct login *l, int asked)
{
	struct login fresh;
	int rc;

	if (!ssh_try(call->app, l))
		return 0;
	if (!asked)
		return -1;
	rc = login_find(call, word, &fresh);
	if (rc)
		return rc;
	login_free(l);
	*l = fresh;
	return -1;
}

static int until_login(struct call *call, const char *word, int64_t end)
{
	struct timespec pause = { 0, 50000000 };
	struct login l;
	int rc = login_find(call, word, &l);

	if (rc)
		return rc;
	while ((rc = try_login(call, word, &l, pause.tv_nsec > 300000000)) == -1 &&
		now_ms() < end && !hold_signal()) {
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 800000000)
			pause.tv_nsec *= 2;
	}
	login_free(&l);
	return rc;
}

int wait_ssh(
	struct call *call, const struct sv_kind *kind, const void *obj, int64_t timeout_ms)
{
	const char *id = id_of(kind, obj), *name = name_of(kind, obj);
	struct text word = { 0 };
	struct progress p;
	int rc;

	text_fmt(&word, "id:%s", id);
	progress_begin(&p, call->app, name);
	progress_say(&p, _("waiting for a login"));
	rc = until_login(call, text_of(&word),
		timeout_ms < 0 ? INT64_MAX : now_ms() + timeout_ms);
	progress_end(&p);
	text_free(&word);
	if (!rc)
		return 0;
	if (hold_signal()) {
		left_behind(call, kind, obj);
		return 128 + hold_signal();
	}
	return rc > 0 ? rc
		      : fail_text(call->app, EXIT_TIMED_OUT,
				_("instance %s (%s) runs, but one cannot log in yet"), name, id);
}

static void set_int(const struct sv_kind *kind, void *obj, const char *name, int64_t v)
{
	const struct sv_field *f = sv_field_find(kind, name);

	if (!f)
		return;
	*(int64_t *)(void *)((char *)obj + f->offset) = v;
	sv_field_mark(f, obj);
}

static int64_t version_of(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = sv_field_find(kind, "version");

	return f ? *(const int64_t *)(const void *)((const char *)obj + f->offset) : 0;
}

/* One long poll; *obj is replaced by what came. */
static int poll_once(struct call *call, const struct sv_kind *kind, void **obj, int64_t left_ms)
{
	const struct sv_verb *get = sv_verb_find(kind, "get");
	char *id = mem_dup(id_of(kind, *obj), strlen(id_of(kind, *obj)));
	const char *args[2] = { id, NULL };
	void *query = sv_new(get->query), *next = NULL;
	int64_t seconds = left_ms / 1000 < POLL_SECONDS ? left_ms / 1000 + 1 : POLL_SECONDS;
	int rc;

	set_int(get->query, query, "after_version", version_of(kind, *obj));
	set_int(get->query, query, "timeout_seconds", seconds);
	rc = sv_run(call->app->client, get, args, query, &next);
	if (!rc) {
		sv_free(*obj);
		*obj = next;
	}
	sv_free(query);
	mem_free(id);
	return rc;
}

int wait_state(struct call *call, void **obj, const char *want)
{
	const struct sv_field *state = sv_field_flagged(call->kind, SV_STATE);
	int64_t limit = wait_limit(call), end = limit < 0 ? INT64_MAX : now_ms() + limit;
	struct progress p;
	const char *is;
	char name[128];
	int rc = 0;

	snprintf(name, sizeof(name), "%s", name_of(call->kind, *obj));
	progress_begin(&p, call->app, name);
	while (strcmp(is = member_text(call->kind, *obj, state->name), want) != 0) {
		if (hopeless(is))
			rc = fail_text(call->app, EXIT_WORK_FAILED,
				_("%s %s is %s and will not be %s"), call->kind->name, name, is,
				want);
		else if (now_ms() >= end)
			rc = fail_text(call->app, EXIT_TIMED_OUT, _("%s %s (%s) is still %s"),
				call->kind->name, name, id_of(call->kind, *obj), is);
		else if (poll_once(call, call->kind, obj, end - now_ms()))
			rc = fail(call->app, sv_client_error(call->app->client), name);
		if (rc)
			break;
		progress_step(&p, call->kind, *obj);
	}
	progress_end(&p);
	return rc;
}

static int known_state(const struct call *call, const char *want)
{
	const struct sv_field *state = sv_field_flagged(call->kind, SV_STATE);
	struct nearest near = { .word = want };

	for (const struct sv_word *w = state->words; w && w->word; w++) {
		if (!strcmp(w->word, want))
			return 0;
		nearest_offer(&near, w->word);
	}
	return state->words ? usage_near(call, near.best, _("--for %s: no such state"), want) : 0;
}

static int wait_one(struct call *call, const char *word, struct out *o)
{
	const char *want = opt_value(call, OPT_FOR);
	void *obj = NULL;
	int rc = resolve(call, call->kind, word, &obj);

	if (!rc)
		rc = want ? wait_state(call, &obj, want)
			  : wait_over(call, call->kind, &obj, name_of(call->kind, obj));
	if (!rc)
		rc = out_item(o, obj);
	sv_free(obj);
	return rc;
}

int cmd_wait(struct call *call)
{
	const char *want = opt_value(call, OPT_FOR);
	struct hold hold = { 0 };
	struct out o;
	int rc = 0, worst = 0;

	if (!call->plain.n)
		return usage_error(call, _("which %s?"), call->kind->name);
	if (want)
		rc = known_state(call, want);
	if (!rc)
		rc = out_open(&o, call, call->kind, call->plain.n > 1);
	if (rc)
		return rc;
	hold_begin(call->app, &hold);
	for (size_t i = 0; i < call->plain.n; i++) {
		rc = wait_one(call, call->plain.v[i], &o);
		worst = i && rc != worst ? EXIT_SOME : rc;
	}
	if (o.count || call->plain.n > 1)
		rc = out_close(&o);
	else
		out_drop(&o);
	hold_end(call->app, &hold);
	return rc > 0 && !worst ? rc : worst;
}
