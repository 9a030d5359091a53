/* SPDX-License-Identifier: MIT */
/* The engine of records: every call is complete when it returns, and a hundred thousand are no
 * burden. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <local/engine.h>
#include <starverse/common.h>

struct answer {
	int n, code;
	int64_t bytes;
	char wire[40];
};

static void on_done(void *data, const struct engine_result *r)
{
	struct answer *a = data;

	a->n++;
	a->code = r->code;
	a->bytes = r->bytes;
	snprintf(a->wire, sizeof(a->wire), "%s", r->wire);
}

static int state(struct engine *e, const char *id)
{
	struct engine_status s;

	assert_int_equal(sv_engine_none.status(e, id, &s), 0);
	return s.state;
}

static void follows_the_calls(void **st)
{
	const struct engine_ops *o = &sv_engine_none;
	struct engine_config c = { 0 };
	struct engine_spec s = { .id = "ins_1", .hostname = "a" };
	struct engine_mount m = { .disk = "dsk_1", .path = "/data" };
	const char *argv[] = { "true", NULL };
	struct answer a = { 0 };
	struct engine *e;
	char text[64];

	(void)st;
	assert_int_equal(o->open(&c, &e, text, sizeof(text)), 0);
	assert_int_equal(state(e, "ins_1"), ENGINE_ABSENT);
	assert_int_equal(o->create(e, &s, on_done, &a), 0);
	assert_int_equal(a.n, 1);
	assert_int_equal(state(e, "ins_1"), ENGINE_STOPPED);
	assert_int_equal(o->attach(e, "ins_1", &m, on_done, &a), 0);
	assert_int_equal(a.code, SV_CONFLICT);
	assert_string_equal(a.wire, "invalid_state");
	assert_int_equal(o->start(e, &s, on_done, &a), 0);
	assert_int_equal(state(e, "ins_1"), ENGINE_RUNNING);
	assert_int_equal(o->disk_make(e, "dsk_1", 1000, NULL, on_done, &a), 0);
	assert_int_equal(o->disk_make(e, "dsk_1", 900, NULL, on_done, &a), SV_INVALID);
	assert_int_equal(o->attach(e, "ins_1", &m, on_done, &a), 0);
	assert_int_equal(a.code, 0);
	assert_int_equal(o->snapshot(e, "dsk_1", "snp_1", on_done, &a), 0);
	assert_int_equal(a.bytes, 1000);
	assert_int_equal(o->pause(e, "ins_1", 1, on_done, &a), 0);
	assert_int_equal(state(e, "ins_1"), ENGINE_PAUSED);
	assert_int_equal(o->exec(e, "ins_1", argv, 0, 0, on_done, &a), SV_UNSUPPORTED);
	assert_int_equal(o->stop(e, "ins_1", on_done, &a), 0);
	assert_int_equal(state(e, "ins_1"), ENGINE_STOPPED);
	assert_int_equal(o->destroy(e, "ins_1", on_done, &a), 0);
	assert_int_equal(state(e, "ins_1"), ENGINE_ABSENT);
	assert_int_equal(o->destroy(e, "ins_1", on_done, &a), 0);
	s.id = "../x";
	assert_int_equal(o->create(e, &s, on_done, &a), SV_INVALID);
	assert_int_equal(a.n, 10);
	o->close(e);
}

static void holds_many(void **st)
{
	const struct engine_ops *o = &sv_engine_none;
	struct engine_config c = { 0 };
	char id[32], text[64];
	struct engine_spec s = { .id = id, .hostname = "a" };
	struct answer a = { 0 };
	struct engine *e;

	(void)st;
	assert_int_equal(o->open(&c, &e, text, sizeof(text)), 0);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 100000; i++) {
			snprintf(id, sizeof(id), "ins_%d", i);
			assert_int_equal(o->start(e, &s, on_done, &a), 0);
		}
		assert_int_equal(state(e, "ins_99999"), ENGINE_RUNNING);
		for (int i = 0; i < 100000; i++) {
			snprintf(id, sizeof(id), "ins_%d", i);
			assert_int_equal(o->destroy(e, id, on_done, &a), 0);
		}
		assert_int_equal(state(e, "ins_5"), ENGINE_ABSENT);
	}
	assert_int_equal(a.n, 400000);
	o->close(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_calls),
		cmocka_unit_test(holds_many),
	};

	return cmocka_run_group_tests_name("none", tests, NULL, NULL);
}
