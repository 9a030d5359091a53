/* SPDX-License-Identifier: MIT */
/* Instances, as the platform's other parts see them. */
#ifndef SV_LOCAL_INSTANCE_H
#define SV_LOCAL_INSTANCE_H

#include <starverse/instance.h>

#include "local/platform.h"

/* Stops it as from a second: billing ends there even when that is past. stopped_by: "arrears",
 * "max_cost", "budget", "stop_at", "max_runtime", "idle" ...; reason: a phrase for
 * status_reason.message. One that is not running, or that an operation holds, stops when that is
 * over; one that is stopped already: SV_OK. */
int instance_stop_at(
	struct platform *p, const char *id, int64_t at, const char *stopped_by, const char *reason);
/* Releases it as from a second; by and reason as above. One that an operation holds goes when that
 * is over. */
int instance_release_at(
	struct platform *p, const char *id, int64_t at, const char *by, const char *reason);
int instance_due_release(
	struct platform *p, const char *instance, int64_t at); /* due.c's handler of "release" */
int instance_due_release_soon(struct platform *p, const char *instance, int64_t at); /* warns */
int instance_due_idle(struct platform *p, const char *instance, int64_t at); /* and of "idle" */

/* For those that create instances by themselves: a create body as a root of its own; whether one
 * could be made of it now, with everything that is wrong in *err; and one made of it, as by the
 * account. */
int instance_body_copy(
	const struct sv_instance_create_body *from, struct sv_instance_create_body **ret);
int instance_check(struct platform *p, const char *account, struct sv_instance_create_body *body,
	struct sv_error *err);
int instance_make(struct platform *p, const char *account, struct sv_instance_create_body *body,
	char *id, size_t size, struct sv_error *err);

/* At the daemon's start, before flow_resume_all(): takes up what still runs; what is gone is
 * stopped, with status_reason host_failure, billed to the last second it was seen alive. */
int instances_adopt(struct platform *p);
/* For engine_config.lost, with the platform as data. */
void instance_lost(void *data, const char *instance, const struct engine_status *status);
/* Ends what waits for commands inside. */
void instance_execs_free(struct platform *p);

#endif
