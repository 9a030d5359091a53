/* SPDX-License-Identifier: MIT */
/* Cloud storages: a directory each, <state_dir>/storages/ID/data, which instances mount and S3
 * serves. Beside it, ID/work is for what is not whole yet. */
#ifndef SV_LOCAL_STORAGE_H
#define SV_LOCAL_STORAGE_H

#include <starverse/storage.h>

#include "local/platform.h"

#define STORAGE_REGION "us-east-1" /* what clients sign for when nobody told them otherwise */

int storage_get(struct platform *p, const char *id, struct sv_storage **ret);
/* What instances mount; SV_NOTFOUND for a platform that keeps no files. */
int storage_dir(const struct platform *p, const char *id, char *buf, size_t size);
/* Micro-yuan for 30 days, 0 when it is not there. */
int64_t storage_price_per_month(struct platform *p, const char *id);
/* Removes the directories of storages that are gone, where any may have gone. After a commit. */
void storage_sweep(struct platform *p);
/* storage-used.c: bytes below a directory, -1 when they could not all be seen or are too many to
 * count; asked often, it answers what it counted lately. */
int64_t storage_used(struct platform *p, const char *id);
void storage_used_free(struct platform *p);

behave_fn local_storage_create, local_storage_update, local_storage_delete,
	local_storage_credentials;
void local_storage_present(struct platform *p, const char *account, void *obj, int64_t now);

#endif
