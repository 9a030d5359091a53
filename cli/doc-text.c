/* SPDX-License-Identifier: MIT */
/* Help on a screen of 80 columns. */
#include <string.h>

#include "doc.h"
#include "out.h"

#define WIDTH  80
#define INDENT 2
#define TERM   28

static void wrap(struct sink *out, const char *text, size_t at, size_t indent)
{
	int gap = 0;

	while (*text) {
		size_t len = text_piece(text), w = text_width(text, len);

		if (at > indent && at + (size_t)gap + w > WIDTH) {
			sink_chr(out, '\n');
			sink_pad(out, indent);
			at = indent;
		} else if (gap && at > indent) {
			sink_chr(out, ' ');
			at++;
		}
		sink_add(out, text, len);
		at += w;
		text += len;
		gap = *text == ' ';
		text += strspn(text, " ");
		if (*text == '\n') {
			sink_str(out, text[1] == '\n' ? "\n\n" : "\n");
			text += strspn(text, "\n");
			sink_pad(out, *text ? indent : 0);
			at = indent;
		}
	}
	sink_chr(out, '\n');
}

static void section(struct doc *d, const char *title)
{
	sink_fmt(d->out, _("\n%s:\n"), title);
}

static void paragraph(struct doc *d, const char *text)
{
	sink_chr(d->out, '\n');
	wrap(d->out, text, 0, 0);
}

static void synopsis_line(struct doc *d, const char *line)
{
	sink_fmt(d->out, _("Usage: %s\n"), line);
}

static void items(struct doc *d, int begin)
{
	d->list = begin;
}

static void item(struct doc *d, const char *term, const char *text)
{
	size_t w = text_width(term, strlen(term));

	if (d->list == 1 && d->title)
		section(d, d->title);
	d->title = NULL;
	d->list = 2;
	sink_pad(d->out, INDENT);
	sink_str(d->out, term);
	if (w + 2 > TERM) {
		sink_chr(d->out, '\n');
		w = 0;
		sink_pad(d->out, INDENT + TERM);
	} else {
		sink_pad(d->out, TERM - w);
	}
	wrap(d->out, text, INDENT + TERM, INDENT + TERM);
}

static void example(struct doc *d, const char *line, const char *text)
{
	sink_fmt(d->out, "  %s\n", line);
	sink_pad(d->out, 6);
	wrap(d->out, text, 6, 6);
}

const struct doc_ops doc_text = { section, paragraph, synopsis_line, items, item, example };
