/* SPDX-License-Identifier: MIT */
/* svctl __texts: the translatable texts that stand in tables and not in calls, as a template of
 * gettext's has them. Repetitions are msguniq's affair. */
#include <stdio.h>
#include <string.h>

#include <starverse/bucket.h>

#include "doc.h"
#include "out.h"

static void tell_in(struct sink *out, const char *context, const char *s)
{
	if (!s || !*s)
		return;
	if (context)
		sink_fmt(out, "msgctxt \"%s\"\n", context);
	sink_str(out, "msgid \"");
	for (; *s; s++) {
		if (*s == '\n') {
			sink_str(out, "\\n");
			continue;
		}
		if (*s == '"' || *s == '\\')
			sink_chr(out, '\\');
		sink_chr(out, *s);
	}
	sink_str(out, "\"\nmsgstr \"\"\n\n");
}

static void tell(struct sink *out, const char *s)
{
	tell_in(out, NULL, s);
}

static void field(struct sink *out, const struct sv_field *f)
{
	struct text title = { 0 };

	out_title(f, f->name, &title);
	tell(out, text_of(&title));
	text_free(&title);
	tell(out, f->help);
	for (const struct sv_word *w = f->words; w && w->word; w++)
		tell(out, w->help);
}

/* Rows may nest, but not without end: a kind does not hold itself. */
static void kind(struct sink *out, const struct sv_kind *k)
{
	if (!k)
		return;
	tell(out, k->help);
	for (uint32_t i = 0; i < k->n; i++) {
		field(out, &k->fields[i]);
		kind(out, k->fields[i].kind);
	}
}

/* What stands in messages: the nouns, and a phrase for each failure. */
static void failures(struct sink *out)
{
	for (size_t i = 0; sv_kinds(i); i++)
		tell_in(out, "message", sv_kinds(i)->name);
	for (size_t i = 0; sv_error_rows(i); i++)
		tell_in(out, "message", sv_error_rows(i)->text);
}

int cmd_texts(struct call *call)
{
	struct sink *out = &call->app->out;
	const char *noun;

	sink_str(out, "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n");
	for (size_t i = 0; sv_kinds(i); i++) {
		kind(out, sv_kinds(i));
		for (const struct sv_verb *v = sv_kinds(i)->verbs; v && v->name; v++) {
			tell(out, v->help);
			kind(out, v->query);
			kind(out, v->in);
			kind(out, v->out == sv_kinds(i) ? NULL : v->out);
		}
	}
	kind(out, sv_kind_bucket_object());
	failures(out);
	for (size_t i = 0; (noun = noun_at(i, NULL, NULL)) != NULL; i++)
		tell(out, prose_of(noun));
	return 0;
}
