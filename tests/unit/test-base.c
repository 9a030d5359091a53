/* SPDX-License-Identifier: MIT */
/* Arena, buffer, error table, descriptors. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

static void arena(void **state)
{
	struct sv_arena *a = sv_arena_new(4096);
	char *first, *s;

	(void)state;
	first = sv_arena_alloc(a, 10);
	for (int i = 0; i < 10; i++)
		assert_int_equal(first[i], 0);
	s = sv_arena_strdup(a, "kept");
	assert_non_null(sv_arena_alloc(a, 1000));
	assert_string_equal(s, "kept");
	assert_null(sv_arena_alloc(a, 5000)); /* over the ceiling */
	assert_null(sv_arena_alloc(a, SIZE_MAX));
	assert_non_null(sv_arena_alloc(a, 100)); /* and still usable */
	sv_arena_free(a);
	sv_arena_free(NULL);
}

static void ceiling(void **state)
{
	struct sv_buf b;

	(void)state;
	sv_buf_init(&b, 8);
	assert_int_equal(sv_buf_str(&b, "12345678"), SV_OK);
	assert_int_equal(sv_buf_chr(&b, '9'), SV_NOMEM);
	assert_int_equal(sv_buf_str(&b, ""), SV_NOMEM); /* sticky */
	assert_null(sv_buf_take(&b));
	sv_buf_init(&b, 8);
	assert_string_equal(sv_buf_text(&b), "");
	sv_buf_free(&b);
}

static void escapes(void **state)
{
	struct sv_buf b;

	(void)state;
	sv_buf_init(&b, 1000);
	sv_buf_url(&b, "a/../b?x=1 \xc3\xa9%~");
	assert_string_equal(sv_buf_text(&b), "a%2F..%2Fb%3Fx%3D1%20%C3%A9%25~");
	sv_buf_reset(&b);
	sv_buf_json(&b, "q\"\\\n\x01\x7f\xff\xe4\xb8\xad", 10);
	assert_string_equal(
		sv_buf_text(&b), "\"q\\\"\\\\\\n\\u0001\\u007f\xef\xbf\xbd\xe4\xb8\xad\"");
	sv_buf_free(&b);
}

/* The contract's codes, their HTTP status, and the exit status that cli.md's table gives each:
 * written by hand. */
static void errors(void **state)
{
	static const struct {
		const char *wire;
		int http, exit;
	} rows[] = {
		{ "unauthenticated", 401, 4 },
		{ "forbidden", 403, 4 },
		{ "not_verified", 403, 4 },
		{ "quota_exceeded", 403, 7 },
		{ "insufficient_balance", 402, 7 },
		{ "budget_exceeded", 402, 7 },
		{ "price_exceeds_limit", 422, 7 },
		{ "not_found", 404, 5 },
		{ "invalid_state", 409, 6 },
		{ "conflict", 409, 6 },
		{ "idempotency_key_conflict", 409, 6 },
		{ "operation_in_progress", 409, 6 },
		{ "insufficient_capacity", 409, 7 },
		{ "disk_busy", 409, 6 },
		{ "incompatible", 422, 2 },
		{ "validation_failed", 422, 2 },
		{ "rate_limited", 429, 9 },
		{ "internal", 500, 9 },
		{ "unavailable", 503, 9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sv_error_row *row = sv_err_of_wire(rows[i].wire);

		assert_non_null(row);
		assert_int_equal(row->http_status, rows[i].http);
		assert_int_equal(row->exit, rows[i].exit);
	}
	for (int code = SV_NOMEM; code >= SV_IO; code--) {
		assert_int_equal(sv_err_of_code(code)->code, code);
		assert_true(sv_exit_code(code) > 0);
		assert_true(strlen(sv_strerror(code)) > 3);
	}
	assert_int_equal(sv_exit_code(SV_OK), 0);
	assert_int_equal(sv_exit_code(SV_CONFIG), 3);
	assert_int_equal(sv_exit_code(SV_TIMEDOUT), 8);
	assert_int_equal(sv_exit_code(SV_NET), 9);
	assert_int_equal(sv_exit_code(SV_FAILED), 10);
	assert_int_equal(sv_err_of_status(400)->code, SV_INVALID);
	assert_int_equal(sv_err_of_status(502)->code, SV_SERVER);
	assert_int_equal(sv_err_of_status(418)->code, SV_DENIED);
}

static void fields(void **state)
{
	struct sv_error e;

	(void)state;
	sv_err_clear(&e);
	for (int i = 0; i < 20; i++)
		assert_int_equal(
			sv_err_field(&e, i ? "b" : "a", "required", "is required"), SV_INVALID);
	assert_int_equal(e.n_errors, 8);
	assert_string_equal(e.field, "a");
	assert_string_equal(e.message, "a: is required");
	assert_int_equal(sv_err(NULL, SV_NET, "x"), SV_NET);
}

#define MUCH (1 << 20) /* more than a pipe takes at once */

static void *read_all(void *data)
{
	static char buf[4096];
	size_t sum = 0;
	ssize_t n;

	while ((n = read(*(int *)data, buf, sizeof(buf))) > 0)
		for (ssize_t i = 0; i < n; i++)
			sum += (unsigned char)buf[i];
	return (void *)sum;
}

static void writes_all(void **state)
{
	char *much = calloc(1, MUCH);
	pthread_t reader;
	void *sum;
	int ends[2];

	(void)state;
	assert_non_null(much);
	memset(much, 3, MUCH);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
	assert_int_equal(sv_write_all(ends[1], much, MUCH), 0);
	assert_int_equal(close(ends[1]), 0);
	assert_int_equal(pthread_join(reader, &sum), 0);
	assert_true((size_t)sum == 3 * (size_t)MUCH);
	close(ends[0]);
	/* Takes a part, then no more. */
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(sv_write_all(ends[1], much, MUCH), -1);
	assert_int_equal(errno, EAGAIN);
	close(ends[0]);
	close(ends[1]);
	free(much);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena),
		cmocka_unit_test(ceiling),
		cmocka_unit_test(escapes),
		cmocka_unit_test(errors),
		cmocka_unit_test(writes_all),
		cmocka_unit_test(fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
