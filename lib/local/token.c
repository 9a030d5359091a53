/* SPDX-License-Identifier: MIT */
/* Tokens: the document says what one may do, the table of keys has its hash and its last use. */
#include "local/token.h"

#include <string.h>

#include <starverse/token.h>

#include "kinds/kinds.h"
#include "local/auth.h"
#include "local/crud.h"
#include "local/doc.h"
#include "local/scope.h"

static void check(struct call *c)
{
	const struct sv_token *b = c->in;
	const char *wrong = doc_name_wrong(b->name);
	unsigned bits = scope_bits(&b->scopes);

	if (wrong)
		sv_err_field(&c->err, "name", "value", "%s", wrong);
	if (!b->scopes.n)
		sv_err_field(&c->err, "scopes", "required", "must name at least one scope");
	if (sv_has(b, expires_at) && !sv_is_null(b, expires_at) && b->expires_at <= c->now)
		sv_err_field(&c->err, "expires_at", "range", "is in the past");
	if (!c->err.code && bits & ~c->request->scopes)
		sv_err(&c->err, SV_DENIED, "a token can only be given scopes that its maker has");
}

int local_token_create(struct call *c)
{
	struct sv_token *t;
	char secret[AUTH_KEY];
	int rc;

	check(c);
	rc = c->err.code ? c->err.code : crud_create(c);
	if (rc)
		return rc;
	t = c->out;
	rc = auth_scoped_new(c->p, c->account, t->id, secret);
	if (!rc)
		doc_text(t, t, secret, secret);
	explicit_bzero(secret, sizeof(secret));
	return rc;
}

int local_token_delete(struct call *c)
{
	int rc = auth_scoped_drop(c->p, c->id);

	return rc ? rc : crud_delete(c);
}

void local_token_present(struct platform *p, const char *account, void *obj, int64_t now)
{
	struct sv_token *t = obj;
	int64_t used = auth_scoped_used(p, t->id);

	(void)account;
	(void)now;
	if (!sv_has(t, expires_at))
		doc_null(t, expires_at);
	if (used < 0)
		doc_null(t, last_used_at);
	else
		doc_put(t, last_used_at, used);
}
