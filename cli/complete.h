/* SPDX-License-Identifier: MIT */
/* The one completer: bash, zsh, fish and the shell all ask it. */
#ifndef SVCTL_COMPLETE_H
#define SVCTL_COMPLETE_H

#include "args.h"
#include "editor.h"

/* A question under way. */
struct completion {
	struct app *app;
	struct call call;
	struct expected expected;
	const char *word; /* what stands at the cursor */
	const char *part; /* of it, what is completed */
	struct text lead; /* of it, what stays before that: "--gpu=", "trainer:" */
	int named;        /* a name must stand there, whether one is known or not */
	struct fits *ret;
};

/* What fits where word stands, behind these words (the noun first). Never prints, asks or starts
 * anything. The texts of the fits are the bare words. */
void complete(struct app *a, size_t n, char **words, const char *word, struct fits *ret);
/* The same for a line as it was typed, up to the cursor: the fits' texts are quoted as the line is,
 * and from says where they go. breaks: characters that bash ends words at, "" for none. */
void complete_line(
	struct app *a, const char *line, size_t len, const char *breaks, struct fits *ret);
void fits_free(struct fits *fits);

/* For the completer's own files. Offers a word, if it goes on from what was typed. */
void fits_offer(struct completion *c, const char *word, const char *help, int open);
/* Values of an option, of a field, of a command's plain word. */
void complete_row(struct completion *c, const struct opt_row *row);
void complete_field(struct completion *c, const struct field_opt *field);
void complete_plain(struct completion *c);
void complete_profiles(struct completion *c);

#endif
