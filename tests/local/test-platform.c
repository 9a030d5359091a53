/* SPDX-License-Identifier: MIT */
/* The platform as a client meets it: routes, keys, bodies, lists, idempotency, long polls, events,
 * faults. */
#include "platform-world.h"

#include "base/time.h"
#include "local/auth.h"
#include "local/event.h"
#include "local/fault.h"
#include "local/feed.h"
#include "local/socket.h"
#include "local/stream.h"

#include <stdlib.h>
#include <unistd.h>

#include <starverse/key.h>

#define INSTANCE(name) "{\"name\":\"" name "\",\"gpu\":\"tpu-sim\",\"image\":\"pytorch-2.2\"}"

static const char body_1[] = "{\"amount\":\"5.00\"}";

static void test_routes(void **state)
{
	struct world *w = *state;

	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 200);
	assert_int_equal(ask(w, "GET", "/v1/nothing", NULL), 404);
	assert_true(has(w, "\"code\":\"not_found\""));
	assert_int_equal(ask(w, "DELETE", "/v1/gpus", NULL), 405);
	assert_int_equal(ask(w, "TRACE", "/v1/gpus", NULL), 405);
	assert_int_equal(ask(w, "GET", "/v1/keys/key_none", NULL), 404);
	assert_int_equal(ask(w, "GET", "/v1/keys/%00", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/keys/..%2Faccount", NULL), 404);
	assert_int_equal(ask(w, "GET", "/v1/keys/../account", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1//keys", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/keys/%zz", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/keys/a%252Fb", NULL), 404);
	assert_true(has(w, "a%2Fb")); /* decoded once */
}

static void test_keys(void **state)
{
	struct world *w = *state;
	char first[80], account[64];
	sqlite3_stmt *st;

	memcpy(first, w->authorization, sizeof(first));
	memcpy(account, w->account, sizeof(account));
	assert_int_equal(
		ask(w, "POST", "/v1/account/register", "{\"email\":\"A@example.com\"}"), 409);
	assert_int_equal(ask(w, "POST", "/v1/account/register", "{}"), 422);
	w->authorization[8]++;
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 401);
	assert_true(has(w, "\"code\":\"unauthenticated\""));
	*w->key = '\0';
	assert_int_equal(ask(w, "GET", "/v1/account", NULL), 401);
	/* Only its hash is kept. */
	st = store_stmt(w->p.store, "SELECT count(*) FROM api_key WHERE length(hash)=32");
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_int_equal(sqlite3_column_int(st, 0), 1);
	enter(w, "b@example.com");
	assert_string_not_equal(account, w->account);
}

static void test_bodies(void **state)
{
	struct world *w = *state;

	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"nmae\":\"x\"}"), 422);
	assert_true(has(w, "\"field\":\"nmae\""));
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"verified\":false}"), 422);
	assert_true(has(w, "\"field\":\"verified\""));
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"name\":7}"), 422);
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"name\":"), 422);
	assert_int_equal(
		ask(w, "PATCH", "/v1/account", "{\"name\":\"new\",\"labels\":{\"a\":\"1\"}}"), 200);
	assert_true(has(w, "\"name\":\"new\"") && has(w, "\"labels\":{\"a\":\"1\"}"));
	/* What is not sent stays, what is empty is cleared. */
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"labels\":{}}"), 200);
	assert_true(has(w, "\"name\":\"new\"") && has(w, "\"labels\":{}"));
	assert_int_equal(ask(w, "GET", "/v1/gpus?limit=0", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/gpus?limit=1001", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/gpus?cursor=77", NULL), 422);
	assert_int_equal(ask(w, "GET", "/v1/gpus?sort=price", NULL), 422);
}

