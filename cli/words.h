/* SPDX-License-Identifier: MIT */
/* One line of a shell -> commands of words, as sh quotes them. */
#ifndef SVCTL_WORDS_H
#define SVCTL_WORDS_H

#include "mem.h"

/* What stands after a command. */
enum joint { JOINT_END, JOINT_THEN, JOINT_AND, JOINT_OR, JOINT_BACK };

enum words_result {
	WORDS_OK,
	WORDS_OPEN, /* a quote is not closed, or the line ends in a backslash or |: more is needed
		     */
	WORDS_WRONG /* an operator where none can be */
};

/* One command of a line. */
struct part {
	struct words words;
	char *program; /* for sh: what stands after | or !, or NULL */
	char *file;    /* what stands after > or >>, or NULL */
	int append;    /* it was >> */
	enum joint joint;
};

/* Reads the next command from *line, which is moved behind it and its operator. Empty words are
 * kept. Ended by part_free(), whatever the result. */
enum words_result words_next(const char **line, struct part *ret);
void part_free(struct part *p);

/* Where the cursor is, at the end of what was typed. */
struct cursor {
	struct words words; /* of the command there, before the cursor's */
	struct text word;   /* what stands at the cursor, without its quotes */
	size_t from;        /* where that begins in the line */
	size_t inside;      /* where it begins behind an open quote */
	char quote;         /* the quote that is open, or 0 */
	int program;        /* the cursor is among words of another program */
	int file;           /* a file's name stands there */
};

void words_cursor(const char *line, size_t len, struct cursor *ret);
void cursor_free(struct cursor *c);

/* The word as it is written in a line: quote is the one that is open there, or 0 for backslashes.
 * Without the quote itself. */
void words_quote(struct text *t, const char *word, char quote);

#endif
