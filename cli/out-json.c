/* SPDX-License-Identifier: MIT */
/* JSON, streamed: an array is open until the last page is in. The library writes each object;
 * numbers are the wire's. */
#include <errno.h>
#include <string.h>
#include <unistr.h>

#include "out.h"

#define INDENT 2

void json_string(struct text *t, const char *s)
{
	size_t len = strlen(s);
	ucs4_t uc;

	text_chr(t, '"');
	for (size_t i = 0; i < len;) {
		int n = u8_mbtoucr(&uc, (const uint8_t *)s + i, len - i);

		if (n <= 0) {
			text_str(t, "\\ufffd");
			n = 1;
		} else if (uc == '"' || uc == '\\') {
			text_fmt(t, "\\%c", (char)uc);
		} else if (uc == '\n') {
			text_str(t, "\\n");
		} else if (uc < 0x20 || (uc >= 0x7f && uc < 0xa0)) {
			text_fmt(t, "\\u%04x", (unsigned)uc);
		} else {
			text_add(t, s + i, (size_t)n);
		}
		i += (size_t)n;
	}
	text_chr(t, '"');
}

/* Valid JSON with its lines moved to the right, and what a terminal would obey written as escapes:
 * DEL and the controls from U+0080 to U+009F, which only stand in strings. */
static void emit(struct sink *out, const char *s, int depth)
{
	for (size_t n; *s; s += n) {
		const unsigned char *u;

		n = strcspn(s, "\n\x7f\xc2");
		sink_add(out, s, n);
		u = (const unsigned char *)s + n;
		if (*u == '\n') {
			sink_chr(out, '\n');
			sink_pad(out, (size_t)(depth * INDENT));
		} else if (*u == 0x7f) {
			sink_str(out, "\\u007f");
		} else if (*u == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0) {
			sink_fmt(out, "\\u%04x", u[1]);
			n++;
		} else if (*u) {
			sink_chr(out, (char)*u);
		}
		n += *u != '\0';
	}
}

void json_object(struct app *a, const struct sv_kind *kind, const void *obj, int mode, int indent,
	int depth)
{
	char *text = NULL;

	if (sv_to_json(kind, obj, mode, indent, &text) == SV_OK)
		emit(&a->out, text, depth);
	else
		a->out.error = a->out.error ? a->out.error : ENOMEM;
	sv_free_text(text);
}

/* With --columns an object holds these fields alone, under the names they were asked by. */
static void chosen(struct out *o, const void *obj, int indent, int depth)
{
	struct text t = { 0 };

	text_chr(&t, '{');
	for (size_t i = 0; i < o->n_columns; i++) {
		text_str(&t, i ? "," : "");
		if (indent)
			text_fmt(&t, "\n%*s", INDENT, "");
		json_string(&t, o->columns[i].name);
		text_str(&t, indent ? ": " : ":");
		column_json(&o->columns[i], obj, &t);
	}
	text_str(&t, indent ? "\n}" : "}");
	emit(&o->app->out, text_of(&t), depth);
	text_free(&t);
}

static void one(struct out *o, const void *obj, int indent, int depth)
{
	if (o->call->opt[OPT_COLUMNS].n)
		chosen(o, obj, indent, depth);
	else
		json_object(o->app, o->kind, obj, out_mode(o), indent, depth);
}

static int json_begin(struct out *o)
{
	sink_str(&o->app->out, o->list ? "[" : "");
	return 0;
}

static int json_item(struct out *o, const void *obj)
{
	struct sink *out = &o->app->out;

	if (o->list) {
		sink_str(out, o->count > 1 ? ",\n" : "\n");
		sink_pad(out, INDENT);
	}
	one(o, obj, INDENT, o->list);
	return 0;
}

static int json_end(struct out *o)
{
	sink_str(&o->app->out, !o->list ? "\n" : o->count ? "\n]\n" : "]\n");
	return 0;
}

static int jsonl_item(struct out *o, const void *obj)
{
	one(o, obj, 0, 0);
	sink_chr(&o->app->out, '\n');
	return 0;
}

const struct out_format out_json = { "json", json_begin, json_item, json_end, 0 };
const struct out_format out_jsonl = { "jsonl", NULL, jsonl_item, NULL, 0 };
