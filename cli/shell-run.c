/* SPDX-License-Identifier: MIT */
/* One command of a line: the shell's own words, pipes, files, programs. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "complete.h"
#include "errors.h"
#include "out.h"
#include "shell.h"
#include "ssh.h"
#include "style.h"

static int leave(struct shell *s, const struct words *w)
{
	(void)w;
	s->left = 1;
	return s->status;
}

static int list_jobs(struct shell *s, const struct words *w)
{
	(void)w;
	jobs_report(s);
	for (size_t i = 0; i < s->n_jobs; i++) {
		struct text t = { 0 };

		safe_text(&t, s->jobs[i].text);
		sink_fmt(&s->app->out, "[%d] %ld %s\n", s->jobs[i].number, (long)s->jobs[i].pid,
			text_of(&t));
		text_free(&t);
	}
	return finish_output(s->app, 0);
}

/* Another profile: what was given for the one before holds no more. */
static int use(struct shell *s, const struct words *w)
{
	struct globals *g = &s->app->given;
	struct globals before = *g;
	char *profile;
	int status = 0;

	if (w->n != 2)
		return fail_text(s->app, EXIT_USAGE, _("use PROFILE"));
	profile = mem_dup(w->v[1], strlen(w->v[1]));
	g->profile = profile;
	g->endpoint = g->socket = g->cacert = NULL;
	g->insecure = 0;
	app_reset(s->app);
	if (!app_config(s->app, &status)) {
		*g = before;
		mem_free(profile);
		return status;
	}
	mem_free(s->profile);
	s->profile = profile;
	s->disconnected = 0;
	return 0;
}

static int wait_jobs(struct shell *s, const struct words *w)
{
	struct hold hold = { 0 };
	int rc;

	(void)w;
	if (s->app->in_tty)
		hold_begin(s->app, &hold);
	rc = jobs_wait(s);
	hold_end(s->app, &hold);
	return rc;
}

static int digits(const char *word)
{
	size_t n = strspn(word, "0123456789.");

	return n && !word[n] && n < 10;
}

/* "2" or "0.5" -> time; what is no number is none. */
static struct timespec pause_of(const char *word)
{
	struct timespec t = { 0, 0 };
	long place = 100000000;

	for (; isdigit((unsigned char)*word); word++)
		t.tv_sec = t.tv_sec * 10 + (*word - '0');
	for (word += *word == '.'; isdigit((unsigned char)*word); word++, place /= 10)
		t.tv_nsec += (*word - '0') * place;
	return t;
}

/* What a command prints, in memory: the screen changes at once, not line by line. */
static int to_memory(struct shell *s, const struct words *w, int fd, struct text *ret)
{
	char piece[8192];
	ssize_t k;
	int tty = s->app->out_tty, kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), rc;

	if (kept < 0 || ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET) || dup2(fd, STDOUT_FILENO) < 0)
		return fail_text(s->app, 1, "%s", strerror(errno));
	s->app->paged = 1;
	rc = shell_run_words(s, w);
	s->app->paged = 0;
	dup2(kept, STDOUT_FILENO);
	close(kept);
	s->app->out_tty = tty;
	lseek(fd, 0, SEEK_SET);
	while ((k = read(fd, piece, sizeof(piece))) > 0)
		text_add(ret, piece, (size_t)k);
	return rc;
}

static void screen(struct shell *s, const struct words *w, const struct text *said)
{
	struct sink *out = &s->app->out;

	if (s->app->out_tty) {
		struct text line = { 0 }, safe = { 0 };

		for (size_t i = 0; i < w->n; i++)
			text_fmt(&line, "%s%s", i ? " " : "", w->v[i]);
		safe_text(&safe, text_of(&line));
		sink_fmt(out, "\033[H\033[2J%s\n\n", text_of(&safe));
		text_free(&line);
		text_free(&safe);
	}
	sink_add(out, text_of(said), said->n);
}

/* The terminal has echoed ^C in the middle of a line. */
static void below_echo(const struct shell *s, int interrupted)
{
	if (interrupted && s->app->in_tty && s->app->err_tty)
		fputc('\n', stderr);
}

/* Until an interrupt, which is how one leaves it; a wrong command line will not become right. */
static int watch(struct shell *s, const struct words *w)
{
	size_t skip = builtin_skips(w);
	struct words command = { .v = w->v + skip, .n = w->n - skip };
	struct timespec pause = skip == 2 ? pause_of(w->v[1]) : (struct timespec){ 2, 0 };
	struct hold hold = { 0 };
	int fd = memfd_create("svctl", MFD_CLOEXEC), rc = 0;
	sigset_t ends;

	if (!command.n || (!pause.tv_sec && pause.tv_nsec < 100000000) || fd < 0) {
		close(fd);
		return fail_text(s->app, EXIT_USAGE, _("watch [SECONDS] COMMAND"));
	}
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	hold_begin(s->app, &hold);
	for (int sig = 0; !sig;) {
		struct text said = { 0 };

		app_resize(s->app);
		rc = to_memory(s, &command, fd, &said);
		screen(s, w, &said);
		text_free(&said);
		rc = finish_output(s->app, rc);
		if (s->app->signaled || s->interrupted || rc == EXIT_PIPE || rc == EXIT_USAGE)
			break;
		sig = sigtimedwait(&ends, NULL, &pause);
		if (sig > 0 && sig != SIGINT)
			s->app->signaled = sig;
		below_echo(s, sig == SIGINT);
		sig = sig > 0 ? sig : 0;
	}
	hold_end(s->app, &hold);
	close(fd);
	return rc == EXIT_USAGE || s->app->signaled ? rc : 0;
}

