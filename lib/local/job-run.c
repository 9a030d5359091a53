/* SPDX-License-Identifier: MIT */
/* From turn to turn: a job waits for its instance, its disk and its turn, is begun, and ends. */
#include "local/job-inside.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "local/catalog.h"
#include "local/due.h"

#define READ_MS      1000 /* between two readings of what one measures */
#define AGAIN_MS     500  /* before an instance that stands still is asked again */
#define HOLD_SECONDS 900  /* the longest that files may take from when the instance runs */
#define ENV_MOST     512

int job_get(struct platform *p, const char *id, struct sv_job **ret)
{
	void *obj = NULL;
	int rc = doc_get(p, &sv_job_kind, id, &obj);

	*ret = obj;
	return rc;
}

int job_put(struct platform *p, const char *account, struct sv_job *j)
{
	return store_put(p->store, &sv_job_kind, account, j, platform_now(p));
}

int job_is(const struct sv_job *j, const char *status)
{
	return j->status && !strcmp(j->status, status);
}

int job_settled(const struct sv_job *j)
{
	return sv_settled(sv_field_flagged(&sv_job_kind, SV_STATE), j->status ? j->status : "") ==
	       1;
}

void job_why(struct sv_job *j, const char *reason, const char *message)
{
	doc_text(j, j, reason, reason);
	doc_text(j, j, message, message);
}

int64_t job_fact(struct platform *p, const char *id, const char *name, int64_t otherwise)
{
	char text[40];
	int64_t v;

	return sv_parse_int(doc_fact(p, id, name, text, sizeof(text)), &v) ? otherwise : v;
}

int job_fact_set(struct platform *p, const char *id, const char *name, int64_t value)
{
	char text[40];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	return store_fact_set(p->store, id, name, text);
}

struct job_run *job_run_of(struct platform *p, const char *id)
{
	for (struct job_run *r = p->jobs; r; r = r->next)
		if (!r->over && !strcmp(r->id, id))
			return r;
	return NULL;
}

struct job_run *job_run_add(struct platform *p, const char *account, const struct sv_job *j)
{
	struct job_run *r = sv_malloc(sizeof(*r)), **at = &p->jobs;

	if (!r)
		return NULL;
	memset(r, 0, sizeof(*r));
	r->p = p;
	r->look = 1;
	r->resting = p->caps & ENGINE_INSTANT ? 0 : 2;
	snprintf(r->id, sizeof(r->id), "%s", j->id);
	snprintf(r->account, sizeof(r->account), "%s", account);
	snprintf(r->instance, sizeof(r->instance), "%s", j->instance ? j->instance : "");
	while (*at)
		at = &(*at)->next;
	*at = r;
	return r;
}

void jobs_touch(struct platform *p, const char *instance)
{
	for (struct job_run *r = p->jobs; r; r = r->next)
		if (!strcmp(r->instance, instance))
			r->look = 1;
}

void job_task_ended(void *data, const char *task)
{
	struct job_run *r = job_run_of(data, task);

	if (r)
		r->look = 1;
}

/* 1 when the instance will not run any more without somebody's doing. */
static int is_down(const struct sv_instance *i)
{
	static const char *const down[] = { "stopping", "stopped", "suspended", "error",
		"releasing", "released" };

	for (size_t k = 0; i && k < sizeof(down) / sizeof(down[0]); k++)
		if (instance_is(i, down[k]))
			return 1;
	return !i;
}

/* 1 when a job may begin on it: it runs, and not only until an operation is over. */
static int is_up(const struct sv_instance *i)
{
	return i && instance_is(i, "running") && i->billing_active;
}

static int wait_for(struct job_run *r, struct sv_job *j, const char *status, const char *reason,
	const char *message)
{
	if (job_is(j, status) && j->reason && !strcmp(j->reason, reason))
		return SV_OK;
	doc_text(j, j, status, status);
	job_why(j, reason, message);
	return job_put(r->p, r->account, j);
}

/* One at a time on an instance, in the order in which they came. */
static int has_turn(const struct job_run *r)
{
	for (const struct job_run *o = r->p->jobs; o && o != r; o = o->next)
		if (!o->over && !strcmp(o->instance, r->instance))
			return 0;
	return 1;
}

static int hold(struct job_run *r, struct sv_job *j)
{
	int64_t now = platform_now(r->p);
	int rc = SV_OK;

	if (due_at(r->p->store, j->id, "job_hold") < 0)
		rc = due_set(r->p->store, j->id, "job_hold", now + HOLD_SECONDS);
	return rc ? rc : wait_for(r, j, "waiting", "files", "waits for its files");
}

static int never_begun(struct job_run *r, struct sv_job *j, const struct sv_instance *i,
	const char *reason, const char *message)
{
	struct engine_task_status st = { .exit_code = -1, .peak_bytes = -1, .lasts = -1 };

	job_why(j, reason, message);
	doc_text(j, j, status, "stopping");
	return job_finish(r, j, i, &st);
}

