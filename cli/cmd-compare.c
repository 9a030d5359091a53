/* SPDX-License-Identifier: MIT */
/* job compare: for people a column for each job, with the difference to the first; for programs one
 * object each. */
#include <stdio.h>
#include <string.h>

#include <starverse/client.h>
#include <starverse/job.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

#define JOBS_MOST 8

/* A line of the table: what is compared, then each job's. */
struct line {
	struct sv_set set;
	const char *cells[1 + JOBS_MOST];
};

struct table {
	struct sv_field fields[1 + JOBS_MOST];
	struct sv_kind kind;
	struct out o;
};

/* The job's field, and the same field of its difference. */
static const struct {
	const char *title, *field;
} rows[] = {
	{ N_("status"), "status" },
	{ N_("gpu"), "gpu" },
	{ N_("gpu count"), "gpu_count" },
	{ N_("time"), "seconds" },
	{ N_("steps"), "steps" },
	{ N_("steps a second"), "steps_per_second" },
	{ N_("peak memory"), "peak_memory_bytes" },
	{ N_("price an hour"), "price_per_hour" },
	{ N_("cost"), "cost" },
	{ N_("cost of 1000 steps"), "cost_per_1000_steps" },
};

static void percent(struct text *t, double v)
{
	text_fmt(t, " (%+.1f %%)", v);
}

static void cell(const struct out *o, const struct sv_kind *kind, const struct sv_job_compared *j,
	const char *field, struct text *ret)
{
	const struct sv_field *d;
	struct column c;

	if (column_find(kind, field, &c, NULL)) {
		column_human(o, &c, j, ret);
		column_free(&c);
	}
	d = j->difference ? sv_field_find(sv_field_find(kind, "difference")->kind, field) : NULL;
	if (d && d->type == SV_NUM && sv_field_has(d, j->difference) &&
		!sv_field_is_null(d, j->difference))
		percent(ret,
			*(const double *)(const void *)((const char *)j->difference + d->offset));
}

static const struct sv_job_series *series_of(const struct sv_job_compared *j, const char *name)
{
	for (size_t k = 0; k < j->series.n; k++) {
		const struct sv_job_series *s = j->series.v[k];

		if (s->name && !strcmp(s->name, name))
			return s;
	}
	return NULL;
}

/* A measurement's last value. */
static void measured(const struct sv_job_compared *first, const struct sv_job_compared *j,
	const char *name, struct text *ret)
{
	const struct sv_job_series *a = series_of(first, name), *s = series_of(j, name);

	if (!s || sv_is_null(s, last)) {
		text_str(ret, "-");
		return;
	}
	text_fmt(ret, "%.6g", s->last);
	if (s != a && a && !sv_is_null(a, last) && a->last != 0)
		percent(ret, (s->last - a->last) / (a->last < 0 ? -a->last : a->last) * 100);
}

static int put_line(struct table *t, const char *title, struct text *cells, size_t n)
{
	struct line line = { .cells = { title } };

	for (size_t i = 0; i < n; i++)
		line.cells[1 + i] = text_of(&cells[i]);
	for (size_t i = 0; i <= n; i++)
		sv_field_mark(&t->fields[i], &line);
	return out_item(&t->o, &line);
}

static int put_all(struct table *t, const struct sv_kind *kind, const struct sv_job_comparison *all)
{
	const struct sv_job_compared *first = all->jobs.v[0];
	size_t n = all->jobs.n, n_rows = COUNT(rows) + first->series.n;
	int rc = 0;

	for (size_t r = 0; !rc && r < n_rows; r++) {
		const struct sv_job_series *s =
			r < COUNT(rows) ? NULL : first->series.v[r - COUNT(rows)];
		struct text cells[JOBS_MOST] = { { 0 } };

		for (size_t i = 0; i < n; i++)
			if (s)
				measured(first, all->jobs.v[i], s->name, &cells[i]);
			else
				cell(&t->o, kind, all->jobs.v[i], rows[r].field, &cells[i]);
		rc = put_line(t, s ? s->name : _(rows[r].title), cells, n);
		for (size_t i = 0; i < n; i++)
			text_free(&cells[i]);
	}
	return rc;
}

/* The columns are called after the jobs. */
static int table(
	struct call *call, const struct sv_kind *kind, const struct sv_job_comparison *all)
{
	struct table t = { .kind = { .name = "compared",
				   .help = "a line",
				   .n = (uint32_t)(1 + all->jobs.n),
				   .size = sizeof(struct line) } };
	int rc;

	t.kind.fields = t.fields;
	for (size_t i = 0; i <= all->jobs.n; i++)
		t.fields[i] = (struct sv_field){ .name = "job",
			.help = "a job's",
			.offset = (uint16_t)(offsetof(struct line, cells) + i * sizeof(char *)),
			.type = SV_STR,
			.flags = SV_COL };
	for (size_t i = 0; i < all->jobs.n; i++) {
		const struct sv_job_compared *j = all->jobs.v[i];

		t.fields[1 + i].name = j->name ? j->name : j->id;
	}
	rc = out_open(&t.o, call, &t.kind, 1);
	if (!rc)
		rc = put_all(&t, kind, all);
	if (!rc)
		return out_close(&t.o);
	out_drop(&t.o);
	return rc;
}

static int objects(
	struct call *call, const struct sv_kind *kind, const struct sv_job_comparison *all)
{
	struct out o;
	int rc = out_open(&o, call, kind, 1);

	for (size_t i = 0; !rc && i < all->jobs.n; i++)
		rc = out_item(&o, all->jobs.v[i]);
	if (!rc)
		return out_close(&o);
	out_drop(&o);
	return rc;
}

static int fetch(struct call *call, struct sv_job_comparison **ret)
{
	const char *ids[JOBS_MOST + 1] = { NULL };
	void *jobs[JOBS_MOST] = { NULL };
	size_t n = call->plain.n;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		rc = resolve(call, call->kind, call->plain.v[i], &jobs[i]);
		ids[i] = rc ? NULL : id_of(call->kind, jobs[i]);
	}
	if (!rc && sv_job_compare(call->app->client, ids, ret))
		rc = fail_call(call, sv_client_error(call->app->client), _("job compare"));
	for (size_t i = 0; i < n; i++)
		sv_free(jobs[i]);
	return rc;
}

int cmd_job_compare(struct call *call)
{
	const struct sv_kind *kind =
		sv_field_find(sv_verb_find(call->kind, "compare")->out, "jobs")->kind;
	struct sv_job_comparison *all = NULL;
	struct out o;
	int rc, people;

	if (call->plain.n < 2 || call->plain.n > JOBS_MOST)
		return usage_error(call, _("which jobs? two to %d of them"), JOBS_MOST);
	rc = out_open(&o, call, kind, 1);
	if (rc)
		return rc;
	people = (o.format == &out_table || o.format == &out_wide) && !call->opt[OPT_COLUMNS].n;
	out_drop(&o);
	rc = fetch(call, &all);
	if (!rc && all->jobs.n)
		rc = people ? table(call, kind, all) : objects(call, kind, all);
	sv_free(all);
	return rc;
}
