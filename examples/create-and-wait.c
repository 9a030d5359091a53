/* SPDX-License-Identifier: MIT */
/* Creates an instance, waits until it runs and releases it: create-and-wait GPU COUNT IMAGE */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static void progress(void *data, const struct sv_kind *kind, const void *obj)
{
	char state[64];

	(void)data;
	sv_cell(sv_field_flagged(kind, SV_STATE), obj, state, sizeof(state));
	fprintf(stderr, "%s %s\n", kind->name, state);
}

static int run(sv_client *c, char **argv, struct sv_error *err)
{
	const struct sv_kind *kind = sv_kind_find("instance");
	struct sv_instance_create_body *want = sv_instance_create_body_new();
	struct sv_instance *got = NULL;
	int r = want ? SV_OK : SV_NOMEM;

	if (!r) {
		const struct sv_kind *body = sv_verb_find(kind, "create")->in;

		want->name = "from-c";
		want->gpu = argv[1];
		want->image = argv[3];
		r = sv_field_parse(want, want, sv_field_find(body, "gpu_count"), argv[2], err);
	}
	if (!r && !(r = sv_instance_create(c, want, &got))) {
		/* Something is bought by now: whatever waiting says, it is there and it bills. */
		r = sv_wait(c, kind, (void **)&got, 60000, progress, NULL);
		printf("%s is %s, ssh port %" PRId64 "\n", got->id, got->status,
			got->ssh ? got->ssh->port : 0);
		sv_instance_delete(c, got->id, NULL);
	}
	if (r && !err->message[0])
		*err = *sv_client_error(c);
	sv_free(want);
	sv_free(got);
	return r;
}

int main(int argc, char **argv)
{
	struct sv_error err = { 0 };
	sv_client *c = NULL;
	int r = argc == 4 ? sv_client_new(NULL, &c) : SV_INVALID;

	if (!r)
		r = run(c, argv, &err);
	if (r)
		fprintf(stderr, "create-and-wait: %s\n",
			err.message[0] ? err.message : sv_strerror(r));
	sv_client_free(c);
	return sv_exit_code(r);
}