static void test_others_are_not_found(void **state)
{
	struct world *w = *state;
	struct sv_key *k = sv_new(&sv_key_kind);

	k->id = "key_theirs";
	k->name = "theirs";
	assert_int_equal(store_put(w->p.store, &sv_key_kind, "acc_other", k, T0), SV_OK);
	sv_free(k);
	assert_int_equal(ask(w, "GET", "/v1/keys/key_theirs", NULL), 404);
	assert_int_equal(ask(w, "DELETE", "/v1/keys/key_theirs", NULL), 404);
	assert_int_equal(ask(w, "GET", "/v1/keys", NULL), 200);
	assert_false(has(w, "key_theirs"));
}

static void put_key(struct world *w, const char *id, const char *name, const char *label)
{
	struct sv_key *k = sv_new(&sv_key_kind);

	k->id = id;
	k->name = name;
	if (label)
		sv_map_set(k, &k->labels, "team", label);
	assert_int_equal(store_put(w->p.store, &sv_key_kind, w->account, k, w->p.clock.at), SV_OK);
	sv_free(k);
}

/* Walks all pages while others create before and after and delete what was seen and what was not:
 * everything that was there from the beginning to the end comes exactly once. */
static void walk(struct world *w, const char *sort)
{
	char path[2300], cursor[2100] = "", id[32];
	int seen[200] = { 0 }, pages = 0;

	for (int i = 0; i < 200; i++) {
		snprintf(id, sizeof(id), "key_%s%03d", *sort == 'n' ? "n" : "c", i);
		w->p.clock.at += i % 3 == 0;
		put_key(w, id, i % 2 ? "same" : id, NULL);
	}
	do {
		snprintf(path, sizeof(path), "/v1/keys?limit=7&sort=%s%s%s", sort,
			*cursor ? "&cursor=" : "", cursor);
		struct request rq = { .method = "GET",
			.path = "/v1/keys",
			.query = path + 9,
			.authorization = w->authorization,
			.trusted = 1 };

		assert_int_equal(send_with(w, &rq), 200);
		for (int i = 0; i < 200; i++) {
			snprintf(id, sizeof(id), "\"id\":\"key_%s%03d\"", *sort == 'n' ? "n" : "c",
				i);
			seen[i] += has(w, id);
		}
		member(w, "next_cursor", cursor, sizeof(cursor));
		snprintf(id, sizeof(id), "key_x%s%d", *sort == 'n' ? "n" : "c", pages);
		put_key(w, id, pages % 2 ? "aaa" : "zzz", NULL);
		snprintf(id, sizeof(id), "key_%s%03d", *sort == 'n' ? "n" : "c", pages * 5 % 200);
		store_drop(w->p.store, &sv_key_kind, id, T0);
		seen[pages * 5 % 200] = -100;
	} while (*cursor && ++pages < 200);
	for (int i = 0; i < 200; i++)
		assert_true(seen[i] < 0 || seen[i] == 1);
	assert_true(pages > 20);
}

static void test_pages(void **state)
{
	walk(*state, "created_at");
	walk(*state, "name");
}

static void test_filters(void **state)
{
	struct world *w = *state;

	put_key(w, "key_1", "one", "red");
	put_key(w, "key_2", "two", "blue");
	put_key(w, "key_3", "two", "red");
	assert_int_equal(ask(w, "GET", "/v1/keys?name=two&labels.team=red", NULL), 200);
	assert_true(has(w, "key_3") && !has(w, "key_1") && !has(w, "key_2"));
	assert_int_equal(ask(w, "GET", "/v1/keys?name=two&name=one&sort=-name", NULL), 200);
	assert_true(strstr(w->text, "key_3") < strstr(w->text, "key_2"));
	assert_true(strstr(w->text, "key_2") < strstr(w->text, "key_1"));
	assert_int_equal(ask(w, "GET", "/v1/keys?name=none", NULL), 200);
	assert_string_equal(w->text, "{\"items\":[],\"next_cursor\":null}");
	assert_int_equal(ask(w, "GET", "/v1/gpus?min_memory_gib=80&max_memory_gib=80", NULL), 200);
	assert_true(has(w, "h100-80g") && !has(w, "rtx-4090"));
}

