/* SPDX-License-Identifier: MIT */
/* The tables against tests/data/contract.txt, which is written by hand: prefixes, states, bodies.
 */
#include "unit.h"

#include <starverse/kind.h>

#define MOST 64

struct words {
	size_t n;
	const char *v[MOST];
};

static void add(struct words *w, const char *s)
{
	assert_true(w->n < MOST);
	w->v[w->n++] = s;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void states(const struct sv_kind *k, int settled, struct words *ret)
{
	const struct sv_field *f = sv_field_flagged(k, SV_STATE);

	assert_non_null(f);
	for (const struct sv_word *w = f->words; w->word; w++)
		if (w->settled == settled)
			add(ret, w->word);
}

/* What a body may hold, or (needs) must hold. */
static void body(const struct sv_verb *v, int needs, struct words *ret)
{
	int sent = v->flags & SV_MASKED ? SV_UPDATE : SV_CREATE;

	assert_non_null(v->in);
	for (uint32_t i = 0; i < v->in->n; i++) {
		const struct sv_field *f = &v->in->fields[i];

		if ((f->flags & sent) && (!needs || f->flags & SV_REQUIRED))
			add(ret, f->name);
	}
}

static void actual(const struct sv_kind *k, const char *what, const char *more, struct words *ret)
{
	if (!strcmp(what, "prefix"))
		add(ret, k->prefix ? k->prefix : "-");
	else if (!strcmp(what, "plural"))
		add(ret, k->plural ? k->plural : "-");
	else if (!strcmp(what, "settled") || !strcmp(what, "passing"))
		states(k, *what == 's', ret);
	else if (more && sv_verb_find(k, what))
		body(sv_verb_find(k, what), !strcmp(more, "needs"), ret);
	else
		fail_msg("%s has no %s", k->name, what);
}

static void same(const char *line, struct words *a, struct words *b)
{
	qsort(a->v, a->n, sizeof(a->v[0]), compare);
	qsort(b->v, b->n, sizeof(b->v[0]), compare);
	for (size_t i = 0; i < a->n || i < b->n; i++)
		if (i >= a->n || i >= b->n || strcmp(a->v[i], b->v[i]))
			fail_msg("%s: the contract has %s, the tables have %s", line,
				i < a->n ? a->v[i] : "no more", i < b->n ? b->v[i] : "no more");
}

static void one_line(char *line)
{
	char whole[1024], *save = NULL, *kind, *what, *more = NULL, *w;
	struct words said = { 0, { NULL } }, real = { 0, { NULL } };
	const struct sv_kind *k;

	snprintf(whole, sizeof(whole), "%.60s", line);
	kind = strtok_r(line, " \n", &save);
	what = strtok_r(NULL, " \n", &save);
	k = sv_kind_find(kind);
	if (!k)
		fail_msg("there is no %s", kind);
	if (sv_verb_find(k, what))
		more = strtok_r(NULL, " \n", &save);
	while ((w = strtok_r(NULL, " \n", &save)))
		add(&said, w);
	actual(k, what, more, &real);
	same(whole, &said, &real);
}

static void contract(void **state)
{
	char line[1024], path[4096];
	size_t n = 0;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/contract.txt", getenv("SV_TEST_DATA"));
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (*line != '#' && *line != '\n') {
			one_line(line);
			n++;
		}
	fclose(f);
	assert_true(n > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(contract) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
