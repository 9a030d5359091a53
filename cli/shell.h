/* SPDX-License-Identifier: MIT */
/* The shell: the same commands, a line each, over one warm connection. */
#ifndef SVCTL_SHELL_H
#define SVCTL_SHELL_H

#include <sys/types.h>

#include "app.h"
#include "editor.h"
#include "words.h"

/* A command that runs beside the shell: a process of its own, whose output is kept until it ends.
 */
struct job {
	int number;
	pid_t pid;
	int gone;     /* becomes readable when it has ended */
	int out, err; /* what it printed, in memory */
	char *text;
};

struct shell {
	struct app *app;
	const struct editor *editor; /* NULL: no terminal, or no module */
	struct editor_host host;
	int stop; /* -e: stop at the first failure */
	int left; /* exit was said */
	int told; /* that jobs go on alone, if left now */
	int status, first_failure;
	int interrupted;  /* the command was ended by the keyboard */
	int disconnected; /* the last answer that was waited for did not come */
	char *history;    /* file, or NULL */
	char *profile;    /* of use, or NULL */
	struct job *jobs;
	size_t n_jobs;
	int last_job; /* number */
};

/* A word that only the shell knows. */
struct builtin {
	const char *name, *synopsis, *help;
	int (*run)(struct shell *s, const struct words *w);
};

/* The i-th, sorted, or NULL. */
const struct builtin *builtin_at(size_t i);
/* How many words before the command that a builtin runs: 2 for "watch 5 ...", else 0. */
size_t builtin_skips(const struct words *w);

/* Runs a whole text. 0 when it was complete, 1 when more is needed. */
int shell_run_text(struct shell *s, const char *text);
/* Runs one command with all that stands around it. An exit status. */
int shell_run_part(struct shell *s, const struct part *p);
/* Runs one command here. An exit status. */
int shell_run_words(struct shell *s, const struct words *w);
/* What fits behind these words, for reading. */
void shell_show(struct shell *s, const struct fits *fits);

enum line { LINE_READ, LINE_END, LINE_DROPPED };
/* Reads one line; more: it goes on an unfinished one. */
enum line shell_read(struct shell *s, struct text *line, int more);
void shell_read_begin(struct shell *s);

/* Starts a text in the background. An exit status. */
int job_start(struct shell *s, const char *text, size_t len);
/* Tells of those that have ended, and forgets them. */
void jobs_report(struct shell *s);
/* Waits for all; ends early at an interrupt. The status of the last that ended. */
int jobs_wait(struct shell *s);
void jobs_free(struct shell *s);

/* Lines of the file, oldest first. */
void history_load(const char *file, void (*each)(void *data, const char *line), void *data);
/* Appends one, whoever else does at the same time. 0 or an errno. */
int history_add(const char *file, const char *line);
/* 1 for what may not be kept: it may hold a key. */
int history_secret(const char *line, const char *key);

#endif
