/* SPDX-License-Identifier: MIT */
/* The golden files, written by hand from the contract: what the rows read and write is exactly what
 * they say. */
#include "unit.h"

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/err.h"
#include "kinds/kinds.h"
#include "model/json.h"
#include "model/kind.h"

#define N_SEEN 160

/* Which rows of a kind had a value in some golden file. */
struct seen {
	const struct sv_kind *kind;
	uint64_t rows;
};

struct all {
	struct seen v[N_SEEN];
	size_t n;
};

static char *slurp(const char *kind, const char *name, const char *suffix, size_t *len)
{
	char path[512], *text;
	long size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/%s%s", getenv("SV_TEST_DATA"), kind, name, suffix);
	f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	text = malloc((size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, f), size);
	fclose(f);
	text[size] = '\0';
	*len = (size_t)size;
	return text;
}

/* Where two values differ, for the message. */
static void differ(const char *where, const cJSON *a, const cJSON *b)
{
	const cJSON *c;

	if (cJSON_IsObject(a) && cJSON_IsObject(b)) {
		cJSON_ArrayForEach(c, a) if (!cJSON_GetObjectItemCaseSensitive(b, c->string))
			print_error("%s: %s is in the golden file alone\n", where, c->string);
		cJSON_ArrayForEach(c, b) if (!cJSON_GetObjectItemCaseSensitive(a, c->string))
			print_error("%s: %s is not in the golden file\n", where, c->string);
		cJSON_ArrayForEach(c, a)
		{
			const cJSON *d = cJSON_GetObjectItemCaseSensitive(b, c->string);

			if (d && !cJSON_Compare(c, d, 1))
				differ(c->string, c, d);
		}
	} else {
		char *x = cJSON_PrintUnformatted(a), *y = cJSON_PrintUnformatted(b);

		print_error("%s: golden %s, ours %s\n", where, x, y);
		free(x);
		free(y);
	}
}

/* 1 when obj, written, is the golden value: no member less, none more. */
static int same(const struct sv_kind *k, const void *obj, int mode, const cJSON *golden, int tell)
{
	cJSON *ours;
	char *text;
	int r;

	assert_int_equal(sv_to_json(k, obj, mode, 0, &text), SV_OK);
	ours = cJSON_Parse(text);
	assert_non_null(ours);
	r = cJSON_Compare(golden, ours, 1);
	if (!r && tell)
		differ(k->name, golden, ours);
	cJSON_Delete(ours);
	sv_free_text(text);
	return r;
}

static void written(
	const char *where, const struct sv_kind *k, const void *obj, int mode, const cJSON *golden)
{
	if (!same(k, obj, mode, golden, 1))
		fail_msg("%s of %s is not what the golden file says", where, k->name);
}

static void mark(struct all *all, const struct sv_kind *k, const void *obj)
{
	struct seen *s = all->v;

	while (s < all->v + all->n && s->kind != k)
		s++;
	assert_true(s < all->v + N_SEEN);
	if (s == all->v + all->n)
		*s = (struct seen){ k, 0 }, all->n++;
	for (uint32_t i = 0; i < k->n; i++) {
		const struct sv_field *f = &k->fields[i];
		const struct sv_list *l = sv_member(f, obj);

		if (!sv_field_has(f, obj) || sv_field_is_null(f, obj))
			continue;
		s->rows |= UINT64_C(1) << i;
		if (f->type == SV_OBJ)
			mark(all, f->kind, *(void *const *)sv_member(f, obj));
		for (size_t j = 0; f->type == SV_LIST && j < l->n; j++)
			mark(all, f->kind, l->v[j]);
	}
}

/* flag: only rows that have it, 0 for all. */
static void complete(const struct all *all, const char *what, int flag, const char *const *except)
{
	int missing = 0;
	char name[160];

	for (size_t i = 0; i < all->n; i++)
		for (uint32_t j = 0; j < all->v[i].kind->n; j++) {
			const char *const *x = except;

			if (flag && !(all->v[i].kind->fields[j].flags & flag))
				continue;
			snprintf(name, sizeof(name), "%s.%s", all->v[i].kind->name,
				all->v[i].kind->fields[j].name);
			while (*x && strcmp(*x, name) != 0)
				x++;
			if (!*x && !(all->v[i].rows >> j & 1)) {
				print_error("no golden %s has a value of %s\n", what, name);
				missing++;
			}
		}
	assert_int_equal(missing, 0);
}

/* A whole page is one object of items, each as the get's. */
static void page(struct all *all, const struct sv_verb *v, const cJSON *golden)
{
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(golden, "items"), *c;
	const cJSON *next = cJSON_GetObjectItemCaseSensitive(golden, "next_cursor");
	struct sv_page *p = NULL;
	struct sv_error err;
	size_t i = 0;

	assert_int_equal(cJSON_GetArraySize(golden), 2);
	assert_int_equal(sv_decode_page(v->out, golden, &p, &err), SV_OK);
	assert_int_equal(p->n, cJSON_GetArraySize(items));
	assert_true(p->n > 0);
	cJSON_ArrayForEach(c, items)
	{
		written(v->path, v->out, p->v[i], SV_WALK_WIRE, c);
		mark(all, v->out, p->v[i++]);
	}
	if (cJSON_IsNull(next))
		assert_null(p->next);
	else
		assert_string_equal(p->next, next->valuestring);
	sv_free(p);
}

static void one(
	struct all *all, const struct sv_verb *v, const cJSON *golden, const char *text, size_t len)
{
	struct sv_error err;
	void *obj = NULL;

