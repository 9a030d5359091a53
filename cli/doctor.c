/* SPDX-License-Identifier: MIT */
/* doctor: what svctl stands on, looked at one by one, and what to do about what is wrong. */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <starverse/account.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "local.h"
#include "out.h"
#include "said.h"
#include "ssh.h"

#define SKEW_MAX 30 /* seconds that clocks may differ */

struct finding {
	struct sv_set set;
	const char *check, *result, *found, *advice;
};

#define ROW(m, hlp, more, ...) \
	{ .name = #m, .help = hlp, .offset = offsetof(struct finding, m), .type = SV_STR, \
		.flags = SV_ALWAYS | SV_COL | (more), __VA_ARGS__ }

static const struct sv_word results[] = {
	{ "ok", N_("as it should be"), 1, SV_GOOD },
	{ "warn", N_("works, but not well"), 1, SV_BUSY },
	{ "fail", N_("does not work"), 1, SV_BAD },
	{ 0 },
};
static const struct sv_field fields[] = {
	ROW(check, N_("what was looked at"), 0, .ref = NULL),
	ROW(result, N_("ok, warn or fail"), 0, .words = results),
	ROW(found, N_("what was found"), SV_PROSE, .ref = NULL),
	ROW(advice, N_("what to do"), SV_PROSE, .ref = NULL),
};
static const struct sv_kind finding_kind = { .name = "finding", .help = N_("what was found"),
	.fields = fields, .n = COUNT(fields), .size = sizeof(struct finding) };

enum result { OK, WARN, FAIL };

struct doctor {
	struct call *call;
	struct out out;
	const struct sv_config *config;
	int status; /* of the first that failed */
};

static void say(struct doctor *d, const char *check, enum result result, int status,
	const char *found, const char *advice)
{
	struct finding *f = sv_new(&finding_kind);

	f->check = check;
	f->result = results[result].word;
	f->found = found;
	f->advice = advice;
	for (size_t i = 0; i < COUNT(fields); i++)
		sv_field_mark(&fields[i], f);
	if (!advice)
		sv_field_mark_null(&fields[COUNT(fields) - 1], f);
	if (result == FAIL && !d->status)
		d->status = status;
	out_item(&d->out, f);
	sv_free(f);
}

static void configuration(struct doctor *d)
{
	struct app *a = d->call->app;
	struct sv_config *probe = NULL;
	struct sv_error err = { 0 };
	int status = 0;

	if (sv_config_load(NULL, a->given.profile, &probe, &err)) {
		say(d, "configuration", FAIL, EXIT_SETTINGS, err.message,
			*err.suggestion ? err.suggestion : _("mend the file; svctl config list"));
		return;
	}
	d->config = app_config(a, &status);
	if (!d->config)
		say(d, "configuration", FAIL, status, _("the options do not fit"), NULL);
	else if (sv_config_check(d->config, &err))
		say(d, "configuration", FAIL, EXIT_SETTINGS, err.message,
			_("svctl config list --show-origin"));
	else if (sv_config_warning(d->config, 0))
		say(d, "configuration", WARN, 0, sv_config_warning(d->config, 0),
			_("mend or remove the key"));
	else
		say(d, "configuration", OK, 0,
			d->config->config_file && !access(d->config->config_file, F_OK)
				? d->config->config_file
				: _("none: the local platform"),
			NULL);
	sv_free(probe);
}

/* Keys that others could read are refused when loading; a file that others could write is not good
 * either. */
static void permissions(struct doctor *d)
{
	const char *file = d->config->config_file;
	struct text t = { 0 };
	struct stat st;

	if (file && !stat(file, &st) && (st.st_mode & 022)) {
		text_fmt(&t, _("%s can be written by others (%04o)"), file, st.st_mode & 07777);
		say(d, "permissions", WARN, 0, text_of(&t), _("chmod go-w on it"));
	} else {
		say(d, "permissions", OK, 0, _("configuration and keys are the user's alone"),
			NULL);
	}
	text_free(&t);
}

static void state(struct doctor *d)
{
	char *path = app_state_path(d->call->app, "doctor");
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = '\0';
	if (!path || access(path, W_OK))
		say(d, "state", FAIL, EXIT_SETTINGS, path ? path : strerror(errno),
			_("calls that cost money are written down there before they are sent: make "
			  "it writable, or set state_dir"));
	else
		say(d, "state", OK, 0, path, NULL);
	mem_free(path);
}

/* "https://[::1]:8443" -> "::1" and "8443". 0 when it is no network address. */
static int host_of(const char *endpoint, char *host, size_t size, char *port, size_t port_size)
{
	const char *at = strstr(endpoint, "://"), *end;

	if (strncmp(endpoint, "http", 4) != 0 || !at)
		return 0;
	at += 3;
	snprintf(port, port_size, "%s", endpoint[4] == 's' ? "443" : "80");
	end = *at == '[' ? strchr(++at, ']') : at + strcspn(at, ":/");
	if (!end)
		return 0;
	snprintf(host, size, "%.*s", (int)(end - at), at);
	end += *end == ']';
	if (*end == ':')
		snprintf(port, port_size, "%.*s", (int)strcspn(end + 1, "/"), end + 1);
	return *host != '\0';
}

