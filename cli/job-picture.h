/* SPDX-License-Identifier: MIT */
/* What jobs have measured, as curves: for a terminal and for a page. */
#ifndef SVCTL_JOB_PICTURE_H
#define SVCTL_JOB_PICTURE_H

#include <starverse/job.h>

#include "chart.h"

/* One measurement of several jobs in one frame: over steps where all points have one, else over the
 * seconds since each one's first. */
struct picture {
	struct chart_curve curves[CHART_CURVES];
	struct chart_axes axes;
	size_t n;
};
/* labels and series of n jobs, a NULL series being left out; at most CHART_CURVES. */
void picture_make(struct picture *p, const char *name, const char *const *labels,
	const struct sv_job_series *const *series, size_t n);
void picture_free(struct picture *p);

#endif
