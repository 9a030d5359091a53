/* SPDX-License-Identifier: MIT */
/* The tables themselves: every row of every kind that a verb reaches. What they mean stands in the
 * golden files. */
#include "unit.h"

#include <ctype.h>
#include <starverse/config.h>

#include "base/err.h"
#include "kinds/kinds.h"
#include "model/kind.h"

#define N_KINDS 160

struct all {
	const struct sv_kind *v[N_KINDS];
	size_t n;
};

static void reach(struct all *a, const struct sv_kind *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i] == k)
			return;
	assert_true(a->n < N_KINDS);
	a->v[a->n++] = k;
	for (uint32_t i = 0; i < k->n; i++)
		reach(a, k->fields[i].kind);
	for (const struct sv_verb *v = k->verbs; v && v->name; v++) {
		reach(a, v->query);
		reach(a, v->in);
		reach(a, v->out);
	}
}

static struct all every(void)
{
	struct all a = { .n = 0 };
	const struct sv_kind *k;

	for (size_t i = 0; (k = sv_kinds(i)); i++)
		reach(&a, k);
	reach(&a, sv_kind_config());
	return a;
}

static int snake(const char *s)
{
	if (!islower((unsigned char)*s))
		return 0;
	for (; *s; s++)
		if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) && *s != '_')
			return 0;
	return 1;
}

/* A phrase: not empty, no full stop, no capital but a name's, on one line of a terminal. */
static void phrase(const char *where, const char *name, const char *help)
{
	size_t n = help ? strlen(help) : 0;

	if (!n || help[n - 1] == '.' || n > 90 || help[n - 1] == ' ' || help[0] == ' ')
		fail_msg("%s.%s: help \"%s\"", where, name, help ? help : "");
}

static void resources(void **state)
{
	const struct sv_kind *k, *before = NULL;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++) {
		assert_true(snake(k->name));
		assert_non_null(k->verbs);
		assert_true(!before || strcmp(before->name, k->name) < 0);
		assert_ptr_equal(sv_kind_find(k->name), k);
		if (k->plural)
			assert_ptr_equal(sv_kind_find(k->plural), k);
		before = k;
	}
	assert_null(sv_kind_find("nonesuch"));
	assert_ptr_equal(sv_kind_of_id("ins_1"), &sv_instance_kind);
	assert_ptr_equal(sv_kind_of_id("op_1"), &sv_operation_kind);
	assert_null(sv_kind_of_id("xyz_1"));
}

static void kinds_differ(void **state)
{
	struct all a = every();

	(void)state;
	for (size_t i = 0; i < a.n; i++) {
		assert_true(snake(a.v[i]->name));
		phrase("kind", a.v[i]->name, a.v[i]->help);
		for (size_t j = 0; j < i; j++) {
			if (!strcmp(a.v[i]->name, a.v[j]->name))
				fail_msg("two kinds are called %s", a.v[i]->name);
			if (a.v[i]->prefix && a.v[j]->prefix)
				assert_string_not_equal(a.v[i]->prefix, a.v[j]->prefix);
		}
	}
}

static int is_keyword(const char *s)
{
	static const char *const words[] = { "class", "new", "delete", "template", "this",
		"operator", "private", "public", "protected", "namespace", "try", "catch", "throw",
		"using", "virtual", "explicit", "export", "friend", "mutable", "typename", "and",
		"or", "not", "xor" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], s))
			return 1;
	return 0;
}

static void vocabulary(const struct sv_kind *k, const struct sv_field *f)
{
	int settled = 0;

	for (const struct sv_word *w = f->words; w && w->word; w++) {
		phrase(f->name, w->word, w->help);
		settled += w->settled;
		if ((f->flags & SV_STATE) && w->settled && !w->mood)
			fail_msg("%s.%s: no mood for %s", k->name, f->name, w->word);
		for (const struct sv_word *x = f->words; x < w; x++)
			assert_string_not_equal(x->word, w->word);
	}
	if (f->words)
		assert_true(f->type == SV_STR || f->type == SV_STRS);
	if (f->flags & SV_STATE) {
		assert_non_null(f->words);
		if (!settled)
			fail_msg("%s.%s: no settled word", k->name, f->name);
	}
}

