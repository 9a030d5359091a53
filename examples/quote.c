/* SPDX-License-Identifier: MIT */
/* What a machine would cost, before any is made, and what is there to pay it: quote GPU IMAGE. */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static void print(const char *what, int64_t micro)
{
	uint64_t v = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;

	printf("%s\t%s%" PRIu64 ".%06" PRIu64 "\n", what, micro < 0 ? "-" : "", v / 1000000,
		v % 1000000);
}

static int quote(sv_client *c, const char *gpu, const char *image)
{
	struct sv_instance_create_body *want = sv_instance_create_body_new();
	struct sv_quote *q = NULL;
	char *body = NULL;
	int r = SV_NOMEM;

	if (want) {
		want->gpu = gpu;
		want->image = image;
		r = sv_to_json(sv_verb_find(sv_kind_find("instance"), "create")->in, want,
			SV_WALK_CREATE, 0, &body);
	}
	if (!r)
		r = sv_billing_quote(c, "instance", body, &q);
	if (!r) {
		print("an hour", q->price_per_hour);
		print("at least", q->minimum_charge);
	}
	sv_free(q);
	sv_free_text(body);
	sv_free(want);
	return r;
}

int main(int argc, char **argv)
{
	struct sv_billing *b = NULL;
	sv_client *c = NULL;
	int r = argc == 3 ? sv_client_new(NULL, &c) : SV_INVALID;

	if (!r)
		r = quote(c, argv[1], argv[2]);
	if (!r)
		r = sv_billing_balance(c, &b);
	if (!r) {
		print("cash", b->balance->cash);
		print("credit", b->balance->credit);
		print("available", b->balance->available);
	}
	if (r)
		fprintf(stderr, "quote: %s\n", c ? sv_client_error(c)->message : sv_strerror(r));
	sv_free(b);
	sv_client_free(c);
	return sv_exit_code(r);
}
