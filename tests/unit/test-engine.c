/* SPDX-License-Identifier: MIT */
/* One call, its attempts, its end: against a scripted peer and a clock that does not wait. */
#include "unit.h"

#include <starverse/disk.h>

#include "wire.h"

#define DISK "{\"id\":\"dsk_1\",\"name\":\"d\",\"version\":1}"

static const struct sv_verb *verb(const char *kind, const char *name)
{
	return sv_verb_find(sv_kind_find(kind), name);
}

static int get(sv_client *c, void **ret)
{
	const char *const args[] = { "dsk_1", NULL };

	return sv_run(c, verb("disk", "get"), args, NULL, ret);
}

static int create(sv_client *c, void **ret)
{
	struct sv_disk_create_body *b = sv_disk_create_body_new();
	int r;

	b->name = "d";
	b->size_gib = 1;
	r = sv_run(c, verb("disk", "create"), NULL, b, ret);
	sv_free(b);
	return r;
}

static void headers_of_a_call(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *obj = NULL;

	(void)state;
	wire_reply(w, 200, NULL, DISK);
	assert_int_equal(get(c, &obj), SV_OK);
	assert_string_equal(((struct sv_disk *)obj)->id, "dsk_1");
	assert_string_equal(w->sent[0].url, "http://api.test/v1/disks/dsk_1");
	assert_string_equal(wire_header(w, 0, "Authorization"), "Bearer sk_test");
	assert_string_equal(wire_header(w, 0, "User-Agent"), "libstarverse/" SV_VERSION);
	assert_string_equal(wire_header(w, 0, "Accept"), "application/json");
	assert_int_equal(strlen(wire_header(w, 0, "X-Request-Id")), 20);
	assert_string_equal(wire_header(w, 0, "Idempotency-Key"), "");
	assert_string_equal(wire_header(w, 0, "Content-Type"), "");
	sv_free(obj);
	sv_client_free(c);
}

/* Pages that lead back to the first of a circle, however long it is and the way to it. */
static void circle(int way, int round)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *list = NULL;
	char body[100][64];
	int r = SV_OK;

	for (int i = 0; i < 100; i++) {
		snprintf(body[i], sizeof(body[i]), "{\"items\":[],\"next_cursor\":\"c%d\"}",
			i < way ? i : way + (i - way) % round);
		wire_reply(w, 200, NULL, body[i]);
	}
	assert_int_equal(sv_run(c, verb("disk", "list"), NULL, NULL, &list), SV_OK);
	for (int i = 1; !r && i < 100; i++)
		r = sv_next(c, verb("disk", "list"), NULL, NULL, &list);
	assert_int_equal(r, SV_PROTO);
	assert_non_null(strstr(sv_client_error(c)->message, "cursor"));
	assert_true((int)w->n_sent > way + round);
	sv_free(list);
	sv_client_free(c);
}

static void cursors_in_a_circle(void **state)
{
	(void)state;
	for (int way = 0; way < 6; way++)
		for (int round = 1; round < 9; round++)
			circle(way, round);
}

/* One key for all attempts of a call, another one for the next call. */
static void one_key_a_call(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char first[200], second[200];
	void *obj = NULL;

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 503, NULL, "{}");
	wire_reply(w, 202, NULL, DISK);
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c, &obj), SV_OK);
	sv_free(obj);
	assert_int_equal(w->n_sent, 3);
	snprintf(first, sizeof(first), "%s", wire_header(w, 0, "Idempotency-Key"));
	assert_true(strlen(first) >= 16);
	assert_string_equal(wire_header(w, 1, "Idempotency-Key"), first);
	assert_string_equal(wire_header(w, 2, "Idempotency-Key"), first);
	assert_string_equal(w->sent[2].body, w->sent[0].body);
	assert_int_equal(create(c, NULL), SV_OK);
	snprintf(second, sizeof(second), "%s", wire_header(w, 3, "Idempotency-Key"));
	assert_string_not_equal(first, second);
	sv_client_free(c);
}

