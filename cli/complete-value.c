/* SPDX-License-Identifier: MIT */
/* What an option, a field or a plain word may be. */
#include <ctype.h>
#include <string.h>

#include "complete.h"
#include "doc.h"
#include "generic.h"
#include "names.h"
#include "out.h"
#include "settings.h"

/* What comes before the last of these stays as it is. */
static void after_last(struct completion *c, char mark)
{
	const char *at = strrchr(c->part, mark);

	if (!at)
		return;
	text_add(&c->lead, c->part, (size_t)(at + 1 - c->part));
	c->part = at + 1;
}

static int listed(const char *commas, const char *word)
{
	struct words w = { 0 };
	int found;

	words_commas(&w, commas);
	found = words_has(&w, word);
	words_free(&w);
	return found;
}

/* A name that would be read as something else is offered as its id. */
static int odd(const char *name)
{
	return *name == '-' || !strncmp(name, "id:", 3) || !strncmp(name, "name:", 5) ||
	       blank(name);
}

static int twice(const struct names *all, size_t i)
{
	for (size_t k = 0; k < all->n; k++)
		if (k != i && !strcmp(all->v[k].name, all->v[i].name))
			return 1;
	return 0;
}

static void one_name(struct completion *c, const struct sv_kind *kind, const struct names *all,
	size_t i, const char *end)
{
	const struct name *n = &all->v[i];
	int by_id =
		kind->prefix && *c->part && !strncmp(c->part, kind->prefix, strlen(kind->prefix));
	const char *word = n->name;
	struct text t = { 0 }, help = { 0 };

	if (words_has(&c->call.plain, n->name) || words_has(&c->call.plain, n->id) ||
		(!by_id && strncmp(n->name, c->part, strlen(c->part)) != 0))
		return;
	if (by_id || odd(n->name) || twice(all, i))
		word = n->id;
	if (word == n->id && strcmp(n->id, n->name) != 0)
		text_fmt(&help, "%s: ", n->name);
	text_str(&help, n->help);
	text_fmt(&t, "%s%s", word, end);
	/* An id that stands for a name need not go on from what was typed of the name. */
	if (word == n->id && !by_id && *c->part)
		text_free(&t);
	else
		fits_offer(c, text_of(&t), text_of(&help), *end != '\0');
	text_free(&t);
	text_free(&help);
}

/* Those whose state allows the action, where they say; end is put after each. */
static void names(struct completion *c, const char *kind_name, const char *action, const char *end)
{
	const struct sv_kind *kind = sv_kind_find(kind_name);
	struct names all;

	c->named = 1;
	if (!kind)
		return;
	names_of(c->app, kind, &all);
	for (size_t i = 0; i < all.n; i++)
		if (!action || !strcmp(all.v[i].actions, "*") || listed(all.v[i].actions, action))
			one_name(c, kind, &all, i, end);
	names_free(&all);
}

static void vocabulary(struct completion *c, const struct sv_word *w)
{
	for (; w && w->word; w++)
		fits_offer(c, w->word, _(w->help), 0);
}

/* "real|stepped" */
static void alternatives(struct completion *c, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, "|");
		char *one = mem_dup(words, len);

		fits_offer(c, one, "", 0);
		mem_free(one);
		words += len + (words[len] == '|');
	}
}

/* "THING:PATH" or "PATH:THING". */
static void pair(struct completion *c, const struct sv_field *thing, const struct sv_field *path)
{
	const char *colon = *c->part == '/' ? strrchr(c->part, ':') : strchr(c->part, ':');
	int thing_first = *c->part != '/';

	if (!colon && thing_first) {
		names(c, thing->ref ? thing->ref : "", NULL, ":");
	} else if (colon) {
		text_add(&c->lead, c->part, (size_t)(colon + 1 - c->part));
		c->part = colon + 1;
		if (!thing_first)
			names(c, thing->ref ? thing->ref : "", NULL, "");
		else
			fits_offer(c, "/root/", _(path->help), 1);
	}
}

static void field(struct completion *c, const struct sv_field *f, const struct sv_field *also)
{
	const struct sv_field *thing, *path;

	if (f->type == SV_STRS)
		after_last(c, ',');
	if (f->type == SV_LIST && pair_of(f->kind, &thing, &path)) {
		pair(c, thing, path);
	} else if (also && strchr(c->part, ':')) {
		after_last(c, ':');
		alternatives(c, "1|2|4|8");
	} else if (f->words) {
		vocabulary(c, f->words);
	} else if (f->ref) {
		names(c, f->ref, NULL, "");
	} else if (f->type == SV_BOOL) {
		alternatives(c, "false|true");
	} else if (f->type == SV_STR && *c->part == '@') {
		c->ret->files = 1;
	}
}

void complete_field(struct completion *c, const struct field_opt *to)
{
	field(c, to->way[to->n - 1], to->also);
}

static const struct sv_kind *answer(const struct call *call)
{
	const struct sv_verb *v = call->verb;

	if (call->command && call->command->body_of)
		v = sv_verb_find(call->kind, call->command->body_of);
	return v && v->out ? v->out : call->kind;
}

