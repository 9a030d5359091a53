/* SPDX-License-Identifier: MIT */
/* What jobs have measured, and the jobs side by side: compare ID ID... The first is what the
 * others are measured by. */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static int metrics(sv_client *c, const char *id)
{
	struct sv_job_metrics *m = NULL;
	int r = sv_job_metrics(c, id, NULL, &m);

	for (size_t i = 0; !r && i < m->series.n; i++) {
		const struct sv_job_series *s = m->series.v[i];

		printf("%s\t%s\t%" PRId64 " values, last %g, %g to %g\n", m->name, s->name,
			s->count, s->last, s->minimum, s->maximum);
	}
	sv_free(m);
	return r;
}

static int compare(sv_client *c, const char *const *ids)
{
	struct sv_job_comparison *all = NULL;
	int r = sv_job_compare(c, ids, &all);

	for (size_t i = 0; !r && i < all->jobs.n; i++) {
		const struct sv_job_compared *j = all->jobs.v[i];

		printf("%s\t%" PRId64 " x %s\t%" PRId64 " s\t%" PRId64 " millionths an hour",
			j->name, j->gpu_count, j->gpu, j->seconds, j->price_per_hour);
		/* A job that told no steps has no rate: null, not 0. */
		if (!sv_is_null(j, steps_per_second))
			printf("\t%g steps a second", j->steps_per_second);
		if (j->difference && !sv_is_null(j->difference, cost_per_1000_steps))
			printf("\t%+.1f %% for a step", j->difference->cost_per_1000_steps);
		putchar('\n');
	}
	sv_free(all);
	return r;
}

int main(int argc, char **argv)
{
	sv_client *c = NULL;
	int r = argc > 2 ? sv_client_new(NULL, &c) : SV_INVALID;

	for (int i = 1; !r && i < argc; i++)
		r = metrics(c, argv[i]);
	if (!r)
		r = compare(c, (const char *const *)argv + 1);
	if (r)
		fprintf(stderr, "compare: %s\n", c ? sv_client_error(c)->message : sv_strerror(r));
	sv_client_free(c);
	return sv_exit_code(r);
}
