/* SPDX-License-Identifier: MIT */
/* Object -> writer events, and the writer that makes JSON. The only writer of JSON. */
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/time.h"
#include "model/json.h"
#include "model/kind.h"

#define MASK "********"

/* Below the top of a body every present row is sent: nested rows have no verb of their own. */
#define WALK_NESTED 16

static int walk(
	const struct sv_kind *kind, const void *obj, int mode, struct sv_writer *w, int depth);

static int nested_mode(int mode)
{
	return mode == SV_WALK_CREATE || mode == SV_WALK_UPDATE ? WALK_NESTED : mode;
}

static int strs(const struct sv_strs *s, struct sv_writer *w)
{
	int r = w->begin(w, 1);

	for (size_t i = 0; !r && i < s->n; i++)
		r = w->string(w, s->v[i]);
	return r ? r : w->end(w, 1);
}

static int map(const struct sv_map *m, struct sv_writer *w)
{
	int r = w->begin(w, 0);

	for (size_t i = 0; !r && i < m->n; i++) {
		r = w->key(w, m->keys[i], NULL);
		if (!r)
			r = m->values[i] ? w->string(w, m->values[i]) : w->null(w);
	}
	return r ? r : w->end(w, 0);
}

static int list(
	const struct sv_field *f, const struct sv_list *l, int mode, struct sv_writer *w, int depth)
{
	int r = w->begin(w, 1);

	for (size_t i = 0; !r && i < l->n; i++)
		r = walk(f->kind, l->v[i], nested_mode(mode), w, depth + 1);
	return r ? r : w->end(w, 1);
}

static int text(const struct sv_field *f, const char *s, int mode, struct sv_writer *w)
{
	if (s && (f->flags & SV_SECRET) && mode == SV_WALK_ALL)
		return w->string(w, MASK);
	return s ? w->string(w, s) : w->null(w);
}

static int money(int64_t v, struct sv_writer *w)
{
	char buf[32];

	sv_print_money6(v, buf, sizeof(buf));
	return w->string(w, buf);
}

static int when(int64_t v, struct sv_writer *w)
{
	char buf[32];

	sv_print_time(v, buf, sizeof(buf));
	return w->string(w, buf);
}

static int value(
	const struct sv_field *f, const void *obj, int mode, struct sv_writer *w, int depth)
{
	const void *m = sv_member(f, obj);
	const char *s;

	switch ((enum sv_type)f->type) {
	case SV_STR: return text(f, *(const char *const *)m, mode, w);
	case SV_JSON: s = *(const char *const *)m; return s ? w->json(w, s) : w->null(w);
	case SV_BOOL: return w->boolean(w, *(const int *)m);
	case SV_INT:
	case SV_GIB:
	case SV_BYTES:
	case SV_SECONDS: return w->integer(w, *(const int64_t *)m);
	case SV_NUM: return w->number(w, *(const double *)m);
	case SV_TIME: return when(*(const int64_t *)m, w);
	case SV_PERCENT:
	case SV_MONEY: return money(*(const int64_t *)m, w);
	case SV_STRS: return strs(m, w);
	case SV_LIST: return list(f, m, mode, w, depth);
	case SV_MAP: return map(m, w);
	case SV_OBJ:
		if (!*(void *const *)m)
			return w->null(w);
		return walk(f->kind, *(void *const *)m, nested_mode(mode), w, depth + 1);
	}
	return SV_INVALID;
}

/* What stands for nothing: collections are empty, false is false, the rest is not known. */
static int absent(const struct sv_field *f, struct sv_writer *w)
{
	int r, is_list = f->type == SV_STRS || f->type == SV_LIST;

	if (f->type == SV_BOOL)
		return w->boolean(w, 0);
	if (!is_list && f->type != SV_MAP)
		return w->null(w);
	r = w->begin(w, is_list);
	return r ? r : w->end(w, is_list);
}

static int walk(
	const struct sv_kind *kind, const void *obj, int mode, struct sv_writer *w, int depth)
{
	int r = depth < SV_MAX_DEPTH ? w->begin(w, 0) : SV_INVALID;

	for (uint32_t i = 0; !r && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		if (!sv_field_sent(f, obj, mode))
			continue;
		r = w->key(w, f->name, f);
		if (r)
			break;
		if (sv_field_is_null(f, obj))
			r = w->null(w);
		else if (sv_field_has(f, obj) || sv_field_nonzero(f, obj))
			r = value(f, obj, mode, w, depth);
		else
			r = absent(f, w);
	}
	return r ? r : w->end(w, 0);
}

