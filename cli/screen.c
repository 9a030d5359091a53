/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define ENTER "\033[?1049h\033[?25l\033[H\033[2J"
#define LEAVE "\033[?25h\033[?1049l"

enum { CTRL_C = 3, CTRL_L = 12, CTRL_Z = 26 };

static void say(const char *s)
{
	size_t n = strlen(s);
	ssize_t k;

	while (n && ((k = write(STDOUT_FILENO, s, n)) > 0 || errno == EINTR))
		if (k > 0) {
			s += k;
			n -= (size_t)k;
		}
}

static void measure(struct screen *s)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col || !size.ws_row) {
		size.ws_col = 80;
		size.ws_row = 24;
	}
	s->width = size.ws_col;
	s->height = size.ws_row;
}

/* Keys come one by one, unseen, and make no signals. */
static int take(struct screen *s)
{
	struct termios raw = s->modes;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw))
		return errno;
	say(ENTER);
	return 0;
}

static void give_back(struct screen *s)
{
	say(LEAVE);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &s->modes);
}

int screen_begin(struct screen *s, struct app *a)
{
	sigset_t set;
	int why;

	*s = (struct screen){ .app = a, .signals = -1 };
	if (tcgetattr(STDIN_FILENO, &s->modes))
		return errno;
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	measure(s);
	why = s->signals < 0 ? errno : take(s);
	if (why && s->signals >= 0)
		close(s->signals);
	return why;
}

void screen_end(struct screen *s)
{
	sigset_t set;

	give_back(s);
	close(s->signals);
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* As any program is stopped from the keyboard: with the terminal as it was. */
static void suspend(struct screen *s)
{
	give_back(s);
	raise(SIGTSTP);
	take(s);
	measure(s);
}

static int resized(struct screen *s)
{
	struct signalfd_siginfo info;
	int any = 0;

	while (read(s->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		any = 1;
	if (any)
		measure(s);
	return any;
}

int screen_key(struct screen *s, int timeout_ms)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = s->signals, .events = POLLIN } };
	unsigned char c;
	ssize_t k;

	if (hold_signal())
		return SCREEN_END;
	if (poll(fds, 2, timeout_ms) <= 0)
		return hold_signal() ? SCREEN_END : SCREEN_NONE;
	if (resized(s))
		return SCREEN_RESIZED;
	if (!fds[0].revents)
		return SCREEN_NONE;
	k = read(STDIN_FILENO, &c, 1);
	if (k <= 0)
		return k < 0 && errno == EINTR ? SCREEN_NONE : SCREEN_END;
	if (c == CTRL_Z) {
		suspend(s);
		return SCREEN_RESIZED;
	}
	return c == CTRL_L ? SCREEN_RESIZED : c == CTRL_C ? 'q' : c;
}

void screen_draw(struct screen *s, const struct text *lines)
{
	struct text out = { 0 };
	int row = 0;

	text_str(&out, "\033[H");
	for (const char *p = text_of(lines), *end;
		(end = strchr(p, '\n')) != NULL && row < s->height; p = end + 1, row++) {
		text_str(&out, row ? "\r\n" : "");
		text_add(&out, p, (size_t)(end - p));
		text_str(&out, "\033[K");
	}
	text_str(&out, "\033[J");
	say(text_of(&out));
	text_free(&out);
}