static void own_key(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	assert_int_equal(sv_client_next_key(c, "short"), SV_INVALID);
	assert_int_equal(sv_client_next_key(c, "with blank"), SV_INVALID);
	assert_int_equal(sv_client_next_key(c, "with\r\nline"), SV_INVALID);
	assert_int_equal(sv_client_next_key(c, "my-own-key"), SV_OK);
	wire_reply(w, 202, NULL, DISK);
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c, NULL), SV_OK);
	assert_int_equal(create(c, NULL), SV_OK);
	assert_string_equal(wire_header(w, 0, "Idempotency-Key"), "my-own-key");
	assert_string_not_equal(wire_header(w, 1, "Idempotency-Key"), "my-own-key");
	sv_client_free(c);
}

static void waits_as_told(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_reply(w, 429, "Content-Type: application/problem+json\nRetry-After: 2\n",
		"{\"code\":\"rate_limited\"}");
	wire_reply(w, 429,
		"Retry-After: Sun, 06 Nov 1994 08:49:40 GMT\nDate: Sun, 06 Nov 1994 08:49:37 GMT\n",
		"{}");
	wire_reply(w, 200, NULL, DISK);
	assert_int_equal(get(c, NULL), SV_OK);
	assert_int_equal(w->n_sent, 3);
	assert_int_equal(w->sent[1].at - w->sent[0].at, 2000);
	assert_int_equal(w->sent[2].at - w->sent[1].at, 3000);
	sv_client_free(c);
}

/* What is beyond the deadline is told at once, with the time after which to try. */
static void gives_up_on_long_waits(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int64_t begun = wire_now;

	(void)state;
	wire_reply(w, 429, "Content-Type: application/problem+json\nRetry-After: 3600\n",
		"{\"code\":\"rate_limited\"}");
	assert_int_equal(get(c, NULL), SV_RATE);
	assert_int_equal(w->n_sent, 1);
	assert_int_equal(wire_now, begun);
	assert_int_equal(sv_client_error(c)->retry_after_ms, 3600000);
	assert_non_null(strstr(sv_client_error(c)->suggestion, "3600"));
	sv_client_free(c);
}

static void unkeyed_change_goes_once(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(sv_run(c, verb("disk", "update"), args, NULL, NULL), SV_NET);
	assert_int_equal(w->n_sent, 1);
	assert_true(w->sent[0].once);
	assert_true(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

static void lost_for_good(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(create(c, NULL), SV_NET);
	assert_int_equal(w->n_sent, 5);
	assert_true(sv_client_error(c)->outcome_unknown);
	assert_non_null(strstr(sv_client_error(c)->message, "not known"));
	assert_non_null(
		strstr(sv_client_error(c)->suggestion, wire_header(w, 0, "Idempotency-Key")));
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 0, 0);
	assert_int_equal(create(c, NULL), SV_NET);
	assert_false(sv_client_error(c)->outcome_unknown);
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(get(c, NULL), SV_NET);
	assert_false(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

/* 500 and 504 may come after the work was done. */
static void server_errors_leave_it_open(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	for (int i = 0; i < 5; i++)
		wire_reply(w, i % 2 ? 500 : 504, NULL, "");
	assert_int_equal(create(c, NULL), SV_SERVER);
	assert_true(sv_client_error(c)->outcome_unknown);
	/* A refusal settles it, even after an answer was lost. */
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 402, NULL, "{\"code\":\"insufficient_balance\"}");
	assert_int_equal(create(c, NULL), SV_BALANCE);
	assert_false(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

static void first_attempt_still_runs(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 409, NULL, "{\"code\":\"operation_in_progress\"}");
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c, NULL), SV_OK);
	wire_reply(w, 409, NULL, "{\"code\":\"operation_in_progress\"}");
	assert_int_equal(create(c, NULL), SV_CONFLICT);
	sv_client_free(c);
}

static void deleted_twice_is_deleted(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 404, NULL, "{\"code\":\"not_found\"}");
	assert_int_equal(sv_run(c, verb("disk", "delete"), args, NULL, NULL), SV_OK);
	wire_reply(w, 404, NULL, "{\"code\":\"not_found\"}");
	assert_int_equal(sv_run(c, verb("disk", "delete"), args, NULL, NULL), SV_NOTFOUND);
	sv_client_free(c);
}

static void certificates_are_not_tried_again(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 0, 1);
	assert_int_equal(get(c, NULL), SV_NET);
	assert_int_equal(w->n_sent, 1);
	sv_client_free(c);
}

static void no_key(struct sv_config *c)
{
	c->api_key = NULL;
}

