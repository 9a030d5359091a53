/* SPDX-License-Identifier: MIT */
/* The page's text, facts and tables, and how it gets into its file. Its pictures are in
 * page-svg.c. */
#include "page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "out.h"

void page_escape(struct text *t, const char *s)
{
	static const struct {
		char c;
		const char *as;
	} all[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
		{ '\'', "&#39;" } };
	struct text clean = { 0 };

	/* Control characters and bytes that are no UTF-8 become what can be seen. */
	safe_text(&clean, s);
	for (const char *p = text_of(&clean); *p; p++) {
		size_t i = 0;

		while (i < COUNT(all) && all[i].c != *p)
			i++;
		if (i < COUNT(all))
			text_str(t, all[i].as);
		else
			text_chr(t, *p);
	}
	text_free(&clean);
}

static void element(struct text *t, const char *name, const char *attributes, const char *text)
{
	text_fmt(t, "<%s%s>", name, attributes);
	page_escape(t, text);
	text_fmt(t, "</%s>", name);
}

static const char style[] =
	":root{--ink:#1c2024;--dim:#5a6270;--line:#d5dae1;--paper:#fff;--a:#1f5fbf;--b:#c2410c;"
	"--c:#15803d;--d:#7e22ce;--e:#a16207;--f:#0e7490}"
	"@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--dim:#9aa3af;--line:#363c45;"
	"--paper:#14171a;--a:#7db2ff;--b:#ff9a63;--c:#6bd48f;--d:#cf9bff;--e:#e6c15a;--f:#5cd0e6}}"
	"@media print{:root{--ink:#000;--dim:#444;--line:#bbb;--paper:#fff;--a:#1f5fbf;--b:#c2410c;"
	"--c:#15803d;--d:#7e22ce;--e:#a16207;--f:#0e7490}section,figure,tr{break-inside:avoid}}"
	"*{box-sizing:border-box}body{margin:0 auto;max-width:60rem;padding:2rem 1.5rem;"
	"background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,\"Noto Sans CJK SC\","
	"sans-serif}h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}"
	".sub{color:var(--dim);margin:.2rem 0 1rem}p{max-width:45rem}"
	"dl{display:flex;flex-wrap:wrap;gap:1.5rem 2.5rem;margin:1rem 0}dl div{display:flex;"
	"flex-direction:column-reverse}dt{color:var(--dim);font-size:.85rem}dd{margin:0;"
	"font-size:1.3rem;font-variant-numeric:tabular-nums}"
	"table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
	"th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);"
	"overflow-wrap:anywhere}th{color:var(--dim);font-weight:500}.n{text-align:right;"
	"padding-right:0;padding-left:.8rem;overflow-wrap:normal}.total td{font-weight:600;"
	"border-bottom:0}figure{margin:1rem 0}figcaption{color:var(--dim);font-size:.9rem}"
	"svg{width:100%;height:auto;display:block}svg text{fill:var(--ink);font-size:12px;"
	"font-family:inherit}svg .dim{fill:var(--dim)}svg .grid{stroke:var(--line)}"
	"svg .axis{stroke:var(--dim)}svg .k0{color:var(--a)}svg .k1{color:var(--b)}"
	"svg .k2{color:var(--c)}svg .k3{color:var(--d)}svg .k4{color:var(--e)}"
	"svg .k5{color:var(--f)}svg .fill{fill:currentColor}svg .stroke{stroke:currentColor;"
	"fill:none;stroke-width:2}";

void page_open(struct text *t, const char *title, const char *subtitle)
{
	/* As HTML spells the language of the translation. */
	text_fmt(t, "<!DOCTYPE html>\n<html lang=\"%s\">\n", _("en"));
	text_str(t, "<head>\n<meta charset=\"utf-8\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "style-src 'unsafe-inline'\">\n<title>");
	page_escape(t, title);
	text_fmt(t, "</title>\n<style>%s</style>\n</head>\n<body>\n", style);
	element(t, "h1", "", title);
	text_chr(t, '\n');
	if (subtitle)
		element(t, "p", " class=\"sub\"", subtitle);
	text_chr(t, '\n');
}

void page_close(struct text *t)
{
	text_str(t, "</body>\n</html>\n");
}

void page_heading(struct text *t, const char *text)
{
	element(t, "h2", "", text);
	text_chr(t, '\n');
}

void page_para(struct text *t, const char *text)
{
	element(t, "p", "", text);
	text_chr(t, '\n');
}

void page_facts(struct text *t, const struct page_fact *v, size_t n)
{
	text_str(t, "<dl>");
	for (size_t i = 0; i < n; i++) {
		text_str(t, "<div>");
		element(t, "dt", "", v[i].name);
		element(t, "dd", "", v[i].value);
		text_str(t, "</div>");
	}
	text_str(t, "</dl>\n");
}

void page_table(struct page_table *p, struct text *t, const char *const *heads, const int *numbers,
	size_t n)
{
	*p = (struct page_table){ t, numbers, n };
	text_str(t, "<table>\n<thead><tr>");
	for (size_t i = 0; i < n; i++)
		element(t, "th", numbers[i] ? " class=\"n\"" : "", heads[i]);
	text_str(t, "</tr></thead>\n<tbody>\n");
}

void page_row(const struct page_table *p, const char *const *cells, int total)
{
	text_str(p->t, total ? "<tr class=\"total\">" : "<tr>");
	for (size_t i = 0; i < p->n; i++)
		element(p->t, "td", p->numbers[i] ? " class=\"n\"" : "", cells[i] ? cells[i] : "");
	text_str(p->t, "</tr>\n");
}

void page_table_end(const struct page_table *p)
{
	text_str(p->t, "</tbody>\n</table>\n");
}

static int failed(struct app *a, const char *file, const char *beside)
{
	int code = errno;

	if (beside)
		unlink(beside);
	return fail_text(a, 1, _("%s cannot be written: %s"), file, strerror(code));
}

int page_write(struct app *a, const char *file, const struct text *t)
{
	struct text beside = { 0 };
	FILE *f;
	int rc = 0;

	if (!strcmp(file, "-")) {
		sink_add(&a->out, text_of(t), t->n);
		return 0;
	}
	text_fmt(&beside, "%s.%d.part", file, (int)getpid());
	f = fopen(text_of(&beside), "wxe");
	if (!f)
		rc = failed(a, file, NULL);
	else if ((fwrite(text_of(t), 1, t->n, f) != t->n) | (fflush(f) != 0) |
		 (fsync(fileno(f)) != 0) | (fclose(f) != 0) ||
		 rename(text_of(&beside), file) != 0)
		rc = failed(a, file, text_of(&beside));
	text_free(&beside);
	return rc;
}
