/* SPDX-License-Identifier: MIT */
/* --curl: the same request as a command line, the key as a variable. */
#include <string.h>

#include <starverse/client.h>
#include <starverse/config.h>

#include "errors.h"
#include "generic.h"
#include "jsonstr.h"
#include "ssh.h"

struct command_line {
	struct text head, tail;
};

/* In double quotes: the variable is the shell's, everything else is what it is. */
static void with_variable(struct text *t, const char *name, const char *value)
{
	text_fmt(t, " \\\n  -H \"%s: ", name);
	for (; *value; value++) {
		if (strchr("\"\\`", *value))
			text_chr(t, '\\');
		text_chr(t, *value);
	}
	text_chr(t, '"');
}

static void header(struct text *t, const char *name, const char *value)
{
	struct text h = { 0 };

	if (!strcmp(name, "Authorization")) {
		with_variable(t, name, value);
		return;
	}
	text_fmt(&h, "%s: %s", name, value);
	text_str(t, " \\\n  -H ");
	shell_quote(t, text_of(&h));
	text_free(&h);
}

static void option(struct text *t, const char *name, const char *value)
{
	text_fmt(t, " \\\n  %s ", name);
	shell_quote(t, value);
}

static void part(void *data, int depth, const char *key, const char *value)
{
	struct command_line *c = data;

	if (depth > 1)
		header(&c->head, key, value);
	else if (!strcmp(key, "method"))
		text_fmt(&c->head, " -X %s", value);
	else if (!strcmp(key, "socket") && *value == '@')
		option(&c->head, "--abstract-unix-socket", value + 1);
	else if (!strcmp(key, "socket"))
		option(&c->head, "--unix-socket", value);
	else if (!strcmp(key, "cacert"))
		option(&c->head, "--cacert", value);
	else if (!strcmp(key, "body"))
		option(&c->head, "--data-raw", value);
	else if (!strcmp(key, "url"))
		option(&c->tail, "--url", value);
}

int curl_show(struct call *call, const char *id)
{
	const char *args[2] = { id, NULL };
	struct command_line c = { { 0 }, { 0 } };
	struct strings s = { part, NULL, &c };
	int status = 0;
	sv_client *client = app_client(call->app, &status);
	char *json = NULL;

	if (!client)
		return status;
	if (sv_describe(client, call->verb, id ? args : NULL, call->in, &json))
		return fail_call(call, sv_client_error(client), NULL);
	text_str(&c.head, "curl -sS --globoff --path-as-is");
	if (sv_client_config(client)->insecure)
		text_str(&c.head, " --insecure");
	strings_walk(json, strlen(json), &s);
	sink_fmt(&call->app->out, "%s%s\n", text_of(&c.head), text_of(&c.tail));
	sv_free_text(json);
	text_free(&c.head);
	text_free(&c.tail);
	return 0;
}
