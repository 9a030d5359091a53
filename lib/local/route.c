/* SPDX-License-Identifier: MIT */
/* Routes are the verb rows of all kinds, cut once. */
#include "local/route.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#define N_ROUTES 512

struct route {
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	size_t n;
	struct {
		const char *at;
		size_t len;
	} segments[ROUTE_SEGMENTS];
};

struct routes {
	size_t n;
	struct route v[N_ROUTES];
};

static const struct {
	const char *name;
	int method;
} methods[] = {
	{ "GET", SV_GET },
	{ "POST", SV_POST },
	{ "PATCH", SV_PATCH },
	{ "DELETE", SV_DELETE },
	{ "HEAD", SV_GET },
};

int route_method(const char *method)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (!strcmp(methods[i].name, method))
			return methods[i].method;
	return 0;
}

static void cut(struct route *r, const char *path)
{
	while (*path == '/' && r->n < ROUTE_SEGMENTS) {
		size_t len = strcspn(++path, "/");

		r->segments[r->n].at = path;
		r->segments[r->n++].len = len;
		path += len;
	}
}

int routes_new(struct routes **ret)
{
	struct routes *r = sv_malloc(sizeof(*r));
	const struct sv_kind *kind;

	if (!r)
		return SV_NOMEM;
	memset(r, 0, sizeof(*r));
	for (size_t i = 0; (kind = sv_kinds(i)); i++)
		for (const struct sv_verb *v = kind->verbs; v && v->name && r->n < N_ROUTES; v++) {
			struct route *one = &r->v[r->n++];

			one->kind = kind;
			one->verb = v;
			cut(one, v->path);
		}
	*ret = r;
	return SV_OK;
}

void routes_free(struct routes *r)
{
	sv_mfree(r);
}

static int hex(char c)
{
	if (sv_is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes one segment up to '/' or the end into to; the length, or -1. */
static int decode(const char **from, char *to, size_t room)
{
	const char *s = *from;
	size_t n = 0;

	for (; *s && *s != '/'; s++) {
		int hi = *s == '%' ? hex(s[1]) : 0, lo = *s == '%' && hi >= 0 ? hex(s[2]) : 0;

		if (hi < 0 || lo < 0 || n + 1 >= room)
			return -1;
		if (*s == '%') {
			to[n++] = (char)(hi << 4 | lo);
			s += 2;
		} else {
			to[n++] = *s;
		}
		if (!to[n - 1])
			return -1;
	}
	to[n] = '\0';
	*from = s;
	return (int)n;
}

int path_cut(const char *path, struct path *ret, struct sv_error *err)
{
	char *to = ret->text;
	size_t room = sizeof(ret->text);

	ret->n = 0;
	if (*path != '/')
		return sv_err(err, SV_INVALID, "the path is not absolute");
	while (*path == '/') {
		int len;

		path++;
		len = ret->n < ROUTE_SEGMENTS ? decode(&path, to, room) : -1;
		if (len < 0)
			return sv_err(err, SV_INVALID, "the path is malformed or too long");
		if (!len || !strcmp(to, ".") || !strcmp(to, ".."))
			return sv_err(err, SV_INVALID,
				"the path has a segment that is empty, '.' or '..'");
		if (!sv_utf8_valid(to, (size_t)len))
			return sv_err(err, SV_INVALID, "the path is not UTF-8");
		ret->segments[ret->n++] = to;
		to += len + 1;
		room -= (size_t)len + 1;
	}
	return SV_OK;
}

/* How many segments match literally, or -1; *id is the argument. */
static int fits(const struct route *r, const struct path *path, const char **id)
{
	int literal = 0;

	*id = NULL;
	if (r->n != path->n)
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		const char *at = r->segments[i].at;
		size_t len = r->segments[i].len;

		if (*at == '{') {
			*id = path->segments[i];
			continue;
		}
		if (strlen(path->segments[i]) != len || memcmp(at, path->segments[i], len) != 0)
			return -1;
		literal++;
	}
	return literal;
}

static void allow(char *list, size_t size, int method)
{
	const char *name = "";
	size_t n = strlen(list);

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]) && !*name; i++)
		if (methods[i].method == method)
			name = methods[i].name;
	if (!strstr(list, name))
		snprintf(list + n, size - n, "%s%s", n ? ", " : "", name);
}

int routes_find(
	const struct routes *r, int method, const struct path *path, struct route_match *ret)
{
	int best = -1;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < r->n; i++) {
		const char *id;
		int literal = fits(&r->v[i], path, &id);

		if (literal < 0)
			continue;
		allow(ret->allow, sizeof(ret->allow), r->v[i].verb->method);
		if (r->v[i].verb->method != method || literal <= best)
			continue;
		best = literal;
		ret->kind = r->v[i].kind;
		ret->verb = r->v[i].verb;
		ret->id = id;
	}
	if (best >= 0)
		ret->allow[0] = '\0';
	return best >= 0;
}
