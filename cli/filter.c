/* SPDX-License-Identifier: MIT */
/* --filter: by equality the service looks where it can; the rest is looked at here. */
#include <stdio.h>
#include <string.h>

#include "errors.h"
#include "filter.h"
#include "generic.h"
#include "said.h"

enum compare { EQUAL, DIFFERENT, LESS, LESS_EQUAL, MORE, MORE_EQUAL };

/* --filter FIELD=VALUE that is looked at here. */
struct condition {
	struct column column;
	enum compare how;
	char *value;
	int64_t number; /* of columns that count */
	int counts;
};

/* The operator in "cost>=2"; what is before and after it. */
static const char *operator_at(const char *s, enum compare *how, size_t *len)
{
	const char *at = strpbrk(s, "=!<>");

	if (!at || at == s || (*at == '!' && at[1] != '='))
		return NULL;
	*len = at[1] == '=' && *at != '=' ? 2 : 1;
	*how = *at == '='   ? EQUAL
	       : *at == '!' ? DIFFERENT
	       : *at == '<' ? (*len == 2 ? LESS_EQUAL : LESS)
	       : *len == 2  ? MORE_EQUAL
			    : MORE;
	return at;
}

/* A value is read as the field itself would be, so that 40GiB and 7d mean what they say. */
static int condition_value(struct filters *fs, struct condition *c)
{
	const struct sv_field *f = column_field(&c->column);
	struct sv_kind alone = {
		.name = "alone", .fields = f, .n = 1, .size = (uint32_t)f->offset + 64
	};
	struct sv_error err = { 0 };
	struct text why = { 0 };
	void *x;
	int rc = 0;

	c->counts = column_counts(&c->column);
	if (!c->counts)
		return 0;
	x = sv_new(&alone);
	if (!x || sv_field_parse(x, x, f, c->value, &err))
		rc = usage_error(fs->call, _("--filter %s: %s"), c->column.name,
			said(err.message, &why));
	else
		c->number = *(int64_t *)(void *)((char *)x + f->offset);
	text_free(&why);
	sv_free(x);
	return rc;
}

/* What the query itself takes, by equality, the service filters. */
static int pushed(struct filters *fs, const char *field, enum compare how, const char *value)
{
	const struct sv_field *f;
	struct sv_error err = { 0 };
	char name[96];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(field, "."), field);
	f = fs->query && how == EQUAL ? sv_field_find(fs->query, name) : NULL;
	if (!f || !field_offered(f, 0, 0) || !*value || strchr(value, ','))
		return 0;
	if (field[strlen(name)] ? f->type != SV_MAP : f->type != SV_STRS || sv_field_has(f, fs->in))
		return 0;
	if (f->type == SV_STRS)
		return sv_field_parse(fs->in, fs->in, f, value, &err) == SV_OK;
	sv_map_set(fs->in, (struct sv_map *)(void *)((char *)fs->in + f->offset),
		field + strlen(name) + 1, value);
	sv_field_mark(f, fs->in);
	return 1;
}

/* A word that no such field ever holds finds nothing: most likely a slip. */
static int word_known(struct filters *fs, const struct sv_field *f, const char *word)
{
	struct nearest near = { .word = word };
	struct text all = { 0 };
	int rc;

	for (const struct sv_word *w = f->words; w && w->word; w++) {
		if (!strcmp(w->word, word)) {
			text_free(&all);
			return 0;
		}
		nearest_offer(&near, w->word);
		text_fmt(&all, " %s", w->word);
	}
	if (!f->words)
		return 0;
	rc = usage_near(fs->call, near.best, _("%s \"%s\": must be one of%s"), f->name, word,
		text_of(&all));
	text_free(&all);
	return rc;
}

int filter_words_known(struct filters *fs)
{
	const struct sv_kind *query = fs->query;
	int rc = 0;

	for (uint32_t i = 0; !rc && query && fs->in && i < query->n; i++) {
		const struct sv_field *f = &query->fields[i];
		const struct sv_strs *words =
			(const struct sv_strs *)(const void *)((const char *)fs->in + f->offset);

		for (size_t k = 0; !rc && f->type == SV_STRS && k < words->n; k++)
			rc = word_known(fs, f, words->v[k]);
	}
	for (size_t i = 0; !rc && i < fs->n; i++) {
		const struct condition *c = &fs->v[i];
		const struct sv_field *f = column_field(&c->column);

		if (f->type == SV_STR && (c->how == EQUAL || c->how == DIFFERENT))
			rc = word_known(fs, f, c->value);
	}
	return rc;
}

int filter_add(struct filters *fs, const char *text)
{
	enum compare how;
	size_t len;
	const char *at = operator_at(text, &how, &len), *near = NULL;
	struct condition *c;
	char *field;
	int rc = 0;

	if (!at)
		return usage_error(fs->call,
			_("--filter \"%s\": must be FIELD=VALUE; also != < <= > >="), text);
	field = mem_dup(text, (size_t)(at - text));
	if (!pushed(fs, field, how, at + len)) {
		fs->v =
			mem_grow(fs->v, fs->n + 1, sizeof(*fs->v));
		c = &fs->v[fs->n++];
		*c = (struct condition){ .how = how, .value = mem_dup(at + len, strlen(at + len)) };
		if (!column_find(fs->kind, field, &c->column, &near))
			rc = usage_near(fs->call, near, _("--filter: no such field: %s"), field);
		else
			rc = condition_value(fs, c);
	}
	mem_free(field);
	return rc;
}

static int order(const struct condition *c, const void *obj)
{
	struct text t = { 0 };
	int64_t n;
	int cmp;

	if (c->counts) {
		n = column_count(&c->column, obj);
		return n < c->number ? -1 : n > c->number;
	}
	column_text(&c->column, obj, &t);
	cmp = strcmp(text_of(&t), c->value);
	text_free(&t);
	return cmp;
}

int filter_holds(const struct filters *fs, const void *obj)
{
	for (size_t i = 0; i < fs->n; i++) {
		const struct condition *c = &fs->v[i];
		int cmp = order(c, obj);
		int ok = c->how == EQUAL        ? !cmp
			 : c->how == DIFFERENT  ? cmp != 0
			 : c->how == LESS       ? cmp < 0
			 : c->how == LESS_EQUAL ? cmp <= 0
			 : c->how == MORE       ? cmp > 0
						: cmp >= 0;

		/* What is not known is neither less nor more. */
		if (c->counts && c->how > DIFFERENT && column_count(&c->column, obj) == INT64_MIN)
			ok = 0;
		if (!ok)
			return 0;
	}
	return 1;
}

void filter_free(struct filters *fs)
{
	for (size_t i = 0; i < fs->n; i++) {
		column_free(&fs->v[i].column);
		mem_free(fs->v[i].value);
	}
	mem_free(fs->v);
}
