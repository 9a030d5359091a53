/* SPDX-License-Identifier: MIT */
/* Words -> options and plain words. Fields are set last, over what --file holds. */
#include "args.h"

#include <stdio.h>
#include <string.h>

#include "args-reader.h"
#include "command.h"
#include "errors.h"
#include "extend.h"
#include "shell.h"

#define SETTINGS_MAX 512

static const struct opt_row *row_named(const struct reader *r, const char *name)
{
	for (size_t t = 0; t < r->n_tables; t++)
		for (const struct opt_row *o = r->tables[t]; o->name; o++)
			if (same_name(o->name, name))
				return o;
	return NULL;
}

static const struct opt_row *row_lettered(const struct reader *r, char letter)
{
	for (size_t t = 0; t < r->n_tables; t++)
		for (const struct opt_row *o = r->tables[t]; o->name; o++)
			if (o->letter == letter)
				return o;
	return NULL;
}

static int unknown(const struct reader *r, const char *name)
{
	struct nearest near = { .word = name };
	const struct sv_kind *kind = r->call->in_kind;
	struct words names = { 0 };
	char buf[96];
	int rc;

	for (size_t t = 0; t < r->n_tables; t++)
		for (const struct opt_row *o = r->tables[t]; o->name; o++)
			words_push(&names, o->name);
	for (uint32_t i = 0; kind && i < kind->n; i++)
		if (field_offered(&kind->fields[i], r->call->in_flag, 0)) {
			option_name(&kind->fields[i], buf, sizeof(buf));
			words_push(&names, buf);
		}
	for (size_t i = 0; short_form(i); i++) {
		struct field_opt f;

		if (field_option(r->call, short_form(i)->name, &f))
			words_push(&names, short_form(i)->name);
	}
	for (size_t i = 0; i < names.n; i++)
		nearest_offer(&near, names.v[i]);
	snprintf(buf, sizeof(buf), "--%s", near.best ? near.best : "");
	rc = usage_near(r->call, near.best ? buf : NULL, _("unknown option --%s"), name);
	words_free(&names);
	return rc;
}

/* 1 when the words end where a value must follow, and that is what is asked for. */
static int ends_here(struct reader *r, const char *eq, enum expect what)
{
	if (!r->expected || eq || r->i < r->n)
		return 0;
	r->expected->what = what;
	return 1;
}

/* The value of an option: after '=', or the next word. NULL after an error. */
static const char *value_of(struct reader *r, const char *name, const char *eq)
{
	if (eq)
		return eq + 1;
	if (r->i < r->n)
		return r->words[r->i++];
	usage_error(r->call, _("%s needs a value"), name);
	return NULL;
}

static int take_row(
	struct reader *r, const struct opt_row *o, const char *shown, const char *eq, int no)
{
	struct words *to = &r->call->opt[o->id];
	const char *v;

	if (no && o->value && !(o->flags & OPT_MAYBE))
		return usage_error(
			r->call, _("there is no --no-%s: --%s takes a value"), o->name, o->name);
	if (no || !o->value) {
		if (eq && (no || (strcmp(eq + 1, "true") != 0 && strcmp(eq + 1, "false") != 0)))
			return usage_error(r->call, _("%s takes no value"), shown);
		words_push(to, no || (eq && !strcmp(eq + 1, "false")) ? "0" : "1");
		return 0;
	}
	if ((o->flags & OPT_MAYBE) && !eq) {
		words_push(to, "1");
		return 0;
	}
	if (ends_here(r, eq, EXPECT_ROW)) {
		r->expected->row = o;
		return EXIT_USAGE;
	}
	v = value_of(r, shown, eq);
	if (!v)
		return EXIT_USAGE;
	if (blank(v) && !(o->flags & OPT_BLANK))
		return usage_error(r->call, _("%s: the value is empty"), shown);
	if (o->flags & OPT_LIST)
		words_commas(to, v);
	else
		words_push(to, v);
	return 0;
}

