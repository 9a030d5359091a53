/* SPDX-License-Identifier: MIT */
/* Jobs, as the platform's other parts see them. */
#ifndef SV_LOCAL_JOB_H
#define SV_LOCAL_JOB_H

#include "local/platform.h"

/* At the daemon's start, after flow_resume_all() and before due_run(): takes up what is not over;
 * what ended meanwhile is dealt with as of its own second. */
int jobs_open(struct platform *p);
/* Goes on with all of them. */
void jobs_turn(struct platform *p);
int jobs_ready(struct platform *p); /* 1 when one would go on at once: do not sleep */
int jobs_active(struct platform *p); /* how many are not over */
/* An instance has changed: those on it look again. */
void jobs_touch(struct platform *p, const char *instance);
/* For engine_config.task_ended, with the platform as data. */
void job_task_ended(void *data, const char *task);
void jobs_close(struct platform *p);

struct sv_instance_create_body;
struct sv_job_create_body;
/* What the instance of a new job is made of, and priced by; a root that borrows from the job's. */
struct sv_instance_create_body *job_instance_body(const struct sv_job_create_body *b);

#endif
