/* SPDX-License-Identifier: MIT */
/* Making a job: everything is looked at first; then its instance, its disk, its document. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/field.h"
#include "local/instance-plan.h"
#include "local/job-inside.h"

#define ARGUMENTS_MOST 4096
#define COMMAND_MOST   ((size_t)128 << 10)
#define ENV_MOST       512
#define WORKDIR        "/root"

static const char *workdir_wrong(const char *path)
{
	size_t len = strlen(path);

	if (len > 1023)
		return "is longer than 1023 bytes";
	if (!sv_utf8_valid(path, len))
		return "is not valid UTF-8";
	for (const char *at = path; *at; at++)
		if ((unsigned char)*at < 32 || *at == 127)
			return "must not have control characters";
	if (strstr(path, "/../") || (len > 2 && !strcmp(path + len - 3, "/..")))
		return "must not have the part \"..\"";
	return NULL;
}

static void check(struct call *c, const struct sv_job_create_body *b)
{
	const char *wrong = b->name ? doc_name_wrong(b->name) : NULL;
	size_t len = 0;

	for (size_t k = 0; k < b->command.n; k++)
		len += strlen(b->command.v[k]) + 1;
	if (wrong)
		sv_err_field(&c->err, "name", "value", "%s", wrong);
	if (b->command.n > ARGUMENTS_MOST || len > COMMAND_MOST)
		sv_err_field(&c->err, "command", "length",
			"has more than %d arguments, or more than 128 KiB of them", ARGUMENTS_MOST);
	wrong = b->workdir ? workdir_wrong(b->workdir) : NULL;
	if (wrong)
		sv_err_field(&c->err, "workdir", "path", "%s", wrong);
	if (b->env.n > ENV_MOST)
		sv_err_field(
			&c->err, "env", "length", "has more than %d variables", ENV_MOST);
	plan_env(c, &b->env);
}

/* The program's own name, without its directory and without an interpreter's. */
static const char *name_of(const struct sv_job_create_body *b, const struct sv_app *app)
{
	const char *first = b->command.n ? b->command.v[0] : NULL, *slash;

	if (b->name)
		return b->name;
	if (app && app->name)
		return app->name;
	slash = first ? strrchr(first, '/') : NULL;
	first = slash && slash[1] ? slash + 1 : first;
	return first && !doc_name_wrong(first) ? first : "job";
}

/* What the body says of the job itself. */
static int fill(struct sv_job *j, const struct sv_job_create_body *b, const struct sv_app *app)
{
	doc_text(j, j, name, name_of(b, app));
	doc_text(j, j, status, "queued");
	job_why(j, "instance", "waits until its instance runs");
	for (size_t k = 0; k < b->command.n; k++)
		sv_strs_add(j, &j->command, b->command.v[k]);
	if (!b->command.n) {
		sv_strs_add(j, &j->command, "sh");
		sv_strs_add(j, &j->command, "-c");
		sv_strs_add(j, &j->command, app->command);
	}
	sv_mark(j, command);
	for (size_t k = 0; k < b->env.n; k++)
		sv_map_set(j, &j->env, b->env.keys[k], b->env.values[k]);
	sv_mark(j, env);
	for (size_t k = 0; k < b->labels.n; k++)
		sv_map_set(j, &j->labels, b->labels.keys[k], b->labels.values[k]);
	sv_mark(j, labels);
	doc_text(j, j, workdir, b->workdir ? b->workdir : WORKDIR);
	doc_text(j, j, then, b->then ? b->then : b->instance ? "keep" : "stop");
	doc_null(j, max_runtime_seconds);
	if (sv_has(b, max_runtime_seconds) && !sv_is_null(b, max_runtime_seconds))
		doc_put(j, max_runtime_seconds, b->max_runtime_seconds);
	doc_null(j, max_cost);
	if (sv_has(b, max_cost) && !sv_is_null(b, max_cost))
		doc_put(j, max_cost, b->max_cost);
	doc_null(j, checkpoint);
	doc_null(j, exit_code);
	doc_null(j, price_per_hour);
	doc_null(j, peak_memory_bytes);
	doc_null(j, started_at);
	doc_null(j, finished_at);
	doc_put(j, cost, 0);
	return SV_OK;
}

