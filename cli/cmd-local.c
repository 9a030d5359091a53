/* SPDX-License-Identifier: MIT */
/* local start|stop|status|reset|step|fault|doctor: the program svctl-local, and what only its
 * socket answers. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <starverse/client.h>
#include <starverse/config.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "local.h"
#include "ssh.h"

#define STATUS_SECONDS 5

/* The helper program: as configured, beside this one (a build that is not installed), or where it
 * was installed. */
static char *helper(struct app *a)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct text t = { 0 };
	char *slash;

	if (a->config->local_command && *a->config->local_command)
		return mem_dup(a->config->local_command, strlen(a->config->local_command));
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		text_fmt(&t, "%.*s/svctl-local", (int)(slash - self), self);
	if (t.n && !access(t.s, X_OK))
		return t.s;
	text_free(&t);
	text_str(&t, SVCTL_LOCAL);
	return t.s;
}

static void pass(const struct call *call, int id, const char *name, struct words *argv)
{
	if (!opt_value(call, id))
		return;
	words_push(argv, name);
	words_push(argv, opt_value(call, id));
}

static int given(const struct call *call)
{
	static const int each[] = { OPT_CATALOG, OPT_CLOCK, OPT_ENGINE, OPT_FOREGROUND, OPT_LISTEN,
		OPT_STATE, OPT_TLS_CERT, OPT_TLS_KEY };

	for (size_t i = 0; i < COUNT(each); i++)
		if (opt_value(call, each[i]))
			return 1;
	return 0;
}

/* Runs svctl-local with the options given. */
static int launch(struct call *call, const char *path)
{
	struct app *a = call->app;
	struct words argv = { 0 };
	char *program;
	int rc;

	program = helper(a);
	words_push(&argv, program);
	mem_free(program);
	words_push(&argv, opt_on(call, OPT_FOREGROUND) ? "--foreground" : "--daemon");
	words_push(&argv, "--socket");
	words_push(&argv, path);
	if (!opt_value(call, OPT_STATE) && a->config->local_state && *a->config->local_state) {
		words_push(&argv, "--state");
		words_push(&argv, a->config->local_state);
	}
	pass(call, OPT_STATE, "--state", &argv);
	pass(call, OPT_ENGINE, "--engine", &argv);
	pass(call, OPT_CLOCK, "--clock", &argv);
	pass(call, OPT_LISTEN, "--listen", &argv);
	pass(call, OPT_TLS_CERT, "--tls-cert", &argv);
	pass(call, OPT_TLS_KEY, "--tls-key", &argv);
	pass(call, OPT_CATALOG, "--catalog", &argv);
	rc = run_program(a, argv.v);
	words_free(&argv);
	return rc;
}

static int start(struct call *call)
{
	struct app *a = call->app;
	int status = 0, rc;
	const char *path = local_socket(a, &status);
	struct timespec moment = { 0, 200000000 };

	if (!path)
		return status;
	/* One that was killed just now still listens for a moment. */
	if (given(call) && local_listening(path))
		nanosleep(&moment, NULL);
	if (local_listening(path) && given(call))
		return fail_hint(
			a, 6, "svctl local stop", _("the local platform is already running"));
	if (local_listening(path)) {
		note(a, _("the local platform is already running"));
		return local_ask(call, "GET", "/local/status", NULL, 1);
	}
	rc = launch(call, path);
	return rc || opt_on(call, OPT_FOREGROUND)
		       ? rc
		       : local_ask(call, "GET", "/local/status", NULL, 1);
}

/* One that is alive answers at once: whoever asks how it is, or ends it, need not wait as long as
 * for work. */
static int ask_soon(struct call *call, const char *method, const char *path, int show)
{
	int status = 0;
	struct sv_config *config = app_config(call->app, &status);

	if (!config)
		return status;
	if (!strcmp(sv_config_origin(config, "request_timeout"), "default"))
		config->request_timeout = STATUS_SECONDS;
	return local_ask(call, method, path, NULL, show);
}

static int stop(struct call *call)
{
	struct timespec pause = { 0, 20000000 };
	struct app *a = call->app;
	int status = 0, rc;
	const char *path = local_socket(a, &status);
	char *kept;

	if (!path)
		return status;
	if (!local_listening(path)) {
		note(a, _("the local platform is not running"));
		return 0;
	}
	kept = mem_dup(path, strlen(path));
	rc = ask_soon(call, "POST", "/local/stop", 0);
	for (int i = 0; !rc && i < 1000 && local_listening(kept); i++)
		nanosleep(&pause, NULL);
	if (!rc && local_listening(kept))
		rc = fail_text(a, EXIT_TIMED_OUT,
			_("the local platform is stopping, but has not ended yet"));
	mem_free(kept);
	return rc;
}

