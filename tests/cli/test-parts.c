/* SPDX-License-Identifier: MIT */
/* Parts of svctl that need no platform: words, widths, escapes, guesses, options. */
#include "unit.h"

#include <string.h>

#include "args.h"
#include "command.h"
#include "out.h"
#include "words.h"

static void assert_words(const char *line, enum joint joint, ...)
{
	struct part p;
	va_list ap;
	size_t n = 0;

	assert_int_equal(words_next(&line, &p), WORDS_OK);
	va_start(ap, joint);
	for (const char *want; (want = va_arg(ap, const char *)) != NULL; n++) {
		assert_true(n < p.words.n);
		assert_string_equal(p.words.v[n], want);
	}
	va_end(ap);
	assert_int_equal(p.words.n, n);
	assert_int_equal(p.joint, joint);
	part_free(&p);
}

static void test_words(void **state)
{
	(void)state;
	assert_words("a  b\tc", JOINT_END, "a", "b", "c", NULL);
	assert_words("'a b' \"c \\\" d\" e\\ f ''", JOINT_END, "a b", "c \" d", "e f", "", NULL);
	assert_words("a'b'\"c\"d", JOINT_END, "abcd", NULL);
	assert_words("a # b", JOINT_END, "a", NULL);
	assert_words("a#b", JOINT_END, "a#b", NULL);
	assert_words("a;b", JOINT_THEN, "a", NULL);
	assert_words("a&&b", JOINT_AND, "a", NULL);
	assert_words("a || b", JOINT_OR, "a", NULL);
	assert_words("'$x' \"\\$y\" \"\\z\"", JOINT_END, "$x", "$y", "\\z", NULL);
	assert_words("", JOINT_END, NULL);
	assert_words(
		"\xe8\xae\xad\xe7\xbb\x83 b", JOINT_END, "\xe8\xae\xad\xe7\xbb\x83", "b", NULL);
}

static void assert_refused(const char *line, enum words_result want)
{
	struct part p;
	enum words_result r;

	do {
		r = words_next(&line, &p);
		if (r || p.joint == JOINT_END)
			break;
		part_free(&p);
	} while (1);
	assert_int_equal(r, want);
	part_free(&p);
}

static void test_words_open(void **state)
{
	static const char *const open[] = { "a 'b", "a \"b", "a \\", "a \"b\\", "a |", "a | b 'c",
		"a > 'b" };
	static const char *const wrong[] = { "&& a", "| a", "a & & b", ";", "a | | b", "a >",
		"a > b > c", "a 2> b", "a > b | c", "!", "& a", "a ;; b" };

	(void)state;
	for (size_t i = 0; i < COUNT(open); i++)
		assert_refused(open[i], WORDS_OPEN);
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_refused(wrong[i], WORDS_WRONG);
}

/* Where stdout goes, and what is sh's to read. */
static void test_words_program(void **state)
{
	const char *line = "a b | c 'd;e' 2>&1 | f > g; h >> \"i j\" && k>l & !m | n; o\np 2 >q";
	struct part p;

	(void)state;
	assert_int_equal(words_next(&line, &p), WORDS_OK);
	assert_int_equal(p.words.n, 2);
	assert_string_equal(p.program, "c 'd;e' 2>&1 | f > g");
	assert_int_equal(p.joint, JOINT_THEN);
	part_free(&p);
	assert_int_equal(words_next(&line, &p), WORDS_OK);
	assert_string_equal(p.file, "i j");
	assert_true(p.append);
	assert_int_equal(p.joint, JOINT_AND);
	part_free(&p);
	assert_int_equal(words_next(&line, &p), WORDS_OK);
	assert_string_equal(p.file, "l");
	assert_false(p.append);
	assert_int_equal(p.joint, JOINT_BACK);
	part_free(&p);
	assert_int_equal(words_next(&line, &p), WORDS_OK);
	assert_string_equal(p.program, "m | n; o");
	assert_int_equal(p.words.n, 0);
	part_free(&p);
	assert_int_equal(words_next(&line, &p), WORDS_OK);
	assert_int_equal(p.words.n, 2);
	assert_string_equal(p.file, "q");
	part_free(&p);
}

