/* SPDX-License-Identifier: MIT */
/* Storages: what they cost, who mounts them, what is refused, and where their files go. */
#include "stage.h"

#include <sys/stat.h>

#include "local/storage.h"

struct scene {
	struct stage s;
	char dir[64], id[64];
};

static int setup(void **state)
{
	struct scene *c = malloc(sizeof(*c));

	stage_open(&c->s, 0);
	snprintf(c->dir, sizeof(c->dir), "/tmp/sv-storage-XXXXXX");
	assert_non_null(mkdtemp(c->dir));
	c->s.p.state_dir = c->dir;
	stage_ok(&c->s, 201, "POST", "/v1/storages",
		"{\"name\":\"team\",\"size_gib\":100,\"labels\":{\"k\":\"v\"}}");
	snprintf(c->id, sizeof(c->id), "%s", stage_text(&c->s, "id"));
	*state = c;
	return 0;
}

static int teardown(void **state)
{
	struct scene *c = *state;
	char line[200];

	stage_verify(&c->s);
	stage_close(&c->s);
	snprintf(line, sizeof(line), "rm -rf '%s'", c->dir);
	assert_int_equal(system(line), 0);
	free(c);
	return 0;
}

static void one(struct scene *c, const char *method, const char *body, int status)
{
	char path[200];

	snprintf(path, sizeof(path), "/v1/storages/%s", c->id);
	stage_ok(&c->s, status, method, path, body);
}

static int is_there(struct scene *c, const char *what)
{
	char path[300];
	struct stat st;

	snprintf(path, sizeof(path), "%s/storages/%s%s", c->dir, c->id, what);
	return !stat(path, &st);
}

static void put(struct scene *c, const char *name, size_t size)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/storages/%s/data/%s", c->dir, c->id, name);
	f = fopen(path, "wb");
	assert_non_null(f);
	for (size_t i = 0; i < size; i++)
		fputc('x', f);
	assert_int_equal(fclose(f), 0);
}

static void made_and_changed(void **state)
{
	struct scene *c = *state;

	assert_true(is_there(c, "/data") && is_there(c, "/work"));
	stage_expect(&c->s, "name", "team");
	stage_expect(&c->s, "labels.k", "v");
	stage_expect(&c->s, "price_per_gib_month", "0.050000");
	assert_int_equal(stage_number(&c->s, "version"), 1);
	assert_int_equal(stage_number(&c->s, "used_bytes"), 0);
	assert_true(cJSON_IsNull(stage_at(&c->s, "endpoint")));
	c->s.p.s3_port = 21000;
	put(c, "a", 1000);
	storage_used_free(&c->s.p); /* what was counted lately stands for a while */
	one(c, "GET", NULL, 200);
	stage_expect(&c->s, "endpoint", "http://127.0.0.1:21000");
	assert_int_equal(stage_number(&c->s, "used_bytes"), 1000);
	one(c, "PATCH", "{\"name\":\"shared\",\"labels\":{}}", 200);
	stage_expect(&c->s, "name", "shared");
	one(c, "PATCH", "{\"name\":\"\"}", 422);
	stage_expect(&c->s, "errors.0.field", "name");
	one(c, "PATCH", "{\"size_gib\":70000}", 422);
	stage_expect(&c->s, "errors.0.field", "size_gib");
	stage_ok(&c->s, 422, "POST", "/v1/storages", "{\"name\":\"x\",\"size_gib\":65537}");
	stage_ok(&c->s, 422, "POST", "/v1/storages", "{\"name\":\"x\"}");
}

/* 100 GiB at 0.05 for 30 days are 5.00: a day and a half are 0.25, and 0.50 at twice the size. */
static void billed_by_its_size(void **state)
{
	struct scene *c = *state;
	char path[200];

	stage_step(&c->s, 36 * 3600);
	one(c, "PATCH", "{\"size_gib\":200}", 200);
	stage_step(&c->s, 36 * 3600);
	one(c, "DELETE", NULL, 200);
	stage_step(&c->s, 86400);
	snprintf(path, sizeof(path), "/v1/billing/usage?resource=%s", c->id);
	stage_ok(&c->s, 200, "GET", path, NULL);
	assert_int_equal(cJSON_GetArraySize(stage_at(&c->s, "items")), 2);
	stage_expect(&c->s, "items.0.kind", "storage");
	stage_expect(&c->s, "items.0.name", "team");
	stage_expect(&c->s, "items.0.cost", "0.250000");
	stage_expect(&c->s, "items.1.cost", "0.500000");
}

