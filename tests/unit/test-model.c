/* SPDX-License-Identifier: MIT */
/* Decode, walk, text, query, check and problem documents over the sample kind. */
#include "unit.h"

#include "base/arena.h"
#include "model/json.h"
#include "sample.h"

#define FULL \
	"{\"id\":\"x_1\",\"name\":\"n\",\"status\":\"running\",\"on\":true,\"count\":" \
	"9007199254740991,\"size_gib\":40," \
	"\"used_bytes\":512,\"after_seconds\":90,\"share\":0.43,\"created_at\":\"2026-11-30T05:" \
	"30:24Z\"," \
	"\"price\":\"56.000000\",\"change\":\"-0.015556\",\"tags\":[\"a\",\"b\"]," \
	"\"main\":{\"disk\":\"d\",\"path\":\"/" \
	"m\",\"read_only\":false},\"mounts\":[{\"disk\":\"e\",\"path\":\"/n\"}]," \
	"\"labels\":{\"k\":\"v\"},\"extra\":{\"a\":[1,2.5,null]},\"secret\":\"s3\"}"

static struct sample *decode(const char *text)
{
	struct sv_error e;
	void *obj = NULL;
	int r = sv_from_json(&sample_kind, text, strlen(text), &obj, &e);

	if (r)
		print_error("%s\n", e.message);
	assert_int_equal(r, SV_OK);
	return obj;
}

static void round_trip(void **state)
{
	struct sample *s = decode(FULL);
	char *text;

	(void)state;
	assert_int_equal(s->price, 56000000);
	assert_int_equal(s->change, -15556);
	assert_string_equal(((struct sample_mount *)s->mounts.v[0])->path, "/n");
	assert_true(sv_has(s->main, read_only));
	assert_int_equal(sv_to_json(&sample_kind, s, SV_WALK_WIRE, 0, &text), SV_OK);
	assert_string_equal(text, FULL);
	sv_free_text(text);
	assert_int_equal(sv_to_json(&sample_kind, s, SV_WALK_ALL, 0, &text), SV_OK);
	assert_null(strstr(text, "s3"));
	sv_free_text(text);
	sv_free(s);
}

/* Absent, null and zero are three things. */
static void presence(void **state)
{
	struct sample *s = decode("{\"id\":\"x\",\"count\":0,\"price\":null,\"unknown\":[1]}");
	char *text;

	(void)state;
	assert_true(sv_has(s, count) && !sv_is_null(s, count));
	assert_true(sv_has(s, price) && sv_is_null(s, price));
	assert_false(sv_has(s, name));
	assert_int_equal(sv_to_json(&sample_kind, s, SV_WALK_ALL, 0, &text), SV_OK);
	assert_string_equal(text, "{\"id\":\"x\",\"count\":0,\"price\":null}");
	sv_free_text(text);
	assert_int_equal(sv_to_json(&sample_kind, s, SV_WALK_WIRE, 0, &text), SV_OK);
	assert_string_equal(text,
		"{\"id\":\"x\",\"on\":false,\"count\":0,\"price\":null,\"tags\":[],\"labels\":{}}");
	sv_free_text(text);
	sv_free(s);
}

static void refused(void **state)
{
	static const struct {
		const char *text, *field;
	} bad[] = {
		{ "{\"id\":5}", "id" },
		{ "{\"on\":1}", "on" },
		{ "{\"count\":9007199254740993}", "count" },
		{ "{\"count\":-9007199254740993}", "count" },
		{ "{\"count\":1.5}", "count" },
		{ "{\"count\":\"1\"}", "count" },
		{ "{\"count\":-1}", "count" },
		{ "{\"price\":56}", "price" },
		{ "{\"price\":\"1e-7\"}", "price" },
		{ "{\"price\":\"0.0000001\"}", "price" },
		{ "{\"price\":\"-1\"}", "price" },
		{ "{\"created_at\":\"yesterday\"}", "created_at" },
		{ "{\"tags\":[\"a\",1]}", "tags[1]" },
		{ "{\"mounts\":[{\"disk\":\"d\"},{\"path\":1}]}", "mounts[1].path" },
		{ "{\"labels\":{\"k\":1}}", "labels.k" },
		{ "{\"main\":[]}", "main" },
		{ "[]", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sv_error e;
		void *obj = NULL;

		if (!bad[i].field)
			continue;
		assert_int_equal(
			sv_from_json(&sample_kind, bad[i].text, strlen(bad[i].text), &obj, &e),
			SV_PROTO);
		assert_string_equal(e.field, bad[i].field);
		assert_null(obj);
	}
}

static void malformed(void **state)
{
	static const struct {
		const char *text;
		size_t len;
	} bad[] = { { "", 0 }, { "\"", 1 }, { "\"\\u12", 5 }, { "{\"a\":", 5 }, { "nul", 3 },
		{ "1e", 2 }, { "\xff\xfe", 2 }, { "{} x", 4 }, { "{\"a\":\0}", 7 }, { "{}\0", 3 },
		{ "{\"a\":1,}", 8 } };
	struct sv_error e;
	void *obj = NULL;
	char *deep = malloc(100001);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *copy = malloc(
			bad[i].len ? bad[i].len
				   : 1); /* exactly as long: a sanitizer sees a read beyond */

		memcpy(copy, bad[i].text, bad[i].len);
		assert_int_equal(sv_from_json(&sample_kind, copy, bad[i].len, &obj, &e), SV_PROTO);
		assert_true(strlen(e.message) > 8);
		free(copy);
	}
	memset(deep, '[', 100000);
	assert_int_equal(sv_from_json(&sample_kind, deep, 100000, &obj, &e), SV_PROTO);
	free(deep);
}

