/* SPDX-License-Identifier: MIT */
/** @file app.h
 * AI-application templates: image, card, command, models and datasets that go together. */
#ifndef STARVERSE_APP_H
#define STARVERSE_APP_H

#include <starverse/common.h>
#include <starverse/instance.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An app. */
struct sv_app {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *title;
	const char *summary;
	const char *category;
	const char *image; /**< id */
	const char *gpu;   /**< default card */
	int64_t gpu_count;
	const char *backend;
	const char *command;
	struct sv_strs ports;
	struct sv_strs models;   /**< names */
	struct sv_strs datasets; /**< names */
	int64_t disk_gib;        /**< system disk it wants */
	int simulated;
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of apps. */
struct sv_app_list {
	size_t n;
	struct sv_app **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_app_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name, category;
	const char *search; /**< words in name, title or summary, Chinese or English */
};

/** A new, empty filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_app_filter *sv_app_filter_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_app_list(sv_client *c, const struct sv_app_filter *filter, struct sv_app_list **ret);
/** One app by its id. */
SV_API int sv_app_get(sv_client *c, const char *id, struct sv_app **ret);
/** Creates an instance from it; what body (or NULL) leaves out is the app's. */
SV_API int sv_app_deploy(sv_client *c, const char *id, const struct sv_instance_create_body *body,
	struct sv_instance **ret);

#ifdef __cplusplus
}
#endif

#endif
