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
	const char *end = text, *nul = len ? memchr(text, '\0', len) : NULL;
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
	tree = cJSON_ParseWithLengthOpts(text, len, &end, 0);
	if (tree) {
		for (at = (size_t)(end - text); at < len && sv_is_space(text[at]); at++)
			;
		if (at == len)
			return tree;
		cJSON_Delete(tree);
	} else {
		at = end >= text && end <= text + len ? (size_t)(end - text) : 0;
	}
	excerpt(text, len, at, near, sizeof(near));
	sv_err(err, SV_PROTO, "malformed JSON at offset %zu near \"%s\"", at, near);
	return NULL;
}

void sv_json_free(struct cJSON *tree)
{
	cJSON_Delete(tree);
}

static int number(double v, struct sv_writer *w)
{
	char buf[40];

	if (v >= -(double)SV_MAX_EXACT && v <= (double)SV_MAX_EXACT && v == (double)(int64_t)v)
		return w->integer(w, (int64_t)v);
	sv_print_num(v, buf, sizeof(buf));
	return w->json(w, buf);
}

static int walk(const cJSON *t, struct sv_writer *w)
{
	int r, is_list = cJSON_IsArray(t);

	if (cJSON_IsString(t))
		return w->string(w, t->valuestring);
	if (cJSON_IsNumber(t))
		return number(t->valuedouble, w);
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
