/* SPDX-License-Identifier: MIT */
/* Kinds as JSON Schema. Answers may grow words and members, so their vocabularies are said, not
 * closed; bodies' are. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/openapi.h"

#define N_SCHEMAS 200

struct schema {
	const struct sv_kind *kind;
	int form;
};

struct schemas {
	struct schema v[N_SCHEMAS];
	size_t n;
};

void sv_openapi_line(struct sv_buf *b, int depth, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sv_buf_fmt(b, "%*s%s\n", depth * 2, "", text);
}

void sv_openapi_text(struct sv_buf *b, int depth, const char *key, const char *text)
{
	sv_buf_fmt(b, "%*s%s: ", depth * 2, "", key);
	sv_buf_json(b, text, strlen(text));
	sv_buf_chr(b, '\n');
}

const char *sv_openapi_name(const struct sv_kind *kind, int form, char *buf, size_t size)
{
	size_t n = 0;
	int up = 1;

	for (const char *s = kind->name; *s && n + 8 < size; s++)
		if (*s == '_')
			up = 1;
		else {
			buf[n++] = up && *s >= 'a' && *s <= 'z' ? (char)(*s - 'a' + 'A') : *s;
			up = 0;
		}
	buf[n] = '\0';
	/* A resource is sent, too, where it is its own body. */
	if (kind->verbs && form != SV_SCHEMA_ANSWER)
		snprintf(buf + n, size - n, form == SV_SCHEMA_UPDATE ? "Update" : "Create");
	return buf;
}

static int is_collection(const struct sv_field *f)
{
	return f->type == SV_STRS || f->type == SV_LIST || f->type == SV_MAP;
}

/* What may be null: in answers what is not known, in bodies what is not given or cleared. */
static int may_be_null(const struct sv_field *f, int form)
{
	if (form == SV_SCHEMA_QUERY || f->flags & (SV_ID | SV_REQUIRED) || f->type == SV_BOOL ||
		f->type == SV_JSON)
		return 0;
	return form == SV_SCHEMA_ANSWER ? !is_collection(f) : 1;
}

static void type(struct sv_buf *b, int depth, const char *name, int null)
{
	sv_openapi_line(b, depth, null ? "type: [%s, 'null']" : "type: %s", name);
}

static void integer(struct sv_buf *b, int depth, const struct sv_field *f, int null)
{
	type(b, depth, "integer", null);
	sv_openapi_line(b, depth, "format: int64");
	if (!(f->flags & SV_SIGNED))
		sv_openapi_line(b, depth, "minimum: 0");
	sv_openapi_line(b, depth, "maximum: %lld", (long long)SV_MAX_EXACT);
}

static void words(struct sv_buf *b, int depth, const struct sv_field *f, int form, int null)
{
	if (!f->words)
		return;
	sv_openapi_line(b, depth, form == SV_SCHEMA_ANSWER ? "x-words:" : "enum:");
	for (const struct sv_word *w = f->words; w->word; w++)
		if (form == SV_SCHEMA_ANSWER)
			sv_openapi_text(b, depth + 1, w->word, w->help);
		else
			sv_openapi_line(b, depth + 1, "- %s", w->word);
	if (null && form != SV_SCHEMA_ANSWER)
		sv_openapi_line(b, depth + 1, "- null");
	if (!(f->flags & SV_STATE))
		return;
	sv_openapi_line(b, depth, "x-settled:");
	for (const struct sv_word *w = f->words; w->word; w++)
		if (w->settled)
			sv_openapi_line(b, depth + 1, "- %s", w->word);
}

static void reference(struct sv_buf *b, int depth, const struct sv_field *f, int null)
{
	char name[80];

	sv_openapi_name(f->kind, SV_SCHEMA_ANSWER, name, sizeof(name));
	if (!null) {
		sv_openapi_line(b, depth, "$ref: '#/components/schemas/%s'", name);
		return;
	}
	sv_openapi_line(b, depth, "oneOf:");
	sv_openapi_line(b, depth + 1, "- $ref: '#/components/schemas/%s'", name);
	sv_openapi_line(b, depth + 1, "- type: 'null'");
}

