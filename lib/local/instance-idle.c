/* SPDX-License-Identifier: MIT */
/* Stopping what idles: every threshold that is given must hold for the whole time, and what is not
 * known is busy. Looked at from time to time, at due seconds. What a look found is kept as facts,
 * so that a daemon that is started again goes on: "cpu" (processor milliseconds and the second they
 * were read) and "idle" (since when it idles). */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/time.h"
#include "local/due.h"
#include "local/instance-inside.h"

#define LOOK_MOST 15 /* seconds between two looks */
#define LATE_MOST 60 /* longer between two looks: nothing is known of the time between */

static int64_t interval(const struct sv_instance_idle *idle)
{
	int64_t part = idle->after_seconds / 4;

	return part < 1 ? 1 : part > LOOK_MOST ? LOOK_MOST : part;
}

int instance_idle_arm(struct platform *p, const struct sv_instance *i, int64_t now)
{
	const struct sv_instance_idle *idle = i->auto_stop ? i->auto_stop->idle : NULL;
	int rc = store_fact_set(p->store, i->id, "idle", NULL);

	if (!rc)
		rc = store_fact_set(p->store, i->id, "cpu", NULL);
	if (rc)
		return rc;
	/* The first look reads where the counters are. */
	return idle && i->billing_active ? due_set(p->store, i->id, "idle", now)
					 : due_clear(p->store, i->id, "idle");
}

int64_t instance_idle_at(struct platform *p, const struct sv_instance *i)
{
	const struct sv_instance_idle *idle = i->auto_stop ? i->auto_stop->idle : NULL;
	char text[32];
	int64_t at;

	if (!idle || sv_parse_int(doc_fact(p, i->id, "idle", text, sizeof(text)), &at) ||
		sv_add64(at, idle->after_seconds, &at))
		return -1;
	return at;
}

struct reading {
	int64_t cpu, wait, at;
};

static int read_last(struct platform *p, const char *id, struct reading *ret)
{
	int64_t *const into[] = { &ret->cpu, &ret->wait, &ret->at };
	char text[96], *at = doc_fact(p, id, "cpu", text, sizeof(text)), *end;

	for (int i = 0; i < 3; i++, at = end) {
		end = strchr(at, ' ');
		if (end)
			*end++ = '\0';
		if (sv_parse_int(at, into[i]) || (!end && i < 2))
			return -1;
	}
	return 0;
}

/* Percent of one core since the last look, from then on; -1 when that is not known. What it waited
 * for a processor counts: on a host that is full, who gets little does not idle. */
static double used(struct platform *p, const struct sv_instance *i, int64_t now, int64_t *from)
{
	struct engine_metrics m = ENGINE_UNMEASURED;
	struct reading was;
	char text[96];
	int known = !read_last(p, i->id, &was);
	int64_t waited;

	*from = known ? was.at : now;
	if (p->ops->metrics(p->engine, i->id, &m) || m.cpu_ms < 0) {
		store_fact_set(p->store, i->id, "cpu", NULL);
		return -1;
	}
	snprintf(text, sizeof(text), "%lld %lld %lld", (long long)m.cpu_ms, (long long)m.wait_ms,
		(long long)now);
	store_fact_set(p->store, i->id, "cpu", text);
	if (!known || m.cpu_ms < was.cpu || now <= was.at || now - was.at > LATE_MOST)
		return -1;
	/* What ended takes its waiting along. */
	waited = m.wait_ms > was.wait ? m.wait_ms - was.wait : 0;
	return (double)(m.cpu_ms - was.cpu + waited) / (double)(now - was.at) / 10;
}

/* 1 when all that was asked for is known to have held since *from. No engine measures cards. */
static int idles(struct platform *p, const struct sv_instance *i, int64_t now, int64_t *from)
{
	const struct sv_instance_idle *idle = i->auto_stop->idle;
	double percent = used(p, i, now, from);

	if (sv_has(idle, gpu_util_below) && !sv_is_null(idle, gpu_util_below))
		return 0;
	return sv_has(idle, cpu_util_below) && !sv_is_null(idle, cpu_util_below) && percent >= 0 &&
	       percent < idle->cpu_util_below;
}

static int look_again(struct platform *p, const struct sv_instance *i, int64_t now, int64_t end)
{
	int64_t next = now + interval(i->auto_stop->idle);

	return due_set(p->store, i->id, "idle", end > now && end < next ? end : next);
}

static int look(struct platform *p, const struct sv_instance *i, int64_t at)
{
	int64_t now = p->clock.stepped ? at : sv_now(), from, end;
	char text[32];
	int rc;

	if (!idles(p, i, now, &from)) {
		rc = store_fact_set(p->store, i->id, "idle", NULL);
		return rc ? rc : look_again(p, i, now, -1);
	}
	end = instance_idle_at(p, i);
	if (end < 0) {
		snprintf(text, sizeof(text), "%lld", (long long)from);
		rc = store_fact_set(p->store, i->id, "idle", text);
		if (rc)
			return rc;
		end = instance_idle_at(p, i);
	}
	if (end >= 0 && now >= end)
		return instance_stop_at(
			p, i->id, end, "idle", "it has idled for as long as auto_stop allows");
	return look_again(p, i, now, end);
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
