/* SPDX-License-Identifier: MIT */
/* Accounts come by e-mail or phone; the key is shown once. Which address has which account is a
 * fact of the address. */
#include "local/register.h"

#include <stdio.h>
#include <string.h>

#include <starverse/account.h>

#include "base/limits.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/auth.h"
#include "local/billing.h"
#include "local/catalog.h"
#include "local/field.h"
#include "local/ledger.h"
#include "model/kind.h"

#define PREFIX      "acc_"
#define ADDRESS_MAX 200

/* Lower case and without what people put between digits, so that one address has one account. */
static int plain(const char *kind, const char *text, char *buf, size_t size)
{
	int phone = !strcmp(kind, "phone");
	size_t n = (size_t)snprintf(buf, size, "%s:", kind);

	for (; *text && n + 1 < size; text++) {
		char c = *text >= 'A' && *text <= 'Z' ? (char)(*text | 0x20) : *text;

		if (!phone || !strchr(" -()", c))
			buf[n++] = c;
	}
	buf[n] = '\0';
	return !*text;
}

static int taken(struct call *c, const char *address)
{
	struct sv_buf b;
	int rc;

	sv_buf_init(&b, 256);
	rc = store_fact_get(c->p->store, address, "account", &b);
	sv_buf_free(&b);
	if (rc == SV_NOTFOUND)
		return SV_OK;
	if (rc)
		return rc;
	sv_err(&c->err, SV_CONFLICT, "%s is registered already", strchr(address, ':') + 1);
	sv_err_hint(
		&c->err, "its key was shown once; register another address to get a new account");
	return SV_CONFLICT;
}

static int make(struct call *c, const struct sv_account_register_body *in,
	struct sv_account_registration *out, const char *address)
{
	const struct catalog_settings *s = c->p->catalog ? catalog_settings(c->p->catalog) : NULL;
	struct sv_account *a = out->account;
	char id[64], key[AUTH_KEY];
	int rc;

	store_id(c->p->store, sv_account_kind.prefix ? sv_account_kind.prefix : PREFIX, id,
		sizeof(id));
	a->id = sv_strdup_in(out, id);
	a->name = in->name ? in->name : in->email ? in->email : in->phone;
	a->email = in->email;
	a->phone = in->phone;
	sv_put(a, verified, 1);
	rc = store_put(c->p->store, &sv_account_kind, id, a, c->now);
	if (rc == SV_OK)
		rc = store_fact_set(c->p->store, address, "account", id);
	if (rc == SV_OK)
		rc = auth_key_new(c->p, id, key);
	if (rc == SV_OK && s && s->trial_credit > 0)
		rc = ledger_credit(c->p->ledger, id, s->trial_credit, c->now,
			s->trial_credit_seconds < 0 ? -1 : c->now + s->trial_credit_seconds,
			"trial credit");
	if (rc == SV_OK)
		rc = platform_event(c->p, id, "account.registered", id, id, "registered %s",
			strchr(address, ':') + 1);
	if (rc == SV_OK)
		account_show(c->p, out, a, c->now);
	out->api_key = sv_strdup_in(out, key);
	return rc;
}

int local_account_register(struct call *c)
{
	const struct sv_account_register_body *in = c->in;
	const char *text = in->email ? in->email : in->phone;
	struct sv_account_registration *out;
	char address[ADDRESS_MAX + 8];
	int rc;

	if (!text || !*text)
		return sv_err_field(&c->err, "email", "required", "email or phone is required");
	if (!plain(in->email ? "email" : "phone", text, address, sizeof(address)))
		return sv_err_field(&c->err, in->email ? "email" : "phone", "range",
			"is longer than %d characters", ADDRESS_MAX);
	rc = taken(c, address);
	if (rc)
		return rc;
	out = sv_new(c->verb->out);
	c->out = out;
	if (!out)
		return SV_NOMEM;
	out->account = sv_new_in(out, &sv_account_kind);
	c->status = 201;
	return out->account ? make(c, in, out, address) : SV_NOMEM;
}