static void row(const struct sv_kind *k, const struct sv_field *f)
{
	assert_true(snake(f->name));
	phrase(k->name, f->name, f->help);
	assert_true(f->type >= SV_STR && f->type <= SV_PERCENT);
	assert_true(
		f->offset >= sizeof(struct sv_set) && f->offset < k->size && f->offset % 4 == 0);
	assert_int_equal(f->kind != NULL, f->type == SV_OBJ || f->type == SV_LIST);
	if (f->ref && !sv_kind_find(f->ref))
		fail_msg("%s.%s refers to %s", k->name, f->name, f->ref);
	if (f->option && strchr(f->option, '_'))
		fail_msg("%s.%s: option %s", k->name, f->name, f->option);
	/* What must be sent can be sent. */
	if ((f->flags & SV_REQUIRED) && !(f->flags & SV_IN))
		fail_msg("%s.%s is required and cannot be sent", k->name, f->name);
	if ((f->flags & SV_SIGNED) && f->type != SV_MONEY && f->type != SV_INT &&
		f->type != SV_PERCENT)
		fail_msg("%s.%s has no sign", k->name, f->name);
	/* The wire's "protected" and "template" have members of other names. */
	if (is_keyword(f->name) && strcmp(f->name, "protected") != 0 &&
		strcmp(f->name, "template") != 0)
		fail_msg("%s.%s is a word of C++", k->name, f->name);
	vocabulary(k, f);
}

static void rows(void **state)
{
	struct all a = every();

	(void)state;
	for (size_t i = 0; i < a.n; i++)
		for (uint32_t j = 0; j < a.v[i]->n; j++) {
			const struct sv_field *f = &a.v[i]->fields[j];

			row(a.v[i], f);
			for (uint32_t x = 0; x < j; x++) {
				assert_string_not_equal(a.v[i]->fields[x].name, f->name);
				assert_int_not_equal(a.v[i]->fields[x].offset, f->offset);
			}
			assert_ptr_equal(sv_field_find(a.v[i], f->name), f);
		}
}

/* The row type says how wide the member is: no two members may share a slot, none may reach past
 * the struct. */
static void members(void **state)
{
	static const size_t width[] = { [SV_STR] = sizeof(char *),
		[SV_BOOL] = sizeof(int),
		[SV_INT] = 8,
		[SV_GIB] = 8,
		[SV_BYTES] = 8,
		[SV_SECONDS] = 8,
		[SV_NUM] = 8,
		[SV_TIME] = 8,
		[SV_MONEY] = 8,
		[SV_STRS] = sizeof(struct sv_strs),
		[SV_OBJ] = sizeof(void *),
		[SV_LIST] = sizeof(struct sv_list),
		[SV_MAP] = sizeof(struct sv_map),
		[SV_JSON] = sizeof(char *),
		[SV_PERCENT] = 8 };
	struct all a = every();

	(void)state;
	for (size_t i = 0; i < a.n; i++)
		for (uint32_t j = 0; j < a.v[i]->n; j++) {
			const struct sv_field *f = &a.v[i]->fields[j];

			assert_true(f->offset + width[f->type] <= a.v[i]->size);
			for (uint32_t x = 0; x < a.v[i]->n; x++) {
				const struct sv_field *g = &a.v[i]->fields[x];

				if (g->offset > f->offset && g->offset < f->offset + width[f->type])
					fail_msg("%s: %s reaches into %s", a.v[i]->name, f->name,
						g->name);
			}
		}
}

/* At most one argument, "{id}", and every brace closed. */
static size_t arguments(const char *path)
{
	size_t n = 0;

	for (const char *s = strchr(path, '{'); s; s = strchr(s + 1, '{'), n++)
		assert_memory_equal(s - 1, "/{id}", 5);
	return n;
}

static int has_flag(const struct sv_kind *k, int flag)
{
	return k && sv_field_flagged(k, flag) != NULL;
}

static void flags_fit(const struct sv_kind *k, const struct sv_verb *v)
{
	int many = v->flags & SV_MANY;

	if ((v->flags & SV_BILLS) && !(v->flags & SV_KEYED))
		fail_msg("%s %s bills without a key", k->name, v->name);
	if ((v->flags & (SV_KEYED | SV_BILLS)) && v->method != SV_POST)
		fail_msg("%s %s: only a POST is keyed", k->name, v->name);
	if ((v->flags & SV_ASYNC) && !v->out)
		fail_msg("%s %s names no operation", k->name, v->name);
	if ((v->method == SV_PATCH) != ((v->flags & SV_MASKED) != 0))
		fail_msg("%s %s: PATCH sends what is marked", k->name, v->name);
	if (v->method == SV_PATCH && !has_flag(v->in, SV_UPDATE))
		fail_msg("%s %s changes nothing", k->name, v->name);
	if (v->method == SV_POST && v->in && !has_flag(v->in, SV_CREATE))
		fail_msg("%s %s sends nothing", k->name, v->name);
	if (v->method == SV_DELETE && !(v->flags & SV_CONFIRM))
		fail_msg("%s %s does not ask", k->name, v->name);
	if (many && (!v->query || !sv_field_find(v->query, "limit") ||
			    !sv_field_find(v->query, "cursor")))
		fail_msg("%s %s has no pages", k->name, v->name);
	if (many && (v->method != SV_GET || !v->out))
		fail_msg("%s %s lists nothing", k->name, v->name);
	if ((v->flags & SV_TEXT) && v->out)
		fail_msg("%s %s answers text or an object", k->name, v->name);
}

