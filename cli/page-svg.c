/* SPDX-License-Identifier: MIT */
/* The page's pictures: SVG inside it, drawn from the same data as a terminal's charts. */
#include <stdio.h>
#include <string.h>

#include "out.h"
#include "page.h"

#define WIDTH   720
#define BAR     26 /* a line of bars */
#define HEIGHT  260
#define LEFT    70
#define RIGHT   12
#define TOP     14
#define BOTTOM  44
#define LABEL_X 190 /* where bars begin */
#define TEXT_X  130 /* what their texts take */

static void open_svg(struct text *t, const char *title, int height)
{
	text_str(t, "<figure><figcaption>");
	page_escape(t, title);
	text_fmt(t, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
		height);
	page_escape(t, title);
	text_str(t, "\">\n");
}

static void close_svg(struct text *t)
{
	text_str(t, "</svg></figure>\n");
}

/* anchor: start, middle or end; most: columns it may take. */
static void put(struct text *t, double x, double y, const char *anchor, const char *class,
	const char *text, size_t most)
{
	size_t len = strlen(text);
	int cut = text_width(text, len) > most;
	char *part = mem_dup(text, cut ? text_fit(text, len, most - 1) : len);

	text_fmt(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor,
		class);
	page_escape(t, part);
	if (cut) {
		text_str(t, "\xe2\x80\xa6<title>");
		page_escape(t, text);
		text_str(t, "</title>");
	}
	text_str(t, "</text>\n");
	mem_free(part);
}

void page_bars(struct text *t, const char *title, const struct chart_bar *v, size_t n)
{
	double most = chart_most(v, n), room = WIDTH - LABEL_X - TEXT_X;

	open_svg(t, title, (int)n * BAR + 8);
	for (size_t i = 0; i < n; i++) {
		double y = (double)i * BAR + 4,
		       w = chart_share(v[i].value, most);

		put(t, LABEL_X - 8, y + 16, "end", "", v[i].label, 26);
		text_fmt(t, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" class=\"k0 "
			    "fill\"/>\n",
			LABEL_X, y + 3, w * room, BAR - 8);
		put(t, LABEL_X + w * room + 8, y + 16, "start", "", v[i].text, 24);
	}
	text_fmt(t, "<line x1=\"%d\" y1=\"2\" x2=\"%d\" y2=\"%d\" class=\"axis\"/>\n", LABEL_X,
		LABEL_X, (int)n * BAR + 6);
	close_svg(t);
}

/* Lines across at round numbers, with the numbers at the left. */
static void y_grid(struct text *t, double y0, double y1)
{
	double step, first = chart_ticks(y0, y1, 5, &step), h = HEIGHT - TOP - BOTTOM;
	char number[40];

	for (double v = first; v <= y1 + step / 1e6; v += step) {
		double y = TOP + h - (v - y0) / (y1 - y0) * h;

		text_fmt(t, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>\n",
			LEFT, y, WIDTH - RIGHT, y);
		chart_number(v, step, number, sizeof(number));
		put(t, LEFT - 8, y + 4, "end", "dim", number, 12);
	}
	text_fmt(t, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"axis\"/>\n", LEFT,
		TOP + h, WIDTH - RIGHT, TOP + h);
}

void page_columns(struct text *t, const char *title, const struct chart_bar *v, size_t n)
{
	double most = chart_most(v, n), h = HEIGHT - TOP - BOTTOM, each;
	size_t every = n > 12 ? (n + 11) / 12 : 1;

	if (!n)
		return;
	each = (double)(WIDTH - LEFT - RIGHT) / (double)n;
	if (most <= 0)
		most = 1;
	open_svg(t, title, HEIGHT);
	y_grid(t, 0, most);
	for (size_t i = 0; i < n; i++) {
		double x = LEFT + (double)i * each, y = chart_share(v[i].value, most) * h;

		text_fmt(t,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"k0 "
			"fill\"><title>",
			x + each * 0.12, TOP + h - y, each * 0.76, y);
		page_escape(t, v[i].label);
		text_str(t, ": ");
		page_escape(t, v[i].text);
		text_str(t, "</title></rect>\n");
		if (i % every == 0)
			put(t, x + each / 2, HEIGHT - BOTTOM + 18, "middle", "dim", v[i].label, 14);
	}
	close_svg(t);
}

