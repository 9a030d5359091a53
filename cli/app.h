/* SPDX-License-Identifier: MIT */
/* All that one run of svctl knows. There are no statics: a shell runs a thousand commands over one
 * of these. */
#ifndef SVCTL_APP_H
#define SVCTL_APP_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include <starverse/client.h>
#include <starverse/config.h>
#include <starverse/kind.h>

#include "mem.h"
#include "sink.h"

/* Exit statuses that no code of the library has. */
enum {
	EXIT_USAGE = 2,
	EXIT_SETTINGS = 3,
	EXIT_MISSING = 5,
	EXIT_CONFLICT = 6,
	EXIT_TIMED_OUT = 8,
	EXIT_UNREACHABLE = 9,
	EXIT_WORK_FAILED = 10,
	EXIT_SOME = 11,
	EXIT_REFUSED = 12,
	EXIT_DIFFERS = 16,
	EXIT_PIPE = 141
};

/* What main() reads of the environment; NULL when not set or empty. */
struct env {
	const char *home, *path, *state_home, *term, *columns;
	const char *output, *no_input, *debug; /* SVCTL_* */
	const char *proxy; /* whichever variable says it */
	const char *no_color, *clicolor_force;
	const char *completion_ms; /* SVCTL_COMPLETION_MS */
	const char *svctl_pager, *pager, *less_charset; /* empty ones, too */
};

/* Options that hold for a whole run; what a command line says comes on top and is undone after it.
 */
struct globals {
	const char *profile, *endpoint, *socket, *cacert, *output, *timeout, *request_timeout,
		*color, *lang;
	int insecure, yes, quiet, debug, strict;
};

struct progress;

struct app {
	struct env env;
	struct globals given;     /* of the command that runs */
	struct sv_config *config; /* loaded when first asked for */
	sv_client *client;        /* the same; kept from command to command */
	struct sink out;          /* stdout: the answer and nothing else */
	int in_tty, out_tty, err_tty;
	int out_color, err_color; /* as style_choose() decided */
	pid_t pager;              /* that stdout goes through, or 0 */
	struct sigaction pager_interrupt, pager_pipe; /* as they were before it */
	void *pager_modes;                            /* of the terminal */
	int width;       /* of the terminal; 0 when there is none */
	int json_errors; /* -o json: errors are objects, too */
	int in_shell;
	struct progress *progress; /* that is waited with, or NULL */
	int progress_open; /* a progress line stands on the terminal */
	int greeted;
	int warned; /* of the configuration */
	int keyless; /* the command works without an API key */
	int paged;    /* stdout is put on the screen as a whole: no pager, no progress */
	int signaled; /* what ended a command in the shell is to end the shell, too */
	int requests; /* commands that wanted a client so far */
	int asked;   /* a client was wanted since this was last 0 */
	int silent;  /* completion: nothing is printed */
};

/* The configuration, flags on top. NULL: an error was printed and *status is the exit status. */
struct sv_config *app_config(struct app *a, int *status);
/* The client. The first time it also asks what became of calls whose answer never came. NULL as
 * above. */
sv_client *app_client(struct app *a, int *status);
/* Forgets configuration and client: other flags, or another profile. */
void app_reset(struct app *a);
void app_end(struct app *a);
/* How wide the terminal is now. */
void app_resize(struct app *a);

/* A path in the state directory; the directories are made, 0700. NULL when that fails. */
char *app_state_path(struct app *a, const char *name);

/* While these hold, the keyboard's interrupt, hang-up and termination end waiting instead of the
 * program. */
struct hold {
	int on;
	unsigned long saved[16]; /* a sigset_t */
};
void hold_begin(struct app *a, struct hold *h);
void hold_end(struct app *a, struct hold *h);
/* The signal that came and was not yet taken, or 0. */
int hold_signal(void);
/* Whether such a signal ends requests: not those that take back what was begun. */
void app_interrupts(struct app *a, int on);
/* Milliseconds of a clock that nobody sets. */
int64_t now_ms(void);

#endif
