/* SPDX-License-Identifier: MIT */
/* Which kind of word stands at the cursor, and the words that are known without asking anybody. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "extend.h"
#include "out.h"

void fits_offer(struct completion *c, const char *word, const char *help, int open)
{
	struct fits *f = c->ret;
	struct text t = { 0 };

	if (strncmp(word, c->part, strlen(c->part)) != 0)
		return;
	text_add(&t, text_of(&c->lead), c->lead.n);
	text_str(&t, word);
	if ((f->n & (f->n - 1)) == 0)
		f->v = mem_grow(f->v, f->n ? f->n * 2 : 1, sizeof(*f->v));
	f->v[f->n++] = (struct fit){ .word = t.s,
		.text = mem_dup(t.s, t.n),
		.help = mem_dup(help ? help : "", help ? strlen(help) : 0),
		.open = open };
}

void fits_free(struct fits *fits)
{
	for (size_t i = 0; i < fits->n; i++) {
		mem_free(fits->v[i].word);
		mem_free(fits->v[i].text);
		mem_free(fits->v[i].help);
	}
	mem_free(fits->v);
	*fits = (struct fits){ 0 };
}

/* Aliases with what they stand for, and programs. */
static void own_commands(struct completion *c)
{
	struct words names = { 0 }, texts = { 0 };
	const struct sv_kind *kind;

	aliases(&names, &texts);
	plugins(c->app, &names);
	for (size_t i = 0; i < names.n; i++) {
		struct text name = { 0 }, help = { 0 };

		safe_text(&name, names.v[i]);
		safe_text(&help, i < texts.n ? texts.v[i] : _("a program on PATH"));
		if (!strcmp(text_of(&name), names.v[i]) && !noun_find(names.v[i], &kind))
			fits_offer(c, names.v[i], text_of(&help), 0);
		text_free(&name);
		text_free(&help);
	}
	words_free(&names);
	words_free(&texts);
}

static void nouns(struct completion *c)
{
	const char *name, *help;

	for (size_t i = 0; (name = noun_at(i, NULL, &help)) != NULL; i++)
		if (!c->app->in_shell || strcmp(name, "shell") != 0)
			fits_offer(c, name, _(help), 0);
	own_commands(c);
}

static void verbs(struct completion *c)
{
	struct action all[64];
	size_t n = actions_of(c->call.noun, c->call.kind, all, COUNT(all));

	for (size_t i = 0; i < n; i++) {
		char *name = mem_dup(all[i].name, strlen(all[i].name));

		for (char *p = name; *p; p++)
			*p = *p == '_' ? '-' : *p;
		fits_offer(c, name, _(all[i].help), 0);
		mem_free(name);
	}
}

/* What follows the dashes. */
static const char *typed(const struct completion *c)
{
	return strlen(c->part) < 2 ? "" : c->part + 2;
}

static void option(struct completion *c, const char *name, const char *help, int open)
{
	struct text t = { 0 };

	text_fmt(&t, "--%s", name);
	fits_offer(c, text_of(&t), _(help), open);
	text_free(&t);
}

static void row(struct completion *c, const struct opt_row *o)
{
	struct text t = { 0 };

	if ((o->flags & OPT_HIDDEN) ||
		(c->call.opt[o->id].n && !(o->flags & (OPT_LIST | OPT_REPEAT))))
		return;
	if (o->id != OPT_HEADER)
		option(c, o->name, o->help, 0);
	if (o->value && (o->flags & OPT_MAYBE)) {
		text_fmt(&t, "%s=%s", o->name, o->value);
		option(c, text_of(&t), o->help, 0);
	}
	/* The forms that take something back are many: they show once they are begun. */
	if ((!o->value || (o->flags & OPT_MAYBE)) && o->id != OPT_HELP && o->id != OPT_VERSION &&
		(!strncmp(typed(c), "no", 2) || o->id == OPT_HEADER)) {
		text_free(&t);
		text_fmt(&t, "no-%s", o->name);
		option(c, text_of(&t), o->help, 0);
	}
	text_free(&t);
}

static int several(const struct sv_field *f)
{
	return f->type == SV_STRS || f->type == SV_LIST || f->type == SV_MAP;
}

