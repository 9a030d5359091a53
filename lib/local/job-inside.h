/* SPDX-License-Identifier: MIT */
/* What the files of jobs share. A job's document says all that must outlive the daemon; private
 * facts, by store_fact_set(): "base" (what its instance had cost before it), "hold" (its files are
 * still to come), "ended" (the second at which it was told to end, and so is billed to), "exit" (a
 * record's exit code, known beforehand), "log_at" and "metrics_at" (how far its measurements were
 * read). A fact "job" of an instance names the job that it was made for. */
#ifndef SV_LOCAL_JOB_INSIDE_H
#define SV_LOCAL_JOB_INSIDE_H

#include <starverse/job.h>

#include "kinds/kinds.h"
#include "local/doc.h"
#include "local/instance-inside.h"
#include "local/job.h"

/* One that is not over: what is being done with it now. */
struct job_run {
	struct job_run *next; /* oldest first */
	struct platform *p;
	char id[64], account[64], instance[64];
	int look;              /* something has changed: see jobs_turn() */
	int resting;           /* turns until its document is durable */
	int calling, answered; /* the engine is to begin it; it has said how that went */
	int told;              /* the engine was told to end it */
	int over;
	int64_t read_ms, again_ms; /* when its measurements were read; when to try again, 0: not */
	struct engine_result result;
};

/* job-run.c */
int job_get(struct platform *p, const char *id, struct sv_job **ret);
int job_put(struct platform *p, const char *account, struct sv_job *j);
int job_is(const struct sv_job *j, const char *status);
int job_settled(const struct sv_job *j);
void job_why(struct sv_job *j, const char *reason, const char *message); /* NULL: nothing */
struct job_run *job_run_add(struct platform *p, const char *account, const struct sv_job *j);
struct job_run *job_run_of(struct platform *p, const char *id);
int64_t job_fact(struct platform *p, const char *id, const char *name, int64_t otherwise);
int job_fact_set(struct platform *p, const char *id, const char *name, int64_t value);

/* job-end.c */
/* Its instance is not billed for it beyond a second; it is told to end. Puts it. */
int job_end_early(struct platform *p, const char *account, struct sv_job *j, int64_t at,
	const char *reason, const char *message);
/* It is over: says so, and does with its instance what was asked for. Puts it. */
int job_finish(struct job_run *r, struct sv_job *j, const struct sv_instance *i,
	const struct engine_task_status *st);

/* job-guard.c: what ends it by itself */
int job_arm(struct platform *p, const struct sv_job *j);

/* job-metric.c: reads what it has measured since; all (1) what is there, or as much as one turn may
 * take. 1 when there is more. */
int job_metrics_open(struct store *s);
int job_metrics_read(struct platform *p, const char *id, int all);
/* job-series.c: the last values as JSON; a list of struct sv_job_series into root's memory */
int job_metrics_last(struct platform *p, const char *id, int with_step, struct sv_buf *ret);
int job_series(struct platform *p, const char *id, const struct sv_strs *names, int64_t points,
	void *root, struct sv_list *ret);
/* How many steps it did; 0 when that cannot be known. */
double job_steps(struct platform *p, const char *id);
#define JOB_POINTS      1000
#define JOB_POINTS_MOST 10000

behave_fn local_job_create, local_job_start, local_job_cancel, local_job_logs, local_job_metrics,
	local_job_compare;
void local_job_present(struct platform *p, const char *account, void *obj, int64_t now);
int job_due_end(struct platform *p, const char *job, int64_t at);
int job_due_hold(struct platform *p, const char *job, int64_t at);
int job_due_max_cost(struct platform *p, const char *job, int64_t at);
int job_due_max_runtime(struct platform *p, const char *job, int64_t at);

#endif
