/* SPDX-License-Identifier: MIT */
/* Commands that come from verbs: find the targets, ask, send, wait, answer. */
#include "generic.h"

#include <stdio.h>
#include <string.h>

#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "said.h"

static int takes_id(const struct sv_verb *v)
{
	return strchr(v->path, '{') != NULL;
}

static void target_free(struct target *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sv_free(t[i].obj);
		sv_free(t[i].answer);
		mem_free(t[i].id);
		mem_free(t[i].name);
	}
	mem_free(t);
}

/* One target by its word. `get` needs no second look at what was found. */
static void find(struct call *call, struct target *t)
{
	const char *id;

	t->status = resolve(call, call->kind, t->word, &t->obj);
	if (t->status)
		return;
	id = id_of(call->kind, t->obj);
	t->id = mem_dup(id, strlen(id));
	mem_free(t->name);
	t->name = mem_dup(name_of(call->kind, t->obj), strlen(name_of(call->kind, t->obj)));
}

static int split_words(struct call *call, struct target **ret, size_t *n)
{
	size_t own = positionals(call), targets = takes_id(call->verb) ? 1 : 0;

	if (targets && !own)
		targets = call->plain.n;
	if (takes_id(call->verb) && (!targets || call->plain.n < targets))
		return usage_error(call, _("which %s?"), call->kind->name);
	if (!takes_id(call->verb) && !own && call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	*n = targets ? targets : 1;
	*ret = mem_new(*n, sizeof(**ret));
	for (size_t i = 0; i < targets; i++) {
		(*ret)[i].word = call->plain.v[i];
		(*ret)[i].name = mem_dup(call->plain.v[i], strlen(call->plain.v[i]));
	}
	return take_positionals(call, targets);
}

static void send(struct call *call, struct target *t)
{
	const char *args[2] = { t->id, NULL };
	sv_client *c = app_client(call->app, &t->status);
	struct text subject = { 0 };

	if (!c)
		return;
	if (sv_run(c, call->verb, t->id ? args : NULL, call->in, &t->answer)) {
		text_fmt(&subject, "%s %s%s%s", call->kind->name, call->verb->name,
			t->name ? " " : "", t->name ? t->name : "");
		t->status = fail_call(call, sv_client_error(c), text_of(&subject));
		text_free(&subject);
	}
}

static int waits(const struct call *call)
{
	return (call->verb->flags & SV_ASYNC) && !opt_off(call, OPT_WAIT);
}

/* What a failed create left is released, when that was asked for. */
static void roll_back(struct call *call, struct target *t, const char *id)
{
	const struct sv_verb *del = sv_verb_find(call->verb->out, "delete");
	const char *args[2] = { id, NULL };
	struct text why = { 0 };

	if (!opt_on(call, OPT_ROLLBACK) || !del || !*id || (call->verb->method != SV_POST || t->id))
		return;
	app_interrupts(call->app, 0);
	if (sv_run(call->app->client, del, args, NULL, NULL))
		note(call->app, _("%s could not be released: %s"), id,
			said(sv_client_error(call->app->client)->message, &why));
	else
		note(call->app, _("%s is released"), id);
	app_interrupts(call->app, 1);
	text_free(&why);
}

static void await(struct call *call, struct target *t)
{
	const char *want = opt_value(call, OPT_WAIT);
	const struct sv_kind *out = call->verb->out;
	int same = out && t->answer && t->id && !strcmp(t->id, id_of(out, t->answer));

	if (!out || !t->answer)
		return;
	/* What an app was deployed as, or an instance cloned to, has a name of its own. */
	t->status = wait_for(
		call, out, &t->answer, same && t->name ? t->name : name_of(out, t->answer));
	if (!t->status && want && !strcmp(want, "ssh"))
		t->status = wait_ssh(call, out, t->answer, wait_limit(call));
	if (t->status)
		roll_back(call, t, id_of(out, t->answer));
}

/* Several targets: 0, the one status that all failed with, or "some failed". */
static int verdict(const struct target *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (t[i].status != t[0].status)
			return EXIT_SOME;
	return t[0].status;
}

/* Off is not gone: what goes on costing is said where somebody turns something off. */
static void residual(const struct call *call, const struct target *t)
{
	const struct sv_kind *kind = call->verb->out;
	const struct sv_field *f = sv_field_find(kind, "residual_price_per_day");
	const struct sv_field *status = sv_field_find(kind, "status");
	char price[40], word[40];

	if (!f || !status || !t->answer || strcmp(call->verb->name, "stop") != 0)
		return;
	sv_cell(status, t->answer, word, sizeof(word));
	if (strcmp(word, "stopped") != 0 || sv_field_is_null(f, t->answer))
		return;
	sv_cell(f, t->answer, price, sizeof(price));
	if (*(const int64_t *)(const void *)((const char *)t->answer + f->offset))
		note(call->app, _("%s is off; its disks go on costing %s a day"),
			name_of(kind, t->answer), price);
	else
		note(call->app, _("%s is off, and nothing of it goes on costing"),
			name_of(kind, t->answer));
}

static int answer(struct call *call, struct target *t, size_t n)
{
	struct out o;
	const struct sv_kind *kind = call->verb->out;
	int rc;

	if (!kind) {
		for (size_t i = 0; i < n; i++)
			if (!t[i].status && t[i].name)
				note(call->app, _("%s %s: done"), call->kind->name, t[i].name);
		return verdict(t, n);
	}
	rc = out_open(&o, call, kind, n > 1);
	for (size_t i = 0; !rc && i < n; i++)
		if (t[i].answer && (!t[i].status || t[i].status == EXIT_TIMED_OUT))
			rc = out_item(&o, t[i].answer);
	if (!rc && o.count)
		rc = out_close(&o);
	else
		out_drop(&o);
	for (size_t i = 0; !rc && i < n; i++)
		if (!t[i].status)
			residual(call, &t[i]);
	return rc ? rc : verdict(t, n);
}

/* A wrong -o, --columns or --wait must be known before anything is sent. */
static int check_output(struct call *call)
{
	struct out o;
	const char *want = opt_value(call, OPT_WAIT);
	int64_t unused;
	int rc = opt_seconds(call, OPT_TIMEOUT, 0, &unused);

	if (want && strcmp(want, "0") != 0 && strcmp(want, "1") != 0 && strcmp(want, "ssh") != 0)
		return usage_error(call, _("--wait=%s: only ssh can be named"), want);
	if (rc || !call->verb->out)
		return rc;
	rc = out_open(&o, call, call->verb->out, 1);
	if (!rc)
		out_drop(&o);
	return rc;
}

static int changing(struct call *call, struct target *t, size_t n)
{
	int status = 0, rc = check_body(call);

	if (!rc && (call->verb->flags & SV_MASKED) && !given_any(call))
		rc = usage_error(call, _("nothing to change: give at least one field"));
	if (!rc)
		rc = confirm_possible(call);
	if (!rc && !app_client(call->app, &status))
		rc = status;
	if (!rc)
		rc = resolve_refs(call);
	for (size_t i = 0; !rc && takes_id(call->verb) && i < n; i++)
		find(call, &t[i]);
	return rc;
}

/* `get` of one by its name costs one request: what was found is the answer. */
static void getting(struct call *call, struct target *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!takes_id(call->verb)) {
			if (opt_on(call, OPT_CURL))
				t[i].status = curl_show(call, NULL);
			else
				send(call, &t[i]);
			continue;
		}
		find(call, &t[i]);
		if (opt_on(call, OPT_CURL)) {
			t[i].status = t[i].status ? t[i].status : curl_show(call, t[i].id);
			continue;
		}
		t[i].answer = t[i].obj;
		t[i].obj = NULL;
	}
}

