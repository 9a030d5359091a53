/* SPDX-License-Identifier: MIT */
/* account register, quote. */
#include <string.h>

#include <starverse/account.h>
#include <starverse/billing.h>
#include <starverse/client.h>
#include <starverse/config.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

/* Whose key the calls will carry from now on. */
static int keep_key(struct call *call, const char *key)
{
	const struct sv_config *config = call->app->config;
	const char *profile = config->profile && *config->profile ? config->profile : "local";
	struct sv_error err = { 0 };

	if (sv_credentials_set(NULL, profile, key, &err))
		return fail(call->app, &err, NULL);
	note(call->app, _("the key is kept in %s for profile %s"),
		config->credentials_file ? config->credentials_file : "credentials.yaml", profile);
	return 0;
}

int cmd_account_register(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("account"), "register");
	struct sv_account_registration *r = NULL;
	struct out o;
	int status = 0, rc = check_body(call);
	sv_client *c = rc ? NULL : app_client(call->app, &status);

	if (!c)
		return rc ? rc : status;
	rc = out_open(&o, call, sv_kind_find("account"), 0);
	if (rc)
		return rc;
	if (sv_run(c, verb, NULL, call->in, (void **)&r))
		rc = fail_call(call, sv_client_error(c), NULL);
	if (!rc)
		rc = keep_key(call, r->api_key);
	if (!rc && r->account)
		rc = out_item(&o, r->account);
	if (!rc)
		rc = out_close(&o);
	else
		out_drop(&o);
	sv_free(r);
	app_reset(call->app); /* the client has no key yet */
	return rc;
}

/* A quote for people is its items and what they come to; for programs it is the object. */
static int show_quote(struct call *call, const struct sv_verb *verb, const struct sv_quote *q)
{
	const struct sv_field *items = sv_field_find(verb->out, "items");
	struct out o;
	int rc = out_open(&o, call, verb->out, 0);
	int table = !rc && o.format->columns && o.format != &out_get && !call->opt[OPT_COLUMNS].n;

	if (rc)
		return rc;
	if (table) {
		out_drop(&o);
		rc = out_open(&o, call, items->kind, 1);
		for (size_t i = 0; !rc && i < q->items.n; i++)
			rc = out_item(&o, q->items.v[i]);
		rc = rc ? rc : out_close(&o);
		if (rc || (strcmp(o.format->name, "table") != 0 &&
				  strcmp(o.format->name, "wide") != 0))
			return rc;
		sink_chr(&call->app->out, '\n');
		rc = out_open(&o, call, verb->out, 0);
	}
	if (!rc)
		rc = out_item(&o, q);
	return rc ? rc : out_close(&o);
}

/* What a job would run is no part of its price either: anything will do. */
static void command_word(struct call *call)
{
	const struct sv_field *f = sv_field_find(call->in_kind, "command");
	const struct sv_field *app = sv_field_find(call->in_kind, "app");
	struct sv_error err;

	if (!f || f->type != SV_STRS || strcmp(call->action, "job") != 0)
		return;
	for (size_t i = 0; i < call->after.n; i++)
		sv_strs_add(call->in, (struct sv_strs *)(void *)((char *)call->in + f->offset),
			call->after.v[i]);
	if (call->after.n)
		sv_field_mark(f, call->in);
	else if (!sv_field_has(f, call->in) && !(app && sv_field_has(app, call->in)))
		sv_field_parse(call->in, call->in, f, "true", &err);
}

int cmd_quote(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("billing"), "quote");
	const struct sv_field *name = sv_field_find(call->in_kind, "name");
	struct sv_error err;
	struct sv_quote *q = NULL;
	char *body = NULL;
	int status = 0, rc = take_positionals(call, 0);

	/* What is not going to exist needs no name. */
	if (!rc && !call->in)
		call->in = sv_new(call->in_kind);
	if (!rc && name && !sv_field_has(name, call->in))
		sv_field_parse(call->in, call->in, name, "quote", &err);
	if (!rc)
		command_word(call);
	if (!rc)
		rc = check_body(call);
	if (!rc)
		rc = resolve_refs(call);
	if (!rc && !app_client(call->app, &status))
		rc = status;
	if (!rc && sv_to_json(call->in_kind, call->in, SV_WALK_CREATE, 0, &body))
		rc = fail_text(call->app, 1, _("out of memory"));
	if (!rc && sv_billing_quote(call->app->client, call->action, body, &q))
		rc = fail_call(call, sv_client_error(call->app->client), NULL);
	if (!rc)
		rc = show_quote(call, verb, q);
	sv_free(q);
	sv_free_text(body);
	return rc;
}