static const struct builtin builtins[] = {
	{ "exit", "", N_("leave the shell; so does Ctrl-D"), leave },
	{ "jobs", "", N_("show what runs in the background"), list_jobs },
	{ "quit", "", N_("leave the shell"), leave },
	{ "use", N_("PROFILE"), N_("go on with another profile"), use },
	{ "wait", "", N_("wait for what runs in the background"), wait_jobs },
	{ "watch", N_("[SECONDS] COMMAND"), N_("run a command again and again until Ctrl-C"),
		watch },
};

const struct builtin *builtin_at(size_t i)
{
	return i < COUNT(builtins) ? &builtins[i] : NULL;
}

size_t builtin_skips(const struct words *w)
{
	if (!w->n || strcmp(w->v[0], "watch") != 0)
		return 0;
	return w->n > 1 && digits(w->v[1]) ? 2 : 1;
}

/* "instance ?": what fits there. */
static int explain(struct shell *s, const struct words *w)
{
	struct fits fits = { 0 };
	struct text line = { 0 };

	for (size_t i = 0; i + 1 < w->n; i++) {
		words_quote(&line, w->v[i], 0);
		text_chr(&line, ' ');
	}
	complete_line(s->app, text_of(&line), line.n, NULL, &fits);
	shell_show(s, &fits);
	fits_free(&fits);
	text_free(&line);
	return 0;
}

int shell_run_words(struct shell *s, const struct words *w)
{
	struct app *a = s->app;
	struct hold hold = { 0 };
	int rc, asked = a->requests;

	if (!strcmp(w->v[w->n - 1], "?") && !words_has(w, "--"))
		return explain(s, w);
	for (size_t i = 0; i < COUNT(builtins); i++)
		if (!strcmp(builtins[i].name, w->v[0]))
			return builtins[i].run(s, w);
	if (!strcmp(w->v[0], "shell"))
		return fail_text(a, EXIT_USAGE, _("this is the shell"));
	app_resize(a);
	if (a->in_tty)
		hold_begin(a, &hold);
	rc = command_run(a, w->n, w->v);
	s->interrupted = hold.on && hold_signal() == SIGINT;
	hold_end(a, &hold);
	if (a->requests != asked)
		s->disconnected = rc == EXIT_UNREACHABLE;
	return rc;
}

/* With stdout somewhere else, for everything that is run meanwhile. */
static int run_to(struct shell *s, const struct words *w, int fd)
{
	struct app *a = s->app;
	int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), tty = a->out_tty, rc;

	if (kept >= 0)
		dup2(fd, STDOUT_FILENO);
	close(fd);
	if (kept < 0)
		return fail_text(a, 1, "%s", strerror(errno));
	a->out_tty = 0;
	rc = shell_run_words(s, w);
	a->out_tty = tty;
	dup2(kept, STDOUT_FILENO);
	close(kept);
	return rc;
}

static int to_file(struct shell *s, const struct part *p)
{
	int fd = open(p->file,
		O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (p->append ? O_APPEND : O_TRUNC), 0666);

	if (fd < 0)
		return fail_text(s->app, 1, "%s: %s", p->file, strerror(errno));
	return run_to(s, &p->words, fd);
}

static int status_of(pid_t pid)
{
	int st = 0;

	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}

/* The command's own failure counts, else that of what reads it: "list | grep x" has not done what
 * was asked when there is no list. */
static int to_program(struct shell *s, const struct part *p)
{
	char *argv[] = { (char *)(uintptr_t) "/bin/sh", (char *)(uintptr_t) "-c", p->program,
		NULL };
	struct hold hold = { 0 };
	int fd[2], rc, status, why;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC))
		return fail_text(s->app, 1, "%s", strerror(errno));
	sink_flush(&s->app->out);
	why = run_reading(argv, fd[0], &pid);
	close(fd[0]);
	if (why) {
		close(fd[1]);
		return fail_text(s->app, 1, "/bin/sh: %s", strerror(why));
	}
	if (s->app->in_tty)
		hold_begin(s->app, &hold);
	rc = run_to(s, &p->words, fd[1]);
	status = status_of(pid);
	hold_end(s->app, &hold);
	return rc && rc != EXIT_PIPE ? rc : status;
}

int shell_run_part(struct shell *s, const struct part *p)
{
	char *argv[] = { (char *)(uintptr_t) "/bin/sh", (char *)(uintptr_t) "-c", p->program,
		NULL };
	int rc;

	s->interrupted = 0;
	if (p->program && !p->words.n) {
		rc = run_program(s->app, argv);
		below_echo(s, rc == 128 + SIGINT);
		return rc;
	}
	if (p->program)
		return to_program(s, p);
	if (p->file)
		return to_file(s, p);
	return shell_run_words(s, &p->words);
}
