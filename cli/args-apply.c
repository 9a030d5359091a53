/* SPDX-License-Identifier: MIT */
/* The fields that options name are set, over what --file holds. */
#include <stdio.h>
#include <string.h>

#include "args-reader.h"
#include "command.h"
#include "errors.h"
#include "said.h"

/* Where the field lies; objects on the way are made. NULL when out of memory. */
static void *reach(void *root, const struct field_opt *to)
{
	void *at = root;

	for (size_t i = 0; at && i + 1 < to->n; i++) {
		const struct sv_field *f = to->way[i];
		void **member = (void **)(void *)((char *)at + f->offset);

		if (!*member)
			*member = sv_new_in(root, f->kind);
		sv_field_mark(f, at);
		at = *member;
	}
	return at;
}

/* "@file" and "-" where a value may be long. */
static int large(
	const struct reader *r, const struct sv_field *f, const char **value, struct text *hold)
{
	int rc;

	if (f->ref || f->words || (f->type != SV_STR && f->type != SV_JSON && f->type != SV_OBJ) ||
		(f->flags & SV_NAME) || (**value != '@' && strcmp(*value, "-") != 0))
		return 0;
	rc = read_whole(r->call->app, **value == '@' ? *value + 1 : "-", hold);
	while (hold->n && (hold->s[hold->n - 1] == '\n' || hold->s[hold->n - 1] == '\r'))
		hold->s[--hold->n] = '\0';
	*value = text_of(hold);
	return rc;
}

/* What a value is refused for. */
static int refused(const struct reader *r, const char *name, const struct sv_error *err)
{
	struct text why = { 0 };

	said(err->n_errors ? err->errors[0].message : err->message, &why);
	if (*err->suggestion)
		text_str(&why, _("; "));
	usage_error(r->call, "--%s: %s", name, said(err->suggestion, &why));
	text_free(&why);
	return EXIT_USAGE;
}

static int put(
	const struct reader *r, const char *name, const struct field_opt *to, const char *value)
{
	const struct sv_field *f = to->way[to->n - 1];
	void *root = r->call->in, *at = reach(root, to);
	struct sv_error err = { 0 };
	struct text hold = { 0 };
	char past[64];
	int rc;

	if (!at)
		return fail_text(r->call->app, 1, _("out of memory"));
	/* "--since 7d" looks back: a bare duration for a time of the past. */
	if (f->type == SV_TIME && !r->call->in_flag && *value >= '0' && *value <= '9' &&
		!strpbrk(value, ":-")) {
		snprintf(past, sizeof(past), "-%s", value);
		value = past;
	}
	rc = large(r, f, &value, &hold);
	if (!rc && f->type != SV_JSON && f->type != SV_MAP && blank(value))
		rc = usage_error(r->call, _("--%s: the value is empty"), name);
	if (!rc && sv_field_parse(root, at, f, value, &err))
		rc = refused(r, name, &err);
	text_free(&hold);
	return rc;
}

/* "h100-80g:2": the count goes to a field of its own. */
static int put_counted(const struct reader *r, const struct setting *s)
{
	struct field_opt count = s->to;
	const char *colon = strrchr(s->value, ':');
	char *model;
	int rc;

	if (!colon || !strncmp(s->value, "id:", 3) || !strncmp(s->value, "name:", 5))
		return put(r, s->name, &s->to, s->value);
	count.way[count.n - 1] = s->to.also;
	model = mem_dup(s->value, (size_t)(colon - s->value));
	rc = put(r, s->name, &s->to, model);
	mem_free(model);
	r->call->counted = 1;
	return rc ? rc : put(r, "gpu MODEL:COUNT", &count, colon + 1);
}

static int file_body(const struct reader *r)
{
	const char *name = opt_value(r->call, OPT_FILE);
	struct text text = { 0 };
	struct sv_error err = { 0 };
	int rc;

	if (!name || !r->call->in_kind || !r->call->in_flag)
		return 0;
	rc = read_whole(r->call->app, name, &text);
	if (!rc && sv_from_yaml(r->call->in_kind, strcmp(name, "-") ? name : "stdin",
			   text_of(&text), text.n, &r->call->in, &err))
		rc = fail(r->call->app, &err, NULL);
	text_free(&text);
	return rc;
}

int args_apply(const struct reader *r)
{
	struct call *call = r->call;
	int rc = file_body(r);

	if (!rc && !call->in && call->in_kind && r->n_settings)
		call->in = sv_new(call->in_kind);
	for (size_t i = 0; !rc && i < r->n_settings; i++) {
		const struct setting *s = &r->settings[i];

		if (!s->value)
			sv_field_mark_null(s->to.way[s->to.n - 1], reach(call->in, &s->to));
		else
			rc = s->to.also ? put_counted(r, s) : put(r, s->name, &s->to, s->value);
	}
	return rc;
}
