/* SPDX-License-Identifier: MIT */
/* Measurements of jobs as the points of curves. */
#include "job-picture.h"

#include <math.h>

static int has_steps(const struct sv_job_series *s)
{
	for (size_t i = 0; i < s->points.n; i++) {
		const struct sv_job_point *p = s->points.v[i];

		if (!sv_has(p, step) || sv_is_null(p, step))
			return 0;
	}
	return s->points.n > 0;
}

static void add(struct picture *p, const char *label, const struct sv_job_series *s, int steps)
{
	double *x = mem_new(s->points.n + 1, sizeof(*x)), *y = mem_new(s->points.n + 1, sizeof(*y));
	int64_t first = s->points.n ? ((const struct sv_job_point *)s->points.v[0])->time : 0;

	for (size_t i = 0; i < s->points.n; i++) {
		const struct sv_job_point *one = s->points.v[i];

		x[i] = steps ? one->step : (double)(one->time - first);
		y[i] = sv_has(one, value) && !sv_is_null(one, value) ? one->value : NAN;
	}
	p->curves[p->n++] =
		(struct chart_curve){ .label = label, .x = x, .y = y, .n = s->points.n };
}

void picture_make(struct picture *p, const char *name, const char *const *labels,
	const struct sv_job_series *const *series, size_t n)
{
	int steps = 1;

	*p = (struct picture){ .n = 0 };
	for (size_t i = 0; i < n; i++)
		if (series[i] && !has_steps(series[i]))
			steps = 0;
	for (size_t i = 0; i < n && p->n < CHART_CURVES; i++)
		if (series[i])
			add(p, labels[i], series[i], steps);
	p->axes = (struct chart_axes){
		.x = steps ? _("steps") : _("seconds since the first"), .y = name
	};
}

void picture_free(struct picture *p)
{
	for (size_t i = 0; i < p->n; i++) {
		mem_free((void *)(uintptr_t)p->curves[i].x);
		mem_free((void *)(uintptr_t)p->curves[i].y);
	}
	p->n = 0;
}
