/* SPDX-License-Identifier: MIT */
/* Bars and curves in characters. */
#include "chart.h"

#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "out.h"

#define WIDTH_USUAL 80
#define WIDTH_LEAST 40
#define LABEL_MOST  28
#define ROWS        12
#define EIGHTHS     8
#define VALUE_MOST  1e300 /* beyond it a difference may not be a number */
#define VALUE_LEAST 1e-300
#define TIME_MOST   1e15
#define FINEST      1e-12 /* of a range in its values: a step of it still moves a double */

struct chart_style chart_style_of(const struct app *a)
{
	const char *codeset = nl_langinfo(CODESET);
	size_t width = a->out_tty && a->width > 0 ? (size_t)a->width : WIDTH_USUAL;

	return (struct chart_style){ .width = width < WIDTH_LEAST ? WIDTH_LEAST : width,
		.ascii = strcmp(codeset ? codeset : "", "UTF-8") != 0 };
}

static void spaces(struct text *t, size_t n)
{
	while (n--)
		text_chr(t, ' ');
}

/* A line that may come from a server. */
static void heading(struct text *t, const char *text)
{
	safe_text(t, text);
	text_chr(t, '\n');
}

/* A label in its column, cut with a mark where it is too long. */
static void label(struct text *t, const struct chart_style *s, const char *text, size_t width)
{
	struct text clean = { 0 };
	size_t w, len;

	safe_text(&clean, text);
	len = clean.n;
	w = text_width(text_of(&clean), len);
	if (w > width) {
		len = text_fit(text_of(&clean), len, width - 1);
		text_add(t, text_of(&clean), len);
		text_str(t, s->ascii ? "~" : "\xe2\x80\xa6");
		w = text_width(text_of(&clean), len) + 1;
	} else {
		text_add(t, text_of(&clean), len);
	}
	spaces(t, width - w);
	text_free(&clean);
}

static size_t widest(const struct chart_bar *v, size_t n, int texts)
{
	size_t most = 0, w;

	for (size_t i = 0; i < n; i++) {
		const char *s = texts ? v[i].text : v[i].label;

		w = text_width(s, strlen(s));
		most = w > most ? w : most;
	}
	return most;
}

/* A bar in eighths of a column; what is more than nothing shows as something. */
static void bar(struct text *t, const struct chart_style *s, double share, size_t room)
{
	static const char *const part[] = { "", "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d",
		"\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a", "\xe2\x96\x89" };
	size_t eighths = (size_t)(share * (double)(room * EIGHTHS) + 0.5), full, used;

	if (!eighths && share > 0)
		eighths = 1;
	full = eighths / EIGHTHS;
	used = full;
	for (size_t i = 0; i < full; i++)
		text_str(t, s->ascii ? "#" : "\xe2\x96\x88");
	if (eighths % EIGHTHS) {
		text_str(t, s->ascii ? (eighths % EIGHTHS < EIGHTHS / 2 ? "-" : "=")
				     : part[eighths % EIGHTHS]);
		used++;
	}
	spaces(t, room - used);
}

int chart_drawn(double v)
{
	return v > -VALUE_MOST && v < VALUE_MOST;
}

double chart_most(const struct chart_bar *v, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = chart_drawn(v[i].value) && v[i].value > most ? v[i].value : most;
	return most;
}

double chart_share(double value, double most)
{
	return chart_drawn(value) && value > 0 && most > 0 ? value / most : 0;
}

void chart_bars(struct text *t, const struct chart_style *s, const char *title,
	const struct chart_bar *v, size_t n)
{
	size_t labels = widest(v, n, 0), texts = widest(v, n, 1), room;
	double most = chart_most(v, n);

	if (labels > LABEL_MOST)
		labels = LABEL_MOST;
	room = s->width > labels + texts + 14 ? s->width - labels - texts - 4 : 10;
	if (title)
		heading(t, title);
	for (size_t i = 0; i < n; i++) {
		label(t, s, v[i].label, labels);
		text_str(t, s->ascii ? " |" : " \xe2\x94\x82");
		bar(t, s, chart_share(v[i].value, most), room);
		spaces(t, 1 + texts - text_width(v[i].text, strlen(v[i].text)));
		text_fmt(t, "%s\n", v[i].text);
	}
}

static void take(struct chart_range *r, int *any, double x, double y)
{
	if (!*any)
		*r = (struct chart_range){ x, x, y, y };
	*any = 1;
	r->x0 = x < r->x0 ? x : r->x0;
	r->x1 = x > r->x1 ? x : r->x1;
	r->y0 = y < r->y0 ? y : r->y0;
	r->y1 = y > r->y1 ? y : r->y1;
}

