/* SPDX-License-Identifier: MIT */
/* login: takes a key from a file or a prompt, never from the command line, and keeps it in the
 * credentials file. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <starverse/config.h>

#include "command.h"
#include "errors.h"

#define KEY_MAX 4096
#define POLL_MS 200 /* how soon a signal from elsewhere is seen */

/* What echo was before, for every way out. */
struct quiet_tty {
	int fd;
	struct termios before;
	struct hold hold;
};

static int echo_off(struct app *a, struct quiet_tty *q)
{
	struct termios t;

	q->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (q->fd < 0 || tcgetattr(q->fd, &q->before))
		return -1;
	t = q->before;
	t.c_lflag &= ~(tcflag_t)(ECHO | ISIG | ICANON);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	/* Signals from elsewhere wait until echo is back; those of the keyboard come as characters.
	 */
	hold_begin(a, &q->hold);
	return tcsetattr(q->fd, TCSAFLUSH, &t);
}

static void echo_on(struct quiet_tty *q)
{
	if (q->fd >= 0)
		tcsetattr(q->fd, TCSAFLUSH, &q->before);
}

/* The key of a keyboard signal, restored before it takes effect; Ctrl-Z comes back here. */
static int keyboard(struct quiet_tty *q, char c)
{
	struct termios now;

	if (c == (char)q->before.c_cc[VINTR])
		return SIGINT;
	if (c == (char)q->before.c_cc[VQUIT])
		return SIGQUIT;
	if (c == (char)q->before.c_cc[VSUSP]) {
		tcgetattr(q->fd, &now);
		echo_on(q);
		raise(SIGSTOP);
		tcsetattr(q->fd, TCSAFLUSH, &now);
	}
	return 0;
}

/* 0 with a line, a signal, or -1 at the end of input. */
static int read_secret(struct quiet_tty *q, struct text *ret)
{
	char c;
	int sig;

	for (;;) {
		struct pollfd ready = { .fd = q->fd, .events = POLLIN };
		ssize_t k;

		if (hold_signal())
			return hold_signal();
		if (poll(&ready, 1, POLL_MS) <= 0)
			continue;
		k = read(q->fd, &c, 1);
		if (k < 0 && errno == EINTR)
			continue;
		if (k != 1 || c == (char)q->before.c_cc[VEOF])
			return ret->n ? 0 : -1;
		if (c == '\n' || c == '\r')
			return 0;
		sig = keyboard(q, c);
		if (sig)
			return sig;
		if (c == (char)q->before.c_cc[VERASE] || c == 127 || c == 8) {
			if (ret->n)
				ret->s[--ret->n] = '\0';
		} else if (c == (char)q->before.c_cc[VKILL]) {
			ret->n = 0;
		} else if (c != (char)q->before.c_cc[VSUSP] && ret->n < KEY_MAX) {
			text_chr(ret, c);
		}
	}
}

static int prompt(struct app *a, struct text *ret)
{
	static const char ask[] = N_("API key: ");
	struct quiet_tty q = { .fd = -1 };
	int got = -1, off;

	if (!a->in_tty || a->env.no_input || (off = echo_off(a, &q)) < 0) {
		echo_on(&q);
		hold_end(a, &q.hold);
		if (q.fd >= 0)
			close(q.fd);
		return fail_hint(a, EXIT_USAGE,
			_("--api-key-file FILE takes it from a file, - from stdin"),
			_("there is no terminal to ask for the key"));
	}
	if (write(q.fd, _(ask), strlen(_(ask))) > 0)
		got = read_secret(&q, ret);
	if (write(q.fd, "\n", 1) != 1)
		got = -1;
	echo_on(&q);
	close(q.fd);
	hold_end(a, &q.hold);
	if (got > 0)
		return 128 + got;
	return got < 0 ? fail_text(a, EXIT_REFUSED, _("no key was given; nothing was changed")) : 0;
}

/* White space and paste marks around a key are not part of it. */
static void trim(struct text *t)
{
	static const char *const marks[] = { "\033[200~", "\033[201~" };
	size_t begin = 0;
	int again = 1;

	while (again) {
		again = 0;
		while (begin < t->n && strchr(" \t\r\n", t->s[begin])) {
			begin++;
			again = 1;
		}
		while (t->n > begin && strchr(" \t\r\n", t->s[t->n - 1])) {
			t->n--;
			again = 1;
		}
		for (size_t i = 0; i < COUNT(marks); i++) {
			size_t len = strlen(marks[i]);

			if (t->n - begin >= len && !memcmp(t->s + begin, marks[i], len)) {
				begin += len;
				again = 1;
			} else if (t->n - begin >= len &&
				   !memcmp(t->s + t->n - len, marks[i], len)) {
				t->n -= len;
				again = 1;
			}
		}
	}
	if (t->s) {
		memmove(t->s, t->s + begin, t->n - begin);
		t->n -= begin;
		t->s[t->n] = '\0';
	}
}

/* The position is named, never the value. */
static int check(struct app *a, const struct text *key)
{
	if (!key->n)
		return fail_text(a, EXIT_USAGE, _("the key is empty"));
	if (key->n > KEY_MAX)
		return fail_text(a, EXIT_USAGE, _("the key is longer than %d bytes"), KEY_MAX);
	for (size_t i = 0; i < key->n; i++)
		if (key->s[i] <= ' ' || key->s[i] > '~')
			return fail_text(a, EXIT_USAGE,
				_("the key has a character that cannot be in one, at position %zu"),
				i + 1);
	return 0;
}

int cmd_login(struct call *call)
{
	const char *file = opt_value(call, OPT_KEY_FILE);
	struct app *a = call->app;
	struct text key = { 0 };
	struct sv_error err = { 0 };
	const struct sv_config *config;
	int status = 0, rc;

	if (call->plain.n)
		return usage_error(
			call, _("a key is never given on the command line; use --api-key-file"));
	config = app_config(a, &status);
	if (!config)
		return status;
	rc = file ? read_whole(a, file, &key) : prompt(a, &key);
	trim(&key);
	if (!rc)
		rc = check(a, &key);
	if (!rc && sv_credentials_set(NULL, config->profile, key.s, &err))
		rc = fail(a, &err, NULL);
	else if (!rc)
		note(a, _("the key is kept in %s for profile %s"),
			config->credentials_file ? config->credentials_file : "credentials.yaml",
			config->profile);
	if (key.s)
		explicit_bzero(key.s, key.cap);
	text_free(&key);
	app_reset(a);
	return rc;
}
