/* SPDX-License-Identifier: MIT */
/* GET /v1/instances/{id}/logs. */
#ifndef SV_LOCAL_LOGS_H
#define SV_LOCAL_LOGS_H

#include "local/platform.h"

/* Answers a file, or follows it as long as writes says that more may come. */
int logs_answer(
	struct call *c, const char *path, int (*writes)(struct platform *p, const char *id));

behave_fn local_instance_logs;

#endif
