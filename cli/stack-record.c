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
#include <sys/random.h>
#include <unistd.h>

#include <starverse/client.h>
#include <starverse/config.h>

#include "body.h"
#include "errors.h"
#include "generic.h"
#include "out.h"
#include "stack.h"

/* One line. */
struct entry {
	struct sv_set set;
	const char *kind, *id, *name, *body, *key;
	int gone;
};

#define ROW(m, t, hlp) \
	{ .name = #m, .help = hlp, .offset = offsetof(struct entry, m), .type = t }

static const struct sv_field entry_fields[] = {
	ROW(kind, SV_STR, "resource"),
	ROW(id, SV_STR, "its id"),
	ROW(name, SV_STR, "its name"),
	ROW(body, SV_JSON, "what was sent to make it"),
	ROW(key, SV_STR, "idempotency key of the call, of what has no id yet"),
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

static void record_free(struct record *r)
{
	mem_free(r->id);
	mem_free(r->name);
	mem_free(r->body);
	mem_free(r->key);
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
	*r = (struct record){ .kind = sv_kind_find(e->kind) };
	r->id = mem_dup(e->id ? e->id : "", e->id ? strlen(e->id) : 0);
	r->name = mem_dup(e->name, strlen(e->name));
	r->body = e->body ? mem_dup(e->body, strlen(e->body)) : NULL;
	r->key = mem_dup(e->key ? e->key : "", e->key ? strlen(e->key) : 0);
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
	if (!e->key)
		sv_field_mark_null(sv_field_find(&entry_kind, "key"), e);
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

/* A key of our own, which can be asked about later. "" where there is no randomness. */
static void new_key(char ret[40])
{
	unsigned char b[16];
	int n = 0;

	*ret = '\0';
	if (getrandom(b, sizeof(b), 0) != (ssize_t)sizeof(b))
		return;
	n = snprintf(ret, 40, "apply-");
	for (size_t i = 0; i < sizeof(b); i++)
		n += snprintf(ret + n, 40 - (size_t)n, "%02x", b[i]);
}

/* Only the death of svctl, not the machine's, need not lose it: the spool knows of the call. */
void record_begin(struct stack *s, const struct item *it)
{
	struct entry e = { .kind = it->kind->name, .name = it->name };
	struct text body = { 0 };
	char key[40];

	new_key(key);
	sent(it, &body);
	e.body = text_of(&body);
	e.key = key;
	marked(&e);
	add(s, &e, 0);
	if (*key)
		sv_client_next_key(s->call->app->client, key);
	text_free(&body);
}

void record_not_made(struct stack *s, const struct item *it)
{
	struct entry e = { .kind = it->kind->name, .name = it->name, .body = "null", .gone = 1 };

	marked(&e);
	add(s, &e, 0);
}

/* What became of a call. */
struct fate {
	struct sv_set set;
	const char *status, *resource;
};

static const struct sv_field fate_fields[] = {
	{ .name = "status", .help = "how far it is", .offset = offsetof(struct fate, status),
		.type = SV_STR },
	{ .name = "resource", .help = "what it made", .offset = offsetof(struct fate, resource),
		.type = SV_STR },
};
static const struct sv_kind fate_kind = { .name = "fate",
	.fields = fate_fields,
	.n = COUNT(fate_fields),
	.size = sizeof(struct fate) };

/* 1 when it is final; then the id of what was made, or NULL, is in *ret. One that never arrived
 * will not any more: asking burns its key. */
static int fate_of(struct stack *s, const struct record *r, char **ret)
{
	const struct sv_verb get = { .name = "get",
		.method = SV_GET,
		.path = "/v1/idempotency_keys/{key}",
		.help = "",
		.out = &fate_kind };
	const char *const args[] = { r->key, NULL };
	const struct fate *f;
	void *answer = NULL;
	int rc = *r->key ? sv_run(s->call->app->client, &get, args, NULL, &answer) : SV_NOTFOUND;
	int final;

	*ret = NULL;
	if (rc || !answer)
		return rc == SV_NOTFOUND;
	f = answer;
	final = f->status && strcmp(f->status, "running") != 0;
	if (final && f->resource && sv_kind_of_id(f->resource) == r->kind)
		*ret = mem_dup(f->resource, strlen(f->resource));
	sv_free(answer);
	return final;
}

/* The line of what was begun gives way to one of what was made, or to none. */
static void resolved(struct stack *s, const struct record *r, const char *id)
{
	const char *sent_body = r->body && id ? r->body : "null";
	char *name = mem_dup(r->name, strlen(r->name));
	char *body = mem_dup(sent_body, strlen(sent_body));
	struct entry e = { .kind = r->kind->name, .id = id, .name = name, .body = body };

	e.gone = !id;
	marked(&e);
	add(s, &e, id != NULL);
	mem_free(name);
	mem_free(body);
}

void record_adopt(struct stack *s)
{
	size_t i = 0;
	char *id;

	/* A call that is in flight must not be asked about: whoever works on the stack holds it. */
	if (!s->n_records || (!s->record_writes && flock(s->record_fd, LOCK_SH | LOCK_NB)))
		return;
	while (i < s->n_records) {
		if (*s->records[i].id || !fate_of(s, &s->records[i], &id)) {
			i++;
			continue;
		}
		resolved(s, &s->records[i], id);
		mem_free(id);
	}
	if (!s->record_writes)
		flock(s->record_fd, LOCK_UN);
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
