/* SPDX-License-Identifier: MIT */
/* What a person typed -> one resource. An id first, then a name; both, or two names, are refused
 * with all of them listed. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"
#include "model/near.h"
#include "net/engine.h"

#define MOST_LISTED 8 /* candidates and near names in an error */

struct search {
	sv_client *c;
	const struct sv_kind *kind;
	const struct sv_field *id, *name, *state;
	const char *text;
	void *by_id;
	void *found; /* the first with the name, a root of its own */
	size_t n_found, n_near, n_candidates;
	struct sv_buf candidates, near;
};

static const char *str(const struct sv_field *f, const void *obj)
{
	const char *s = f && f->type == SV_STR ? *(const char *const *)sv_member(f, obj) : NULL;

	return s ? s : "";
}

static void describe(struct search *s, struct sv_buf *b, size_t *n, const void *obj)
{
	if (*n >= MOST_LISTED)
		return;
	sv_buf_str(b, (*n)++ ? ",{\"id\":" : "{\"id\":");
	sv_buf_json(b, str(s->id, obj), strlen(str(s->id, obj)));
	sv_buf_str(b, ",\"name\":");
	sv_buf_json(b, str(s->name, obj), strlen(str(s->name, obj)));
	if (*str(s->state, obj)) {
		sv_buf_str(b, ",\"status\":");
		sv_buf_json(b, str(s->state, obj), strlen(str(s->state, obj)));
	}
	sv_buf_chr(b, '}');
}

/* An item of a page as a root, which outlives the page. */
static int keep(struct search *s, const void *item)
{
	char *text = NULL;
	int r = sv_to_json(s->kind, item, SV_WALK_WIRE, 0, &text);

	if (!r)
		r = sv_from_json(s->kind, text, strlen(text), &s->found, &s->c->error);
	sv_free_text(text);
	return r;
}

/* The page's items by their names; with hint, the near ones instead. */
static int look(struct search *s, const struct sv_page *page, struct sv_error *hint)
{
	int r = SV_OK;

	for (size_t i = 0; !r && i < page->n; i++) {
		const void *obj = page->v[i];
		const char *name = str(s->name, obj);

		if (!hint && !strcmp(name, s->text)) {
			describe(s, &s->candidates, &s->n_candidates, obj);
			r = s->n_found++ ? SV_OK : keep(s, obj);
		} else if (hint && (sv_near(s->text, name) || !strcasecmp(s->text, name))) {
			if (!s->n_near)
				sv_err_hint(hint, "did you mean %.80s (%.80s%s%.40s)?", name,
					str(s->id, obj), *str(s->state, obj) ? ", " : "",
					str(s->state, obj));
			describe(s, &s->near, &s->n_near, obj);
		}
	}
	return r;
}

/* Every page of the list, filtered by the server where extra says so. */
static int scan(struct search *s, const char *extra, struct sv_error *hint)
{
	const struct sv_verb *v = sv_verb_find(s->kind, "list");
	struct sv_call call = { .spec = { .verb = v, .extra = extra } };
	struct sv_page *page = NULL;
	int r;

	do {
		void *got = NULL;

		call.spec.cursor = page ? page->next : NULL;
		r = sv_op_run(s->c, &call, &got);
		if (r || !got)
			break;
		if (page && !sv_page_follows(page, got))
			r = sv_err(&s->c->error, SV_PROTO, "GET %s: the answer repeats its cursor",
				v->path);
		sv_free(page);
		page = got;
		if (!r)
			r = look(s, page, hint);
	} while (!r && page->next && s->n_found < MOST_LISTED);
	sv_free(page);
	return r;
}

static int by_id(struct search *s, const char *id)
{
	const char *const args[] = { id, NULL };
	const struct sv_verb *get = sv_verb_find(s->kind, "get");
	int r = get ? sv_run(s->c, get, args, NULL, &s->by_id) : SV_NOTFOUND;

	return r == SV_NOTFOUND ? SV_OK : r;
}

