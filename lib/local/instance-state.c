/* SPDX-License-Identifier: MIT */
/* The states of an instance: what each allows, and what entering and leaving them does to money,
 * cards and disks. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/due.h"
#include "local/group.h"
#include "local/inside.h"
#include "local/instance-inside.h"
#include "local/job.h"

static const struct {
	const char *status, *actions;
} table[] = {
	{ "queued", "delete logs update" },
	{ "provisioning", "delete logs update" },
	{ "starting", "delete logs update" },
	{ "running", "clone delete exec extend logs resize restart save_image stop switch update" },
	{ "stopping", "logs update" },
	{ "stopped", "clone delete logs resize save_image start update" },
	{ "restarting", "logs update" },
	{ "resizing", "logs update" },
	{ "switching", "logs update" },
	{ "saving_image", "logs update" },
	{ "suspended", "delete logs start update" },
	{ "error", "delete logs update" },
	{ "releasing", "update" },
	{ "released", "" },
};

static const char *actions_of(const char *status)
{
	for (size_t i = 0; status && i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].status, status))
			return table[i].actions;
	return "";
}

static int listed(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at += len)
		if ((at == words || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return 1;
	return 0;
}

void instance_actions(struct sv_instance *i)
{
	const char *at = actions_of(i->status);
	char word[32];
	size_t len;

	i->allowed_actions.n = 0;
	doc_unnull(i, allowed_actions);
	sv_mark(i, allowed_actions);
	for (; *at; at += strspn(at, " ")) {
		len = strcspn(at, " ");
		memcpy(word, at, len);
		word[len] = '\0';
		sv_strs_add(i, &i->allowed_actions, word);
		at += len;
	}
}

int instance_may(struct call *c, const char *action)
{
	const struct sv_instance *i = c->obj;
	int rc = flow_free(c->p, i->id, 1, &c->err);

	if (rc || listed(actions_of(i->status), action))
		return rc;
	sv_err_wire(&c->err, "invalid_state", "%s is not possible while the instance is %s", action,
		i->status);
	sv_err_hint(&c->err, "possible now: %s", actions_of(i->status));
	return SV_CONFLICT;
}

int instance_get(struct platform *p, const char *id, struct sv_instance **ret)
{
	void *obj = NULL;
	int rc = doc_get(p, &sv_instance_kind, id, &obj);

	*ret = obj;
	return rc;
}

int instance_put(struct platform *p, const char *account, struct sv_instance *i)
{
	group_touch(p, i->id);
	jobs_touch(p, i->id);
	return store_put(p->store, &sv_instance_kind, account, i, platform_now(p));
}

int instance_is(const struct sv_instance *i, const char *status)
{
	return i->status && !strcmp(i->status, status);
}

void instance_status(struct sv_instance *i, const char *status)
{
	doc_text(i, i, status, status);
}

void instance_desire(struct sv_instance *i, const char *status)
{
	doc_text(i, i, desired_status, status);
}

void instance_reason(struct sv_instance *i, const char *code, const char *message)
{
	if (!code) {
		doc_null(i, status_reason);
		return;
	}
	i->status_reason = doc_part(i, &sv_instance_kind, "status_reason");
	if (!i->status_reason)
		return;
	doc_put(i, status_reason, i->status_reason);
	doc_text(i, i->status_reason, code, code);
	doc_text(i, i->status_reason, message, message);
}

struct guard_limits instance_limits(const struct sv_instance *i)
{
	const struct sv_instance_auto_stop *a = i->auto_stop;
	struct guard_limits l = { -1, -1, -1 };

	if (!a)
		return l;
	if (sv_has(a, stop_at) && !sv_is_null(a, stop_at))
		l.stop_at = a->stop_at;
	if (sv_has(a, max_runtime_seconds) && !sv_is_null(a, max_runtime_seconds))
		l.max_runtime_seconds = a->max_runtime_seconds;
	if (sv_has(a, max_cost) && !sv_is_null(a, max_cost))
		l.max_cost = a->max_cost;
	return l;
}

/* 1 when the engine has it running. */
static int take_status(struct platform *p, struct sv_instance *i)
{
	struct engine_status s;
	char port[16];

	memset(&s, 0, sizeof(s));
	doc_null(i, ssh);
	if (p->ops->status(p->engine, i->id, &s) || s.state < ENGINE_RUNNING)
		return 0;
	doc_text(i, i, network, s.network[0] ? s.network : "none");
	if (!s.ssh_port)
		return 1;
	snprintf(port, sizeof(port), "%d", s.ssh_port);
	store_fact_set(p->store, i->id, "port", port);
	i->ssh = doc_part(i, &sv_instance_kind, "ssh");
	if (!i->ssh)
		return 1;
	doc_put(i, ssh, i->ssh);
	doc_text(i, i->ssh, host, "127.0.0.1");
	doc_put(i->ssh, port, s.ssh_port);
	doc_text(i, i->ssh, user, "root");
	sv_mark(i->ssh, host_keys);
	if (s.host_key[0])
		sv_strs_add(i, &i->ssh->host_keys, s.host_key);
	return 1;
}