static int waits(struct job_run *r, struct sv_job *j, const struct sv_instance *i)
{
	const struct sv_instance_mount *m =
		j->checkpoint && i ? mount_of(i, j->checkpoint->disk) : NULL;
	char held[8];

	if (is_down(i))
		return never_begun(r, j, i, "instance",
			i && i->status_reason && i->status_reason->message
				? i->status_reason->message
				: "its instance does not run");
	if (!is_up(i))
		return wait_for(r, j, "queued", "instance", "waits until its instance runs");
	if (j->checkpoint && !m)
		return never_begun(r, j, i, "checkpoint", "its disk could not be attached");
	if (m && strcmp(m->state ? m->state : "", "attached") != 0)
		return wait_for(r, j, "queued", "checkpoint", "waits for its disk");
	if (!has_turn(r))
		return wait_for(r, j, "queued", "turn", "waits for another job on its instance");
	if (doc_fact(r->p, j->id, "hold", held, sizeof(held))[0])
		return hold(r, j);
	doc_text(j, j, status, "starting");
	job_why(j, NULL, NULL);
	r->resting = r->p->caps & ENGINE_INSTANT ? 0 : 2;
	r->look = 1;
	return due_clear(r->p->store, j->id, "job_hold") ? SV_SERVER
							 : job_put(r->p, r->account, j);
}

static void begun(void *data, const struct engine_result *result)
{
	struct job_run *r = data;

	r->result = *result;
	r->result.out = r->result.err = NULL;
	r->answered = 1;
	r->look = 1;
}

static const char *line_of(void *root, const char *key, const char *value)
{
	struct sv_buf b;
	const char *line;

	sv_buf_init(&b, 1 << 20);
	sv_buf_fmt(&b, "%s=%s", key, value ? value : "");
	line = sv_strdup_in(root, sv_buf_text(&b));
	sv_buf_free(&b);
	return line;
}

static void call_engine(struct job_run *r, struct sv_job *j)
{
	const char *argv[4098], *env[ENV_MOST + 3];
	struct engine_task t = { .id = j->id,
		.argv = argv,
		.env = env,
		.workdir = j->workdir,
		.log_most = catalog_settings(r->p->catalog)->job_log_max_bytes };
	size_t n = 0, k = 0;
	int rc;

	for (; k < j->command.n && k < 4096; k++)
		argv[k] = j->command.v[k];
	argv[k] = NULL;
	for (; n < j->env.n && n < ENV_MOST; n++)
		env[n] = line_of(j, j->env.keys[n], j->env.values[n]);
	env[n++] = line_of(j, "STARVERSE_JOB", j->id);
	if (j->checkpoint) {
		t.keep = j->checkpoint->path;
		t.keep_seconds = (int)j->checkpoint->every_seconds;
		env[n++] = line_of(j, "STARVERSE_CHECKPOINT", t.keep);
	}
	env[n] = NULL;
	r->calling = 1;
	rc = r->p->ops->task_start(r->p->engine, r->instance, &t, begun, r);
	if (rc < 0) {
		struct engine_result failed = { .code = rc };

		snprintf(failed.message, sizeof(failed.message), "the engine refused: %s",
			sv_strerror(rc));
		begun(r, &failed);
	}
}

/* It runs: from here its own limits count. */
static int running(struct job_run *r, struct sv_job *j, const struct sv_instance *i)
{
	struct platform *p = r->p;
	struct engine_task_status st = { .lasts = -1 };
	int64_t now = platform_now(p), at = now;
	char own[64];
	int rc;

	if (p->ops->task_watch(p->engine, r->instance, r->id))
		r->look = 1; /* it may have ended already */
	p->ops->task_status(p->engine, r->instance, r->id, &st);
	if (!p->clock.stepped && st.started_at > 0 && st.started_at < now)
		at = st.started_at;
	doc_text(j, j, status, "running");
	job_why(j, NULL, NULL);
	doc_put(j, started_at, at);
	doc_put(j, price_per_hour, i->price_per_hour);
	doc_fact(p, r->instance, "job", own, sizeof(own));
	rc = job_fact_set(p, j->id, "base",
		!strcmp(own, j->id) ? 0 : ledger_cost(p->ledger, r->instance, at));
	if (!rc && st.lasts >= 0)
		rc = job_fact_set(p, j->id, "exit", st.exit_code);
	if (!rc && st.lasts >= 0)
		rc = due_set(p->store, j->id, "job_end", at + st.lasts);
	if (!rc)
		rc = job_put(p, r->account, j);
	if (!rc)
		rc = job_arm(p, j);
	if (!rc)
		rc = platform_event(p, r->account, "job.running", "platform", j->id,
			"%s runs on %s", j->name, i->name);
	return rc || st.lasts ? rc : job_due_end(p, j->id, at); /* it is over at once */
}