static int by_name(struct search *s)
{
	const struct sv_verb *list = sv_verb_find(s->kind, "list");
	const struct sv_field *filter =
		list && list->query ? sv_field_find(list->query, "name") : NULL;
	struct sv_buf extra;
	int r;

	if (!list || !s->name)
		return SV_OK;
	sv_buf_init(&extra, SV_MAX_URL);
	if (filter) {
		sv_buf_str(&extra, "name=");
		sv_buf_url(&extra, s->text);
	} else {
		sv_buf_str(&extra, "limit=1000");
	}
	r = extra.failed ? SV_NOMEM : scan(s, extra.data, NULL);
	sv_buf_free(&extra);
	return r;
}

static int not_found(struct search *s)
{
	const struct sv_verb *list = sv_verb_find(s->kind, "list");
	struct sv_error hint, *err = &s->c->error;

	sv_err_clear(&hint);
	/* Only for its sake is everything listed; what goes wrong there is nobody's concern. */
	if (list && s->name)
		scan(s, "limit=1000", &hint);
	sv_err(err, SV_NOTFOUND, "%s \"%.200s\" not found", s->kind->name, s->text);
	if (*hint.suggestion)
		snprintf(err->suggestion, sizeof(err->suggestion), "%s", hint.suggestion);
	if (s->n_near && !s->near.failed && s->near.len < sizeof(err->context) - 20)
		snprintf(err->context, sizeof(err->context), "{\"near\":[%s]}",
			sv_buf_text(&s->near));
	return SV_NOTFOUND;
}

static int ambiguous(struct search *s)
{
	struct sv_error *err = &s->c->error;
	const char *plural = s->kind->plural ? s->kind->plural : s->kind->name;

	sv_err(err, SV_CONFLICT, "\"%.200s\" means %zu%s %s", s->text,
		s->n_found + (s->by_id != NULL), s->n_found >= MOST_LISTED ? " or more" : "",
		plural);
	sv_err_hint(err, "say id:ID or name:NAME, or use an id");
	if (!s->candidates.failed && s->candidates.len < sizeof(err->context) - 20)
		snprintf(err->context, sizeof(err->context), "{\"candidates\":[%s]}",
			sv_buf_text(&s->candidates));
	return SV_CONFLICT;
}

static int give(struct search *s, void **ret)
{
	void **from = s->by_id ? &s->by_id : &s->found;

	*ret = *from;
	*from = NULL;
	return SV_OK;
}

static int find(struct search *s, const char *form, void **ret)
{
	int want_id = strncmp(form, "name:", 5) != 0, want_name = strncmp(form, "id:", 3) != 0,
	    r = SV_OK;

	if (want_id)
		r = by_id(s, s->text);
	if (!r && s->by_id)
		describe(s, &s->candidates, &s->n_candidates, s->by_id);
	if (!r && want_name)
		r = by_name(s);
	if (r)
		return r;
	if (s->by_id && s->found && !strcmp(str(s->id, s->by_id), str(s->id, s->found)) &&
		s->n_found == 1)
		return give(s, ret);
	if (s->n_found + (s->by_id != NULL) > 1)
		return ambiguous(s);
	return s->by_id || s->found ? give(s, ret) : not_found(s);
}

int sv_resolve(sv_client *c, const struct sv_kind *kind, const char *text, void **ret)
{
	struct search s = { .c = c, .kind = kind };
	const char *p = text ? text : "";
	int r;

	sv_err_clear(&c->error);
	s.text = !strncmp(p, "id:", 3) ? p + 3 : !strncmp(p, "name:", 5) ? p + 5 : p;
	for (p = s.text; sv_is_space(*p); p++)
		;
	if (!*p)
		return sv_err_field(
			&c->error, kind->name, "required", "an empty id or name means nothing");
	s.id = sv_field_flagged(kind, SV_ID);
	s.name = sv_field_flagged(kind, SV_NAME);
	s.state = sv_field_flagged(kind, SV_STATE);
	sv_buf_init(&s.candidates, 4096);
	sv_buf_init(&s.near, 4096);
	r = find(&s, text, ret);
	if (!r)
		sv_err_clear(&c->error);
	sv_buf_free(&s.candidates);
	sv_buf_free(&s.near);
	sv_free(s.by_id);
	sv_free(s.found);
	return r;
}
