/* SPDX-License-Identifier: MIT */
/* Starts: descriptors, locale, environment; then one command. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "command.h"
#include "i18n.h"

/* A descriptor that is closed at the start must not become a socket or a database later. It is
 * opened so that its use fails: reading from what can only be written, and the other way round. */
static void reopen(int fd)
{
	int got;

	if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
		return;
	got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	if (got >= 0 && got != fd) {
		dup2(got, fd);
		close(got);
	}
}

static void nothing(int sig)
{
	(void)sig;
}

/* A file that may not grow is a write error like any other. A handler, since programs that are
 * started must not ignore it. */
static void no_death_by_size(void)
{
	struct sigaction on = { .sa_handler = nothing }, was;

	if (!sigaction(SIGXFSZ, NULL, &was) && was.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &on, NULL);
}

static const char *variable(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

/* The variable that decides the language of messages. */
static const char *locale(void)
{
	const char *v = variable("LC_ALL");

	v = v ? v : variable("LC_MESSAGES");
	return v ? v : variable("LANG");
}

static void environment(struct env *e)
{
	e->home = variable("HOME");
	e->path = variable("PATH");
	e->state_home = variable("XDG_STATE_HOME");
	e->term = variable("TERM");
	e->columns = variable("COLUMNS");
	e->output = variable("SVCTL_OUTPUT");
	e->no_input = variable("SVCTL_NO_INPUT");
	e->debug = variable("SVCTL_DEBUG");
	e->completion_ms = variable("SVCTL_COMPLETION_MS");
	e->proxy = variable("https_proxy");
	e->proxy = e->proxy ? e->proxy : variable("HTTPS_PROXY");
	e->proxy = e->proxy ? e->proxy : variable("all_proxy");
	e->proxy = e->proxy ? e->proxy : variable("ALL_PROXY");
	e->no_color = variable("NO_COLOR");
	e->clicolor_force = variable("CLICOLOR_FORCE");
	e->svctl_pager = getenv("SVCTL_PAGER");
	e->pager = getenv("PAGER");
	e->less_charset = getenv("LESSCHARSET");
}

static void terminal(struct app *a)
{
	a->in_tty = isatty(STDIN_FILENO);
	a->out_tty = isatty(STDOUT_FILENO);
	a->err_tty = isatty(STDERR_FILENO);
	app_resize(a);
}

/* All is written and given back: what libraries do at exit for themselves takes as long as a small
 * request. Not where those that look for leaks and coverage wait for it. */
static void leave(int rc)
{
#ifdef SVCTL_LEAVE
	_exit(rc);
#else
	(void)rc;
#endif
}

int main(int argc, char **argv)
{
	static const char *const shell[] = { "shell" };
	struct app *a;
	int rc;

	for (int fd = 0; fd < 3; fd++)
		reopen(fd);
	no_death_by_size();
	i18n_open(argc > 0 ? (size_t)argc - 1 : 0, argv + 1, locale(), variable("LANGUAGE"));
	a = mem_new(1, sizeof(*a));
	sink_init(&a->out, STDOUT_FILENO);
	environment(&a->env);
	terminal(a);
	if (argc < 2 && a->in_tty && a->out_tty)
		rc = command_run(a, 1, (char **)(uintptr_t)shell);
	else
		rc = command_run(a, argc > 0 ? (size_t)argc - 1 : 0, argv + 1);
	app_end(a);
	mem_free(a);
	leave(rc);
	return rc;
}
