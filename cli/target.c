/* SPDX-License-Identifier: MIT */
/* Names -> resources: targets, references inside bodies, pairs. */
#include <stdio.h>
#include <string.h>

#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

const char *member_text(const struct sv_kind *kind, const void *obj, const char *field)
{
	const struct sv_field *f = obj ? sv_field_find(kind, field) : NULL;
	const char *s;

	if (!f || f->type != SV_STR)
		return "";
	s = *(const char *const *)(const void *)((const char *)obj + f->offset);
	return s ? s : "";
}

const char *id_of(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = sv_field_flagged(kind, SV_ID);

	return f ? member_text(kind, obj, f->name) : "";
}

const char *name_of(const struct sv_kind *kind, const void *obj)
{
	const struct sv_field *f = sv_field_flagged(kind, SV_NAME);
	const char *s = f ? member_text(kind, obj, f->name) : "";

	return *s ? s : id_of(kind, obj);
}

int pair_of(const struct sv_kind *in, const struct sv_field **thing, const struct sv_field **path)
{
	*thing = *path = NULL;
	for (uint32_t i = 0; in && i < in->n; i++) {
		const struct sv_field *f = &in->fields[i];

		if (!(f->flags & SV_POSITIONAL))
			continue;
		if (!strcmp(f->name, "path"))
			*path = f;
		else if (f->ref)
			*thing = f;
	}
	return *thing && *path;
}

size_t positionals(const struct call *call)
{
	const struct sv_field *thing, *path;
	size_t n = 0;

	if (call->in_flag != SV_CREATE)
		return 0;
	for (uint32_t i = 0; call->in_kind && i < call->in_kind->n; i++)
		n += (call->in_kind->fields[i].flags & (SV_POSITIONAL | SV_CREATE)) ==
		     (SV_POSITIONAL | SV_CREATE);
	return pair_of(call->in_kind, &thing, &path) ? n - 1 : n;
}

static int put(struct call *call, const struct sv_field *f, const char *text)
{
	struct sv_error err = { 0 };
	char option[96];

	if (sv_field_has(f, call->in) && f->type != SV_STRS) {
		option_name(f, option, sizeof(option));
		return usage_error(
			call, _("--%s is given twice, as a word and as an option"), option);
	}
	if (sv_field_parse(call->in, call->in, f, text, &err))
		return fail_call(call, &err, text);
	return 0;
}

/* "trainer:/root/ckpt" or "/root/ckpt:trainer". */
static int put_pair(struct call *call, const struct sv_field *thing, const struct sv_field *path,
	const char *word)
{
	const char *colon = *word == '/' ? strrchr(word, ':') : strstr(word, ":/");
	char *first;
	int rc;

	if (!colon || colon == word || !colon[1])
		return usage_error(
			call, _("\"%s\": must be NAME:PATH with an absolute path"), word);
	first = mem_dup(word, (size_t)(colon - word));
	rc = put(call, *word == '/' ? path : thing, first);
	if (!rc)
		rc = put(call, *word == '/' ? thing : path, colon + 1);
	mem_free(first);
	return rc;
}

int take_positionals(struct call *call, size_t from)
{
	const struct sv_field *thing, *path;
	int pair = pair_of(call->in_kind, &thing, &path), paired = 0, rc = 0;

	if (from < call->plain.n && !call->in)
		call->in = sv_new(call->in_kind);
	for (uint32_t i = 0; !rc && call->in_kind && i < call->in_kind->n && from < call->plain.n;
		i++) {
		const struct sv_field *f = &call->in_kind->fields[i];

		if ((f->flags & (SV_POSITIONAL | SV_CREATE)) != (SV_POSITIONAL | SV_CREATE))
			continue;
		if (pair && (f == thing || f == path)) {
			if (!paired)
				rc = put_pair(call, thing, path, call->plain.v[from++]);
			paired = 1;
		} else {
			rc = put(call, f, call->plain.v[from++]);
		}
	}
	if (!rc && from < call->plain.n)
		rc = usage_error(call, _("one word too many: %s"), call->plain.v[from]);
	return rc;
}

