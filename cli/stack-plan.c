/* SPDX-License-Identifier: MIT */
/* A plan for people, and as rows for every format. */
#include <string.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "stack.h"

struct field_change {
	struct sv_set set;
	const char *field, *from, *to;
};

struct plan {
	struct sv_set set;
	const char *action, *kind, *name, *id, *hint, *secret;
	int64_t price;
	struct sv_list changes;
};

#define ROW(T, m, t, hlp, ...) \
	{ .name = #m, .help = hlp, .offset = offsetof(T, m), .type = t, .flags = __VA_ARGS__ }

static const struct sv_word actions[] = {
	{ "none", N_("is as described"), 0 },
	{ "create", N_("is made"), 0 },
	{ "update", N_("is changed"), 0 },
	{ "refused", N_("differs in what cannot be changed"), 0 },
	{ "delete", N_("is deleted"), 0 },
	{ "gone", N_("was to be deleted, and is not there"), 0 },
	{ 0 },
};

static const struct sv_field change_fields[] = {
	ROW(struct field_change, field, SV_STR, N_("field of the body"), SV_ALWAYS),
	ROW(struct field_change, from, SV_STR, N_("what it is"), SV_ALWAYS),
	ROW(struct field_change, to, SV_STR, N_("what it shall be"), SV_ALWAYS),
};
static const struct sv_kind change_kind = {
	.name = "change", .fields = change_fields, .n = 3, .size = sizeof(struct field_change)
};
static const struct sv_field plan_fields[] = {
	ROW(struct plan, action, SV_STR, N_("what is done"), SV_ALWAYS | SV_COL, .words = actions),
	ROW(struct plan, kind, SV_STR, N_("resource"), SV_ALWAYS | SV_COL),
	ROW(struct plan, name, SV_STR, N_("its name"), SV_ALWAYS | SV_COL | SV_NAME),
	ROW(struct plan, id, SV_STR, N_("its id"), SV_ALWAYS | SV_COL | SV_ID),
	{ .name = "price_per_hour", .help = N_("what it would cost"),
		.offset = offsetof(struct plan, price), .type = SV_MONEY,
		.flags = SV_ALWAYS | SV_COL },
	ROW(struct plan, changes, SV_LIST, N_("what differs"), SV_ALWAYS, .kind = &change_kind),
	ROW(struct plan, hint, SV_STR, N_("what can be done instead"), SV_ALWAYS),
	ROW(struct plan, secret, SV_STR, N_("what the service tells once and never again"), 0),
};
static const struct sv_kind plan_kind = {
	.name = "plan", .fields = plan_fields, .n = COUNT(plan_fields), .size = sizeof(struct plan)
};

static void put(const struct sv_kind *kind, void *obj, const char *name, const char *value)
{
	const struct sv_field *f = sv_field_find(kind, name);

	if (!value) {
		sv_field_mark_null(f, obj);
		return;
	}
	*(const char **)(void *)((char *)obj + f->offset) = value;
	sv_field_mark(f, obj);
}

static struct plan *plan_of(const struct item *it)
{
	struct plan *p = sv_new(&plan_kind);

	put(&plan_kind, p, "action", actions[it->act].word);
	put(&plan_kind, p, "kind", it->kind->name);
	put(&plan_kind, p, "name", it->name);
	put(&plan_kind, p, "id", it->id);
	put(&plan_kind, p, "hint", it->hint);
	if (it->secret)
		put(&plan_kind, p, "secret", it->secret);
	p->price = it->price;
	if (it->price >= 0)
		sv_field_mark(sv_field_find(&plan_kind, "price_per_hour"), p);
	else
		sv_field_mark_null(sv_field_find(&plan_kind, "price_per_hour"), p);
	sv_field_mark(sv_field_find(&plan_kind, "changes"), p);
	for (size_t i = 0; i < it->n_changes; i++) {
		void *c = sv_new_in(p, &change_kind);

		put(&change_kind, c, "field", it->changes[i].field);
		put(&change_kind, c, "from", it->changes[i].from);
		put(&change_kind, c, "to", it->changes[i].to);
		sv_list_add(p, &p->changes, c);
	}
	return p;
}

int stack_output(const struct stack *s)
{
	struct out o;
	int rc = out_open(&o, s->call, &plan_kind, 1);

	if (!rc)
		out_drop(&o);
	return rc;
}

int stack_answer(const struct stack *s)
{
	struct out o;
	int rc = out_open(&o, s->call, &plan_kind, 1);

	for (size_t i = 0; !rc && i < s->n; i++) {
		struct plan *p;

		if (s->items[i].status || (s->ran && stack_next(&s->items[i])))
			continue;
		p = plan_of(&s->items[i]);
		rc = out_item(&o, p);
		if (s->items[i].secret && out_is_text(s->call))
			note(s->call->app, _("%s %s: secret %s, told once: keep it"),
				s->items[i].kind->name, s->items[i].name,
				s->items[i].secret);
		sv_free(p);
	}
	return rc ? rc : out_close(&o);
}

static void money(int64_t price, struct text *ret)
{
	struct plan p = { .price = price };
	const struct sv_field *f = sv_field_find(&plan_kind, "price_per_hour");
	char cell[48];

	sv_field_mark(f, &p);
	sv_cell(f, &p, cell, sizeof(cell));
	text_str(ret, cell);
}

static void value(struct text *t, const char *s)
{
	if (s)
		safe_text(t, s);
	else
		text_str(t, "-");
}

/* What a new one is described by, a field a line. */
static void described(const struct item *it, struct text *ret)
{
	for (uint32_t i = 0; i < it->in->n; i++) {
		const struct sv_field *f = &it->in->fields[i];
		struct text v = { 0 };

		if (!body_has(f, it->body) || !strcmp(f->name, "name"))
			continue;
		if (f->flags & SV_SECRET)
			text_str(&v, "***");
		else
			body_value(f, it->body, &v);
		text_fmt(ret, "    %s: ", f->name);
		safe_text(ret, text_of(&v));
		text_chr(ret, '\n');
		text_free(&v);
	}
}

/* What is there, and is not well. */
static void show_state(const struct item *it, struct text *ret)
{
	const struct sv_field *f = sv_field_flagged(it->kind, SV_STATE);
	const char *word = f && it->found ? member_text(it->kind, it->found, f->name) : "";

	if (*word && sv_mood(f, word) == SV_BAD)
		text_fmt(ret, ", %s", word);
}

static void show(const struct item *it, struct text *ret)
{
	static const char marks[] = "=+~!-=";

	text_fmt(ret, "%c %s ", marks[it->act], it->kind->name);
	safe_text(ret, it->name);
	if (it->id)
		text_fmt(ret, " (%s)", it->id);
	show_state(it, ret);
	if (it->act == ACT_GONE)
		text_str(ret, _(", already gone"));
	if (it->price >= 0) {
		text_str(ret, ", ");
		money(it->price, ret);
		text_str(ret, _(" an hour"));
	}
	if (it->unpriced)
		text_str(ret, _(", price not known yet"));
	text_chr(ret, '\n');
	if (it->act == ACT_CREATE)
		described(it, ret);
	for (size_t i = 0; i < it->n_changes; i++) {
		const struct change *c = &it->changes[i];

		text_str(ret, "    ");
		safe_text(ret, c->field);
		text_str(ret, ": ");
		value(ret, c->from);
		text_str(ret, " -> ");
		value(ret, c->to);
		text_str(ret, c->verb ? "\n" : _("   cannot be changed\n"));
	}
}

static void total(size_t n, const char *what, struct text *ret)
{
	if (n)
		text_fmt(ret, _(", %zu %s"), n, what);
}

void stack_show(const struct stack *s, struct text *ret)
{
	size_t n[6] = { 0 }, documents = 0, unpriced = 0;
	int64_t sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		n[s->items[i].act]++;
		documents += s->items[i].file != NULL;
		sum += s->items[i].price > 0 ? s->items[i].price : 0;
		unpriced += s->items[i].unpriced != 0;
		show(&s->items[i], ret);
	}
	text_fmt(ret, documents == 1 ? _("%zu document") : _("%zu documents"), documents);
	total(n[ACT_CREATE], _("to create"), ret);
	total(n[ACT_UPDATE], _("to change"), ret);
	total(n[ACT_REFUSED], _("refused"), ret);
	total(n[ACT_DELETE], _("to delete"), ret);
	total(n[ACT_GONE], _("already gone"), ret);
	if (n[ACT_NONE] + n[ACT_GONE] == s->n)
		text_str(ret, _(", nothing to do"));
	else
		total(n[ACT_NONE], _("as described"), ret);
	if (sum) {
		text_str(ret, unpriced ? _("; new: at least ") : _("; new: "));
		money(sum, ret);
		text_str(ret, _(" an hour"));
	}
	text_chr(ret, '\n');
}
