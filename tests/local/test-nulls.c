/* SPDX-License-Identifier: MIT */
/* Every body of every verb with every member null, one at a time, inner ones too: refused or taken,
 * never a crash, and what must be there is refused by its name and stays. */
#include "platform-world.h"

#include <cjson/cJSON.h>

#include <starverse/image.h>

#define DEPTH 3 /* of members inside members */

/* What a platform of one account has before a body is sent. */
static const struct {
	const char *kind, *path, *body;
} things[] = {
	{ "key", "/v1/keys",
		"{\"name\":\"k\",\"public_key\":\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKuV1Lz0bB0bV"
		"0m3hJx1b4m2Vw0rR2m7JfG3uQ9yXc5d me@laptop\"}" },
	{ "disk", "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}" },
	{ "storage", "/v1/storages", "{\"name\":\"s\",\"size_gib\":1}" },
	{ "instance", "/v1/instances",
		"{\"name\":\"t\",\"gpu\":\"tpu-sim\",\"image\":\"pytorch-2.2\"}" },
	{ "snapshot", "/v1/snapshots", "{\"name\":\"n\",\"disk\":\"d\"}" },
	{ "job", "/v1/jobs", "{\"instance\":\"t\",\"command\":[\"true\"]}" },
	{ "group", "/v1/groups",
		"{\"name\":\"g\",\"desired\":0,\"template\":{\"gpu\":\"tpu-sim\","
		"\"image\":\"pytorch-2.2\"}}" },
	{ "budget", "/v1/billing/budgets", "{\"name\":\"b\",\"amount\":\"5\"}" },
	{ "webhook", "/v1/webhooks", "{\"name\":\"w\",\"url\":\"https://example.com/\"}" },
	{ "token", "/v1/tokens", "{\"name\":\"o\",\"scopes\":[\"read\"]}" },
};

/* Bodies that are whole, so that what is refused is the null. What has no row has no member that it
 * needs. */
static const struct {
	const char *kind, *verb, *body;
} whole[] = {
	{ "account", "register", "{\"email\":\"b@example.com\"}" },
	{ "account", "top_up", "{\"amount\":\"5.00\"}" },
	{ "app", "deploy", "{\"name\":\"a\"}" },
	{ "billing", "quote",
		"{\"kind\":\"instance\",\"body\":{\"gpu\":\"tpu-sim\",\"image\":\"pytorch-2.2\"}"
		"}" },
	{ "billing", "redeem", "{\"code\":\"none\"}" },
	{ "billing", "tco", "{\"own_capex\":\"1100000\",\"unit_price_per_hour\":\"1.9\"}" },
	{ "budget", "create", "{\"name\":\"c\",\"amount\":\"5\"}" },
	{ "disk", "attach", "{\"instance\":\"t\",\"path\":\"/d\"}" },
	{ "disk", "create", "{\"name\":\"e\",\"size_gib\":1}" },
	{ "disk", "resize", "{\"size_gib\":2}" },
	{ "group", "create",
		"{\"name\":\"h\",\"desired\":1,\"template\":{\"gpu\":\"tpu-sim\","
		"\"image\":\"pytorch-2.2\"}}" },
	{ "group", "scale", "{\"desired\":1}" },
	{ "instance", "clone", "{\"name\":\"u\"}" },
	{ "instance", "create", "{\"name\":\"v\",\"gpu\":\"tpu-sim\",\"image\":\"pytorch-2.2\"}" },
	{ "instance", "exec", "{\"command\":[\"true\"]}" },
	{ "instance", "extend", "{\"seconds\":60}" },
	{ "instance", "resize", "{\"gpu_count\":2}" },
	{ "instance", "save_image", "{\"name\":\"i\"}" },
	{ "instance", "switch", "{\"gpu\":\"rtx-4090\"}" },
	{ "job", "create", "{\"instance\":\"t\",\"command\":[\"true\"]}" },
	{ "key", "create",
		"{\"name\":\"l\",\"public_key\":\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKuV1Lz0bB0bV"
		"0m3hJx1b4m2Vw0rR2m7JfG3uQ9yXc5d me@laptop\"}" },
	{ "model", "copy", "{\"instance\":\"t\",\"path\":\"/m\"}" },
	{ "snapshot", "create", "{\"name\":\"m\",\"disk\":\"d\"}" },
	{ "storage", "create", "{\"name\":\"r\",\"size_gib\":1}" },
	{ "token", "create", "{\"name\":\"p\",\"scopes\":[\"read\"]}" },
	{ "webhook", "create", "{\"name\":\"x\",\"url\":\"https://example.com/\"}" },
};

static const char *whole_of(const struct sv_kind *kind, const struct sv_verb *verb)
{
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (!strcmp(whole[i].kind, kind->name) && !strcmp(whole[i].verb, verb->name))
			return whole[i].body;
	return "{}";
}

static void private_image(struct world *w)
{
	struct sv_image *m = sv_new(&sv_image_kind);

	sv_put(m, id, "img_mine");
	sv_put(m, name, "mine");
	sv_put(m, visibility, "private");
	sv_put(m, status, "available");
	assert_int_equal(store_put(w->p.store, &sv_image_kind, w->account, m, T0), SV_OK);
	sv_free(m);
}

static void furnish(struct world *w, char ids[][64])
{
	open_world(w, NULL);
	enter(w, "a@example.com");
	assert_int_equal(ask(w, "POST", "/v1/account/top_up", "{\"amount\":\"10000\"}"), 200);
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		if (ask(w, "POST", things[i].path, things[i].body) / 100 != 2)
			fail_msg("%s: %s", things[i].path, w->text);
		member(w, "id", ids[i], 64);
		platform_turn(&w->p);
	}
	private_image(w);
}