static void string(struct sv_buf *b, int depth, const struct sv_field *f, int form, int null)
{
	type(b, depth, "string", null);
	words(b, depth, f, form, null);
	if (f->flags & SV_SECRET)
		sv_openapi_line(b, depth, "format: password");
	if (f->ref)
		sv_openapi_line(b, depth, "x-kind: %s", f->ref);
}

static void array(struct sv_buf *b, int depth, const struct sv_field *f, int form, int null)
{
	type(b, depth, "array", null);
	sv_openapi_line(b, depth, "items:");
	if (f->type == SV_LIST)
		reference(b, depth + 1, f, 0);
	else
		string(b, depth + 1, f, form, 0);
}

void sv_openapi_type(struct sv_buf *b, int depth, const struct sv_field *f, int form)
{
	int null = may_be_null(f, form);

	switch ((enum sv_type)f->type) {
	case SV_STR: string(b, depth, f, form, null); break;
	case SV_BOOL: type(b, depth, "boolean", null); break;
	case SV_INT:
	case SV_GIB:
	case SV_BYTES:
	case SV_SECONDS: integer(b, depth, f, null); break;
	case SV_NUM: type(b, depth, "number", null); break;
	case SV_TIME:
		type(b, depth, "string", null);
		sv_openapi_line(b, depth, "format: date-time");
		break;
	case SV_PERCENT:
	case SV_MONEY:
		type(b, depth, "string", null);
		sv_openapi_line(b, depth, "pattern: '^%s[0-9]+([.][0-9]{1,6})?$'",
			f->flags & SV_SIGNED ? "-?" : "");
		break;
	case SV_STRS:
	case SV_LIST: array(b, depth, f, form, null); break;
	case SV_MAP:
		type(b, depth, "object", null);
		sv_openapi_line(b, depth, "additionalProperties:");
		type(b, depth + 1, "string", 0);
		break;
	case SV_OBJ: reference(b, depth, f, null); break;
	case SV_JSON: sv_openapi_line(b, depth, "x-any: true"); break;
	}
}

/* Of what is settled well, if such a word there is. */
static const char *best_word(const struct sv_word *words)
{
	const struct sv_word *best = words;

	for (const struct sv_word *w = words; w->word; w++)
		if (w->settled > best->settled ||
			(w->settled == best->settled && w->mood == SV_GOOD &&
				best->mood != SV_GOOD))
			best = w;
	return best->word;
}

/* Where the row has none, one that an answer could have: a mock is made of them. */
static void any_example(struct sv_buf *b, int depth, const struct sv_field *f, int form)
{
	if (f->type == SV_STR && f->words && form == SV_SCHEMA_ANSWER)
		sv_openapi_line(b, depth, "examples: [\"%s\"]", best_word(f->words));
	else if (f->type == SV_MONEY || f->type == SV_PERCENT)
		sv_openapi_line(b, depth, "examples: [\"0.500000\"]");
}

/* Only what is written on the wire as it is typed. */
static void example(struct sv_buf *b, int depth, const struct sv_field *f, int form)
{
	int64_t v;

	if (!f->example) {
		any_example(b, depth, f, form);
		return;
	}
	if ((f->type == SV_INT || f->type == SV_GIB) && sv_parse_int(f->example, &v) == SV_OK)
		sv_openapi_line(b, depth, "examples: [%lld]", (long long)v);
	if (f->type != SV_STR && f->type != SV_MONEY && f->type != SV_PERCENT)
		return;
	sv_buf_fmt(b, "%*sexamples: [", depth * 2, "");
	sv_buf_json(b, f->example, strlen(f->example));
	sv_buf_str(b, "]\n");
}

