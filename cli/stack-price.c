/* SPDX-License-Identifier: MIT */
/* What new things would cost, and whether the service would make them. */
#include <string.h>

#include <starverse/billing.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "stack.h"

/* What refers to things still to be made is left out: each of those is priced by itself. */
enum left {
	LEFT_NOTHING,
	LEFT_ELEMENTS, /* of lists: no body lacks them */
	LEFT_FIELD     /* the service may miss it */
};

static int can_quote(const struct sv_kind *kind)
{
	const struct sv_verb *v = sv_verb_find(sv_kind_find("billing"), "quote");
	const struct sv_field *of = v ? sv_field_find(v->in, "kind") : NULL;

	for (const struct sv_word *w = of ? of->words : NULL; w && w->word; w++)
		if (!strcmp(w->word, kind->name))
			return 1;
	return 0;
}

static const void *member(const struct sv_field *f, const void *obj)
{
	return (const char *)obj + f->offset;
}

static void more(enum left *left, enum left now)
{
	if (now > *left)
		*left = now;
}

static void strings(
	struct stack *s, const struct sv_field *f, const struct sv_strs *v, struct text *ret)
{
	const struct sv_kind *to = sv_kind_find(f->ref);
	const char *comma = "";

	text_chr(ret, '[');
	for (size_t i = 0; i < v->n; i++) {
		if (to && stack_pending(s, to, v->v[i]))
			continue;
		text_str(ret, comma);
		json_string(ret, v->v[i]);
		comma = ",";
	}
	text_chr(ret, ']');
}

static enum left object(
	struct stack *s, const struct sv_kind *kind, void *obj, struct text *ret);

static int waiting(void *data, const struct sv_kind *to, const char **word)
{
	return stack_pending(data, to, *word);
}

static void list(struct stack *s, const struct sv_field *f, const struct sv_list *v,
	struct text *ret)
{
	const char *comma = "";

	text_chr(ret, '[');
	for (size_t i = 0; i < v->n; i++) {
		if (each_ref(f->kind, v->v[i], waiting, s))
			continue;
		text_str(ret, comma);
		object(s, f->kind, v->v[i], ret);
		comma = ",";
	}
	text_chr(ret, ']');
}

static enum left value(struct stack *s, const struct sv_field *f, void *obj, struct text *ret)
{
	struct sv_kind alone = {
		.name = "alone", .fields = f, .n = 1, .size = (uint32_t)f->offset + 64
	};
	int left_out = each_ref(&alone, obj, waiting, s);

	if (f->type == SV_OBJ && left_out)
		return object(s, f->kind, *(void *const *)member(f, obj), ret);
	if (f->type == SV_STRS && left_out)
		strings(s, f, member(f, obj), ret);
	else if (f->type == SV_LIST && left_out)
		list(s, f, member(f, obj), ret);
	else
		body_value(f, obj, ret);
	return left_out ? LEFT_ELEMENTS : LEFT_NOTHING;
}

static enum left object(
	struct stack *s, const struct sv_kind *kind, void *obj, struct text *ret)
{
	enum left left = LEFT_NOTHING;
	const char *comma = "";

	text_chr(ret, '{');
	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		const struct sv_kind *to = f->ref ? sv_kind_find(f->ref) : NULL;

		if (!body_has(f, obj))
			continue;
		if (to && f->type == SV_STR &&
			stack_pending(s, to, *(const char *const *)member(f, obj))) {
			more(&left, LEFT_FIELD);
			continue;
		}
		text_fmt(ret, "%s\"%s\":", comma, f->name);
		more(&left, value(s, f, obj, ret));
		comma = ",";
	}
	text_chr(ret, '}');
	return left;
}

/* 1 when nothing but a lack is what the service complains of. */
static int is_for_lack(const struct sv_error *err)
{
	for (size_t i = 0; i < err->n_errors; i++)
		if (strcmp(err->errors[i].code, "required") != 0)
			return 0;
	return err->n_errors > 0;
}

/* What the service refuses to price it would refuse to make: better known before the first call. */
static int price(struct stack *s, struct item *it)
{
	sv_client *c = s->call->app->client;
	struct sv_quote *q = NULL;
	struct text t = { 0 }, subject = { 0 };
	enum left left = object(s, it->in, it->body, &t);
	int rc = 0;

	if (sv_billing_quote(c, it->kind->name, text_of(&t), &q) == SV_OK) {
		it->price = q->price_per_hour;
	} else if (left == LEFT_FIELD && is_for_lack(sv_client_error(c))) {
		it->unpriced = 1;
	} else {
		text_fmt(&subject, "%s:%d: %s %s", it->file, it->line, it->kind->name, it->name);
		rc = fail(s->call->app, sv_client_error(c), text_of(&subject));
	}
	sv_free(q);
	text_free(&t);
	text_free(&subject);
	return rc;
}

int stack_prices(struct stack *s)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->n; i++)
		if (s->items[i].act == ACT_CREATE && can_quote(s->items[i].kind))
			rc = price(s, &s->items[i]);
	return rc;
}