/* Where values are so near each other that a step between them could not be added to them, the
 * range is longer than they need. */
static void widen(double *lo, double *hi, double by)
{
	double size = *hi > -*lo ? *hi : -*lo, least = size * FINEST;

	if (least < VALUE_LEAST)
		least = VALUE_LEAST;
	if (*hi - *lo < least)
		*hi = *lo + (by < least ? size : by);
}

int chart_range(const struct chart_axes *axes, const struct chart_curve *v, size_t n,
	struct chart_range *ret)
{
	int any = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i].n; k++)
			if (chart_drawn(v[i].x[k]) && chart_drawn(v[i].y[k]))
				take(ret, &any, v[i].x[k], v[i].y[k]);
	if (!any)
		return 0;
	if (axes->y_zero && ret->y0 > 0)
		ret->y0 = 0;
	if (axes->y_zero && ret->y1 < 0)
		ret->y1 = 0;
	widen(&ret->y0, &ret->y1, ret->y0 > 0 ? ret->y0 : ret->y0 < 0 ? -ret->y0 : 1);
	widen(&ret->x0, &ret->x1, 1);
	return 1;
}

/* Whole numbers without the mathematical library: what is drawn is far below 2^53. */
static double rounded_up(double v)
{
	double whole = (double)(int64_t)v;

	return whole < v ? whole + 1 : whole;
}

static long nearest(double v)
{
	return v < 0 ? -1 : (long)(v + 0.5);
}

double chart_ticks(double lo, double hi, int n, double *step)
{
	static const double round[] = { 1, 2, 5, 10 };
	double rough = (hi - lo) / n, power = 1;
	size_t i = 0;

	while (power * 10 <= rough && power < 1e300)
		power *= 10;
	while (power > rough && power > 1e-300)
		power /= 10;
	while (i + 1 < COUNT(round) && round[i] * power < rough * (1 - 1e-9))
		i++;
	*step = round[i] * power;
	return rounded_up(lo / *step - 1e-9) * *step;
}

void chart_number(double v, double step, char *buf, size_t size)
{
	int places = 0;

	while (places < 6 && step < 1 - 1e-9) {
		step *= 10;
		places++;
	}
	if (v >= 1e7 || v <= -1e7 || step < 1 - 1e-9)
		snprintf(buf, size, "%.3g", v);
	else
		snprintf(buf, size, "%.*f", places, v);
	/* "-0.00" is 0. */
	if (*buf == '-' && buf[strspn(buf, "-0.")] == '\0')
		memmove(buf, buf + 1, strlen(buf));
}

void chart_time(double at, double span, char *buf, size_t size)
{
	/* What is no time of a calendar has no name. */
	time_t t = at > -TIME_MOST && at < TIME_MOST ? (time_t)at : INT64_MAX;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buf, size,
					  span > 6 * 86400 ? "%m-%d"
					  : span > 86400   ? "%m-%d %H:%M"
							   : "%H:%M",
					  &tm))
		*buf = '\0';
}

double chart_time_ticks(double from, double to, int n, double *step)
{
	static const int64_t steps[] = { 60, 300, 900, 3600, 7200, 21600, 43200, 86400, 172800,
		604800, 1209600, 2592000, 7776000 };
	size_t i = 0;

	while (i + 1 < COUNT(steps) && (double)steps[i] * n < to - from)
		i++;
	for (*step = (double)steps[i]; *step * n < to - from;)
		*step *= 2;
	return rounded_up(from / *step) * *step;
}

/* The plot: one mark a place, the first curve that is there keeps it. */
struct plot {
	size_t width;
	char *cells;
	struct chart_range r;
};

static void mark(struct plot *p, double x, double y, char with)
{
	double w = (double)(p->width - 1), h = ROWS - 1;
	long column = nearest((x - p->r.x0) / (p->r.x1 - p->r.x0) * w);
	long row = nearest((y - p->r.y0) / (p->r.y1 - p->r.y0) * h);
	char *cell;

	if (column < 0 || row < 0 || column >= (long)p->width || row >= ROWS)
		return;
	cell = &p->cells[(size_t)(ROWS - 1 - row) * p->width + (size_t)column];
	if (*cell == ' ')
		*cell = with;
}

