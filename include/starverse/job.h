/* SPDX-License-Identifier: MIT */
/** @file job.h
 * Commands that the platform runs on an instance, watches and acts on when they end, whoever is
 * there. Money is micro-yuan, times are seconds since the epoch. */
#ifndef STARVERSE_JOB_H
#define STARVERSE_JOB_H

#include <starverse/common.h>
#include <starverse/instance.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A directory that lies on a disk, which outlives the instance. */
struct sv_job_checkpoint {
	struct sv_set set;
	const char *disk;      /**< id; in a body also a name */
	const char *path;      /**< absolute, inside */
	int64_t every_seconds; /**< written through to the disk so often, and at the end */
};

/** A job. */
struct sv_job {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *status;   /**< see sv_kind_find("job") for the words */
	const char *instance; /**< id of where it runs */
	const char *app;      /**< id, or NULL */
	const char *image;    /**< id, or NULL */
	const char *gpu;      /**< model name */
	int64_t gpu_count;
	struct sv_strs command; /**< program and arguments */
	struct sv_map env;
	const char *workdir; /**< absolute, inside */
	struct sv_job_checkpoint *checkpoint;
	const char *then; /**< "stop", "release" or "keep": what becomes of the instance */
	int64_t max_runtime_seconds;
	int64_t max_cost;
	int64_t exit_code; /**< 0 to 255, 128 + n after signal n; null while it runs or not known */
	const char *metrics; /**< JSON: the last value of each */
	int64_t price_per_hour;    /**< of its instance when it began */
	int64_t cost;              /**< compute, so far */
	int64_t peak_memory_bytes; /**< most at once, measured; null when it was not */
	int64_t started_at;        /**< null before */
	int64_t finished_at;       /**< null before */
	const char *reason;        /**< why it ended or waits, as a word: "max_cost", or NULL */
	const char *message;       /**< the same for people, or NULL */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of jobs. */
struct sv_job_list {
	size_t n;
	struct sv_job **v;
	const char *next;
};

/** What a list is narrowed to; every filter repeated means any of them. */
struct sv_job_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, name, gpu, instance;
	struct sv_map labels;
};

/** What to run, and where: on an instance that is there, or on a new one (exactly one of image,
 * snapshot and app, and what struct sv_instance_create_body says of the rest). */
struct sv_job_create_body {
	struct sv_set set;
	const char *name;     /**< NULL: made of the app or the command */
	const char *instance; /**< id or name; excludes everything that makes a new one */
	const char *gpu;
	int64_t gpu_count;
	const char *backend;
	const char *image, *snapshot, *app; /**< ids or names */
	int64_t system_disk_gib;
	struct sv_list disks;                  /**< of struct sv_disk_mount */
	struct sv_list storages;               /**< of struct sv_storage_mount */
	struct sv_strs models, datasets, keys; /**< ids or names */
	const char *network;
	int64_t max_price_per_hour;
	struct sv_strs command; /**< program and arguments; empty: the app's own */
	struct sv_map env;
	const char *workdir; /**< NULL: /root */
	struct sv_job_checkpoint *checkpoint;
	const char *then; /**< NULL: "stop" for a new instance, "keep" for one that was there */
	int64_t max_runtime_seconds;
	int64_t max_cost;
	int hold; /**< 1: begins when sv_job_start() says that its files are there */
	struct sv_map labels;
};

/** Where to read measurements from. */
struct sv_job_metrics_query {
	struct sv_set set;
	struct sv_strs name; /**< only these; empty for all */
	int64_t points;      /**< most of each, thinned out evenly; 1000 when not given */
};

/** One measurement. */
struct sv_job_point {
	struct sv_set set;
	double step;  /**< null when the job gave none */
	double value; /**< null for what is no number */
	int64_t time; /**< when it was seen */
};

/** All measurements of one name, in their order. */
struct sv_job_series {
	struct sv_set set;
	const char *name;
	int64_t count; /**< how many there were */
	double last, minimum, maximum;
	struct sv_list points; /**< of struct sv_job_point, thinned out */
};

/** What a job has measured. */
struct sv_job_metrics {
	struct sv_set set;
	const char *job; /**< id */
	const char *name;
	struct sv_list series; /**< of struct sv_job_series, by name */
};

/** Which jobs to compare: the first is what the others are measured by. */
struct sv_job_compare_query {
	struct sv_set set;
	struct sv_strs id;
	int64_t points; /**< as in struct sv_job_metrics_query */
};

/** By how many percent a job differs from the first; null where one of the two is not known. */
struct sv_job_difference {
	struct sv_set set;
	double seconds, steps_per_second, peak_memory_bytes, price_per_hour, cost;
	double cost_per_1000_steps;
	const char *metrics; /**< JSON: percent by name */
};

/** One of the jobs that are compared. */
struct sv_job_compared {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *status;
	const char *gpu;
	int64_t gpu_count;
	int64_t seconds; /**< from start to finish, or so far */
	double steps;    /**< null when it gave none */
	double steps_per_second;
	const char *metrics; /**< JSON: the last value of each */
	int64_t peak_memory_bytes;
	int64_t price_per_hour;
	int64_t cost;
	int64_t cost_per_1000_steps;
	struct sv_job_difference *difference; /**< to the first; null for the first */
	struct sv_list series;                /**< of struct sv_job_series */
};

/** Jobs side by side. */
struct sv_job_comparison {
	struct sv_set set;
	struct sv_list jobs; /**< of struct sv_job_compared, as they were asked for */
};

/** A new, empty job, filter, body or query; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_job *sv_job_new(void);
SV_API struct sv_job_filter *sv_job_filter_new(void);               /**< see sv_job_new() */
SV_API struct sv_job_create_body *sv_job_create_body_new(void);     /**< see sv_job_new() */
SV_API struct sv_job_metrics_query *sv_job_metrics_query_new(void); /**< see sv_job_new() */
/** A checkpoint inside a body's memory; NULL when out of memory. */
SV_API struct sv_job_checkpoint *sv_job_checkpoint_new_in(void *root);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_job_list(
	sv_client *c, const struct sv_job_filter *filter, struct sv_job_list **ret);
/** One job by its id. */
SV_API int sv_job_get(sv_client *c, const char *id, struct sv_job **ret);
/** Runs one; answers at once, see sv_wait(). */
SV_API int sv_job_create(
	sv_client *c, const struct sv_job_create_body *body, struct sv_job **ret);
/** Sends exactly the marked members of changes: name, labels. */
SV_API int sv_job_update(
	sv_client *c, const char *id, const struct sv_job *changes, struct sv_job **ret);
/** Lets one that was made with hold begin. */
SV_API int sv_job_start(sv_client *c, const char *id, struct sv_job **ret);
/** Ends it: TERM, a moment later KILL; then what its end says is done with the instance. */
SV_API int sv_job_cancel(sv_client *c, const char *id, struct sv_job **ret);
/** What it has measured; query NULL for all. */
SV_API int sv_job_metrics(sv_client *c, const char *id, const struct sv_job_metrics_query *query,
	struct sv_job_metrics **ret);
/** Puts jobs side by side; ids NULL-ended, the first is what the others are measured by. Its log:
 * sv_stream() of the verb "logs". */
SV_API int sv_job_compare(
	sv_client *c, const char *const *ids, struct sv_job_comparison **ret);

#ifdef __cplusplus
}
#endif

#endif