/* The candidates of an ambiguous name stand in the error's context; they are shown as guesses. */
static int unresolved(struct call *call, const struct sv_kind *kind, const char *word)
{
	struct sv_error err = *sv_client_error(call->app->client);
	struct text subject = { 0 }, near = { 0 };
	int rc;

	if (call->about)
		text_str(&subject, call->about);
	if (!strstr(err.message, word))
		text_fmt(&subject, "%s%s %s", subject.n ? ": " : "", kind->name, word);
	if (err.code == SV_NOTFOUND && !*err.suggestion)
		canonical_near(call, kind, word, &near);
	if (near.n)
		snprintf(err.suggestion, sizeof(err.suggestion), "did you mean %.200s?", near.s);
	rc = fail(call->app, &err, text_of(&subject));
	text_free(&subject);
	text_free(&near);
	return rc;
}

int resolve(struct call *call, const struct sv_kind *kind, const char *word, void **ret)
{
	int status = 0;
	sv_client *c = app_client(call->app, &status);

	if (!c)
		return status;
	return sv_resolve(c, kind, word, ret) ? unresolved(call, kind, word) : 0;
}

/* A card's id is its name, so asking for it would only cost a round trip. */
int needs_asking(const struct sv_kind *kind, const char *word)
{
	return !strcmp(kind->name, "gpu")
		       ? !strncmp(word, "id:", 3) || !strncmp(word, "name:", 5)
		       : !kind->prefix || strncmp(word, kind->prefix, strlen(kind->prefix)) != 0;
}

int each_ref(const struct sv_kind *kind, void *obj, ref_fn *fn, void *data)
{
	int rc = 0;

	for (uint32_t i = 0; obj && !rc && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		void *m = (char *)obj + f->offset;
		const struct sv_kind *to = f->ref ? sv_kind_find(f->ref) : NULL;
		struct sv_strs *s = m;
		struct sv_list *l = m;

		if (to && f->type == SV_STR && *(const char **)m)
			rc = fn(data, to, m);
		for (size_t k = 0; to && f->type == SV_STRS && !rc && k < s->n; k++)
			rc = fn(data, to, &s->v[k]);
		for (size_t k = 0; f->type == SV_LIST && !rc && k < l->n; k++)
			rc = each_ref(f->kind, l->v[k], fn, data);
		if (f->type == SV_OBJ && !rc)
			rc = each_ref(f->kind, *(void **)m, fn, data);
	}
	return rc;
}

static int ref(void *data, const struct sv_kind *kind, const char **word)
{
	struct call *call = data;
	void *obj = NULL;
	int rc;

	if (!needs_asking(kind, *word))
		return 0;
	rc = resolve(call, kind, *word, &obj);
	if (!rc)
		*word = sv_strdup_in(call->in, id_of(kind, obj));
	sv_free(obj);
	return rc;
}

int resolve_refs(struct call *call)
{
	return call->in ? each_ref(call->in_kind, call->in, ref, call) : 0;
}

/* "--idle 30m" alone means little use of processors; whoever wants other thresholds names them. */
static void idle_default(struct call *call)
{
	struct field_opt at;
	void *idle = call->in;
	struct sv_error err;

	if (!call->in || !field_option(call, "auto-stop.idle.cpu-util-below", &at) || at.n != 3)
		return;
	for (size_t i = 0; i < 2 && idle; i++)
		idle = *(void **)(void *)((char *)idle + at.way[i]->offset);
	if (idle && !sv_field_has(at.way[2], idle) &&
		!sv_field_has(sv_field_find(at.way[1]->kind, "gpu_util_below"), idle))
		sv_field_parse(call->in, idle, at.way[2], "5", &err);
}

int check_body(struct call *call)
{
	struct sv_error err = { 0 };

	if (!call->in_kind || !call->in_flag)
		return 0;
	if (!call->in)
		call->in = sv_new(call->in_kind);
	idle_default(call);
	if (sv_check(call->in_kind, call->in,
		    call->in_flag == SV_UPDATE ? SV_WALK_UPDATE : SV_WALK_CREATE, &err))
		return err.n_errors ? usage_refused(call, &err) : fail_call(call, &err, NULL);
	return 0;
}

int given_any(const struct call *call)
{
	for (uint32_t i = 0; call->in && i < call->in_kind->n; i++)
		if (sv_field_has(&call->in_kind->fields[i], call->in))
			return 1;
	return 0;
}
