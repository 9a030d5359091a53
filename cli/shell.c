/* SPDX-License-Identifier: MIT */
/* The shell: the same commands, a line each, over one warm connection. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <starverse/common.h>
#include <starverse/config.h>

#include "command.h"
#include "editor.h"
#include "errors.h"
#include "out.h"
#include "words.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)

struct shell {
	struct app *app;
	const struct editor *editor; /* NULL: no terminal, or no module */
	int stop;                    /* -e: stop at the first failure */
	int left;                    /* exit was said */
	int status, first_failure;
	char *history;
	char *profile;
};

/* The module lies beside the library that svctl runs with, in the folder starverse. */
static const struct editor *editor_load(void)
{
	const char *(*version)(void) = sv_version;
	void *address;
	struct text path = { 0 };
	const struct editor *e = NULL;
	const char *slash;
	Dl_info info;
	void *module;

	memcpy(&address, &version, sizeof(address));
	if (!dladdr(address, &info) || !info.dli_fname)
		return NULL;
	slash = strrchr(info.dli_fname, '/');
	text_fmt(&path, "%.*sstarverse/readline.so", slash ? (int)(slash - info.dli_fname) + 1 : 0,
		info.dli_fname);
	module = dlopen(text_of(&path), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (module)
		e = dlsym(module, "svctl_editor");
	text_free(&path);
	return e && e->abi == EDITOR_ABI ? e : NULL;
}

/* A line of a file or a pipe, byte by byte: what comes after it belongs to the commands. 0 at the
 * end of input. */
static int read_plain(struct text *line)
{
	char c;
	ssize_t k;
	int any = 0;

	while (line->n < LINE_MAX_BYTES) {
		k = read(STDIN_FILENO, &c, 1);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return any;
		any = 1;
		if (c == '\n')
			return 1;
		text_chr(line, c ? c : ' ');
	}
	return 1;
}

static void prompt_text(const struct shell *s, int more, struct text *t)
{
	const struct sv_config *config = s->app->config;

	if (more) {
		text_str(t, "> ");
		return;
	}
	text_str(t, "svctl:");
	safe_text(t, config && config->profile ? config->profile : "?");
	if (s->status)
		text_fmt(t, " [%d]", s->status);
	text_str(t, "> ");
}

static int read_line(struct shell *s, struct text *line, int more)
{
	struct text prompt = { 0 };
	char *typed;
	enum editor_result got;
	int unused;

	if (!s->app->in_tty)
		return read_plain(line);
	app_config(s->app, &unused);
	prompt_text(s, more, &prompt);
	if (!s->editor) {
		fputs(text_of(&prompt), stderr);
		fflush(stderr);
		text_free(&prompt);
		return read_plain(line);
	}
	got = s->editor->read(text_of(&prompt), &typed);
	text_free(&prompt);
	if (got == EDITOR_END)
		return 0;
	text_str(line, typed);
	s->editor->release(typed);
	return 1;
}

/* Lines that may hold a secret are not kept. */
static int secret(const char *line)
{
	static const char *const marks[] = { "api_key", "api-key", "secret", "password", "token" };

	for (size_t i = 0; i < COUNT(marks); i++)
		if (strcasestr(line, marks[i]))
			return 1;
	return *line == ' ';
}

static void remember(struct shell *s, const char *line)
{
	struct text t = { 0 };
	int fd;

	if (!s->editor || blank(line) || secret(line) || strchr(line, '\n'))
		return;
	s->editor->remember(line);
	fd = s->history ? open(s->history, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	/* One write: shells that run at once do not cut each other's lines. */
	text_fmt(&t, "%s\n", line);
	if (write(fd, t.s, t.n) != (ssize_t)t.n)
		note(s->app, "%s: %s", s->history, strerror(errno));
	close(fd);
	text_free(&t);
}

static int use(struct shell *s, const struct words *w)
{
	if (w->n != 2)
		return fail_text(s->app, EXIT_USAGE, _("use PROFILE"));
	mem_free(s->profile);
	s->profile = mem_dup(w->v[1], strlen(w->v[1]));
	s->app->given.profile = s->profile;
	app_reset(s->app);
	return app_config(s->app, &s->status) ? 0 : s->status;
}

static int run(struct shell *s, struct words *w)
{
	char *help[] = { "help", NULL };
	struct hold hold = { 0 };
	int rc;

	if (!strcmp(w->v[0], "exit") || !strcmp(w->v[0], "quit")) {
		s->left = 1;
		return s->status;
	}
	if (!strcmp(w->v[0], "use"))
		return use(s, w);
	if (!strcmp(w->v[0], "shell"))
		return fail_text(s->app, EXIT_USAGE, _("this is the shell"));
	if (s->app->in_tty)
		hold_begin(s->app, &hold);
	rc = command_run(s->app, w->n, !strcmp(w->v[0], "?") ? help : w->v);
	hold_end(s->app, &hold);
	return rc;
}

/* Runs a whole text. 0 when it was complete, 1 when more is needed. */
static int run_text(struct shell *s, const char *text)
{
	enum joint joint = JOINT_THEN, next;
	enum words_result r;
	const char *probe = text;

	do {
		struct part w;

		r = words_next(&probe, &w);
		next = w.joint;
		if (!r && (w.program || w.file || next == JOINT_BACK))
			r = WORDS_WRONG;
		part_free(&w);
		if (r == WORDS_OPEN)
			return 1;
	} while (r == WORDS_OK && next != JOINT_END);
	if (r == WORDS_WRONG) {
		s->status = fail_text(
			s->app, EXIT_USAGE, _("an operator stands where none can: %.40s"), probe);
		s->first_failure = s->first_failure ? s->first_failure : s->status;
		return 0;
	}
	do {
		struct part w;
		int skip = (joint == JOINT_AND && s->status) || (joint == JOINT_OR && !s->status);

		words_next(&text, &w);
		next = w.joint;
		if (w.words.n && !skip)
			s->status = run(s, &w.words);
		if (w.words.n && !skip && s->status && next != JOINT_OR && next != JOINT_AND &&
			!s->first_failure)
			s->first_failure = s->status;
		part_free(&w);
		joint = next;
	} while (next != JOINT_END && !s->left && !(s->stop && s->first_failure));
	return 0;
}

static void loop(struct shell *s)
{
	struct text all = { 0 };
	int more = 0;

	while (!s->left && !(s->stop && s->first_failure)) {
		struct text line = { 0 };
		int got = read_line(s, &line, more);

		if (!got && more)
			s->status = fail_text(s->app, EXIT_USAGE, _("a quote is not closed"));
		if (!got)
			break;
		if (more)
			text_chr(&all, '\n');
		text_add(&all, text_of(&line), line.n);
		text_free(&line);
		more = run_text(s, text_of(&all));
		if (more)
			continue;
		remember(s, text_of(&all));
		text_free(&all);
	}
	if (s->app->in_tty && !s->left)
		fputc('\n', stderr);
	text_free(&all);
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
	struct sigaction on = { .sa_handler = nothing }, before;

	if (a->in_shell)
		return fail_text(a, EXIT_USAGE, _("this is the shell"));
	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	a->in_shell = 1;
	if (a->in_tty && a->err_tty)
		s.editor = editor_load();
	if (a->in_tty)
		sigaction(SIGINT, &on, &before);
	if (s.editor) {
		s.editor->begin(NULL);
		s.history = app_state_path(a, "history");
	}
	loop(&s);
	if (a->in_tty)
		sigaction(SIGINT, &before, NULL);
	mem_free(s.history);
	a->given.profile = NULL;
	mem_free(s.profile);
	a->in_shell = 0;
	return s.stop && s.first_failure ? s.first_failure : s.status;
}
