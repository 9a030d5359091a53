/* SPDX-License-Identifier: MIT */
/* Fields as options: their names without units, nested ones with dots, and the short forms. */
#include <stdio.h>
#include <string.h>

#include "args.h"

static const struct short_form shorts[] = {
	{ "available", "min_free", "1", N_("only what is free now") },
	{ "idle", "auto_stop.idle.after_seconds", NULL, N_("stop when idle for so long") },
	{ "max-cost", "auto_stop.max_cost", NULL, N_("stop before compute costs more") },
	{ "max-runtime", "auto_stop.max_runtime_seconds", NULL, N_("stop after running so long") },
	{ "stop-at", "auto_stop.stop_at", NULL, N_("stop at this time") },
};

const struct short_form *short_form(size_t i)
{
	return i < COUNT(shorts) ? &shorts[i] : NULL;
}

void option_name(const struct sv_field *f, char *buf, size_t size)
{
	static const char *const units[] = { "_gib", "_bytes", "_seconds" };
	size_t len = strlen(f->name);

	for (size_t i = 0; !f->option && i < COUNT(units); i++)
		if (len > strlen(units[i]) && !strcmp(f->name + len - strlen(units[i]), units[i]))
			len -= strlen(units[i]);
	snprintf(buf, size, "%.*s", f->option ? (int)strlen(f->option) : (int)len,
		f->option ? f->option : f->name);
	for (char *p = buf; *p; p++)
		if (*p == '_')
			*p = '-';
}

int field_offered(const struct sv_field *f, int flag, int nested)
{
	if (f->flags & SV_NOARG)
		return 0;
	if (!flag && !strcmp(f->name, "limit"))
		return 0;
	return nested || !flag || (f->flags & flag);
}

static int named(const struct sv_field *f, const char *name)
{
	char buf[96];

	option_name(f, buf, sizeof(buf));
	return same_name(buf, name) || same_name(f->name, name);
}

static const struct sv_field *member(
	const struct sv_kind *kind, int flag, int nested, const char *name)
{
	for (uint32_t i = 0; kind && i < kind->n; i++)
		if (field_offered(&kind->fields[i], flag, nested) && named(&kind->fields[i], name))
			return &kind->fields[i];
	return NULL;
}

/* Follows a dotted name. 1 when it leads to a field. */
static int follow(const struct sv_kind *kind, int flag, const char *name, struct field_opt *ret)
{
	char part[96];

	ret->n = 0;
	while (kind && ret->n < COUNT(ret->way)) {
		size_t len = strcspn(name, ".");
		const struct sv_field *f;

		snprintf(part, sizeof(part), "%.*s", (int)len, name);
		f = member(kind, flag, ret->n > 0, part);
		if (!f)
			return 0;
		ret->way[ret->n++] = f;
		if (!name[len])
			return 1;
		if (f->type != SV_OBJ)
			return 0;
		name += len + 1;
		kind = f->kind;
	}
	return 0;
}

/* By its own name or a short form; before is what leads to the kind whose field is meant. */
static int find(const struct call *call, const char *before, const char *name,
	struct field_opt *ret)
{
	char path[160];

	snprintf(path, sizeof(path), "%s%s", before, name);
	if (follow(call->in_kind, call->in_flag, path, ret))
		return 1;
	for (size_t i = 0; i < COUNT(shorts); i++) {
		snprintf(path, sizeof(path), "%s%s", before, shorts[i].path);
		if (same_name(shorts[i].name, name) &&
			follow(call->in_kind, call->in_flag, path, ret)) {
			ret->fixed = shorts[i].fixed;
			return 1;
		}
	}
	return 0;
}

/* What a body does not have itself is its template's. */
int field_option(const struct call *call, const char *name, struct field_opt *ret)
{
	const struct sv_kind *of = call->in_kind;

	*ret = (struct field_opt){ 0 };
	if (!of || (!find(call, "", name, ret) && !find(call, "template.", name, ret)))
		return 0;
	if (ret->n > 1)
		of = ret->way[ret->n - 2]->kind;
	if (!strcmp(ret->way[ret->n - 1]->name, "gpu") && call->in_flag &&
		sv_field_find(of, "gpu_count"))
		ret->also = sv_field_find(of, "gpu_count");
	return 1;
}

void option_of_path(const struct sv_kind *kind, const char *path, char *buf, size_t size)
{
	struct text t = { 0 };
	char part[96], name[96];

	for (size_t i = 0; i < COUNT(shorts); i++)
		if (!strcmp(shorts[i].path, path) && !shorts[i].fixed) {
			snprintf(buf, size, "--%s", shorts[i].name);
			return;
		}
	text_str(&t, "--");
	while (*path) {
		size_t len = strcspn(path, ".[");
		const struct sv_field *f;

		snprintf(part, sizeof(part), "%.*s", (int)len, path);
		f = kind ? sv_field_find(kind, part) : NULL;
		if (f)
			option_name(f, name, sizeof(name));
		text_fmt(&t, "%s%s", t.n > 2 ? "." : "", f ? name : part);
		kind = f ? f->kind : NULL;
		path += len;
		path += strcspn(path, ".");
		path += *path == '.';
	}
	snprintf(buf, size, "%s", text_of(&t));
	text_free(&t);
}
