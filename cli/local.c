/* SPDX-License-Identifier: MIT */
/* Talking to the local platform where it already runs. */
#include "local.h"

#include <string.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <starverse/client.h>
#include <starverse/config.h>

#include "errors.h"
#include "out.h"

/* What the socket tells about the daemon; the rows are svctl's own, so a newer daemon's are passed
 * over. */
struct status {
	struct sv_set set;
	const char *version, *engine, *socket, *state_dir, *clock, *caps;
	int64_t pid, time, instances, running, operations, next_due;
};

#define ROW(m, t, h, f) \
	{ \
		.name = #m, .help = h, .offset = offsetof(struct status, m), .type = t, .flags = f \
	}

static const struct sv_field status_fields[] = {
	ROW(engine, SV_STR, "what makes instances real", SV_COL),
	ROW(version, SV_STR, "version of the daemon", SV_COL),
	ROW(pid, SV_INT, "process id", SV_COL),
	ROW(instances, SV_INT, "instances that are not released", SV_COL),
	ROW(running, SV_INT, "instances that run", SV_COL),
	ROW(operations, SV_INT, "operations under way", SV_WIDE),
	ROW(clock, SV_STR, "real or stepped", SV_COL),
	ROW(time, SV_TIME, "its time", SV_COL),
	ROW(next_due, SV_TIME, "when something happens by itself", SV_WIDE),
	ROW(caps, SV_STR, "what the engine can", SV_WIDE),
	ROW(state_dir, SV_STR, "where its state is", SV_WIDE),
	ROW(socket, SV_STR, "where it listens", SV_COL),
};
static const struct sv_kind status_kind = { .name = "local_status",
	.help = "the daemon",
	.fields = status_fields,
	.n = COUNT(status_fields),
	.size = sizeof(struct status) };

static int unheard(struct app *a)
{
	return fail_hint(
		a, EXIT_UNREACHABLE, "svctl local start", _("the local platform is not running"));
}

/* 1 when somebody listens. Unlike a request to "local:" this starts nothing. */
int local_listening(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd, ok;

	if (strlen(path) >= sizeof(to.sun_path))
		return 0;
	memcpy(to.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ok = fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Where the daemon listens: --socket, a "unix:" endpoint, or the configuration's place. */
const char *local_socket(struct app *a, int *status)
{
	const struct sv_config *config = app_config(a, status);

	if (!config)
		return NULL;
	if (config->endpoint && !strncmp(config->endpoint, "unix:", 5))
		return config->endpoint + 5;
	if (!config->local_socket || !*config->local_socket)
		*status = fail_text(a, EXIT_SETTINGS,
			_("no place for the local platform's socket: neither HOME nor "
			  "XDG_RUNTIME_DIR is set"));
	return *status ? NULL : config->local_socket;
}

/* A client that talks to the socket and never starts a daemon. */
sv_client *local_client(struct app *a, int *status)
{
	const char *path = local_socket(a, status);
	struct text endpoint = { 0 };
	struct sv_error err;

	if (!path)
		return NULL;
	if (!local_listening(path)) {
		*status = unheard(a);
		return NULL;
	}
	text_fmt(&endpoint, "unix:%s", path);
	sv_field_parse(a->config, a->config, sv_field_find(sv_kind_config(), "endpoint"),
		text_of(&endpoint), &err);
	text_free(&endpoint);
	sv_client_free(a->client);
	a->client = NULL;
	return app_client(a, status);
}

/* What of a problem is told. */
struct problem {
	struct sv_set set;
	const char *code, *detail, *suggestion;
};

static const struct sv_field problem_fields[] = {
	{ .name = "code",
		.help = "word",
		.offset = offsetof(struct problem, code),
		.type = SV_STR },
	{ .name = "detail",
		.help = "what happened",
		.offset = offsetof(struct problem, detail),
		.type = SV_STR },
	{ .name = "suggestion",
		.help = "what to do",
		.offset = offsetof(struct problem, suggestion),
		.type = SV_STR },
};
static const struct sv_kind problem_kind = { .name = "problem",
	.help = "a problem",
	.fields = problem_fields,
	.n = 3,
	.size = sizeof(struct problem) };

int local_refused(struct call *call, int http, const char *reply, size_t len)
{
	struct sv_error err = { .code = http >= 500 ? SV_SERVER : SV_INVALID, .http_status = http };
	struct problem *p = NULL;
	void *obj = NULL;

	if (sv_from_json(&problem_kind, reply, len, &obj, NULL) == SV_OK)
		p = obj;
	for (size_t i = 0; p && p->code && sv_error_rows(i); i++)
		if (!strcmp(sv_error_rows(i)->wire, p->code))
			err.code = sv_error_rows(i)->code;
	snprintf(err.wire, sizeof(err.wire), "%s", p && p->code ? p->code : "");
	snprintf(err.message, sizeof(err.message), "%s", p && p->detail ? p->detail : _("refused"));
	snprintf(err.suggestion, sizeof(err.suggestion), "%s",
		p && p->suggestion ? p->suggestion : "");
	sv_free(obj);
	return fail(call->app, &err, NULL);
}

/* Sends and shows the answer as a status, where it is one. */
int local_ask(struct call *call, const char *method, const char *path, const char *body, int show)
{
	int status = 0, http = 0, rc;
	sv_client *c = local_client(call->app, &status);
	char *reply = NULL;
	size_t len = 0;
	void *obj = NULL;
	struct sv_error err = { 0 };
	struct out o;

	if (!c) {
		app_reset(call->app); /* it was changed for this question */
		return status;
	}
	if (sv_request(c, method, path, body, &http, &reply, &len)) {
		rc = fail(call->app, sv_client_error(c), NULL);
	} else if (http >= 400) {
		rc = local_refused(call, http, reply, len);
	} else if (!show) {
		rc = 0;
	} else if (sv_from_json(&status_kind, reply, len, &obj, &err)) {
		rc = fail(call->app, &err, NULL);
	} else if (!(rc = out_open(&o, call, &status_kind, 0))) {
		rc = out_item(&o, obj);
		rc = rc ? rc : out_close(&o);
	}
	sv_free(obj);
	sv_free_text(reply);
	app_reset(call->app);
	return rc;
}
