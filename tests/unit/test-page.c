/* SPDX-License-Identifier: MIT */
/* A page read by items is the page that its tree gives, error for error. */
#include "unit.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <starverse.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/json.h"
#include "model/kind.h"

static int by_tree(const struct sv_kind *kind, const char *text, size_t len, struct sv_page **ret,
	struct sv_error *err)
{
	struct cJSON *tree = sv_json_parse(text, len, err);
	int r = tree ? sv_decode_page(kind, tree, ret, err) : SV_PROTO;

	sv_json_free(tree);
	return r;
}

static void same_pages(const struct sv_kind *kind, struct sv_page *a, struct sv_page *b)
{
	assert_int_equal(a->n, b->n);
	assert_int_equal(!a->next, !b->next);
	if (a->next)
		assert_string_equal(a->next, b->next);
	for (size_t i = 0; i < a->n; i++) {
		struct sv_buf x, y;

		sv_buf_init(&x, 1 << 20);
		sv_buf_init(&y, 1 << 20);
		assert_int_equal(sv_write_json(&x, kind, a->v[i], SV_WALK_WIRE, 0), SV_OK);
		assert_int_equal(sv_write_json(&y, kind, b->v[i], SV_WALK_WIRE, 0), SV_OK);
		assert_string_equal(sv_buf_text(&x), sv_buf_text(&y));
		sv_buf_free(&x);
		sv_buf_free(&y);
	}
}

/* Returns how the reading ended, the same both ways. */
static int both(const struct sv_kind *kind, const char *text, size_t len)
{
	struct sv_page *a = NULL, *b = NULL;
	struct sv_error ea = { 0 }, eb = { 0 };
	int ra = sv_page_from_json(kind, text, len, &a, &ea),
	    rb = by_tree(kind, text, len, &b, &eb);

	if (ra != rb || strcmp(ea.message, eb.message))
		print_error("%.*s\n", (int)(len < 200 ? len : 200), text);
	assert_int_equal(ra, rb);
	assert_string_equal(ea.message, eb.message);
	assert_string_equal(ea.field, eb.field);
	if (!ra)
		same_pages(kind, a, b);
	sv_free(a);
	sv_free(b);
	return ra;
}

static int key(const char *text)
{
	return both(sv_kind_find("key"), text, strlen(text));
}

#define ONE "{\"id\":\"key_1\",\"name\":\"a\",\"labels\":{\"k\":\"]},\\\"{[\"}}"

static void shapes(void **state)
{
	(void)state;
	assert_int_equal(key("{\"items\":[],\"next_cursor\":null}"), SV_OK);
	assert_int_equal(key("{\"items\":[" ONE "],\"next_cursor\":\"c\"}"), SV_OK);
	assert_int_equal(
		key(" {\n\"next_cursor\" : \"\" , \"items\" : [ " ONE " , " ONE " ] \n} \n"),
		SV_OK);
	assert_int_equal(key("{\"items\":null}"), SV_OK);
	assert_int_equal(key("{}"), SV_OK);
	assert_int_equal(key("{\"items\":[{\"id\":\"a\"b\"c\"}]}"), SV_PROTO);
	assert_int_equal(key("{\"items\":[{\"id\":\"a\" \"b\"}]}"), SV_PROTO);
	assert_int_equal(
		both(sv_kind_find("key"), "{\"items\":[{\"id\":\"a\0b\"}]}", 24), SV_PROTO);
	assert_int_equal(key("{\"total\":{\"items\":[1]},\"items\":[" ONE "]}"), SV_OK);
	assert_int_equal(key("{\"items\":[" ONE "],\"items\":[]}"), SV_OK);
	assert_int_equal(key("{\"\\u0069tems\":[" ONE "]}"), SV_OK);
}

/* The bound on nesting counts from the page's own brace. */
static void depth(void **state)
{
	char text[512] = "{\"items\":[{\"x\":";
	size_t n = strlen(text);

	(void)state;
	for (int more = 0; more < 80; more++) {
		char *p = text + n;

		memset(p, '[', (size_t)more);
		memset(p + more, ']', (size_t)more);
		strcpy(p + 2 * more, more ? "}]}" : "1}]}");
		key(text);
	}
}