static void test_idempotency(void **state)
{
	struct world *w = *state;
	char first[4096];

	assert_int_equal(ask_keyed(w, "POST", "/v1/account/top_up", body_1, "key-00000001"), 200);
	assert_false(w->rp.replayed);
	snprintf(first, sizeof(first), "%s", w->text);
	assert_int_equal(ask_keyed(w, "POST", "/v1/account/top_up", body_1, "key-00000001"), 200);
	assert_true(w->rp.replayed);
	assert_string_equal(first, w->text);
	assert_int_equal(
		ask_keyed(w, "POST", "/v1/account/top_up", "{\"amount\":\"6.00\"}", "key-00000001"),
		409);
	assert_true(has(w, "\"code\":\"idempotency_key_conflict\""));
	assert_int_equal(ask(w, "GET", "/v1/idempotency_keys/key-00000001", NULL), 200);
	assert_true(has(w, "\"status\":\"succeeded\""));
	/* The question burns what was not there. */
	assert_int_equal(ask(w, "GET", "/v1/idempotency_keys/key-00000002", NULL), 404);
	assert_int_equal(ask_keyed(w, "POST", "/v1/account/top_up", body_1, "key-00000002"), 409);
	assert_int_equal(ask(w, "GET", "/v1/idempotency_keys/key-00000002", NULL), 404);
	/* After a day it is forgotten. */
	w->p.clock.at += 86400 + 1;
	assert_int_equal(
		ask_keyed(w, "POST", "/v1/account/top_up", "{\"amount\":\"6.00\"}", "key-00000001"),
		200);
	assert_false(w->rp.replayed);
}

/* A refused request leaves neither its effect nor its key. */
static void test_refused_leaves_nothing(void **state)
{
	struct world *w = *state;

	assert_int_equal(
		ask_keyed(w, "POST", "/v1/account/top_up", "{\"amount\":\"x\"}", "key-00000003"),
		422);
	assert_int_equal(ask_keyed(w, "POST", "/v1/account/top_up", body_1, "key-00000003"), 200);
	assert_false(w->rp.replayed);
}

static void test_long_poll(void **state)
{
	struct world *w = *state;
	struct request rq = { .method = "GET",
		.path = "/v1/keys/key_p",
		.query = "after_version=1&timeout_seconds=30",
		.authorization = w->authorization,
		.trusted = 1 };
	struct reply rp;

	put_key(w, "key_p", "p", NULL);
	platform_handle(&w->p, &rq, &rp);
	assert_int_equal(rp.kind, REPLY_WAIT);
	assert_string_equal(rp.wait_id, "key_p");
	assert_true(rp.wait_until_ms > sv_mono_ms() + 25000);
	/* Time is up: unchanged. */
	rq.wait_until_ms = sv_mono_ms() - 1;
	reply_free(&rp);
	assert_int_equal(send_with(w, &rq), 200);
	assert_true(has(w, "\"version\":1"));
	put_key(w, "key_p", "p2", NULL);
	rq.wait_until_ms = 0;
	assert_int_equal(send_with(w, &rq), 200);
	assert_true(has(w, "\"version\":2"));
	assert_int_equal(
		ask(w, "GET", "/v1/keys/key_p?after_version=2&timeout_seconds=61", NULL), 422);
}

