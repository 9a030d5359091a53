/* SPDX-License-Identifier: MIT */
/* Usage summed up: by what it is, or by the stretch of time it falls in. Parts of an interval add
 * up to its charge, so sums add up to the usage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <starverse/instance.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/time.h"
#include "kinds/kinds.h"
#include "local/ledger-inside.h"

#define MAX_SUMS  100000  /* of one answer, all its pages */
#define MAX_PARTS 4000000 /* stretches of time over all intervals */
#define LABEL     "label:"

struct sum {
	char *key, *name; /* key NULL: without one */
	int64_t started_at, last, intervals, seconds, cost, compute;
	size_t next; /* of the same hash, one more than its place */
};

struct summing {
	const struct by *by;
	struct sum *v;
	size_t n, cap, n_slots;
	size_t *slots; /* one more than the place of the first of a hash */
	int64_t parts;
	int64_t from, end; /* the stretch of time that was the last, and its key */
	char key[40];
	int rc;
	const char *why;
};

/* A word to sum up by: the key of an interval, or how long its stretches are. */
struct by {
	const char *word;
	const char *(*key)(const struct ledger_interval *i);
	int64_t seconds;
	int key_len; /* of an RFC 3339 time */
	int named;
};

static const char *key_gpu(const struct ledger_interval *i)
{
	return i->gpu;
}

static const char *key_instance(const struct ledger_interval *i)
{
	const char *prefix = sv_instance_kind.prefix;

	return strncmp(i->resource, prefix, strlen(prefix)) ? NULL : i->resource;
}

static const char *key_job(const struct ledger_interval *i)
{
	return i->job;
}

static const char *key_kind(const struct ledger_interval *i)
{
	return i->kind;
}

static const char *key_label(const struct ledger_interval *i)
{
	return i->label;
}

static const char *key_name(const struct ledger_interval *i)
{
	return i->name;
}

static const char *key_resource(const struct ledger_interval *i)
{
	return i->resource;
}

static const struct by words[] = {
	{ "day", NULL, 86400, 10, 0 },
	{ "gpu", key_gpu, 0, 0, 0 },
	{ "hour", NULL, 3600, 13, 0 },
	{ "instance", key_instance, 0, 0, 1 },
	{ "job", key_job, 0, 0, 0 },
	{ "kind", key_kind, 0, 0, 0 },
	{ "month", NULL, 0, 7, 0 },
	{ "name", key_name, 0, 0, 0 },
	{ "resource", key_resource, 0, 0, 1 },
};
static const struct by by_label = { LABEL, key_label, 0, 0, 0 };

static const struct by *by_of(const char *word)
{
	if (!strncmp(word, LABEL, strlen(LABEL)))
		return word[strlen(LABEL)] ? &by_label : NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].word, word))
			return &words[i];
	return NULL;
}

static size_t hash_of(const char *key)
{
	size_t h = 5381;

	for (; key && *key; key++)
		h = h * 33 + (unsigned char)*key;
	return h;
}

static int same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* More room, and every sum in its slot again. */
static int grow(struct summing *s)
{
	size_t cap = s->cap ? s->cap * 2 : 256;
	struct sum *v = sv_realloc(s->v, cap * sizeof(*v));
	size_t *slots = v ? sv_realloc(s->slots, cap * sizeof(*slots)) : NULL;

	if (v)
		s->v = v;
	if (!slots)
		return SV_NOMEM;
	s->slots = slots;
	s->cap = s->n_slots = cap;
	memset(slots, 0, cap * sizeof(*slots));
	for (size_t i = 0; i < s->n; i++) {
		size_t at = hash_of(s->v[i].key) % cap;

		s->v[i].next = slots[at];
		slots[at] = i + 1;
	}
	return SV_OK;
}

static int fail(struct summing *s, int rc, const char *why)
{
	s->rc = rc;
	s->why = why;
	return rc;
}

static struct sum *sum_of(struct summing *s, const char *key, int64_t started_at)
{
	size_t hash = hash_of(key), at = s->n_slots ? s->slots[hash % s->n_slots] : 0;
	struct sum one = { .started_at = started_at };

	for (; at; at = s->v[at - 1].next)
		if (same(s->v[at - 1].key, key))
			return &s->v[at - 1];
	if (s->n == MAX_SUMS) {
		fail(s, SV_INVALID, "gives too many sums: narrow since and until");
		return NULL;
	}
	one.key = sv_xstrdup(key);
	if ((key && !one.key) || (s->n == s->cap && grow(s))) {
		sv_mfree(one.key);
		fail(s, SV_NOMEM, NULL);
		return NULL;
	}
	one.next = s->slots[hash % s->n_slots];
	s->v[s->n++] = one;
	s->slots[hash % s->n_slots] = s->n;
	return &s->v[s->n - 1];
}

