/* SPDX-License-Identifier: MIT */
/* JSON trees: parsing with bounds, and walking what has no rows. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"

/* A few characters around the offset, safe to print. */
static void excerpt(const char *text, size_t len, size_t at, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t i = at; i < len && i < at + 24 && n + 2 < size; i++)
		buf[n++] = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '.';
	buf[n] = '\0';
}

/* cJSON's own bound on nesting protects its parser; ours protects what walks the tree. */
static int too_deep(const char *text, size_t len)
{
	int depth = 0, quoted = 0;

	for (size_t i = 0; i < len; i++) {
		if (quoted) {
			if (text[i] == '\\')
				i++;
			else if (text[i] == '"')
				quoted = 0;
		} else if (text[i] == '"') {
			quoted = 1;
		} else if (text[i] == '[' || text[i] == '{') {
			if (++depth >= SV_MAX_DEPTH)
				return 1;
		} else if (text[i] == ']' || text[i] == '}') {
			depth--;
		}
	}
	return 0;
}

/* How much of the text is one number as JSON spells it; 0 when there is none. */
static size_t number_len(const char *text, size_t len)
{
	const char *p = text, *end = text + len, *digits;

	p += p < end && *p == '-';
	if (p == end || !sv_is_digit(*p))
		return 0;
	if (*p++ != '0')
		while (p < end && sv_is_digit(*p))
			p++;
	if (p < end && *p == '.') {
		for (digits = ++p; p < end && sv_is_digit(*p); p++)
			;
		if (p == digits)
			return 0;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		p += p < end && (*p == '-' || *p == '+');
		for (digits = p; p < end && sv_is_digit(*p); p++)
			;
		if (p == digits)
			return 0;
	}
	return (size_t)(p - text);
}

/* The next number outside quotes, from *at on, which moves behind it; NULL when there is none. */
static const char *next_number(const char **at, const char *end, size_t *len)
{
	const char *p = *at;
	int quoted = 0;

	for (; p < end && (quoted || (*p != '-' && !sv_is_digit(*p))); p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (quoted && *p == '\\')
			p++;
	}
	if (p >= end)
		return NULL;
	*len = number_len(p, (size_t)(end - p));
	*at = p + *len;
	/* What cJSON takes besides is no number. */
	return *len && (*at == end || !strchr("+-.0123456789eE", **at)) ? p : NULL;
}

/* 1 when its value says all that its text says. */
static int is_plain(const char *text, size_t len)
{
	size_t digits = len - (*text == '-');

	for (size_t i = 0; i < len; i++)
		if (!sv_is_digit(text[i]) && (i || text[i] != '-'))
			return 0;
	return digits <= 15 && !(*text == '-' && text[1] == '0');
}

/* Gives each number that is not plain its text, as its string: the parser keeps a double only.
 * Numbers stand in the text in the tree's order. */
static int keep_texts(cJSON *t, const char **at, const char *end)
{
	const char *text;
	size_t len;

	for (; t; t = t->next) {
		if (t->child && keep_texts(t->child, at, end))
			return -1;
		if (!cJSON_IsNumber(t))
			continue;
		text = next_number(at, end, &len);
		if (!text)
			return -1;
		if (is_plain(text, len))
			continue;
		t->valuestring = cJSON_malloc(len + 1);
		if (!t->valuestring)
			return -1;
		memcpy(t->valuestring, text, len);
		t->valuestring[len] = '\0';
	}
	return 0;
}

static cJSON *parse(const char *text, size_t len, size_t *at)
{
	const char *end = text, *next = text;
	cJSON *tree = cJSON_ParseWithLengthOpts(text, len, &end, 0);

	*at = end >= text && end <= text + len ? (size_t)(end - text) : 0;
	if (!tree)
		return NULL;
	while (*at < len && sv_is_space(text[*at]))
		++*at;
	if (*at == len && !keep_texts(tree, &next, end))
		return tree;
	if (*at == len)
		*at = (size_t)(next - text);
	cJSON_Delete(tree);
	return NULL;
}

struct cJSON *sv_json_parse(const char *text, size_t len, struct sv_error *err)
{
	if (too_deep(text, len)) {
		sv_err(err, SV_PROTO, "JSON nested deeper than %d", SV_MAX_DEPTH);
		return NULL;
	}
	return sv_json_parse_flat(text, len, err);
}

struct cJSON *sv_json_parse_flat(const char *text, size_t len, struct sv_error *err)
{
	const char *nul = len ? memchr(text, '\0', len) : NULL;
	size_t at;
	char near[64];
	cJSON *tree;

	if (!len) {
		sv_err(err, SV_PROTO, "empty text where JSON was expected");
		return NULL;
	}
	if (nul) {
		sv_err(err, SV_PROTO, "NUL byte at offset %zu where JSON was expected",
			(size_t)(nul - text));
		return NULL;
	}
	tree = parse(text, len, &at);
	if (tree)
		return tree;
	excerpt(text, len, at, near, sizeof(near));
	sv_err(err, SV_PROTO, "malformed JSON at offset %zu near \"%s\"", at, near);
	return NULL;
}

void sv_json_free(struct cJSON *tree)
{
	cJSON_Delete(tree);
}

static int number(const cJSON *t, struct sv_writer *w)
{
	char plain[24];

	snprintf(plain, sizeof(plain), "%lld", (long long)t->valuedouble);
	return w->json(w, t->valuestring ? t->valuestring : plain);
}

static int walk(const cJSON *t, struct sv_writer *w)
{
	int r, is_list = cJSON_IsArray(t);

	if (cJSON_IsString(t))
		return w->string(w, t->valuestring);
	if (cJSON_IsNumber(t))
		return number(t, w);
	if (cJSON_IsBool(t))
		return w->boolean(w, cJSON_IsTrue(t));
	if (!is_list && !cJSON_IsObject(t))
		return w->null(w);
	r = w->begin(w, is_list);
	for (const cJSON *c = t->child; !r && c; c = c->next) {
		if (!is_list)
			r = w->key(w, c->string, NULL);
		if (!r)
			r = walk(c, w);
	}
	return r ? r : w->end(w, is_list);
}

int sv_walk_json(const char *text, size_t len, struct sv_writer *w)
{
	cJSON *tree = sv_json_parse(text, len, NULL);
	int r;

	if (!tree)
		return SV_PROTO;
	r = walk(tree, w);
	cJSON_Delete(tree);
	return r;
}

int sv_write_tree(struct sv_buf *b, const struct cJSON *tree)
{
	struct sv_json_writer j;

	sv_json_writer_init(&j, b, 0);
	return walk(tree, &j.w);
}