static void test_events(void **state)
{
	struct world *w = *state;
	struct stream *s = NULL;
	struct sv_buf out;
	char id[64];
	int64_t seq;

	sv_buf_init(&out, 1 << 20);
	assert_int_equal(ask(w, "GET", "/v1/events?type=account.registered", NULL), 200);
	member(w, "id", id, sizeof(id));
	seq = event_seq(id);
	assert_true(seq > 0);
	platform_event(&w->p, w->account, "test.one", w->account, "key_1", "first");
	platform_event(&w->p, "acc_other", "test.foreign", NULL, "key_2", "not yours");
	assert_int_equal(stream_events(&w->p, w->account, seq, &s), SV_OK);
	assert_int_equal(s->read(s, &out), SV_OK);
	assert_non_null(strstr(out.data, "event: test.one\ndata: {"));
	assert_null(strstr(out.data, "test.foreign"));
	sv_buf_reset(&out);
	assert_int_equal(s->read(s, &out), SV_OK);
	assert_int_equal(out.len, 0);
	stream_free(s);
	sv_buf_free(&out);
	assert_int_equal(
		ask(w, "GET", "/v1/events?type=test.one&type=test.two&resource=key_1", NULL), 200);
	assert_true(has(w, "first"));
	assert_int_equal(ask(w, "GET", "/v1/events?limit=1&sort=-created_at", NULL), 200);
	assert_true(has(w, "test.one"));
}

static void test_faults(void **state)
{
	struct world *w = *state;

	assert_int_equal(fault_set(&w->p, "GET", "/v1/keys/{id}", 503, 2), SV_OK);
	assert_int_equal(ask(w, "GET", "/v1/keys/a", NULL), 503);
	assert_int_equal(w->rp.retry_after, 1);
	assert_int_equal(ask(w, "GET", "/v1/keys/b", NULL), 503);
	assert_int_equal(ask(w, "GET", "/v1/keys/c", NULL), 404);
	assert_int_equal(ask(w, "POST", "/local/fault",
				 "{\"method\":\"GET\",\"path\":\"/v1/gpus\",\"status\":429}"),
		204);
	assert_int_equal(ask(w, "GET", "/v1/gpus", NULL), 429);
	assert_int_equal(ask(w, "GET", "/v1/gpus", NULL), 200);
}

/* From inside an instance its token is good for that instance alone, and an account's key for
 * nothing. */
static void test_inside(void **state)
{
	static const struct {
		const char *method, *path;
		int status;
	} tries[] = { { "GET", "/v1/instances/self", 200 }, { "GET", "/v1/instances", 200 },
		{ "GET", "/v1/account", 403 },
		{ "GET", "/v1/disks", 403 }, { "GET", "/v1/instances/ins_2", 403 },
		{ "DELETE", "/v1/instances/self", 403 }, { "GET", "/v1/keys", 403 },
		{ "POST", "/v1/account/register", 403 }, { "POST", "/v1/tokens", 403 },
		{ "POST", "/v1/instances/self/exec", 403 }, { "GET", "/local/status", 404 },
		{ "GET", "/v1/idempotency_keys/k", 403 } };
	struct world *w = *state;
	char token[AUTH_KEY], header[AUTH_KEY + 8], id[64], other[64], path[96];
	struct request rq = { .query = "", .authorization = header };

	assert_int_equal(ask(w, "POST", "/v1/instances", INSTANCE("mine")), 202);
	member(w, "id", id, sizeof(id));
	assert_int_equal(ask(w, "POST", "/v1/instances", INSTANCE("other")), 202);
	member(w, "id", other, sizeof(other));
	assert_int_equal(auth_token_new(&w->p, w->account, id, token), SV_OK);
	snprintf(header, sizeof(header), "Bearer %s", token);
	rq.instance = id;
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		rq.method = tries[i].method;
		rq.path = tries[i].path;
		rq.request_id[0] = '\0';
		if (send_with(w, &rq) != tries[i].status)
			fail_msg("%s %s: %s", rq.method, rq.path, w->text);
		assert_false(has(w, other));
	}
	snprintf(path, sizeof(path), "/v1/instances/%s", other);
	rq.method = "GET";
	rq.path = path;
	assert_int_equal(send_with(w, &rq), 403);
	rq.path = "/v1/instances/self";
	rq.authorization = w->authorization;
	assert_int_equal(send_with(w, &rq), 403);
	rq.authorization = header;
	rq.instance = other;
	assert_int_equal(send_with(w, &rq), 403);
	rq.instance = NULL;
	assert_int_equal(send_with(w, &rq), 403);
}

