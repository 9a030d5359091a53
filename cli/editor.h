/* SPDX-License-Identifier: MIT */
/* What the module readline.so gives: a line editor with a history. It is loaded by the shell on a
 * terminal alone. */
#ifndef SVCTL_EDITOR_H
#define SVCTL_EDITOR_H

#include <stddef.h>

#define EDITOR_ABI 2

/* One thing that fits at the cursor. */
struct fit {
	char *word; /* as it is */
	char *text; /* as it is written in the line, with quotes */
	char *help;
	int open; /* more may follow: no blank after it */
};

struct fits {
	struct fit *v;
	size_t n;
	size_t from; /* where in the line the text belongs */
	int files;   /* files here fit, too */
};

/* What the editor asks of the shell. */
struct editor_host {
	void *data;
	/* What fits at the end of a line's first bytes. */
	void (*complete)(void *data, const char *line, size_t len, struct fits *ret);
	void (*complete_free)(struct fits *fits);
	/* Prints it, for reading. */
	void (*show)(void *data, const struct fits *fits);
	/* Descriptors that become readable when there is something to report while a line is
	 * typed; at most max. How many there are. */
	size_t (*watch)(void *data, int *fds, size_t max);
	void (*report)(void *data);
};

enum editor_result { EDITOR_LINE, EDITOR_END, EDITOR_INTERRUPTED };

struct editor {
	unsigned abi;
	/* The host must live as long as the editor is used. */
	void (*begin)(const struct editor_host *host);
	/* Reads a line without its end; *ret is ended by release(), and may be NULL. */
	enum editor_result (*read)(const char *prompt, char **ret);
	void (*remember)(const char *line);
	void (*release)(char *line);
};

#endif
