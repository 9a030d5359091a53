/* SPDX-License-Identifier: MIT */
/** @file instance.h
 * Machines rented by the second. */
#ifndef STARVERSE_INSTANCE_H
#define STARVERSE_INSTANCE_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why an instance is in its state. */
struct sv_instance_status_reason {
	struct sv_set set;
	const char *code;    /**< a word: "host_failure" */
	const char *message; /**< for people */
};

/** Something seen inside an instance. */
struct sv_instance_mount {
	struct sv_set set;
	const char *kind; /**< "disk", "storage", "model" or "dataset" */
	const char *id;   /**< of the disk, storage, model or dataset */
	const char *path; /**< absolute, inside */
	int read_only;
	const char *state; /**< "attached", "attaching", "detaching" or "planned" */
};

/** How to log in. */
struct sv_instance_ssh {
	struct sv_set set;
	const char *host;
	int64_t port;
	const char *user;
	struct sv_strs host_keys; /**< public host keys, "ssh-ed25519 AAAA..." */
};

/** When idling counts as idle: all thresholds given must hold for the whole time; unknown is busy.
 */
struct sv_instance_idle {
	struct sv_set set;
	int64_t after_seconds;
	double gpu_util_below; /**< percent; refused on simulated cards */
	double cpu_util_below; /**< percent of one core */
};

/** What stops an instance by itself; kept by the platform. */
struct sv_instance_auto_stop {
	struct sv_set set;
	int64_t stop_at;             /**< seconds since the epoch */
	int64_t max_runtime_seconds; /**< from the start */
	struct sv_instance_idle *idle;
	int64_t max_cost;   /**< micro-yuan of compute since creation */
	const char *action; /**< "stop" or "release" */
	const char *hook;   /**< command run inside before stopping, or NULL */
	int64_t release_after_stopped_seconds;
};

/** When and why it stops next. */
struct sv_instance_next_stop {
	struct sv_set set;
	int64_t at;
	const char *cause; /**< "stop_at", "max_runtime", "max_cost", "idle", "arrears", "budget" */
};

/** Use of one card. */
struct sv_gpu_usage {
	struct sv_set set;
	double util_percent;
	double memory_gib;
};

/** What is measured now; what is not measured is null. */
struct sv_instance_usage {
	struct sv_set set;
	struct sv_list gpu; /**< of struct sv_gpu_usage */
	double cpu_percent; /**< of one core */
	double ram_gib;
};

/** A machine. Money is micro-yuan, times are seconds since the epoch. */
struct sv_instance {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *status; /**< see sv_kind_find("instance") for the words */
	const char *desired_status;
	struct sv_instance_status_reason *status_reason;
	const char *stopped_by; /**< "user", "max_cost", "arrears", "platform" ... or NULL */
	int billing_active;     /**< 1 while compute is billed */
	const char *gpu;        /**< model name */
	int64_t gpu_count;
	const char *backend; /**< "cuda", "rocm", "tpu", "ascend", "gcu" or "mlu" */
	const char *image;   /**< id, or NULL */
	const char *app;     /**< id, or NULL */
	const char *zone;
	int64_t vcpus;
	int64_t ram_gib;
	const char *fabric;
	const char *network;     /**< "outbound" or "none": what it really has */
	struct sv_map env;       /**< with what the platform injects */
	const char *system_disk; /**< id */
	struct sv_list mounts;   /**< of struct sv_instance_mount */
	struct sv_instance_ssh *ssh;
	int64_t price_per_hour;         /**< while running */
	int64_t residual_price_per_day; /**< while stopped */
	int64_t cost;                   /**< so far */
	struct sv_instance_auto_stop *auto_stop;
	struct sv_instance_next_stop *next_stop;
	struct sv_strs allowed_actions;
	const char *operation_id; /**< what is under way, or NULL */
	const char *switched_to;  /**< instance that took its place, or NULL */
	int simulated;            /**< 1 when its cards are */
	struct sv_instance_usage *usage;
	int64_t release_at; /**< when it will be released by itself */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of instances. */
struct sv_instance_list {
	size_t n;
	struct sv_instance **v;
	const char *next;
};

/** What a list is narrowed to; every filter repeated means any of them. */
struct sv_instance_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor;
	const char *sort; /**< "created_at" or "name", '-' before it for descending */
	struct sv_strs status, name, gpu;
	struct sv_map labels;
	int all; /**< 1: released ones too */
};