static void assert_cursor(
	const char *line, size_t before, const char *word, size_t from, char quote)
{
	struct cursor c;

	words_cursor(line, strlen(line), &c);
	assert_int_equal(c.words.n, before);
	assert_string_equal(text_of(&c.word), word);
	assert_int_equal(c.from, from);
	assert_int_equal(c.quote, quote);
	cursor_free(&c);
}

static void test_cursor(void **state)
{
	struct cursor c;

	(void)state;
	assert_cursor("", 0, "", 0, 0);
	assert_cursor("a b", 1, "b", 2, 0);
	assert_cursor("a b ", 2, "", 4, 0);
	assert_cursor("a; b c\\ d", 1, "c d", 5, 0);
	assert_cursor("a && b 'c d", 1, "c d", 7, '\'');
	assert_cursor("a x\"b c", 1, "xb c", 2, '"');
	assert_cursor("a | b; c d", 1, "d", 9, 0);
	assert_cursor("a > b c", 1, "c", 6, 0);
	words_cursor("a | b", 5, &c);
	assert_true(c.program);
	cursor_free(&c);
	words_cursor("a > b", 5, &c);
	assert_true(c.file);
	cursor_free(&c);
}

static void assert_quoted(const char *word, char quote, const char *want)
{
	struct text t = { 0 };

	words_quote(&t, word, quote);
	assert_string_equal(text_of(&t), want);
	text_free(&t);
}

static void test_quote(void **state)
{
	(void)state;
	assert_quoted("a b", 0, "a\\ b");
	assert_quoted("it's $x", 0, "it\\'s\\ \\$x");
	assert_quoted("it's", '\'', "it'\\''s");
	assert_quoted("a\"b$c d", '"', "a\\\"b\\$c d");
	assert_quoted("\xe8\xae\xad", 0, "\xe8\xae\xad");
}

static void assert_safe(const char *in, const char *want)
{
	struct text t = { 0 };

	safe_text(&t, in);
	assert_string_equal(text_of(&t), want);
	text_free(&t);
}

static void test_safe(void **state)
{
	(void)state;
	assert_safe("plain", "plain");
	assert_safe("\x1b[2J\x07", "\\x1b[2J\\x07");
	assert_safe("a\nb\r\tc", "a\\nb\\r\\tc");
	assert_safe("\xc2\x9b"
		    "31m",
		"\\u009b31m");
	assert_safe("\x7f", "\\x7f");
	assert_safe("\xff\xc3", "\\xff\\xc3");
	assert_safe("\xe2\x80\xae"
		    "x",
		"\\u202ex");
	assert_safe("\xe8\xae\xad", "\xe8\xae\xad");
}

static size_t width(const char *s)
{
	return text_width(s, strlen(s));
}

/* What is read eight bytes at once is read as it would be one by one. */
static void test_plain(void **state)
{
	(void)state;
	for (size_t at = 0; at < 20; at++)
		for (int c = 1; c < 256; c++) {
			char s[] = "~~~~~~~~~~          ";
			struct text t = { 0 };
			int printable = c >= 0x20 && c < 0x7f;

			s[at] = (char)c;
			assert_int_equal(is_plain(s, 20), printable);
			assert_int_equal(width(s), 20);
			safe_text(&t, s);
			assert_int_equal(!strcmp(t.s, s), printable);
			assert_memory_equal(t.s, s, at);
			assert_string_equal(t.s + t.n - (19 - at), s + at + 1);
			text_free(&t);
		}
}