/* A platform is strict, and names everything that is wrong at once. */
static void bodies(void **state)
{
	const char *text =
		"{\"nmae\":\"x\",\"count\":-1,\"price\":5,\"name\":\"a\",\"name\":\"b\"}";
	struct sv_error e;
	void *obj = NULL;

	(void)state;
	assert_int_equal(sv_from_body(&sample_kind, text, strlen(text), &obj, &e), SV_INVALID);
	assert_int_equal(e.n_errors, 4);
	assert_string_equal(e.errors[0].field, "nmae");
	assert_non_null(strstr(e.errors[0].message, "name"));
	assert_string_equal(e.errors[1].field, "count");
	assert_string_equal(e.errors[2].field, "price");
	assert_string_equal(e.errors[3].code, "duplicate");
	assert_int_equal(sv_from_body(&sample_kind, "{", 1, &obj, &e), SV_INVALID);
}

static void sent(void **state)
{
	struct sample *s = sv_new(&sample_kind);
	char *text;

	(void)state;
	s->name = "n";
	s->status = "running"; /* not of a body */
	s->size_gib = 8;
	sv_mark(s, count);
	sv_mark_null(s, labels);
	assert_int_equal(sv_to_json(&sample_kind, s, SV_WALK_CREATE, 0, &text), SV_OK);
	assert_string_equal(text, "{\"name\":\"n\",\"count\":0,\"size_gib\":8,\"labels\":null}");
	sv_free_text(text);
	assert_int_equal(sv_to_json(&sample_kind, s, SV_WALK_UPDATE, 0, &text), SV_OK);
	assert_string_equal(text, "{\"count\":0,\"labels\":null}");
	sv_free_text(text);
	sv_free(s);
}

static void parse_ok(struct sample *s, const char *field, const char *text)
{
	struct sv_error e;
	int r = sv_field_parse(s, s, sv_field_find(&sample_kind, field), text, &e);

	if (r)
		print_error("%s=%s: %s\n", field, text, e.message);
	assert_int_equal(r, SV_OK);
}

static void texts(void **state)
{
	struct sample *s = sv_new(&sample_kind);
	struct sample_mount *m;
	char buf[64];

	(void)state;
	parse_ok(s, "size_gib", "1.5TiB");
	assert_int_equal(s->size_gib, 1536);
	parse_ok(s, "size-gib", "40");
	assert_int_equal(s->size_gib, 40);
	parse_ok(s, "after_seconds", "1h30m");
	assert_int_equal(s->after_seconds, 5400);
	parse_ok(s, "price", "12.5");
	assert_int_equal(s->price, 12500000);
	parse_ok(s, "tags", "a,b\\,c");
	parse_ok(s, "tags", "d");
	assert_int_equal(s->tags.n, 3);
	assert_string_equal(s->tags.v[1], "b,c");
	parse_ok(s, "labels", "k=v=w");
	assert_string_equal(sv_map_get(&s->labels, "k"), "v=w");
	parse_ok(s, "mounts", "ckpt:/root/ckpt");
	parse_ok(s, "mounts", "/data:corpus:ro");
	m = s->mounts.v[1];
	assert_string_equal(m->disk, "corpus");
	assert_string_equal(m->path, "/data");
	assert_true(m->read_only);
	parse_ok(s, "on", "no");
	assert_true(sv_has(s, on) && !s->on);
	assert_int_equal(sv_cell(sv_field_find(&sample_kind, "tags"), s, buf, sizeof(buf)), 7);
	assert_string_equal(buf, "a,b,c,d");
	assert_int_equal(sv_cell(sv_field_find(&sample_kind, "tags"), s, buf, 4), 7);
	assert_string_equal(buf, "a,b");
	sv_cell(sv_field_find(&sample_kind, "price"), s, buf, sizeof(buf));
	assert_string_equal(buf, "12.50");
	sv_cell(sv_field_find(&sample_kind, "on"), s, buf, sizeof(buf));
	assert_string_equal(buf, "false");
	sv_cell(sv_field_find(&sample_kind, "share"), s, buf, sizeof(buf));
	assert_string_equal(buf, "");
	sv_free(s);
}

