/* SPDX-License-Identifier: MIT */
#include <starverse/webhook.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_webhook *sv_webhook_new(void)
{
	return sv_new(&sv_webhook_kind);
}

struct sv_webhook_filter *sv_webhook_filter_new(void)
{
	return sv_new(&sv_webhook_filter_kind);
}

struct sv_webhook_create_body *sv_webhook_create_body_new(void)
{
	return sv_new(&sv_webhook_create_body_kind);
}

int sv_webhook_list(
	sv_client *c, const struct sv_webhook_filter *filter, struct sv_webhook_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_webhook_kind, "list"), NULL, filter, ret);
}

int sv_webhook_get(sv_client *c, const char *id, struct sv_webhook **ret)
{
	return sv_typed(c, sv_verb_find(&sv_webhook_kind, "get"), id, NULL, ret);
}

int sv_webhook_create(
	sv_client *c, const struct sv_webhook_create_body *body, struct sv_webhook **ret)
{
	return sv_typed(c, sv_verb_find(&sv_webhook_kind, "create"), NULL, body, ret);
}

int sv_webhook_update(
	sv_client *c, const char *id, const struct sv_webhook *changes, struct sv_webhook **ret)
{
	return sv_typed(c, sv_verb_find(&sv_webhook_kind, "update"), id, changes, ret);
}

int sv_webhook_delete(sv_client *c, const char *id, struct sv_webhook **ret)
{
	return sv_typed(c, sv_verb_find(&sv_webhook_kind, "delete"), id, NULL, ret);
}

int sv_webhook_test(sv_client *c, const char *id, struct sv_webhook **ret)
{
	return sv_typed(c, sv_verb_find(&sv_webhook_kind, "test"), id, NULL, ret);
}

int sv_webhook_rotate(sv_client *c, const char *id, const char *secret, struct sv_webhook **ret)
{
	struct sv_webhook_rotate_body *body = sv_new(&sv_webhook_rotate_body_kind);
	int rc = body ? SV_OK : SV_NOMEM;

	if (!rc && secret) {
		body->secret = sv_strdup_in(body, secret);
		rc = body->secret ? SV_OK : SV_NOMEM;
	}
	if (!rc)
		rc = sv_typed(c, sv_verb_find(&sv_webhook_kind, "rotate"), id, body, ret);
	sv_free(body);
	return rc;
}