static int fill_checkpoint(struct sv_job *j, const struct sv_job_checkpoint *c, const char *disk)
{
	j->checkpoint = sv_new_in(j, &sv_job_checkpoint_kind);
	if (!j->checkpoint)
		return SV_NOMEM;
	doc_put(j, checkpoint, j->checkpoint);
	doc_text(j, j->checkpoint, disk, disk);
	doc_text(j, j->checkpoint, path, c->path);
	doc_null(j->checkpoint, every_seconds);
	if (sv_has(c, every_seconds) && !sv_is_null(c, every_seconds))
		doc_put(j->checkpoint, every_seconds, c->every_seconds);
	return SV_OK;
}

/* Where it runs, as the instance's document says it. */
static void place(struct sv_job *j, const struct sv_instance *i)
{
	doc_text(j, j, instance, i->id);
	doc_text(j, j, app, i->app);
	doc_text(j, j, image, i->image);
	doc_text(j, j, gpu, i->gpu);
	doc_put(j, gpu_count, i->gpu_count);
}

static int keep(struct call *c, struct sv_job *j, const struct sv_job_create_body *b)
{
	int rc = b->hold ? store_fact_set(c->p->store, j->id, "hold", "1") : SV_OK;

	if (!rc)
		rc = job_put(c->p, c->account, j);
	if (!rc)
		rc = platform_event(c->p, c->account, "job.created", c->account, j->id, "%s on %s",
			j->name, j->instance);
	if (!rc && !job_run_add(c->p, c->account, j))
		rc = SV_NOMEM;
	return rc;
}

/* What is said of the instance's body is of the job's. */
static void rename_field(char *field, size_t size, int checkpoint)
{
	char tail[96];

	if (!strcmp(field, "auto_stop.max_cost")) {
		snprintf(field, size, "max_cost");
	} else if (checkpoint && !strncmp(field, "disks.", 6)) {
		snprintf(tail, sizeof(tail), "%s", field + 6);
		snprintf(field, size, "checkpoint.%.80s", tail);
	}
}

static void rename_fields(struct sv_error *err, int checkpoint)
{
	for (size_t k = 0; k < err->n_errors; k++)
		rename_field(err->errors[k].field, sizeof(err->errors[k].field), checkpoint);
	rename_field(err->field, sizeof(err->field), checkpoint);
}

/* The instance's body: what the job's has of it. */
struct sv_instance_create_body *job_instance_body(const struct sv_job_create_body *b)
{
	struct sv_instance_create_body *i = sv_new(&sv_instance_create_body_kind);
	struct sv_disk_mount *m;

	if (!i || field_copy(i, &sv_instance_create_body_kind, i, &sv_job_create_body_kind, b, 0))
		return i;
	/* The environment and the limits are the job's alone. */
	i->env.n = 0;
	if (b->checkpoint) {
		struct sv_list disks = i->disks;

		i->disks = (struct sv_list){ 0 };
		for (size_t k = 0; k < disks.n; k++)
			sv_list_add(i, &i->disks, disks.v[k]);
		m = sv_new_in(i, &sv_disk_mount_kind);
		if (m) {
			m->disk = b->checkpoint->disk;
			m->path = b->checkpoint->path;
			sv_list_add(i, &i->disks, m);
		}
	}
	if (sv_has(b, max_cost) && !sv_is_null(b, max_cost)) {
		i->auto_stop = sv_new_in(i, &sv_instance_auto_stop_kind);
		if (i->auto_stop)
			doc_put(i->auto_stop, max_cost, b->max_cost);
	}
	return i;
}

static const char *disk_at(const struct sv_instance *i, const char *path)
{
	for (size_t k = 0; k < i->mounts.n; k++) {
		const struct sv_instance_mount *m = i->mounts.v[k];

		if (m->path && !strcmp(m->path, path))
			return m->id;
	}
	return NULL;
}

static int carry_out(struct call *c, struct plan *p, struct sv_job *j,
	const struct sv_job_create_body *b)
{
	int rc;

	if (!b->command.n && !(p->app && p->app->command))
		return sv_err_field(&c->err, "command", "required",
			"names no program, and the app has none of its own");
	fill(j, b, p->app);
	if (b->checkpoint)
		fill_checkpoint(j, b->checkpoint, disk_at(p->i, b->checkpoint->path));
	/* The limits were looked at; it is the job that keeps them. */
	p->body->auto_stop = NULL;
	p->body->command = NULL;
	p->job = j->id;
	rc = plan_carry_out(p, &flow_instance_create);
	if (rc)
		return rc;
	place(j, c->out);
	sv_free(c->out);
	c->out = NULL;
	return keep(c, j, b);
}