static void verbs(void **state)
{
	const struct sv_kind *k;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++)
		for (const struct sv_verb *v = k->verbs; v->name; v++) {
			assert_true(snake(v->name));
			phrase(k->name, v->name, v->help);
			assert_memory_equal(v->path, "/v1/", 4);
			assert_true(v->path[strlen(v->path) - 1] != '/');
			assert_true(arguments(v->path) <= 1);
			assert_true(v->method >= SV_GET && v->method <= SV_DELETE);
			assert_true(!v->query || v->method == SV_GET);
			assert_true(!v->in || v->method == SV_POST || v->method == SV_PATCH);
			assert_ptr_equal(sv_verb_find(k, v->name), v);
			flags_fit(k, v);
		}
}

/* Plain verbs stand at the resource's own path; actions below it. */
static void paths(void **state)
{
	static const struct {
		const char *verb;
		int method, one;
	} plain[] = { { "list", SV_GET, 0 }, { "create", SV_POST, 0 }, { "get", SV_GET, 1 },
		{ "update", SV_PATCH, 1 }, { "delete", SV_DELETE, 1 } };
	const struct sv_kind *k;
	char path[80];

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++)
		for (size_t j = 0; k->plural && j < sizeof(plain) / sizeof(plain[0]); j++) {
			const struct sv_verb *v = sv_verb_find(k, plain[j].verb);

			/* The contract puts budgets under billing. */
			snprintf(path, sizeof(path), "/v1/%s%s%s",
				k == &sv_budget_kind ? "billing/" : "", k->plural,
				plain[j].one ? "/{id}" : "");
			if (v) {
				assert_string_equal(v->path, path);
				assert_int_equal(v->method, plain[j].method);
			}
		}
	assert_string_equal(sv_verb_find(&sv_instance_kind, "save-image")->path,
		"/v1/instances/{id}/save_image");
	assert_string_equal(sv_verb_find(&sv_account_kind, "get")->path, "/v1/account");
}

/* The columns of a default table fit a screen; whoever has a name has it among them. */
static void columns(void **state)
{
	const struct sv_kind *k;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++) {
		int n = 0;

		for (uint32_t j = 0; j < k->n; j++)
			n += (k->fields[j].flags & SV_COL) != 0;
		if (n < 3 || n > 9)
			fail_msg("%s: %d columns", k->name, n);
	}
}

static void common(void **state)
{
	static const char *const names[] = { "id", "name", "labels", "created_at", "updated_at",
		"version" };
	const struct sv_kind *k;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++)
		for (size_t j = 0; k != &sv_billing_kind && j < sizeof(names) / sizeof(names[0]);
			j++) {
			const struct sv_field *f = sv_field_find(k, names[j]);

			if (!f || !(f->flags & SV_ALWAYS))
				fail_msg("%s has no %s", k->name, names[j]);
		}
}

/* The words of the contract for an instance, and which of them wait for nobody. */
static void states(void **state)
{
	static const char *const settled[] = { "running", "stopped", "suspended", "error",
		"released" };
	static const char *const passing[] = { "queued", "provisioning", "starting", "stopping",
		"restarting", "resizing", "switching", "saving_image", "releasing" };
	const struct sv_field *f = sv_field_flagged(&sv_instance_kind, SV_STATE);

	(void)state;
	for (size_t i = 0; i < sizeof(settled) / sizeof(settled[0]); i++)
		assert_int_equal(sv_settled(f, settled[i]), 1);
	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		assert_int_equal(sv_settled(f, passing[i]), 0);
	assert_int_equal(sv_settled(f, "hibernating"), -1);
	assert_int_equal(sv_mood(f, "running"), SV_GOOD);
	assert_int_equal(sv_mood(f, "booting"), SV_PLAIN);
	assert_int_equal(sv_mood(f, "queued"), SV_BUSY);
	assert_int_equal(sv_mood(f, "error"), SV_BAD);
	assert_int_equal(sv_mood(f, NULL), SV_PLAIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resources),
		cmocka_unit_test(kinds_differ),
		cmocka_unit_test(rows),
		cmocka_unit_test(members),
		cmocka_unit_test(verbs),
		cmocka_unit_test(paths),
		cmocka_unit_test(columns),
		cmocka_unit_test(common),
		cmocka_unit_test(states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
