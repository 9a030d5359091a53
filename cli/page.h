/* SPDX-License-Identifier: MIT */
/* One page for a browser and for paper: HTML with its style and its pictures inside, no script, and
 * nothing fetched from anywhere. Every text is escaped here. */
#ifndef SVCTL_PAGE_H
#define SVCTL_PAGE_H

#include "chart.h"

void page_open(struct text *t, const char *title, const char *subtitle);
void page_close(struct text *t);
void page_heading(struct text *t, const char *text);
void page_para(struct text *t, const char *text);
/* Facts side by side: a name below each. */
struct page_fact {
	const char *name, *value;
};
void page_facts(struct text *t, const struct page_fact *v, size_t n);

/* A table of n columns; numbers[i] sets them to the right. */
struct page_table {
	struct text *t;
	const int *numbers;
	size_t n;
};
void page_table(struct page_table *p, struct text *t, const char *const *heads, const int *numbers,
	size_t n);
void page_row(const struct page_table *p, const char *const *cells, int total);
void page_table_end(const struct page_table *p);

/* Bars from the left, each with its text; columns from below, for stretches of time. */
void page_bars(struct text *t, const char *title, const struct chart_bar *v, size_t n);
void page_columns(struct text *t, const char *title, const struct chart_bar *v, size_t n);
void page_curves(struct text *t, const char *title, const struct chart_axes *axes,
	const struct chart_curve *v, size_t n);

/* Text between tags. */
void page_escape(struct text *t, const char *s);
/* Writes the page to a file ("-": stdout), beside it first and then in its place. 0, or an exit
 * status after an error was printed. */
int page_write(struct app *a, const char *file, const struct text *t);

#endif