static int on_new(struct call *c, struct sv_job *j, const struct sv_job_create_body *b)
{
	struct sv_instance_create_body *body = job_instance_body(b);
	struct plan p;
	int rc;

	if (!body)
		return SV_NOMEM;
	if (!body->name)
		body->name = name_of(b, NULL);
	rc = plan_make(&p, c, body);
	if (rc)
		rename_fields(&c->err, b->checkpoint && !b->disks.n);
	if (!rc && !b->name && p.app)
		body->name = p.app->name;
	if (!rc)
		rc = carry_out(c, &p, j, b);
	plan_free(&p);
	sv_free(body);
	return rc;
}

static int below(const char *path, const char *mount)
{
	size_t len = strlen(mount);

	return !strncmp(path, mount, len) && (!path[len] || path[len] == '/');
}

static int attach(struct call *c, const struct sv_job_checkpoint *want, struct sv_disk *d,
	const struct sv_instance *i)
{
	struct call sub = *c;
	struct sv_disk_attach_body *body = sv_new(&sv_disk_attach_body_kind);
	int rc;

	if (!body)
		return SV_NOMEM;
	body->instance = i->id;
	body->path = want->path;
	sub.kind = &sv_disk_kind;
	sub.verb = sv_verb_find(&sv_disk_kind, "attach");
	sub.id = d->id;
	sub.in = body;
	sub.obj = d;
	sub.out = NULL;
	rc = local_disk_attach(&sub);
	if (rc < 0)
		c->err = sub.err;
	sv_free(sub.out);
	sv_free(body);
	return rc;
}

/* The disk of a checkpoint on an instance that is there: attached already where it should be, or
 * now. */
static int bring_disk(struct call *c, struct sv_job *j, const struct sv_job_checkpoint *want,
	const struct sv_instance *i)
{
	const struct sv_disk_attachment *at;
	struct sv_disk *d;
	void *obj = NULL;
	int rc = doc_find(c, &sv_disk_kind, want->disk, "checkpoint.disk", &obj);

	if (rc)
		return rc;
	d = obj;
	at = d->attachment;
	rc = fill_checkpoint(j, want, d->id);
	if (rc || (at && !strcmp(at->instance, i->id) && below(want->path, at->path))) {
		if (!rc && at->read_only)
			rc = sv_err_field(&c->err, "checkpoint.disk", "read_only",
				"%s is attached read-only", d->name);
	} else if (at && !strcmp(at->instance, i->id)) {
		rc = sv_err_field(&c->err, "checkpoint.path", "path",
			"%s is attached at %s: give that directory, or one below it", d->name,
			at->path);
	} else {
		rc = attach(c, want, d, i);
	}
	sv_free(d);
	return rc;
}

static int may_run_on(struct call *c, const struct sv_instance *i)
{
	static const char *const well[] = { "queued", "provisioning", "starting", "running",
		"restarting", "resizing", "saving_image" };

	for (size_t k = 0; k < sizeof(well) / sizeof(well[0]); k++)
		if (instance_is(i, well[k]))
			return SV_OK;
	sv_err_wire(&c->err, "invalid_state", "instance %s is %s", i->name, i->status);
	if (instance_is(i, "stopped"))
		sv_err_hint(&c->err, "svctl instance start %s", i->name);
	return SV_CONFLICT;
}

static int on_existing(struct call *c, struct sv_job *j, const struct sv_job_create_body *b)
{
	struct sv_instance *i;
	void *obj = NULL;
	int rc = doc_find(c, &sv_instance_kind, b->instance, "instance", &obj);

	if (rc)
		return rc;
	i = obj;
	fill(j, b, NULL);
	place(j, i);
	rc = may_run_on(c, i);
	if (!rc && b->checkpoint)
		rc = bring_disk(c, j, b->checkpoint, i);
	if (!rc)
		rc = keep(c, j, b);
	sv_free(i);
	return rc;
}

int local_job_create(struct call *c)
{
	const struct sv_job_create_body *b = c->in;
	struct sv_job *j = sv_new(&sv_job_kind);
	char id[64];
	int rc;

	if (!j)
		return SV_NOMEM;
	check(c, b);
	store_id(c->p->store, "job_", id, sizeof(id));
	doc_text(j, j, id, id);
	rc = c->err.code;
	if (!rc)
		rc = b->instance ? on_existing(c, j, b) : on_new(c, j, b);
	sv_free(j);
	return rc ? rc : doc_answer(c, &sv_job_kind, id, NULL);
}
