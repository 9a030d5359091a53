/* SPDX-License-Identifier: MIT */
/* Asks for the names of a kind, within a deadline. */
#include "names.h"

#include <string.h>

#include <starverse/client.h>

#include "generic.h"
#include "local.h"
#include "names-cache.h"
#include "out.h"

#define DEADLINE_MS 250
#define LONGEST_MS  60000
#define HELP_MAX    60 /* columns */

/* Text that a terminal, a shell and a line of the cache can hold. */
static int clean(const char *s)
{
	struct text t = { 0 };
	int ok;

	safe_text(&t, s);
	ok = *s && !strcmp(text_of(&t), s);
	text_free(&t);
	return ok;
}

/* "running", "24GiB", "64 free", "¥14.00": without a header a number needs its name. */
static void describe_one(const struct sv_field *f, const char *cell, struct text *ret)
{
	/* What it costs, not what it has cost. */
	if (!strcmp(cell, "-") || !strcmp(cell, "false") ||
		(f->type == SV_MONEY && !strstr(f->name, "price")))
		return;
	text_str(ret, ret->n ? ", " : "");
	if (f->type == SV_MONEY)
		text_fmt(ret, "\xc2\xa5%s", cell);
	else if (f->type == SV_BOOL)
		text_str(ret, f->name);
	else if (f->type == SV_INT || f->type == SV_NUM)
		text_fmt(ret, "%s %s", f->name, cell);
	else
		text_str(ret, cell);
}

/* The columns that are neither id nor name. */
static void describe(struct app *a, const struct sv_kind *kind, const void *obj, struct text *ret)
{
	struct out o = { .app = a, .kind = kind };
	struct text t = { 0 };

	for (uint32_t i = 0; i < kind->n && text_width(text_of(&t), t.n) < HELP_MAX; i++) {
		const struct sv_field *f = &kind->fields[i];
		struct column c = { .way = { f }, .n = 1 };
		struct text one = { 0 };

		if (!(f->flags & SV_COL) || (f->flags & (SV_ID | SV_NAME | SV_SECRET)) ||
			f->type == SV_OBJ || f->type == SV_TIME || f->type == SV_LIST ||
			f->type == SV_MAP)
			continue;
		column_human(&o, &c, obj, &one);
		describe_one(f, text_of(&one), &t);
		text_free(&one);
	}
	text_add(ret, text_of(&t), text_fit(text_of(&t), t.n, HELP_MAX));
	text_free(&t);
}

/* "type=data status=available,error" */
static int holds(const struct sv_kind *kind, const void *obj, const char *when)
{
	struct words terms = { 0 }, any = { 0 };
	int yes = 1;

	words_split(&terms, when, ' ');
	for (size_t i = 0; yes && i < terms.n; i++) {
		char *eq = strchr(terms.v[i], '=');

		*eq = '\0';
		words_commas(&any, eq + 1);
		yes = words_has(&any, member_text(kind, obj, terms.v[i]));
		words_free(&any);
	}
	words_free(&terms);
	return yes;
}

/* What the object itself says may be done with it, or else the rows of the verbs. */
static void actions(const struct sv_kind *kind, const void *obj, struct text *ret)
{
	const struct sv_field *f = sv_field_find(kind, "allowed_actions");
	size_t from = ret->n;
	char cell[512];

	if (f && sv_field_has(f, obj) && sv_cell(f, obj, cell, sizeof(cell)) < sizeof(cell)) {
		text_str(ret, cell);
		return;
	}
	for (const struct sv_verb *v = kind->verbs; v && v->name; v++)
		if (!v->when || holds(kind, obj, v->when))
			text_fmt(ret, "%s%s", ret->n > from ? "," : "", v->name);
}

/* One line: id, name, actions, help. What has no clean id cannot be typed. */
static void keep(struct app *a, const struct sv_kind *kind, const void *obj, struct text *lines)
{
	const char *id = id_of(kind, obj), *name = name_of(kind, obj);

	if (!clean(id))
		return;
	text_fmt(lines, "%s\t%s\t", id, clean(name) ? name : id);
	actions(kind, obj, lines);
	text_chr(lines, '\t');
	describe(a, kind, obj, lines);
	text_chr(lines, '\n');
}

/* One page; SV_CANCELED when the time is over. */
static int page(sv_client *c, const struct sv_verb *v, const void *in, int64_t until, void **ret)
{
	sv_op *op = sv_start(c, v, NULL, in, NULL, NULL);
	int64_t left;

	if (!op)
		return SV_INVALID;
	while (!sv_op_done(op) && (left = until - now_ms()) > 0)
		sv_pump(c, (int)left);
	return sv_finish(op, ret);
}

static void set(const struct sv_kind *query, void *in, const char *name, const char *value)
{
	const struct sv_field *f = query ? sv_field_find(query, name) : NULL;
	struct sv_error err;

	if (f)
		sv_field_parse(in, in, f, value, &err);
}

