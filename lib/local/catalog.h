/* SPDX-License-Identifier: MIT */
/* What the platform offers: one YAML file that a user can edit (built in: catalog.yaml), read at start. Offers, images,
 * apps, models, datasets become documents of the store; prices and limits stay here. */
#ifndef SV_LOCAL_CATALOG_H
#define SV_LOCAL_CATALOG_H

#include <stdint.h>
#include <starverse/kind.h>

struct platform;
struct catalog;

/* path NULL: the built-in one. SV_INVALID with file:line:column in message. */
int catalog_read(const char *path, struct catalog **ret, char *message, size_t size);
void catalog_free(struct catalog *c);
/* Puts its items into the store, keeping ids of those that were there (by kind and name). */
int catalog_publish(struct platform *p, const struct catalog *c);

/* The settings that are not resources. */
struct catalog_settings {
	int64_t trial_credit;              /* micro-yuan given on registering */
	int64_t trial_credit_seconds;      /* until it expires; -1: never */
	int64_t system_disk_price, data_disk_price, storage_price; /* micro-yuan per GiB and month */
	int64_t snapshot_price;
	int64_t system_disk_gib;           /* default */
	int64_t disk_max_gib, instances_max, gpus_max, disks_max;
	int64_t disk_retention_seconds;
	const char *zone;
};
const struct catalog_settings *catalog_settings(const struct catalog *c);
/* Host directory of a model or dataset by its name, or NULL. The engine's library directory holds them all:
 * <library>/models/NAME, <library>/datasets/NAME, seen inside at /library/... */
const char *catalog_library(const struct catalog *c);

#endif
