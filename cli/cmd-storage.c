/* SPDX-License-Identifier: MIT */
/* storage ls, rm. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "errors.h"
#include "generic.h"
#include "storage.h"

struct showing {
	struct out out;
	size_t n;
};

static int show(void *data, const struct sv_bucket_object *const *v, size_t n)
{
	struct showing *s = data;
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++) {
		rc = out_item(&s->out, v[i]);
		s->n++;
	}
	return rc                             ? rc
	       : sink_flush(&s->out.app->out) ? EXIT_PIPE
	       : hold_signal()                ? 128 + hold_signal()
					      : 0;
}

/* What the word itself names, where nothing lies below it. */
static int show_one(struct call *call, struct side *at, struct showing *s)
{
	struct sv_bucket_object *o = NULL;
	int rc;

	if (sv_bucket_head(at->bucket, at->key, &o))
		return fail(call->app, sv_client_error(call->app->client), at->word);
	rc = show(s, (const struct sv_bucket_object *const *)&o, 1);
	sv_free(o);
	return rc;
}

static int list_side(struct call *call, struct side *at)
{
	const char *delimiter = opt_on(call, OPT_RECURSIVE) ? NULL : "/";
	char *prefix = below_key(at->key);
	struct showing s = { .n = 0 };
	int rc = out_open(&s.out, call, sv_kind_bucket_object(), 1);

	if (!rc)
		rc = each_object(call, at, prefix, delimiter, show, &s);
	if (!rc && !s.n && *leaf_of(at->key))
		rc = show_one(call, at, &s);
	mem_free(prefix);
	if (!rc)
		return out_close(&s.out);
	out_drop(&s.out);
	return rc;
}

int cmd_storage_ls(struct call *call)
{
	struct hold hold = { 0 };
	struct side at;
	int rc;

	if (call->plain.n != 1)
		return usage_error(call, _("which storage?"));
	side_read(&at, call->plain.v[0]);
	if (!at.name) {
		side_free(&at);
		return usage_error(call, _("%s is no NAME:/PATH"), call->plain.v[0]);
	}
	rc = side_open(call, &at);
	hold_begin(call->app, &hold);
	if (!rc)
		rc = list_side(call, &at);
	hold_end(call->app, &hold);
	side_free(&at);
	return rc;
}

struct removing {
	struct moving *m;
	struct side *at;
	size_t n;   /* counted, not yet removed */
	int single; /* the key itself, not what lies below it */
};

static int tally(void *data, const struct sv_bucket_object *const *v, size_t n)
{
	struct removing *r = data;

	(void)v;
	r->n += n;
	return hold_signal() ? 128 + hold_signal() : 0;
}

static int remove_page(void *data, const struct sv_bucket_object *const *v, size_t n)
{
	struct removing *r = data;
	const char **keys = mem_new(n + 1, sizeof(*keys));
	int rc;

	for (size_t i = 0; i < n; i++)
		keys[i] = v[i]->key;
	rc = n ? move_away(r->m, r->at, keys, n) : 0;
	mem_free(keys);
	return rc;
}

/* Asks for the first word: many things are lost at once. */
static int sure(struct call *call, const struct side *sides, const struct removing *r, size_t n)
{
	struct text t = { 0 };
	size_t all = 0;
	int rc;

	for (size_t i = 0; i < n; i++) {
		all += r[i].n;
		text_str(&t, "  ");
		safe_text(&t, sides[i].word);
		text_fmt(&t, _(" (%zu objects)\n"), r[i].n);
	}
	rc = loss_confirmed(call, text_of(&t), sides[0].word, all);
	text_free(&t);
	return rc;
}

/* What is to be deleted is counted first, since S3 itself does not say that a key is not there. All
 * below it with -r, or else the one object. */
static int count_side(struct call *call, struct removing *r)
{
	const char *key = r->at->key;
	char *prefix = below_key(key);
	int rc = 0, code;

	if (opt_on(call, OPT_RECURSIVE))
		rc = each_object(call, r->at, prefix, NULL, tally, r);
	mem_free(prefix);
	if (rc || r->n || !*key)
		return rc;
	r->single = 1;
	code = *leaf_of(key) ? sv_bucket_head(r->at->bucket, key, NULL) : SV_NOTFOUND;
	/* Who may delete need not be one who may look. */
	r->n = !code || code == SV_DENIED;
	if (!r->n && !*leaf_of(key))
		return moving_missing(r->m, r->at->word);
	return r->n ? 0 : moving_failed(r->m, r->at->word);
}

static int remove_side(struct call *call, struct removing *r)
{
	const char *key = r->at->key;
	char *prefix;
	int rc;

	if (!r->n)
		return 0;
	if (r->single)
		return move_away(r->m, r->at, &key, 1);
	prefix = below_key(key);
	rc = each_object(call, r->at, prefix, NULL, remove_page, r);
	mem_free(prefix);
	return rc;
}

static int read_sides(struct call *call, struct side *sides)
{
	for (size_t i = 0; i < call->plain.n; i++) {
		side_read(&sides[i], call->plain.v[i]);
		if (!sides[i].name)
			return usage_error(call, _("%s is no NAME:/PATH"), call->plain.v[i]);
		if (!opt_on(call, OPT_RECURSIVE) && !*leaf_of(sides[i].key))
			return usage_error(call,
				_("%s holds many objects: --recursive deletes them"),
				call->plain.v[i]);
	}
	return 0;
}

static int remove_all(struct call *call, struct side *sides, struct removing *r, struct moving *m)
{
	struct hold hold = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < call->plain.n; i++) {
		r[i] = (struct removing){ .m = m, .at = &sides[i] };
		rc = side_open(call, &sides[i]);
		if (!rc)
			rc = count_side(call, &r[i]);
	}
	if (!rc)
		rc = sure(call, sides, r, call->plain.n);
	hold_begin(call->app, &hold);
	for (size_t i = 0; !rc && i < call->plain.n; i++)
		rc = remove_side(call, &r[i]);
	hold_end(call->app, &hold);
	return rc;
}

int cmd_storage_rm(struct call *call)
{
	size_t n = call->plain.n;
	struct removing *r;
	struct side *sides;
	struct moving m;
	int rc;

	if (!n)
		return usage_error(call, _("which object?"));
	sides = mem_new(n, sizeof(*sides));
	r = mem_new(n, sizeof(*r));
	rc = read_sides(call, sides);
	if (!rc && (n > 1 || opt_on(call, OPT_RECURSIVE)))
		rc = loss_askable(call);
	if (!rc)
		rc = moving_begin(&m, call);
	if (!rc)
		rc = moving_end(&m, remove_all(call, sides, r, &m));
	for (size_t i = 0; i < n; i++)
		side_free(&sides[i]);
	mem_free(sides);
	mem_free(r);
	return rc;
}
