/* SPDX-License-Identifier: MIT */
/* Arena, buffer, error table. */
#include "unit.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena),
		cmocka_unit_test(ceiling),
		cmocka_unit_test(escapes),
		cmocka_unit_test(errors),
		cmocka_unit_test(fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