static int meter(struct platform *p, const char *account, const struct sv_instance *i, int64_t at)
{
	struct meter m = { .account = account,
		.resource = i->id,
		.kind = "compute",
		.name = i->name,
		.labels = &i->labels };
	char text[32], job[64];

	m.job = doc_fact(p, i->id, "job", job, sizeof(job))[0] ? job : NULL;
	m.gpu = i->gpu_count ? i->gpu : NULL;
	m.rate_per_hour = i->price_per_hour;
	if (sv_parse_int(doc_fact(p, i->id, "minimum", text, sizeof(text)), &m.minimum_seconds))
		m.minimum_seconds = 0;
	return ledger_meter(p->ledger, &m, at);
}

/* What should go on running is not there any more: the host failed meanwhile. */
static int run_lost(struct platform *p, const char *account, struct sv_instance *i, int64_t at)
{
	int rc = instance_unbill(p, i, at, 1);

	doc_text(i, i, stopped_by, "platform");
	instance_reason(i, "host_failure", "its processes are gone");
	return rc ? rc : instance_rest(p, account, i, at);
}

/* One that is to be stopped or released as soon as its operation is over is not billed for the
 * moment between. */
static int bill(struct platform *p, const char *account, struct sv_instance *i, int64_t at)
{
	struct guard_limits limits = instance_limits(i);
	char ends[8];
	int rc;

	if (doc_fact(p, i->id, "stop", ends, sizeof(ends))[0] ||
		doc_fact(p, i->id, "delete", ends, sizeof(ends))[0])
		return SV_OK;
	doc_put(i, billing_active, 1);
	rc = meter(p, account, i, at);
	if (!rc)
		rc = guard_arm(p, i->id, &limits, at);
	return rc ? rc : instance_idle_arm(p, i, at);
}

int instance_run(struct platform *p, const char *account, struct sv_instance *i, int64_t at)
{
	int rc;

	if (!take_status(p, i))
		return run_lost(p, account, i, at);
	instance_status(i, "running");
	instance_desire(i, "running");
	instance_reason(i, NULL, NULL);
	doc_null(i, stopped_by);
	doc_null(i, operation_id);
	rc = mount_state_all(p, account, i, "attached");
	if (!rc)
		rc = bill(p, account, i, at);
	if (!rc)
		rc = instance_plan_release(p, i, -1);
	if (!rc)
		rc = instance_put(p, account, i);
	return rc ? rc
		  : platform_event(
			    p, account, "instance.running", "platform", i->id, "%s runs", i->name);
}

int instance_unbill(struct platform *p, struct sv_instance *i, int64_t at, int for_good)
{
	int rc = guard_disarm(p, i->id);

	doc_put(i, billing_active, 0);
	if (!rc)
		rc = instance_idle_arm(p, i, at);
	if (rc)
		return rc;
	return for_good ? ledger_close(p->ledger, i->id, "compute", at)
			: ledger_pause(p->ledger, i->id, at);
}

int instance_rest(struct platform *p, const char *account, struct sv_instance *i, int64_t at)
{
	int rc = capacity_hold(p, account, i->id, NULL, 0);

	instance_status(i, "stopped");
	instance_desire(i, "stopped");
	doc_null(i, operation_id);
	doc_null(i, ssh);
	if (!rc)
		rc = inside_end(p, i->id);
	if (!rc)
		rc = instance_plan_release(p, i, at);
	if (!rc)
		rc = mount_state_all(p, account, i, "planned");
	if (!rc)
		rc = instance_put(p, account, i);
	return rc ? rc
		  : platform_event(p, account, "instance.stopped",
			    i->stopped_by ? i->stopped_by : "platform", i->id, "%s is stopped",
			    i->name);
}

int instance_take(struct platform *p, struct sv_instance *i, const struct quote *q)
{
	char text[32];

	if (q->gpu[0])
		doc_text(i, i, gpu, q->gpu);
	if (q->backend[0])
		doc_text(i, i, backend, q->backend);
	doc_put(i, gpu_count, q->gpu_count);
	doc_text(i, i, zone, q->zone[0] ? q->zone : NULL);
	doc_text(i, i, fabric, q->fabric[0] ? q->fabric : NULL);
	doc_put(i, vcpus, q->vcpus);
	doc_put(i, ram_gib, q->ram_gib);
	doc_put(i, simulated, q->simulated);
	doc_put(i, price_per_hour, q->price.compute_per_hour);
	snprintf(text, sizeof(text), "%lld", (long long)q->price.minimum_seconds);
	return store_fact_set(p->store, i->id, "minimum", text);
}

int instance_begin(
	struct call *c, const struct flow_type *type, struct sv_instance *i, char *op, size_t size)
{
	struct flow_want want = { .type = type, .account = c->account, .resource = i->id };
	char id[64];
	int rc;

	snprintf(id, sizeof(id), "%s", i->id);
	if (!op[0])
		store_id(c->p->store, "op_", op, size);
	doc_text(i, i, operation_id, op);
	rc = instance_put(c->p, c->account, i);
	if (!rc)
		rc = flow_start(c->p, &want, op, size);
	return rc ? rc : doc_answer(c, &sv_instance_kind, id, op);
}
