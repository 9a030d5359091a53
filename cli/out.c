/* SPDX-License-Identifier: MIT */
/* Which format, which columns. */
#include "out.h"

#include <string.h>

#include "errors.h"
#include "style.h"

static const struct out_format *const formats[] = { &out_csv, &out_id, &out_json, &out_jsonl,
	&out_name, &out_table, &out_tsv, &out_wide, &out_yaml };

const struct out_format *format_at(size_t i)
{
	return i < COUNT(formats) ? formats[i] : NULL;
}

static const struct out_format *format_named(const char *name)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static void default_columns(struct out *o)
{
	int flags = o->format == &out_wide ? SV_COL | SV_WIDE : SV_COL;
	int made = o->reveal && o->call->verb->method == SV_POST;

	for (uint32_t i = 0; i < o->kind->n; i++) {
		const struct sv_field *f = &o->kind->fields[i];

		if (!(f->flags & flags) && !o->upright && !(made && f->flags & SV_SECRET))
			continue;
		o->columns = mem_grow(o->columns, o->n_columns + 1, sizeof(*o->columns));
		o->columns[o->n_columns++] = (struct column){
			.name = mem_dup(f->name, strlen(f->name)), .way = { f }, .n = 1
		};
	}
}

static int column_add(struct out *o, const char *name)
{
	const char *near = NULL;
	struct column c;

	if (!column_find(o->kind, name, &c, &near))
		return usage_near(o->call, near, _("no such field: %s"), name);
	o->columns = mem_grow(o->columns, o->n_columns + 1, sizeof(*o->columns));
	o->columns[o->n_columns++] = c;
	return 0;
}

const char *out_named(const struct call *call, int *status)
{
	const char *name = opt_value(call, OPT_OUTPUT);
	const struct sv_config *config;

	if (!name)
		name = call->app->env.output;
	if (!name && (config = app_config(call->app, status)) != NULL)
		name = config->output;
	return name && *name ? name : out_table.name;
}

int out_is_text(const struct call *call)
{
	int status = 0;

	return !strcmp(out_named(call, &status), out_table.name) && !call->opt[OPT_COLUMNS].n &&
	       !opt_value(call, OPT_GET);
}

int out_known(const struct call *call, const char *name)
{
	struct nearest near = { .word = name };

	if (format_named(name))
		return 0;
	for (size_t i = 0; i < COUNT(formats); i++)
		nearest_offer(&near, formats[i]->name);
	return usage_near(call, near.best,
		_("-o %s: not one of table, wide, json, jsonl, yaml, csv, tsv, name, id"), name);
}

static int choose_format(struct out *o)
{
	int status = 0;
	const char *name;

	if (opt_value(o->call, OPT_GET)) {
		o->format = &out_get;
		return 0;
	}
	name = out_named(o->call, &status);
	if (status)
		return status;
	o->format = format_named(name);
	return out_known(o->call, name);
}

int out_mode(const struct out *o)
{
	return o->reveal ? SV_WALK_WIRE : SV_WALK_ALL;
}

/* The service shows a secret once, in the answer to the request that made it. */
static int shows_once(const struct call *call, const struct sv_kind *kind)
{
	return call->verb && (call->verb->method == SV_POST || call->verb->method == SV_PATCH) &&
	       kind == call->verb->out && sv_field_flagged(kind, SV_SECRET) != NULL;
}

static void reveal(struct out *o)
{
	for (size_t i = 0; o->reveal && i < o->n_columns; i++)
		column_reveal(&o->columns[i]);
}

int out_open(struct out *o, const struct call *call, const struct sv_kind *kind, int list)
{
	const struct words *columns = &call->opt[OPT_COLUMNS];
	const char *get = opt_value(call, OPT_GET);
	int rc;

	*o = (struct out){ .app = call->app,
		.call = call,
		.kind = kind,
		.list = list,
		.header = !opt_off(call, OPT_HEADER),
		.reveal = shows_once(call, kind) };
	rc = choose_format(o);
	if (rc)
		return rc;
	if (get)
		rc = column_add(o, get);
	for (size_t i = 0; !rc && !get && i < columns->n; i++)
		rc = column_add(o, columns->v[i]);
	reveal(o);
	if (rc || o->n_columns) {
		if (rc)
			out_drop(o);
		return rc;
	}
	o->upright = !list && o->format->columns &&
		     (o->format == &out_table || o->format == &out_wide) && call->verb &&
		     !strcmp(call->verb->name, "get");
	default_columns(o);
	reveal(o);
	return 0;
}

static int begin(struct out *o)
{
	if (o->begun)
		return 0;
	o->begun = 1;
	if (o->paged && o->format->columns)
		pager_begin(o->app);
	return o->format->begin ? o->format->begin(o) : 0;
}

int out_item(struct out *o, const void *obj)
{
	int rc = begin(o);

	o->count++;
	return rc ? rc : o->format->item(o, obj);
}

int out_close(struct out *o)
{
	int rc = 0;

	if (o->list || o->begun)
		rc = begin(o);
	if (!rc && o->begun && o->format->end)
		rc = o->format->end(o);
	o->begun = 0;
	out_drop(o);
	return rc;
}

void out_drop(struct out *o)
{
	if (o->state && o->format->drop)
		o->format->drop(o);
	o->state = NULL;
	for (size_t i = 0; i < o->n_columns; i++)
		column_free(&o->columns[i]);
	mem_free(o->columns);
	o->columns = NULL;
	o->n_columns = 0;
}
