/* SPDX-License-Identifier: MIT */
/* Steps that several flows of instances share. Each reads the instance as it now is, and may be
 * done again. */
#include "local/inside.h"
#include "local/instance-inside.h"

static int with_spec(struct flow *f, const char *id,
	int (*call)(struct engine *e, const struct engine_spec *s, engine_done *done, void *data))
{
	struct sv_instance *i = NULL;
	struct spec spec;
	int rc = instance_get(f->p, id, &i);

	if (!rc)
		rc = spec_make(f->p, i, &spec);
	sv_free(i);
	if (rc)
		return sv_err(&f->err, rc, "the instance cannot be read");
	rc = flow_called(f, call(f->p->engine, &spec.s, flow_engine_done, f));
	spec_free(&spec);
	return rc;
}

int step_files(struct flow *f)
{
	return with_spec(f, f->resource, f->p->ops->create);
}

int step_destroy(struct flow *f)
{
	return flow_called(f, f->p->ops->destroy(f->p->engine, f->resource, flow_engine_done, f));
}

int step_files_undo(struct flow *f)
{
	return step_destroy(f);
}

int flow_start_instance(struct flow *f, const char *id)
{
	if (inside_begin(f->p, f->account, id))
		return sv_err(&f->err, SV_IO, "the instance's socket and token cannot be made");
	return with_spec(f, id, f->p->ops->start);
}

int step_boot(struct flow *f)
{
	struct sv_instance *i = NULL;
	int rc = instance_get(f->p, f->resource, &i);

	if (!rc && instance_is(i, "provisioning")) {
		instance_status(i, "starting");
		rc = instance_put(f->p, f->account, i);
	}
	sv_free(i);
	return rc ? sv_err(&f->err, rc, "the instance cannot be read")
		  : flow_start_instance(f, f->resource);
}

int step_halt(struct flow *f)
{
	return flow_called(f, f->p->ops->stop(f->p->engine, f->resource, flow_engine_done, f));
}
