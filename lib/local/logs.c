/* SPDX-License-Identifier: MIT */
/* What a command has written: as it stands, or as it grows. */
#include "local/logs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <starverse/instance.h>

#include "kinds/kinds.h"
#include "local/field.h"
#include "local/stream.h"

int logs_answer(
	struct call *c, const char *path, int (*writes)(struct platform *p, const char *id))
{
	const struct sv_log_query *q = c->in;
	struct stream *s = NULL;
	int rc = stream_file(c->p, path, q ? q->offset : 0, c->id, writes, &s), before;

	if (rc == SV_OK && q && q->follow) {
		c->stream = s;
		return SV_OK;
	}
	/* Up to what there is now: the ceiling of one answer ends a longer one, and offset asks for
	 * the rest. */
	while (rc == SV_OK && c->text.len < c->text.ceiling / 2) {
		before = (int)c->text.len;
		rc = s->read(s, &c->text);
		if ((int)c->text.len == before)
			break;
	}
	stream_free(s);
	return rc < 0 ? rc : SV_OK;
}

/* What a stopped instance has written is all there is; one that is started again goes on in the
 * same file. */
static int instance_writes(struct platform *p, const char *id)
{
	static const char *const silent[] = { "error", "released", "stopped", "suspended" };
	void *obj = NULL;
	const char *status;
	int writes = 1;

	if (store_get(p->store, &sv_instance_kind, NULL, id, &obj) != SV_OK)
		return 0;
	status = field_text(&sv_instance_kind, obj, "status");
	for (size_t i = 0; status && i < sizeof(silent) / sizeof(silent[0]); i++)
		if (!strcmp(silent[i], status))
			writes = 0;
	sv_free(obj);
	return writes;
}

int local_instance_logs(struct call *c)
{
	struct platform *p = c->p;
	char path[PATH_MAX];

	if (!p->ops->log_path || p->ops->log_path(p->engine, c->id, path, sizeof(path)))
		return sv_err(&c->err, SV_UNSUPPORTED, "the engine %s keeps no logs", p->ops->name);
	return logs_answer(c, path, instance_writes);
}
