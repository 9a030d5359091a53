/* SPDX-License-Identifier: MIT */
/* Runs a command as a job on a new instance, which is released when it ends: job GPU IMAGE
 * COMMAND... */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static void progress(void *data, const struct sv_kind *kind, const void *obj)
{
	(void)data;
	(void)kind;
	fprintf(stderr, "%s\n", ((const struct sv_job *)obj)->status);
}

static int run(sv_client *c, char **argv)
{
	struct sv_job_create_body *want = sv_job_create_body_new();
	struct sv_job *job = NULL;
	int r = want ? SV_OK : SV_NOMEM;

	for (int i = 3; !r && argv[i]; i++)
		r = sv_strs_add(want, &want->command, argv[i]);
	if (!r) {
		want->gpu = argv[1];
		want->image = argv[2];
		want->then = "release";
		want->max_cost = 1000000; /* one yuan, in millionths */
		sv_mark(want, max_cost);
		r = sv_job_create(c, want, &job);
	}
	if (!r) {
		/* Whatever becomes of this program, the platform ends it and acts on its end. */
		r = sv_wait(c, sv_kind_find("job"), (void **)&job, 600000, progress, NULL);
		printf("%s %s, exit code %" PRId64 ", cost %" PRId64 " millionths\n", job->id,
			job->status, sv_is_null(job, exit_code) ? -1 : job->exit_code, job->cost);
	}
	sv_free(want);
	sv_free(job);
	return r;
}

int main(int argc, char **argv)
{
	sv_client *c = NULL;
	int r = argc > 3 ? sv_client_new(NULL, &c) : SV_INVALID;

	if (!r)
		r = run(c, argv);
	if (r)
		fprintf(stderr, "job: %s\n", c ? sv_client_error(c)->message : sv_strerror(r));
	sv_client_free(c);
	return sv_exit_code(r);
}
