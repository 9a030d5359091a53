/* SPDX-License-Identifier: MIT */
/* Lists running instances with what each has cost, page by page. */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static int complain(const sv_client *c)
{
	const struct sv_error *e = sv_client_error(c);

	fprintf(stderr, "list: %s (%s)\n", e->message, e->wire[0] ? e->wire : sv_strerror(e->code));
	return sv_exit_code(e->code);
}

static void print(const struct sv_instance *i)
{
	printf("%s\t%s\t%" PRId64 " x %s", i->name, i->status, i->gpu_count, i->gpu);
	/* Money is micro-yuan; what was not sent is not 0. */
	if (sv_has(i, cost) && !sv_is_null(i, cost))
		printf("\t%" PRId64 ".%06" PRId64, i->cost / 1000000, i->cost % 1000000);
	putchar('\n');
}

int main(void)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("instance"), "list");
	void *list = NULL;
	sv_client *c = NULL;
	int r = sv_client_new(NULL, &c);

	if (r) {
		fprintf(stderr, "list: %s\n", sv_strerror(r));
		return sv_exit_code(r);
	}
	r = sv_run(c, verb, NULL, NULL, &list);
	while (r == SV_OK && list) {
		const struct sv_page *page = list;

		for (size_t i = 0; i < page->n; i++)
			print(page->v[i]);
		r = sv_next(c, verb, NULL, NULL, &list);
	}
	r = r ? complain(c) : 0;
	sv_free(list);
	sv_client_free(c);
	return r;
}