/** A data disk to attach. */
struct sv_disk_mount {
	struct sv_set set;
	const char *disk; /**< id or name */
	const char *path; /**< absolute, inside */
	int read_only;
};

/** A storage to mount. */
struct sv_storage_mount {
	struct sv_set set;
	const char *storage; /**< id or name */
	const char *path;    /**< absolute, inside */
};

/** What to create; exactly one of image, snapshot and app. */
struct sv_instance_create_body {
	struct sv_set set;
	const char *name;
	const char *gpu;      /**< model name */
	int64_t gpu_count;    /**< 1 when not given */
	const char *backend;  /**< where the card has several */
	const char *image;    /**< id or name */
	const char *snapshot; /**< id or name */
	const char *app;      /**< id or name */
	int64_t system_disk_gib;
	struct sv_list disks;                  /**< of struct sv_disk_mount */
	struct sv_list storages;               /**< of struct sv_storage_mount */
	struct sv_strs models, datasets, keys; /**< ids or names */
	struct sv_map env;
	const char *command; /**< start-up command for the shell */
	const char *network; /**< "outbound" or "none" */
	struct sv_instance_auto_stop *auto_stop;
	int64_t max_price_per_hour; /**< micro-yuan: refused when it would cost more */
	struct sv_map labels;
	struct sv_strs fallback; /**< "MODEL:COUNT", tried in order when there is no capacity */
	int wait_capacity;       /**< 1: it is "queued" until one of them can be had */
};

/** How to start. */
struct sv_instance_start_body {
	struct sv_set set;
	const char *mode; /**< "gpu" or "no_gpu" */
	const char *gpu;  /**< another card, or NULL for the one it had */
	int64_t gpu_count;
	struct sv_strs fallback; /**< "MODEL:COUNT", tried in order when there is no capacity */
	int wait_capacity;       /**< 1: it is "queued" until one of them can be had */
	int64_t max_price_per_hour; /**< micro-yuan: refused when it would cost more */
};

/** How to stop. */
struct sv_instance_stop_body {
	struct sv_set set;
	const char *save_image; /**< name of an image to make of the system disk first, or NULL */
};

/** How many cards from now on. */
struct sv_instance_resize_body {
	struct sv_set set;
	int64_t gpu_count;
};

/** Which card to move to. */
struct sv_instance_switch_body {
	struct sv_set set;
	const char *gpu;
	int64_t gpu_count;
	int release_old; /**< 1: the old one is released afterwards instead of kept stopped */
};

/** What to call the image. */
struct sv_instance_save_image_body {
	struct sv_set set;
	const char *name;
};

/** How much later to stop by itself. */
struct sv_instance_extend_body {
	struct sv_set set;
	int64_t seconds;
};

/** What to run inside. */
struct sv_instance_exec_body {
	struct sv_set set;
	struct sv_strs command;
	int64_t timeout_seconds;
};

/** What a command did. */
struct sv_exec_result {
	struct sv_set set;
	int64_t exit_code; /**< 0 to 255; 128 + n after signal n */
	const char *out;   /**< "stdout" on the wire; at most 64 KiB */
	const char *err;   /**< "stderr" on the wire; at most 64 KiB */
	int truncated;     /**< 1 when a stream was longer, or the time ran out */
};