static int step(struct call *call)
{
	struct text body = { 0 };
	struct sv_error err = { 0 };
	int64_t seconds;
	int rc;

	if (call->plain.n != 1)
		return usage_error(call, _("how far?"));
	seconds = duration_of(call->plain.v[0], &err);
	if (seconds < 0)
		return usage_error(call, "\"%s\": %s", call->plain.v[0], err.message);
	text_fmt(&body, "{\"seconds\":%lld}", (long long)seconds);
	rc = local_ask(call, "POST", "/local/step", text_of(&body), 1);
	text_free(&body);
	return rc;
}

static int number(const char *s)
{
	int n = 0;

	if (!*s || strlen(s) > 6)
		return -1;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return -1;
		n = n * 10 + (*s - '0');
	}
	return n;
}

static int fault(struct call *call)
{
	const struct words *w = &call->plain;
	const char *blank_at = w->n ? strchr(w->v[0], ' ') : NULL;
	struct text body = { 0 };
	char *method;
	int rc, status = w->n > 1 ? number(w->v[1]) : -1, times = w->n > 2 ? number(w->v[2]) : 1;

	if (w->n < 2 || w->n > 3 || !blank_at || status < 0 || times < 0)
		return usage_error(call,
			_("'METHOD PATH', a status and perhaps a number of times are needed"));
	method = mem_dup(w->v[0], (size_t)(blank_at - w->v[0]));
	text_str(&body, "{\"method\":");
	json_string(&body, method);
	text_str(&body, ",\"path\":");
	json_string(&body, blank_at + strspn(blank_at, " "));
	text_fmt(&body, ",\"status\":%d,\"times\":%d}", status, times);
	mem_free(method);
	rc = local_ask(call, "POST", "/local/fault", text_of(&body), 0);
	text_free(&body);
	return rc;
}

/* What the engine found, as text. */
struct finding {
	struct sv_set set;
	const char *engine, *text;
	int ok;
};

static const struct sv_field finding_fields[] = {
	{ .name = "engine",
		.help = "engine",
		.offset = offsetof(struct finding, engine),
		.type = SV_STR,
		.flags = SV_COL },
	{ .name = "ok",
		.help = "it works here",
		.offset = offsetof(struct finding, ok),
		.type = SV_BOOL,
		.flags = SV_COL },
	{ .name = "text",
		.help = "what was found",
		.offset = offsetof(struct finding, text),
		.type = SV_STR,
		.flags = SV_COL | SV_PROSE },
};
static const struct sv_kind finding_kind = { .name = "doctor",
	.help = "what the engine needs",
	.fields = finding_fields,
	.n = 3,
	.size = sizeof(struct finding) };

static int doctor_show(struct call *call, const char *reply, size_t len)
{
	struct sv_error err = { 0 };
	void *obj = NULL;
	struct out o;
	int rc;

	if (sv_from_json(&finding_kind, reply, len, &obj, &err))
		return fail(call->app, &err, NULL);
	rc = out_open(&o, call, &finding_kind, 0);
	if (!rc) {
		rc = out_item(&o, obj);
		rc = rc ? rc : out_close(&o);
	}
	if (!rc && !((struct finding *)obj)->ok)
		rc = 1;
	sv_free(obj);
	return rc;
}

static int doctor(struct call *call)
{
	int status = 0, http = 0, rc;
	sv_client *c = app_client(call->app, &status);
	char *reply = NULL;
	size_t len = 0;

	if (!c)
		return status;
	if (sv_request(c, "GET", "/local/doctor", NULL, &http, &reply, &len))
		rc = fail(call->app, sv_client_error(c), NULL);
	else
		rc = http >= 400 ? local_refused(call, http, reply, len)
				 : doctor_show(call, reply, len);
	sv_free_text(reply);
	return rc;
}

static int erase(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) && errno != ENOENT ? -1 : 0;
}

/* Made of this machine's own packages, not of anybody's work, slow to make again, and perhaps being
 * made at this moment. */