static void texts_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "after_seconds", "30" },
		{ "after_seconds", "-1s" },
		{ "after_seconds", "9223372036854775807d" },
		{ "size_gib", "-4" },
		{ "size_gib", "1.5" },
		{ "size_gib", "10MB" },
		{ "count", "1.5" },
		{ "count", "-1" },
		{ "count", "9007199254740993" },
		{ "price", "1.0000001" },
		{ "price", "-1" },
		{ "on", "maybe" },
		{ "tags", "" },
		{ "tags", "a,,b" },
		{ "labels", "=v" },
		{ "labels", "k" },
		{ "mounts", "ckpt" },
		{ "mounts", ":/root" },
		{ "mounts", "ckpt:root" },
		{ "created_at", "soon" },
		{ "extra", "{" },
		{ "name", "\xff" },
	};
	struct sample *s = sv_new(&sample_kind);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sv_error e;

		assert_int_equal(
			sv_field_parse(s, s, sv_field_find(&sample_kind, bad[i][0]), bad[i][1], &e),
			SV_INVALID);
		assert_string_equal(e.field, bad[i][0]);
	}
	sv_free(s);
}

static void queries(void **state)
{
	struct sample *s = sv_new(&sample_kind), *again;
	struct sv_error e;
	struct sv_buf b;
	void *obj = NULL;

	(void)state;
	sv_buf_init(&b, 10000);
	s->name = "a b&c";
	sv_put(s, count, 0);
	sv_put(s, on, 1);
	parse_ok(s, "tags", "x,y");
	parse_ok(s, "labels", "owner=me/you");
	assert_int_equal(sv_write_query(&b, &sample_kind, s), SV_OK);
	assert_string_equal(sv_buf_text(&b),
		"name=a%20b%26c&on=true&count=0&tags=x&tags=y&labels.owner=me%2Fyou");
	assert_int_equal(sv_from_query(&sample_kind, sv_buf_text(&b), &obj, &e), SV_OK);
	again = obj;
	assert_string_equal(again->name, "a b&c");
	assert_int_equal(again->tags.n, 2);
	assert_string_equal(sv_map_get(&again->labels, "owner"), "me/you");
	sv_free(again);
	for (const char *const *bad = (const char *const[]){ "nmae=x", "count=x", "name=%zz",
		     "name=%00", "name=a&name=b", "name=", NULL };
		*bad; bad++)
		assert_int_equal(sv_from_query(&sample_kind, *bad, &obj, &e), SV_INVALID);
	sv_buf_free(&b);
	sv_free(s);
}

static void checks(void **state)
{
	struct sample *s = sv_new(&sample_kind);
	struct sv_error e;

	(void)state;
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_INVALID);
	assert_string_equal(e.field, "name");
	s->name = "";
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_INVALID);
	s->name = "n";
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_OK);
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_UPDATE, &e), SV_OK);
	s->status = "runing";
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_INVALID);
	assert_string_equal(e.errors[0].code, "read_only");
	s->status = NULL;
	s->tier = "fats";
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_INVALID);
	assert_string_equal(e.errors[0].field, "tier");
	assert_string_equal(e.errors[0].code, "word");
	s->tier = "cheap";
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_OK);
	sv_list_add(s, &s->mounts, sv_new_in(s, &sample_mount_kind));
	assert_int_equal(sv_check(&sample_kind, s, SV_WALK_CREATE, &e), SV_INVALID);
	assert_string_equal(e.field, "mounts[0].disk");
	assert_int_equal(sv_settled(sv_field_flagged(&sample_kind, SV_STATE), "running"), 1);
	assert_int_equal(sv_settled(sv_field_flagged(&sample_kind, SV_STATE), "new_word"), -1);
	sv_free(s);
}

