/* SPDX-License-Identifier: MIT */
/* Reads many resources at once on one client and one thread: parallel KIND ID... */
#include <stdio.h>
#include <starverse.h>

#define MOST 256

struct call {
	const char *id;
	sv_op *op;
	int *failed;
};

static void done(sv_op *op, void *data)
{
	struct call *call = data;
	const struct sv_kind *kind = sv_kind_of_id(call->id);
	char state[64] = "";
	void *obj = NULL;

	if (sv_op_error(op)->code) {
		*call->failed += 1;
		fprintf(stderr, "%s: %s\n", call->id, sv_op_error(op)->message);
	}
	if (sv_finish(op, &obj) == SV_OK && obj && kind && sv_field_flagged(kind, SV_STATE))
		sv_cell(sv_field_flagged(kind, SV_STATE), obj, state, sizeof(state));
	if (obj)
		printf("%s %s\n", call->id, state);
	sv_free(obj);
}

int main(int argc, char **argv)
{
	const struct sv_kind *kind = argc > 2 ? sv_kind_find(argv[1]) : NULL;
	struct call calls[MOST];
	sv_client *c = NULL;
	int failed = 0;

	if (!kind || argc - 2 > MOST || sv_client_new(NULL, &c)) {
		fprintf(stderr, "usage: parallel KIND ID...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		const char *args[] = { argv[i], NULL };
		struct call *call = &calls[i - 2];

		*call = (struct call){ argv[i], NULL, &failed };
		call->op = sv_start(c, sv_verb_find(kind, "get"), args, NULL, done, call);
		failed += !call->op;
	}
	while (sv_pump(c, -1) > 0)
		continue;
	sv_client_free(c);
	return failed ? 11 : 0;
}
