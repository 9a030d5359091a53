/* SPDX-License-Identifier: MIT */
/* The only file of the command line that asks for memory. */
#include "mem.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *check(void *p)
{
	static const char why[] = "svctl: out of memory\n";

	if (p)
		return p;
	if (write(STDERR_FILENO, why, sizeof(why) - 1) < 0)
		_exit(1);
	_exit(1);
}

void *mem_new(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *mem_grow(void *p, size_t n, size_t size)
{
	return check(reallocarray(p, n ? n : 1, size));
}

char *mem_dup(const char *s, size_t len)
{
	char *p = mem_new(len + 1, 1);

	memcpy(p, s, len);
	return p;
}

void mem_free(void *p)
{
	free(p);
}

static void room(struct text *t, size_t more)
{
	size_t cap = t->cap ? t->cap : 64;

	if (more < t->cap - t->n)
		return;
	if (more > SIZE_MAX / 4 - t->n)
		check(NULL);
	while (cap < t->n + more + 1)
		cap *= 2;
	if (cap == t->cap)
		return;
	t->s = mem_grow(t->s, cap, 1);
	t->cap = cap;
}

void text_add(struct text *t, const void *s, size_t n)
{
	room(t, n);
	if (n)
		memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = '\0';
}

void text_str(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_chr(struct text *t, char c)
{
	text_add(t, &c, 1);
}

void text_vfmt(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	room(t, (size_t)n);
	vsnprintf(t->s + t->n, (size_t)n + 1, fmt, ap);
	t->n += (size_t)n;
}

void text_fmt(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vfmt(t, fmt, ap);
	va_end(ap);
}

const char *text_of(const struct text *t)
{
	return t->s ? t->s : "";
}

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}

void words_add(struct words *w, const char *s, size_t len)
{
	if (w->n + 2 > w->cap) {
		w->cap = w->cap ? w->cap * 2 : 8;
		w->v = mem_grow(w->v, w->cap, sizeof(*w->v));
	}
	w->v[w->n++] = mem_dup(s, len);
	w->v[w->n] = NULL;
}

void words_push(struct words *w, const char *s)
{
	words_add(w, s, strlen(s));
}

void words_split(struct words *w, const char *s, char at)
{
	const char set[] = { at, '\0' };

	for (size_t len; *s; s += len + (s[len] == at)) {
		len = strcspn(s, set);
		if (len)
			words_add(w, s, len);
	}
}

void words_commas(struct words *w, const char *s)
{
	words_split(w, s, ',');
}

int words_has(const struct words *w, const char *s)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->v[i], s))
			return 1;
	return 0;
}

void words_free(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct words){ 0 };
}

static char plain(char c)
{
	return c == '-' ? '_' : c;
}

int same_name(const char *a, const char *b)
{
	while (*a && plain(*a) == plain(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

int blank(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return !*s;
}

#define NEAR_MAX 48

static int least(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* Edits between two words: insert, delete, change, swap of neighbours. */
static int distance(const char *a, size_t na, const char *b, size_t nb)
{
	int d[3][NEAR_MAX + 1];

	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (int)j;
	for (size_t i = 1; i <= na; i++) {
		int *now = d[i % 3], *up = d[(i + 2) % 3], *upper = d[(i + 1) % 3];

		now[0] = (int)i;
		for (size_t j = 1; j <= nb; j++) {
			int same = plain(a[i - 1]) == plain(b[j - 1]);

			now[j] = least(up[j] + 1, now[j - 1] + 1, up[j - 1] + !same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], upper[j - 2] + 1, now[j]);
		}
	}
	return d[na % 3][nb];
}

void nearest_offer(struct nearest *n, const char *candidate)
{
	size_t na = strlen(n->word), nb = strlen(candidate);
	int limit, d;

	if (!na || na > NEAR_MAX || nb > NEAR_MAX)
		return;
	limit = na < 4 ? 1 : na < 8 ? 2 : 3;
	d = distance(n->word, na, candidate, nb);
	if (d > limit || (size_t)d >= nb || (n->best && d >= n->distance))
		return;
	n->best = candidate;
	n->distance = d;
}
