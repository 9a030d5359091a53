/* SPDX-License-Identifier: MIT */
/* What is wanted beside what is there, field by field. Only what a document says is looked at; of
 * maps that can be changed, the whole. */
#include <stdio.h>
#include <string.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "stack.h"

struct differ {
	struct stack *s;
	struct item *it;
	const struct sv_field *top; /* of the body */
	const struct sv_verb *verb; /* that changes it, or NULL */
};

static const void *member(const struct sv_field *f, const void *obj)
{
	return (const char *)obj + f->offset;
}

/* A value for people: a scalar as a cell, anything else as JSON. NULL for nothing. */
static char *shown(const struct sv_field *f, const void *obj)
{
	struct text t = { 0 };
	char cell[512];

	if (!obj || !body_has(f, obj))
		return NULL;
	if (f->flags & SV_SECRET)
		text_str(&t, "***");
	else if (f->type == SV_STRS || f->type == SV_LIST || f->type == SV_OBJ ||
		 f->type == SV_MAP)
		body_value(f, obj, &t);
	else if (sv_cell(f, obj, cell, sizeof(cell)) < sizeof(cell))
		text_str(&t, cell);
	else
		body_value(f, obj, &t);
	return t.s;
}

static void changed(struct differ *d, const char *field, char *from, char *to)
{
	struct item *it = d->it;
	struct change *c;

	it->changes = mem_grow(it->changes, it->n_changes + 1, sizeof(*it->changes));
	c = &it->changes[it->n_changes++];
	*c = (struct change){ mem_dup(field, strlen(field)), from, to, d->top, d->verb };
}

static int same_value(const struct sv_field *f, const void *a, const void *b)
{
	struct text x = { 0 }, y = { 0 };
	int same;

	body_value(f, a, &x);
	body_value(f, b, &y);
	same = !strcmp(text_of(&x), text_of(&y));
	text_free(&x);
	text_free(&y);
	return same;
}

/* 1 when all that want says is in have, objects member by member. */
static int holds(const struct sv_kind *kind, const void *want, const void *have)
{
	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!body_has(f, want))
			continue;
		/* false and absent are one */
		if (!body_has(f, have) && f->type == SV_BOOL && !*(const int *)member(f, want))
			continue;
		if (!body_has(f, have) || !same_value(f, want, have))
			return 0;
	}
	return 1;
}

static int same_list(const struct sv_field *f, const void *want, const void *have)
{
	const struct sv_list *w = member(f, want), *h = have ? member(f, have) : NULL;

	for (size_t i = 0; i < w->n; i++) {
		size_t k = 0;

		while (h && k < h->n && !holds(f->kind, w->v[i], h->v[k]))
			k++;
		if (!h || k == h->n)
			return 0;
	}
	return 1;
}

static int same_strs(const struct sv_field *f, const void *want, const void *have)
{
	const struct sv_strs *w = member(f, want), *h = have ? member(f, have) : NULL;

	if (!h || w->n != h->n)
		return w->n == 0 && (!h || !h->n);
	for (size_t i = 0; i < w->n; i++) {
		size_t k = 0;

		while (k < h->n && strcmp(w->v[i], h->v[k]) != 0)
			k++;
		if (k == h->n)
			return 0;
	}
	return 1;
}

static void field(struct differ *d, const char *path, const struct sv_field *f, const void *want,
	const void *have);

/* Keys of a map: what can be changed is the document's as a whole. */
static void map(struct differ *d, const char *path, const struct sv_map *want,
	const struct sv_map *have)
{
	struct text t = { 0 };

	for (size_t i = 0; i < want->n; i++) {
		const char *is = have ? sv_map_get(have, want->keys[i]) : NULL;

		if (is && !strcmp(is, want->values[i]))
			continue;
		t.n = 0;
		text_fmt(&t, "%s.%s", path, want->keys[i]);
		changed(d, text_of(&t), is ? mem_dup(is, strlen(is)) : NULL,
			mem_dup(want->values[i], strlen(want->values[i])));
	}
	for (size_t i = 0; d->verb && have && i < have->n; i++) {
		if (sv_map_get(want, have->keys[i]))
			continue;
		t.n = 0;
		text_fmt(&t, "%s.%s", path, have->keys[i]);
		changed(d, text_of(&t), mem_dup(have->values[i], strlen(have->values[i])), NULL);
	}
	text_free(&t);
}

