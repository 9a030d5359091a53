/* SPDX-License-Identifier: MIT */
/* Memory, strings that grow, and lists of words. A command line that is out of memory ends: nothing
 * here returns NULL. */
#ifndef SVCTL_MEM_H
#define SVCTL_MEM_H

#include <stdarg.h>
#include <stddef.h>

#include "i18n.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Zeroed. */
void *mem_new(size_t n, size_t size);
void *mem_grow(void *p, size_t n, size_t size);
char *mem_dup(const char *s, size_t len);
void mem_free(void *p);

/* A string that grows; zeroed is empty. s is NUL-ended once anything was added. */
struct text {
	char *s;
	size_t n, cap;
};

void text_add(struct text *t, const void *s, size_t n);
void text_str(struct text *t, const char *s);
void text_chr(struct text *t, char c);
void text_fmt(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_vfmt(struct text *t, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Never NULL. */
const char *text_of(const struct text *t);
void text_free(struct text *t);

/* Strings of one's own; zeroed is empty; v is NULL-ended once anything was added. */
struct words {
	char **v;
	size_t n, cap;
};

void words_add(struct words *w, const char *s, size_t len);
void words_push(struct words *w, const char *s);
/* Comma-separated, empty elements left out. */
void words_split(struct words *w, const char *s, char at);
void words_commas(struct words *w, const char *s);
int words_has(const struct words *w, const char *s);
void words_free(struct words *w);

/* 1 when a and b are the same name, '-' and '_' alike. */
int same_name(const char *a, const char *b);
/* 1 when s holds nothing but white space. */
int blank(const char *s);

/* The nearest of the offered words, for "did you mean". */
struct nearest {
	const char *word; /* what was typed */
	const char *best; /* or NULL */
	int distance;
};
void nearest_offer(struct nearest *n, const char *candidate);

#endif