/* How long it may take: a slow way to the platform may be worth waiting for. */
static int64_t patience(const struct app *a)
{
	int64_t ms = 0;

	if (!a->env.completion_ms)
		return DEADLINE_MS;
	for (const char *p = a->env.completion_ms; *p >= '0' && *p <= '9' && ms < LONGEST_MS; p++)
		ms = ms * 10 + (*p - '0');
	return ms < LONGEST_MS ? ms : LONGEST_MS;
}

/* All pages, or as many as the time allows. 1 when it is all. */
static int ask(struct app *a, sv_client *c, const struct sv_kind *kind, struct text *lines)
{
	const struct sv_verb *v = sv_verb_find(kind, "list");
	void *in = v->query ? sv_new(v->query) : NULL, *before = NULL, *got = NULL;
	int64_t until = now_ms() + patience(a);
	int rc, more;

	set(v->query, in, "limit", "1000");
	do {
		const struct sv_page *p;

		rc = page(c, v, in, until, &got);
		p = rc ? NULL : got;
		for (size_t i = 0; p && i < p->n; i++)
			keep(a, kind, p->v[i], lines);
		more = p && p->n && p->next && (!before || sv_page_follows(before, got));
		if (more)
			set(v->query, in, "cursor", p->next);
		sv_free(before);
		before = got;
		got = NULL;
	} while (more);
	sv_free(before);
	sv_free(in);
	return !rc;
}

/* 1 when asking needs neither a new daemon nor a command that may ask for a pass phrase. */
static int may_ask(struct app *a, const struct sv_config *config, const struct sv_verb *v)
{
	if (!config->endpoint ||
		(!strcmp(config->endpoint, "local:") &&
			(!config->local_socket || !local_listening(config->local_socket))))
		return 0;
	return a->client || config->api_key || config->api_key_file || (v->flags & SV_NOKEY);
}

/* A client for this question alone: the first answer is the last, nothing is asked twice. */
static sv_client *quick_client(struct app *a)
{
	struct text to = { 0 };
	struct sv_error err;
	sv_client *c = NULL;

	if (!strcmp(a->config->endpoint, "local:")) {
		text_fmt(&to, "unix:%s", a->config->local_socket);
		sv_field_parse(a->config, a->config, sv_field_find(sv_kind_config(), "endpoint"),
			text_of(&to), &err);
		text_free(&to);
	}
	a->config->retries = 0;
	sv_field_mark(sv_field_find(sv_kind_config(), "retries"), a->config);
	return sv_client_new(a->config, &c) ? NULL : c;
}

/* The configuration changes for a moment: it is read anew, and goes again. */
static int ask_anew(struct app *a, const struct sv_kind *kind, struct text *lines)
{
	struct sv_config *kept = a->config;
	sv_client *c = NULL;
	int status, all = 0;

	a->config = NULL;
	if (app_config(a, &status))
		c = quick_client(a);
	if (c)
		all = ask(a, c, kind, lines);
	sv_client_free(c);
	sv_free(a->config);
	a->config = kept;
	return all;
}

static void split(struct names *n)
{
	char *at = n->hold.s;

	while (at && *at) {
		char *end = strchr(at, '\n'), *part[4] = { at };
		int k = 1;

		if (!end)
			break;
		*end = '\0';
		for (char *tab = strchr(at, '\t'); tab && k < 4; tab = strchr(tab, '\t')) {
			*tab++ = '\0';
			part[k++] = tab;
		}
		if (k == 4) {
			if ((n->n & (n->n - 1)) == 0)
				n->v = mem_grow(n->v, n->n ? n->n * 2 : 1, sizeof(*n->v));
			n->v[n->n++] = (struct name){ part[0], part[1], part[2], part[3] };
		}
		at = end + 1;
	}
}

void names_of(struct app *a, const struct sv_kind *kind, struct names *ret)
{
	const struct sv_verb *v = kind ? sv_verb_find(kind, "list") : NULL;
	struct names_cache cache;
	int status, all;

	*ret = (struct names){ 0 };
	if (!v || !(v->flags & SV_MANY) || strchr(v->path, '{'))
		return;
	a->silent++;
	if (app_config(a, &status) && may_ask(a, a->config, v) &&
		!names_cached(a->config, kind->name, &ret->hold)) {
		names_cache_begin(&cache, a->config, kind->name);
		all = a->client ? ask(a, a->client, kind, &ret->hold)
				: ask_anew(a, kind, &ret->hold);
		names_cache_end(&cache, all ? &ret->hold : NULL);
	}
	a->silent--;
	split(ret);
}

void names_free(struct names *n)
{
	mem_free(n->v);
	text_free(&n->hold);
	*n = (struct names){ 0 };
}

void names_forget(struct app *a)
{
	int status;

	a->silent++;
	if (app_config(a, &status))
		names_cache_clear(a->config);
	a->silent--;
}
