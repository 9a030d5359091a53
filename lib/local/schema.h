/* SPDX-License-Identifier: MIT */
/* The store's tables. */
#ifndef SV_LOCAL_SCHEMA_H
#define SV_LOCAL_SCHEMA_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <starverse/common.h>

/* Makes or brings up to date; SV_UNSUPPORTED when the file is of a newer program. */
int schema_apply(sqlite3 *db, char *message, size_t size);

#endif
