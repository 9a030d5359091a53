/* SPDX-License-Identifier: MIT */
/* What a resource is, from its rows: reflect [KIND]. Nothing is sent. */
#include <stdio.h>
#include <starverse.h>

static void field(const struct sv_field *f)
{
	printf("  %-24s %s", f->name, f->help);
	if (f->ref)
		printf(" (id of %s)", f->ref);
	for (const struct sv_word *w = f->words; w && w->word; w++)
		printf("%s%s", w == f->words ? ": " : ", ", w->word);
	putchar('\n');
}

static void describe(const struct sv_kind *kind)
{
	static const char *const methods[] = { "", "GET", "POST", "PATCH", "DELETE" };

	printf("%s: %s\n", kind->name, kind->help);
	for (uint32_t i = 0; i < kind->n; i++)
		field(&kind->fields[i]);
	for (const struct sv_verb *v = kind->verbs; v && v->name; v++)
		printf("  %-6s %-40s %s\n", methods[v->method], v->path, v->help);
}

int main(int argc, char **argv)
{
	const struct sv_kind *kind;

	if (argc == 2) {
		kind = sv_kind_find(argv[1]);
		if (kind)
			describe(kind);
		else
			fprintf(stderr, "reflect: there is no %s\n", argv[1]);
		return kind ? 0 : 5;
	}
	for (size_t i = 0; (kind = sv_kinds(i)); i++)
		printf("%-12s %s\n", kind->name, kind->help);
	return 0;
}
