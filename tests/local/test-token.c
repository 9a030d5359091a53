/* SPDX-License-Identifier: MIT */
/* Tokens: what each scope opens, their end, and that a secret is told once. */
#include "platform-world.h"

#include "local/scope.h"

#define BODY(scopes) "{\"name\":\"t\",\"scopes\":[" scopes "]}"

/* Makes a token and asks with it from now on; its id in id. */
static void become(struct world *w, const char *body, char id[64])
{
	char secret[80];

	assert_int_equal(ask(w, "POST", "/v1/tokens", body), 201);
	member(w, "secret", secret, sizeof(secret));
	member(w, "id", id, 64);
	assert_int_equal(strlen(secret), 44);
	snprintf(w->authorization, sizeof(w->authorization), "Bearer %s", secret);
}

static void be_owner(struct world *w)
{
	snprintf(w->authorization, sizeof(w->authorization), "Bearer %s", w->key);
}

/* Whoever adds a verb that changes something says what it needs. */
static void test_table(void **state)
{
	const struct sv_kind *kind;

	(void)state;
	for (size_t i = 0; (kind = sv_kinds(i)); i++)
		for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
			const char *word = scope_of(kind, v);
			struct sv_strs one = { 1, &word };

			if (v->flags & SV_NOKEY)
				continue;
			if (!word || !scope_bits(&one))
				fail_msg("%s %s has no scope", kind->name, v->name);
		}
}

static void test_scopes(void **state)
{
	static const struct {
		const char *method, *path, *body;
		int status;
	} tries[] = { { "GET", "/v1/keys", NULL, 200 }, { "GET", "/v1/account", NULL, 200 },
		{ "POST", "/v1/billing/quote", "{\"kind\":\"disk\",\"body\":{\"name\":\"d\","
					       "\"size_gib\":1}}",
			200 },
		{ "POST", "/v1/disks", "{\"name\":\"d\",\"size_gib\":1}", 202 },
		{ "POST", "/v1/keys", "{}", 403 }, { "POST", "/v1/instances", "{}", 403 },
		{ "PATCH", "/v1/account", "{\"name\":\"x\"}", 403 },
		{ "POST", "/v1/tokens", BODY("\"read\""), 403 } };
	struct world *w = *state;
	char id[64], scope[40];

	become(w, BODY("\"read\",\"disks\""), id);
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (ask(w, tries[i].method, tries[i].path, tries[i].body) != tries[i].status)
			fail_msg("%s %s: %s", tries[i].method, tries[i].path, w->text);
	member(w, "scope", scope, sizeof(scope));
	assert_string_equal(scope, "tokens");
	assert_true(has(w, "\"code\":\"forbidden\""));
	be_owner(w);
	become(w, BODY("\"disks\""), id);
	assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 403);
	assert_true(has(w, "\\\"read\\\""));
}

/* Nobody gives away more than he has. */
static void test_no_more(void **state)
{
	struct world *w = *state;
	char id[64];

	become(w, BODY("\"read\",\"tokens\""), id);
	assert_int_equal(ask(w, "POST", "/v1/tokens", BODY("\"read\",\"account\"")), 403);
	become(w, BODY("\"read\""), id);
	assert_int_equal(ask(w, "GET", "/v1/tokens", NULL), 200);
}

static void test_end(void **state)
{
	struct world *w = *state;
	char id[64], path[100];

	become(w, "{\"name\":\"t\",\"scopes\":[\"read\"],\"expires_at\":\"2026-09-21T14:34:40Z\"}",
		id);
	assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 200);
	w->p.clock.at = T0 + 1280 - 1;
	assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 200);
	w->p.clock.at = T0 + 1280;
	assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 401);
	assert_true(has(w, "\"code\":\"unauthenticated\"") && has(w, "expired"));
	be_owner(w);
	assert_int_equal(ask(w, "POST", "/v1/tokens",
				 "{\"name\":\"t\",\"scopes\":[\"read\"],"
				 "\"expires_at\":\"2020-01-01T00:00:00Z\"}"),
		422);
	become(w, BODY("\"read\""), id);
	snprintf(path, sizeof(path), "/v1/tokens/%s", id);
	be_owner(w);
	assert_int_equal(ask(w, "DELETE", path, NULL), 200);
	assert_int_equal(ask(w, "GET", path, NULL), 404);
}