static int take_field(
	struct reader *r, const char *name, const struct field_opt *to, const char *eq, int no)
{
	const struct sv_field *f = to->way[to->n - 1];
	struct setting *s;
	const char *v = NULL;

	if (to->fixed && (eq || no))
		return usage_error(r->call, _("--%s takes no value"), name);
	if (to->fixed)
		v = to->fixed;
	else if (no)
		v = f->type == SV_BOOL ? "false" : NULL;
	else if (f->type == SV_BOOL && !eq)
		v = "true";
	else if (ends_here(r, eq, EXPECT_FIELD))
		r->expected->field = *to;
	else
		v = value_of(r, name, eq);
	if (!v && !no)
		return EXIT_USAGE;
	if (no && eq)
		return usage_error(r->call, _("--no-%s takes no value"), name);
	if (no && !v && r->call->in_flag != SV_UPDATE)
		return usage_error(r->call, _("--no-%s: only update can clear a field"), name);
	if (r->n_settings == SETTINGS_MAX)
		return usage_error(r->call, _("too many options"));
	r->settings = mem_grow(r->settings, r->n_settings + 1, sizeof(*r->settings));
	s = &r->settings[r->n_settings++];
	*s = (struct setting){ *to, name, v ? mem_dup(v, strlen(v)) : NULL };
	return 0;
}

/* --name, --name=value, --no-name. */
static int take_long(struct reader *r, char *word)
{
	char *eq = strchr(word, '='), *name;
	const struct opt_row *o;
	struct field_opt f;
	int rc, no = 0;

	name = mem_dup(word + 2, eq ? (size_t)(eq - word - 2) : strlen(word + 2));
	words_push(&r->call->opt[OPT_NONE],
		name); /* owned by the call, like every text that errors may show */
	mem_free(name);
	name = r->call->opt[OPT_NONE].v[r->call->opt[OPT_NONE].n - 1];
	o = row_named(r, name);
	if (!o && !field_option(r->call, name, &f) &&
		(!strncmp(name, "no-", 3) || !strncmp(name, "no_", 3))) {
		no = 1;
		o = row_named(r, name + 3);
		if (!o && !field_option(r->call, name + 3, &f))
			return unknown(r, name);
	} else if (!o && !field_option(r->call, name, &f)) {
		return unknown(r, name);
	}
	if (o) {
		struct text shown = { 0 };

		text_fmt(&shown, "--%s", name);
		rc = take_row(r, o, text_of(&shown), eq, no);
		text_free(&shown);
		return rc;
	}
	return take_field(r, no ? name + 3 : name, &f, eq, no);
}

/* -o, -ojson, -qy. */
static int take_short(struct reader *r, const char *word)
{
	char shown[3] = { '-', 0, 0 };

	for (const char *p = word + 1; *p; p++) {
		const struct opt_row *o = row_lettered(r, *p);
		int rc;

		shown[1] = *p;
		if (!o)
			return usage_error(r->call, _("unknown option -%c"), *p);
		if (o->value && !(o->flags & OPT_MAYBE) && p[1])
			return take_row(r, o, shown, p, 0); /* as after '=' */
		rc = take_row(r, o, shown, NULL, 0);
		if (rc || (o->value && !(o->flags & OPT_MAYBE)))
			return rc;
	}
	return 0;
}

/* One word, wherever it stands. */
static int take(struct reader *r)
{
	char *word = r->words[r->i++];
	struct call *call = r->call;

	if (call->dashes)
		words_push(&call->after, word);
	else if (!strcmp(word, "--"))
		call->dashes = 1;
	else if (!strncmp(word, "--", 2))
		return take_long(r, word);
	else if (*word == '-' && word[1])
		return take_short(r, word);
	else
		words_push(&call->plain, word);
	return 0;
}

/* Options that stand before the noun or the verb; stops at a plain word. */
static int leading(struct reader *r)
{
	int rc = 0;

	while (!rc && r->i < r->n && r->words[r->i][0] == '-' && r->words[r->i][1] &&
		strcmp(r->words[r->i], "--") != 0)
		rc = take(r);
	return rc;
}

