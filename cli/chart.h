/* SPDX-License-Identifier: MIT */
/* Charts of a terminal, in plain characters: bars begin at zero, curves say where their axis
 * begins. Nothing depends on colour. The same data is drawn for a browser by page.h. */
#ifndef SVCTL_CHART_H
#define SVCTL_CHART_H

#include <stddef.h>

#include "app.h"
#include "mem.h"

/* A bar: its length is only drawn; what is exact stands beside it. */
struct chart_bar {
	const char *label, *text;
	double value; /* not negative; NAN: not known, which is said */
};

/* A curve: points in the order of x; NAN in y is a gap. */
struct chart_curve {
	const char *label;
	const double *x, *y;
	size_t n;
	int steps; /* y holds until the next x */
};

struct chart_axes {
	const char *x, *y; /* what they show */
	int x_time;        /* x is seconds since the epoch */
	int y_zero;        /* y begins at zero whatever the least value is */
};

/* Where and how it is drawn. */
struct chart_style {
	size_t width;
	int ascii; /* 1: no characters beyond ASCII */
};
/* As wide as the terminal, 80 where there is none; ASCII where the locale has no UTF-8. */
struct chart_style chart_style_of(const struct app *a);

/* A line a bar; values add up to nothing, so every bar is measured by the longest. */
void chart_bars(struct text *t, const struct chart_style *s, const char *title,
	const struct chart_bar *v, size_t n);
/* All curves in one frame, each with a mark of its own; at most CHART_CURVES. */
#define CHART_CURVES 6
void chart_curves(struct text *t, const struct chart_style *s, const char *title,
	const struct chart_axes *axes, const struct chart_curve *v, size_t n);

/* What both kinds of picture share. 0: not a number, or beyond what can be drawn. */
int chart_drawn(double v);
/* The longest of bars, and how long another is beside it, from 0 to 1. */
double chart_most(const struct chart_bar *v, size_t n);
double chart_share(double value, double most);
/* The least and greatest of all points, apart from each other; 0 when there is none. */
struct chart_range {
	double x0, x1, y0, y1;
};
int chart_range(const struct chart_axes *axes, const struct chart_curve *v, size_t n,
	struct chart_range *ret);
/* Round numbers from lo to hi, about n of them: the first one and the distance between them. */
double chart_ticks(double lo, double hi, int n, double *step);
/* The same for seconds since the epoch: minutes, hours, days. */
double chart_time_ticks(double from, double to, int n, double *step);
/* A number as short as it stays exact enough beside others that are step apart. */
void chart_number(double v, double step, char *buf, size_t size);
/* A second, as fine as a span of so many needs: "06:30", "30 Nov". */
void chart_time(double at, double span, char *buf, size_t size);

#endif
