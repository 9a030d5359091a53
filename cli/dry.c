/* SPDX-License-Identifier: MIT */
/* --dry-run: the request as it would be sent, and its price. Nothing but GETs and quotes is sent.
 */
#include <string.h>

#include <starverse/billing.h>
#include <starverse/client.h>

#include "errors.h"
#include "generic.h"

static const char *method(int m)
{
	static const char *const names[] = { "", "GET", "POST", "PATCH", "DELETE" };

	return m > 0 && m < (int)COUNT(names) ? names[m] : "";
}

static void path(const struct sv_verb *v, const char *id, struct text *ret)
{
	for (const char *p = v->path; *p; p++) {
		if (*p != '{') {
			text_chr(ret, *p);
			continue;
		}
		text_str(ret, id ? id : "{id}");
		p = strchr(p, '}');
		if (!p)
			return;
	}
}

static int priced(const char *name)
{
	const struct sv_kind *in = sv_verb_find(sv_kind_find("billing"), "quote")->in;

	for (const struct sv_word *w = sv_field_find(in, "kind")->words; w->word; w++)
		if (!strcmp(w->word, name))
			return 1;
	return 0;
}

/* The price of what a create would make; NULL where nothing can be priced. */
static int price(struct call *call, const char *body, struct sv_quote **ret)
{
	const struct sv_kind *kind = call->verb->out;

	*ret = NULL;
	if (call->verb->method != SV_POST || strchr(call->verb->path, '{') || !body ||
		!priced(kind->name))
		return 0;
	if (sv_billing_quote(call->app->client, kind->name, body, ret))
		return fail_call(call, sv_client_error(call->app->client), NULL);
	return 0;
}

static void show(struct call *call, const char *where, const char *body, const struct sv_quote *q)
{
	struct app *a = call->app;
	char *quote = NULL;
	struct text money = { 0 };
	const struct sv_kind *qk = sv_verb_find(sv_kind_find("billing"), "quote")->out;
	struct column c;

	if (a->json_errors) {
		if (q)
			sv_to_json(qk, q, SV_WALK_ALL, 0, &quote);
		sink_fmt(&a->out, "{\"method\":\"%s\",\"path\":\"%s\",\"body\":%s,\"quote\":%s}\n",
			method(call->verb->method), where, body ? body : "null",
			quote ? quote : "null");
		sv_free_text(quote);
		return;
	}
	sink_fmt(&a->out, "%s %s\n%s%s", method(call->verb->method), where, body ? body : "",
		body ? "\n" : "");
	if (q && column_find(qk, "price_per_hour", &c, NULL)) {
		column_text(&c, q, &money);
		sink_fmt(&a->out, _("price %s an hour\n"), text_of(&money));
		column_free(&c);
		text_free(&money);
	}
}

int dry_run(struct call *call, const char *id)
{
	struct text where = { 0 };
	struct sv_quote *q = NULL;
	char *body = NULL;
	int status = 0, rc;

	if (!app_client(call->app, &status))
		return status;
	path(call->verb, id, &where);
	if (call->in)
		sv_to_json(call->in_kind, call->in,
			call->in_flag == SV_UPDATE ? SV_WALK_UPDATE : SV_WALK_CREATE, 0, &body);
	rc = price(call, body, &q);
	if (!rc)
		show(call, text_of(&where), body, q);
	sv_free(q);
	sv_free_text(body);
	text_free(&where);
	return rc;
}
