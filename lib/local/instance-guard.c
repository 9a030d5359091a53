/* SPDX-License-Identifier: MIT */
/* Stops that nobody asked for at that second: a limit, the balance, the host. The user's hook runs
 * first where a guard of the user's own is the cause. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/instance-inside.h"

#define HOOK_MS 60000 /* the longest that a hook may hold up a stop; it is not billed */

static int by_guard(const char *by)
{
	static const char *const guards[] = { "idle", "max_cost", "max_runtime", "stop_at" };

	for (size_t k = 0; by && k < sizeof(guards) / sizeof(guards[0]); k++)
		if (!strcmp(guards[k], by))
			return 1;
	return 0;
}

/* One that a guard stopped before, and that is released now, has nothing to run it in. */
static int has_hook(struct flow *f, const struct sv_instance *i)
{
	struct engine_status s = { 0 };

	return by_guard(i->stopped_by) && i->auto_stop && i->auto_stop->hook &&
	       f->p->caps & ENGINE_EXEC && !f->p->ops->status(f->p->engine, i->id, &s) &&
	       s.state == ENGINE_RUNNING;
}

int step_hook(struct flow *f)
{
	const char *argv[] = { "sh", "-c", NULL, NULL };
	struct sv_instance *i = NULL;
	int rc = FLOW_SKIP;

	if (!instance_get(f->p, f->resource, &i) && has_hook(f, i)) {
		argv[2] = i->auto_stop->hook;
		rc = flow_called(f, f->p->ops->exec(f->p->engine, i->id, argv, HOOK_MS, 4096,
					    flow_engine_done, f));
	}
	sv_free(i);
	if (rc >= 0)
		return rc;
	/* One that cannot be run does not keep the instance up. */
	sv_err_clear(&f->err);
	return FLOW_DONE;
}

int step_hooked(struct flow *f)
{
	const struct engine_result *r = &f->last;

	if (r->code < 0 || r->exit_code || r->truncated)
		platform_event(f->p, f->account, "instance.hook_failed", "platform", f->resource,
			"the hook failed with exit code %d: %s", r->exit_code,
			r->code < 0 ? r->message : f->note);
	else
		platform_event(f->p, f->account, "instance.hook_ran", "platform", f->resource,
			"the hook ran before the stop");
	return FLOW_DONE;
}

static int stop_now(struct platform *p, struct sv_instance *i, const char *account, const char *by,
	const char *reason)
{
	struct flow_want want = {
		.type = &flow_instance_stop, .account = account, .resource = i->id
	};
	char op[64] = "";
	int rc;

	doc_text(i, i, stopped_by, by);
	instance_reason(i, by, reason);
	instance_status(i, "stopping");
	instance_desire(i, "stopped");
	store_id(p->store, "op_", op, sizeof(op));
	doc_text(i, i, operation_id, op);
	rc = instance_put(p, account, i);
	if (!rc)
		rc = platform_event(p, account, "instance.stopping", "platform", i->id, "%s: %s",
			i->name, reason);
	return rc ? rc : flow_start(p, &want, op, sizeof(op));
}

int instance_later(struct platform *p, const char *id, const char *what, int64_t at,
	const char *by, const char *reason)
{
	char text[400];

	snprintf(text, sizeof(text), "%lld %s %s", (long long)at, by, reason);
	return store_fact_set(p->store, id, what, text);
}

struct later {
	char text[400], *by, *reason;
};

/* 1 when there is one. */
static int later_read(struct platform *p, const char *id, const char *what, struct later *l)
{
	l->by = strchr(doc_fact(p, id, what, l->text, sizeof(l->text)), ' ');
	l->reason = l->by ? strchr(l->by + 1, ' ') : NULL;
	if (!l->reason)
		return 0;
	*l->by++ = '\0';
	*l->reason++ = '\0';
	return 1;
}

int instance_later_copy(struct platform *p, const char *from, const char *to)
{
	static const char *const what[] = { "stop", "delete" };
	struct later l;
	int64_t at;
	int rc = SV_OK;

	for (size_t k = 0; !rc && k < sizeof(what) / sizeof(what[0]); k++)
		if (later_read(p, from, what[k], &l) && strcmp(l.by, "host_failure") != 0 &&
			!sv_parse_int(l.text, &at))
			rc = instance_later(p, to, what[k], at, l.by, l.reason);
	return rc;
}

static int wants_release(const struct sv_instance *i, const char *by)
{
	return by_guard(by) && i->auto_stop && i->auto_stop->action &&
	       !strcmp(i->auto_stop->action, "release");
}

static int stop_one(
	struct platform *p, struct sv_instance *i, int64_t at, const char *by, const char *reason)
{
	char account[64];
	int rc = store_owner(p->store, i->id, account, sizeof(account));

	if (!rc && i->billing_active) {
		rc = instance_unbill(p, i, at, 1);
		if (!rc)
			rc = instance_put(p, account, i);
	}
	if (rc || instance_is(i, "stopping") || instance_is(i, "releasing"))
		return rc;
	if (flow_of(p, i->id, 1))
		return instance_later(p, i->id, "stop", at, by, reason);
	if (!instance_is(i, "running"))
		return SV_OK;
	return wants_release(i, by) ? instance_release_at(p, i->id, at, by, reason)
				    : stop_now(p, i, account, by, reason);
}

int instance_stop_at(
	struct platform *p, const char *id, int64_t at, const char *stopped_by, const char *reason)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(p, id, &i);

	if (!rc)
		rc = stop_one(p, i, at, stopped_by, reason);
	sv_free(i);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}

/* It may have gone on being billed since: from now at the latest it is not. */
int instance_wake(struct platform *p, const char *id)
{
	int64_t now = platform_now(p);
	struct later l;
	int rc;

	if (flow_of(p, id, 1))
		return SV_OK;
	if (later_read(p, id, "delete", &l)) {
		rc = store_fact_set(p->store, id, "delete", NULL);
		if (rc)
			return rc;
		return strcmp(l.by, INSTANCE_AUTO_RELEASE) != 0
			       ? instance_release_at(p, id, now, l.by, l.reason)
			       : instance_due_release(p, id, now);
	}
	if (!later_read(p, id, "stop", &l))
		return SV_OK;
	rc = store_fact_set(p->store, id, "stop", NULL);
	return rc ? rc : instance_stop_at(p, id, now, l.by, l.reason);
}