static double at_x(const struct chart_range *r, double x)
{
	return LEFT + (x - r->x0) / (r->x1 - r->x0) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const struct chart_range *r, double y)
{
	double h = HEIGHT - TOP - BOTTOM;

	return TOP + h - (y - r->y0) / (r->y1 - r->y0) * h;
}

/* Each has dashes of its own, for those who print without colour. */
static const char *const dashes[CHART_CURVES] = { "none", "6 3", "2 3", "10 4", "8 3 2 3", "1 4" };

static void curve(
	struct text *t, const struct chart_range *r, const struct chart_curve *c, size_t k)
{
	int down = 0;

	text_fmt(t, "<path class=\"k%zu stroke\" stroke-dasharray=\"%s\" d=\"", k, dashes[k]);
	for (size_t i = 0; i < c->n; i++) {
		if (!chart_drawn(c->x[i]) || !chart_drawn(c->y[i])) {
			down = 0;
			continue;
		}
		if (down && c->steps)
			text_fmt(t, "H%.1f", at_x(r, c->x[i]));
		text_fmt(t, "%c%.1f %.1f", down ? 'L' : 'M', at_x(r, c->x[i]), at_y(r, c->y[i]));
		down = 1;
	}
	text_str(t, "\"><title>");
	page_escape(t, c->label);
	text_str(t, "</title></path>\n");
	/* A curve of one point would not be seen. */
	if (c->n == 1 && chart_drawn(c->x[0]) && chart_drawn(c->y[0]))
		text_fmt(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"k%zu fill\"/>\n",
			at_x(r, c->x[0]), at_y(r, c->y[0]), k);
}

static void x_axis(struct text *t, const struct chart_axes *axes, const struct chart_range *r)
{
	double span = r->x1 - r->x0, step,
	       first = axes->x_time ? chart_time_ticks(r->x0, r->x1, 6, &step)
				    : chart_ticks(r->x0, r->x1, 6, &step);
	struct text below = { 0 };
	char number[40];

	for (double v = first; v <= r->x1 + step / 1e6; v += step) {
		if (axes->x_time)
			chart_time(v, span, number, sizeof(number));
		else
			chart_number(v, step, number, sizeof(number));
		put(t, at_x(r, v), HEIGHT - BOTTOM + 18, v > r->x1 - step / 4 ? "end" : "middle",
			"dim", number, 14);
	}
	text_fmt(&below, "%s%s", axes->x, axes->x_time ? " (UTC)" : "");
	if (r->y0 > 0 || r->y1 < 0)
		text_fmt(&below, _("; %s does not begin at 0"), axes->y);
	put(t, LEFT, HEIGHT - 6, "start", "dim", text_of(&below), 90);
	text_free(&below);
}

static void legend(struct text *t, const struct chart_curve *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double x = LEFT + (double)i * 105;

		text_fmt(t,
			"<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"k%zu stroke\" "
			"stroke-dasharray=\"%s\"/>\n",
			x, HEIGHT + 7, x + 20, HEIGHT + 7, i, dashes[i]);
		put(t, x + 25, HEIGHT + 11, "start", "", v[i].label, 12);
	}
}

void page_curves(struct text *t, const char *title, const struct chart_axes *axes,
	const struct chart_curve *v, size_t n)
{
	struct chart_range r;

	if (n > CHART_CURVES)
		n = CHART_CURVES;
	if (!chart_range(axes, v, n, &r)) {
		page_para(t, _("nothing to draw yet"));
		return;
	}
	open_svg(t, title, HEIGHT + (n > 1 ? 20 : 0));
	y_grid(t, r.y0, r.y1);
	for (size_t i = 0; i < n; i++)
		curve(t, &r, &v[i], i);
	x_axis(t, axes, &r);
	if (n > 1)
		legend(t, v, n);
	close_svg(t);
}