	if (sv_from_json(v->out, text, len, &obj, &err))
		fail_msg("%s %s: %s", v->out->name, v->name, err.message);
	written(v->path, v->out, obj, SV_WALK_WIRE, golden);
	mark(all, v->out, obj);
	sv_free(obj);
}

static void answer(struct all *all, const struct sv_kind *k, const struct sv_verb *v)
{
	size_t len;
	char *text = slurp(k->name, v->name, ".json", &len);
	cJSON *golden = text ? cJSON_Parse(text) : NULL;

	if (!text && v->out == k && sv_verb_find(k, "get") && !(v->flags & SV_MANY))
		return; /* answers what get answers */
	if (!text && v->out == &sv_instance_kind && k != v->out)
		return; /* answers an instance */
	if (!golden)
		fail_msg("no golden %s/%s.json, or it is not JSON", k->name, v->name);
	if (v->flags & SV_MANY)
		page(all, v, golden);
	else
		one(all, v, golden, text, len);
	cJSON_Delete(golden);
	free(text);
}

static void answers(void **state)
{
	/* A template has one source. */
	static const char *const except[] = { "instance_create.snapshot", "instance_create.app",
		NULL };
	struct all all = { .n = 0 };
	const struct sv_kind *k;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++)
		for (const struct sv_verb *v = k->verbs; v->name; v++)
			if (v->out)
				answer(&all, k, v);
	complete(&all, "answer", 0, except);
}

static void body(struct all *all, const struct sv_kind *k, const struct sv_verb *v)
{
	int mode = v->flags & SV_MASKED ? SV_WALK_UPDATE : SV_WALK_CREATE;
	struct sv_error err;
	cJSON *golden;
	void *obj = NULL;
	size_t len;
	char *text = slurp(k->name, v->name, ".request.json", &len);

	if (!text)
		fail_msg("no golden %s/%s.request.json", k->name, v->name);
	golden = cJSON_Parse(text);
	assert_non_null(golden);
	if (sv_from_body(v->in, text, len, &obj, &err) || sv_check(v->in, obj, mode, &err))
		fail_msg("%s %s: %s: %s", k->name, v->name, err.field, err.message);
	written(v->path, v->in, obj, mode, golden);
	if (mode == SV_WALK_CREATE)
		mark(all, v->in, obj);
	sv_free(obj);
	/* A person's file gives the same body. */
	assert_int_equal(sv_from_yaml(v->in, v->name, text, len, &obj, &err), SV_OK);
	written(v->path, v->in, obj, mode, golden);
	sv_free(obj);
	cJSON_Delete(golden);
	free(text);
}

static void bodies(void **state)
{
	/* What excludes something else. */
	static const char *const except[] = { "instance_create.snapshot", "instance_create.app",
		"snapshot_create.disk", "job_create.instance", "job_create.snapshot",
		"job_create.app", "account_register.phone", NULL };
	struct all all = { .n = 0 };
	const struct sv_kind *k;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++)
		for (const struct sv_verb *v = k->verbs; v->name; v++)
			if (v->in)
				body(&all, k, v);
	complete(&all, "request", SV_CREATE, except);
}

/* Every problem is understood, and written again as it was read. */
static void problems(void **state)
{
	const struct sv_kind *k;

	(void)state;
	for (size_t i = 0; (k = sv_kinds(i)); i++) {
		struct sv_error err;
		struct sv_buf b;
		size_t len;
		char *text = slurp(k->name, "error", ".json", &len);
		cJSON *golden = text ? cJSON_Parse(text) : NULL, *ours;
		const cJSON *code = cJSON_GetObjectItemCaseSensitive(golden, "code");
		const cJSON *status = cJSON_GetObjectItemCaseSensitive(golden, "status");

		if (!code || !status)
			fail_msg("%s/error.json", k->name);
		sv_decode_problem(text, len, status->valueint, &err);
		assert_string_equal(err.wire, code->valuestring);
		assert_int_equal(err.http_status, status->valueint);
		assert_int_equal(sv_err_of_wire(err.wire)->http_status, err.http_status);
		sv_buf_init(&b, 65536);
		assert_int_equal(sv_write_problem(&b, &err, err.request_id), SV_OK);
		ours = cJSON_Parse(sv_buf_text(&b));
		if (!cJSON_Compare(golden, ours, 1)) {
			differ(k->name, golden, ours);
			fail();
		}
		cJSON_Delete(ours);
		cJSON_Delete(golden);
		sv_buf_free(&b);
		free(text);
	}
}

/* One field less, one more or another value is noticed: the comparison above can fail. */
static void comparison_fails(void **state)
{
	struct sv_error err;
	cJSON *golden;
	void *obj = NULL;
	size_t len;
	char *text = slurp("disk", "get", ".json", &len);

	(void)state;
	assert_non_null(text);
	golden = cJSON_Parse(text);
	assert_int_equal(sv_from_json(&sv_disk_kind, text, len, &obj, &err), SV_OK);
	assert_true(same(&sv_disk_kind, obj, SV_WALK_WIRE, golden, 0));
	cJSON_AddNumberToObject(golden, "iops", 3000);
	assert_false(same(&sv_disk_kind, obj, SV_WALK_WIRE, golden, 0));
	cJSON_DeleteItemFromObject(golden, "iops");
	cJSON_DeleteItemFromObject(golden, "size_gib");
	assert_false(same(&sv_disk_kind, obj, SV_WALK_WIRE, golden, 0));
	cJSON_AddNumberToObject(golden, "size_gib", 101);
	assert_false(same(&sv_disk_kind, obj, SV_WALK_WIRE, golden, 0));
	cJSON_Delete(golden);
	sv_free(obj);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers),
		cmocka_unit_test(bodies),
		cmocka_unit_test(problems),
		cmocka_unit_test(comparison_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