static int begins(struct job_run *r, struct sv_job *j, const struct sv_instance *i)
{
	if (!r->calling && !r->answered) {
		if (!is_up(i))
			return waits(r, j, i);
		call_engine(r, j);
	}
	if (!r->answered) {
		r->look = 0;
		return SV_OK;
	}
	r->calling = r->answered = 0;
	if (is_down(i)) {
		r->p->ops->task_stop(r->p->engine, r->instance, r->id);
		return never_begun(r, j, i, "instance", "its instance does not run");
	}
	if (!r->result.code)
		return running(r, j, i);
	if (r->result.code != SV_CONFLICT)
		return never_begun(r, j, i, "start_failed", r->result.message);
	r->again_ms = sv_mono_ms() + AGAIN_MS;
	return SV_OK;
}

static int ends(struct job_run *r, struct sv_job *j, const struct sv_instance *i)
{
	struct engine_task_status st = { .exit_code = -1, .peak_bytes = -1, .lasts = -1 };
	struct platform *p = r->p;
	int unseen;

	if (r->calling && !r->answered)
		return SV_OK;
	/* First of all: an engine of records knows what an earlier daemon began only by this. */
	unseen = !r->told && p->ops->task_watch(p->engine, r->instance, r->id);
	if (job_is(j, "stopping") && !r->told) {
		r->told = 1;
		p->ops->task_stop(p->engine, r->instance, r->id);
	}
	if (p->ops->task_status(p->engine, r->instance, r->id, &st))
		return SV_SERVER;
	if (st.state == ENGINE_TASK_RUNNING) {
		r->look |= unseen;
		return job_is(j, "running") ? job_arm(p, j) : SV_OK;
	}
	return job_finish(r, j, i, &st);
}

static int advance(struct job_run *r)
{
	struct sv_instance *i = NULL;
	struct sv_job *j = NULL;
	int rc = job_get(r->p, r->id, &j);

	if (rc == SV_NOTFOUND || (!rc && job_settled(j))) {
		/* The turn that made it was undone, or it is over. */
		r->over = 1;
		sv_free(j);
		return SV_OK;
	}
	if (!rc)
		rc = instance_get(r->p, r->instance, &i);
	if (rc == SV_NOTFOUND)
		rc = SV_OK;
	if (!rc && (job_is(j, "queued") || job_is(j, "waiting")))
		rc = waits(r, j, i);
	else if (!rc && job_is(j, "starting"))
		rc = begins(r, j, i);
	else if (!rc)
		rc = ends(r, j, i);
	sv_free(j);
	sv_free(i);
	return rc;
}

static void one_turn(struct job_run *r)
{
	int rc;

	if (r->over || (r->resting && --r->resting))
		return;
	if (r->again_ms && sv_mono_ms() >= r->again_ms) {
		r->again_ms = 0;
		r->look = 1;
	}
	if (r->look) {
		r->look = 0;
		if (store_mark(r->p->store))
			return;
		rc = advance(r);
		store_release(r->p->store, rc >= 0);
		if (rc < 0) {
			r->over = 0;
			r->again_ms = sv_mono_ms() + AGAIN_MS;
			platform_log(r->p, "job %s: %s; again in %d ms", r->id, sv_strerror(rc),
				AGAIN_MS);
		}
	} else if (sv_mono_ms() - r->read_ms >= READ_MS) {
		r->read_ms = job_metrics_read(r->p, r->id, 0) == 1 ? 0 : sv_mono_ms();
	}
}

static void reap(struct platform *p)
{
	struct job_run **at = &p->jobs;

	while (*at) {
		struct job_run *r = *at;

		if (r->over && !(r->calling && !r->answered)) {
			*at = r->next;
			sv_mfree(r);
		} else {
			at = &r->next;
		}
	}
}

void jobs_turn(struct platform *p)
{
	for (struct job_run *r = p->jobs; r; r = r->next)
		one_turn(r);
	reap(p);
}

int jobs_ready(struct platform *p)
{
	for (const struct job_run *r = p->jobs; r; r = r->next)
		if (!r->over && (r->look || r->resting))
			return 1;
	return 0;
}

int jobs_active(struct platform *p)
{
	int n = 0;

	for (const struct job_run *r = p->jobs; r; r = r->next)
		n += !r->over;
	return n;
}

static int take_up(void *data, const char *account, void *obj)
{
	struct job_run *r = job_run_add(data, account, obj);

	return r ? 0 : SV_NOMEM;
}

int jobs_open(struct platform *p)
{
	static const char *const states[] = { "stopping", "running", "starting", "waiting",
		"queued" };
	int rc = job_metrics_open(p->store);

	for (size_t k = 0; !rc && k < sizeof(states) / sizeof(states[0]); k++)
		rc = store_each(p->store, &sv_job_kind, NULL, states[k], take_up, p);
	for (struct job_run *r = p->jobs; !rc && r; r = r->next) {
		struct sv_job *j = NULL;

		rc = job_get(p, r->id, &j);
		/* What has ended has done so before anything falls due now. */
		if (!rc && (job_is(j, "running") || job_is(j, "stopping"))) {
			r->resting = 0;
			one_turn(r);
		}
		sv_free(j);
	}
	return rc;
}

void jobs_close(struct platform *p)
{
	while (p->jobs) {
		struct job_run *r = p->jobs;

		p->jobs = r->next;
		sv_mfree(r);
	}
}