static int shown(const struct sv_kind *kind, const struct sv_field *f, int form)
{
	if (form == SV_SCHEMA_ANSWER || !kind->verbs)
		return 1;
	return f->flags & (form == SV_SCHEMA_UPDATE ? SV_UPDATE : SV_CREATE);
}

static int is_required(const struct sv_field *f, int form)
{
	return form == SV_SCHEMA_ANSWER ? f->flags & SV_ALWAYS
					: form == SV_SCHEMA_CREATE && f->flags & SV_REQUIRED;
}

static void required(struct sv_buf *b, int depth, const struct sv_kind *kind, int form)
{
	int any = 0;

	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!shown(kind, f, form) || !is_required(f, form))
			continue;
		if (!any++)
			sv_openapi_line(b, depth, "required:");
		sv_openapi_line(b, depth + 1, "- %s", f->name);
	}
}

static void schema(struct sv_buf *b, int depth, const struct sv_kind *kind, int form)
{
	char name[80];

	sv_openapi_line(b, depth, "%s:", sv_openapi_name(kind, form, name, sizeof(name)));
	depth++;
	sv_openapi_text(b, depth, "description", kind->help);
	sv_openapi_line(b, depth, "type: object");
	required(b, depth, kind, form);
	if (form != SV_SCHEMA_ANSWER)
		sv_openapi_line(b, depth, "additionalProperties: false");
	sv_openapi_line(b, depth, "properties:");
	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!shown(kind, f, form))
			continue;
		sv_openapi_line(b, depth + 1, "%s:", f->name);
		sv_openapi_text(b, depth + 2, "description", f->help);
		sv_openapi_type(b, depth + 2, f, form);
		example(b, depth + 2, f, form);
	}
}

/* Parts have one schema wherever they stand: that of answers where answers have them, else of
 * bodies. */
static int part_form(const struct sv_kind *kind, int form)
{
	for (uint32_t i = 0; !kind->verbs && i < kind->n; i++)
		if (kind->fields[i].flags & SV_ALWAYS)
			return SV_SCHEMA_ANSWER;
	return kind->verbs ? form : SV_SCHEMA_CREATE;
}

static void reach(struct schemas *s, const struct sv_kind *kind, int form)
{
	if (!kind)
		return;
	form = part_form(kind, form);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].kind == kind && s->v[i].form == form)
			return;
	if (s->n == N_SCHEMAS)
		return;
	s->v[s->n++] = (struct schema){ kind, form };
	for (uint32_t i = 0; i < kind->n; i++)
		reach(s, kind->fields[i].kind, SV_SCHEMA_ANSWER);
}

/* By name, so that the document does not move when a verb does. */
static void sort(struct schemas *s)
{
	char a[80], c[80];

	for (size_t i = 1; i < s->n; i++)
		for (size_t j = i; j > 0; j--) {
			struct schema t = s->v[j];

			sv_openapi_name(t.kind, t.form, a, sizeof(a));
			sv_openapi_name(s->v[j - 1].kind, s->v[j - 1].form, c, sizeof(c));
			if (strcmp(c, a) <= 0)
				break;
			s->v[j] = s->v[j - 1];
			s->v[j - 1] = t;
		}
}

void sv_openapi_schemas(struct sv_buf *b, int depth)
{
	struct schemas s = { .n = 0 };
	const struct sv_kind *k;

	for (size_t i = 0; (k = sv_kinds(i)); i++)
		for (const struct sv_verb *v = k->verbs; v && v->name; v++) {
			reach(&s, v->in,
				v->flags & SV_MASKED ? SV_SCHEMA_UPDATE : SV_SCHEMA_CREATE);
			reach(&s, v->out, SV_SCHEMA_ANSWER);
		}
	reach(&s, sv_problem_kind(), SV_SCHEMA_ANSWER);
	sort(&s);
	for (size_t i = 0; i < s.n; i++)
		schema(b, depth, s.v[i].kind, s.v[i].form);
}
