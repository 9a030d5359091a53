/* SPDX-License-Identifier: MIT */
/* job compare: for people a column for each job, with the difference to the first, and pictures;
 * for programs one object each. */
#include <stdio.h>
#include <string.h>

#include <starverse/client.h>
#include <starverse/job.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "job-picture.h"
#include "page.h"

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
	const struct sv_field *f = sv_field_find(kind, field), *d;
	struct column c;

	if (f->type == SV_NUM && sv_field_has(f, j) && !sv_field_is_null(f, j)) {
		text_fmt(ret, "%.4g", *(const double *)(const void *)((const char *)j + f->offset));
	} else if (!strcmp(field, "peak_memory_bytes") && !sv_is_null(j, peak_memory_bytes)) {
		text_fmt(ret, "%.1f MiB", (double)j->peak_memory_bytes / 1048576);
	} else if (column_find(kind, field, &c, NULL)) {
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

typedef int line_fn(void *data, const char *title, struct text *cells, size_t n);

/* Every line that is compared: what the jobs are, and what they have measured. */
static int each_line(const struct out *o, const struct sv_kind *kind,
	const struct sv_job_comparison *all, line_fn *fn, void *data)
{
	const struct sv_job_compared *first = all->jobs.v[0];
	size_t n = all->jobs.n, n_rows = COUNT(rows) + first->series.n;
	int rc = 0;

	for (size_t r = 0; !rc && r < n_rows; r++) {
		const struct sv_job_series *s =
			r < COUNT(rows) ? NULL : first->series.v[r - COUNT(rows)];
		struct text cells[JOBS_MOST] = { { 0 } }, title = { 0 };

		for (size_t i = 0; i < n; i++)
			if (s)
				measured(first, all->jobs.v[i], s->name, &cells[i]);
			else
				cell(o, kind, all->jobs.v[i], rows[r].field, &cells[i]);
		/* A name may be that of a line above: who has measured it is said. */
		if (s)
			text_fmt(&title, _("metric %s"), s->name);
		rc = fn(data, s ? text_of(&title) : _(rows[r].title), cells, n);
		for (size_t i = 0; i < n; i++)
			text_free(&cells[i]);
		text_free(&title);
	}
	return rc;
}

static int put_table(void *data, const char *title, struct text *cells, size_t n)
{
	return put_line(data, title, cells, n);
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
	t.fields[0].name = _("JOB");
	for (size_t i = 0; i < all->jobs.n; i++) {
		const struct sv_job_compared *j = all->jobs.v[i];

		t.fields[1 + i].name = j->name ? j->name : j->id;
	}
	rc = out_open(&t.o, call, &t.kind, 1);
	t.o.as_is = 1;
	if (!rc)
		rc = each_line(&t.o, kind, all, put_table, &t);
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

static const char *label_of(const struct sv_job_compared *j)
{
	return j->name ? j->name : j->id;
}

/* One measurement of all jobs that have it. */
static void picture_of(
	struct picture *p, const struct sv_job_comparison *all, const char *name)
{
	const struct sv_job_series *series[JOBS_MOST];
	const char *labels[JOBS_MOST];

	for (size_t i = 0; i < all->jobs.n; i++) {
		labels[i] = label_of(all->jobs.v[i]);
		series[i] = series_of(all->jobs.v[i], name);
	}
	picture_make(p, name, labels, series, all->jobs.n);
}

/* A field of all jobs as bars from zero; what is not known has none. */
static size_t bars_of(const struct out *o, const struct sv_kind *kind,
	const struct sv_job_comparison *all, const char *field, struct chart_bar *v,
	struct text *texts)
{
	struct column c;
	int known = 0;

	if (!column_find(kind, field, &c, NULL))
		return 0;
	for (size_t i = 0; i < all->jobs.n; i++) {
		const struct sv_field *f = column_field(&c);
		const char *at = (const char *)all->jobs.v[i] + f->offset;

		texts[i] = (struct text){ 0 };
		column_human(o, &c, all->jobs.v[i], &texts[i]);
		v[i] = (struct chart_bar){ label_of(all->jobs.v[i]), text_of(&texts[i]), 0 };
		if (!sv_field_has(f, all->jobs.v[i]) || sv_field_is_null(f, all->jobs.v[i]))
			continue;
		known = 1;
		v[i].value = f->type == SV_NUM ? *(const double *)(const void *)at
					       : (double)*(const int64_t *)(const void *)at;
	}
	column_free(&c);
	return known ? all->jobs.n : 0;
}

static const struct {
	const char *title, *field;
} bars[] = {
	{ N_("time, from 0"), "seconds" },
	{ N_("price an hour, from 0"), "price_per_hour" },
	{ N_("cost, from 0"), "cost" },
	{ N_("cost of 1000 steps, from 0"), "cost_per_1000_steps" },
};

/* Bars and curves, each by fn's two ways of drawing. */
static void pictures(struct call *call, const struct sv_kind *kind,
	const struct sv_job_comparison *all, struct text *t, int page)
{
	struct chart_style style = chart_style_of(call->app);
	const struct sv_job_compared *first = all->jobs.v[0];
	struct out o = { .app = call->app };
	struct text texts[JOBS_MOST];
	struct chart_bar v[JOBS_MOST];

	for (size_t i = 0; i < COUNT(bars); i++) {
		size_t n = bars_of(&o, kind, all, bars[i].field, v, texts);

		if (n && page)
			page_bars(t, _(bars[i].title), v, n);
		else if (n)
			chart_bars(t, &style, _(bars[i].title), v, n);
		for (size_t k = 0; k < all->jobs.n; k++)
			text_free(&texts[k]);
	}
	for (size_t i = 0; i < first->series.n; i++) {
		const struct sv_job_series *s = first->series.v[i];
		struct picture p;

		picture_of(&p, all, s->name);
		if (page)
			page_curves(t, s->name, &p.axes, p.curves, p.n);
		else
			chart_curves(t, &style, NULL, &p.axes, p.curves, p.n);
		picture_free(&p);
	}
}

static int put_row(void *data, const char *title, struct text *cells, size_t n)
{
	const char *row[1 + JOBS_MOST] = { title };

	for (size_t i = 0; i < n; i++)
		row[1 + i] = text_of(&cells[i]);
	page_row(data, row, 0);
	return 0;
}

static int write_page(struct call *call, const struct sv_kind *kind,
	const struct sv_job_comparison *all, const char *file)
{
	static const int numbers[1 + JOBS_MOST] = { 0, 1, 1, 1, 1, 1, 1, 1, 1 };
	const char *heads[1 + JOBS_MOST] = { "" };
	struct out o = { .app = call->app };
	struct text t = { 0 }, sub = { 0 };
	struct page_table table;
	int rc;

	for (size_t i = 0; i < all->jobs.n; i++) {
		heads[1 + i] = label_of(all->jobs.v[i]);
		text_fmt(&sub, "%s%s", i ? ", " : "", heads[1 + i]);
	}
	text_fmt(&sub, _("; percentages are against %s"), heads[1]);
	page_open(&t, _("Jobs side by side"), text_of(&sub));
	page_table(&table, &t, heads, numbers, 1 + all->jobs.n);
	each_line(&o, kind, all, put_row, &table);
	page_table_end(&table);
	page_heading(&t, _("Pictures"));
	pictures(call, kind, all, &t, 1);
	page_close(&t);
	rc = page_write(call->app, file, &t);
	if (!rc && strcmp(file, "-") != 0)
		note(call->app, _("%s is written"), file);
	text_free(&sub);
	text_free(&t);
	return rc;
}

static int show(struct call *call, const struct sv_kind *kind,
	const struct sv_job_comparison *all, int people)
{
	const char *file = opt_value(call, OPT_HTML);
	struct text t = { 0 };
	int rc;

	if (file)
		return write_page(call, kind, all, file);
	rc = people ? table(call, kind, all) : objects(call, kind, all);
	if (rc || !opt_on(call, OPT_CHART))
		return rc;
	sink_chr(&call->app->out, '\n');
	pictures(call, kind, all, &t, 0);
	sink_add(&call->app->out, text_of(&t), t.n);
	text_free(&t);
	return 0;
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
	/* All that draws has places for those that were asked for. */
	else if (!rc && (*ret)->jobs.n != n)
		rc = fail_text(call->app, EXIT_UNREACHABLE,
			_("the answer has %zu jobs, not %zu"), (*ret)->jobs.n, n);
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
	if (opt_on(call, OPT_CHART) && !people)
		return usage_error(call, _("--chart is a picture: it has no -o or --columns"));
	rc = fetch(call, &all);
	if (!rc)
		rc = show(call, kind, all, people);
	sv_free(all);
	return rc;
}
