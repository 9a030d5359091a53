/* SPDX-License-Identifier: MIT */
/* What the module readline.so gives: a line editor with a history. It is loaded by the shell on a
 * terminal alone. */
#ifndef SVCTL_EDITOR_H
#define SVCTL_EDITOR_H

#define EDITOR_ABI 1

struct editor {
	unsigned abi;
	/* Reads a line without its end into memory of malloc; NULL at the end of input. */
	char *(*read)(const char *prompt);
	/* Forgets what was typed and begins anew: after Ctrl-C. */
	void (*begin)(void);
	void (*remember)(const char *line);
	void (*load)(const char *file);
	void (*release)(char *line);
};

#endif
