/* SPDX-License-Identifier: MIT */
/* What the platform offers: one YAML file that a user can edit (built in: catalog.yaml), read at
 * start. Offers, images, apps, models, datasets become documents of the store; prices and limits
 * stay here. */
#ifndef SV_LOCAL_CATALOG_H
#define SV_LOCAL_CATALOG_H

#include <stddef.h>
#include <stdint.h>
#include <starverse/kind.h>

struct platform;
struct catalog;

/* path NULL: the built-in one. SV_INVALID with file:line:column in message. */
int catalog_read(const char *path, struct catalog **ret, char *message, size_t size);
void catalog_free(struct catalog *c);
/* The built-in file as text, NUL-ended. */
const char *catalog_text(void);
/* Puts its items into the store, keeping ids of those that were there (by kind and name); one that
 * did not change keeps its version. What is no longer in it goes. */
int catalog_publish(struct platform *p, const struct catalog *c);

/* A code that an account can redeem once. */
struct catalog_voucher {
	struct sv_set set;
	const char *code, *name;
	int64_t amount;
	int64_t expires_at;    /* when the code and its credit end, if marked */
	int64_t valid_seconds; /* from redeeming it, if marked */
	struct sv_strs gpus, kinds;
};

/* The settings that are not resources. Money is micro-yuan. */
struct catalog_settings {
	struct sv_set set;
	const char *zone;
	int64_t trial_credit;                                      /* given on registering */
	int64_t trial_credit_seconds;                              /* until it expires; -1: never */
	int64_t system_disk_price, data_disk_price, storage_price; /* per GiB and month */
	int64_t snapshot_price;
	int64_t system_disk_gib; /* default, and so much is part of the price of the cards */
	int64_t disk_max_gib, instances_max, gpus_max, disks_max;
	int64_t storage_max_gib, storages_max;
	int64_t disk_retention_seconds;
	struct sv_list vouchers; /* of struct catalog_voucher: a list of the file of its own */
	int64_t no_gpu_price_per_hour, no_gpu_vcpus, no_gpu_ram_gib; /* started without cards */
	int64_t job_log_max_bytes; /* 0: no ceiling */
};
const struct catalog_settings *catalog_settings(const struct catalog *c);
/* How much of a system disk is billed: what is beyond the default. */
int64_t catalog_billed_gib(const struct catalog *c, int64_t system_disk_gib);
/* How many cards of an offer there are; -1 when there is no such offer. */
int64_t catalog_cards(const struct catalog *c, const char *gpu);

/* Writes the built-in files of its models and datasets below state_dir, once and whenever they
 * differ: <state_dir>/library/models/NAME, .../datasets/NAME, all read-only; a user's own folder is
 * an empty one there, for the mount. Before the engine is opened. */
int catalog_install(struct catalog *c, const char *state_dir, char *message, size_t size);
/* That library directory, for engine_config.library, seen inside at /library; NULL before
 * catalog_install(). */
const char *catalog_library(const struct catalog *c);
/* The i-th user's own folder of a model or dataset, to be mounted read-only at *path; NULL after
 * the last. What lies in the library is not among them. */
const char *catalog_own(const struct catalog *c, size_t i, const char **path);

#endif