static void test_deleted(void **state)
{
	struct world *w = *state;
	char id[64], path[100], theirs[100];

	become(w, BODY("\"read\",\"tokens\""), id);
	snprintf(path, sizeof(path), "/v1/tokens/%s", id);
	snprintf(theirs, sizeof(theirs), "%s", w->authorization);
	be_owner(w);
	assert_int_equal(ask(w, "DELETE", path, NULL), 200);
	snprintf(w->authorization, sizeof(w->authorization), "%s", theirs);
	assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 401);
}

static void test_used(void **state)
{
	struct world *w = *state;
	char id[64], path[100], theirs[100];

	become(w, BODY("\"read\""), id);
	snprintf(path, sizeof(path), "/v1/tokens/%s", id);
	snprintf(theirs, sizeof(theirs), "%s", w->authorization);
	be_owner(w);
	assert_int_equal(ask(w, "GET", path, NULL), 200);
	assert_true(has(w, "\"last_used_at\":null"));
	for (int i = 0; i < 2; i++) {
		snprintf(w->authorization, sizeof(w->authorization), "%s", theirs);
		assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 200);
		w->p.clock.at += 59;
	}
	be_owner(w);
	assert_int_equal(ask(w, "GET", "/v1/tokens", NULL), 200);
	assert_true(has(w, "\"last_used_at\":\"2026-09-21T14:13:20Z\""));
	snprintf(w->authorization, sizeof(w->authorization), "%s", theirs);
	assert_int_equal(ask(w, "GET", path, NULL), 200);
	assert_true(has(w, "\"last_used_at\":\"2026-09-21T14:15:18Z\""));
	assert_true(has(w, "\"version\":1"));
}

/* 1 when a text stands anywhere in the tables. */
static int kept(struct world *w, const char *text)
{
	static const char *const where[] = { "SELECT 1 FROM doc WHERE instr(doc, ?)",
		"SELECT 1 FROM fact WHERE instr(value, ?)",
		"SELECT 1 FROM event WHERE instr(message, ?)",
		"SELECT 1 FROM idempotency WHERE instr(body, ?)" };
	int n = 0;

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		sqlite3_stmt *st = store_stmt(w->p.store, where[i]);

		assert_non_null(st);
		sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
		n += sqlite3_step(st) == SQLITE_ROW;
		sqlite3_reset(st);
	}
	return n;
}

/* A repeated request gets the same token, without its secret: it was told, and is not kept. */
static void test_once(void **state)
{
	struct world *w = *state;
	char secret[80], id[64], again[64], path[100];

	assert_int_equal(ask_keyed(w, "POST", "/v1/tokens", BODY("\"read\""), "k1"), 201);
	member(w, "secret", secret, sizeof(secret));
	member(w, "id", id, sizeof(id));
	assert_true(!strncmp(secret, "svt_", 4));
	assert_int_equal(kept(w, secret), 0);
	assert_true(kept(w, id) > 0);
	assert_int_equal(ask_keyed(w, "POST", "/v1/tokens", BODY("\"read\""), "k1"), 201);
	assert_string_equal(member(w, "id", again, sizeof(again)), id);
	assert_true(has(w, "\"secret\":null"));
	snprintf(path, sizeof(path), "/v1/tokens/%s", id);
	assert_int_equal(ask(w, "GET", path, NULL), 200);
	assert_false(has(w, "secret"));
	assert_int_equal(ask(w, "GET", "/v1/tokens?scope=read", NULL), 200);
	assert_true(has(w, id) && !has(w, "secret"));
	assert_int_equal(ask(w, "GET", "/v1/tokens?scope=keys", NULL), 200);
	assert_false(has(w, id));
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_table),
		CASE(test_scopes),
		CASE(test_no_more),
		CASE(test_end),
		CASE(test_deleted),
		CASE(test_used),
		CASE(test_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
