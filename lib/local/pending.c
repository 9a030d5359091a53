/* SPDX-License-Identifier: MIT */
/* Stands in, weakly, for parts that are not linked yet. */
#include "local/flow.h"
#include "local/instance.h"

#define WEAK __attribute__((weak))

WEAK int flow_resume_all(struct platform *p)
{
	(void)p;
	return SV_OK;
}

WEAK void flow_turn(struct platform *p)
{
	(void)p;
}

WEAK int flow_open(struct platform *p)
{
	(void)p;
	return 0;
}

WEAK int flow_ready(struct platform *p)
{
	(void)p;
	return 0;
}

WEAK void flow_close(struct platform *p)
{
	(void)p;
}

WEAK int instances_adopt(struct platform *p)
{
	(void)p;
	return SV_OK;
}

WEAK void instance_lost(void *data, const char *instance, const struct engine_status *status)
{
	(void)data;
	(void)instance;
	(void)status;
}

WEAK int instance_stop_at(struct platform *p, const char *id, int64_t at, const char *stopped_by,
	const char *reason)
{
	(void)p;
	(void)id;
	(void)at;
	(void)stopped_by;
	(void)reason;
	return SV_OK;
}
