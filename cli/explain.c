/* SPDX-License-Identifier: MIT */
/* explain: what the rows say of a resource and of one field, wherever it stands. */
#include <stdio.h>
#include <string.h>

#include "body.h"
#include "command.h"
#include "doc.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "style.h"

struct explained {
	struct sv_set set;
	const char *name, *type, *help, *refers_to, *example;
	struct sv_strs words, options;
	int required, secret;
};

#define ROW(m, t, hlp, ...) \
	{ .name = #m, .help = hlp, .offset = offsetof(struct explained, m), .type = t, \
		.flags = __VA_ARGS__ }

static const struct sv_field fields[] = {
	ROW(name, SV_STR, N_("field"), SV_ALWAYS | SV_COL | SV_NAME | SV_ID),
	ROW(type, SV_STR, N_("what it holds"), SV_ALWAYS | SV_COL),
	ROW(help, SV_STR, N_("what it means"), SV_ALWAYS | SV_COL),
	ROW(refers_to, SV_STR, N_("resource that it names"), SV_ALWAYS | SV_WIDE),
	ROW(words, SV_STRS, N_("the only words it takes"), SV_ALWAYS | SV_WIDE),
	ROW(options, SV_STRS, N_("verbs that take it, and how"), SV_ALWAYS | SV_WIDE),
	ROW(example, SV_STR, N_("a value"), SV_ALWAYS),
	ROW(required, SV_BOOL, N_("create cannot do without it"), SV_ALWAYS),
	ROW(secret, SV_BOOL, N_("it is shown once, or never"), SV_ALWAYS),
};
static const struct sv_kind explained_kind = { .name = "field", .help = N_("a field of a resource"),
	.fields = fields, .n = COUNT(fields), .size = sizeof(struct explained) };

static const char *type_of(const struct sv_field *f)
{
	static const char *const types[] = { [SV_STR] = N_("text"),
		[SV_BOOL] = N_("true or false"),
		[SV_INT] = N_("integer"),
		[SV_GIB] = N_("size in GiB"),
		[SV_BYTES] = N_("size in bytes"),
		[SV_SECONDS] = N_("duration in seconds"),
		[SV_NUM] = N_("number"),
		[SV_TIME] = N_("time, RFC 3339"),
		[SV_MONEY] = N_("money, a decimal string in yuan"),
		[SV_STRS] = N_("list of texts"),
		[SV_OBJ] = N_("object"),
		[SV_LIST] = N_("list of objects"),
		[SV_MAP] = N_("map of texts"),
		[SV_JSON] = N_("any JSON") };

	return f->type < COUNT(types) && types[f->type] ? _(types[f->type]) : "";
}

/* "create --size" for every verb whose body or query has the field. */
static void taken_by(const struct sv_kind *kind, const char *path, struct explained *x)
{
	char part[96], option[128];

	snprintf(part, sizeof(part), "%.*s", (int)strcspn(path, "."), path);
	for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
		const struct sv_kind *in = v->method == SV_GET ? v->query : v->in;
		const struct sv_field *f = in ? sv_field_find(in, part) : NULL;
		int flag = v->method == SV_GET		? 0
			   : (v->flags & SV_MASKED) ? SV_UPDATE
						    : SV_CREATE;
		struct text t = { 0 };

		if (!f || !field_offered(f, flag, 0))
			continue;
		option_of_path(in, path, option, sizeof(option));
		text_fmt(&t, "%s %s", v->name, option);
		for (char *p = t.s; *p; p++)
			*p = *p == '_' ? '-' : *p;
		sv_strs_add(x, &x->options, text_of(&t));
		text_free(&t);
	}
}

static void mark(struct explained *x)
{
	for (size_t i = 0; i < COUNT(fields); i++)
		sv_field_mark(&fields[i], x);
	if (!x->refers_to)
		sv_field_mark_null(sv_field_find(&explained_kind, "refers_to"), x);
	if (!x->example)
		sv_field_mark_null(sv_field_find(&explained_kind, "example"), x);
}

static struct explained *explained(
	const struct sv_kind *top, const struct sv_field *f, const char *path)
{
	struct explained *x = sv_new(&explained_kind);
	const struct sv_kind *in = body_kind(top);
	const struct sv_field *created = in ? sv_field_find(in, path) : NULL;

	x->name = sv_strdup_in(x, path);
	x->type = type_of(f);
	x->help = _(f->help);
	x->refers_to = f->ref;
	x->example = f->example;
	x->required = created && (created->flags & SV_REQUIRED);
	x->secret = (f->flags & SV_SECRET) != 0;
	for (const struct sv_word *w = f->words; w && w->word; w++)
		sv_strs_add(x, &x->words, w->word);
	taken_by(top, path, x);
	mark(x);
	return x;
}