/* Objects show what is in them once their dot was typed. */
static void fields(struct completion *c, const struct sv_kind *kind, int flag, const char *prefix)
{
	for (uint32_t i = 0; kind && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		struct text t = { 0 };
		char name[96];

		if (!field_offered(f, flag, *prefix != '\0'))
			continue;
		option_name(f, name, sizeof(name));
		text_fmt(&t, "%s%s%s", prefix, name, f->type == SV_OBJ ? "." : "");
		if (f->type == SV_OBJ && t.n < 60 && !strncmp(typed(c), t.s, t.n))
			fields(c, f->kind, flag, t.s);
		else if (several(f) || !words_has(&c->expected.fields, t.s))
			option(c, t.s, f->help, f->type == SV_OBJ);
		text_free(&t);
	}
}

static void options(struct completion *c)
{
	const struct expected *e = &c->expected;
	struct field_opt to;

	fields(c, c->call.in_kind, c->call.in_flag, "");
	for (size_t i = 0; short_form(i); i++)
		if (field_option(&c->call, short_form(i)->name, &to) &&
			!words_has(&e->fields, short_form(i)->name))
			option(c, short_form(i)->name, short_form(i)->help, 0);
	for (size_t i = 0; i < e->n_tables; i++)
		for (const struct opt_row *o = e->tables[(i + 1) % e->n_tables]; o->name; o++)
			row(c, o);
}

static int by_word(const void *a, const void *b)
{
	return strcmp(((const struct fit *)a)->word, ((const struct fit *)b)->word);
}

/* In order, each word once. */
static void order(struct fits *f)
{
	size_t n = 0;

	if (f->n)
		qsort(f->v, f->n, sizeof(*f->v), by_word);
	for (size_t i = 0; i < f->n; i++) {
		if (n && !strcmp(f->v[n - 1].word, f->v[i].word)) {
			mem_free(f->v[i].word);
			mem_free(f->v[i].text);
			mem_free(f->v[i].help);
		} else {
			f->v[n++] = f->v[i];
		}
	}
	f->n = n;
}

static void fitting(struct completion *c)
{
	int dashes = *c->part == '-' && !c->call.dashes;

	switch (c->expected.what) {
	case EXPECT_ROW: complete_row(c, c->expected.row); break;
	case EXPECT_FIELD: complete_field(c, &c->expected.field); break;
	case EXPECT_NOUN:
		if (dashes)
			options(c);
		else
			nouns(c);
		break;
	case EXPECT_VERB:
		if (dashes)
			options(c);
		else
			verbs(c);
		break;
	case EXPECT_WORD:
		if (!dashes)
			complete_plain(c);
		/* Where nothing else is wanted. */
		if (dashes ||
			(!*c->part && !c->ret->n && !c->ret->files && !c->named && !c->call.dashes))
			options(c);
		break;
	default: break;
	}
}

/* "--name=value" and "-ovalue": how much of the word is the option. 0 when it is none of them. */
static size_t glued(const char *word)
{
	const char *eq = strchr(word, '=');

	if (!strncmp(word, "--", 2))
		return eq ? (size_t)(eq - word) : 0;
	return *word == '-' && word[1] && word[2] ? 2 : 0;
}

/* A line that names a profile or an endpoint asks there, not where the shell is connected. */
static void ask(struct completion *c, const struct words *words)
{
	struct app *a = c->app;
	struct globals before = a->given;
	struct sv_config *config = a->config;
	sv_client *client = a->client;
	int elsewhere;

	args_expect(a, words->n, words->v, &c->call, &c->expected);
	globals_take(a, &c->call);
	elsewhere = own_client(&c->call);
	if (elsewhere) {
		a->config = NULL;
		a->client = NULL;
	}
	fitting(c);
	if (elsewhere) {
		app_reset(a);
		a->config = config;
		a->client = client;
	}
	a->given = before;
	expected_free(&c->expected);
	args_free(&c->call);
}

void complete(struct app *a, size_t n, char **words, const char *word, struct fits *ret)
{
	struct completion c = { .app = a, .word = word, .part = word, .ret = ret };
	size_t option_len = glued(word);
	struct words all = { 0 };

	for (size_t i = 0; i < n; i++)
		words_push(&all, words[i]);
	if (option_len) {
		words_add(&all, word, option_len);
		option_len += word[option_len] == '=' && word[1] == '-';
		text_add(&c.lead, word, option_len);
		c.part = word + option_len;
		args_expect(a, all.n, all.v, &c.call, &c.expected);
		/* A switch takes nothing: the word stands for itself. */
		if (c.expected.what != EXPECT_ROW && c.expected.what != EXPECT_FIELD) {
			mem_free(all.v[--all.n]);
			c.part = word;
			text_free(&c.lead);
		}
		expected_free(&c.expected);
		args_free(&c.call);
	}
	ask(&c, &all);
	order(ret);
	text_free(&c.lead);
	words_free(&all);
}
