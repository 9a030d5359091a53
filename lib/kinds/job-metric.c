/* SPDX-License-Identifier: MIT */
/* What jobs measure, and jobs side by side: tables only. */
#include <starverse/job.h>

#include "kinds/kinds.h"

#define POINTS_ROW(T) \
	SV_FIELD(T, points, INT, "most points of each series, thinned out evenly", 0, \
		.example = "1000")

static const struct sv_field query_fields[] = {
	SV_FIELD(struct sv_job_metrics_query, name, STRS, "only these measurements", 0),
	POINTS_ROW(struct sv_job_metrics_query),
};
SV_KIND(sv_job_metrics_query_kind, struct sv_job_metrics_query, "job_metrics_query",
	"which measurements", query_fields, .plural = NULL);

static const struct sv_field point_fields[] = {
	SV_FIELD(struct sv_job_point, step, NUM, "step, when the job gave one",
		SV_ALWAYS),
	SV_FIELD(struct sv_job_point, value, NUM, "what was measured", SV_ALWAYS),
	SV_FIELD(struct sv_job_point, time, TIME, "when it was seen", SV_ALWAYS),
};
SV_KIND(sv_job_point_kind, struct sv_job_point, "job_point", "one measurement", point_fields,
	.plural = NULL);

static const struct sv_field series_fields[] = {
	SV_FIELD(struct sv_job_series, name, STR, "what is measured", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_series, count, INT, "how many there were", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_series, last, NUM, "last value", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_series, minimum, NUM, "least value", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_series, maximum, NUM, "greatest value", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_series, points, LIST, "measurements, thinned out", SV_ALWAYS,
		.kind = &sv_job_point_kind),
};
SV_KIND(sv_job_series_kind, struct sv_job_series, "job_series", "all measurements of one name",
	series_fields, .plural = NULL);

static const struct sv_field metrics_fields[] = {
	SV_FIELD(struct sv_job_metrics, job, STR, "whose they are", SV_ALWAYS, .ref = "job"),
	SV_FIELD(struct sv_job_metrics, name, STR, "its name", SV_ALWAYS),
	SV_FIELD(struct sv_job_metrics, series, LIST, "what was measured, by name",
		SV_ALWAYS | SV_COL, .kind = &sv_job_series_kind),
};
SV_KIND(sv_job_metrics_kind, struct sv_job_metrics, "job_metrics", "what a job has measured",
	metrics_fields, .plural = NULL);

static const struct sv_field compare_fields[] = {
	SV_FIELD(struct sv_job_compare_query, id, STRS,
		"two or three jobs; the first is what the others are measured by", 0,
		.ref = "job"),
	POINTS_ROW(struct sv_job_compare_query),
};
SV_KIND(sv_job_compare_query_kind, struct sv_job_compare_query, "job_compare_query",
	"which jobs to compare", compare_fields, .plural = NULL);

static const struct sv_field difference_fields[] = {
	SV_FIELD(struct sv_job_difference, seconds, NUM, "time, in percent",
		SV_ALWAYS),
	SV_FIELD(struct sv_job_difference, steps_per_second, NUM, "speed, in percent",
		SV_ALWAYS),
	SV_FIELD(struct sv_job_difference, peak_memory_bytes, NUM, "memory, in percent",
		SV_ALWAYS),
	SV_FIELD(struct sv_job_difference, price_per_hour, NUM, "price an hour, in percent",
		SV_ALWAYS),
	SV_FIELD(
		struct sv_job_difference, cost, NUM, "cost, in percent", SV_ALWAYS),
	SV_FIELD(struct sv_job_difference, cost_per_1000_steps, NUM,
		"cost of a thousand steps, in percent", SV_ALWAYS),
	SV_FIELD(struct sv_job_difference, metrics, JSON, "percent by name", SV_ALWAYS),
};
SV_KIND(sv_job_difference_kind, struct sv_job_difference, "job_difference",
	"by how many percent a job differs from the first", difference_fields, .plural = NULL);

static const struct sv_field compared_fields[] = {
	SV_FIELD(struct sv_job_compared, id, STR, "the job", SV_ALWAYS, .ref = "job"),
	SV_FIELD(struct sv_job_compared, name, STR, "its name", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, status, STR, "its state", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, gpu, STR, "card model", SV_ALWAYS | SV_COL,
		.ref = "gpu"),
	SV_FIELD(struct sv_job_compared, gpu_count, INT, "number of cards", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, seconds, SECONDS, "from start to finish, or so far",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, steps, NUM, "how many it did", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, steps_per_second, NUM, "speed", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, metrics, JSON, "last value of each measurement",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, peak_memory_bytes, BYTES,
		"most memory in use at once, where it was measured", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, price_per_hour, MONEY, "price of its instance",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, cost, MONEY, "compute", SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, cost_per_1000_steps, MONEY, "cost of a thousand steps",
		SV_ALWAYS | SV_COL),
	SV_FIELD(struct sv_job_compared, difference, OBJ, "to the first", SV_ALWAYS,
		.kind = &sv_job_difference_kind),
	SV_FIELD(struct sv_job_compared, series, LIST, "what was measured, by name", SV_ALWAYS,
		.kind = &sv_job_series_kind),
};
SV_KIND(sv_job_compared_kind, struct sv_job_compared, "job_compared",
	"one of the jobs that are compared", compared_fields, .plural = NULL);

static const struct sv_field comparison_fields[] = {
	SV_FIELD(struct sv_job_comparison, jobs, LIST, "as they were asked for",
		SV_ALWAYS | SV_COL, .kind = &sv_job_compared_kind),
};
SV_KIND(sv_job_comparison_kind, struct sv_job_comparison, "job_comparison", "jobs side by side",
	comparison_fields, .plural = NULL);