/** Where to read a log from. */
struct sv_log_query {
	struct sv_set set;
	int follow;
	int64_t offset; /**< bytes */
};

/** What to call the copy. */
struct sv_instance_clone_body {
	struct sv_set set;
	const char *name;
};

/** A new, empty instance, filter or body; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_instance *sv_instance_new(void);
SV_API struct sv_instance_filter *sv_instance_filter_new(void); /**< see sv_instance_new() */
/** See sv_instance_new(). */
SV_API struct sv_instance_create_body *sv_instance_create_body_new(void);
/** See sv_instance_new(). */
SV_API struct sv_instance_start_body *sv_instance_start_body_new(void);
/** A disk, storage or guard inside a body's memory; NULL when out of memory. */
SV_API struct sv_disk_mount *sv_disk_mount_new_in(void *root);
/** See sv_disk_mount_new_in(). */
SV_API struct sv_storage_mount *sv_storage_mount_new_in(void *root);
/** See sv_disk_mount_new_in(). */
SV_API struct sv_instance_auto_stop *sv_instance_auto_stop_new_in(void *root);
/** See sv_disk_mount_new_in(). */
SV_API struct sv_instance_idle *sv_instance_idle_new_in(void *root);

/** One page; filter NULL for all. The page after it: sv_next(). Every call here gives SV_OK or a
 * code whose details are sv_client_error(), and writes *ret (a root, ended by sv_free(); NULL to
 * drop it) on success only. */
SV_API int sv_instance_list(
	sv_client *c, const struct sv_instance_filter *filter, struct sv_instance_list **ret);
/** One instance by its id. */
SV_API int sv_instance_get(sv_client *c, const char *id, struct sv_instance **ret);
/** Creates and bills it from the second it runs; answers at once, see sv_wait(). */
SV_API int sv_instance_create(
	sv_client *c, const struct sv_instance_create_body *body, struct sv_instance **ret);
/** Sends exactly the marked members of changes: name, labels, auto_stop. */
SV_API int sv_instance_update(
	sv_client *c, const char *id, const struct sv_instance *changes, struct sv_instance **ret);
/** Releases it: its system disk is lost, its data disks stay. */
SV_API int sv_instance_delete(sv_client *c, const char *id, struct sv_instance **ret);
/** Starts it; body NULL for as it was. */
SV_API int sv_instance_start(sv_client *c, const char *id,
	const struct sv_instance_start_body *body, struct sv_instance **ret);
/** Stops it; save_image names an image to make first, or NULL. */
SV_API int sv_instance_stop(
	sv_client *c, const char *id, const char *save_image, struct sv_instance **ret);
/** Stops and starts it. */
SV_API int sv_instance_restart(sv_client *c, const char *id, struct sv_instance **ret);
/** Changes the number of cards. */
SV_API int sv_instance_resize(
	sv_client *c, const char *id, int64_t gpu_count, struct sv_instance **ret);
/** Moves it to another card: files, disks and name go along. release_old 1 releases the old one. */
SV_API int sv_instance_switch(sv_client *c, const char *id, const char *gpu, int64_t gpu_count,
	int release_old, struct sv_instance **ret);
/** Makes a private image of its system disk. */
SV_API int sv_instance_save_image(
	sv_client *c, const char *id, const char *name, struct sv_instance **ret);
/** Lets it run so many seconds longer. */
SV_API int sv_instance_extend(
	sv_client *c, const char *id, int64_t seconds, struct sv_instance **ret);
/** Runs a command inside, argv NULL-ended, and waits for it at most so many seconds (0: the
 * service's own limit). */
SV_API int sv_instance_exec(sv_client *c, const char *id, const char *const *argv,
	int64_t timeout_seconds, struct sv_exec_result **ret);
/** Creates another one like it. */
SV_API int sv_instance_clone(
	sv_client *c, const char *id, const char *name, struct sv_instance **ret);

#ifdef __cplusplus
}
#endif

#endif
