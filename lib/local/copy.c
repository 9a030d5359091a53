/* SPDX-License-Identifier: MIT */
/* Copies of the library's models into a running instance. */
#include <stdio.h>
#include <string.h>

#include <starverse/model.h>

#include "base/str.h"
#include "local/instance-inside.h"

#define COPY_MS ((int64_t)6 * 3600 * 1000)

static const char *path_wrong(const char *path)
{
	if (!path || path[0] != '/')
		return "must be absolute";
	if (strlen(path) > 1024)
		return "is longer than 1024 bytes";
	if (!sv_utf8_valid(path, strlen(path)))
		return "is not valid UTF-8";
	for (const char *s = path; *s; s++) {
		if ((unsigned char)*s < 32 || *s == 127)
			return "must not have control characters";
		if (*s == '/' && s[1] == '.' && s[2] == '.' && (!s[3] || s[3] == '/'))
			return "must not have the part \"..\"";
	}
	return NULL;
}

static int keep(struct call *c, const char *op, const char *from, const char *to)
{
	int rc = store_fact_set(c->p->store, op, "from", from);

	return rc ? rc : store_fact_set(c->p->store, op, "to", to);
}

static int begin(struct call *c, const struct sv_instance *i, const char *to)
{
	const struct sv_model *m = c->obj;
	struct flow_want want = { .type = &flow_model_copy,
		.account = c->account,
		.resource = m->id,
		.other = i->id,
		.shown = i->id };
	char op[64];
	int rc;

	store_id(c->p->store, "op_", op, sizeof(op));
	rc = keep(c, op, m->path, to);
	if (!rc)
		rc = flow_start(c->p, &want, op, sizeof(op));
	if (!rc)
		rc = doc_answer(c, &sv_operation_kind, op, NULL);
	c->status = 202;
	return rc;
}

int local_model_copy(struct call *c)
{
	const struct sv_model_copy_body *b = c->in;
	const char *wrong = path_wrong(b->path);
	struct sv_instance *i;
	void *obj = NULL;
	int rc = doc_find(c, &sv_instance_kind, b->instance, "instance", &obj);

	i = obj;
	if (!rc && wrong)
		rc = sv_err_field(&c->err, "path", "path", "%s", wrong);
	if (!rc)
		rc = flow_free(c->p, i->id, 0, &c->err);
	if (!rc && !instance_is(i, "running"))
		rc = sv_err_wire(
			&c->err, "invalid_state", "the instance is %s; it must run", i->status);
	if (!rc && !(c->p->caps & ENGINE_EXEC))
		rc = sv_err_wire(
			&c->err, "invalid_state", "engine %s has no files inside", c->p->ops->name);
	if (!rc)
		rc = begin(c, i, b->path);
	sv_free(obj);
	return rc;
}

/* $1 the model, $2 the folder, $3 what is still to be looked at, beside the rest of it. A copy of a
 * platform that died may still be writing: each writes into a folder of its own. */
static const char copying[] =
	"mkdir -p -- \"$2\" && rm -rf -- \"$3\" \"$3\".* && mkdir -- \"$3.$$\" &&"
	" cp -r --no-preserve=mode,ownership -- \"$1\"/. \"$3.$$\"/ &&"
	" mv -T -- \"$3.$$\" \"$3\"";
static const char verifying[] =
	"cd -- \"$1\" && find . -type f -exec sha256sum {} + >\"$3.sums\" &&"
	" cd -- \"$3\" && sha256sum --quiet --strict -c \"$3.sums\" && rm -f -- \"$3.sums\"";
static const char placing[] =
	"[ -d \"$3\" ] || exit 0; cd -- \"$3\" &&"
	" find . -type d -exec sh -c 'cd -- \"$0\" && mkdir -p -- \"$@\"' \"$2\" {} + &&"
	" find . -type f -exec sh -c 'for f; do mv -f -- \"$f\" \"$0/$f\" || exit; done'"
	" \"$2\" {} + && cd / && rm -rf -- \"$3\"";
static const char clearing[] = "rm -rf -- \"$3\" \"$3\".*";

static int inside(struct flow *f, const char *script)
{
	char from[1100], to[1100], part[1200];
	const char *argv[] = { "sh", "-c", script, "copy", from, to, part, NULL };

	flow_fact(f, "from", from, sizeof(from));
	flow_fact(f, "to", to, sizeof(to));
	snprintf(part, sizeof(part), "%s/.%s", to, f->id);
	return flow_called(f,
		f->p->ops->exec(f->p->engine, f->other, argv, COPY_MS, 4096, flow_engine_done, f));
}

static int step_copy(struct flow *f)
{
	return inside(f, copying);
}

static int step_verify(struct flow *f)
{
	return inside(f, verifying);
}

static int step_place(struct flow *f)
{
	return inside(f, placing);
}

static int step_clear(struct flow *f)
{
	return inside(f, clearing);
}

static int step_done(struct flow *f)
{
	if (f->last.code < 0)
		return sv_err(&f->err, SV_FAILED, "%s", f->last.message);
	if (f->last.exit_code)
		return sv_err_wire(&f->err, "invalid_state", "%s ended with exit code %d: %s",
			f->type->steps[f->step].name, f->last.exit_code,
			f->note[0] ? f->note : "no message");
	return FLOW_DONE;
}

static void after(struct flow *f)
{
	instance_wake(f->p, f->other);
}

/* No file is seen before all of it has been compared; each comes whole. */
static const struct flow_step steps[] = {
	{ .name = "copy", .run = step_copy, .next = step_done, .undo = step_clear },
	{ .name = "verify", .run = step_verify, .next = step_done },
	{ .name = "place", .run = step_place, .next = step_done },
	{ 0 },
};
const struct flow_type flow_model_copy = { .type = "model.copy", .steps = steps, .after = after };
