/* SPDX-License-Identifier: MIT */
/* What the platform answers against the golden files, which were written by hand from the contract:
 * the same members, of the same JSON types, in objects inside objects too; and the golden bodies
 * are bodies that it takes. */
#include "platform-world.h"

#include <cjson/cJSON.h>
#include <dirent.h>

static char *slurp(const char *kind, const char *file)
{
	char path[600];
	char *text;
	FILE *f;
	long n;

	snprintf(path, sizeof(path), "%s/%s/%s", getenv("SV_TEST_DATA"), kind, file);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("%s is missing", path);
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	text = calloc(1, (size_t)n + 1);
	assert_int_equal(fread(text, 1, (size_t)n, f), n);
	fclose(f);
	return text;
}

static cJSON *golden(const char *kind, const char *file)
{
	char *text = slurp(kind, file);
	cJSON *tree = cJSON_Parse(text);

	assert_non_null(tree);
	free(text);
	return tree;
}

/* Objects whose keys are the user's or the catalogue's. */
static int is_free(const char *name)
{
	static const char *const names[] = { "context", "env", "frameworks", "labels", "metrics",
		"plugins" };

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return 1;
	return 0;
}

static void compare(const char *where, const cJSON *want, const cJSON *have);

static void compare_objects(const char *where, const cJSON *want, const cJSON *have)
{
	const cJSON *one;
	char path[300];

	cJSON_ArrayForEach(one, want)
	{
		const cJSON *other = cJSON_GetObjectItemCaseSensitive(have, one->string);

		snprintf(path, sizeof(path), "%s.%s", where, one->string);
		if (!other)
			fail_msg("%s is not answered", path);
		if (!is_free(one->string))
			compare(path, one, other);
	}
	cJSON_ArrayForEach(one, have) if (!cJSON_GetObjectItemCaseSensitive(want, one->string))
		fail_msg("%s.%s is answered, but not of the contract", where, one->string);
}

static int class_of(const cJSON *j)
{
	return cJSON_IsBool(j) ? cJSON_True : j->type & 0xff;
}

static void compare(const char *where, const cJSON *want, const cJSON *have)
{
	char path[300];

	if (cJSON_IsNull(want) || cJSON_IsNull(have))
		return;
	if (class_of(want) != class_of(have))
		fail_msg("%s has another type", where);
	if (cJSON_IsObject(want))
		compare_objects(where, want, have);
	if (cJSON_IsArray(want) && want->child && have->child) {
		snprintf(path, sizeof(path), "%s[]", where);
		compare(path, want->child, have->child);
	}
}

static cJSON *answer(struct world *w)
{
	cJSON *tree = cJSON_Parse(w->text);

	assert_non_null(tree);
	return tree;
}

static void test_lists(void **state)
{
	static const char *const kinds[][2] = { { "app", "apps" }, { "dataset", "datasets" },
		{ "event", "events" }, { "gpu", "gpus" }, { "image", "images" },
		{ "model", "models" } };
	struct world *w = *state;
	char path[80];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		cJSON *want = golden(kinds[i][0], "list.json"), *have;

		snprintf(path, sizeof(path), "/v1/%s?limit=1", kinds[i][1]);
		assert_int_equal(ask(w, "GET", path, NULL), 200);
		have = answer(w);
		assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(have, "items")), 1);
		compare(kinds[i][0], want, have);
		cJSON_Delete(want);
		cJSON_Delete(have);
	}
}

static void test_one(void **state)
{
	static const char *const paths[][3] = { { "account", "get.json", "/v1/account" },
		{ "gpu", "get.json", "/v1/gpus/rtx-4090" } };
	struct world *w = *state;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		cJSON *want = golden(paths[i][0], paths[i][1]), *have;

		assert_int_equal(ask(w, "GET", paths[i][2], NULL), 200);
		have = answer(w);
		compare(paths[i][0], want, have);
		cJSON_Delete(want);
		cJSON_Delete(have);
	}
}

