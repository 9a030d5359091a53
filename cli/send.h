/* SPDX-License-Identifier: MIT */
/* Files to an instance: only what has changed. */
#ifndef SVCTL_SEND_H
#define SVCTL_SEND_H

#include "args.h"

/* Makes the directory to of an instance (by id) hold what the directory dir here holds; what is
 * there besides stays. 0, or an exit status after an error was printed. */
int send_files(struct call *call, const char *instance, const char *dir, const char *to);

#endif
