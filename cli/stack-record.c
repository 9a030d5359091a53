/* SPDX-License-Identifier: MIT */
/* What apply made, a line of JSON each: $XDG_STATE_HOME/starverse/apply/PROFILE/STACK.jsonl. It is
 * what --prune may delete, and what documents are held against where no answer tells. Lines are
 * only added, synced before the next call, under a lock for as long as the stack is worked on. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <starverse/config.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "stack.h"

#define CLOCKS_APART 300 /* seconds between ours and the service's */

/* One line. */
struct entry {
	struct sv_set set;
	const char *kind, *id, *name, *body;
	int64_t begun;
	int gone;
};

#define ROW(m, t, hlp) \
	{ .name = #m, .help = hlp, .offset = offsetof(struct entry, m), .type = t }

static const struct sv_field entry_fields[] = {
	ROW(kind, SV_STR, "resource"),
	ROW(id, SV_STR, "its id"),
	ROW(name, SV_STR, "its name"),
	ROW(body, SV_JSON, "what was sent to make it"),
	ROW(begun, SV_TIME, "when its making was begun, of what has no id yet"),
	ROW(gone, SV_BOOL, "it was deleted"),
};
static const struct sv_kind entry_kind = { .name = "entry",
	.fields = entry_fields,
	.n = COUNT(entry_fields),
	.size = sizeof(struct entry) };

const struct record *record_of(const struct stack *s, const char *id)
{
	for (size_t i = 0; i < s->n_records; i++)
		if (!strcmp(s->records[i].id, id))
			return &s->records[i];
	return NULL;
}

/* What was begun and not heard of again: it may be there, or not. */
static const struct record *begun(const struct stack *s, const struct item *it)
{
	for (size_t i = 0; i < s->n_records; i++) {
		const struct record *r = &s->records[i];

		if (!*r->id && r->kind == it->kind && !strcmp(r->name, it->name))
			return r;
	}
	return NULL;
}

static void record_free(struct record *r)
{
	mem_free(r->id);
	mem_free(r->name);
	mem_free(r->body);
}

static void forget(struct stack *s, size_t i)
{
	record_free(&s->records[i]);
	memmove(&s->records[i], &s->records[i + 1], (--s->n_records - i) * sizeof(*s->records));
}

static size_t place_of(const struct stack *s, const struct entry *e)
{
	const struct sv_kind *kind = sv_kind_find(e->kind);
	size_t i = 0;

	while (i < s->n_records &&
		(e->id ? strcmp(s->records[i].id, e->id) != 0
		       : *s->records[i].id || s->records[i].kind != kind ||
				 strcmp(s->records[i].name, e->name) != 0))
		i++;
	return i;
}

/* What is changed keeps its place: records stand in the order in which things were made. */
static void remember(struct stack *s, const struct entry *e)
{
	size_t i;
	struct record *r;

	if (!e->kind || !sv_kind_find(e->kind) || !e->name)
		return;
	i = place_of(s, e);
	if (e->gone) {
		if (i < s->n_records)
			forget(s, i);
		return;
	}
	if (i < s->n_records) {
		record_free(&s->records[i]);
	} else {
		s->records = mem_grow(s->records, s->n_records + 1, sizeof(*s->records));
		s->n_records++;
	}
	r = &s->records[i];
	*r = (struct record){ .kind = sv_kind_find(e->kind), .begun = e->begun };
	r->id = e->id ? mem_dup(e->id, strlen(e->id)) : mem_dup("", 0);
	r->name = mem_dup(e->name, strlen(e->name));
	r->body = e->body ? mem_dup(e->body, strlen(e->body)) : NULL;
	if (e->id) /* it was heard of */
		remember(s, &(struct entry){ .kind = e->kind, .name = e->name, .gone = 1 });
}

/* A line that was cut short by a crash is passed over; what is added begins a new one. */
static void lines(struct stack *s, const struct text *t)
{
	struct sv_error err = { 0 };
	const char *p = text_of(t), *all = p + t->n;

	while (p < all) {
		const char *end = memchr(p, '\n', (size_t)(all - p));
		void *e = NULL;

		s->record_cut = !end;
		end = end ? end : all;
		if (sv_from_json(&entry_kind, p, (size_t)(end - p), &e, &err) == SV_OK)
			remember(s, e);
		sv_free(e);
		p = end + 1;
	}
}

static uint64_t hash(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
	return h;
}

/* Of a secret 32 bits are kept: enough to see that it is another, too few to find it by. */
static char *digest(const char *name, const char *secret)
{
	uint64_t h = UINT64_C(14695981039346656037);
	struct text t = { 0 };

	h = hash(hash(h, name), "\n");
	h = hash(h, secret);
	text_fmt(&t, "digest:%08x", (unsigned)(h ^ h >> 32));
	return t.s;
}

int record_same_secret(const struct item *it, const char *secret, const char *kept)
{
	char *d = digest(it->name, secret);
	int same = kept && !strcmp(d, kept);

	mem_free(d);
	return same;
}

/* The stack's name: --stack, else the first file's with a digest of where all of them are. */
static int choose_name(struct stack *s, struct text *ret)
{
	const struct words *files = &s->call->opt[OPT_FILE];
	const char *given = opt_value(s->call, OPT_STACK), *base;
	uint64_t h = UINT64_C(14695981039346656037);
	char cwd[4096];

	if (given && (strchr(given, '/') || *given == '.'))
		return usage_error(s->call, _("--stack %s: must be a plain word"), given);
	if (given) {
		text_str(ret, given);
		return 0;
	}
	if (!getcwd(cwd, sizeof(cwd)))
		return 0;
	for (size_t i = 0; i < files->n; i++) {
		if (!strcmp(files->v[i], "-"))
			return 0;
		h = hash(h, *files->v[i] == '/' ? "" : cwd);
		h = hash(h, *files->v[i] == '/' ? "" : "/");
		h = hash(hash(h, files->v[i]), "\n");
	}
	base = strrchr(files->v[0], '/');
	base = base ? base + 1 : files->v[0];
	text_fmt(ret, "%.*s-%08x", (int)strcspn(base, "."), base, (unsigned)(h ^ h >> 32));
	return 0;
}

static int place(struct stack *s, struct text *name, char **ret)
{
	int status = 0;
	const struct sv_config *config = app_config(s->call->app, &status);
	struct text path = { 0 };

	if (!config)
		return status;
	text_fmt(&path, "apply/%s/%s.jsonl", config->profile, text_of(name));
	*ret = app_state_path(s->call->app, text_of(&path));
	text_free(&path);
	return *ret ? 0
		    : fail_text(s->call->app, EXIT_SETTINGS,
			      _("the state directory cannot be made: %s"), strerror(errno));
}

int record_open(struct stack *s, int write)
{
	struct text name = { 0 }, all = { 0 };
	char *path = NULL;
	int rc = choose_name(s, &name);

	if (!rc && name.n)
		rc = place(s, &name, &path);
	if (rc || !path) {
		text_free(&name);
		return rc;
	}
	s->name = name.s;
	s->record_writes = write;
	s->record_fd =
		open(path, (write ? O_RDWR | O_CREAT | O_APPEND : O_RDONLY) | O_CLOEXEC, 0600);
	if (s->record_fd < 0 && (write || errno != ENOENT))
		rc = fail_text(s->call->app, EXIT_SETTINGS, "%s: %s", path, strerror(errno));
	else if (write && flock(s->record_fd, LOCK_EX | LOCK_NB))
		rc = fail_text(s->call->app, EXIT_CONFLICT,
			_("stack %s is being worked on by another svctl"), s->name);
	else if (s->record_fd >= 0)
		rc = read_whole(s->call->app, path, &all);
	if (!rc)
		lines(s, &all);
	text_free(&all);
	mem_free(path);
	return rc;
}

static void add(struct stack *s, const struct entry *e, int sync)
{
	char *json = NULL;
	struct text line = { 0 };

	remember(s, e);
	if (s->record_fd < 0 || !s->record_writes ||
		sv_to_json(&entry_kind, e, SV_WALK_WIRE, 0, &json))
		return;
	text_fmt(&line, "%s%s\n", s->record_cut ? "\n" : "", json);
	errno = 0;
	s->record_cut = write(s->record_fd, text_of(&line), line.n) != (ssize_t)line.n;
	if (s->record_cut || (sync && fsync(s->record_fd)))
		note(s->call->app, _("warning: the record of stack %s cannot be written: %s"),
			s->name, strerror(errno ? errno : ENOSPC));
	sv_free_text(json);
	text_free(&line);
}

static void marked(struct entry *e)
{
	for (size_t i = 0; i < COUNT(entry_fields); i++)
		sv_field_mark(&entry_fields[i], e);
	if (!e->id)
		sv_field_mark_null(sv_field_find(&entry_kind, "id"), e);
	if (!e->begun)
		sv_field_mark_null(sv_field_find(&entry_kind, "begun"), e);
}

/* The body as it is kept: of a secret its digest. */
static void sent(const struct item *it, struct text *ret)
{
	body_json(it->in, it->body, ret);
	for (uint32_t i = 0; i < it->in->n; i++) {
		const struct sv_field *f = &it->in->fields[i];
		char *d;

		if (!(f->flags & SV_SECRET) || f->type != SV_STR || !body_has(f, it->body))
			continue;
		d = digest(it->name, member_text(it->in, it->body, f->name));
		ret->s[--ret->n] = '\0';
		text_fmt(ret, "%s\"%s\":\"%s\"}", ret->n > 1 ? "," : "", f->name, d);
		mem_free(d);
	}
}

void record_made(struct stack *s, const struct item *it)
{
	struct entry e = { .kind = it->kind->name, .id = it->id, .name = it->name };
	struct text body = { 0 };

	sent(it, &body);
	e.body = text_of(&body);
	marked(&e);
	add(s, &e, 1);
	text_free(&body);
}

/* Only the death of svctl, not the machine's, need not lose it: the spool knows of the call. */
void record_begin(struct stack *s, const struct item *it)
{
	struct entry e = { .kind = it->kind->name, .name = it->name, .begun = time(NULL) };
	struct text body = { 0 };

	sent(it, &body);
	e.body = text_of(&body);
	marked(&e);
	add(s, &e, 0);
	text_free(&body);
}

void record_not_made(struct stack *s, const struct item *it)
{
	struct entry e = { .kind = it->kind->name, .name = it->name, .body = "null", .gone = 1 };

	marked(&e);
	add(s, &e, 0);
}

/* 1 when the thing is not older than the call. */
static int made_since(const struct item *it, int64_t begun)
{
	const struct sv_field *f = sv_field_find(it->kind, "created_at");

	return f && f->type == SV_TIME && it->found &&
	       *(const int64_t *)(const void *)((const char *)it->found + f->offset) >=
		       begun - CLOCKS_APART;
}

void record_adopt(struct stack *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct item *it = &s->items[i];
		const struct record *r = it->id && !record_of(s, it->id) ? begun(s, it) : NULL;
		struct entry e = { .kind = it->kind->name, .id = it->id, .name = it->name };
		char *body;

		if (!r || !made_since(it, r->begun))
			continue;
		body = mem_dup(r->body ? r->body : "null", strlen(r->body ? r->body : "null"));
		e.body = body;
		marked(&e);
		add(s, &e, 1);
		mem_free(body);
	}
}

void record_gone(struct stack *s, const struct item *it)
{
	struct entry e = { .kind = it->kind->name, .id = it->id, .name = it->name, .gone = 1 };

	if (!record_of(s, it->id))
		return;
	e.body = "null";
	marked(&e);
	add(s, &e, 1);
}

void record_close(struct stack *s)
{
	while (s->n_records)
		forget(s, s->n_records - 1);
	mem_free(s->records);
	mem_free(s->name);
	if (s->record_fd >= 0)
		close(s->record_fd);
	s->record_fd = -1;
	s->records = NULL;
	s->name = NULL;
}

void *record_body(const struct record *r)
{
	const struct sv_kind *in = body_kind(r->kind);
	struct sv_error err = { 0 };
	void *ret = NULL;

	if (!in || !r->body || sv_from_json(in, r->body, strlen(r->body), &ret, &err))
		return NULL;
	return ret;
}

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

		if (!*r->id || stack_find(s, r->kind, r->name) || !get ||
			!sv_verb_find(r->kind, "delete"))
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