static void problems(void **state)
{
	const char *text =
		"{\"type\":\"about:blank\",\"title\":\"t\",\"status\":409,\"code\":\"disk_busy\","
		"\"detail\":\"d in use\","
		"\"suggestion\":\"stop "
		"it\",\"request_id\":\"req_7\",\"retryable\":false,\"retry_after_seconds\":null,"
		"\"errors\":[{\"field\":\"path\",\"code\":\"busy\",\"message\":\"sh\"}],"
		"\"context\":{\"pid\":7}}";
	struct sv_error e, again;
	struct sv_buf b;

	(void)state;
	assert_int_equal(sv_decode_problem(text, strlen(text), 409, &e), SV_CONFLICT);
	assert_string_equal(e.wire, "disk_busy");
	assert_string_equal(e.message, "d in use");
	assert_string_equal(e.field, "path");
	assert_string_equal(e.context, "{\"pid\":7}");
	assert_int_equal(e.retryable, 0);
	sv_buf_init(&b, 10000);
	assert_int_equal(sv_write_problem(&b, &e, "req_7"), SV_OK);
	assert_int_equal(sv_decode_problem(sv_buf_text(&b), b.len, 409, &again), SV_CONFLICT);
	assert_memory_equal(&e, &again, offsetof(struct sv_error, wire));
	assert_string_equal(e.request_id, again.request_id);
	sv_buf_free(&b);
	/* No JSON at all: the status decides. */
	assert_int_equal(sv_decode_problem("<html>", 6, 429, &e), SV_RATE);
	assert_int_equal(sv_decode_problem(NULL, 0, 404, &e), SV_NOTFOUND);
	/* A code of tomorrow: kept as it is, the status decides. */
	assert_int_equal(sv_decode_problem("{\"code\":\"new_code\"}", 19, 403, &e), SV_DENIED);
	assert_string_equal(e.wire, "new_code");
}

/* Every allocation fails once: an error, no leak, no crash. */
/* A walk and a tree tell each number as it was written, also where a double could not. */
static void numbers(void **state)
{
	static const char text[] =
		"[9007199254740993,1e400,0.1,-0,1E+2,7,-12,123456789012345,0.10,-0.0,\"-1.50\","
		"{\"a\\\"1\":1e-7,\"b\":[2.50]},3.141592653589793238462643]";
	static const char *const wrong[] = { "01", "[1.]", "-", "[-.5]", "{\"a\":1e}", "[.5]",
		"-01" };
	struct cJSON *tree;
	struct sv_json_writer w;
	struct sv_error e;
	struct sample *s;
	struct sv_buf b;
	void *obj = NULL;

	(void)state;
	sv_buf_init(&b, 1000);
	sv_json_writer_init(&w, &b, 0);
	w.w.integer = NULL; /* all of them through json(), as kind.h says */
	w.w.number = NULL;
	assert_int_equal(sv_walk_json(text, sizeof(text) - 1, &w.w), SV_OK);
	assert_string_equal(sv_buf_text(&b), text);
	sv_buf_reset(&b);
	tree = sv_json_parse(text, sizeof(text) - 1, &e);
	assert_int_equal(sv_write_tree(&b, tree), SV_OK);
	assert_string_equal(sv_buf_text(&b), text);
	sv_json_free(tree);
	sv_buf_free(&b);
	s = decode("{\"id\":\"x\",\"extra\":{\"loss\":9007199254740993,\"b\":1e400}}");
	assert_string_equal(s->extra, "{\"loss\":9007199254740993,\"b\":1e400}");
	sv_free(s);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		tree = sv_json_parse(wrong[i], strlen(wrong[i]), &e);
		if (tree)
			fail_msg("%s is taken for JSON", wrong[i]);
		assert_non_null(strstr(e.message, "malformed JSON at offset"));
	}
	/* What a field cannot hold is refused, not rounded. */
	assert_int_equal(sv_from_json(&sample_kind, "{\"share\":1e400}", 15, &obj, &e), SV_PROTO);
	assert_string_equal(e.field, "share");
	assert_int_equal(
		sv_from_json(&sample_kind, "{\"count\":9007199254740993}", 26, &obj, &e), SV_PROTO);
}

static void torture(void **state)
{
	struct sv_error e;
	void *obj = NULL;
	int r = SV_NOMEM;

	(void)state;
	for (long n = 0; r; n++) {
		char *text = NULL;

		sv_malloc_fail_after(n);
		r = sv_from_json(&sample_kind, FULL, strlen(FULL), &obj, &e);
		if (!r)
			r = sv_to_json(&sample_kind, obj, SV_WALK_WIRE, 2, &text);
		sv_malloc_fail_after(-1);
		assert_true(n < 1000);
		assert_true(r == SV_OK || r == SV_NOMEM);
		sv_free_text(text);
		sv_free(obj);
		obj = NULL;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(presence),
		cmocka_unit_test(refused),
		cmocka_unit_test(malformed),
		cmocka_unit_test(bodies),
		cmocka_unit_test(sent),
		cmocka_unit_test(texts),
		cmocka_unit_test(texts_refused),
		cmocka_unit_test(queries),
		cmocka_unit_test(checks),
		cmocka_unit_test(problems),
		cmocka_unit_test(numbers),
		cmocka_unit_test(torture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
