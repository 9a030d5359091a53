/* SPDX-License-Identifier: MIT */
/* What an instance's start-up command has written: as it stands, or as it grows. */
#include "local/logs.h"

#include <limits.h>
#include <stdio.h>

#include <starverse/instance.h>

#include "kinds/kinds.h"
#include "local/stream.h"

int local_instance_logs(struct call *c)
{
	const struct sv_log_query *q = c->in;
	struct platform *p = c->p;
	char path[PATH_MAX];
	struct stream *s = NULL;
	int rc = SV_OK, before = 0;

	if (!p->ops->log_path || p->ops->log_path(p->engine, c->id, path, sizeof(path)))
		return sv_err(&c->err, SV_UNSUPPORTED, "the engine %s keeps no logs", p->ops->name);
	rc = stream_file(p, path, q ? q->offset : 0, &sv_instance_kind, c->id, &s);
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