int sv_walk(const struct sv_kind *kind, const void *obj, int mode, struct sv_writer *w)
{
	return walk(kind, obj, mode, w, 0);
}

/* The JSON writer. */

static struct sv_json_writer *self(struct sv_writer *w)
{
	return (struct sv_json_writer *)w;
}

static void newline(struct sv_json_writer *j)
{
	if (!j->indent)
		return;
	sv_buf_chr(j->buf, '\n');
	for (int i = 0; i < j->depth * j->indent; i++)
		sv_buf_chr(j->buf, ' ');
}

/* Comma and line before whatever comes next, unless a key has just been written. */
static void before(struct sv_json_writer *j)
{
	uint64_t level = UINT64_C(1) << (j->depth & 63);

	if (j->keyed) {
		j->keyed = 0;
		return;
	}
	if (!j->depth)
		return;
	if (j->more & level)
		sv_buf_chr(j->buf, ',');
	j->more |= level;
	newline(j);
}

static int state(struct sv_json_writer *j)
{
	return j->buf->failed ? SV_NOMEM : SV_OK;
}

static int json_begin(struct sv_writer *w, int is_list)
{
	struct sv_json_writer *j = self(w);

	if (j->depth + 1 >= SV_MAX_DEPTH)
		return SV_INVALID;
	before(j);
	sv_buf_chr(j->buf, is_list ? '[' : '{');
	j->depth++;
	j->more &= ~(UINT64_C(1) << (j->depth & 63));
	return state(j);
}

static int json_end(struct sv_writer *w, int is_list)
{
	struct sv_json_writer *j = self(w);
	int some = (int)(j->more >> (j->depth & 63) & 1);

	j->depth--;
	if (some)
		newline(j);
	sv_buf_chr(j->buf, is_list ? ']' : '}');
	return state(j);
}

static int json_key(struct sv_writer *w, const char *key, const struct sv_field *field)
{
	struct sv_json_writer *j = self(w);

	(void)field;
	before(j);
	sv_buf_json(j->buf, key, strlen(key));
	sv_buf_str(j->buf, j->indent ? ": " : ":");
	j->keyed = 1;
	return state(j);
}

static int json_string(struct sv_writer *w, const char *s)
{
	before(self(w));
	return sv_buf_json(self(w)->buf, s, strlen(s));
}

static int json_text(struct sv_writer *w, const char *s)
{
	before(self(w));
	return sv_buf_str(self(w)->buf, s);
}

static int json_integer(struct sv_writer *w, int64_t v)
{
	before(self(w));
	return sv_buf_fmt(self(w)->buf, "%lld", (long long)v);
}

static int json_number(struct sv_writer *w, double v)
{
	char buf[40];

	if (v - v != 0)
		return json_text(w, "null");
	sv_print_num(v, buf, sizeof(buf));
	return json_text(w, buf);
}

static int json_boolean(struct sv_writer *w, int v)
{
	return json_text(w, v ? "true" : "false");
}

static int json_null(struct sv_writer *w)
{
	return json_text(w, "null");
}

/* Text that is JSON already goes through the writer again only where it must be laid out. */
static int json_json(struct sv_writer *w, const char *s)
{
	return self(w)->indent && (*s == '{' || *s == '[') ? sv_walk_json(s, strlen(s), w)
							   : json_text(w, s);
}

void sv_json_writer_init(struct sv_json_writer *j, struct sv_buf *buf, int indent)
{
	*j = (struct sv_json_writer){
		.w = { json_begin, json_end, json_key, json_string, json_integer, json_number,
			json_boolean, json_null, json_json },
		.buf = buf,
		.indent = indent,
	};
}

int sv_write_json(
	struct sv_buf *b, const struct sv_kind *kind, const void *obj, int mode, int indent)
{
	struct sv_json_writer j;

	sv_json_writer_init(&j, b, indent);
	return sv_walk(kind, obj, mode, &j.w);
}

int sv_to_json(const struct sv_kind *kind, const void *obj, int mode, int indent, char **ret)
{
	struct sv_buf b;
	char *out;
	int r;

	sv_buf_init(&b, SV_MAX_TEXT);
	r = sv_write_json(&b, kind, obj, mode, indent);
	if (r) {
		sv_buf_free(&b);
		return r;
	}
	out = sv_buf_take(&b);
	if (!out)
		return SV_NOMEM;
	*ret = out;
	return SV_OK;
}

void sv_free_text(char *text)
{
	sv_mfree(text);
}
