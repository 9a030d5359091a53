/* SPDX-License-Identifier: MIT */
/* What ends a job by itself, each at its own second: its cost, its time, files that do not come. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/time.h"
#include "local/due.h"
#include "local/job-inside.h"

#define HOLD_AGAIN 60    /* seconds: while files come they are waited for */
#define HOLD_MOST  86400 /* but not for ever */

static int arm(struct platform *p, const char *job, const char *cause, int64_t at)
{
	if (at < 0)
		return due_clear(p->store, job, cause);
	return due_at(p->store, job, cause) == at ? SV_OK : due_set(p->store, job, cause, at);
}

int job_arm(struct platform *p, const struct sv_job *j)
{
	int64_t base = job_fact(p, j->id, "base", 0), most, cap = -1, end = -1;
	int rc;

	if (sv_has(j, max_cost) && !sv_is_null(j, max_cost) && !sv_add64(base, j->max_cost, &most))
		cap = ledger_cap_at(p->ledger, j->instance, most, platform_now(p));
	if (sv_has(j, max_runtime_seconds) && !sv_is_null(j, max_runtime_seconds) &&
		sv_add64(j->started_at, j->max_runtime_seconds, &end))
		end = -1;
	rc = arm(p, j->id, "job_max_cost", cap);
	return rc ? rc : arm(p, j->id, "job_max_runtime", end);
}

static int end_early(struct platform *p, const char *job, int64_t at, const char *reason,
	const char *message)
{
	struct sv_job *j = NULL;
	char account[64];
	int rc = job_get(p, job, &j);

	if (!rc)
		rc = store_owner(p->store, job, account, sizeof(account));
	if (!rc)
		rc = job_end_early(p, account, j, at, reason, message);
	sv_free(j);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}

int job_due_max_cost(struct platform *p, const char *job, int64_t at)
{
	char money[32], text[80];
	struct sv_job *j = NULL;
	int rc = job_get(p, job, &j);

	if (rc)
		return rc == SV_NOTFOUND ? SV_OK : rc;
	sv_print_money(j->max_cost, money, sizeof(money));
	snprintf(text, sizeof(text), "the cost limit of %s is reached", money);
	sv_free(j);
	return end_early(p, job, at, "max_cost", text);
}

int job_due_max_runtime(struct platform *p, const char *job, int64_t at)
{
	char span[48], text[100];
	struct sv_job *j = NULL;
	int rc = job_get(p, job, &j);

	if (rc)
		return rc == SV_NOTFOUND ? SV_OK : rc;
	sv_print_duration(j->max_runtime_seconds, span, sizeof(span));
	snprintf(text, sizeof(text), "the longest running time of %s is over", span);
	sv_free(j);
	return end_early(p, job, at, "max_runtime", text);
}

/* 1 when something goes on inside beside init: a login, by which files come. */
static int is_visited(struct platform *p, const char *instance)
{
	struct engine_metrics m = ENGINE_UNMEASURED;

	return !p->ops->metrics(p->engine, instance, &m) && m.processes > 1;
}

int job_due_hold(struct platform *p, const char *job, int64_t at)
{
	struct sv_job *j = NULL;
	int rc = job_get(p, job, &j), wait = 0;

	if (rc)
		return rc == SV_NOTFOUND ? SV_OK : rc;
	wait = at - j->created_at < HOLD_MOST && is_visited(p, j->instance);
	sv_free(j);
	return wait ? due_set(p->store, job, "job_hold", at + HOLD_AGAIN)
		    : end_early(p, job, at, "files", "its files did not come in time");
}

/* A record has lasted as long as was known beforehand. */
int job_due_end(struct platform *p, const char *job, int64_t at)
{
	struct engine_task_status st = { .exit_code = -1, .peak_bytes = -1, .lasts = -1 };
	struct job_run *r = job_run_of(p, job);
	struct sv_instance *i = NULL;
	struct sv_job *j = NULL;
	int rc = r ? job_get(p, job, &j) : SV_NOTFOUND;

	(void)at;
	if (!rc)
		rc = instance_get(p, r->instance, &i);
	if (!rc && job_is(j, "running")) {
		p->ops->task_stop(p->engine, r->instance, job);
		rc = job_finish(r, j, i, &st);
	}
	sv_free(j);
	sv_free(i);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}
