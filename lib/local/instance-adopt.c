/* SPDX-License-Identifier: MIT */
/* What ended without being asked: while the daemon watched, or while there was none. */
#include <stdio.h>
#include <string.h>

#include "local/inside.h"
#include "local/instance-inside.h"

/* The engine's side is over already; the documents follow, at the second it was last alive. */
static int lost(
	struct platform *p, const char *account, struct sv_instance *i, int64_t at, const char *why)
{
	int rc = instance_unbill(p, i, at, 1);

	doc_text(i, i, stopped_by, "platform");
	instance_reason(i, "host_failure", why);
	return rc ? rc : instance_rest(p, account, i, platform_now(p));
}

/* One that a flow holds is stopped when that is over. */
static int lost_later(
	struct platform *p, const char *account, struct sv_instance *i, int64_t at, const char *why)
{
	int rc = SV_OK;

	if (i->billing_active) {
		rc = instance_unbill(p, i, at, 1);
		if (!rc)
			rc = instance_put(p, account, i);
	}
	return rc ? rc : instance_later(p, i->id, "stop", at, "host_failure", why);
}

void instance_lost(void *data, const char *instance, const struct engine_status *status)
{
	struct platform *p = data;
	struct sv_instance *i = NULL;
	char account[64];
	int64_t at = platform_now(p);

	if (instance_get(p, instance, &i))
		return;
	if (status && status->exited_at > 0 && status->exited_at < at)
		at = status->exited_at;
	if (store_owner(p->store, instance, account, sizeof(account)) == SV_OK) {
		if (flow_of(p, instance, 1))
			lost_later(p, account, i, at, "its processes ended");
		else if (instance_is(i, "running"))
			lost(p, account, i, at, "its processes ended");
	}
	sv_free(i);
}

static int adopt(void *data, const char *account, void *obj)
{
	static const char why[] = "the host ended it while the platform was away";
	struct platform *p = data;
	struct sv_instance *i = obj;
	struct engine_status s;
	int64_t alive = ledger_last_alive(p->ledger), at = alive > 0 ? alive : platform_now(p);
	int there = p->ops->adopt(p->engine, i->id) == SV_OK;

	if (there) {
		inside_resume(p, i->id);
		return 0;
	}
	memset(&s, 0, sizeof(s));
	if (!p->ops->status(p->engine, i->id, &s) && s.exited_at > 0 && s.exited_at < at)
		at = s.exited_at;
	/* What a flow was doing goes on with its own step: booting again, stopping what is stopped.
	 */
	if (instance_is(i, "running"))
		lost(p, account, i, at, why);
	return 0;
}

int instances_adopt(struct platform *p)
{
	static const char *const states[] = { "running", "provisioning", "starting", "stopping",
		"restarting", "resizing", "switching", "saving_image", "releasing" };
	int rc = layers_open(p->store);

	for (size_t k = 0; !rc && k < sizeof(states) / sizeof(states[0]); k++)
		rc = store_each(p->store, &sv_instance_kind, NULL, states[k], adopt, p);
	return rc;
}
