/* SPDX-License-Identifier: MIT */
/* Configuration and client of a run, made when first needed. */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "errors.h"
#include "progress.h"
#include "said.h"

_Static_assert(sizeof(sigset_t) <= sizeof(((struct hold *)0)->saved), "a signal set fits");

/* What is wrong, without the field: the option that stands before it says that. */
static const char *reason(const struct sv_error *err)
{
	const char *s = err->n_errors ? err->errors[0].message : err->message;
	size_t n = strlen(err->field);

	return n && !strncmp(s, err->field, n) && !strncmp(s + n, ": ", 2) ? s + n + 2 : s;
}

static int set(struct app *a, const char *name, const char *text)
{
	const struct sv_field *f = sv_field_find(sv_kind_config(), name);
	struct sv_error err = { 0 };
	struct text told = { 0 };
	char option[64];
	int status;

	if (!text)
		return 0;
	if (!f)
		return fail_text(a, EXIT_USAGE, _("no such setting: %s"), name);
	if (sv_field_parse(a->config, a->config, f, text, &err) == SV_OK)
		return 0;
	option_name(f, option, sizeof(option));
	status = fail_text(a, EXIT_USAGE, "--%s: %s", option, said(reason(&err), &told));
	text_free(&told);
	return status;
}

/* What a flag gave and no client would take is a wrong command line. */
static int range(struct app *a)
{
	const struct globals *g = &a->given;
	const struct {
		const char *name, *given;
	} each[] = { { "endpoint", g->socket ? g->socket : g->endpoint }, { "timeout", g->timeout },
		{ "request_timeout", g->request_timeout } };
	struct sv_error err = { 0 };
	struct text told = { 0 };
	char option[64];
	int status = 0;

	if (sv_config_check(a->config, &err) == SV_OK)
		return 0;
	for (size_t i = 0; !status && i < COUNT(each); i++)
		if (each[i].given && !strcmp(err.field, each[i].name)) {
			option_name(sv_field_find(sv_kind_config(), err.field), option,
				sizeof(option));
			status = fail_text(a, EXIT_USAGE, "--%s: %s",
				g->socket && !i ? "socket" : option,
				said(reason(&err), &told));
		}
	text_free(&told);
	return status;
}

static int flags(struct app *a)
{
	const struct globals *g = &a->given;
	struct text unix_socket = { 0 };
	char here[PATH_MAX];
	int rc = 0;

	if (g->socket && *g->socket != '/' && getcwd(here, sizeof(here)))
		text_fmt(&unix_socket, "unix:%s/%s", here, g->socket);
	else if (g->socket)
		text_fmt(&unix_socket, "unix:%s", g->socket);
	if (!rc)
		rc = set(a, "endpoint", g->socket ? text_of(&unix_socket) : g->endpoint);
	if (!rc)
		rc = set(a, "cacert", g->cacert);
	if (!rc)
		rc = set(a, "timeout", g->timeout);
	if (!rc)
		rc = set(a, "request_timeout", g->request_timeout);
	if (!rc && g->insecure)
		rc = set(a, "insecure", "true");
	if (!rc && g->strict)
		rc = set(a, "strict", "true");
	text_free(&unix_socket);
	return rc ? rc : range(a);
}

/* Keys of the file that nobody knows: said once, and with --strict an error. */
static int warnings(struct app *a)
{
	const char *what;

	for (size_t i = 0; (what = sv_config_warning(a->config, i)) != NULL; i++) {
		struct text told = { 0 };

		if (a->config->strict)
			return fail_text(a, EXIT_SETTINGS, "%s", what);
		if (!a->warned)
			note(a, _("warning: %s"), said(what, &told));
		text_free(&told);
	}
	a->warned = 1;
	return 0;
}

struct sv_config *app_config(struct app *a, int *status)
{
	struct sv_error err = { 0 };

	if (a->config)
		return a->config;
	if (sv_config_load(NULL, a->given.profile, &a->config, &err)) {
		*status = fail(a, &err, NULL);
		return NULL;
	}
	*status = flags(a);
	if (!*status)
		*status = warnings(a);
	if (*status) {
		sv_free(a->config);
		a->config = NULL;
	}
	return a->config;
}

static void trace(void *data, const char *line)
{
	struct app *a = data;

	progress_clear(a);
	fprintf(stderr, "svctl: %s\n", line);
}

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int interrupted(void *data)
{
	progress_tick(data);
	return hold_signal();
}

void app_interrupts(struct app *a, int on)
{
	sv_client_interrupt(a->client, on ? interrupted : NULL, a);
}

static void found(void *data, const char *key, const char *method, const char *path,
	const char *name, const char *status, const char *resource)
{
	(void)key;
	note(data, _("an earlier %s %s%s%s whose answer was lost: %s%s%s"), method, path,
		name && *name ? " " : "", name ? name : "", status,
		resource && *resource ? " " : "", resource ? resource : "");
}