static void test_width(void **state)
{
	static const char cjk[] = "\xe8\xae\xad\xe7\xbb\x83\xe6\x9c\xba-01";

	(void)state;
	assert_int_equal(width("abc"), 3);
	assert_int_equal(width(cjk), 9);
	assert_int_equal(width("job\xf0\x9f\x9a\x80"), 5);
	assert_int_equal(width("e\xcc\x81"
			       "cole"),
		5);
	/* Joined: a woman at a computer; a flag and a half; a heart as a picture; a shade of skin.
	 */
	assert_int_equal(width("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb"), 2);
	assert_int_equal(width("\xf0\x9f\x87\xa8\xf0\x9f\x87\xb3\xf0\x9f\x87\xa8"
			       "x"),
		4);
	assert_int_equal(width("\xe2\x9d\xa4\xef\xb8\x8f"
			       "x"),
		3);
	assert_int_equal(width("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd!"), 3);
	/* A joiner between letters joins nothing. */
	assert_int_equal(width("a\xe2\x80\x8d"
			       "b"),
		2);
	assert_int_equal(text_fit("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", 11, 1), 0);
	assert_int_equal(text_fit("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", 11, 2), 11);
	/* A wide character is not cut in two. */
	assert_int_equal(text_fit(cjk, strlen(cjk), 3), 3);
	assert_int_equal(text_fit(cjk, strlen(cjk), 4), 6);
	assert_int_equal(text_fit(cjk, strlen(cjk), 0), 0);
}

static void test_json_string(void **state)
{
	struct text t = { 0 };

	(void)state;
	json_string(&t, "a\"b\\c\nd\x1b\x7f\xc2\x9b\xff\xe8\xae\xad");
	assert_string_equal(
		text_of(&t), "\"a\\\"b\\\\c\\nd\\u001b\\u007f\\u009b\\ufffd\xe8\xae\xad\"");
	text_free(&t);
}

static void test_nearest(void **state)
{
	struct nearest n = { .word = "instnce" }, none = { .word = "zzzzzz" },
		       swap = { .word = "lsit" };

	(void)state;
	nearest_offer(&n, "image");
	nearest_offer(&n, "instance");
	assert_string_equal(n.best, "instance");
	nearest_offer(&none, "instance");
	assert_null(none.best);
	nearest_offer(&swap, "list");
	assert_string_equal(swap.best, "list");
	assert_int_equal(swap.distance, 1);
}

static void assert_option(const char *kind, const char *verb, const char *path, const char *want)
{
	char buf[96];

	option_of_path(sv_verb_find(sv_kind_find(kind), verb)->in, path, buf, sizeof(buf));
	assert_string_equal(buf, want);
}

static void test_options(void **state)
{
	(void)state;
	assert_option("disk", "create", "size_gib", "--size");
	assert_option("instance", "create", "max_price_per_hour", "--max-price");
	assert_option("instance", "create", "auto_stop.max_cost", "--max-cost");
	assert_option("instance", "create", "auto_stop.action", "--auto-stop.action");
	assert_option("instance", "create", "disks[0].path", "--disk.path");
	assert_option("instance", "extend", "seconds", "--by");
}

static void test_args(void **state)
{
	static char *words[] = { "-qo", "json", "instances", "ls", "--sort=a,b", "--filter", "x=1",
		"--filter=y=2", "--no-header", "--", "--plain" };
	struct app *a = mem_new(1, sizeof(*a));
	struct call call;

	(void)state;
	assert_int_equal(args_read(a, COUNT(words), words, &call), 0);
	assert_string_equal(call.noun, "instance");
	assert_string_equal(call.action, "list");
	assert_string_equal(opt_value(&call, OPT_OUTPUT), "json");
	assert_true(opt_on(&call, OPT_QUIET));
	assert_true(opt_off(&call, OPT_HEADER));
	assert_int_equal(call.opt[OPT_SORT].n, 2);
	assert_int_equal(call.opt[OPT_FILTER].n, 2);
	assert_string_equal(call.opt[OPT_FILTER].v[1], "y=2");
	assert_int_equal(call.plain.n, 0);
	assert_string_equal(call.after.v[0], "--plain");
	args_free(&call);
	mem_free(a);
}

/* What follows the name is the program's, whatever it looks like. */
static void test_args_rest(void **state)
{
	static char *words[] = { "instance", "ssh", "t", "-L", "1:localhost:2", "-v" };
	struct app *a = mem_new(1, sizeof(*a));
	struct call call;

	(void)state;
	assert_int_equal(args_read(a, COUNT(words), words, &call), 0);
	assert_string_equal(call.plain.v[0], "t");
	assert_int_equal(call.after.n, 3);
	assert_string_equal(call.after.v[0], "-L");
	args_free(&call);
	mem_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_words_open),
		cmocka_unit_test(test_words_program),
		cmocka_unit_test(test_cursor),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_safe),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_json_string),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_args_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
