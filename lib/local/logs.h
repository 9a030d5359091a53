/* SPDX-License-Identifier: MIT */
/* GET /v1/instances/{id}/logs. */
#ifndef SV_LOCAL_LOGS_H
#define SV_LOCAL_LOGS_H

#include "local/platform.h"

behave_fn local_instance_logs;

#endif
