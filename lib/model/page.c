/* SPDX-License-Identifier: MIT */
/* JSON text -> page, one item after another: a page needs no tree of its whole self, whose memory
 * would cost more than the reading. Whatever is not as expected goes to the tree's reader, which
 * knows better or says what is wrong. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"

struct scan {
	const char *at, *end;
};

static int at_end(struct scan *s)
{
	while (s->at < s->end && sv_is_space(*s->at))
		s->at++;
	return s->at == s->end;
}

/* 1 when c comes next, which is passed. */
static int next_is(struct scan *s, char c)
{
	if (at_end(s) || *s->at != c)
		return 0;
	s->at++;
	return 1;
}

static int pass_string(struct scan *s)
{
	for (const char *p = s->at + 1; p < s->end; p += 2) {
		const char *quote = memchr(p, '"', (size_t)(s->end - p));
		const char *escape = quote ? memchr(p, '\\', (size_t)(quote - p)) : NULL;

		if (!escape) {
			s->at = quote ? quote + 1 : s->end;
			return !!quote;
		}
		p = escape;
	}
	return 0;
}

/* Passes one value, whatever it is, by its brackets and quotes; what is between is not looked at.
 */
static int pass_value(struct scan *s, struct scan *ret)
{
	int depth = 0;

	if (at_end(s))
		return 0;
	ret->at = s->at;
	while (s->at < s->end) {
		switch (*s->at) {
		case '"':
			if (!pass_string(s))
				return 0;
			continue;
		case '{':
		case '[':
			if (++depth + 2 >= SV_MAX_DEPTH) /* two more for those around */
				return 0;
			break;
		case '}':
		case ']':
			if (!depth--)
				goto out;
			break;
		case ',':
			if (!depth)
				goto out;
			break;
		}
		s->at++;
	}
out:
	ret->end = s->at;
	return depth <= 0 && ret->at < ret->end;
}

static int is_key(const struct scan *key, const char *name)
{
	size_t n = strlen(name);

	return key->end - key->at == (ptrdiff_t)n + 2 && !memcmp(key->at + 1, name, n);
}

/* From here on SV_NOTFOUND says that the text is not what it looked like. */
static int add_item(const struct sv_kind *kind, const struct scan *text, struct sv_page *page,
	struct sv_error *err)
{
	cJSON *tree = page->n < SV_MAX_ITEMS
			      ? sv_json_parse(text->at, (size_t)(text->end - text->at), NULL)
			      : NULL;
	void *obj = tree ? sv_new_in(page, kind) : NULL;
	int r = tree ? SV_NOMEM : SV_NOTFOUND;

	if (obj)
		r = sv_decode_item(kind, tree, page, obj, err);
	sv_json_free(tree);
	return r ? r : sv_page_add(page, obj);
}

static int add_items(const struct sv_kind *kind, struct scan *s, struct sv_page *page,
	struct sv_error *err)
{
	struct scan item;
	int r = SV_OK;

	if (!next_is(s, '['))
		return SV_NOTFOUND;
	if (next_is(s, ']'))
		return SV_OK;
	do {
		r = pass_value(s, &item) ? add_item(kind, &item, page, err) : SV_NOTFOUND;
	} while (!r && next_is(s, ','));
	return r ? r : next_is(s, ']') ? SV_OK : SV_NOTFOUND;
}

/* What is not a string is not a cursor; an escape or a repeated key is the tree's affair. */
static int set_next(struct scan *s, struct sv_page *page)
{
	struct scan value;
	cJSON *tree = pass_value(s, &value)
			      ? sv_json_parse(value.at, (size_t)(value.end - value.at), NULL)
			      : NULL;
	int r = tree ? SV_OK : SV_NOTFOUND;

	if (cJSON_IsString(tree) && *tree->valuestring) {
		page->next = sv_strdup_in(page, tree->valuestring);
		r = page->next ? SV_OK : SV_NOMEM;
	}
	sv_json_free(tree);
	return r;
}

static int read_page(
	const struct sv_kind *kind, struct scan s, struct sv_page *page, struct sv_error *err)
{
	struct scan key;
	int r, items = 0, next = 0;

	if (!next_is(&s, '{'))
		return SV_NOTFOUND;
	do {
		if (!next_is(&s, '"'))
			return SV_NOTFOUND;
		key.at = --s.at;
		if (!pass_string(&s))
			return SV_NOTFOUND;
		key.end = s.at;
		if (!next_is(&s, ':'))
			return SV_NOTFOUND;
		if (is_key(&key, "items") && !items++)
			r = add_items(kind, &s, page, err);
		else if (is_key(&key, "next_cursor") && !next++)
			r = set_next(&s, page);
		else
			return SV_NOTFOUND;
	} while (!r && next_is(&s, ','));
	if (r)
		return r;
	return next_is(&s, '}') && at_end(&s) ? SV_OK : SV_NOTFOUND;
}

static int by_tree(const struct sv_kind *kind, const char *text, size_t len, struct sv_page **ret,
	struct sv_error *err)
{
	cJSON *tree = sv_json_parse(text, len, err);
	int r = tree ? sv_decode_page(kind, tree, ret, err) : SV_PROTO;

	sv_json_free(tree);
	return r;
}

int sv_page_from_json(const struct sv_kind *kind, const char *text, size_t len,
	struct sv_page **ret, struct sv_error *err)
{
	struct scan s = { text, text + len };
	struct sv_page *page = sv_page_new();
	int r = page ? SV_OK : SV_NOMEM;

	sv_err_clear(err);
	if (!r)
		r = read_page(kind, s, page, err);
	if (!r) {
		*ret = page;
		return SV_OK;
	}
	sv_free(page);
	if (r == SV_NOMEM)
		return sv_err(err, SV_NOMEM, "out of memory");
	return by_tree(kind, text, len, ret, err);
}