static int is_kept(const char *name)
{
	static const char *const kept[] = { "base", "base.tmp", "base.version", "locks",
		"sshd", "sshd.tmp" };

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!strcmp(name, kept[i]))
			return 1;
	return 0;
}

/* Returns how many entries are still there, or -1. */
static int erase_once(const char *path)
{
	char one[PATH_MAX];
	DIR *d = opendir(path);
	struct dirent *n;
	int left = 0;

	if (!d)
		return errno == ENOENT ? 0 : -1;
	while ((n = readdir(d))) {
		if (!strcmp(n->d_name, ".") || !strcmp(n->d_name, "..") || is_kept(n->d_name))
			continue;
		left++;
		if (snprintf(one, sizeof(one), "%s/%s", path, n->d_name) < (int)sizeof(one))
			nftw(one, erase, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	}
	closedir(d);
	return left;
}

/* The daemon no longer listens, but may be closing its files yet: until there is nothing more. */
static int erase_tree(const char *path)
{
	struct timespec pause = { 0, 20000000 };

	for (int i = 0; i < 100; i++) {
		if (erase_once(path) == 0)
			return 0;
		nanosleep(&pause, NULL);
	}
	return -1;
}

/* 1 for a directory that only the local platform uses. */
static int own_directory(const char *path)
{
	size_t n = strlen(path);

	return *path == '/' && n > 10 && !strstr(path, "/../") && !strcmp(path + n - 6, "/local");
}

/* Every instance of the account in use ends; the daemon ends the others' when it has nothing left
 * of them. */
static int release_all(struct call *call)
{
	int http = 0, status = 0;
	sv_client *c = local_client(call->app, &status);
	char *reply = NULL;
	size_t len = 0;

	if (!c)
		return status;
	if (sv_request(c, "POST", "/local/reset", NULL, &http, &reply, &len))
		status = fail(call->app, sv_client_error(c), NULL);
	else if (http >= 400)
		status = local_refused(call, http, reply, len);
	sv_free_text(reply);
	return status;
}

static int reset(struct call *call)
{
	struct app *a = call->app;
	int status = 0, rc = 0;
	const char *path = local_socket(a, &status);
	char *state;

	if (!path)
		return status;
	if (!a->given.yes && !(a->in_tty && a->err_tty && !a->env.no_input))
		return fail_hint(a, EXIT_USAGE, _("add --yes to do it without being asked"),
			_("local reset deletes all instances and disks of the local platform, and "
			  "cannot ask here"));
	if (!a->given.yes &&
		!confirm_word(a,
			_("All instances, disks and the bill of the local platform are deleted."),
			"reset"))
		return fail_text(a, EXIT_REFUSED, _("not confirmed; nothing was done"));
	state = mem_dup(a->config->local_state ? a->config->local_state : "",
		a->config->local_state ? strlen(a->config->local_state) : 0);
	if (!own_directory(state))
		rc = fail_text(a, EXIT_SETTINGS,
			_("%s does not look like the local platform's state; it is left alone"),
			state);
	/* What a daemon that is gone left running ends, too. */
	if (!rc && !local_listening(path) && !access(state, F_OK))
		rc = launch(call, path);
	if (!rc && local_listening(path))
		rc = release_all(call);
	if (!rc)
		rc = stop(call);
	if (!rc && erase_tree(state))
		rc = fail_text(a, 1, "%s: %s", state, i18n_errno(errno));
	mem_free(state);
	if (!rc)
		note(a, _("the account is gone with the rest: svctl account register makes a new "
			  "one"));
	return rc;
}

static int status_of_local(struct call *call)
{
	return ask_soon(call, "GET", "/local/status", 1);
}

int cmd_local(struct call *call)
{
	static const struct {
		const char *verb;
		int (*run)(struct call *call);
		int words;
	} verbs[] = {
		{ "doctor", doctor, 0 },
		{ "fault", fault, 1 },
		{ "reset", reset, 0 },
		{ "start", start, 0 },
		{ "status", status_of_local, 0 },
		{ "step", step, 1 },
		{ "stop", stop, 0 },
	};

	for (size_t i = 0; i < COUNT(verbs); i++)
		if (!strcmp(verbs[i].verb, call->action)) {
			if (!verbs[i].words && call->plain.n)
				return usage_error(
					call, _("one word too many: %s"), call->plain.v[0]);
			return verbs[i].run(call);
		}
	return usage_error(call, _("unknown verb"));
}
