/* SPDX-License-Identifier: MIT */
/* --skeleton: a body as YAML to fill in, from its rows. What is not required is commented out. */
#include <string.h>

#include "generic.h"
#include "out.h"

#define DEEP 3

static void members(
	const struct sv_kind *kind, int flag, size_t depth, int off, struct sink *out);

/* A value to begin with, on the line of its key. */
static const char *sample(const struct sv_field *f)
{
	static const char *const samples[] = { [SV_STR] = "\"\"",
		[SV_BOOL] = "false",
		[SV_INT] = "1",
		[SV_GIB] = "10",
		[SV_BYTES] = "1024",
		[SV_SECONDS] = "3600",
		[SV_NUM] = "5",
		[SV_TIME] = "2030-01-01T00:00:00Z",
		[SV_MONEY] = "1.00",
		[SV_STRS] = "[]",
		[SV_MAP] = "{}",
		[SV_JSON] = "{}" };

	if (f->example)
		return f->example;
	if (f->words && f->type == SV_STR)
		return f->words[0].word;
	if (f->ref && f->type == SV_STR)
		return f->ref;
	return f->type < COUNT(samples) && samples[f->type] ? samples[f->type] : "";
}

static void indent(struct sink *out, size_t depth, int off)
{
	sink_str(out, off ? "#" : "");
	sink_pad(out, depth * 2);
}

/* An update needs nothing; what it needs inside of an object, it needs there. */
static int required(const struct sv_field *f, int flag)
{
	return flag != SV_UPDATE && (f->flags & SV_REQUIRED);
}

static void comment(const struct sv_field *f, int flag, size_t depth, struct sink *out)
{
	sink_pad(out, depth * 2);
	sink_fmt(out, "# %s", _(f->help));
	for (const struct sv_word *w = f->words; w && w->word; w++)
		sink_fmt(out, "%s%s", w == f->words ? _(": ") : ", ", w->word);
	sink_str(out, required(f, flag) ? _(" (required)\n") : "\n");
}

static void row(const struct sv_field *f, int flag, size_t depth, int off, struct sink *out)
{
	off |= !required(f, flag);
	comment(f, flag, depth, out);
	indent(out, depth, off);
	sink_fmt(out, "%s:", f->name);
	if (f->type == SV_OBJ && depth < DEEP) {
		sink_chr(out, '\n');
		members(f->kind, 0, depth + 1, off, out);
	} else if (f->type == SV_LIST && depth < DEEP) {
		sink_chr(out, '\n');
		indent(out, depth, off);
		sink_str(out, "-\n");
		members(f->kind, 0, depth + 1, off, out);
	} else {
		sink_fmt(out, f->type == SV_STRS && f->example ? " [%s]\n" : " %s\n", sample(f));
	}
}

static void members(const struct sv_kind *kind, int flag, size_t depth, int off, struct sink *out)
{
	for (uint32_t i = 0; i < kind->n; i++)
		if (!flag || (kind->fields[i].flags & flag))
			row(&kind->fields[i], flag, depth, off, out);
}

int skeleton(struct call *call)
{
	struct sink *out = &call->app->out;

	if (!call->in_kind || !call->in_flag)
		return 0;
	sink_fmt(out, "# %s\n", _(call->in_kind->help));
	if (!strcmp(call->verb->name, "create"))
		sink_fmt(out, "kind: %s\n", call->kind->name);
	members(call->in_kind, call->in_flag, 0, 0, out);
	return 0;
}