static void quoted(void **state)
{
	struct scene *c = *state;

	stage_ok(&c->s, 200, "POST", "/v1/billing/quote",
		"{\"kind\":\"storage\",\"body\":{\"size_gib\":720}}");
	stage_expect(&c->s, "items.0.item", "storage");
	stage_expect(&c->s, "price_per_hour", "0.050000");
	stage_expect(&c->s, "price_per_day", "1.200000");
	stage_ok(&c->s, 200, "POST", "/v1/billing/quote",
		"{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\","
		"\"storages\":[{\"storage\":\"team\",\"path\":\"/team\"}]}}");
	stage_expect(&c->s, "items.1.item", "storage");
	stage_expect(&c->s, "items.1.price_per_hour", "0.006944");
	stage_ok(&c->s, 404, "POST", "/v1/billing/quote",
		"{\"kind\":\"instance\",\"body\":{\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\","
		"\"storages\":[{\"storage\":\"none\",\"path\":\"/team\"}]}}");
	stage_ok(&c->s, 422, "POST", "/v1/billing/quote",
		"{\"kind\":\"storage\",\"body\":{\"size_gib\":0}}");
}

#define MACHINE(name, storages) \
	"{\"name\":\"" name \
	"\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\",\"storages\":" storages "}"

static void mounted_by_many(void **state)
{
	struct scene *c = *state;
	char a[64], b[64], path[200];

	stage_ok(&c->s, 202, "POST", "/v1/instances",
		MACHINE("a", "[{\"storage\":\"team\",\"path\":\"/team\"}]"));
	snprintf(a, sizeof(a), "%s", stage_text(&c->s, "id"));
	stage_expect(&c->s, "mounts.0.kind", "storage");
	stage_expect(&c->s, "mounts.0.id", c->id);
	stage_expect(&c->s, "mounts.0.path", "/team");
	stage_ok(&c->s, 202, "POST", "/v1/instances",
		MACHINE("b", "[{\"storage\":\"team\",\"path\":\"/root/team\"}]"));
	snprintf(b, sizeof(b), "%s", stage_text(&c->s, "id"));
	stage_ok(&c->s, 422, "POST", "/v1/instances",
		MACHINE("c", "[{\"storage\":\"none\",\"path\":\"/team\"}]"));
	stage_expect(&c->s, "errors.0.field", "storages.storage");
	stage_ok(&c->s, 422, "POST", "/v1/instances",
		MACHINE("c", "[{\"storage\":\"team\",\"path\":\"/usr\"}]"));
	stage_expect(&c->s, "errors.0.field", "storages.path");
	stage_ok(&c->s, 422, "POST", "/v1/instances",
		MACHINE("c", "[{\"storage\":\"team\",\"path\":\"/"
			     "x\"},{\"storage\":\"team\",\"path\":\"/y\"}]"));
	stage_expect(&c->s, "errors.0.code", "twice");
	one(c, "DELETE", NULL, 409);
	stage_expect(&c->s, "code", "invalid_state");
	snprintf(path, sizeof(path), "/v1/instances/%s", a);
	stage_ok(&c->s, 202, "DELETE", path, NULL);
	one(c, "DELETE", NULL, 409);
	snprintf(path, sizeof(path), "/v1/instances/%s/stop", b);
	stage_ok(&c->s, 202, "POST", path, "{}");
	one(c, "DELETE", NULL, 409); /* it will want it at its next start */
	snprintf(path, sizeof(path), "/v1/instances/%s", b);
	stage_ok(&c->s, 202, "DELETE", path, NULL);
	put(c, "file", 10);
	one(c, "DELETE", NULL, 200);
	one(c, "GET", NULL, 404);
	assert_false(is_there(c, ""));
}

/* The directory of one whose delete was cut short goes at the next start; others stay. */
static void swept(void **state)
{
	struct scene *c = *state;
	char path[300];

	snprintf(path, sizeof(path), "%s/storages/sto_gone", c->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	stage_crash(&c->s);
	stage_up(&c->s);
	c->s.p.state_dir = c->dir;
	platform_turn(&c->s.p);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_true(is_there(c, "/data"));
}

static void keys(void **state)
{
	struct scene *c = *state;
	char path[200], first[64];

	snprintf(path, sizeof(path), "/v1/storages/%s/credentials", c->id);
	stage_ok(&c->s, 200, "POST", path, NULL);
	snprintf(first, sizeof(first), "%s", stage_text(&c->s, "access_key"));
	assert_int_equal(strlen(first), 20);
	assert_int_equal(strlen(stage_text(&c->s, "secret_key")), 40);
	stage_expect(&c->s, "bucket", c->id);
	stage_expect(&c->s, "region", "us-east-1");
	stage_ok(&c->s, 200, "POST", path, NULL);
	assert_string_not_equal(stage_text(&c->s, "access_key"), first);
	snprintf(path, sizeof(path), "/v1/storages/%s/credentials", "sto_nope");
	stage_ok(&c->s, 404, "POST", path, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(made_and_changed, setup, teardown),
		cmocka_unit_test_setup_teardown(billed_by_its_size, setup, teardown),
		cmocka_unit_test_setup_teardown(quoted, setup, teardown),
		cmocka_unit_test_setup_teardown(mounted_by_many, setup, teardown),
		cmocka_unit_test_setup_teardown(swept, setup, teardown),
		cmocka_unit_test_setup_teardown(keys, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