static int add(struct summing *s, struct sum *to, const struct ledger_interval *i, int64_t seconds,
	int64_t cost)
{
	if (!to)
		return s->rc;
	to->intervals++;
	if (!strcmp(i->kind, "compute"))
		to->compute += seconds;
	if (sv_add64(to->seconds, seconds, &to->seconds) || sv_add64(to->cost, cost, &to->cost))
		return fail(s, SV_INVALID, "gives sums that are too large");
	/* The name is the last one it had. */
	if (s->by->named && to->key && i->name && i->id > to->last &&
		(!to->name || strcmp(to->name, i->name) != 0)) {
		sv_mfree(to->name);
		to->name = sv_xstrdup(i->name);
		if (!to->name)
			return fail(s, SV_NOMEM, NULL);
	}
	to->last = i->id;
	return SV_OK;
}

static int64_t first_of_month(int64_t at)
{
	char text[40];
	int64_t first = at;

	sv_print_time(at, text, sizeof(text));
	memcpy(text + strlen("2026-11"), "-01T00:00:00Z", sizeof("-01T00:00:00Z"));
	sv_parse_time(text, &first);
	return first;
}

/* Forty days after the first of a month lie in the next one. */
void ledger_month(int64_t at, int64_t *began, int64_t *ends)
{
	*began = first_of_month(at);
	*ends = first_of_month(*began + 40 * LEDGER_DAY);
}

/* Finds the stretch in which a second lies. */
static void stretch(struct summing *s, int64_t at)
{
	const struct by *by = s->by;
	char text[40];

	if (at >= s->from && at < s->end)
		return;
	if (by->seconds) {
		s->from = at / by->seconds * by->seconds;
		s->end = s->from + by->seconds;
	} else {
		ledger_month(at, &s->from, &s->end);
	}
	sv_print_time(s->from, text, sizeof(text));
	snprintf(s->key, sizeof(s->key), "%.*s", by->key_len, text);
}

static int add_stretches(struct summing *s, const struct ledger_interval *i)
{
	int64_t from = i->began, to = i->began + i->seconds, end;
	int rc;

	do {
		stretch(s, from);
		end = s->end < to ? s->end : to;
		if (++s->parts > MAX_PARTS)
			return fail(s, SV_INVALID, "takes too long: narrow since and until");
		rc = add(s, sum_of(s, s->key, s->from), i, end - from,
			i->once ? i->cost : ledger_part(i, from, end));
		from = end;
	} while (!rc && from < to);
	return rc;
}

static int add_interval(void *data, const struct ledger_interval *i)
{
	struct summing *s = data;
	int rc;

	/* What has begun in this very second has no part in it yet. */
	if (!i->seconds && !i->cost)
		return 0;
	rc = s->by->key ? add(s, sum_of(s, s->by->key(i), -1), i, i->seconds, i->cost)
			: add_stretches(s, i);
	return rc != SV_OK;
}

static int by_key(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	return x->key && y->key ? strcmp(x->key, y->key) : (x->key != NULL) - (y->key != NULL);
}

static void tell(struct summing *s, int (*fn)(void *data, const struct ledger_sum *one), void *data)
{
	int end = 0;

	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_key);
	for (size_t i = 0; i < s->n && !end; i++) {
		const struct sum *v = &s->v[i];
		struct ledger_sum one = { v->key, v->name, v->started_at, v->intervals, v->seconds,
			v->cost, v->compute };

		end = fn(data, &one);
	}
}

int ledger_sums(struct ledger *l, const struct ledger_filter *f, const char *by, int64_t now,
	int (*fn)(void *data, const struct ledger_sum *s), void *data, const char **why)
{
	struct summing s = { .by = by_of(by) };
	struct ledger_filter all = *f;
	int rc;

	*why = NULL;
	if (!s.by) {
		*why = "must be hour, day, month, instance, resource, name, job, gpu, kind or "
		       "label:KEY";
		return SV_INVALID;
	}
	all.limit = all.after = 0;
	all.label = s.by == &by_label ? by + strlen(LABEL) : NULL;
	rc = ledger_each_interval(l, &all, now, add_interval, &s);
	if (!rc)
		rc = s.rc;
	if (!rc)
		tell(&s, fn, data);
	*why = s.why;
	for (size_t i = 0; i < s.n; i++) {
		sv_mfree(s.v[i].key);
		sv_mfree(s.v[i].name);
	}
	sv_mfree(s.v);
	sv_mfree(s.slots);
	return rc;
}
