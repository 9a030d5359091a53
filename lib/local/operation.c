/* SPDX-License-Identifier: MIT */
/* Operations: read like any kind; given up and undone by flow.c. */
#include <string.h>

#include <starverse/operation.h>

#include "local/instance-inside.h"

int local_operation_cancel(struct call *c)
{
	struct sv_operation *op = c->obj;
	int rc;

	if (op->status && !strcmp(op->status, "cancelled"))
		return SV_OK;
	rc = flow_cancel(c->p, op->id, &c->err);
	return rc ? rc : doc_answer(c, &sv_operation_kind, op->id, NULL);
}
