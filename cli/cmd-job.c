/* SPDX-License-Identifier: MIT */
/* job run, job metrics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <starverse/client.h>
#include <starverse/instance.h>
#include <starverse/job.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "job-picture.h"
#include "said.h"
#include "send.h"

/* "/root/NAME" for a directory called NAME. */
static const char *workdir_for(struct call *call, const char *dir)
{
	char *real = realpath(dir, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL, *ret;
	struct text path = { 0 };

	text_fmt(&path, "/root/%s", slash && slash[1] ? slash + 1 : "work");
	ret = sv_strdup_in(call->in, text_of(&path));
	text_free(&path);
	free(real);
	return ret;
}

static int take_send(struct call *call, struct sv_job_create_body *b)
{
	const char *dir = opt_value(call, OPT_SEND);
	struct stat st;

	if (!dir)
		return 0;
	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return usage_error(call, _("--send %s: no such directory"), dir);
	b->hold = 1;
	sv_mark(b, hold);
	if (!b->workdir)
		b->workdir = workdir_for(call, dir);
	return 0;
}

static int take_body(struct call *call)
{
	struct sv_job_create_body *b;
	int rc = take_positionals(call, 0);

	if (rc)
		return rc;
	if (!call->in)
		call->in = sv_new(call->in_kind);
	b = call->in;
	for (size_t i = 0; i < call->after.n; i++)
		sv_strs_add(b, &b->command, call->after.v[i]);
	if (call->after.n)
		sv_mark(b, command);
	if (!b->command.n && !b->app)
		return usage_error(call, _("which command? it stands after --"));
	rc = take_send(call, b);
	return rc ? rc : check_body(call);
}

static int prepare(struct call *call)
{
	const struct sv_job_create_body *b;
	struct out o;
	int status = 0, rc;

	call->verb = sv_verb_find(call->kind, "create");
	rc = take_body(call);
	if (!rc)
		rc = out_open(&o, call, call->kind, 0);
	if (rc)
		return rc;
	out_drop(&o);
	if (!app_client(call->app, &status))
		return status;
	rc = resolve_refs(call);
	b = call->in;
	return rc || b->instance || opt_on(call, OPT_DRY_RUN) ? rc : ssh_key_ready(call);
}

static int answer(struct call *call, const void *job, int status)
{
	struct out o;
	int rc = out_open(&o, call, call->kind, 0);

	if (!rc)
		rc = out_item(&o, job);
	if (!rc)
		rc = out_close(&o);
	else
		out_drop(&o);
	return status ? status : rc;
}

static void money(const char *name, const struct sv_instance *i, char *buf, size_t size)
{
	sv_cell(sv_field_find(sv_kind_find("instance"), name), i, buf, size);
}

/* What goes on costing of the instance that was made for it. */
static void say_what_is_left(struct call *call, const struct sv_job *job)
{
	const struct sv_job_create_body *b = call->in;
	struct sv_instance *i = NULL;
	char price[40];

	if (b->instance || !job->instance ||
		sv_instance_get(call->app->client, job->instance, &i))
		return;
	if (i->billing_active) {
		money("price_per_hour", i, price, sizeof(price));
		note(call->app,
			_("instance %s goes on, %s an hour; svctl instance delete %s ends it"),
			i->name, price, i->id);
	} else if (i->residual_price_per_day &&
		   strcmp(job->then ? job->then : "", "release") != 0) {
		money("residual_price_per_day", i, price, sizeof(price));
		note(call->app,
			_("instance %s is turned off; its disks go on costing %s a day; svctl "
			  "instance delete %s ends that"),
			i->name, price, i->id);
	}
	sv_free(i);
}

/* Nobody else would end what waits for files that could not be sent. An interrupt is the reason
 * for this, and must not end it. */
static void give_up(struct call *call, const struct sv_job *job)
{
	struct text why = { 0 };

	if (sv_settled(sv_field_flagged(call->kind, SV_STATE), job->status))
		return;
	app_interrupts(call->app, 0);
	if (sv_job_cancel(call->app->client, job->id, NULL)) {
		note(call->app, _("job %s could not be cancelled: %s"), job->id,
			said(sv_client_error(call->app->client)->message, &why));
		note(call->app, _("svctl job cancel %s ends it"), job->id);
	} else {
		note(call->app, _("job %s is cancelled"), job->id);
	}
	say_what_is_left(call, job);
	app_interrupts(call->app, 1);
	text_free(&why);
}

/* Its instance runs, and it waits: the files go there, and it begins. */
static int send_and_start(struct call *call, void **job)
{
	struct sv_job *j, *next = NULL;
	int rc = wait_state(call, job, "waiting");

	j = *job;
	if (!rc)
		rc = send_files(call, j->instance, opt_value(call, OPT_SEND), j->workdir);
	if (!rc && sv_job_start(call->app->client, j->id, &next))
		rc = fail_call(call, sv_client_error(call->app->client), NULL);
	if (rc) {
		give_up(call, j);
		return rc;
	}
	sv_free(*job);
	*job = next;
	return 0;
}

static void summary(struct call *call, const struct sv_job *j)
{
	struct text cost = { 0 }, why = { 0 };
	struct column c;

	if (column_find(call->kind, "cost", &c, NULL)) {
		column_text(&c, j, &cost);
		column_free(&c);
	}
	if (j->message)
		note(call->app, _("job %s %s: %s, cost %s"), j->name, j->status,
			said(j->message, &why), text_of(&cost));
	else
		note(call->app, _("job %s %s, cost %s"), j->name, j->status, text_of(&cost));
	text_free(&cost);
	text_free(&why);
}

static int follow(struct call *call, void **job)
{
	struct sv_job *j = *job;
	char *name = mem_dup(j->name ? j->name : j->id, strlen(j->name ? j->name : j->id));
	int rc = follow_log(call, call->kind, j->id);

	if (!rc) {
		rc = wait_over(call, call->kind, job, name);
		summary(call, *job);
	} else if (rc > 128) {
		note(call->app, _("job %s goes on; svctl job cancel %s ends it"), name, j->id);
	}
	mem_free(name);
	return rc;
}

static int run(struct call *call)
{
	sv_client *c = call->app->client;
	void *job = NULL;
	char *name = NULL;
	int rc;

	if (sv_run(c, call->verb, NULL, call->in, &job))
		return fail_call(call, sv_client_error(c), _("job run"));
	name = mem_dup(name_of(call->kind, job), strlen(name_of(call->kind, job)));
	rc = opt_value(call, OPT_SEND) ? send_and_start(call, &job) : 0;
	if (!rc && (opt_on(call, OPT_DETACH) || opt_off(call, OPT_WAIT)))
		rc = answer(call, job, 0);
	else if (!rc && opt_on(call, OPT_FOLLOW))
		rc = follow(call, &job);
	else if (!rc)
		rc = answer(call, job, wait_over(call, call->kind, &job, name));
	mem_free(name);
	sv_free(job);
	return rc;
}

int cmd_job_run(struct call *call)
{
	struct hold hold = { 0 };
	int rc;

	if (opt_on(call, OPT_DETACH) && opt_on(call, OPT_FOLLOW))
		return usage_error(call, _("--detach and --follow exclude each other"));
	rc = prepare(call);
	if (rc)
		return rc;
	if (opt_on(call, OPT_DRY_RUN))
		return dry_run(call, NULL);
	hold_begin(call->app, &hold);
	rc = run(call);
	hold_end(call->app, &hold);
	return rc;
}

/* A frame for each name: what is measured has scales of its own. */
static void draw(struct call *call, const struct sv_job_metrics *m)
{
	struct chart_style style = chart_style_of(call->app);
	struct text t = { 0 };

	for (size_t i = 0; i < m->series.n; i++) {
		const struct sv_job_series *s = m->series.v[i];
		const char *label = "";
		struct picture p;

		picture_make(&p, s->name, &label, &s, 1);
		chart_curves(&t, &style, NULL, &p.axes, p.curves, p.n);
		picture_free(&p);
	}
	sink_add(&call->app->out, text_of(&t), t.n);
	text_free(&t);
}

int cmd_job_metrics(struct call *call)
{
	const struct sv_kind *series = sv_field_find(sv_verb_find(call->kind, "metrics")->out,
					       "series")->kind;
	struct sv_job_metrics *m = NULL;
	void *job = NULL;
	struct out o;
	int rc;

	if (call->plain.n != 1)
		return usage_error(call, _("which job?"));
	rc = out_open(&o, call, series, 1);
	if (rc)
		return rc;
	if (opt_on(call, OPT_CHART) && o.format != &out_table) {
		out_drop(&o);
		return usage_error(call, _("--chart is a picture: it has no -o"));
	}
	rc = resolve(call, call->kind, call->plain.v[0], &job);
	if (!rc && sv_job_metrics(call->app->client, id_of(call->kind, job), call->in, &m))
		rc = fail_call(call, sv_client_error(call->app->client), call->plain.v[0]);
	for (size_t i = 0; !rc && i < m->series.n; i++)
		rc = out_item(&o, m->series.v[i]);
	if (!rc)
		rc = out_close(&o);
	else
		out_drop(&o);
	if (!rc && opt_on(call, OPT_CHART))
		draw(call, m);
	sv_free(m);
	sv_free(job);
	return rc;
}