/* Fields, nested ones once their dot was typed. */
static void columns(
	struct completion *c, const struct sv_kind *kind, const char *prefix, const char *end)
{
	for (uint32_t i = 0; kind && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		struct text t = { 0 };

		text_fmt(&t, "%s%s%s", prefix, f->name, f->type == SV_OBJ ? "." : end);
		if (f->type == SV_OBJ && !strncmp(c->part, t.s, t.n))
			columns(c, f->kind, t.s, end);
		else if (!(f->flags & SV_SECRET))
			fits_offer(c, t.s, _(f->help), f->type == SV_OBJ || *end);
		text_free(&t);
	}
}

static void row_columns(struct completion *c)
{
	after_last(c, ',');
	columns(c, answer(&c->call), "", "");
}

static void row_get(struct completion *c)
{
	columns(c, answer(&c->call), "", "");
}

static void row_sort(struct completion *c)
{
	after_last(c, ',');
	if (*c->part == '-') {
		text_chr(&c->lead, '-');
		c->part++;
	}
	columns(c, answer(&c->call), "", "");
}

static void row_filter(struct completion *c)
{
	const struct sv_kind *kind = answer(&c->call);
	const char *at = strpbrk(c->part, "=!<>");
	struct column column;
	char *name;

	if (!at) {
		columns(c, kind, "", "=");
		return;
	}
	name = mem_dup(c->part, (size_t)(at - c->part));
	at += strspn(at, "=!<>");
	text_add(&c->lead, c->part, (size_t)(at - c->part));
	c->part = at;
	if (kind && column_find(kind, name, &column, NULL)) {
		field(c, column_field(&column), NULL);
		column_free(&column);
	}
	mem_free(name);
}

static void row_format(struct completion *c)
{
	for (size_t i = 0; format_at(i); i++)
		fits_offer(c, format_at(i)->name, _(format_help(format_at(i)->name)), 0);
}

static void row_state(struct completion *c)
{
	const struct sv_field *f = c->call.kind ? sv_field_flagged(c->call.kind, SV_STATE) : NULL;

	if (f)
		vocabulary(c, f->words);
}

void complete_profiles(struct completion *c)
{
	struct words keys = { 0 };

	config_keys("profiles", &keys, NULL);
	for (size_t i = 0; i < keys.n; i++)
		fits_offer(c, keys.v[i], "", 0);
	if (!words_has(&keys, "local"))
		fits_offer(c, "local", "", 0);
	words_free(&keys);
}

static void row_endpoint(struct completion *c)
{
	fits_offer(c, "local:", _("the platform on this machine"), 0);
	fits_offer(c, "https://", "", 1);
	fits_offer(c, "unix:/", "", 1);
}

void complete_row(struct completion *c, const struct opt_row *row)
{
	static const struct {
		int id;
		void (*offer)(struct completion *c);
	} sources[] = { { OPT_COLUMNS, row_columns }, { OPT_ENDPOINT, row_endpoint },
		{ OPT_FILTER, row_filter }, { OPT_FOR, row_state }, { OPT_GET, row_get },
		{ OPT_OUTPUT, row_format }, { OPT_PROFILE, complete_profiles },
		{ OPT_SORT, row_sort } };

	for (size_t i = 0; i < COUNT(sources); i++)
		if (sources[i].id == row->id) {
			sources[i].offer(c);
			return;
		}
	/* A value in small letters is a vocabulary, and one of these is on this machine. */
	if (islower((unsigned char)*row->value))
		alternatives(c, row->value);
	else if (!strncmp(row->value, "FILE", 4) || !strcmp(row->value, "PATH") ||
		 !strcmp(row->value, "DIR"))
		c->ret->files = 1;
}

/* The i-th plain word of a body, as take_positionals() counts them. */
static void positional(struct completion *c, size_t i)
{
	const struct sv_kind *in = c->call.in_flag == SV_CREATE ? c->call.in_kind : NULL;
	const struct sv_field *thing, *path;
	int paired = pair_of(in, &thing, &path);

	for (uint32_t k = 0; in && k < in->n; k++) {
		const struct sv_field *f = &in->fields[k];

		if ((f->flags & (SV_POSITIONAL | SV_CREATE)) != (SV_POSITIONAL | SV_CREATE) ||
			(paired && f == path))
			continue;
		if (i--)
			continue;
		if (paired && f == thing)
			pair(c, thing, path);
		else
			field(c, f, NULL);
		return;
	}
}

static void plain_of_verb(struct completion *c)
{
	const struct call *call = &c->call;
	const struct sv_verb *v = call->verb;
	size_t n = call->plain.n;
	int target = strchr(v->path, '{') != NULL;

	if (target && (!n || !positionals(call)))
		names(c, call->kind->name, v->method == SV_GET ? NULL : v->name, "");
	else
		positional(c, n - (target ? 1 : 0));
}

/* "trainer:" for what is inside, or a file here. */
static void copied(struct completion *c)
{
	if (!strchr(c->part, ':') && *c->part != '/' && *c->part != '.')
		names(c, "instance", "exec", ":");
	c->ret->files = !strchr(c->part, ':');
}