static int row(struct out *o, const struct sv_kind *top, const struct sv_field *f,
	const char *before)
{
	struct text path = { 0 };
	struct explained *x;
	int rc;

	text_fmt(&path, "%s%s", before, f->name);
	x = explained(top, f, text_of(&path));
	rc = out_item(o, x);
	sv_free(x);
	text_free(&path);
	return rc;
}

/* The fields of a kind, then what only its create body has. */
static int list(struct call *call, const struct sv_kind *top, const struct sv_kind *kind,
	const char *before)
{
	const struct sv_kind *in = kind == top ? body_kind(top) : NULL;
	struct out o;
	int rc = out_open(&o, call, &explained_kind, 1);

	o.paged = 1;
	for (uint32_t i = 0; !rc && i < kind->n; i++)
		rc = row(&o, top, &kind->fields[i], before);
	for (uint32_t i = 0; !rc && in && i < in->n; i++)
		if (!sv_field_find(kind, in->fields[i].name))
			rc = row(&o, top, &in->fields[i], before);
	if (!rc)
		return out_close(&o);
	out_drop(&o);
	return rc;
}

/* One field for people: every word with what it means. */
static void tell(struct call *call, const struct sv_field *f, const struct explained *x)
{
	struct doc d = { .ops = &doc_text, .out = &call->app->out, .brief = 1 };
	struct text t = { 0 };

	sink_fmt(d.out, "%s: %s\n", call->plain.v[0], x->help);
	d.ops->section(&d, _("Holds"));
	text_fmt(&t, "%s%s%s%s%s", x->type, x->refers_to ? _(", names one of: ") : "",
		x->refers_to ? x->refers_to : "", x->required ? _("; create needs it") : "",
		x->secret ? _("; secret") : "");
	sink_fmt(d.out, "  %s\n", text_of(&t));
	if (x->example)
		sink_fmt(d.out, _("  such as %s\n"), x->example);
	text_free(&t);
	if (x->options.n)
		d.ops->section(&d, _("Taken by"));
	for (size_t i = 0; i < x->options.n; i++)
		sink_fmt(d.out, "  %s\n", x->options.v[i]);
	if (f->words)
		d.ops->section(&d, _("Words"));
	d.ops->items(&d, 1);
	for (const struct sv_word *w = f->words; w && w->word; w++)
		d.ops->item(&d, w->word, _(w->help));
	d.ops->items(&d, 0);
}

static int one(struct call *call, const struct sv_kind *top, const struct sv_field *f,
	const char *path)
{
	struct explained *x = explained(top, f, path);
	struct out o;
	int rc = 0;

	if (out_is_text(call)) {
		tell(call, f, x);
	} else {
		rc = out_open(&o, call, &explained_kind, 0);
		rc = rc ? rc : out_item(&o, x);
		rc = rc ? rc : out_close(&o);
	}
	sv_free(x);
	return rc;
}

/* Where a path leads, in the answer or else in the create body. 0 when it leads nowhere. */
static int follow(const struct sv_kind *kind, const char *path, struct column *ret,
	const char **near)
{
	const struct sv_kind *in = body_kind(kind);

	return column_find(kind, path, ret, near) || (in && column_find(in, path, ret, NULL));
}

int cmd_explain(struct call *call)
{
	const struct sv_kind *kind = NULL;
	const char *word = call->plain.n ? call->plain.v[0] : "", *near = NULL, *path;
	const struct sv_field *f;
	struct text before = { 0 };
	struct column c;
	char noun[64];
	int rc;

	if (call->plain.n != 1)
		return usage_error(call, _("explain what? such as instance, or instance.status"));
	snprintf(noun, sizeof(noun), "%.*s", (int)strcspn(word, "."), word);
	if (!noun_find(noun, &kind) || !kind) {
		struct nearest n = { .word = noun };

		for (size_t i = 0; sv_kinds(i); i++)
			nearest_offer(&n, sv_kinds(i)->name);
		return usage_near(call, n.best, _("no such resource: %s"), noun);
	}
	path = word + strlen(noun);
	if (!*path)
		return list(call, kind, kind, "");
	if (!follow(kind, ++path, &c, &near))
		return usage_near(call, near, _("%s has no field %s"), kind->name, path);
	f = column_field(&c);
	text_fmt(&before, "%s.", path);
	rc = f->type == SV_OBJ || f->type == SV_LIST ? list(call, kind, f->kind, text_of(&before))
						     : one(call, kind, f, path);
	text_free(&before);
	column_free(&c);
	return rc;
}
