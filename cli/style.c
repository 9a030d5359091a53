/* SPDX-License-Identifier: MIT */
/* Colour and pager: neither is ever seen by a program. */
#include "style.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "ssh.h"

static int automatic(const struct app *a, int tty)
{
	if (a->env.no_color)
		return 0;
	if (a->env.clicolor_force && strcmp(a->env.clicolor_force, "0") != 0)
		return 1;
	return tty && a->env.term && strcmp(a->env.term, "dumb") != 0;
}

int style_choose(struct app *a)
{
	const char *how = a->given.color;

	a->out_color = automatic(a, a->out_tty);
	a->err_color = automatic(a, a->err_tty);
	if (!how || !strcmp(how, "auto"))
		return 0;
	if (strcmp(how, "always") != 0 && strcmp(how, "never") != 0)
		return -1;
	a->out_color = a->err_color = *how == 'a';
	return 0;
}

const char *style_on(int colored, int mood)
{
	static const char *const on[] = { [SV_PLAIN] = "",
		[SV_GOOD] = "\033[32m",
		[SV_BUSY] = "\033[33m",
		[SV_BAD] = "\033[31m",
		[SV_IDLE] = "\033[2m" };

	return colored && mood > SV_PLAIN && mood < (int)COUNT(on) ? on[mood] : "";
}

const char *style_off(int colored, int mood)
{
	return *style_on(colored, mood) ? "\033[0m" : "";
}

/* 1 when the command's first word is a program that can be found. */
static int found(const struct app *a, const char *command)
{
	size_t len = strcspn(command, " \t");
	const char *dir = a->env.path ? a->env.path : "";
	struct text t = { 0 };
	int yes = 0;

	if (memchr(command, '/', len)) {
		text_add(&t, command, len);
		yes = !access(text_of(&t), X_OK);
	}
	for (size_t n; !yes && len && *dir; dir += n + (dir[n] == ':')) {
		n = strcspn(dir, ":");
		t.n = 0;
		text_add(&t, dir, n);
		text_chr(&t, '/');
		text_add(&t, command, len);
		yes = !access(text_of(&t), X_OK);
	}
	text_free(&t);
	return yes;
}

/* The first that was said; said to be nothing, or cat, it is none. */
static const char *pager(const struct app *a)
{
	const char *p = a->env.svctl_pager ? a->env.svctl_pager
			: a->env.pager     ? a->env.pager
					   : "less -FRX";

	return blank(p) || !strcmp(p, "cat") || !found(a, p) ? NULL : p;
}

/* less goes by its own locale, which may be one that this machine does not have. */
static int charset_unsaid(const struct app *a)
{
	return !a->env.less_charset && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void pager_begin(struct app *a)
{
	char *all[] = { (char *)(uintptr_t)"/usr/bin/env",
		(char *)(uintptr_t)"LESSCHARSET=utf-8", (char *)(uintptr_t)"/bin/sh",
		(char *)(uintptr_t)"-c", NULL, NULL };
	char **argv = charset_unsaid(a) ? all : all + 2;
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	pid_t pid;
	int fd[2];

	if (a->pager || a->paged || !a->out_tty || !a->in_tty || a->json_errors || !a->env.term ||
		!strcmp(a->env.term, "dumb"))
		return;
	all[4] = (char *)(uintptr_t)pager(a);
	if (!all[4] || pipe2(fd, O_CLOEXEC))
		return;
	a->pager_modes = mem_new(1, sizeof(struct termios));
	if (tcgetattr(STDOUT_FILENO, a->pager_modes)) {
		mem_free(a->pager_modes);
		a->pager_modes = NULL;
	}
	sink_flush(&a->out);
	if (run_reading(argv, fd[0], &pid)) {
		close(fd[1]);
	} else {
		/* Its keys are its own: an interrupt ends what it asks for, not us. */
		sigaction(SIGINT, &ignore, &a->pager_interrupt);
		sigaction(SIGPIPE, &ignore, &a->pager_pipe);
		a->pager = pid;
		a->out.fd = fd[1];
	}
	close(fd[0]);
}

void pager_end(struct app *a)
{
	int st;

	if (!a->pager)
		return;
	/* Whoever leaves the pager has seen enough: that is no failure. */
	if (sink_flush(&a->out) == EPIPE)
		a->out.error = 0;
	close(a->out.fd);
	while (waitpid(a->pager, &st, 0) < 0 && errno == EINTR)
		;
	a->out.fd = STDOUT_FILENO;
	a->pager = 0;
	sigaction(SIGINT, &a->pager_interrupt, NULL);
	sigaction(SIGPIPE, &a->pager_pipe, NULL);
	if (a->pager_modes)
		tcsetattr(STDOUT_FILENO, TCSADRAIN, a->pager_modes);
	mem_free(a->pager_modes);
	a->pager_modes = NULL;
}
