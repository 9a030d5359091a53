/* SPDX-License-Identifier: MIT */
/* Creates an instance, waits until it runs and releases it: create-and-wait GPU COUNT IMAGE */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <starverse.h>

static void progress(void *data, const struct sv_kind *kind, const void *obj)
{
	char state[64];

	(void)data;
	sv_cell(sv_field_flagged(kind, SV_STATE), obj, state, sizeof(state));
	fprintf(stderr, "%s %s\n", kind->name, state);
}

static int run(sv_client *c, char **argv)
{
	const struct sv_kind *kind = sv_kind_find("instance");
	struct sv_instance_body *want = sv_instance_body_new();
	void *got = NULL;
	int r;

	if (!want)
		return SV_NOMEM;
	want->name = "from-c";
	want->gpu = argv[1];
	want->image = argv[3];
	r = sv_field_parse(want, want, sv_field_find(sv_verb_find(kind, "create")->in, "gpu_count"),
		argv[2], NULL);
	if (!r)
		r = sv_run(c, sv_verb_find(kind, "create"), NULL, want, &got);
	sv_free(want);
	/* The call has bought something by now: whatever waiting says, it is there and it bills. */
	if (!r)
		r = sv_wait(c, kind, &got, 60000, progress, NULL);
	if (got) {
		const struct sv_instance *i = got;
		const char *args[] = { i->id, NULL };

		printf("%s is %s, ssh port %" PRId64 "\n", i->id, i->status,
			i->ssh ? i->ssh->port : 0);
		sv_run(c, sv_verb_find(kind, "delete"), args, NULL, NULL);
	}
	sv_free(got);
	return r;
}

int main(int argc, char **argv)
{
	sv_client *c = NULL;
	int r = argc == 4 ? sv_client_new(NULL, &c) : SV_INVALID;

	if (!r)
		r = run(c, argv);
	if (r)
		fprintf(stderr, "create-and-wait: %s\n",
			c ? sv_client_error(c)->message : sv_strerror(r));
	sv_client_free(c);
	return sv_exit_code(r);
}
