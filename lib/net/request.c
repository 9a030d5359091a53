/* SPDX-License-Identifier: MIT */
/* Requests. An id is one segment, whatever it holds: "a/../b" is sent as "a%2F..%2Fb". */
#include "net/request.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/json.h"
#include "model/kind.h"

static const char *const methods[] = {
	[SV_GET] = "GET", [SV_POST] = "POST", [SV_PATCH] = "PATCH", [SV_DELETE] = "DELETE"
};

/* Only blanks, or nothing at all. */
static int blank(const char *s)
{
	while (sv_is_space(*s))
		s++;
	return !*s;
}

static int argument(
	struct sv_buf *b, const char *name, size_t len, const char *value, struct sv_error *err)
{
	char field[64];

	snprintf(field, sizeof(field), "%.*s", (int)len, name);
	if (!value)
		return sv_err_field(err, field, "required", "is missing");
	if (blank(value))
		return sv_err_field(err, field, "required", "must not be empty");
	if (!strcmp(value, ".") || !strcmp(value, ".."))
		return sv_err_field(err, field, "value", "\"%s\" is no id or name", value);
	return sv_buf_url(b, value);
}

/* The path with its arguments in place. */
static int fill(struct sv_buf *b, const char *path, const char *const *args, struct sv_error *err)
{
	int r = SV_OK;

	while (!r && *path) {
		size_t n = strcspn(path, "{");

		sv_buf_add(b, path, n);
		path += n;
		if (!*path)
			break;
		n = strcspn(path, "}");
		r = argument(b, path + 1, n - 1, args ? *args : NULL, err);
		args += args && *args;
		path += n + (path[n] == '}');
	}
	if (!r && args && *args)
		return sv_err(err, SV_INVALID, "too many arguments for %s", path);
	return r;
}

/* Appends the query without its own cursor when another is given. */
static void filtered(struct sv_buf *b, const char *query, int without_cursor)
{
	char mark = '?';

	while (*query) {
		size_t n = strcspn(query, "&");

		if (n && !(without_cursor && !strncmp(query, "cursor=", 7))) {
			sv_buf_chr(b, mark);
			sv_buf_add(b, query, n);
			mark = '&';
		}
		query += n + (query[n] == '&');
	}
}

static int add_query(struct sv_buf *b, const struct sv_request_spec *spec)
{
	const struct sv_kind *kind = spec->verb->query;
	struct sv_buf q;
	int r = SV_OK;

	sv_buf_init(&q, SV_MAX_URL);
	if (kind && spec->in && spec->verb->method == SV_GET)
		r = sv_write_query(&q, kind, spec->in);
	if (!r && spec->cursor) {
		size_t from = b->len;

		filtered(b, sv_buf_text(&q), 1);
		sv_buf_str(b, b->len > from ? "&cursor=" : "?cursor=");
		sv_buf_url(b, spec->cursor);
	} else if (!r) {
		filtered(b, sv_buf_text(&q), 0);
	}
	if (!r && spec->extra)
		sv_buf_fmt(b, "%c%s", memchr(b->data, '?', b->len) ? '&' : '?', spec->extra);
	sv_buf_free(&q);
	return r ? r : b->failed ? SV_NOMEM : SV_OK;
}

static int add_body(struct sv_request *r, const struct sv_request_spec *spec)
{
	const struct sv_verb *v = spec->verb;
	const struct sv_field *name = v->in ? sv_field_find(v->in, "name") : NULL;
	struct sv_buf b;
	int rc;

	if (v->method == SV_GET || !v->in)
		return SV_OK;
	sv_buf_init(&b, SV_MAX_BODY);
	if (spec->in)
		rc = sv_write_json(&b, v->in, spec->in,
			v->flags & SV_MASKED ? SV_WALK_UPDATE : SV_WALK_CREATE, 0);
	else
		rc = sv_buf_str(&b, "{}");
	if (!rc) {
		r->body_len = b.len;
		r->body = sv_arena_strndup(r->arena, b.data, b.len);
		rc = r->body ? SV_OK : SV_NOMEM;
	}
	if (b.data)
		explicit_bzero(b.data, b.cap);
	sv_buf_free(&b);
	if (!rc && name && spec->in && name->type == SV_STR &&
		*(const char *const *)sv_member(name, spec->in))
		r->name =
			sv_arena_strdup(r->arena, *(const char *const *)sv_member(name, spec->in));
	return rc;
}

