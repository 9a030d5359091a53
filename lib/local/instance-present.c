/* SPDX-License-Identifier: MIT */
/* What is computed when an instance is read. */
#include <string.h>

#include "local/instance-inside.h"
#include "local/storage.h"

#define GIB     ((double)((int64_t)1 << 30))
#define MONTH_D INT64_C(30)

static void usage(struct platform *p, struct sv_instance *i)
{
	struct engine_metrics m = ENGINE_UNMEASURED;
	struct sv_instance_usage *u;

	doc_null(i, usage);
	if (!instance_is(i, "running") || p->ops->metrics(p->engine, i->id, &m))
		return;
	u = doc_part(i, &sv_instance_kind, "usage");
	if (!u)
		return;
	doc_put(i, usage, u);
	sv_mark(u, gpu); /* no card is measured here: the list is empty */
	if (m.cpu_percent >= 0)
		doc_put(u, cpu_percent, m.cpu_percent);
	else
		doc_null(u, cpu_percent);
	if (m.ram_bytes >= 0)
		doc_put(u, ram_gib, (double)m.ram_bytes / GIB);
	else
		doc_null(u, ram_gib);
}

static void next_stop(struct platform *p, const char *account, struct sv_instance *i, int64_t now)
{
	struct guard_limits limits = instance_limits(i);
	struct sv_instance_next_stop *n;
	const char *cause = NULL;
	int64_t at = -1, idle;

	doc_null(i, next_stop);
	if (!i->billing_active || guard_next(p, account, i->id, &limits, now, &at, &cause))
		return;
	idle = instance_idle_at(p, i);
	if (idle >= 0 && (at < 0 || idle < at)) {
		at = idle;
		cause = "idle";
	}
	if (at < 0)
		return;
	n = doc_part(i, &sv_instance_kind, "next_stop");
	if (!n)
		return;
	doc_put(i, next_stop, n);
	doc_put(n, at, at);
	doc_text(i, n, cause, cause);
}

/* A day while stopped: its disks, rounded half up to a micro-yuan. */
static void residual(struct platform *p, struct sv_instance *i)
{
	int64_t month = instance_is(i, "released") ? 0 : disk_price_per_month(p, i->system_disk);

	for (size_t k = 0; k < i->mounts.n; k++) {
		const struct sv_instance_mount *m = i->mounts.v[k];

		if (m->kind && !strcmp(m->kind, "disk"))
			month += disk_price_per_month(p, m->id);
		else if (m->kind && !strcmp(m->kind, "storage"))
			month += storage_price_per_month(p, m->id);
	}
	doc_put(i, residual_price_per_day, (month + MONTH_D / 2) / MONTH_D);
}

void local_instance_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_instance *i = obj;

	instance_actions(i);
	doc_put(i, cost, ledger_cost(p->ledger, i->id, now));
	usage(p, i);
	next_stop(p, account, i, now);
	residual(p, i);
	sv_mark(i, env);
	spec_environment(p, i, i, &i->env);
}
