/* SPDX-License-Identifier: MIT */
/* One line of the shell. Reading moves on and ends; words that are written out again, with each
 * kind of quotes, are read as the same; the cursor can stand anywhere. */
#include "fuzz.h"
#include "words.h"

static void same_words(const struct words *a, const struct words *b)
{
	always(a->n == b->n);
	for (size_t i = 0; i < a->n; i++)
		always(strcmp(a->v[i], b->v[i]) == 0);
}

static void round_trip(const struct words *words, char quote)
{
	struct text line = { 0 };
	struct part again;
	const char *at;

	for (size_t i = 0; i < words->n; i++) {
		char q = quote || *words->v[i] ? quote : '\'';

		text_str(&line, i ? " " : "");
		if (q)
			text_chr(&line, q);
		words_quote(&line, words->v[i], q);
		if (q)
			text_chr(&line, q);
	}
	at = text_of(&line);
	always(words_next(&at, &again) == WORDS_OK);
	always(!*at && !again.program && !again.file && again.joint == JOINT_END);
	same_words(words, &again.words);
	part_free(&again);
	text_free(&line);
}

static void cursors(const char *line, size_t len)
{
	for (size_t i = 0; i <= len; i++) {
		struct cursor c;

		words_cursor(line, i, &c);
		always(c.from <= i);
		cursor_free(&c);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[512];
	const char *at = line, *before;
	struct part p;
	enum words_result r;

	if (size >= sizeof(line) || (size && memchr(data, '\0', size)))
		return 0;
	if (size)
		memcpy(line, data, size);
	line[size] = '\0';
	cursors(line, size);
	do {
		before = at;
		r = words_next(&at, &p);
		always(at >= before && at <= line + size);
		always(r != WORDS_OK || at > before || !*at);
		if (r == WORDS_OK && p.words.n) {
			round_trip(&p.words, 0);
			round_trip(&p.words, '\'');
			round_trip(&p.words, '"');
			came_deep();
		}
		part_free(&p);
	} while (r == WORDS_OK && *at);
	return 0;
}
