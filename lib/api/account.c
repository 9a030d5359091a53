/* SPDX-License-Identifier: MIT */
#include <starverse/account.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_account *sv_account_new(void)
{
	return sv_new(&sv_account_kind);
}

struct sv_account_register_body *sv_account_register_body_new(void)
{
	return sv_new(&sv_account_register_body_kind);
}

int sv_account_get(sv_client *c, struct sv_account **ret)
{
	return sv_typed(c, sv_verb_find(&sv_account_kind, "get"), NULL, NULL, ret);
}

int sv_account_update(sv_client *c, const struct sv_account *changes, struct sv_account **ret)
{
	return sv_typed(c, sv_verb_find(&sv_account_kind, "update"), NULL, changes, ret);
}

int sv_account_register(sv_client *c, const struct sv_account_register_body *body,
	struct sv_account_registration **ret)
{
	return sv_typed(c, sv_verb_find(&sv_account_kind, "register"), NULL, body, ret);
}

int sv_account_top_up(sv_client *c, int64_t amount, struct sv_account **ret)
{
	struct sv_account_top_up_body b = { .amount = amount };

	sv_mark(&b, amount);
	return sv_typed(c, sv_verb_find(&sv_account_kind, "top_up"), NULL, &b, ret);
}
