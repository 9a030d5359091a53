/* SPDX-License-Identifier: MIT */
/* Charts in characters and pages for a browser, from numbers that are known. */
#include "unit.h"

#include <math.h>
#include <unistd.h>

#include "chart.h"
#include "page.h"

static const struct chart_style ascii = { 40, 1 }, blocks = { 40, 0 };

static void is(struct text *t, const char *want)
{
	if (strcmp(text_of(t), want) != 0)
		fail_msg("\n%s\nis not\n%s", text_of(t), want);
	text_free(t);
}

/* Half of the longest is half as long; what is little is seen; nothing has no bar. */
static void bars(void **state)
{
	const struct chart_bar v[] = { { "trainer", "10.00", 10 }, { "eval", "5.00", 5 },
		{ "dot", "0.01", 0.01 }, { "none", "0.00", 0 } };
	struct text t = { 0 };

	(void)state;
	chart_bars(&t, &ascii, "cost", v, 4);
	is(&t, "cost\n"
	       "trainer |######################## 10.00\n"
	       "eval    |############              5.00\n"
	       "dot     |-                         0.01\n"
	       "none    |                          0.00\n");
	chart_bars(&t, &blocks, NULL, v, 3);
	is(&t, "trainer \xe2\x94\x82"
	       "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
	       "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
	       "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
	       "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88 10.00\n"
	       "eval    \xe2\x94\x82"
	       "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
	       "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
	       "              5.00\n"
	       "dot     \xe2\x94\x82\xe2\x96\x8f                         0.01\n");
}

/* A name from a server is no command to the terminal, and a long one is cut. */
static void labels(void **state)
{
	const struct chart_bar v[] = { { "a\x1b[31mb", "1", 1 },
		{ "a name that is far too long for any column", "1", 1 },
		{ "\xe6\x98\xbe\xe5\x8d\xa1", "1", 1 } };
	struct chart_style wide = { 60, 1 };
	struct text t = { 0 };

	(void)state;
	chart_bars(&t, &wide, NULL, v, 3);
	assert_null(strchr(text_of(&t), '\x1b'));
	assert_non_null(strstr(text_of(&t), "a name that is far too long~ |"));
	/* Two wide characters take four columns. */
	assert_non_null(strstr(text_of(&t), "\xe6\x98\xbe\xe5\x8d\xa1                         |"));
	text_free(&t);
}

static void curves(void **state)
{
	static const double x[] = { 0, 1, 2, 3 }, y[] = { 4, 3, 2, 1 }, z[] = { 1, 1, NAN, 1 };
	const struct chart_curve v[] = { { "cuda", x, y, 4, 0 }, { "tpu", x, z, 4, 0 } };
	const struct chart_axes plain = { .x = "step", .y = "loss" },
				zero = { .x = "step", .y = "loss", .y_zero = 1 };
	struct text t = { 0 };
	const char *first;

	(void)state;
	chart_curves(&t, &ascii, "loss", &plain, v, 2);
	/* An axis that does not begin at zero says so. */
	assert_non_null(strstr(text_of(&t), "step; loss does not begin at 0"));
	assert_non_null(strstr(text_of(&t), "  o cuda   x tpu\n"));
	first = strchr(strchr(text_of(&t), '\n') + 1, '\n') + 1;
	assert_true(!strncmp(first, "4.0 |o", 6));
	text_free(&t);
	chart_curves(&t, &ascii, NULL, &zero, v, 1);
	assert_null(strstr(text_of(&t), "does not begin"));
	assert_non_null(strstr(text_of(&t), "\n0.0 |"));
	for (const char *s = text_of(&t), *end; (end = strchr(s, '\n')) != NULL; s = end + 1)
		assert_true(end - s <= 40);
	text_free(&t);
	chart_curves(
		&t, &ascii, "a\x1b[2J", &(struct chart_axes){ .x = "x", .y = "\x1b]0;y" }, v, 1);
	assert_null(strchr(text_of(&t), '\x1b'));
	text_free(&t);
	chart_curves(&t, &ascii, NULL, &zero, v, 0);
	is(&t, "nothing to draw yet\n");
}

/* Values that lie next to each other, and such as no difference of them is a number: a picture of
 * its usual size, soon. */