static void object(struct differ *d, const char *path, const struct sv_kind *kind, const void *want,
	const void *have)
{
	struct text t = { 0 };

	for (uint32_t i = 0; i < kind->n; i++) {
		t.n = 0;
		text_fmt(&t, "%s.%s", path, kind->fields[i].name);
		field(d, text_of(&t), &kind->fields[i], want, have);
	}
	text_free(&t);
}

static void field(struct differ *d, const char *path, const struct sv_field *f, const void *want,
	const void *have)
{
	const void *w = member(f, want), *h = have ? member(f, have) : NULL;
	int there = have && body_has(f, have);

	if (!body_has(f, want)) {
		/* null, or an empty map: to be cleared */
		if (sv_field_has(f, want) && there && d->verb)
			changed(d, path, shown(f, have), NULL);
		return;
	}
	if (f->type == SV_OBJ)
		object(d, path, f->kind, *(void *const *)w, h ? *(void *const *)h : NULL);
	else if (f->type == SV_MAP)
		map(d, path, w, h);
	else if (f->type == SV_LIST ? !same_list(f, want, have)
		 : f->type == SV_STRS
			 ? !same_strs(f, want, have)
			 : !(there && same_value(f, want, have)) &&
				   !(f->type == SV_BOOL && !there && !*(const int *)w))
		changed(d, path, shown(f, have), shown(f, want));
}

/* The verb by which apply changes the field: an update, or what sets a secret anew. */
static const struct sv_verb *setter(const struct sv_kind *kind, const struct sv_field *f)
{
	for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
		const struct sv_field *u =
			v->in && strchr(v->path, '{') ? sv_field_find(v->in, f->name) : NULL;

		if (u && u->type == f->type &&
			(v->flags & SV_MASKED ? u->flags & SV_UPDATE
					      : u->flags & f->flags & SV_SECRET))
			return v;
	}
	return NULL;
}

/* No answer tells a secret: what was sent is known by its digest, where there is a record. */
static void secret(struct differ *d, const struct sv_field *f, const void *sent)
{
	const char *want = member_text(d->it->in, d->it->body, f->name);
	const char *kept = body_has(f, sent) ? member_text(d->it->in, sent, f->name) : NULL;
	int other = sent && !record_same_secret(d->it, want, kept);

	/* what chooses among words decides what a secret is for, and may end the one before */
	for (size_t i = 0; i < d->it->n_changes; i++)
		other |= d->it->changes[i].row->words != NULL;
	if (other && body_has(f, d->it->body))
		changed(d, f->name, shown(f, sent), shown(f, d->it->body));
}

/* The verb that is there to change this one thing: its body demands the field. */
static const struct sv_verb *changer(const struct sv_kind *kind, const char *name)
{
	for (const struct sv_verb *v = kind->verbs; v && v->name; v++) {
		const struct sv_field *f =
			v->in && strchr(v->path, '{') ? sv_field_find(v->in, name) : NULL;

		if (f && (f->flags & SV_REQUIRED) && !(v->flags & (SV_MASKED | SV_HAND)))
			return v;
	}
	return NULL;
}

static void hint(struct item *it, const struct change *c)
{
	const struct sv_verb *v = changer(it->kind, c->row->name);
	struct text t = { 0 };
	char option[96];

	if (it->hint)
		return;
	if (v) {
		option_name(sv_field_find(v->in, c->row->name), option, sizeof(option));
		text_fmt(&t, "svctl %s %s %s --%s %s", it->kind->name, v->name, it->name, option,
			c->to ? c->to : "");
	} else {
		text_fmt(&t, _("svctl %s delete %s, and apply again, makes it anew"),
			it->kind->name, it->name);
	}
	it->hint = t.s;
}

static int is_offer(const char *offer, const char *gpu, int64_t count)
{
	size_t len = strcspn(offer, ":");
	char number[24];

	snprintf(number, sizeof(number), "%lld", (long long)count);
	return strlen(gpu) == len && !strncmp(gpu, offer, len) &&
	       (!offer[len] || !strcmp(offer + len + 1, number));
}