/* Case, width and order do not matter; where scripts meet, a word ends. */
static void test_search(void **state)
{
	static const struct {
		const char *query, *found; /* "": nothing */
	} tries[] = { { "Llama-3-8B%20%E9%A2%84%E8%AE%AD%E7%BB%83", "llama-3-8b-pretrain" },
		{ "%E9%A2%84%E8%AE%AD%E7%BB%83%20LLAMA", "llama-3-8b-pretrain" },
		{ "8b%E9%A2%84%E8%AE%AD%E7%BB%83", "llama-3-8b-pretrain" },
		{ "%EF%BC%AC%EF%BC%AC%EF%BC%A1%EF%BC%AD%EF%BC%A1-4%E3%80%80sft",
			"llama-4-70b-sft" },
		{ "%E5%BE%AE%E8%B0%83", "llama-4-70b-sft" }, { "llama%20nothing", "" },
		{ "%25", "" } };
	struct world *w = *state;
	char path[300], name[80];

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		snprintf(path, sizeof(path), "/v1/apps?search=%s", tries[i].query);
		assert_int_equal(ask(w, "GET", path, NULL), 200);
		assert_string_equal(member(w, "name", name, sizeof(name)), tries[i].found);
		assert_null(strstr(w->text, "},{\"id\""));
	}
	assert_int_equal(ask(w, "GET", "/v1/images?search=TRANSFORMERS%20pytorch", NULL), 200);
	assert_string_equal(
		member(w, "name", name, sizeof(name)), "PyTorch 2.3 + Llama-4 70B");
}

/* A socket's address holds 107 bytes; the state may lie deeper. */
static void test_deep_socket(void **state)
{
	char dir[300] = "/tmp/starverse-deep.XXXXXX", path[400], message[200] = "";
	struct stat made, st;
	size_t top;
	int fd = -1;

	(void)state;
	assert_non_null(mkdtemp(dir));
	top = strlen(dir);
	snprintf(dir + top, sizeof(dir) - top, "/%0120d", 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(path, sizeof(path), "%s/api.sock", dir);
	assert_int_not_equal(socket_unix(path, &fd, &made, message, sizeof(message)), SV_OK);
	assert_int_equal(socket_unix_deep(path, &fd, &made, message, sizeof(message)), SV_OK);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode) && st.st_ino == made.st_ino);
	close(fd);
	/* What nobody answers is replaced. */
	assert_int_equal(socket_unix_deep(path, &fd, &made, message, sizeof(message)), SV_OK);
	close(fd);
	unlink(path);
	rmdir(dir);
	dir[top] = '\0';
	rmdir(dir);
}

static void test_step(void **state)
{
	struct world *w = *state;

	assert_int_equal(ask(w, "POST", "/local/step", "{\"seconds\":3600}"), 200);
	assert_int_equal(w->p.clock.at, T0 + 3600);
	assert_int_equal(ask(w, "POST", "/local/step", "{\"seconds\":-1}"), 422);
	assert_int_equal(ask(w, "POST", "/local/step", "{}"), 422);
	w->p.clock.stepped = 0;
	assert_int_equal(ask(w, "POST", "/local/step", "{\"seconds\":1}"), 409);
	assert_true(has(w, "\"code\":\"invalid_state\""));
	w->p.clock.stepped = 1;
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_routes),
		CASE(test_keys),
		CASE(test_bodies),
		CASE(test_others_are_not_found),
		CASE(test_pages),
		CASE(test_filters),
		CASE(test_idempotency),
		CASE(test_refused_leaves_nothing),
		CASE(test_long_poll),
		CASE(test_events),
		CASE(test_faults),
		CASE(test_inside),
		CASE(test_search),
		CASE(test_deep_socket),
		CASE(test_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