static void refused(void **state)
{
	static const char *const bad[] = { "", "[]", "{", "{\"items\"", "{\"items\":[",
		"{\"items\":[" ONE, "{\"items\":[" ONE "]", "{\"items\":[" ONE ",]}",
		"{\"items\":[" ONE " " ONE "]}", "{\"items\":[,]}", "{\"items\":[1]}",
		"{\"items\":{}}", "{\"items\":[" ONE ",{\"id\":7}]}", "{\"items\":[" ONE "]}x",
		"{\"items\":[" ONE "]}}", "{\"items\":[{\"id\":\"a\\\"}]}", "{\"items\":[{]}}",
		"{\"items\":[" ONE "],}", "{\"items\":[" ONE "] \"next_cursor\":\"c\"}" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(key(bad[i]), SV_PROTO);
}

/* What is read without a tree, and what only looks so, in members of every type. */
static void values(void **state)
{
	static const char *const each[] = { "null", "true", "false", "nul", "True", "0", "7", "007",
		"-0", "-7", "+7", "1.5", "1e3", "1.0", "123456789012345", "1234567890123456",
		"9007199254740993", "18446744073709551621", "0x7", "7 ", " 7\n", "7 7", "\"\"",
		"\"a b\"", "\"a\\\"b\"", "\"\\u0041\"", "\"\\x\"", "\"\x01\"", "\"\xff\"",
		"\"a\"\"b\"", "\"a\" \"b\"", "\"a\"b", "\"14.000000\"", "\"12.1234567\"",
		"\"-1.5\"", "\"2026-01-02T03:04:05Z\"", "\"2026-13-02T03:04:05Z\"", "[]", "{}",
		"[1]", "[\"a\"]", "[\"a\",7]", "{\"a\":\"b\"}", "{\"a\":7}", "[", "tru e" };
	const struct sv_kind *kind = sv_kind_find("instance");
	char text[512];

	(void)state;
	for (uint32_t f = 0; f <= kind->n; f++)
		for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
			int n = snprintf(text, sizeof(text),
				"{\"items\":[{\"id\":\"i\",\"%s\":%s,\"name\":\"n\"}]}",
				f < kind->n ? kind->fields[f].name : "nothing", each[i]);

			both(kind, text, (size_t)n);
		}
	/* A key that only looks like one. */
	assert_int_equal(key("{\"items\":[{\"na\\u006de\":\"a\"}]}"), SV_OK);
	assert_int_equal(both(kind, "{\"items\":[{\"id\":\"a\0b\"}]}", 24), SV_PROTO);
	assert_int_equal(both(kind, "{\"items\":[{\"i\0d\":\"ab\"}]}", 24), SV_PROTO);
}

/* Each byte of real pages changed, left out, and cut at. */
static void mutations(void **state)
{
	static const char bytes[] = "{}[]\",:\\ 0n\x80";
	struct sv_buf file, b;
	char path[512];
	FILE *f;
	int c;

	(void)state;
	sv_buf_init(&file, 1 << 20);
	sv_buf_init(&b, 1 << 20);
	snprintf(path, sizeof(path), "%s/key/list.json", getenv("SV_TEST_DATA"));
	f = fopen(path, "r");
	assert_non_null(f);
	while ((c = getc(f)) != EOF)
		sv_buf_add(&file, &(char){ (char)c }, 1);
	fclose(f);
	for (size_t i = 0; i < file.len; i++) {
		char was = file.data[i];

		both(sv_kind_find("key"), file.data, i);
		for (size_t k = 0; k + 1 < sizeof(bytes); k++) {
			file.data[i] = bytes[k];
			both(sv_kind_find("key"), file.data, file.len);
		}
		file.data[i] = was;
		sv_buf_reset(&b);
		sv_buf_add(&b, file.data, i);
		sv_buf_add(&b, file.data + i + 1, file.len - i - 1);
		both(sv_kind_find("key"), sv_buf_text(&b), b.len);
	}
	sv_buf_free(&file);
	sv_buf_free(&b);
}

/* The processor's seconds that a page takes whose name is n bytes of escapes, at best. */
static double seconds(size_t n)
{
	struct sv_page *page = NULL;
	struct sv_buf b;
	double least = 1e9;

	sv_buf_init(&b, n + 64);
	sv_buf_str(&b, "{\"items\":[{\"name\":\"");
	while (b.len + 2 < n)
		sv_buf_str(&b, "\\n");
	sv_buf_str(&b, "\"}]}");
	for (int i = 0; i < 3; i++) {
		clock_t begun = clock();
		double took;

		assert_int_equal(
			sv_page_from_json(sv_kind_find("key"), b.data, b.len, &page, NULL), SV_OK);
		took = (double)(clock() - begun) / CLOCKS_PER_SEC;
		least = took < least ? took : least;
		sv_free(page);
	}
	sv_buf_free(&b);
	return least;
}

/* Sixteen times the bytes take about sixteen times as long, and not 256 times. */
static void escapes(void **state)
{
	static const char *const ends[] = { "\\", "\\\"", "\\\\", "\\\\\"", "\"\\", "\\\"\"",
		"\\n\\\"\\" };
	char text[64];
	double small = seconds(1 << 16), large = seconds(1 << 20);

	(void)state;
	assert_true(large < 64 * (small + 1e-6));
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		both(sv_kind_find("key"), text,
			(size_t)snprintf(
				text, sizeof(text), "{\"items\":[{\"name\":\"a%s", ends[i]));
		both(sv_kind_find("key"), text,
			(size_t)snprintf(
				text, sizeof(text), "{\"items\":[{\"name\":\"a%s}]}", ends[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes),
		cmocka_unit_test(depth),
		cmocka_unit_test(refused),
		cmocka_unit_test(values),
		cmocka_unit_test(mutations),
		cmocka_unit_test(escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
