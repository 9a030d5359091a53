/* SPDX-License-Identifier: MIT */
/* The only file that knows readline. A module: whoever does not use the shell on a terminal never
 * loads it. */
#include <stdio.h>
#include <stdlib.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "editor.h"

#define HISTORY_MAX 2000

extern const struct editor svctl_editor;

/* A signal came while a key was waited for: the line is given up, the prompt stands again. */
static int interrupted(void)
{
	rl_free_line_state();
	rl_callback_sigcleanup();
	rl_replace_line("", 0);
	rl_crlf();
	rl_on_new_line();
	rl_redisplay();
	return 0;
}

static void begin(const struct editor_host *host)
{
	(void)host;
	rl_catch_signals = 0;
	rl_signal_event_hook = interrupted;
	rl_readline_name = "svctl";
	rl_outstream = stderr;
	rl_bind_key('\t', rl_insert);
	using_history();
	stifle_history(HISTORY_MAX);
}

static enum editor_result read_line(const char *prompt, char **ret)
{
	*ret = readline(prompt);
	return *ret ? EDITOR_LINE : EDITOR_END;
}

static void remember(const char *line)
{
	add_history(line);
}

static void release(char *line)
{
	free(line);
}

__attribute__((visibility("default")))
const struct editor svctl_editor = { EDITOR_ABI, begin, read_line, remember, release };
