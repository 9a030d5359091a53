/* SPDX-License-Identifier: MIT */
/* Messages told anew by a catalogue of gettext's, as msgfmt writes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "said.h"

static const struct {
	const char *id, *text;
} entries[] = {
	{ "", "Content-Type: text/plain; charset=UTF-8\n" },
	{ "message\004%s \"%.200s\" not found", "no %s is called <%.200s>" },
	{ "message\004%s: %s", "%s -> %s" },
	{ "message\004%s: must be %s", "%s has to be %s" },
	{ "message\004%s is stopped", "%s stands still" },
	{ "message\004%s runs", "%s is up" },
	{ "message\004%s runs on %s", "%s is up there: %s" },
	{ "message\004%s on %s", "%s (%s)" },
	{ "message\004a list", "several" },
	{ "message\004disk", "DISK" },
	{ "message\004instance", "INSTANCE" },
	{ "message\004must be at least %lld GiB", ">= %lld GiB" },
	{ "message\004%zu of %lld are %d %% full", "of %2$lld, %1$zu (%3$d %%)" },
	{ "message\004short %", "cut %" },
	{ "message\004such as 62.5%, with %d places", "like 62.5%, of %d places" },
	{ "message\004%s is 100% idle", "%s: 100% idle" },
	{ "message\004all of 100%", "the whole 100%" },
	{ "plain", "no message" },
};
#define N (sizeof(entries) / sizeof(entries[0]))

static unsigned char bytes[4096];
static size_t used;

static void word(size_t at, size_t v)
{
	uint32_t w = (uint32_t)v;

	memcpy(bytes + at, &w, sizeof(w));
}

static size_t put(size_t pair, const char *s)
{
	size_t n = strlen(s) + 1;

	word(pair, n - 1);
	word(pair + 4, used);
	memcpy(bytes + used, s, n);
	used += n;
	return used;
}

static int catalogue(void **state)
{
	(void)state;
	word(0, 0x950412deU);
	word(4, 0);
	word(8, N);
	word(12, 28);
	word(16, 28 + 8 * N);
	used = 28 + 16 * N;
	for (size_t i = 0; i < N; i++) {
		put(28 + 8 * i, entries[i].id);
		put(28 + 8 * N + 8 * i, entries[i].text);
	}
	return 0;
}

static void is(const char *message, const char *want)
{
	struct text t = { 0 };

	said_by(bytes, used, message, &t);
	assert_string_equal(text_of(&t), want);
	text_free(&t);
}

static void formats(void **state)
{
	(void)state;
	is("disk \"ckpt\" not found", "no DISK is called <ckpt>");
	is("must be at least 40 GiB", ">= 40 GiB");
	is("3 of 12 are 25 % full", "of 12, 3 (25 %)");
	is("a list", "several");
	is("short %", "cut %");
}

/* A sign that no conversion follows stands for itself; so does the last one, with whatever lies
 * behind it. */
static void percent(void **state)
{
	(void)state;
	is("such as 62.5%, with 6 places", "like 62.5%, of 6 places");
	is("size: must be such as 62.5%, with 6 places", "size has to be like 62.5%, of 6 places");
	is("disk is 100% idle", "disk: 100% idle");
	is("all of 100%", "the whole 100%");
	is("all of 100", "all of 100");
}

/* The format with most text of its own made it. */
static void most_of_its_own(void **state)
{
	(void)state;
	is("size: must be a list", "size has to be several");
	is("t runs on host", "t is up there: host");
	is("stack.yaml: size: must be at least 2 GiB", "stack.yaml -> size -> >= 2 GiB");
}

static void names_stay(void **state)
{
	(void)state;
	is("instance \"a list\" not found", "no INSTANCE is called <a list>");
	is("disk is stopped", "disk stands still");
	is("must be at least many GiB", "must be at least many GiB");
}

static void what_no_format_made(void **state)
{
	(void)state;
	is("", "");
	is("plain", "plain");
	is("the moon is down", "the moon is down");
	is("%s %n %d", "%s %n %d");
}

/* The peer decides how long a message is, and how often a format might fit. */
static void much(void **state)
{
	static char large[16384];
	struct text t = { 0 };

	(void)state;
	memset(large, ':', sizeof(large) - 1);
	for (size_t i = 1; i < sizeof(large) - 1; i += 2)
		large[i] = ' ';
	said_by(bytes, used, large, &t);
	assert_true(t.n >= sizeof(large) / 2);
	text_free(&t);
}

/* Whatever lies where the catalogue should. */
static void no_catalogue(void **state)
{
	struct text t = { 0 };

	(void)state;
	for (size_t n = 0; n < used; n++) {
		unsigned char *cut = malloc(n ? n : 1);

		assert_non_null(cut);
		memcpy(cut, bytes, n);
		said_by(cut, n, "disk \"ckpt\" not found", &t);
		free(cut);
	}
	for (size_t at = 0; at + 4 <= 28 + 16 * N; at += 4) {
		uint32_t kept;

		memcpy(&kept, bytes + at, sizeof(kept));
		word(at, 0xfffffff0U);
		said_by(bytes, used, "disk \"ckpt\" not found", &t);
		memcpy(bytes + at, &kept, sizeof(kept));
	}
	text_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats),
		cmocka_unit_test(percent),
		cmocka_unit_test(most_of_its_own),
		cmocka_unit_test(names_stay),
		cmocka_unit_test(what_no_format_made),
		cmocka_unit_test(much),
		cmocka_unit_test(no_catalogue),
	};

	return cmocka_run_group_tests(tests, catalogue, NULL);
}
