/* SPDX-License-Identifier: MIT */
#include <starverse/billing.h>

#include <string.h>

#include "api/typed.h"
#include "base/err.h"
#include "kinds/kinds.h"
#include "model/json.h"
#include "net/client.h"

struct sv_usage_filter *sv_usage_filter_new(void)
{
	return sv_new(&sv_usage_filter_kind);
}

struct sv_page_query *sv_page_query_new(void)
{
	return sv_new(&sv_page_query_kind);
}

struct sv_billing_quote_body *sv_billing_quote_body_new(void)
{
	return sv_new(&sv_billing_quote_body_kind);
}

struct sv_billing_tco_body *sv_billing_tco_body_new(void)
{
	return sv_new(&sv_billing_tco_body_kind);
}

int sv_billing_balance(sv_client *c, struct sv_billing **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "balance"), NULL, NULL, ret);
}

int sv_billing_usage(sv_client *c, const struct sv_usage_filter *filter, struct sv_usage_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "usage"), NULL, filter, ret);
}

int sv_billing_sums(
	sv_client *c, const struct sv_usage_filter *filter, struct sv_usage_sum_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "sums"), NULL, filter, ret);
}

int sv_billing_charges(
	sv_client *c, const struct sv_usage_filter *filter, struct sv_charge_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "charges"), NULL, filter, ret);
}

int sv_billing_vouchers(
	sv_client *c, const struct sv_page_query *page, struct sv_voucher_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "vouchers"), NULL, page, ret);
}

int sv_billing_budgets(sv_client *c, const struct sv_page_query *page, struct sv_budget_list **ret)
{
	struct sv_budget_filter filter = { .limit = 0 };

	if (page && (page->limit || sv_has(page, limit)))
		sv_put(&filter, limit, page->limit);
	if (page && page->cursor)
		sv_put(&filter, cursor, page->cursor);
	return sv_budget_list(c, &filter, ret);
}

int sv_billing_invoices(
	sv_client *c, const struct sv_page_query *page, struct sv_invoice_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "invoices"), NULL, page, ret);
}

int sv_billing_quote(sv_client *c, const char *kind, const char *body, struct sv_quote **ret)
{
	struct sv_billing_quote_body b = { .kind = kind, .body = body };
	struct sv_error err;
	struct cJSON *tree = body ? sv_json_parse(body, strlen(body), &err) : NULL;

	/* It goes into the request as it is, so it must be one whole value. */
	if (!tree) {
		sv_err_clear(&c->error);
		return sv_err_field(&c->error, "body", "value", "must be JSON");
	}
	sv_json_free(tree);
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "quote"), NULL, &b, ret);
}

int sv_billing_tco(sv_client *c, const struct sv_billing_tco_body *body, struct sv_tco **ret)
{
	return sv_typed(c, sv_verb_find(&sv_billing_kind, "tco"), NULL, body, ret);
}

int sv_billing_redeem(sv_client *c, const char *code, struct sv_voucher **ret)
{
	struct sv_billing_redeem_body b = { .code = code };

	return sv_typed(c, sv_verb_find(&sv_billing_kind, "redeem"), NULL, &b, ret);
}