static int act(struct call *call, struct target *t, size_t n)
{
	struct hold hold = { 0 };
	int rc = changing(call, t, n);

	if (rc)
		return rc;
	if (opt_on(call, OPT_CURL)) {
		for (size_t i = 0; !rc && i < n; i++)
			rc = t[i].status ? t[i].status : curl_show(call, t[i].id);
		return rc;
	}
	if (opt_on(call, OPT_DRY_RUN)) {
		for (size_t i = 0; !rc && i < n; i++)
			rc = t[i].status ? t[i].status : dry_run(call, t[i].id);
		return rc;
	}
	rc = confirm(call, t, n);
	if (!rc && (call->verb->flags & SV_BILLS) && call->verb->out &&
		sv_field_find(call->verb->out, "ssh"))
		rc = ssh_key_ready(call);
	if (rc)
		return rc;
	hold_begin(call->app, &hold);
	for (size_t i = 0; i < n; i++)
		if (!t[i].status)
			send(call, &t[i]);
	for (size_t i = 0; i < n && waits(call); i++)
		if (!t[i].status)
			await(call, &t[i]);
	rc = answer(call, t, n);
	hold_end(call->app, &hold);
	return rc;
}

int generic_run(struct call *call)
{
	struct target *t = NULL;
	size_t n = 0;
	int status = 0, rc;

	if (call->verb->flags & SV_MANY)
		return list_run(call);
	if (opt_on(call, OPT_SKELETON))
		return skeleton(call);
	rc = check_output(call);
	if (!rc)
		rc = split_words(call, &t, &n);
	if (!rc && call->verb->method == SV_GET && !app_client(call->app, &status))
		rc = status;
	if (!rc && call->verb->method == SV_GET) {
		getting(call, t, n);
		rc = answer(call, t, n);
	} else if (!rc) {
		rc = act(call, t, n);
	}
	target_free(t, n);
	return rc;
}
