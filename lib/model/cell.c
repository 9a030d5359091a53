/* SPDX-License-Identifier: MIT */
/* Field -> one cell of text: table, CSV, columns. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "base/time.h"
#include "model/json.h"
#include "model/kind.h"

/* Writes into buf as far as it reaches, and goes on counting. */
struct cell {
	char *buf;
	size_t size, len;
};

static void add(struct cell *c, const char *s, size_t n)
{
	if (c->size && c->len < c->size - 1) {
		size_t fit = c->size - 1 - c->len < n ? c->size - 1 - c->len : n;

		memcpy(c->buf + c->len, s, fit);
		c->buf[c->len + fit] = '\0';
	}
	c->len += n;
}

static void str(struct cell *c, const char *s)
{
	add(c, s ? s : "", s ? strlen(s) : 0);
}

static void joined(struct cell *c, const struct sv_strs *s)
{
	for (size_t i = 0; i < s->n; i++) {
		str(c, i ? "," : "");
		str(c, s->v[i]);
	}
}

static void pairs(struct cell *c, const struct sv_map *m)
{
	for (size_t i = 0; i < m->n; i++) {
		str(c, i ? "," : "");
		str(c, m->keys[i]);
		str(c, "=");
		str(c, m->values[i]);
	}
}

static void objects(struct cell *c, const struct sv_field *f, const void *m)
{
	const struct sv_list *l = m;
	struct sv_buf b;

	sv_buf_init(&b, SV_MAX_TEXT);
	if (f->type == SV_OBJ) {
		sv_write_json(&b, f->kind, *(void *const *)m, SV_WALK_ALL, 0);
	} else {
		sv_buf_chr(&b, '[');
		for (size_t i = 0; i < l->n; i++) {
			sv_buf_str(&b, i ? "," : "");
			sv_write_json(&b, f->kind, l->v[i], SV_WALK_ALL, 0);
		}
		sv_buf_chr(&b, ']');
	}
	add(c, sv_buf_text(&b), b.len);
	sv_buf_free(&b);
}

static void value(struct cell *c, const struct sv_field *f, const void *m)
{
	char buf[48];

	switch ((enum sv_type)f->type) {
	case SV_STR:
	case SV_JSON: str(c, *(const char *const *)m); return;
	case SV_STRS: joined(c, m); return;
	case SV_MAP: pairs(c, m); return;
	case SV_OBJ:
	case SV_LIST: objects(c, f, m); return;
	case SV_BOOL: str(c, *(const int *)m ? "true" : "false"); return;
	case SV_INT:
	case SV_GIB:
	case SV_BYTES:
	case SV_SECONDS: snprintf(buf, sizeof(buf), "%lld", (long long)*(const int64_t *)m); break;
	case SV_NUM: sv_print_num(*(const double *)m, buf, sizeof(buf)); break;
	case SV_TIME: sv_print_time(*(const int64_t *)m, buf, sizeof(buf)); break;
	case SV_PERCENT:
	case SV_MONEY: sv_print_money(*(const int64_t *)m, buf, sizeof(buf)); break;
	}
	str(c, buf);
}

size_t sv_cell(const struct sv_field *field, const void *obj, char *buf, size_t size)
{
	struct cell c = { buf, size, 0 };

	if (size)
		buf[0] = '\0';
	if (sv_field_is_null(field, obj) ||
		!(sv_field_has(field, obj) || sv_field_nonzero(field, obj)))
		return 0;
	if ((field->flags & SV_SECRET) && field->type == SV_STR)
		str(&c, "********");
	else if (field->type != SV_OBJ || *(void *const *)sv_member(field, obj))
		value(&c, field, sv_member(field, obj));
	return c.len;
}
