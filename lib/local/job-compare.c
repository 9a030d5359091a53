/* SPDX-License-Identifier: MIT */
/* Jobs side by side: what each took, used and cost, and by how much it differs from the first. */
#include <string.h>

#include "base/str.h"
#include "local/crud.h"
#include "local/job-inside.h"

#define JOBS_MOST 8

#define KNOWN(o, m) (sv_has(o, m) && !sv_is_null(o, m))

/* Whole micro-yuan, rounded once, half up. */
static int64_t per_1000(int64_t cost, double steps)
{
	return (int64_t)((double)cost * 1000 / steps + 0.5);
}

static void measure(struct platform *p, const struct sv_job *j, struct sv_job_compared *to,
	int64_t now)
{
	int64_t end = KNOWN(j, finished_at) ? j->finished_at : now;
	double steps = job_steps(p, j->id);

	doc_null(to, seconds);
	if (KNOWN(j, started_at) && end >= j->started_at)
		doc_put(to, seconds, end - j->started_at);
	doc_null(to, steps);
	doc_null(to, steps_per_second);
	doc_null(to, cost_per_1000_steps);
	if (steps <= 0)
		return;
	doc_put(to, steps, steps);
	if (to->seconds > 0)
		doc_put(to, steps_per_second, steps / (double)to->seconds);
	doc_put(to, cost_per_1000_steps, per_1000(j->cost, steps));
}

static int describe(struct call *c, const struct sv_job *j, int64_t points, void *root,
	struct sv_job_compared *to)
{
	struct sv_buf b;
	int rc;

	doc_text(root, to, id, j->id);
	doc_text(root, to, name, j->name);
	doc_text(root, to, status, j->status);
	doc_text(root, to, gpu, j->gpu);
	doc_put(to, gpu_count, j->gpu_count);
	doc_put(to, cost, j->cost);
	doc_null(to, price_per_hour);
	if (KNOWN(j, price_per_hour))
		doc_put(to, price_per_hour, j->price_per_hour);
	doc_null(to, peak_memory_bytes);
	if (KNOWN(j, peak_memory_bytes))
		doc_put(to, peak_memory_bytes, j->peak_memory_bytes);
	measure(c->p, j, to, c->now);
	sv_buf_init(&b, 1 << 20);
	rc = job_metrics_last(c->p, j->id, 0, &b);
	doc_text(root, to, metrics, sv_buf_text(&b));
	sv_buf_free(&b);
	sv_mark(to, series);
	doc_null(to, difference);
	return rc ? rc : job_series(c->p, j->id, NULL, points, root, &to->series);
}

#define PERCENT(d, a, b, m) \
	(KNOWN(a, m) && KNOWN(b, m) && (a)->m > 0 \
			? doc_put(d, m, (double)((b)->m - (a)->m) * 100 / (double)(a)->m) \
			: doc_null(d, m))

static const struct sv_job_series *series_of(const struct sv_job_compared *j, const char *name)
{
	for (size_t k = 0; k < j->series.n; k++) {
		const struct sv_job_series *s = j->series.v[k];

		if (!strcmp(s->name, name))
			return s;
	}
	return NULL;
}

/* Of each measurement that both have; against the size of the first's, whatever its sign. */
static void differ_metrics(const struct sv_job_compared *a, const struct sv_job_compared *b,
	void *root, struct sv_job_difference *d)
{
	struct sv_buf t;
	char text[40];

	sv_buf_init(&t, 1 << 20);
	sv_buf_chr(&t, '{');
	for (size_t k = 0; k < a->series.n; k++) {
		const struct sv_job_series *x = a->series.v[k], *y = series_of(b, x->name);

		if (!y || !KNOWN(x, last) || !KNOWN(y, last) || x->last == 0)
			continue;
		sv_print_num((y->last - x->last) / (x->last < 0 ? -x->last : x->last) * 100, text,
			sizeof(text));
		if (t.len > 1)
			sv_buf_chr(&t, ',');
		sv_buf_json(&t, x->name, strlen(x->name));
		sv_buf_chr(&t, ':');
		sv_buf_str(&t, text);
	}
	sv_buf_chr(&t, '}');
	doc_text(root, d, metrics, sv_buf_text(&t));
	sv_buf_free(&t);
}

static int differ(const struct sv_job_compared *a, struct sv_job_compared *b, void *root)
{
	struct sv_job_difference *d = sv_new_in(root, &sv_job_difference_kind);

	if (!d)
		return SV_NOMEM;
	doc_put(b, difference, d);
	PERCENT(d, a, b, seconds);
	PERCENT(d, a, b, steps_per_second);
	PERCENT(d, a, b, peak_memory_bytes);
	PERCENT(d, a, b, price_per_hour);
	PERCENT(d, a, b, cost);
	PERCENT(d, a, b, cost_per_1000_steps);
	differ_metrics(a, b, root, d);
	return SV_OK;
}

static int add(struct call *c, const char *word, int64_t points, struct sv_job_comparison *to)
{
	struct sv_job_compared *one;
	struct sv_job *j;
	void *obj = NULL;
	int rc = doc_find(c, &sv_job_kind, word, "id", &obj);

	if (rc)
		return rc;
	j = obj;
	if (!job_settled(j))
		job_metrics_read(c->p, j->id, 0);
	crud_present(c->p, &sv_job_kind, c->account, j, c->now);
	one = sv_new_in(to, &sv_job_compared_kind);
	rc = one ? describe(c, j, points, to, one) : SV_NOMEM;
	if (!rc && to->jobs.n)
		rc = differ(to->jobs.v[0], one, to);
	if (!rc)
		rc = sv_list_add(to, &to->jobs, one);
	sv_free(j);
	return rc;
}

int local_job_compare(struct call *c)
{
	const struct sv_job_compare_query *q = c->in;
	struct sv_job_comparison *to;
	int64_t points = q && sv_has(q, points) ? q->points : JOB_POINTS;
	int rc = SV_OK;

	if (!q || q->id.n < 2 || q->id.n > JOBS_MOST)
		return sv_err_field(
			&c->err, "id", "count", "give two to %d jobs to compare", JOBS_MOST);
	if (points < 2 || points > JOB_POINTS_MOST)
		return sv_err_field(
			&c->err, "points", "range", "must be 2 to %d", JOB_POINTS_MOST);
	to = sv_new(&sv_job_comparison_kind);
	if (!to)
		return SV_NOMEM;
	c->out = to;
	sv_mark(to, jobs);
	for (size_t k = 0; !rc && k < q->id.n; k++)
		rc = add(c, q->id.v[k], points, to);
	return rc;
}