static void created(struct world *w, const char *kind, const char *path, const char *body)
{
	cJSON *want = golden(kind, "get.json"), *have;

	if (ask(w, "POST", path, body) / 100 != 2)
		fail_msg("%s: %s", path, w->text);
	have = answer(w);
	compare(kind, want, have);
	cJSON_Delete(want);
	cJSON_Delete(have);
}

static void test_create(void **state)
{
	struct world *w = *state;
	char *text = slurp("key", "create.request.json");
	char image[64], body[200];

	assert_int_equal(ask(w, "GET", "/v1/images?name=pytorch-2.2", NULL), 200);
	member(w, "id", image, sizeof(image));
	snprintf(
		body, sizeof(body), "{\"name\":\"t\",\"gpu\":\"tpu-sim\",\"image\":\"%s\"}", image);
	created(w, "key", "/v1/keys", text);
	created(w, "disk", "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}");
	created(w, "instance", "/v1/instances", body);
	created(w, "job", "/v1/jobs",
		"{\"instance\":\"t\",\"command\":[\"true\"],\"checkpoint\":{\"disk\":\"d\","
		"\"path\":\"/c\"}}");
	free(text);
}

/* The answer to a creation holds the secret, no other does. */
static void test_token(void **state)
{
	struct world *w = *state;
	char *text = slurp("token", "create.request.json"), id[64], path[100];
	cJSON *want = golden("token", "create.json"), *have;

	if (ask(w, "POST", "/v1/tokens", text) != 201)
		fail_msg("%s", w->text);
	have = answer(w);
	compare("token", want, have);
	cJSON_Delete(want);
	cJSON_Delete(have);
	snprintf(path, sizeof(path), "/v1/tokens/%s", member(w, "id", id, sizeof(id)));
	want = golden("token", "get.json");
	assert_int_equal(ask(w, "GET", path, NULL), 200);
	have = answer(w);
	compare("token", want, have);
	cJSON_Delete(want);
	cJSON_Delete(have);
	free(text);
}

static void test_errors(void **state)
{
	static const struct {
		const char *method, *path, *body;
		int status;
	} tries[] = { { "GET", "/v1/keys/key_none", NULL, 404 },
		{ "PATCH", "/v1/account", "{\"a\":1}", 422 }, { "GET", "/v1/nothing", NULL, 404 } };
	struct world *w = *state;
	cJSON *want = golden("key", "error.json");

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		cJSON *have;

		assert_int_equal(
			ask(w, tries[i].method, tries[i].path, tries[i].body), tries[i].status);
		assert_string_equal(w->rp.content_type, "application/problem+json");
		have = answer(w);
		compare("error", want, have);
		assert_int_equal(cJSON_GetObjectItem(have, "status")->valueint, tries[i].status);
		cJSON_Delete(have);
	}
	cJSON_Delete(want);
}

/* Every VERB.request.json of every kind passes the decoder and the checks that the platform puts
 * before a behaviour. */
static void test_bodies(void **state)
{
	const struct sv_kind *kind;
	int n = 0;

	(void)state;
	for (size_t i = 0; (kind = sv_kinds(i)); i++)
		for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
			char file[80], path[600];
			struct sv_error err;
			void *in = NULL;
			char *text;
			FILE *f;

			snprintf(file, sizeof(file), "%s.request.json", v->name);
			snprintf(path, sizeof(path), "%s/%s/%s", getenv("SV_TEST_DATA"), kind->name,
				file);
			f = fopen(path, "r");
			if (!f)
				continue;
			fclose(f);
			text = slurp(kind->name, file);
			if (sv_from_body(v->in, text, strlen(text), &in, &err) ||
				sv_check(v->in, in,
					v->method == SV_PATCH ? SV_WALK_UPDATE : SV_WALK_CREATE,
					&err))
				fail_msg("%s/%s: %s", kind->name, file, err.message);
			sv_free(in);
			free(text);
			n++;
		}
	assert_true(n >= 15);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_lists),
		CASE(test_one),
		CASE(test_create),
		CASE(test_token),
		CASE(test_errors),
		CASE(test_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
