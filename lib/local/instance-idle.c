/* SPDX-License-Identifier: MIT */
/* Stopping what idles: every threshold that is given must hold for the whole time, and what is not
 * known is busy. Looked at from time to time, at due seconds. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/time.h"
#include "local/due.h"
#include "local/instance-inside.h"

#define LOOK_MOST 15 /* seconds between two looks */
#define LATE_MOST 60 /* a look that comes later says nothing about the time between */

static int64_t interval(const struct sv_instance_idle *idle)
{
	int64_t part = idle->after_seconds / 4;

	return part < 1 ? 1 : part > LOOK_MOST ? LOOK_MOST : part;
}

int instance_idle_arm(struct platform *p, const struct sv_instance *i, int64_t now)
{
	const struct sv_instance_idle *idle = i->auto_stop ? i->auto_stop->idle : NULL;
	int rc = store_fact_set(p->store, i->id, "idle", NULL);

	if (rc)
		return rc;
	return idle && i->billing_active ? due_set(p->store, i->id, "idle", now + interval(idle))
					 : due_clear(p->store, i->id, "idle");
}

/* 1 when all that was asked for is known to hold. */
static int idles(struct platform *p, const struct sv_instance *i, int64_t at)
{
	const struct sv_instance_idle *idle = i->auto_stop->idle;
	struct engine_metrics m = { -1, -1, -1, -1, -1 };

	if (!p->clock.stepped && sv_now() - at > LATE_MOST)
		return 0;
	/* No engine measures cards. */
	if (sv_has(idle, gpu_util_below) && !sv_is_null(idle, gpu_util_below))
		return 0;
	if (!sv_has(idle, cpu_util_below) || p->ops->metrics(p->engine, i->id, &m))
		return 0;
	return m.cpu_percent >= 0 && m.cpu_percent < idle->cpu_util_below;
}

static int look(struct platform *p, const struct sv_instance *i, int64_t at)
{
	char text[32];
	int64_t since;

	if (!idles(p, i, at))
		return instance_idle_arm(p, i, at);
	/* It has idled since the look before, at least. */
	if (sv_parse_int(doc_fact(p, i->id, "idle", text, sizeof(text)), &since)) {
		since = at;
		snprintf(text, sizeof(text), "%lld", (long long)at);
		if (store_fact_set(p->store, i->id, "idle", text))
			return SV_SERVER;
	}
	if (at - since >= i->auto_stop->idle->after_seconds)
		return instance_stop_at(
			p, i->id, at, "idle", "it has idled for as long as auto_stop allows");
	return due_set(p->store, i->id, "idle", at + interval(i->auto_stop->idle));
}

int instance_due_idle(struct platform *p, const char *instance, int64_t at)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(p, instance, &i);

	if (!rc && i->billing_active && i->auto_stop && i->auto_stop->idle)
		rc = look(p, i, at);
	sv_free(i);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}
