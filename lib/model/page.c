/* SPDX-License-Identifier: MIT */
/* JSON text -> page, one value after another: a page needs no tree of its whole self, whose memory
 * would cost more than the reading, and most values need none at all. Whatever is not as expected
 * goes to the tree's reader, which knows better or says what is wrong. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"

struct scan {
	const char *at, *end;
	int escaped; /* a string that was passed, when it holds escapes */
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

/* The next quote is sought again only once an escape has passed the one found: the peer decides how
 * many there are. */
static int pass_string(struct scan *s, struct scan *ret)
{
	const char *quote = s->at;

	*ret = (struct scan){ .at = s->at };
	for (const char *p = s->at + 1; p < s->end; p += 2) {
		const char *escape;

		if (quote < p)
			quote = memchr(p, '"', (size_t)(s->end - p));
		if (!quote)
			return 0;
		escape = memchr(p, '\\', (size_t)(quote - p));
		if (!escape) {
			ret->end = s->at = quote + 1;
			return 1;
		}
		ret->escaped = 1;
		p = escape;
	}
	return 0;
}

/* Passes one value, whatever it is, by its brackets and quotes; what is between is not looked at.
 */
static int pass_value(struct scan *s, struct scan *ret)
{
	struct scan within;
	int depth = 0;

	if (at_end(s))
		return 0;
	if (*s->at == '"')
		return pass_string(s, ret);
	*ret = (struct scan){ .at = s->at };
	while (s->at < s->end) {
		switch (*s->at) {
		case '"':
			if (!pass_string(s, &within))
				return 0;
			continue;
		case '{':
		case '[':
			if (++depth + 3 >= SV_MAX_DEPTH) /* three more for those around */
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
	while (ret->end > ret->at && sv_is_space(ret->end[-1]))
		ret->end--;
	return depth <= 0 && ret->at < ret->end;
}

static int is_key(const struct scan *key, const char *name)
{
	size_t n = strlen(name);

	return key->end - key->at == (ptrdiff_t)n + 2 && !memcmp(key->at + 1, name, n);
}

static int pass_key(struct scan *s, struct scan *ret)
{
	return !at_end(s) && *s->at == '"' && pass_string(s, ret) && next_is(s, ':');
}

/* What is between the quotes, when it stands for itself. */
static int plain_string(const struct scan *v, struct sv_buf *text)
{
	if (*v->at != '"' || v->escaped)
		return 0;
	sv_buf_reset(text);
	return sv_buf_add(text, v->at + 1, (size_t)(v->end - v->at) - 2) == SV_OK;
}

/* At most 15 digits, which a double holds. */
static int plain_number(const struct scan *v, double *ret)
{
	int64_t n = 0;

	if (v->end - v->at > 15 || (*v->at == '0' && v->end - v->at > 1))
		return 0;
	for (const char *p = v->at; p < v->end; p++) {
		if (*p < '0' || *p > '9')
			return 0;
		n = n * 10 + (*p - '0');
	}
	*ret = (double)n;
	return 1;
}

static int is_word(const struct scan *v, const char *word)
{
	size_t n = strlen(word);

	return v->end - v->at == (ptrdiff_t)n && !memcmp(v->at, word, n);
}

/* A value that needs no tree, as the node that a tree would have of it; text holds its string. */
static int plain(const struct scan *v, cJSON *node, struct sv_buf *text)
{
	*node = (cJSON){ 0 };
	if (plain_string(v, text)) {
		node->type = cJSON_String;
		node->valuestring = text->data;
	} else if (plain_number(v, &node->valuedouble)) {
		node->type = cJSON_Number;
	} else if (is_word(v, "null")) {
		node->type = cJSON_NULL;
	} else if (is_word(v, "true")) {
		node->type = cJSON_True;
	} else if (is_word(v, "false")) {
		node->type = cJSON_False;
	}
	return node->type != cJSON_Invalid;
}

struct item {
	const struct sv_kind *kind;
	struct sv_page *page;
	void *obj;
	uint32_t hint;
	struct sv_buf key, text;
};

/* From here on SV_NOTFOUND says that the text is not what it looked like. */
static int take(struct item *i, const struct scan *key, const struct scan *value)
{
	cJSON node, *tree = NULL;
	int r;

	if (!plain_string(key, &i->key))
		return SV_NOTFOUND;
	if (!plain(value, &node, &i->text)) {
		tree = sv_json_parse_flat(value->at, (size_t)(value->end - value->at), NULL);
		if (!tree)
			return SV_NOTFOUND;
	}
	r = sv_decode_member(i->kind, i->key.data, tree ? tree : &node, i->page, i->obj, &i->hint);
	sv_json_free(tree);
	return r;
}

static int members(struct item *i, struct scan *s)
{
	struct scan key, value;
	int r = SV_OK;

	if (!next_is(s, '{'))
		return SV_NOTFOUND;
	if (next_is(s, '}'))
		return SV_OK;
	do {
		r = pass_key(s, &key) && pass_value(s, &value) ? take(i, &key, &value)
							       : SV_NOTFOUND;
	} while (!r && next_is(s, ','));
	return r ? r : next_is(s, '}') ? SV_OK : SV_NOTFOUND;
}

static int add_item(struct item *i, struct scan *s)
{
	int r;

	if (i->page->n >= SV_MAX_ITEMS)
		return SV_NOTFOUND;
	i->hint = 0;
	i->obj = sv_new_in(i->page, i->kind);
	r = i->obj ? members(i, s) : SV_NOMEM;
	return r ? r : sv_page_add(i->page, i->obj);
}

static int add_items(const struct sv_kind *kind, struct scan *s, struct sv_page *page)
{
	struct item i = { .kind = kind, .page = page };
	int r = SV_OK;

	if (!next_is(s, '['))
		return SV_NOTFOUND;
	if (next_is(s, ']'))
		return SV_OK;
	sv_buf_init(&i.key, SV_MAX_BODY);
	sv_buf_init(&i.text, SV_MAX_BODY);
	do {
		r = add_item(&i, s);
	} while (!r && next_is(s, ','));
	sv_buf_free(&i.key);
	sv_buf_free(&i.text);
	return r ? r : next_is(s, ']') ? SV_OK : SV_NOTFOUND;
}

/* What is not a string is not a cursor; an escape or a repeated key is the tree's affair. */
static int set_next(struct scan *s, struct sv_page *page)
{
	struct scan value;
	cJSON *tree = pass_value(s, &value)
			      ? sv_json_parse_flat(value.at, (size_t)(value.end - value.at), NULL)
			      : NULL;
	int r = tree ? SV_OK : SV_NOTFOUND;

	if (cJSON_IsString(tree) && *tree->valuestring) {
		page->next = sv_strdup_in(page, tree->valuestring);
		r = page->next ? SV_OK : SV_NOMEM;
	}
	sv_json_free(tree);
	return r;
}

static int read_page(const struct sv_kind *kind, struct scan s, struct sv_page *page)
{
	struct scan key;
	int r, items = 0, next = 0;

	if (memchr(s.at, '\0', (size_t)(s.end - s.at)) || !next_is(&s, '{'))
		return SV_NOTFOUND;
	do {
		if (!pass_key(&s, &key))
			return SV_NOTFOUND;
		if (is_key(&key, "items") && !items++)
			r = add_items(kind, &s, page);
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
	struct scan s = { .at = text, .end = text + len };
	struct sv_page *page = sv_page_new();
	int r = page ? SV_OK : SV_NOMEM;

	sv_err_clear(err);
	if (!r)
		r = read_page(kind, s, page);
	if (!r) {
		*ret = page;
		return SV_OK;
	}
	sv_free(page);
	if (r == SV_NOMEM)
		return sv_err(err, SV_NOMEM, "out of memory");
	return by_tree(kind, text, len, ret, err);
}
