/* SPDX-License-Identifier: MIT */
/* What --prune deletes: what an earlier run of a stack made, and no document describes any more. */
#include <string.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "stack.h"

struct leaving {
	struct stack *s;
	struct item *it;
};

static int above(void *data, const struct sv_kind *to, const char **word)
{
	struct leaving *l = data;

	for (size_t i = 0; i < l->s->n; i++) {
		const struct item *other = &l->s->items[i];

		if (other->act == ACT_DELETE && other->kind == to && !strcmp(other->id, *word) &&
			l->it->level <= other->level)
			l->it->level = other->level + 1;
	}
	return 0;
}

/* What was made first goes last where anything refers to it; the rest goes at once. The items stand
 * from the last record to the first. */
static void leave_order(struct stack *s)
{
	for (size_t i = s->n; i-- > 0;) {
		struct leaving l = { s, &s->items[i] };
		const struct record *r =
			l.it->act == ACT_DELETE ? record_of(s, l.it->id) : NULL;
		void *body = r ? record_body(r) : NULL;

		if (body)
			each_ref(body_kind(r->kind), body, above, &l);
		if (l.it->level >= s->levels)
			s->levels = l.it->level + 1;
		sv_free(body);
	}
}

/* 1 when a document describes it: by its id, since it may have another name by now, else by the
 * name that it had. */
static int described(const struct stack *s, const struct record *r)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].kind == r->kind && s->items[i].id &&
			!strcmp(s->items[i].id, r->id))
			return 1;
	return stack_find(s, r->kind, r->name) != NULL;
}

/* What an earlier run of this stack made, and no document names any more. */
int stack_leftovers(struct stack *s)
{
	sv_client *c = s->call->app->client;
	int rc = 0;

	for (size_t i = s->n_records; !rc && i-- > 0;) {
		const struct record *r = &s->records[i];
		const struct sv_verb *get = sv_verb_find(r->kind, "get");
		const char *args[2] = { r->id, NULL };
		const struct sv_field *state = sv_field_flagged(r->kind, SV_STATE);
		struct item *it;
		void *found = NULL;

		if (!*r->id || described(s, r) || !get || !sv_verb_find(r->kind, "delete"))
			continue;
		if (sv_run(c, get, args, NULL, &found)) {
			if (sv_client_error(c)->code != SV_NOTFOUND)
				rc = fail(s->call->app, sv_client_error(c), r->id);
			continue;
		}
		if (state &&
			(!strcmp(member_text(r->kind, found, state->name), "deleted") ||
				!strcmp(member_text(r->kind, found, state->name), "released"))) {
			sv_free(found);
			continue;
		}
		it = stack_add(s, r->kind, name_of(r->kind, found));
		it->id = mem_dup(r->id, strlen(r->id));
		it->found = found;
		it->act = ACT_DELETE;
	}
	leave_order(s);
	return rc;
}