/* Between two points of a curve every column has a mark, so that a line can be seen. */
static void segment(struct plot *p, const struct chart_curve *c, size_t k, char with)
{
	double dx = (p->r.x1 - p->r.x0) / (double)(p->width - 1), x0 = c->x[k], x1 = c->x[k + 1];

	for (double x = x0; x <= x1; x += dx / 2) {
		double part = x1 > x0 ? (x - x0) / (x1 - x0) : 0;

		mark(p, x, c->steps ? c->y[k] : c->y[k] + part * (c->y[k + 1] - c->y[k]), with);
	}
}

static const char marks[CHART_CURVES] = { 'o', 'x', '+', '*', '#', '@' };

static void draw(struct plot *p, const struct chart_curve *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i].n; k++) {
			if (!chart_drawn(v[i].y[k]) || !chart_drawn(v[i].x[k]))
				continue;
			mark(p, v[i].x[k], v[i].y[k], marks[i]);
			if (k + 1 < v[i].n && chart_drawn(v[i].x[k + 1]) &&
				chart_drawn(v[i].y[k + 1]))
				segment(p, &v[i], k, marks[i]);
		}
}

/* Numbers stand at every third row; y grows upwards. */
static void row_label(const struct plot *p, size_t row, char *buf, size_t size)
{
	double step = (p->r.y1 - p->r.y0) / (ROWS - 1);

	*buf = '\0';
	if ((ROWS - 1 - row) % 3 == 0 || row == 0)
		chart_number(p->r.y1 - step * (double)row, step, buf, size);
}

static void x_axis(struct text *t, const struct plot *p, const struct chart_axes *axes,
	const struct chart_style *s, size_t labels)
{
	char from[40], to[40];
	double span = p->r.x1 - p->r.x0;
	size_t used;

	spaces(t, labels);
	text_str(t, s->ascii ? " +" : " \xe2\x94\x94");
	for (size_t i = 0; i < p->width; i++)
		text_str(t, s->ascii ? "-" : "\xe2\x94\x80");
	text_chr(t, '\n');
	if (axes->x_time) {
		chart_time(p->r.x0, span, from, sizeof(from));
		chart_time(p->r.x1, span, to, sizeof(to));
	} else {
		chart_number(p->r.x0, span / 100, from, sizeof(from));
		chart_number(p->r.x1, span / 100, to, sizeof(to));
	}
	used = strlen(from) + strlen(to);
	spaces(t, labels + 2);
	text_str(t, from);
	spaces(t, p->width > used ? p->width - used : 1);
	text_fmt(t, "%s\n", to);
	spaces(t, labels + 2);
	safe_text(t, axes->x);
	text_str(t, axes->x_time ? " (UTC)" : "");
	if (p->r.y0 > 0 || p->r.y1 < 0) {
		text_str(t, "; ");
		safe_text(t, axes->y);
		text_str(t, _(" does not begin at 0"));
	}
	text_chr(t, '\n');
}

void chart_curves(struct text *t, const struct chart_style *s, const char *title,
	const struct chart_axes *axes, const struct chart_curve *v, size_t n)
{
	struct plot p = { 0 };
	char number[40];
	size_t labels = 0;

	if (n > CHART_CURVES)
		n = CHART_CURVES;
	if (title)
		heading(t, title);
	if (!chart_range(axes, v, n, &p.r)) {
		text_fmt(t, "%s\n", _("nothing to draw yet"));
		return;
	}
	for (size_t row = 0; row < ROWS; row++) {
		row_label(&p, row, number, sizeof(number));
		labels = strlen(number) > labels ? strlen(number) : labels;
	}
	p.width = s->width > labels + 12 ? s->width - labels - 3 : 10;
	p.cells = mem_new(ROWS, p.width);
	memset(p.cells, ' ', ROWS * p.width);
	draw(&p, v, n);
	heading(t, axes->y);
	for (size_t row = 0; row < ROWS; row++) {
		size_t len = p.width;

		row_label(&p, row, number, sizeof(number));
		spaces(t, labels - strlen(number));
		text_fmt(t, "%s %s", number, s->ascii ? "|" : "\xe2\x94\x82");
		while (len && p.cells[row * p.width + len - 1] == ' ')
			len--;
		text_add(t, p.cells + row * p.width, len);
		text_chr(t, '\n');
	}
	x_axis(t, &p, axes, s, labels);
	for (size_t i = 0; i < n && (n > 1 || *v[i].label); i++) {
		text_fmt(t, "%s%c ", i ? "   " : "  ", marks[i]);
		safe_text(t, v[i].label);
	}
	if (n > 1 || *v[0].label)
		text_chr(t, '\n');
	mem_free(p.cells);
}
