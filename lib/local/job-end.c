/* SPDX-License-Identifier: MIT */
/* How jobs end, and what becomes of their instances then. Billing ends at the second at which the
 * job did, whatever is still to be done. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/due.h"
#include "local/job-inside.h"

static int keeps(const struct sv_job *j)
{
	return j->then && !strcmp(j->then, "keep");
}

/* Another that waits for the same instance, or NULL. */
static struct job_run *next_on(struct platform *p, const char *instance, const char *but)
{
	for (struct job_run *o = p->jobs; o; o = o->next)
		if (!o->over && !strcmp(o->instance, instance) && strcmp(o->id, but) != 0)
			return o;
	return NULL;
}

static int unbill(struct platform *p, const char *account, const char *instance, int64_t at)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(p, instance, &i);

	if (!rc && i->billing_active) {
		rc = instance_unbill(p, i, at, 1);
		if (!rc)
			rc = instance_put(p, account, i);
	}
	sv_free(i);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}

int job_end_early(struct platform *p, const char *account, struct sv_job *j, int64_t at,
	const char *reason, const char *message)
{
	struct job_run *r = job_run_of(p, j->id);
	int rc = SV_OK;

	if (job_settled(j) || job_is(j, "stopping"))
		return SV_OK;
	doc_text(j, j, status, "stopping");
	job_why(j, reason, message);
	rc = job_fact_set(p, j->id, "ended", at);
	if (!rc && !keeps(j) && !next_on(p, j->instance, j->id))
		rc = unbill(p, account, j->instance, at);
	if (!rc)
		rc = job_put(p, account, j);
	if (r) {
		r->look = 1;
		r->told = 0;
		r->resting = p->caps & ENGINE_INSTANT ? 0 : 2;
	}
	return rc;
}

/* Its end as a word of the contract; reason and message where nobody has said why before. */
static void judge(struct sv_job *j, const struct sv_instance *i, int code)
{
	char text[64], gone[80];
	int up = i && instance_is(i, "running");

	if (job_is(j, "stopping")) {
		doc_text(j, j, status,
			j->reason && !strcmp(j->reason, "cancelled") ? "cancelled" : "failed");
		return;
	}
	doc_text(j, j, status, code ? "failed" : "succeeded");
	if (!code)
		return;
	snprintf(text, sizeof(text), "exit code %d", code);
	snprintf(gone, sizeof(gone), "its instance is %.40s", i && i->status ? i->status : "gone");
	if (!up)
		job_why(j, i && i->stopped_by ? i->stopped_by : "instance",
			i && i->status_reason && i->status_reason->message
				? i->status_reason->message
				: gone);
	else if (code < 0)
		job_why(j, "lost", "what looked after it is gone");
	else
		job_why(j, "exit_code", text);
}

/* The second at which it ended. */
static int64_t second(
	struct platform *p, const struct sv_job *j, const struct engine_task_status *st)
{
	int64_t now = platform_now(p), at = job_fact(p, j->id, "ended", -1);

	if (at < 0)
		at = !p->clock.stepped && st->ended_at > 0 && st->ended_at < now ? st->ended_at
										 : now;
	return sv_has(j, started_at) && !sv_is_null(j, started_at) && at < j->started_at
		       ? j->started_at
		       : at;
}

static void say_why(const struct sv_job *j, char *buf, size_t size)
{
	if (job_is(j, "cancelled"))
		snprintf(buf, size, "job %.100s has been cancelled", j->name);
	else if (job_is(j, "succeeded"))
		snprintf(buf, size, "job %.100s has succeeded", j->name);
	else
		snprintf(buf, size, "job %.100s has failed", j->name);
}

static int act(struct job_run *r, struct sv_job *j, int64_t at)
{
	struct platform *p = r->p;
	char why[200];

	if (keeps(j) || next_on(p, r->instance, r->id))
		return SV_OK;
	say_why(j, why, sizeof(why));
	return strcmp(j->then ? j->then : "", "release") != 0
		       ? instance_stop_at(p, r->instance, at, "job", why)
		       : instance_release_at(p, r->instance, at, "job", why);
}

static int forget(struct platform *p, const struct sv_job *j)
{
	static const char *const names[] = { "hold", "ended", "exit" };
	char own[64];
	int rc = SV_OK;

	for (size_t k = 0; !rc && k < sizeof(names) / sizeof(names[0]); k++)
		rc = store_fact_set(p->store, j->id, names[k], NULL);
	doc_fact(p, j->instance, "job", own, sizeof(own));
	if (!rc && !strcmp(own, j->id))
		rc = store_fact_set(p->store, j->instance, "job", NULL);
	return rc;
}

static void fill(struct sv_job *j, const struct engine_task_status *st, int64_t at)
{
	doc_put(j, finished_at, at);
	if (st->exit_code >= 0)
		doc_put(j, exit_code, st->exit_code);
	if (st->peak_bytes >= 0)
		doc_put(j, peak_memory_bytes, st->peak_bytes);
}

int job_finish(struct job_run *r, struct sv_job *j, const struct sv_instance *i,
	const struct engine_task_status *st)
{
	struct platform *p = r->p;
	struct engine_task_status seen = *st;
	int64_t at = second(p, j, st), base = job_fact(p, j->id, "base", -1);
	char type[40], own[64];
	struct job_run *next;
	int rc = due_clear(p->store, j->id, NULL);

	if (seen.exit_code < 0)
		seen.exit_code = (int)job_fact(p, j->id, "exit", -1);
	job_metrics_read(p, j->id, 1); /* what cannot be read does not keep it from ending */
	judge(j, i, seen.exit_code);
	fill(j, &seen, at);
	if (!rc)
		rc = act(r, j, at);
	doc_fact(p, r->instance, "job", own, sizeof(own));
	if (base < 0) /* it never began: what was made for it has cost what it has cost */
		base = strcmp(own, j->id) ? ledger_cost(p->ledger, r->instance, at) : 0;
	doc_put(j, cost, ledger_cost(p->ledger, r->instance, at) - base);
	if (!rc)
		rc = forget(p, j);
	if (!rc)
		rc = job_put(p, r->account, j);
	snprintf(type, sizeof(type), "job.%s", j->status);
	if (!rc)
		rc = platform_event(p, r->account, type, "platform", j->id, "%s: %s", j->name,
			j->message ? j->message : j->status);
	if (rc)
		return rc;
	r->over = 1;
	next = next_on(p, r->instance, r->id);
	if (next)
		next->look = 1;
	return SV_OK;
}
