/* SPDX-License-Identifier: MIT */
/* Jobs' verbs: start, cancel, logs, metrics; and what is computed when one is read. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "local/job-inside.h"
#include "local/logs.h"

static int keep_answer(struct call *c, struct sv_job *j, int status)
{
	c->status = status;
	return job_put(c->p, c->account, j);
}

int local_job_start(struct call *c)
{
	struct sv_job *j = c->obj;
	struct job_run *r = job_run_of(c->p, j->id);
	char held[8];
	int rc;

	if (job_settled(j) || job_is(j, "stopping"))
		return sv_err_wire(&c->err, "invalid_state", "the job is %s", j->status);
	if (!doc_fact(c->p, j->id, "hold", held, sizeof(held))[0])
		return SV_OK;
	rc = store_fact_set(c->p->store, j->id, "hold", NULL);
	if (r)
		r->look = 1;
	return rc ? rc : keep_answer(c, j, 200);
}

int local_job_cancel(struct call *c)
{
	struct sv_job *j = c->obj;

	if (job_settled(j) || job_is(j, "stopping")) {
		c->status = 200;
		return SV_OK;
	}
	return job_end_early(c->p, c->account, j, c->now, "cancelled", "cancelled on request");
}

/* Cheaper than reading the document: whatever is not over is on the list. */
static int writes(struct platform *p, const char *id)
{
	return job_run_of(p, id) != NULL;
}

int local_job_logs(struct call *c)
{
	char path[PATH_MAX];

	if (c->p->ops->task_path(c->p->engine, c->id, "log", path, sizeof(path)))
		return sv_err(&c->err, SV_UNSUPPORTED, "the engine %s keeps no logs",
			c->p->ops->name);
	return logs_answer(c, path, writes);
}

static int points_of(struct call *c, int64_t asked, int given, int64_t *ret)
{
	*ret = given ? asked : JOB_POINTS;
	return *ret < 2 || *ret > JOB_POINTS_MOST
		       ? sv_err_field(&c->err, "points", "range", "must be 2 to %d",
				 JOB_POINTS_MOST)
		       : SV_OK;
}

int local_job_metrics(struct call *c)
{
	const struct sv_job_metrics_query *q = c->in;
	const struct sv_job *j = c->obj;
	struct sv_job_metrics *m;
	int64_t points;
	int rc = points_of(c, q ? q->points : 0, q && sv_has(q, points), &points);

	if (rc)
		return rc;
	m = sv_new(&sv_job_metrics_kind);
	if (!m)
		return SV_NOMEM;
	c->out = m;
	if (!job_settled(j))
		job_metrics_read(c->p, c->id, 0);
	doc_text(m, m, job, j->id);
	doc_text(m, m, name, j->name);
	sv_mark(m, series);
	return job_series(c->p, c->id, q ? &q->name : NULL, points, m, &m->series);
}

/* What has been spent for it so far. */
static int64_t cost_of(struct platform *p, const struct sv_job *j, int64_t now)
{
	int64_t base = job_fact(p, j->id, "base", -1);
	char own[64];

	if (base < 0 && strcmp(doc_fact(p, j->instance, "job", own, sizeof(own)), j->id) != 0)
		return 0;
	return ledger_cost(p->ledger, j->instance, now) - (base < 0 ? 0 : base);
}

void local_job_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_job *j = obj;
	struct sv_buf b;

	(void)account;
	sv_buf_init(&b, 1 << 20);
	if (job_metrics_last(p, j->id, 1, &b) == SV_OK)
		doc_text(j, j, metrics, sv_buf_text(&b));
	sv_buf_free(&b);
	if (!job_settled(j) && j->instance)
		doc_put(j, cost, cost_of(p, j, now));
}