static void without_a_key(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, no_key);

	(void)state;
	assert_int_equal(get(c, NULL), SV_CONFIG);
	assert_int_equal(w->n_sent, 0);
	assert_non_null(strstr(sv_client_error(c)->suggestion, "svctl login"));
	wire_reply(w, 201, NULL, "{\"account\":{\"id\":\"acc_1\"},\"api_key\":\"k\"}");
	assert_int_equal(sv_run(c, verb("account", "register"), NULL, NULL, NULL), SV_OK);
	assert_string_equal(wire_header(w, 0, "Authorization"), "");
	sv_client_free(c);
}

static void no_time(struct sv_config *c)
{
	c->request_timeout = 7;
}

static void keeps_the_deadline(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, no_time);
	int64_t begun = wire_now;

	(void)state;
	wire_hang(w);
	assert_int_equal(get(c, NULL), SV_NET);
	assert_int_equal(w->sent[0].timeout_ms, 7000);
	assert_true(wire_now - begun >= 7000 && wire_now - begun < 9000);
	assert_non_null(strstr(sv_client_error(c)->message, "not answering"));
	sv_client_free(c);
}

static void count(sv_op *op, void *data)
{
	(void)op;
	++*(int *)data;
}

static void count_and_finish(sv_op *op, void *data)
{
	++*(int *)data;
	sv_finish(op, NULL);
}

static void done_comes_once(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int n = 0, m = 0;
	sv_op *op;

	(void)state;
	wire_reply(w, 503, NULL, "");
	wire_reply(w, 200, NULL, DISK);
	wire_reply(w, 200, NULL, DISK);
	op = sv_start(c, verb("disk", "get"), args, NULL, count, &n);
	assert_false(sv_op_done(op));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(n, 1);
	assert_true(sv_op_done(op));
	assert_int_equal(sv_pump(c, -1), 0);
	assert_int_equal(n, 1);
	assert_int_equal(sv_finish(op, NULL), SV_OK);
	assert_non_null(sv_start(c, verb("disk", "get"), args, NULL, count_and_finish, &m));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(m, 1);
	sv_client_free(c);
}

static void many_at_once(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int n = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		if (i % 3 == 0)
			wire_reply(w, 503, NULL, "");
		else
			wire_reply(w, 200, NULL, DISK);
	}
	for (int i = 0; i < 20; i++)
		wire_reply(w, 200, NULL, DISK);
	for (int i = 0; i < 60; i++)
		assert_non_null(sv_start(c, verb("disk", "get"), args, NULL, count_and_finish, &n));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(n, 60);
	assert_int_equal(w->n_sent, 80);
	sv_client_free(c);
}

static void cancelled(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int n = 0;
	sv_op *op;

	(void)state;
	wire_hang(w);
	wire_hang(w);
	op = sv_start(c, verb("disk", "get"), args, NULL, count, &n);
	sv_pump(c, 10);
	assert_int_equal(sv_finish(op, NULL), SV_CANCELED);
	assert_int_equal(n, 0);
	/* And a client may go with a call in flight. */
	assert_non_null(sv_start(c, verb("disk", "get"), args, NULL, count, &n));
	sv_client_free(c);
	assert_int_equal(n, 0);
}

static int after_three(void *data)
{
	return ++*(int *)data > 3;
}

static void interrupted(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int asked = 0;

	(void)state;
	wire_hang(w);
	sv_client_interrupt(c, after_three, &asked);
	assert_int_equal(create(c, NULL), SV_CANCELED);
	assert_int_equal(asked, 4);
	assert_true(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_a_call),
		cmocka_unit_test(cursors_in_a_circle),
		cmocka_unit_test(one_key_a_call),
		cmocka_unit_test(own_key),
		cmocka_unit_test(waits_as_told),
		cmocka_unit_test(gives_up_on_long_waits),
		cmocka_unit_test(unkeyed_change_goes_once),
		cmocka_unit_test(lost_for_good),
		cmocka_unit_test(server_errors_leave_it_open),
		cmocka_unit_test(first_attempt_still_runs),
		cmocka_unit_test(deleted_twice_is_deleted),
		cmocka_unit_test(certificates_are_not_tried_again),
		cmocka_unit_test(without_a_key),
		cmocka_unit_test(keeps_the_deadline),
		cmocka_unit_test(done_comes_once),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(interrupted),
	};

	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
