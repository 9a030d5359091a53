/* SPDX-License-Identifier: MIT */
/* Jobs: the resource, its filter and its verbs. What is sent to them, and what they measure, stand
 * in job-body.c and job-metric.c. */
#include <starverse/job.h>

#include "kinds/kinds.h"

static const struct sv_word states[] = {
	{ "queued", "waits for its instance, its disk or its turn", 0 },
	{ "waiting", "waits for its files: job start", 0 },
	{ "starting", "being begun", 0 },
	{ "running", "runs", 0 },
	{ "stopping", "told to end", 0 },
	{ "succeeded", "ended with exit code 0", 1, SV_GOOD },
	{ "failed", "ended otherwise; see reason", 1, SV_BAD },
	{ "cancelled", "ended on request", 1, SV_IDLE },
	{ 0 },
};

static const struct sv_field fields[] = {
	SV_FIELD(struct sv_job, id, STR, "opaque identifier", SV_ID | SV_ALWAYS | SV_WIDE,
		.example = "job_2w7p4e"),
	SV_FIELD(struct sv_job, name, STR, "name, need not be unique",
		SV_NAME | SV_UPDATE | SV_REQUIRED | SV_ALWAYS | SV_COL, .example = "sft"),
	SV_FIELD(struct sv_job, status, STR, "state", SV_STATE | SV_ALWAYS | SV_COL,
		.words = states),
	SV_FIELD(
		struct sv_job, reason, STR, "why it ended or waits, as a word", SV_ALWAYS | SV_COL),
	SV_FIELD(
		struct sv_job, message, STR, "the same for people", SV_ALWAYS | SV_PROSE | SV_WIDE),
	SV_FIELD(struct sv_job, exit_code, INT, "0 to 255; 128 + n after signal n",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job, instance, STR, "where it runs", SV_ALWAYS | SV_COL,
		.ref = "instance"),
	SV_FIELD(struct sv_job, gpu, STR, "card model", SV_ALWAYS | SV_COL, .ref = "gpu"),
	SV_FIELD(struct sv_job, gpu_count, INT, "number of cards", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job, app, STR, "app that it was made from", SV_ALWAYS | SV_WIDE,
		.ref = "app"),
	SV_FIELD(struct sv_job, image, STR, "image of its instance", SV_ALWAYS | SV_WIDE,
		.ref = "image"),
	SV_FIELD(struct sv_job, command, STRS, "program and arguments", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_job, env, MAP, "environment on top of the instance's", SV_ALWAYS),
	SV_FIELD(struct sv_job, workdir, STR, "directory that it runs in", SV_ALWAYS),
	SV_FIELD(struct sv_job, checkpoint, OBJ, "directory that lies on a disk", SV_ALWAYS,
		.kind = &sv_job_checkpoint_kind),
	SV_FIELD(struct sv_job, then, STR, "what becomes of its instance afterwards",
		SV_ALWAYS | SV_WIDE, .words = sv_job_then_words),
	SV_FIELD(struct sv_job, max_runtime_seconds, SECONDS, "longest that it may run", SV_ALWAYS),
	SV_FIELD(struct sv_job, max_cost, MONEY, "most that it may cost", SV_ALWAYS),
	SV_FIELD(struct sv_job, metrics, JSON, "last value of each measurement",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_job, price_per_hour, MONEY, "price of its instance when it began",
		SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_job, cost, MONEY, "compute so far", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job, peak_memory_bytes, BYTES,
		"most memory in use at once, where it was measured", SV_ALWAYS | SV_WIDE),
	SV_FIELD(struct sv_job, started_at, TIME, "when it began", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job, finished_at, TIME, "when it ended", SV_ALWAYS | SV_WIDE),
	SV_COMMON_ROWS(struct sv_job),
};

static const struct sv_field filter_fields[] = {
	SV_PAGE_ROWS(struct sv_job_filter),
	SV_SORT_ROW(struct sv_job_filter),
	SV_FIELD(struct sv_job_filter, status, STRS, "only in these states", 0, .words = states),
	SV_FIELD(struct sv_job_filter, name, STRS, "only with these names", 0),
	SV_FIELD(struct sv_job_filter, gpu, STRS, "only with these cards", 0, .ref = "gpu"),
	SV_FIELD(struct sv_job_filter, instance, STRS, "only on these instances", 0,
		.ref = "instance"),
	SV_FIELD(struct sv_job_filter, labels, MAP, "only with these labels", 0,
		.option = "label"),
};
SV_KIND(sv_job_filter_kind, struct sv_job_filter, "job_filter", "which jobs to list",
	filter_fields, .plural = NULL);

#define ONE "/v1/jobs/{id}"

static const struct sv_verb verbs[] = {
	{ "list", SV_GET, "/v1/jobs", "list jobs", .query = &sv_job_filter_kind,
		.out = &sv_job_kind, .flags = SV_MANY },
	{ "create", SV_POST, "/v1/jobs", "run a command on a new or an existing instance",
		.in = &sv_job_create_body_kind, .out = &sv_job_kind,
		.flags = SV_KEYED | SV_BILLS | SV_ASYNC | SV_HAND },
	SV_GET_VERB(ONE, "show one job", &sv_job_kind),
	{ "update", SV_PATCH, ONE, "change a job's name or labels", .in = &sv_job_kind,
		.out = &sv_job_kind, .flags = SV_MASKED },
	{ "start", SV_POST, ONE "/start", "let a job begin that waits for its files",
		.out = &sv_job_kind, .flags = SV_KEYED, .when = "status=waiting" },
	{ "cancel", SV_POST, ONE "/cancel", "end a job", .out = &sv_job_kind,
		.flags = SV_KEYED | SV_ASYNC, .when = "status=queued,waiting,starting,running" },
	{ "logs", SV_GET, ONE "/logs", "show what a job has said", .query = &sv_log_query_kind,
		.flags = SV_TEXT | SV_STREAM | SV_HAND },
	{ "metrics", SV_GET, ONE "/metrics", "show what a job has measured",
		.query = &sv_job_metrics_query_kind, .out = &sv_job_metrics_kind,
		.flags = SV_HAND },
	{ "compare", SV_GET, "/v1/jobs/compare", "put jobs side by side",
		.query = &sv_job_compare_query_kind, .out = &sv_job_comparison_kind,
		.flags = SV_HAND },
	{ 0 },
};

SV_KIND(sv_job_kind, struct sv_job, "job", "a command that the platform runs and watches", fields,
	.plural = "jobs", .prefix = "job_", .verbs = verbs);
