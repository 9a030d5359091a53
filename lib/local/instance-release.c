/* SPDX-License-Identifier: MIT */
/* The release of what has been stopped for long: its second is shown as release_at, and an event
 * warns of it. */
#include <string.h>

#include "base/str.h"
#include "base/time.h"
#include "local/due.h"
#include "local/instance-inside.h"

#define WARN_SECONDS 86400 /* before it, or half of the time where that is less */

int instance_plan_release(struct platform *p, struct sv_instance *i, int64_t from)
{
	const struct sv_instance_auto_stop *a = i->auto_stop;
	int64_t when, after;
	int rc;

	if (from < 0 || !a || !sv_has(a, release_after_stopped_seconds) ||
		sv_is_null(a, release_after_stopped_seconds) ||
		sv_add64(from, a->release_after_stopped_seconds, &when)) {
		doc_null(i, release_at);
		rc = due_clear(p->store, i->id, "release_soon");
		return rc ? rc : due_clear(p->store, i->id, "release");
	}
	after = a->release_after_stopped_seconds;
	doc_put(i, release_at, when);
	rc = due_set(p->store, i->id, "release_soon",
		when - (after / 2 < WARN_SECONDS ? after / 2 : WARN_SECONDS));
	return rc ? rc : due_set(p->store, i->id, "release", when);
}

/* One that waited for an operation may have been put off meanwhile. */
int instance_due_release(struct platform *p, const char *instance, int64_t at)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(p, instance, &i);

	if (!rc && sv_has(i, release_at) && !sv_is_null(i, release_at) && i->release_at <= at)
		rc = instance_release_at(p, instance, at, INSTANCE_AUTO_RELEASE,
			"it was stopped for as long as auto_stop allows");
	sv_free(i);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}

int instance_due_release_soon(struct platform *p, const char *instance, int64_t at)
{
	struct sv_instance *i = NULL;
	char account[64], when[40];
	int rc = instance_get(p, instance, &i);

	(void)at;
	if (!rc)
		rc = store_owner(p->store, instance, account, sizeof(account));
	if (!rc && instance_is(i, "stopped") && sv_has(i, release_at)) {
		sv_print_time(i->release_at, when, sizeof(when));
		rc = platform_event(p, account, "instance.release_soon", "platform", instance,
			"%s will be released at %s, with its system disk", i->name, when);
	}
	sv_free(i);
	return rc == SV_NOTFOUND ? SV_OK : rc;
}
