/* SPDX-License-Identifier: MIT */
/* Help and manual pages are told by the same functions to one of two back ends. */
#ifndef SVCTL_DOC_H
#define SVCTL_DOC_H

#include "command.h"

struct doc;

struct doc_ops {
	void (*section)(struct doc *d, const char *title);
	void (*paragraph)(struct doc *d, const char *text);
	void (*synopsis)(struct doc *d, const char *line);
	void (*items)(struct doc *d, int begin);
	void (*item)(struct doc *d, const char *term, const char *text);
	void (*example)(struct doc *d, const char *line, const char *text);
};

struct doc {
	const struct doc_ops *ops;
	struct sink *out;
	struct app *app;
	const char *title; /* of a list: said before its first item, or never */
	int list;          /* 1: begun, nothing in it yet; 2: items stand in it */
	int fresh;         /* a heading stands right before */
	const char *rules; /* of roff, for where lines of this language may end, or NULL */
	int brief;         /* a screen, not a page: words of vocabularies stay out */
};

extern const struct doc_ops doc_text, doc_mdoc;

/* Everything about one command. */
void doc_action(struct doc *d, const struct call *call);
/* A noun with all its verbs. */
void doc_noun(struct doc *d, const char *noun, const struct sv_kind *kind);
void doc_nouns(struct doc *d);
/* The words that only the shell knows. */
void doc_builtins(struct doc *d);
void doc_options(struct doc *d, const struct opt_row *rows);
void doc_exit_codes(struct doc *d);
void doc_filters(struct doc *d);
void doc_formats(struct doc *d);
/* What a format is, or "". */
const char *format_help(const char *name);
void doc_environment(struct doc *d);

/* Prose and examples that no row holds. */
const char *prose_of(const char *noun);
struct example {
	const char *noun, *verb, *line, *text;
};
const struct example *example_at(size_t i);

#endif
