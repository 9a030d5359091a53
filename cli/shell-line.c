/* SPDX-License-Identifier: MIT */
/* Lines: the prompt, what is typed, what is kept of it. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <starverse/common.h>
#include <starverse/config.h>

#include "complete.h"
#include "errors.h"
#include "out.h"
#include "shell.h"
#include "style.h"

#define LINE_MAX_BYTES ((size_t)1 << 20)
#define SHOWN_MAX      200

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

/* A line of a file or a pipe, byte by byte: what comes after it belongs to the commands. */
static enum line read_plain(struct text *line)
{
	char c;
	ssize_t k;
	int any = 0;

	while (line->n < LINE_MAX_BYTES) {
		k = read(STDIN_FILENO, &c, 1);
		if (k < 0 && errno == EINTR)
			return LINE_DROPPED;
		if (k <= 0)
			return any ? LINE_READ : LINE_END;
		any = 1;
		if (c == '\n')
			return LINE_READ;
		text_chr(line, c ? c : ' ');
	}
	return LINE_READ;
}

/* Where commands go: the socket or the host that was given, else the profile. */
static void place(const struct app *a, struct text *t)
{
	const char *to = a->given.endpoint, *host;
	struct text raw = { 0 };

	if (a->given.socket) {
		text_str(&raw, a->given.socket);
	} else if (to && (host = strstr(to, "://")) != NULL) {
		text_add(&raw, host + 3, strcspn(host + 3, "/"));
	} else {
		text_str(&raw, to                                ? to
			       : a->config && a->config->profile ? a->config->profile
								 : "?");
	}
	safe_text(t, text_of(&raw));
	text_free(&raw);
}

/* A part in a colour, which the editor must not count. */
static void colored(const struct shell *s, struct text *t, int mood, const struct text *part)
{
	const char *on = style_on(s->app->err_color, mood);

	if (*on && s->editor)
		text_fmt(t, "\001%s\002%s\001%s\002", on, text_of(part),
			style_off(s->app->err_color, mood));
	else
		text_fmt(t, "%s%s%s", on, text_of(part), style_off(s->app->err_color, mood));
}

static void prompt_text(const struct shell *s, int more, struct text *t)
{
	const struct sv_config *config = s->app->config;
	struct text where = { 0 }, state = { 0 };

	if (more) {
		text_str(t, "> ");
		return;
	}
	place(s->app, &where);
	text_str(t, "svctl:");
	colored(s, t, config && config->protected_profile ? SV_BAD : SV_GOOD, &where);
	if (s->disconnected)
		text_str(&state, _(" (disconnected)"));
	if (s->status)
		text_fmt(&state, " [%d]", s->status);
	if (state.n)
		colored(s, t, SV_BAD, &state);
	text_str(t, "> ");
	text_free(&where);
	text_free(&state);
}

enum line shell_read(struct shell *s, struct text *line, int more)
{
	struct text prompt = { 0 };
	char *typed = NULL;
	enum editor_result got;
	int unused;

	if (!s->app->in_tty)
		return read_plain(line);
	jobs_report(s);
	/* What is wrong with it the commands say. */
	s->app->silent++;
	app_config(s->app, &unused);
	s->app->silent--;
	style_choose(s->app);
	prompt_text(s, more, &prompt);
	if (!s->editor) {
		fputs(text_of(&prompt), stderr);
		fflush(stderr);
		text_free(&prompt);
		return read_plain(line);
	}
	got = s->editor->read(text_of(&prompt), &typed);
	text_free(&prompt);
	if (got == EDITOR_LINE)
		text_str(line, typed);
	s->editor->release(typed);
	return got == EDITOR_LINE ? LINE_READ : got == EDITOR_END ? LINE_END : LINE_DROPPED;
}

void shell_show(struct shell *s, const struct fits *f)
{
	size_t width = 0, room = s->app->width > 20 ? (size_t)s->app->width - 1 : 79, w;

	for (size_t i = 0; i < f->n && i < SHOWN_MAX; i++) {
		w = text_width(f->v[i].word, strlen(f->v[i].word));
		width = w > width ? w : width;
	}
	for (size_t i = 0; i < f->n && i < SHOWN_MAX; i++) {
		const struct fit *one = &f->v[i];
		size_t len = text_fit(one->word, strlen(one->word), room);

		w = text_width(one->word, len);
		fprintf(stderr, "%.*s", (int)len, one->word);
		if (*one->help && width + 3 < room)
			fprintf(stderr, "%*s%.*s", (int)(width - w + 3), "",
				(int)text_fit(one->help, strlen(one->help), room - width - 3),
				one->help);
		fputc('\n', stderr);
	}
	if (f->n > SHOWN_MAX)
		fprintf(stderr, _("... and %zu more\n"), f->n - SHOWN_MAX);
	if (!f->n)
		fputs(f->files ? _("(a file)\n") : _("(nothing that is known)\n"), stderr);
	fflush(stderr);
}

static void fits_at(void *data, const char *line, size_t len, struct fits *ret)
{
	struct shell *s = data;

	complete_line(s->app, line, len, NULL, ret);
}

static void show(void *data, const struct fits *fits)
{
	struct shell *s = data;

	app_resize(s->app);
	shell_show(s, fits);
}

static size_t watch(void *data, int *fds, size_t max)
{
	const struct shell *s = data;
	size_t n = 0;

	for (; n < s->n_jobs && n < max; n++)
		fds[n] = s->jobs[n].gone;
	return n;
}

static void report(void *data)
{
	jobs_report(data);
}

static void remember(void *data, const char *line)
{
	struct shell *s = data;

	s->editor->remember(line);
}

void shell_read_begin(struct shell *s)
{
	struct app *a = s->app;

	if (!a->in_tty || !a->err_tty)
		return;
	fprintf(stderr, _("svctl %s: ? shows what fits, TAB completes, exit leaves\n"),
		sv_version());
	s->editor = editor_load();
	if (!s->editor)
		return;
	s->host = (struct editor_host){ s, fits_at, fits_free, show, watch, report };
	s->editor->begin(&s->host);
	s->history = app_state_path(a, "history");
	if (s->history)
		history_load(s->history, remember, s);
}
