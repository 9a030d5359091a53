/* SPDX-License-Identifier: MIT */
/* api, version: what was received is printed byte for byte. */
#include <stdio.h>
#include <string.h>

#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "out.h"
#include "jsonstr.h"

/* key=text or key:=JSON, as members of one object. */
static int field(const struct call *call, struct text *body, const char *arg)
{
	const char *eq = strchr(arg, '=');
	size_t len;
	char *key;

	if (!eq || eq == arg)
		return usage_error(call, _("--field \"%s\": must be KEY=VALUE or KEY:=JSON"), arg);
	len = (size_t)(eq - arg) - (eq[-1] == ':');
	key = mem_dup(arg, len);
	text_chr(body, body->n ? ',' : '{');
	json_string(body, key);
	text_chr(body, ':');
	if (eq[-1] == ':')
		text_str(body, eq + 1);
	else
		json_string(body, eq + 1);
	mem_free(key);
	return 0;
}

static int body_of(struct call *call, struct text *body)
{
	const struct words *fields = &call->opt[OPT_FIELD];
	const char *file = opt_value(call, OPT_BODY);
	int rc = 0;

	if (file && fields->n)
		return usage_error(call, _("--body and --field exclude each other"));
	if (file)
		return read_whole(call->app, file, body);
	for (size_t i = 0; !rc && i < fields->n; i++)
		rc = field(call, body, fields->v[i]);
	if (fields->n)
		text_chr(body, '}');
	return rc;
}

static void cursor(void *data, int depth, const char *key, const char *value)
{
	if (depth == 1 && !strcmp(key, "next_cursor"))
		text_str(data, value);
}

static void next_path(const char *reply, size_t len, const char *path, struct text *ret)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	struct text found = { 0 };
	struct strings s = { cursor, NULL, &found };

	ret->n = 0;
	if (!strings_walk(reply, len, &s) && found.n) {
		text_fmt(ret, "%s%ccursor=", path, strchr(path, '?') ? '&' : '?');
		for (const char *p = text_of(&found); *p; p++)
			if (strchr(plain, *p))
				text_chr(ret, *p);
			else
				text_fmt(ret, "%%%02X", (unsigned char)*p);
	}
	text_free(&found);
}

/* The body goes out as it came, also that of an error; what it means is said on stderr. */
static int once(struct call *call, const char *method, const char *path, const char *body,
	struct text *next)
{
	sv_client *c = call->app->client;
	char *reply = NULL;
	size_t len = 0;
	int http = 0, rc = sv_request(c, method, path, body, &http, &reply, &len);

	sink_add(&call->app->out, reply ? reply : "", reply ? len : 0);
	if (reply && len && reply[len - 1] != '\n' && call->app->out_tty)
		sink_chr(&call->app->out, '\n');
	next_path(reply ? reply : "", reply && !rc ? len : 0, call->plain.v[1], next);
	sv_free_text(reply);
	return rc ? fail_call(call, sv_client_error(c), NULL) : 0;
}

int cmd_api(struct call *call)
{
	static const char *const methods[] = { "GET", "POST", "PATCH", "PUT", "DELETE", "HEAD" };
	struct text body = { 0 }, path = { 0 }, next = { 0 };
	int status = 0, rc, known = 0;

	if (call->plain.n != 2 || call->plain.v[1][0] != '/')
		return usage_error(call, _("a method and a path that begins with / are needed"));
	for (size_t i = 0; i < COUNT(methods); i++)
		known |= !strcmp(methods[i], call->plain.v[0]);
	if (!known)
		return usage_error(call, _("not a method: %s"), call->plain.v[0]);
	rc = body_of(call, &body);
	if (!rc && !app_client(call->app, &status))
		rc = status;
	text_str(&path, call->plain.v[1]);
	while (!rc) {
		rc = once(call, call->plain.v[0], text_of(&path), body.n ? text_of(&body) : NULL,
			&next);
		if (!opt_on(call, OPT_PAGINATE) || !next.n || call->app->out.error)
			break;
		if (!strcmp(text_of(&next), text_of(&path)))
			rc = fail_text(call->app, EXIT_UNREACHABLE,
				_("the service gave the same page twice"));
		sink_chr(&call->app->out, '\n');
		path.n = 0;
		text_str(&path, text_of(&next));
	}
	text_free(&body);
	text_free(&path);
	text_free(&next);
	return rc;
}

int cmd_version(struct call *call)
{
	if (call->app->json_errors)
		sink_fmt(&call->app->out, "{\"version\":\"%s\"}\n", sv_version());
	else
		sink_fmt(&call->app->out, "svctl %s\n", sv_version());
	return 0;
}