static int from_verb(struct sv_request *r, struct sv_buf *path, const struct sv_request_spec *spec,
	struct sv_error *err)
{
	const struct sv_verb *v = spec->verb;
	int rc = fill(path, v->path, spec->args, err);

	if (!rc)
		rc = add_query(path, spec);
	if (!rc)
		rc = add_body(r, spec);
	r->verb = v;
	r->method = methods[v->method];
	r->keyed = v->method == SV_POST && v->flags & (SV_KEYED | SV_BILLS);
	r->open = (v->flags & SV_NOKEY) != 0;
	r->accept =
		v->flags & SV_TEXT ? "text/plain, application/problem+json" : "application/json";
	return rc;
}

/* A path as a person gives it: sent as it is, so nothing in it may break the request line. */
static int from_path(struct sv_request *r, struct sv_buf *path, const struct sv_request_spec *spec,
	struct sv_error *err)
{
	size_t n = strspn(spec->method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (!n || spec->method[n] || n > 16)
		return sv_err_field(
			err, "method", "value", "must be a word in capitals, such as GET");
	if (spec->path[0] != '/')
		return sv_err_field(err, "path", "value", "must begin with /");
	for (const char *p = spec->path; *p; p++)
		if (*p < 0x21 || *p > 0x7e || *p == '#')
			return sv_err_field(err, "path", "value", "byte %zu must be escaped",
				(size_t)(p - spec->path) + 1);
	sv_buf_str(path, spec->path);
	r->method = sv_arena_strdup(r->arena, spec->method);
	r->body_len = spec->body ? strlen(spec->body) : 0;
	r->body = spec->body ? sv_arena_strdup(r->arena, spec->body) : NULL;
	/* What is outside the contract bills nothing. */
	r->keyed = !strcmp(spec->method, "POST") && !strncmp(spec->path, "/v1/", 4);
	r->open = !strcmp(spec->path, "/v1/account/register");
	r->accept = "application/json";
	return r->method && (r->body || !spec->body) && !path->failed ? SV_OK : SV_NOMEM;
}

int sv_request_build(struct sv_request *r, const char *base, const struct sv_request_spec *spec,
	struct sv_error *err)
{
	struct sv_buf path;
	int rc;

	sv_err_clear(err);
	r->arena = sv_arena_new(SV_MAX_BODY + 4 * SV_MAX_URL);
	if (!r->arena)
		return sv_err(err, SV_NOMEM, "out of memory");
	sv_arena_secret(r->arena);
	sv_buf_init(&path, SV_MAX_URL);
	rc = spec->verb ? from_verb(r, &path, spec, err) : from_path(r, &path, spec, err);
	if (!rc) {
		char *url = sv_arena_alloc(r->arena, strlen(base) + path.len + 1);

		if (url) {
			memcpy(url, base, strlen(base));
			memcpy(url + strlen(base), path.data, path.len);
		}
		r->url = url;
		r->path = url ? url + strlen(base) : NULL;
		rc = url ? SV_OK : SV_NOMEM;
		r->repeatable = !strcmp(r->method, "GET") || !strcmp(r->method, "HEAD") ||
				!strcmp(r->method, "PUT") || !strcmp(r->method, "DELETE") ||
				r->keyed;
	}
	sv_buf_free(&path);
	return rc == SV_NOMEM ? sv_err(err, SV_NOMEM, "the request is too large, or out of memory")
			      : rc;
}

void sv_request_free(struct sv_request *r)
{
	sv_arena_free(r->arena);
	explicit_bzero(r->key, sizeof(r->key));
	r->arena = NULL;
}

int sv_request_header(struct sv_request *r, const char *name, const char *value)
{
	const char *copy = sv_arena_strdup(r->arena, value);

	if (!copy)
		return SV_NOMEM;
	for (size_t i = 0; i < r->n_headers; i++)
		if (!strcmp(r->headers[i].name, name)) {
			r->headers[i].value = copy;
			return SV_OK;
		}
	if (r->n_headers + 1 >= SV_MAX_HEADERS)
		return SV_NOMEM;
	r->headers[r->n_headers++] = (struct sv_header){ name, copy };
	return SV_OK;
}