/* Once in the life of a state directory: which platform this is when nobody has said. */
static void greet(struct app *a)
{
	char *mark;
	int fd;

	const char *file = a->config->config_file;

	if (a->greeted || a->given.quiet || (file && !access(file, F_OK)) ||
		strcmp(sv_config_origin(a->config, "profile"), "default") != 0 ||
		strcmp(sv_config_origin(a->config, "endpoint"), "default") != 0)
		return;
	a->greeted = 1;
	mark = app_state_path(a, "welcomed");
	if (!mark)
		return;
	fd = open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		close(fd);
		note(a, _("no configuration: using the local platform on this machine (profile "
			  "local)"));
	}
	mem_free(mark);
}

sv_client *app_client(struct app *a, int *status)
{
	struct sv_config *config = app_config(a, status);
	struct sv_error err = { .code = SV_NOMEM };

	a->asked = 1;
	a->requests++;
	if (!config || a->client)
		return config ? a->client : NULL;
	if (!a->keyless && !config->api_key && !config->api_key_file &&
		!config->api_key_command.n) {
		*status = fail_hint(a, EXIT_SETTINGS, _("svctl login, or svctl account register"),
			_("no API key for profile %s"), config->profile);
		return NULL;
	}
	if (config->cacert && access(config->cacert, R_OK)) {
		*status = fail_text(
			a, EXIT_SETTINGS, "cacert %s: %s", config->cacert, strerror(errno));
		return NULL;
	}
	if (config->insecure)
		note(a, _("warning: certificates are not checked"));
	err.code = sv_client_new(config, &a->client);
	if (err.code) {
		int code = err.code;

		if (code != SV_CONFIG || !sv_config_check(config, &err)) {
			err.code = code;
			snprintf(err.message, sizeof(err.message), "%s", sv_strerror(code));
		}
		*status = fail(a, &err, NULL);
		return NULL;
	}
	if (a->given.debug)
		sv_client_trace(a->client, trace, a);
	app_interrupts(a, 1);
	greet(a);
	sv_reconcile(a->client, found, a);
	return a->client;
}

void app_reset(struct app *a)
{
	sv_client_free(a->client);
	sv_free(a->config);
	a->client = NULL;
	a->config = NULL;
}

void app_end(struct app *a)
{
	app_reset(a);
	sink_end(&a->out);
}

void app_resize(struct app *a)
{
	struct winsize size = { 0 };

	if ((a->out_tty && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)) ||
		(a->err_tty && !ioctl(STDERR_FILENO, TIOCGWINSZ, &size)))
		a->width = size.ws_col;
}

static int directories(char *path)
{
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			if (mkdir(path, 0700) && errno != EEXIST)
				return -1;
			*p = '/';
		}
	return 0;
}

char *app_state_path(struct app *a, const char *name)
{
	struct text t = { 0 };
	int status;
	const struct sv_config *config = app_config(a, &status);

	if (config && config->state_dir && *config->state_dir == '/')
		text_fmt(&t, "%s/%s", config->state_dir, name);
	else if (a->env.state_home && *a->env.state_home == '/')
		text_fmt(&t, "%s/starverse/%s", a->env.state_home, name);
	else if (a->env.home)
		text_fmt(&t, "%s/.local/state/starverse/%s", a->env.home, name);
	if (!t.n || directories(t.s)) {
		text_free(&t);
		return NULL;
	}
	return t.s;
}

static void watched(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

void hold_begin(struct app *a, struct hold *h)
{
	sigset_t set;

	(void)a;
	watched(&set);
	h->on = sigprocmask(SIG_BLOCK, &set, (sigset_t *)(void *)h->saved) == 0;
}

/* A signal that came meanwhile has ended the wait and made the exit status; it has done its work.
 */
void hold_end(struct app *a, struct hold *h)
{
	struct timespec none = { 0, 0 };
	sigset_t set;
	int sig;

	if (!h->on)
		return;
	watched(&set);
	/* The terminal has echoed ^C in the middle of a line. */
	while ((sig = sigtimedwait(&set, NULL, &none)) > 0) {
		if (a->in_shell && a->err_tty)
			fputc('\n', stderr);
		if (a->in_shell && sig != SIGINT)
			a->signaled = sig;
	}
	sigprocmask(SIG_SETMASK, (const sigset_t *)(void *)h->saved, NULL);
	h->on = 0;
}

int hold_signal(void)
{
	static const int each[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t pending;

	if (sigpending(&pending))
		return 0;
	for (size_t i = 0; i < COUNT(each); i++)
		if (sigismember(&pending, each[i]) == 1)
			return each[i];
	return 0;
}
