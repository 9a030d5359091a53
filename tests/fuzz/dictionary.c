/* SPDX-License-Identifier: MIT */
/* Prints libFuzzer's dictionary from the tables: kinds, verbs, fields and words, each once a table
 * names it. */
#include <stdio.h>
#include <string.h>
#include <starverse/kind.h>

static void entry(const char *s)
{
	putchar('"');
	for (; *s; s++)
		if (*s == '"' || *s == '\\' || *s < ' ' || *s > '~')
			printf("\\x%02X", (unsigned char)*s);
		else
			putchar(*s);
	puts("\"");
}

/* Tables nest, but nowhere deeper than this. */
static void fields(const struct sv_kind *kind, int depth)
{
	for (uint32_t i = 0; kind && depth < 6 && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		entry(f->name);
		for (const struct sv_word *w = f->words; w && w->word; w++)
			entry(w->word);
		fields(f->kind, depth + 1);
	}
}

int main(void)
{
	const struct sv_kind *kind;

	for (size_t i = 0; (kind = sv_kinds(i)); i++) {
		entry(kind->name);
		fields(kind, 0);
		for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
			entry(v->name);
			entry(v->path);
			fields(v->in, 0);
			fields(v->query, 0);
		}
	}
	return 0;
}