static void nearly_equal(void **state)
{
	static const double pairs[][2] = { { 1e17, 1e17 + 16 }, { -1e17 - 16, -1e17 },
		{ 1, 1 + 2.3e-16 }, { 0, 5e-324 }, { -1e308, 1e308 }, { 1e308, 1.7e308 },
		{ NAN, 1 }, { INFINITY, 1 }, { -INFINITY, INFINITY }, { 1e299, -1e299 },
		{ 0, 9e18 }, { 5, 5 }, { -3, -3 }, { 0, 0 } };
	const struct chart_style wide = { 200, 1 };

	(void)state;
	for (size_t i = 0; i < COUNT(pairs) * 2; i++) {
		const double *a = pairs[i / 2], ends[] = { 0, 1 };
		const struct chart_curve v = i % 2 ? (struct chart_curve){ "v", a, ends, 2, 0 }
						   : (struct chart_curve){ "v", ends, a, 2, 0 };
		const struct chart_bar bar[] = { { "a", "a", a[0] }, { "b", "b", a[1] } };
		struct text t = { 0 };

		for (int time = 0; time < 2; time++) {
			const struct chart_axes axes = { "x", "y", time, 0 };

			alarm(20);
			chart_curves(&t, &wide, NULL, &axes, &v, 1);
			page_curves(&t, "v", &axes, &v, 1);
		}
		chart_bars(&t, &wide, NULL, bar, 2);
		page_bars(&t, "v", bar, 2);
		page_columns(&t, "v", bar, 2);
		alarm(0);
		assert_in_range(t.n, 1, 30000);
		assert_null(strstr(text_of(&t), "nan"));
		assert_null(strstr(text_of(&t), "inf"));
		text_free(&t);
	}
}

static void ticks(void **state)
{
	static const struct {
		double lo, hi, first, step;
	} all[] = { { 0, 10, 0, 2 }, { 0, 937.4, 0, 200 }, { 0.01, 0.02, 0.01, 0.002 },
		{ 3, 4, 3, 0.2 }, { -5, 5, -4, 2 }, { 0, 1e6, 0, 200000 } };
	char text[40];

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		double step, first = chart_ticks(all[i].lo, all[i].hi, 5, &step);

		assert_true(fabs(step - all[i].step) < all[i].step * 1e-9);
		assert_true(fabs(first - all[i].first) < all[i].step * 1e-6);
	}
	chart_number(0.30000000000000004, 0.1, text, sizeof(text));
	assert_string_equal(text, "0.3");
	chart_number(-1e-12, 0.01, text, sizeof(text));
	assert_string_equal(text, "0.00");
	chart_number(200, 200, text, sizeof(text));
	assert_string_equal(text, "200");
	chart_time(1790000000, 3600, text, sizeof(text));
	assert_string_equal(text, "14:13");
}

/* Whatever is in a text, the page's own tags are the only ones. */
static void escaped(void **state)
{
	static const char evil[] = "</title><script>alert('x')</script>&\"\x01\xff";
	const struct chart_bar bar = { evil, evil, 1 };
	static const double x[] = { 0, 1 };
	const struct chart_curve curve = { evil, x, x, 2, 1 };
	const struct chart_axes axes = { .x = evil, .y = evil };
	const char *cells[] = { evil };
	static const int numbers[] = { 0 };
	const struct page_fact fact = { evil, evil };
	struct page_table p;
	struct text t = { 0 };
	const char *s;

	(void)state;
	page_open(&t, evil, evil);
	page_heading(&t, evil);
	page_para(&t, evil);
	page_facts(&t, &fact, 1);
	page_table(&p, &t, cells, numbers, 1);
	page_row(&p, cells, 1);
	page_table_end(&p);
	page_bars(&t, evil, &bar, 1);
	page_columns(&t, evil, &bar, 1);
	page_curves(&t, evil, &axes, &curve, 1);
	page_close(&t);
	s = text_of(&t);
	assert_null(strstr(s, "<script"));
	assert_null(strstr(s, "'x'"));
	assert_null(strchr(s, '\x01'));
	assert_null(strchr(s, '\xff'));
	assert_non_null(strstr(s, "&lt;script&gt;"));
	/* Nothing is fetched, and nothing could be. */
	assert_null(strstr(s, "://"));
	assert_null(strstr(s, "src="));
	assert_null(strstr(s, "href="));
	assert_non_null(strstr(s, "default-src 'none'"));
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars),
		cmocka_unit_test(labels),
		cmocka_unit_test(curves),
		cmocka_unit_test(nearly_equal),
		cmocka_unit_test(ticks),
		cmocka_unit_test(escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
