/* SPDX-License-Identifier: MIT */
/* One line of a shell -> commands of words, as sh quotes them. */
#ifndef SVCTL_WORDS_H
#define SVCTL_WORDS_H

#include "mem.h"

/* What stands after a command. */
enum joint { JOINT_END, JOINT_THEN, JOINT_AND, JOINT_OR };

enum words_result {
	WORDS_OK,
	WORDS_OPEN, /* a quote is not closed, or the line ends in a backslash: more is needed */
	WORDS_WRONG /* an operator where none can be */
};

/* Reads the next command from *line, which is moved behind it and its operator. Empty words are
 * kept. */
enum words_result words_next(const char **line, struct words *ret, enum joint *joint);

#endif