static void tables(struct reader *r)
{
	const struct call *call = r->call;
	const struct sv_verb *v = call->verb;

	if (call->command && call->command->opts)
		r->tables[r->n_tables++] = call->command->opts;
	if ((!call->command && v && (v->flags & SV_MANY)) ||
		(call->command && (call->command->flags & CMD_OUTPUT)))
		r->tables[r->n_tables++] = opts_list;
	if (!call->command && v)
		r->tables[r->n_tables++] = opts_call;
	if (!call->command && v && v->method != SV_GET)
		r->tables[r->n_tables++] = opts_change;
	if (!call->command && v && (v->flags & SV_ASYNC))
		r->tables[r->n_tables++] = opts_wait;
}

/* What the verb or the command sends. */
static void body(struct call *call)
{
	const struct sv_verb *v = call->verb;
	const struct command *c = call->command;

	if (c && c->body_of)
		v = sv_verb_find(
			c->body_kind ? sv_kind_find(c->body_kind) : call->kind, c->body_of);
	else if (c)
		v = NULL;
	call->in_kind = !v ? NULL : v->method == SV_GET ? v->query : v->in;
	call->in_flag = !v || v->method == SV_GET ? 0
			: (v->flags & SV_MASKED)  ? SV_UPDATE
						  : SV_CREATE;
}

static int unknown_noun(struct call *call, const char *word)
{
	struct nearest near = { .word = word };
	struct words own = { 0 };
	const char *name;
	int rc;

	for (size_t i = 0; (name = noun_at(i, NULL, NULL)) != NULL; i++)
		nearest_offer(&near, name);
	if (!call->expanded.n)
		aliases(&own, NULL);
	plugins(call->app, &own);
	for (size_t i = 0; call->app->in_shell && builtin_at(i); i++)
		words_push(&own, builtin_at(i)->name);
	for (size_t i = 0; i < own.n; i++)
		nearest_offer(&near, own.v[i]);
	rc = usage_near(call, near.best,
		call->expanded.n ? _("an alias stands for \"%s\", which is no command of svctl")
				 : _("unknown command \"%s\""),
		word);
	words_free(&own);
	return rc;
}

/* The words of an alias take its place. */
static void expand(struct reader *r, const struct words *own)
{
	struct words *to = &r->call->expanded;

	for (size_t i = 0; i + 1 < r->i; i++)
		words_push(to, r->words[i]);
	for (size_t i = 0; i < own->n; i++)
		words_push(to, own->v[i]);
	for (size_t i = r->i; i < r->n; i++)
		words_push(to, r->words[i]);
	r->words = to->v;
	r->n = to->n;
	r->i--;
}

/* What is no noun: an alias (but none within another), a program, or wrong. */
static int find_own(struct reader *r, const char *word)
{
	struct call *call = r->call;
	struct words own = { 0 };
	int alias = call->expanded.n ? 0 : alias_find(word, &own), rc = 0;

	if (!alias)
		call->plugin = plugin_find(call->app, word);
	if (call->plugin) {
		while (r->i < r->n)
			words_push(&call->after, r->words[r->i++]);
		call->dashes = 1;
	} else if (alias > 0) {
		expand(r, &own);
	} else if (alias) {
		rc = usage_error(call,
			_("the alias %s is no command: see aliases.%s of the configuration"), word,
			word);
	} else {
		rc = unknown_noun(call, word);
	}
	words_free(&own);
	return rc;
}

static int unknown_verb(struct call *call, const char *word)
{
	struct action all[64];
	struct nearest near = { .word = word };
	size_t n = actions_of(call->noun, call->kind, all, COUNT(all));

	for (size_t i = 0; i < n; i++)
		nearest_offer(&near, all[i].name);
	return usage_near(call, near.best, _("%s: unknown verb \"%s\""), call->noun, word);
}

