/* SPDX-License-Identifier: MIT */
/* Checks every table: one of the tests. */
#include <ctype.h>
#include <string.h>

#include "doc.h"
#include "errors.h"

struct checking {
	struct call *call;
	int faults;
};

static void fault(struct checking *c, const char *what, const char *a, const char *b)
{
	sink_fmt(&c->call->app->out, "%s: %s%s%s\n", what, a, *b ? " " : "", b);
	c->faults++;
}

/* A phrase: lower case unless a name, no full stop. */
static void phrase(struct checking *c, const char *help, const char *a, const char *b)
{
	if (!help || blank(help))
		fault(c, "no help", a, b);
	else if (help[strlen(help) - 1] == '.')
		fault(c, "help ends in a full stop", a, b);
}

static void commands(struct checking *c)
{
	for (size_t i = 0; command_at(i); i++) {
		const struct command *k = command_at(i), *last = i ? command_at(i - 1) : NULL;
		int order = last ? strcmp(last->noun, k->noun) : -1;

		if (order > 0 || (!order && strcmp(last->verb, k->verb) >= 0))
			fault(c, "not sorted", k->noun, k->verb);
		phrase(c, k->help, k->noun, k->verb);
		if (!k->run)
			fault(c, "does nothing", k->noun, k->verb);
		if (k->body_of && !sv_verb_find(sv_kind_find(k->body_kind ? k->body_kind : k->noun),
					  k->body_of))
			fault(c, "takes its options from a verb that is not there", k->noun,
				k->verb);
	}
}

static void options(struct checking *c, const struct opt_row *rows)
{
	for (; rows && rows->name; rows++) {
		phrase(c, rows->help, "--", rows->name);
		for (const struct opt_row *other = rows + 1; other->name; other++)
			if (same_name(other->name, rows->name) ||
				(rows->letter && rows->letter == other->letter))
				fault(c, "option twice", rows->name, "");
		for (const struct opt_row *g = opts_global; g->name && rows != opts_global; g++)
			if (g != rows && g->id != rows->id && same_name(g->name, rows->name))
				fault(c, "option hides a global one", rows->name, "");
	}
}

static int word_of(const struct sv_field *f, const char *word)
{
	for (const struct sv_word *w = f->words; w && w->word; w++)
		if (!strcmp(w->word, word))
			return 1;
	return 0;
}

/* "status=available,error": fields of the resource, with words of theirs. */
static void when(struct checking *c, const struct sv_kind *k, const struct sv_verb *v)
{
	struct words terms = { 0 }, any = { 0 };

	words_split(&terms, v->when ? v->when : "", ' ');
	for (size_t i = 0; i < terms.n; i++) {
		char *eq = strchr(terms.v[i], '=');
		const struct sv_field *f;

		if (eq)
			*eq = '\0';
		f = sv_field_find(k, terms.v[i]);
		words_commas(&any, eq ? eq + 1 : "");
		if (!f || !any.n)
			fault(c, "fits where no field says so", k->name, v->name);
		for (size_t n = 0; f && n < any.n; n++)
			if (!word_of(f, any.v[n]))
				fault(c, "fits where no state is called so", k->name, any.v[n]);
		words_free(&any);
	}
	words_free(&terms);
}

static void kind(struct checking *c, const struct sv_kind *k)
{
	for (uint32_t i = 0; i < k->n; i++) {
		const struct sv_field *f = &k->fields[i];

		phrase(c, f->help, k->name, f->name);
		if (f->ref && !sv_kind_find(f->ref))
			fault(c, "refers to a resource that is not there", k->name, f->name);
		if (f->type == SV_BOOL && f->words)
			fault(c, "a boolean with words", k->name, f->name);
		if ((f->flags & SV_REQUIRED) && !(f->flags & (SV_CREATE | SV_ALWAYS | SV_UPDATE)))
			fault(c, "required, but cannot be sent", k->name, f->name);
	}
	for (const struct sv_verb *v = k->verbs; v && v->name; v++) {
		phrase(c, v->help, k->name, v->name);
		when(c, k, v);
		if ((v->flags & SV_HAND) && !command_find(k->name, v->name) &&
			strcmp(v->name, "quote") != 0)
			fault(c, "nobody wrote its command", k->name, v->name);
		for (const struct sv_verb *other = v + 1; other->name; other++)
			if (same_name(other->name, v->name))
				fault(c, "verb twice", k->name, v->name);
	}
}

/* An option of svctl's own must not hide a field of a verb that takes both. */
static void collisions(struct checking *c, const struct sv_kind *k)
{
	for (const struct sv_verb *v = k->verbs; v && v->name; v++) {
		const struct sv_kind *in = v->method == SV_GET ? v->query : v->in;
		int flag = v->method == SV_GET ? 0 : (v->flags & SV_MASKED) ? SV_UPDATE : SV_CREATE;

		for (uint32_t i = 0; in && !(v->flags & SV_HAND) && i < in->n; i++) {
			char name[96];

			option_name(&in->fields[i], name, sizeof(name));
			for (const struct opt_row *o = opts_global;
				field_offered(&in->fields[i], flag, 0) && o->name; o++)
				if (same_name(o->name, name))
					fault(c, "a global option hides a field", in->name, name);
		}
	}
}

static void all_examples(struct checking *c)
{
	const struct sv_kind *k;

	for (size_t i = 0; example_at(i); i++) {
		const struct example *e = example_at(i);
		const char *noun = noun_find(e->noun, &k);

		if (!noun || (*e->verb && !command_find(noun, e->verb) &&
				     (!k || !sv_verb_find(k, e->verb))))
			fault(c, "an example of what is not there", e->noun, e->verb);
		phrase(c, e->text, e->noun, e->line);
	}
}

int selftest(struct call *call)
{
	struct checking c = { .call = call };

	commands(&c);
	options(&c, opts_global);
	options(&c, opts_call);
	options(&c, opts_list);
	options(&c, opts_change);
	options(&c, opts_wait);
	for (size_t i = 0; command_at(i); i++)
		options(&c, command_at(i)->opts);
	for (size_t i = 0; sv_kinds(i); i++) {
		kind(&c, sv_kinds(i));
		collisions(&c, sv_kinds(i));
	}
	all_examples(&c);
	return c.faults ? 1 : 0;
}
