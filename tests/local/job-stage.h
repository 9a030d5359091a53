/* SPDX-License-Identifier: MIT */
/* Jobs on a stage of engine "none" and stepped time. */
#ifndef SV_TEST_JOB_STAGE_H
#define SV_TEST_JOB_STAGE_H

#include "stage-case.h"

/* Runs one; its id. */
static inline void run(struct stage *s, const char *body, char id[64])
{
	stage_ok(s, 202, "POST", "/v1/jobs", body);
	snprintf(id, 64, "%s", stage_text(s, "id"));
	stage_settle(s);
	platform_turn(&s->p);
}

static inline void get(struct stage *s, const char *kind, const char *id)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/%s/%s", kind, id);
	stage_ok(s, 200, "GET", path, NULL);
}

/* The instance of the job that was read last. */
static inline void get_instance(struct stage *s, const char *job)
{
	char id[64];

	get(s, "jobs", job);
	snprintf(id, sizeof(id), "%s", stage_text(s, "instance"));
	get(s, "instances", id);
}

static inline void make(struct stage *s, char id[64])
{
	stage_ok(s, 202, "POST", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"rtx-4090\",\"gpu_count\":4,\"image\":\"pytorch-2.2\"}");
	snprintf(id, 64, "%s", stage_text(s, "id"));
}

#define ON_NEW "\"gpu\":\"rtx-4090\",\"gpu_count\":4,\"image\":\"pytorch-2.2\","

#endif