/* The noun, then its verb, with options between them. */
static int find(struct reader *r)
{
	struct call *call = r->call;
	const char *word;
	int rc = leading(r);

	while (!rc && !call->noun && r->i < r->n) {
		word = r->words[r->i++];
		call->noun = noun_find(word, &call->kind);
		if (!call->noun)
			rc = find_own(r, word);
		if (!rc && !call->noun && !call->plugin)
			rc = leading(r);
	}
	if (rc || !call->noun)
		return rc;
	call->command = command_find(call->noun, "");
	if (call->command)
		return 0;
	rc = leading(r);
	if (rc || r->i >= r->n)
		return rc;
	word = r->words[r->i++];
	/* What is written by hand goes before an alias: storage ls is no list of storages. */
	call->command = command_find(call->noun, word);
	if (!call->command) {
		word = verb_alias(word);
		call->command = command_find(call->noun, word);
	}
	call->verb = call->kind ? sv_verb_find(call->kind, word) : NULL;
	if (!call->command && call->verb && (call->verb->flags & SV_HAND))
		call->verb = NULL;
	if (!call->command && !call->verb)
		return unknown_verb(call, word);
	call->action = call->command ? call->command->verb : call->verb->name;
	return 0;
}

/* Everything behind noun and verb. With an expectation, what is wrong is passed over. */
static int read_rest(struct reader *r)
{
	struct call *call = r->call;
	int rest = call->command && (call->command->flags & CMD_REST), rc = 0;

	while (!rc && r->i < r->n) {
		/* A program's words are not ours: all that follows the name is passed on. */
		if (rest && call->plain.n && !call->dashes && strcmp(r->words[r->i], "--") != 0)
			words_push(&call->after, r->words[r->i++]);
		else if (rest && call->plain.n && call->after.n)
			words_push(&call->after, r->words[r->i++]);
		else
			rc = take(r);
		if (r->expected)
			rc = 0;
	}
	return rc;
}

static void settings_free(struct reader *r)
{
	for (size_t i = 0; i < r->n_settings; i++)
		mem_free(r->settings[i].value);
	mem_free(r->settings);
}

int args_read(struct app *a, size_t n, char **words, struct call *call)
{
	struct reader r = {
		.call = call, .words = words, .n = n, .tables = { opts_global }, .n_tables = 1
	};
	int rc;

	*call = (struct call){ .app = a };
	rc = find(&r);
	body(call);
	tables(&r);
	if (!rc)
		rc = read_rest(&r);
	if (!rc && !opt_on(call, OPT_HELP))
		rc = args_apply(&r);
	settings_free(&r);
	return rc;
}

static enum expect expects(const struct call *call)
{
	int rest = call->command && (call->command->flags & CMD_REST);

	if (call->plugin)
		return EXPECT_PROGRAM;
	if (!call->noun)
		return EXPECT_NOUN;
	if (!call->command && !call->verb)
		return EXPECT_VERB;
	return rest && (call->after.n || call->dashes) ? EXPECT_PROGRAM : EXPECT_WORD;
}

void args_expect(struct app *a, size_t n, char **words, struct call *call, struct expected *ret)
{
	struct reader r = { .call = call,
		.words = words,
		.n = n,
		.tables = { opts_global },
		.n_tables = 1,
		.expected = ret };
	int rc;

	*call = (struct call){ .app = a };
	*ret = (struct expected){ .what = EXPECT_NOTHING };
	a->silent++;
	rc = find(&r);
	body(call);
	tables(&r);
	if (!rc)
		read_rest(&r);
	if (!rc && !ret->what)
		ret->what = expects(call);
	for (size_t i = 0; i < r.n_settings; i++)
		words_push(&ret->fields, r.settings[i].name);
	memcpy(ret->tables, r.tables, sizeof(ret->tables));
	ret->n_tables = r.n_tables;
	settings_free(&r);
	a->silent--;
}

void expected_free(struct expected *e)
{
	words_free(&e->fields);
}

void args_free(struct call *call)
{
	words_free(&call->plain);
	words_free(&call->after);
	words_free(&call->expanded);
	mem_free(call->plugin);
	call->plugin = NULL;
	for (int i = 0; i < OPT_COUNT; i++)
		words_free(&call->opt[i]);
	sv_free(call->in);
	call->in = NULL;
}
