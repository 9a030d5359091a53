/* SPDX-License-Identifier: MIT */
/* Usage summed up, as a list: in the order of its keys, a page's cursor being the last one's. */
#include <string.h>

#include <starverse/billing.h>

#include "base/err.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/billing.h"
#include "local/ledger.h"

/* A cursor: what has no key is before all others. */
#define NONE "-"
#define SOME '='

struct filling {
	struct sv_page *page;
	const char *after; /* the cursor, or NULL */
	int64_t limit;
	int rc;
};

static int is_past(const struct filling *fill, const struct ledger_sum *s)
{
	if (!fill->after)
		return 1;
	return s->key && (*fill->after != SOME || strcmp(s->key, fill->after + 1) > 0);
}

static int end_page(struct filling *fill)
{
	const struct sv_usage_sum *last = fill->page->v[fill->page->n - 1];
	struct sv_buf b;

	sv_buf_init(&b, 8192);
	sv_buf_fmt(&b, last->key ? "%c%s" : NONE, SOME, last->key);
	fill->page->next = sv_strdup_in(fill->page, sv_buf_text(&b));
	if (b.failed || !fill->page->next)
		fill->rc = SV_NOMEM;
	sv_buf_free(&b);
	return 1;
}

static int add(void *data, const struct ledger_sum *from)
{
	struct filling *fill = data;
	struct sv_usage_sum *s;

	if (!is_past(fill, from))
		return 0;
	if ((int64_t)fill->page->n == fill->limit)
		return end_page(fill);
	s = sv_new_in(fill->page, &sv_usage_sum_kind);
	if (!s || sv_page_add(fill->page, s)) {
		fill->rc = SV_NOMEM;
		return 1;
	}
	sv_put(s, key, from->key ? sv_strdup_in(fill->page, from->key) : NULL);
	sv_put(s, name, from->name ? sv_strdup_in(fill->page, from->name) : NULL);
	sv_put(s, started_at, from->started_at);
	if (from->started_at < 0)
		sv_mark_null(s, started_at);
	sv_put(s, intervals, from->intervals);
	sv_put(s, seconds, from->seconds);
	sv_put(s, compute_seconds, from->compute);
	sv_put(s, cost, from->cost);
	sv_put(s, currency, BILLING_CURRENCY);
	return 0;
}

int local_billing_sums(struct call *c)
{
	struct sv_usage_filter *in = c->in;
	struct filling fill = { .page = NULL };
	struct ledger_filter f;
	const char *why;
	int rc;

	if (!in || !in->by)
		return sv_err_field(&c->err, "by", "required", "is needed");
	/* The cursor is not the row of an interval. */
	fill.after = in->cursor;
	in->cursor = NULL;
	rc = billing_filter(c, &f);
	if (!rc && fill.after && *fill.after != SOME && strcmp(fill.after, NONE) != 0)
		rc = sv_err_field(&c->err, "cursor", "cursor", "is not one of this list");
	if (rc)
		return rc;
	fill.limit = f.limit - 1;
	c->out = fill.page = sv_page_new();
	if (!fill.page)
		return SV_NOMEM;
	rc = ledger_sums(c->p->ledger, &f, in->by, c->now, add, &fill, &why);
	if (rc && why)
		rc = sv_err_field(&c->err, "by", "value", "%s", why);
	return rc ? rc : fill.rc;
}
