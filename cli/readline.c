/* SPDX-License-Identifier: MIT */
/* The only file that knows readline. A module: whoever does not use the shell on a terminal never
 * loads it. Signals come as data while a line is typed, so that no handler is needed and the
 * terminal is in order before any of them takes effect. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "editor.h"

#define HISTORY_MAX 2000
#define WATCHED_MAX 64

extern const struct editor svctl_editor;

/* readline's hooks carry no data of the caller's: what they need must be found from here. */
static struct {
	const struct editor_host *host;
	int signals; /* descriptor */
	int interrupted;
} editing;

static void watched(sigset_t *set)
{
	static const int each[] = { SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH, SIGTERM, SIGHUP };

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
		sigaddset(set, each[i]);
}

/* The signal does what it does by default, with the terminal as it was before. */
static void give_way(int sig)
{
	struct sigaction fresh = { .sa_handler = SIG_DFL }, before;
	sigset_t one;

	rl_deprep_terminal();
	sigemptyset(&one);
	sigaddset(&one, sig);
	sigaction(sig, &fresh, &before);
	raise(sig);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	sigprocmask(SIG_BLOCK, &one, NULL);
	sigaction(sig, &before, NULL);
	rl_prep_terminal(1);
	rl_resize_terminal();
	rl_on_new_line();
	rl_redisplay();
}

static void take_signal(void)
{
	struct signalfd_siginfo info;

	if (read(editing.signals, &info, sizeof(info)) != sizeof(info))
		return;
	switch ((int)info.ssi_signo) {
	case SIGINT:
		editing.interrupted = 1;
		rl_point = rl_end;
		rl_redisplay();
		fputs("^C", rl_outstream);
		break;
	case SIGWINCH: rl_resize_terminal(); break;
	case SIGTSTP:
	case SIGTERM:
	case SIGHUP: give_way((int)info.ssi_signo); break;
	default: break;
	}
}

/* The line goes away, the news are told, the line stands again. */
static void report(void)
{
	rl_clear_visible_line();
	fflush(rl_outstream);
	editing.host->report(editing.host->data);
	rl_on_new_line();
	rl_forced_update_display();
}

/* Waits for a key and for everything else that may happen. The end of a line is what an interrupt
 * makes of itself: whatever readline is amid, it accepts the line then, and the line is thrown
 * away. */
static int get_key(FILE *in)
{
	int fds[WATCHED_MAX];
	struct pollfd p[WATCHED_MAX + 2];
	unsigned char c;
	ssize_t k;

	for (;;) {
		size_t n = editing.host->watch(editing.host->data, fds, WATCHED_MAX);
		int news = 0;

		if (editing.interrupted)
			return '\n';
		p[0] = (struct pollfd){ .fd = fileno(in), .events = POLLIN };
		p[1] = (struct pollfd){ .fd = editing.signals, .events = POLLIN };
		for (size_t i = 0; i < n; i++)
			p[i + 2] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
		if (poll(p, (nfds_t)n + 2, -1) < 0)
			continue;
		if (p[1].revents) {
			take_signal();
			continue;
		}
		for (size_t i = 0; i < n; i++)
			news |= p[i + 2].revents;
		if (news) {
			report();
			continue;
		}
		k = read(fileno(in), &c, 1);
		if (k == 1)
			return c;
		if (k == 0 || (errno != EINTR && errno != EAGAIN))
			return EOF;
	}
}

static void replace(size_t from, char *text, size_t len)
{
	char kept = text[len];

	text[len] = '\0';
	rl_begin_undo_group();
	rl_delete_text((int)from, rl_point);
	rl_point = (int)from;
	rl_insert_text(text);
	rl_end_undo_group();
	text[len] = kept;
}

/* What all have in common, whole characters of it, and no backslash without its character. */
static size_t common(const struct fits *f)
{
	size_t n = strlen(f->v[0].text), slashes = 0;

	for (size_t i = 1; i < f->n; i++)
		for (size_t k = 0; k < n; k++)
			if (f->v[i].text[k] != f->v[0].text[k])
				n = k;
	while (n && ((unsigned char)f->v[0].text[n] & 0xc0) == 0x80)
		n--;
	while (slashes < n && f->v[0].text[n - 1 - slashes] == '\\')
		slashes++;
	return n - slashes % 2;
}

static void list(const struct fits *f)
{
	int at = rl_point;

	rl_point = rl_end;
	rl_redisplay();
	rl_crlf();
	fflush(rl_outstream);
	editing.host->show(editing.host->data, f);
	rl_point = at;
	rl_on_new_line();
	rl_forced_update_display();
}

static void ask(struct fits *f)
{
	editing.host->complete(editing.host->data, rl_line_buffer, (size_t)rl_point, f);
}

static int complete(int count, int key)
{
	struct fits f = { 0 };
	size_t typed, shared;

	ask(&f);
	if (!f.n && f.files) {
		editing.host->complete_free(&f);
		return rl_complete(count, key);
	}
	typed = (size_t)rl_point - f.from;
	if (!f.n) {
		rl_ding();
	} else if (f.n == 1) {
		replace(f.from, f.v[0].text, strlen(f.v[0].text));
		if (!f.v[0].open && rl_line_buffer[rl_point] != ' ')
			rl_insert_text(" ");
	} else {
		shared = common(&f);
		if (shared > typed)
			replace(f.from, f.v[0].text, shared);
		else
			list(&f);
	}
	editing.host->complete_free(&f);
	return 0;
}

/* Where a word would begin, ? shows what fits; elsewhere, and among another program's words, it is
 * a letter like others. */
static int question(int count, int key)
{
	struct fits f = { 0 };
	int begins = !rl_point || strchr(" \t", rl_line_buffer[rl_point - 1]) != NULL;

	if (begins)
		ask(&f);
	if (!begins || (!f.n && f.files) || f.from != (size_t)rl_point) {
		editing.host->complete_free(&f);
		return rl_insert(count, key);
	}
	list(&f);
	editing.host->complete_free(&f);
	return 0;
}

static void begin(const struct editor_host *host)
{
	editing.host = host;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_readline_name = "svctl";
	rl_outstream = stderr;
	rl_getc_function = get_key;
	rl_completer_word_break_characters = " \t\n\"'><=;|&";
	rl_completer_quote_characters = "\"'";
	rl_filename_quote_characters = " \t\n\\\"'`$><=;|&()#*?[]!";
	rl_initialize();
	rl_bind_key('\t', complete);
	rl_bind_key('?', question);
	using_history();
	stifle_history(HISTORY_MAX);
}

static enum editor_result read_line(const char *prompt, char **ret)
{
	sigset_t set, before;

	*ret = NULL;
	watched(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	editing.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	editing.interrupted = 0;
	if (editing.signals >= 0) {
		rl_resize_terminal();
		*ret = readline(prompt);
		close(editing.signals);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (editing.interrupted)
		return EDITOR_INTERRUPTED;
	return *ret ? EDITOR_LINE : EDITOR_END;
}

/* The same line again is kept once. */
static void remember(const char *line)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	if (!last || strcmp(last->line, line) != 0)
		add_history(line);
}

static void release(char *line)
{
	free(line);
}

__attribute__((visibility("default")))
const struct editor svctl_editor = { EDITOR_ABI, begin, read_line, remember, release };
