/* SPDX-License-Identifier: MIT */
/* billing balance, billing usage --by. */
#include <string.h>

#include <starverse/account.h>
#include <starverse/billing.h>
#include <starverse/client.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

int cmd_billing_balance(struct call *call)
{
	const struct sv_field *f = sv_field_find(sv_kind_find("account"), "balance");
	struct sv_account *account = NULL;
	struct out o;
	int status = 0, rc = out_open(&o, call, f->kind, 0);
	sv_client *c = rc ? NULL : app_client(call->app, &status);

	if (!c)
		return rc ? rc : status;
	if (sv_account_get(c, &account))
		rc = fail_call(call, sv_client_error(c), NULL);
	if (!rc && account->balance)
		rc = out_item(&o, account->balance);
	if (!rc)
		rc = out_close(&o);
	else
		out_drop(&o);
	sv_free(account);
	return rc;
}

/* Sums of usage under one word. */
struct sum {
	struct sv_set set;
	const char *key;
	int64_t seconds, cost;
};

static const struct sv_field sum_fields[] = {
	{ .name = "key",
		.help = "what is summed up",
		.offset = offsetof(struct sum, key),
		.type = SV_STR,
		.flags = SV_COL | SV_NAME },
	{ .name = "seconds",
		.help = "length",
		.offset = offsetof(struct sum, seconds),
		.type = SV_SECONDS,
		.flags = SV_COL },
	{ .name = "cost",
		.help = "cost",
		.offset = offsetof(struct sum, cost),
		.type = SV_MONEY,
		.flags = SV_COL },
};
static const struct sv_kind sum_kind = { .name = "sum",
	.help = "usage summed up",
	.fields = sum_fields,
	.n = 3,
	.size = sizeof(struct sum) };

static struct sum *sum_of(void *root, struct sv_list *sums, const char *key)
{
	struct sum *s;

	for (size_t i = 0; i < sums->n; i++)
		if (!strcmp(((struct sum *)sums->v[i])->key, key))
			return sums->v[i];
	s = sv_new_in(root, &sum_kind);
	if (!s)
		return NULL;
	s->key = sv_strdup_in(root, key);
	for (size_t i = 0; i < COUNT(sum_fields); i++)
		sv_field_mark(&sum_fields[i], s);
	return sv_list_add(root, sums, s) ? NULL : s;
}

static int sum_page(
	const struct sv_usage_list *page, const struct column *by, void *root, struct sv_list *sums)
{
	for (size_t i = 0; i < page->n; i++) {
		struct text key = { 0 };
		struct sum *s;

		column_text(by, page->v[i], &key);
		s = sum_of(root, sums, text_of(&key));
		text_free(&key);
		if (!s || __builtin_add_overflow(s->seconds, page->v[i]->seconds, &s->seconds) ||
			__builtin_add_overflow(s->cost, page->v[i]->cost, &s->cost))
			return 1;
	}
	return 0;
}

static int summed(struct call *call, const struct sv_verb *verb, const struct column *by)
{
	int status = 0, rc = SV_OK;
	sv_client *c = app_client(call->app, &status);
	void *root = sv_new(&sum_kind), *page = NULL;
	struct sv_list sums = { 0 };
	struct out o;

	if (!c || !root || (status = out_open(&o, call, &sum_kind, 1)) != 0) {
		sv_free(root);
		return c && root ? status : c ? 1 : status;
	}
	for (rc = sv_run(c, verb, NULL, call->in, &page); !rc && page;
		rc = sv_next(c, verb, NULL, call->in, &page))
		status |= sum_page(page, by, root, &sums);
	sv_free(page);
	if (rc)
		status = fail_call(call, sv_client_error(c), NULL);
	for (size_t i = 0; !status && i < sums.n; i++)
		status = out_item(&o, sums.v[i]);
	if (!status)
		status = out_close(&o);
	else
		out_drop(&o);
	sv_free(root);
	return status;
}

int cmd_billing_usage(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(sv_kind_find("billing"), "usage");
	const char *by = opt_value(call, OPT_BY), *near = NULL;
	struct column c;
	int rc;

	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!call->in)
		call->in = sv_new(call->in_kind);
	if (!by)
		return list_verb(call, verb->out, verb, call->in);
	/* "by instance" is what people say: its name, as it was. */
	if (!column_find(verb->out, !strcmp(by, "instance") ? "name" : by, &c, &near))
		return usage_near(call, near, _("--by: no such field: %s"), by);
	rc = summed(call, verb, &c);
	column_free(&c);
	return rc;
}