/* 1 when it runs on what was to be taken where there is no capacity. */
static int stands_in(const struct item *it, const void *have)
{
	const struct sv_field *f = sv_field_find(it->in, "fallback");
	const struct sv_field *n = sv_field_find(it->in, "gpu_count");
	const struct sv_strs *offers = f && f->type == SV_STRS ? member(f, it->body) : NULL;

	for (size_t i = 0; n && offers && i < offers->n; i++)
		if (is_offer(offers->v[i], member_text(it->in, have, "gpu"),
			    *(const int64_t *)member(n, have)))
			return 1;
	return 0;
}

static int of_card(const struct sv_field *f)
{
	return !strcmp(f->name, "gpu") || !strcmp(f->name, "gpu_count") ||
	       !strcmp(f->name, "backend");
}

static int compare(struct stack *s, struct item *it)
{
	struct differ d = { .s = s, .it = it };
	int status = 0, other_card;
	const struct record *sent;
	void *have = body_of(s->call, it->kind, it->found, &status), *before;

	if (status)
		return status;
	sent = record_of(s, it->id);
	before = sent ? record_body(sent) : NULL; /* held against what no answer tells */
	other_card = stands_in(it, have);
	for (uint32_t i = 0; i < it->in->n; i++) {
		const struct sv_field *f = &it->in->fields[i];

		if (other_card && of_card(f))
			continue;
		d.top = f;
		d.verb = setter(it->kind, f);
		if (body_answers(it->kind, f))
			field(&d, f->name, f, it->body, have);
		else if (f->flags & SV_SECRET)
			secret(&d, f, before);
		else if (before)
			field(&d, f->name, f, it->body, before);
	}
	it->act = it->n_changes ? ACT_UPDATE : ACT_NONE;
	for (size_t i = 0; i < it->n_changes; i++)
		if (!it->changes[i].verb) {
			it->act = ACT_REFUSED;
			hint(it, &it->changes[i]);
		}
	sv_free(have);
	sv_free(before);
	return 0;
}

/* A change that cannot be is told before anything is sent. */
static int sound(struct stack *s, const struct item *it)
{
	const struct sv_verb *v = sv_verb_find(it->kind, "update");
	struct sv_error err = { 0 };
	struct text subject = { 0 };
	int status = 0;
	void *body = it->act == ACT_UPDATE && v && stack_takes(it, v)
			     ? stack_patch(s, it, v, &status)
			     : NULL;

	if (body && sv_check(v->in, body, SV_WALK_UPDATE, &err)) {
		text_fmt(&subject, "%s:%d: %s %s", it->file, it->line, it->kind->name, it->name);
		status = fail(s->call->app, &err, text_of(&subject));
	}
	text_free(&subject);
	sv_free(body);
	return status;
}

int stack_compare(struct stack *s)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->n; i++) {
		struct item *it = &s->items[i];

		rc = stack_refs(s, it);
		if (rc)
			break;
		if (it->id) {
			rc = compare(s, it);
			rc = rc ? rc : sound(s, it);
		} else {
			it->act = ACT_CREATE;
		}
	}
	return rc;
}

int stack_takes(const struct item *it, const struct sv_verb *verb)
{
	for (size_t i = 0; i < it->n_changes; i++)
		if (it->changes[i].verb == verb)
			return 1;
	return 0;
}

void *stack_patch(
	struct stack *s, const struct item *it, const struct sv_verb *verb, int *status)
{
	struct text t = { 0 };
	const struct sv_field *last = NULL;
	void *ret;

	text_chr(&t, '{');
	for (size_t i = 0; i < it->n_changes; i++) {
		const struct sv_field *f = it->changes[i].row;

		if (f == last || it->changes[i].verb != verb)
			continue;
		text_fmt(&t, "%s\"%s\":", last ? "," : "", f->name);
		body_change(f, it->body, &t);
		last = f;
	}
	text_chr(&t, '}');
	ret = body_read(s->call, verb->in, &t, status);
	text_free(&t);
	return ret;
}