/* "team:/", of the configuration's own storages and of the platform's. */
static void stored(struct completion *c)
{
	struct words keys = { 0 };

	config_keys("storages", &keys, NULL);
	for (size_t i = 0; i < keys.n; i++) {
		struct text t = { 0 };

		text_fmt(&t, "%s:/", keys.v[i]);
		fits_offer(c, t.s, "", 1);
		text_free(&t);
	}
	words_free(&keys);
	if (!strchr(c->part, ':') && *c->part != '/' && *c->part != '.')
		names(c, "storage", NULL, ":/");
}

static void stored_or_file(struct completion *c)
{
	stored(c);
	c->ret->files = !strchr(c->part, ':');
}

static void help_words(struct completion *c)
{
	const struct words *said = &c->call.plain;
	const char *name, *help;
	const struct sv_kind *kind;
	struct action all[64];
	size_t n;

	for (size_t i = 0; !said->n && (name = noun_at(i, NULL, &help)) != NULL; i++)
		fits_offer(c, name, _(help), 0);
	if (!said->n)
		alternatives(c, "environment|exit-codes|filters|formats");
	name = said->n == 1 ? noun_find(said->v[0], &kind) : NULL;
	n = name ? actions_of(name, kind, all, COUNT(all)) : 0;
	for (size_t i = 0; i < n; i++)
		fits_offer(c, all[i].name, _(all[i].help), 0);
}

static void config_words(struct completion *c)
{
	const struct sv_kind *kind = sv_kind_config();
	struct words keys = { 0 };

	alternatives(c, "current_profile|version");
	fits_offer(c, "aliases.", _("commands by a name of one's own"), 1);
	fits_offer(c, "defaults.", _("for every profile"), 1);
	config_keys("profiles", &keys, NULL);
	words_push(&keys, "local");
	for (size_t i = 0; i < keys.n + 1; i++) {
		struct text t = { 0 };

		text_fmt(&t, i < keys.n ? "profiles.%s." : "defaults.", keys.v[i < keys.n ? i : 0]);
		for (uint32_t k = 0; !strncmp(c->part, t.s, t.n) && k < kind->n; k++) {
			struct text one = { 0 };

			text_fmt(&one, "%s%s", t.s, kind->fields[k].name);
			if (!(kind->fields[k].flags & SV_SECRET))
				fits_offer(c, one.s, _(kind->fields[k].help), 0);
			text_free(&one);
		}
		if (i < keys.n && strncmp(c->part, t.s, t.n) != 0)
			fits_offer(c, t.s, "", 1);
		text_free(&t);
	}
	words_free(&keys);
}

/* Paths of the contract, as far as they are the same for all. */
static void paths(struct completion *c)
{
	for (size_t i = 0; sv_kinds(i); i++)
		for (const struct sv_verb *v = sv_kinds(i)->verbs; v && v->name; v++) {
			char *path = mem_dup(v->path, strcspn(v->path, "{"));

			fits_offer(c, path, strchr(v->path, '{') ? "" : _(v->help),
				strchr(v->path, '{') != NULL);
			mem_free(path);
		}
}

static void kinds(struct completion *c)
{
	for (size_t i = 0; sv_kinds(i); i++)
		fits_offer(c, sv_kinds(i)->name, _(sv_kinds(i)->help), 0);
}

/* Of the kind that was said before them. */
static void names_of_said(struct completion *c)
{
	const struct sv_kind *kind = NULL;

	if (noun_find(c->call.plain.v[0], &kind) && kind)
		names(c, kind->name, NULL, "");
}

void complete_plain(struct completion *c)
{
	static const struct {
		const char *name;
		void (*offer)(struct completion *c);
	} sources[] = { { "API-PATH", paths }, { "COPY", copied }, { "HELP", help_words },
		{ "KEY", config_words }, { "KIND", kinds }, { "NAMES", names_of_said },
		{ "OBJECT", stored }, { "OBJECT-OR-FILE", stored_or_file },
		{ "PROFILE", complete_profiles } };
	const struct command *k = c->call.command;
	const char *spec = k ? k->plain : NULL, *slash;
	char *one;
	size_t i = 0;

	if (!k) {
		plain_of_verb(c);
		return;
	}
	if (!spec) {
		if (!(k->flags & CMD_NOTARGET))
			names(c, k->noun, sv_verb_find(c->call.kind, k->verb) ? k->verb : NULL, "");
		else
			positional(c, c->call.plain.n);
		return;
	}
	for (size_t n = c->call.plain.n; n && strchr(spec, ' '); n--)
		spec = strchr(spec, ' ') + 1;
	one = mem_dup(spec, strcspn(spec, " "));
	slash = strchr(one, '/');
	while (i < COUNT(sources) && strcmp(sources[i].name, one) != 0)
		i++;
	if (i < COUNT(sources)) {
		sources[i].offer(c);
	} else if (slash) {
		one[slash - one] = '\0';
		names(c, one, slash + 1, "");
	} else if (strcmp(one, ".") != 0) {
		alternatives(c, one);
	}
	mem_free(one);
}