static const char *id_of(struct world *w, char ids[][64], const char *kind, char *buf, size_t size)
{
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++)
		if (!strcmp(things[i].kind, kind))
			return ids[i];
	if (!strcmp(kind, "image"))
		return "img_mine";
	/* Of the catalogue. */
	snprintf(buf, size, "/v1/%ss?limit=1", kind);
	assert_int_equal(ask(w, "GET", buf, NULL), 200);
	return member(w, "id", buf, size);
}

struct trial {
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	int n;
};

/* The path of the verb; 0 for one that is the collection's. */
static int path_of(struct world *w, const struct trial *t, char ids[][64], char *path, size_t size)
{
	const char *at = strchr(t->verb->path, '{'), *rest = at ? strchr(at, '}') + 1 : "";
	char id[100];

	snprintf(path, size, "%.*s%s%s", at ? (int)(at - t->verb->path) : 400, t->verb->path,
		at ? id_of(w, ids, t->kind->name, id, sizeof(id)) : "", rest);
	return at && !*rest;
}

/* field: the one of the body's own that is null or holds the null; must: it cannot be. */
static void try(struct trial *t, const char *field, const char *body, int must)
{
	char ids[sizeof(things) / sizeof(things[0])][64], path[500], mark[100];
	struct world w;
	int status, one;

	furnish(&w, ids);
	one = path_of(&w, t, ids, path, sizeof(path)) || !strcmp(t->kind->name, "account");
	status = ask(&w, t->verb->method == SV_PATCH ? "PATCH" : "POST", path, body);
	snprintf(mark, sizeof(mark), "\"field\":\"%s", field);
	if (status / 100 != 2 && status / 100 != 4)
		fail_msg("%s %s: %d %s", path, body, status, w.text);
	if (must && (status != 422 || !has(&w, mark)))
		fail_msg("%s %s is taken: %d %s", path, body, status, w.text);
	/* Nor may what it left trip over it later. */
	for (int i = 0; i < 3; i++) {
		platform_turn(&w.p);
		w.p.clock.at += 3600;
	}
	if (one && t->verb->method == SV_PATCH) {
		assert_int_equal(ask(&w, "GET", path, NULL), 200);
		snprintf(mark, sizeof(mark), "\"%s\":null", field);
		if (must && strstr(body, mark) && has(&w, mark))
			fail_msg("%s: %s is null", path, field);
		if (ask(&w, "PATCH", path, "{\"labels\":{\"a\":\"b\"}}") / 100 == 5)
			fail_msg("%s: %s", path, w.text);
	}
	close_world(&w);
	t->n++;
}

/* The whole body with top's member replaced. Takes value. */
static void send_value(struct trial *t, const struct sv_field *top, cJSON *value, int must)
{
	cJSON *body = cJSON_Parse(whole_of(t->kind, t->verb));
	char *text;

	assert_non_null(body);
	cJSON_DeleteItemFromObjectCaseSensitive(body, top->name);
	cJSON_AddItemToObject(body, top->name, value);
	text = cJSON_PrintUnformatted(body);
	cJSON_Delete(body);
	try(t, top->name, text, must);
	free(text);
}

/* value: a copy of hull with the innermost filled in. */
static cJSON *inside(const struct sv_field *const *hull, int n, cJSON *value)
{
	while (n-- > 1) {
		cJSON *object = cJSON_CreateObject();

		cJSON_AddItemToObject(object, hull[n]->name, value);
		value = object;
		if (hull[n - 1]->type == SV_LIST) {
			value = cJSON_CreateArray();
			cJSON_AddItemToArray(value, object);
		}
	}
	return value;
}

static void each(struct trial *t, const struct sv_kind *kind, const struct sv_field **hull, int n)
{
	int sent = t->verb->method == SV_PATCH ? SV_UPDATE : SV_CREATE;

	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!n && !(f->flags & sent))
			continue;
		hull[n] = f;
		send_value(t, hull[0], inside(hull, n + 1, cJSON_CreateNull()),
			(f->flags & SV_REQUIRED) != 0);
		if ((f->type == SV_OBJ || f->type == SV_LIST) && n + 1 < DEPTH)
			each(t, f->kind, hull, n + 1);
	}
}

/* Of the kinds whose names lie in [from, to). */
static int try_all(const char *from, const char *to)
{
	const struct sv_field *hull[DEPTH];
	const struct sv_kind *kind;
	struct trial t = { .n = 0 };

	for (size_t i = 0; (kind = sv_kinds(i)); i++)
		for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
			if (strcmp(kind->name, from) < 0 || strcmp(kind->name, to) >= 0)
				continue;
			t.kind = kind;
			t.verb = v;
			if (v->in && (v->method == SV_PATCH || v->method == SV_POST))
				each(&t, v->in, hull, 0);
		}
	return t.n;
}

static void test_money_and_disks(void **state)
{
	(void)state;
	assert_true(try_all("", "e") >= 40);
}

static void test_groups(void **state)
{
	(void)state;
	assert_true(try_all("e", "instance") >= 30);
}

static void test_instances(void **state)
{
	(void)state;
	assert_true(try_all("instance", "j") >= 60);
}

static void test_the_rest(void **state)
{
	(void)state;
	assert_true(try_all("j", "~") >= 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_money_and_disks),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
