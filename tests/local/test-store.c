/* SPDX-License-Identifier: MIT */
/* The store: documents, savepoints, what a refused commit leaves, and the due index. */
#include "platform-world.h"

#include <starverse/key.h>
#include <unistd.h>

#include "local/due.h"
#include "local/feed.h"

static int put(struct store *s, const char *id, const char *name, int64_t now)
{
	struct sv_key *k = sv_new(&sv_key_kind);
	int rc;

	k->id = id;
	k->name = name;
	rc = store_put(s, &sv_key_kind, "acc_1", k, now);
	sv_free(k);
	return rc;
}

static void test_put_get(void **state)
{
	struct world *w = *state;
	struct store *s = w->p.store;
	void *got = NULL;
	char owner[64];

	assert_int_equal(put(s, "key_1", "one", T0), SV_OK);
	assert_int_equal(put(s, "key_1", "uno", T0 + 5), SV_OK);
	assert_int_equal(store_get(s, &sv_key_kind, "acc_1", "key_1", &got), SV_OK);
	assert_string_equal(((struct sv_key *)got)->name, "uno");
	assert_int_equal(((struct sv_key *)got)->version, 2);
	assert_int_equal(((struct sv_key *)got)->created_at, T0);
	assert_int_equal(((struct sv_key *)got)->updated_at, T0 + 5);
	sv_free(got);
	assert_int_equal(store_get(s, &sv_key_kind, "acc_2", "key_1", &got), SV_NOTFOUND);
	assert_int_equal(store_get(s, &sv_disk_kind, "acc_1", "key_1", &got), SV_NOTFOUND);
	assert_int_equal(store_version(s, "key_1"), 2);
	assert_int_equal(store_owner(s, "key_1", owner, sizeof(owner)), SV_OK);
	assert_string_equal(owner, "acc_1");
	assert_int_equal(store_drop(s, &sv_key_kind, "key_1", T0), SV_OK);
	assert_int_equal(store_drop(s, &sv_key_kind, "key_1", T0), SV_NOTFOUND);
	assert_int_equal(store_version(s, "key_1"), -1);
}

static void test_savepoints(void **state)
{
	struct store *s = ((struct world *)*state)->p.store;

	assert_int_equal(store_mark(s), SV_OK);
	put(s, "key_a", "a", T0);
	assert_int_equal(store_mark(s), SV_OK);
	put(s, "key_b", "b", T0);
	assert_int_equal(store_release(s, 0), SV_OK);
	assert_int_equal(store_release(s, 1), SV_OK);
	assert_int_equal(store_commit(s), SV_OK);
	assert_int_equal(store_version(s, "key_a"), 1);
	assert_int_equal(store_version(s, "key_b"), -1);
}

static int each(void *data, const char *account, void *obj)
{
	struct world *w = data;
	struct sv_key *k = obj;

	assert_string_equal(account, "acc_1");
	assert_int_equal(store_drop(w->p.store, &sv_key_kind, k->id, T0), SV_OK);
	return 0;
}

static void test_each_may_drop(void **state)
{
	struct world *w = *state;
	char id[16];

	for (int i = 0; i < 20; i++) {
		snprintf(id, sizeof(id), "key_%d", i);
		put(w->p.store, id, id, T0);
	}
	assert_int_equal(store_each(w->p.store, &sv_key_kind, "acc_1", NULL, each, w), SV_OK);
	assert_int_equal(store_version(w->p.store, "key_7"), -1);
}

static void test_ids(void **state)
{
	struct store *s = ((struct world *)*state)->p.store;
	char a[64], b[64];

	store_id(s, "key_", a, sizeof(a));
	store_id(s, "key_", b, sizeof(b));
	assert_int_equal(strlen(a), 24);
	assert_int_equal(strspn(a + 4, "0123456789abcdefghijklmnopqrstuvwxyz"), 20);
	assert_string_not_equal(a, b);
}

/* A full disk: the call is refused, what was committed before stays, and after room is made work
 * goes on. */