static void names(struct doctor *d)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *all = NULL;
	char host[300], port[16];
	struct text t = { 0 };
	size_t n = 0;
	int why;

	if (!host_of(d->config->endpoint, host, sizeof(host), port, sizeof(port)))
		return;
	why = getaddrinfo(host, port, &hints, &all);
	for (struct addrinfo *p = all; !why && p; p = p->ai_next)
		n++;
	if (!why) {
		text_fmt(&t, _("%s has %zu addresses"), host, n);
		freeaddrinfo(all);
	} else {
		text_fmt(&t, "%s: %s", host, gai_strerror(why));
	}
	say(d, "dns", why ? FAIL : OK, EXIT_UNREACHABLE, text_of(&t),
		why ? _("is the endpoint spelled right? is there a network?") : NULL);
	text_free(&t);
}

/* A proxy's name, without what it may say of user and password. */
static void proxy(struct doctor *d)
{
	const char *p = d->call->app->env.proxy, *at = p ? strrchr(p, '@') : NULL;
	struct text t = { 0 };

	if (strncmp(d->config->endpoint, "http", 4) != 0)
		return;
	text_fmt(&t, p ? _("requests go through %s") : _("none"), at ? at + 1 : p);
	say(d, "proxy", OK, 0, text_of(&t), NULL);
	text_free(&t);
}

static void key(struct doctor *d)
{
	const struct sv_config *c = d->config;
	struct text t = { 0 }, from = { 0 };

	if (!c->api_key && !c->api_key_file && !c->api_key_command.n) {
		text_fmt(&t, _("none for profile %s"), c->profile);
		say(d, "key", FAIL, EXIT_SETTINGS, text_of(&t),
			_("svctl login, or svctl account register on the local platform"));
	} else {
		text_fmt(&t, _("from %s"),
			said(sv_config_origin(c, c->api_key	   ? "api_key"
						 : c->api_key_file ? "api_key_file"
								   : "api_key_command"),
				&from));
		say(d, "key", OK, 0, text_of(&t), NULL);
	}
	text_free(&t);
	text_free(&from);
}

static void clocks(struct doctor *d, sv_client *c)
{
	struct text t = { 0 };
	int64_t skew;

	if (sv_client_skew(c, &skew))
		return;
	text_fmt(&t, _("%lld s ahead of the service"), (long long)skew);
	if (skew > SKEW_MAX || skew < -SKEW_MAX)
		say(d, "clock", WARN, 0, text_of(&t),
			_("set this machine's clock: signed requests are refused when it is "
			  "wrong"));
	else
		say(d, "clock", OK, 0, _("agrees with the service's"), NULL);
	text_free(&t);
}

/* One request says whether the service is there, speaks TLS that is trusted, and takes the key. */
static void service(struct doctor *d)
{
	struct app *a = d->call->app;
	struct sv_account *account = NULL;
	const struct sv_error *err;
	sv_client *c;
	int status = 0;

	c = app_client(a, &status);
	if (!c)
		return; /* said above: no key */
	if (sv_account_get(c, &account) == SV_OK) {
		say(d, strncmp(d->config->endpoint, "https", 5) != 0 ? "service" : "service, tls",
			OK, 0, d->config->endpoint, NULL);
		clocks(d, c);
	} else {
		err = sv_client_error(c);
		say(d, "service", FAIL, sv_exit_code(err->code), err->message,
			*err->suggestion ? err->suggestion
					 : _("svctl --debug account get shows the request"));
	}
	if (d->config->insecure)
		say(d, "tls", WARN, 0, _("certificates are not checked"),
			_("name the right certificates with cacert instead"));
	sv_free(account);
}

static void ssh(struct doctor *d)
{
	static char *const version[] = { (char *)(uintptr_t)"ssh", (char *)(uintptr_t)"-V", NULL };
	char *path;

	if (run_quietly(version, d->call->app)) {
		say(d, "ssh", FAIL, 1, _("ssh is not installed"),
			_("install openssh-client: instance ssh, exec and cp run it"));
		return;
	}
	path = app_state_path(d->call->app, "ssh/id_ed25519");
	say(d, "ssh", OK, 0,
		path && !access(path, R_OK) ? path : _("a key is made at the first create"), NULL);
	mem_free(path);
}

/* The engine's own words, where the local platform runs. */
static void local(struct doctor *d)
{
	int status = 0, http = 0;
	const char *path = local_socket(d->call->app, &status);
	struct app *a = d->call->app;
	char *reply = NULL;
	size_t len = 0;

	if (strcmp(d->config->endpoint, "local:") != 0)
		return;
	if (!path || !local_listening(path)) {
		say(d, "local platform", OK, 0, _("not running; started when it is needed"), NULL);
		return;
	}
	if (!a->client ||
		sv_request(a->client, "GET", "/local/doctor", NULL, &http, &reply, &len) ||
		http >= 400)
		say(d, "local platform", FAIL, EXIT_UNREACHABLE, path,
			_("svctl local stop, then svctl local start"));
	else
		say(d, "engine", strstr(reply, "\"ok\":true") ? OK : FAIL, 1,
			strstr(reply, "\"ok\":true") ? _("works here")
						     : _("lacks something on this machine"),
			strstr(reply, "\"ok\":true") ? NULL : _("svctl local doctor tells more"));
	sv_free_text(reply);
}

int cmd_doctor(struct call *call)
{
	struct doctor d = { .call = call };
	int rc;

	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	rc = out_open(&d.out, call, &finding_kind, 1);
	if (rc)
		return rc;
	configuration(&d);
	if (d.config) {
		permissions(&d);
		state(&d);
		names(&d);
		proxy(&d);
		key(&d);
		service(&d);
		ssh(&d);
		local(&d);
	}
	rc = out_close(&d.out);
	return rc ? rc : d.status;
}
