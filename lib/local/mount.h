/* SPDX-License-Identifier: MIT */
/* What an instance sees besides its own system disk, and where. */
#ifndef SV_LOCAL_MOUNT_H
#define SV_LOCAL_MOUNT_H

#include "local/platform.h"

/* NULL when path can be mounted on: absolute, normalized, not a directory of the system; else what
 * is wrong with it. */
const char *mount_path_wrong(const char *path);

#endif
