/* SPDX-License-Identifier: MIT */
/* The shell's loop: lines to commands, one after the other as their operators say. */
#include "shell.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "errors.h"

/* Lines that may hold a secret are not kept, here or in the file. */
static void remember(struct shell *s, const char *line)
{
	const struct sv_config *config = s->app->config;
	int why = 0;

	if (!s->editor || blank(line) || history_secret(line, config ? config->api_key : NULL))
		return;
	s->editor->remember(line);
	if (s->history && !strchr(line, '\n'))
		why = history_add(s->history, line);
	if (why)
		note(s->app, "%s: %s", s->history, strerror(why));
}

/* 0 when the whole text can be run, else what is wrong; *at is where. */
static enum words_result check(const char *text, const char **at)
{
	enum joint joint = JOINT_END;
	enum words_result r;
	struct part p;
	int again;

	do {
		*at = text;
		r = words_next(&text, &p);
		/* "a &&" goes on in the next line. */
		if (!r && p.joint == JOINT_END && !p.words.n && !p.program &&
			(joint == JOINT_AND || joint == JOINT_OR))
			r = WORDS_OPEN;
		joint = p.joint;
		again = !r && joint != JOINT_END;
		part_free(&p);
	} while (again);
	if (r == WORDS_WRONG)
		*at = text;
	return r;
}

static int step(struct shell *s, const struct part *p, const char *text, size_t len)
{
	if (p->joint == JOINT_BACK)
		return job_start(s, text, len);
	return shell_run_part(s, p);
}

static void run_all(struct shell *s, const char *text)
{
	enum joint joint = JOINT_THEN;
	struct part p;

	do {
		int skip = (joint == JOINT_AND && s->status) || (joint == JOINT_OR && !s->status);
		const char *from = text;
		int empty;

		words_next(&text, &p);
		joint = p.joint;
		empty = !p.words.n && !p.program;
		if (!empty && !skip)
			s->status = step(
				s, &p, from, (size_t)(text - from) - (joint == JOINT_BACK ? 1 : 0));
		if (!empty && !skip && s->status && joint != JOINT_OR && joint != JOINT_AND &&
			!s->first_failure)
			s->first_failure = s->status;
		part_free(&p);
	} while (joint != JOINT_END && !s->left && !(s->stop && s->first_failure));
}

int shell_run_text(struct shell *s, const char *text)
{
	const char *at;
	enum words_result r = check(text, &at);

	if (r == WORDS_OPEN)
		return 1;
	if (!r) {
		run_all(s, text);
		return 0;
	}
	s->status =
		fail_text(s->app, EXIT_USAGE, _("an operator stands where none can: %.40s"), at);
	s->first_failure = s->first_failure ? s->first_failure : s->status;
	return 0;
}

/* Leaving once with jobs under way only says so; a script waits for them. */
static int may_leave(struct shell *s)
{
	if (!s->n_jobs)
		return 1;
	if (!s->app->in_tty) {
		jobs_wait(s);
		return 1;
	}
	if (s->told)
		return 1;
	s->told = 1;
	s->left = 0;
	note(s->app, _("%zu still under way; leaving again leaves them to go on alone"), s->n_jobs);
	return 0;
}

/* One line, which may go on an unfinished one. 1 when there are no more. */
static int turn(struct shell *s, struct text *all, int *more)
{
	struct text line = { 0 };
	enum line got = shell_read(s, &line, *more);

	if (got == LINE_READ) {
		if (*more)
			text_chr(all, '\n');
		text_add(all, text_of(&line), line.n);
		*more = shell_run_text(s, text_of(all));
		if (!*more)
			remember(s, text_of(all));
	} else if (got == LINE_DROPPED) {
		s->status = 128 + SIGINT;
		*more = 0;
	} else if (*more) {
		s->status = fail_text(
			s->app, EXIT_USAGE, _("the line is not complete: %.40s"), text_of(all));
	}
	text_free(&line);
	if (!*more || got == LINE_END)
		text_free(all);
	return got == LINE_END;
}

static void loop(struct shell *s)
{
	struct text all = { 0 };
	int more = 0, end = 0;

	do {
		end = turn(s, &all, &more);
		more = more && !end;
		if (end && s->app->in_tty)
			fputc('\n', stderr);
		if (s->app->signaled)
			break;
		if (!end && !s->left)
			s->told = 0;
	} while (!(s->stop && s->first_failure) && (!(end || s->left) || !may_leave(s)));
}

/* With a handler the keyboard's interrupt ends a read, which is all that is wanted of it. */
static void nothing(int sig)
{
	(void)sig;
}

int cmd_shell(struct call *call)
{
	struct app *a = call->app;
	struct shell s = { .app = a, .stop = opt_on(call, OPT_STOP_ON_ERROR) };
	struct sigaction on = { .sa_handler = nothing }, ignore = { .sa_handler = SIG_IGN };
	struct sigaction interrupt, pipe;

	if (a->in_shell)
		return fail_text(a, EXIT_USAGE, _("this is the shell"));
	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	a->in_shell = 1;
	if (a->in_tty)
		sigaction(SIGINT, &on, &interrupt);
	/* A program that has read enough must not end the shell that writes to it. */
	sigaction(SIGPIPE, &ignore, &pipe);
	shell_read_begin(&s);
	loop(&s);
	sigaction(SIGPIPE, &pipe, NULL);
	if (a->in_tty)
		sigaction(SIGINT, &interrupt, NULL);
	jobs_free(&s);
	mem_free(s.history);
	if (s.profile)
		a->given.profile = NULL;
	mem_free(s.profile);
	a->in_shell = 0;
	if (a->signaled)
		return 128 + a->signaled;
	return s.stop && s.first_failure ? s.first_failure : s.status;
}