static void test_full(void **state)
{
	struct world *w = *state;
	char body[1200], pragma[64], filler[1001];
	int status = 201, n = 0;

	memset(filler, 'x', 1000);
	filler[1000] = '\0';
	assert_int_equal(ask(w, "POST", "/v1/keys", NULL) / 100, 4);
	assert_int_equal(put(w->p.store, "key_before", "before", T0), SV_OK);
	assert_int_equal(store_commit(w->p.store), SV_OK);
	sqlite3_exec(store_db(w->p.store), "PRAGMA max_page_count=1", NULL, NULL, NULL);
	while (status < 300 && n++ < 2000) {
		snprintf(body, sizeof(body), "{\"name\":\"n%d\",\"labels\":{\"l\":\"%s\"}}", n,
			filler);
		status = ask(w, "PATCH", "/v1/account", body);
		if (status < 300 && put(w->p.store, filler + n % 900, body, T0))
			store_rollback(w->p.store);
	}
	assert_int_equal(status, 503);
	assert_true(has(w, "\"code\":\"unavailable\""));
	assert_int_equal(store_version(w->p.store, "key_before"), 1);
	snprintf(pragma, sizeof(pragma), "PRAGMA max_page_count=%d", 1 << 20);
	sqlite3_exec(store_db(w->p.store), pragma, NULL, NULL, NULL);
	assert_int_equal(ask(w, "PATCH", "/v1/account", "{\"name\":\"after\"}"), 200);
	assert_true(has(w, "\"name\":\"after\""));
}

static void test_newer_format(void **state)
{
	char path[] = "/tmp/sv-store-XXXXXX", message[256] = "";
	struct store *s = NULL;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(store_open(path, &s, message, sizeof(message)), SV_OK);
	sqlite3_exec(store_db(s), "PRAGMA user_version=999", NULL, NULL, NULL);
	store_close(s);
	assert_int_equal(store_open(path, &s, message, sizeof(message)), SV_UNSUPPORTED);
	assert_non_null(strstr(message, "newer"));
	unlink(path);
}

static void test_due(void **state)
{
	struct store *s = ((struct world *)*state)->p.store;

	assert_int_equal(due_set(s, "ins_1", "stop_at", T0 + 10), SV_OK);
	assert_int_equal(due_set(s, "ins_1", "stop_at", T0 + 20), SV_OK);
	assert_int_equal(due_at(s, "ins_1", "stop_at"), T0 + 20);
	assert_int_equal(due_clear(s, "ins_1", NULL), SV_OK);
	assert_int_equal(due_at(s, "ins_1", "stop_at"), -1);
}

static void test_feed(void **state)
{
	struct feed *f = feed_new();
	struct waiter a = { .id = "x", .until_ms = 1000 }, b = { .id = "y", .until_ms = 500 };
	uint64_t mark = feed_mark(f);

	(void)state;
	feed_wait(f, &a, mark);
	feed_wait(f, &b, mark);
	feed_wake(f, "x");
	assert_null(feed_ready(f, 10)); /* not committed */
	feed_publish(f, 10);
	assert_ptr_equal(feed_ready(f, 11), &a);
	assert_null(feed_ready(f, 12));
	assert_int_equal(feed_timeout(f, 400, 5000), 100);
	assert_ptr_equal(feed_ready(f, 501), &b);
	/* Woken between being asked and waiting: not lost. */
	mark = feed_mark(f);
	feed_wake(f, "x");
	feed_wait(f, &a, mark);
	feed_publish(f, 510);
	assert_ptr_equal(feed_ready(f, 511), &a);
	assert_int_equal(feed_waiting(f), 0);
	feed_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_put_get, setup, teardown),
		cmocka_unit_test_setup_teardown(test_savepoints, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_may_drop, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ids, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, setup, teardown),
		cmocka_unit_test(test_newer_format),
		cmocka_unit_test_setup_teardown(test_due, setup, teardown),
		cmocka_unit_test(test_feed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
