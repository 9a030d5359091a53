/* SPDX-License-Identifier: MIT */
/* Verbs as OpenAPI paths, and what every request and answer has. Schemas stand in openapi-schema.c.
 */
#include "model/openapi.h"

#include <string.h>

#include "base/err.h"

/* One row per line of the document's fixed parts. */
static const char *const head[] = {
	"# Printed from the tables in lib/kinds; a test fails when it is not.",
	"openapi: 3.1.0",
	"info:",
	"  title: Starverse AI",
	"  version: '" SV_VERSION "'",
	"  summary: accelerators rented by the second",
	"  description: >-",
	"    Money is a decimal string in yuan with at most 6 places; times are RFC 3339 in UTC; "
	"durations end in",
	"    _seconds, sizes in _gib or _bytes. What is not known is null, never 0. What takes "
	"time answers 202 with",
	"    the resource, which names the operation to wait for. The same Idempotency-Key with "
	"the same body within",
	"    24 hours gets the first answer again.",
	"  license: { name: MIT, identifier: MIT }",
	"servers:",
	"  - url: https://api.example.com",
	"security:",
	"  - key: []",
	"paths:",
	"  /v1/idempotency_keys/{key}:",
	"    get:",
	"      operationId: idempotency_key_get",
	"      summary: say what became of a keyed request; not found burns the key",
	"      parameters:",
	"        - { name: key, in: path, required: true, schema: { type: string } }",
	"      responses:",
	"        '200':",
	"          description: status and resource",
	"          headers: { X-Request-Id: { $ref: '#/components/headers/RequestId' } }",
	"          content:",
	"            application/json:",
	"              schema:",
	"                type: object",
	"                required: [key, status, resource, operation_id]",
	"                properties:",
	"                  key: { type: string }",
	"                  status: { type: string, enum: [running, succeeded, unknown] }",
	"                  resource: { type: [string, 'null'] }",
	"                  operation_id: { type: [string, 'null'] }",
	"        default: { $ref: '#/components/responses/Problem' }",
};

static const char *const components[] = {
	"components:",
	"  securitySchemes:",
	"    key: { type: http, scheme: bearer }",
	"  headers:",
	"    RequestId: { description: names this request for support, schema: { type: string } }",
	"    Replayed:",
	"      description: true where this is the first answer again",
	"      schema: { type: boolean }",
	"    RetryAfter: { description: seconds or a date, schema: { type: string } }",
	"  parameters:",
	"    IdempotencyKey:",
	"      name: Idempotency-Key",
	"      in: header",
	"      required: false",
	"      description: lets a request be sent again and be done once",
	"      schema: { type: string, minLength: 8, maxLength: 128 }",
	"    LastEventId:",
	"      name: Last-Event-ID",
	"      in: header",
	"      required: false",
	"      description: goes on behind this record of a stream",
	"      schema: { type: string }",
	"  responses:",
	"    Problem:",
	"      description: refused or failed; the code decides what happened",
	"      headers:",
	"        X-Request-Id: { $ref: '#/components/headers/RequestId' }",
	"        Retry-After: { $ref: '#/components/headers/RetryAfter' }",
	"      content:",
	"        application/problem+json:",
	"          schema: { $ref: '#/components/schemas/Problem' }",
	"  x-codes:",
};

static void fixed(struct sv_buf *b, const char *const *lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sv_openapi_line(b, 0, "%s", lines[i]);
}

static void query(struct sv_buf *b, const struct sv_kind *kind)
{
	for (uint32_t i = 0; kind && i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];

		sv_openapi_line(b, 4, "- name: %s", f->name);
		sv_openapi_line(b, 5, "in: query");
		sv_openapi_text(b, 5, "description", f->help);
		if (f->type == SV_MAP)
			sv_openapi_line(b, 5, "x-form: '%s.KEY=VALUE, repeated'", f->name);
		sv_openapi_line(b, 5, "schema:");
		sv_openapi_type(b, 6, f, SV_SCHEMA_QUERY);
	}
}

static void parameters(struct sv_buf *b, const struct sv_verb *v)
{
	int id = strchr(v->path, '{') != NULL;

	if (!id && !v->query && !(v->flags & (SV_KEYED | SV_STREAM)))
		return;
	sv_openapi_line(b, 3, "parameters:");
	if (id)
		sv_openapi_line(
			b, 4, "- { name: id, in: path, required: true, schema: { type: string } }");
	if (v->flags & SV_KEYED)
		sv_openapi_line(b, 4, "- $ref: '#/components/parameters/IdempotencyKey'");
	if (v->flags & SV_STREAM)
		sv_openapi_line(b, 4, "- $ref: '#/components/parameters/LastEventId'");
	query(b, v->query);
}

/* A body may be left out where nothing in it is needed. */
static int is_needed(const struct sv_verb *v)
{
	for (uint32_t i = 0; i < v->in->n; i++)
		if (v->in->fields[i].flags & SV_REQUIRED)
			return 1;
	return (v->flags & SV_MASKED) != 0;
}

static void request(struct sv_buf *b, const struct sv_verb *v)
{
	char name[80];

	if (!v->in)
		return;
	sv_openapi_name(v->in, v->flags & SV_MASKED ? SV_SCHEMA_UPDATE : SV_SCHEMA_CREATE, name,
		sizeof(name));
	sv_openapi_line(b, 3, "requestBody:");
	sv_openapi_line(b, 4, "required: %s", is_needed(v) ? "true" : "false");
	sv_openapi_line(b, 4, "content:");
	sv_openapi_line(b, 5, "application/json:");
	sv_openapi_line(b, 6, "schema: { $ref: '#/components/schemas/%s' }", name);
}

static void content(struct sv_buf *b, const struct sv_verb *v)
{
	char name[80];

	if (v->flags & SV_TEXT) {
		sv_openapi_line(b, 5, "content:");
		sv_openapi_line(b, 6, "text/plain: { schema: { type: string } }");
	} else if (v->out) {
		sv_openapi_name(v->out, SV_SCHEMA_ANSWER, name, sizeof(name));
		sv_openapi_line(b, 5, "content:");
		sv_openapi_line(b, 6, "application/json:");
	}
	if (v->out && !(v->flags & SV_MANY))
		sv_openapi_line(b, 7, "schema: { $ref: '#/components/schemas/%s' }", name);
	if (v->out && v->flags & SV_MANY) {
		sv_openapi_line(b, 7, "schema:");
		sv_openapi_line(b, 8, "type: object");
		sv_openapi_line(b, 8, "required: [items, next_cursor]");
		sv_openapi_line(b, 8, "properties:");
		sv_openapi_line(b, 9, "items:");
		sv_openapi_line(b, 10, "type: array");
		sv_openapi_line(b, 10, "items: { $ref: '#/components/schemas/%s' }", name);
		sv_openapi_line(b, 9, "next_cursor: { type: [string, 'null'], examples: [null] }");
	}
	/* A log that is followed is its text as it grows; each event of a stream has one of these.
	 */
	if (v->flags & SV_STREAM && !(v->flags & SV_TEXT)) {
		sv_openapi_line(b, 6, "text/event-stream:");
		sv_openapi_line(b, 7, "schema: { type: string }");
		sv_openapi_line(b, 7, "x-event-data: { $ref: '#/components/schemas/%s' }", name);
	}
}

static void answer(struct sv_buf *b, const struct sv_verb *v, const char *status, const char *what)
{
	sv_openapi_line(b, 4, "'%s':", status);
	sv_openapi_text(b, 5, "description", what);
	sv_openapi_line(b, 5, "headers:");
	sv_openapi_line(b, 6, "X-Request-Id: { $ref: '#/components/headers/RequestId' }");
	if (v->flags & SV_KEYED)
		sv_openapi_line(
			b, 6, "Idempotency-Replayed: { $ref: '#/components/headers/Replayed' }");
	content(b, v);
}

static void answers(struct sv_buf *b, const struct sv_verb *v)
{
	int makes = v->method == SV_POST &&
		    (!strcmp(v->name, "create") || !strcmp(v->name, "register") ||
			    !strcmp(v->name, "redeem"));

	sv_openapi_line(b, 3, "responses:");
	if (makes)
		answer(b, v, "201", "made");
	else if (!(v->flags & SV_ASYNC) || !strchr(v->path, '{') || v->method == SV_POST)
		answer(b, v, "200",
			v->flags & SV_ASYNC ? "nothing to do, or done already" : "done");
	if (v->flags & SV_ASYNC)
		answer(b, v, "202", "under way; what is answered names its operation");
	sv_openapi_line(b, 4, "default: { $ref: '#/components/responses/Problem' }");
}

static void operation(struct sv_buf *b, const struct sv_kind *kind, const struct sv_verb *v)
{
	static const char *const methods[] = {
		[SV_GET] = "get", [SV_POST] = "post", [SV_PATCH] = "patch", [SV_DELETE] = "delete"
	};

	sv_openapi_line(b, 2, "%s:", methods[v->method]);
	sv_openapi_line(b, 3, "operationId: %s_%s", kind->name, v->name);
	sv_openapi_line(b, 3, "tags: [%s]", kind->name);
	sv_openapi_text(b, 3, "summary", v->help);
	if (v->flags & SV_NOKEY)
		sv_openapi_line(b, 3, "security: []");
	if (v->flags & SV_LOCAL)
		sv_openapi_line(b, 3, "x-local: true");
	if (v->flags & SV_BILLS)
		sv_openapi_line(b, 3, "x-bills: true");
	parameters(b, v);
	request(b, v);
	answers(b, v);
}

/* Calls fn with every verb until it returns non-zero. */
static int each(int (*fn)(struct sv_buf *b, const struct sv_kind *kind, const struct sv_verb *v,
			const struct sv_verb *data),
	struct sv_buf *b, const struct sv_verb *data)
{
	const struct sv_kind *k;
	int r = 0;

	for (size_t i = 0; !r && (k = sv_kinds(i)); i++)
		for (const struct sv_verb *v = k->verbs; !r && v && v->name; v++)
			r = fn(b, k, v, data);
	return r;
}

/* 1 at the first verb of this path, which decides where the path stands. */
static int is_first(struct sv_buf *b, const struct sv_kind *kind, const struct sv_verb *v,
	const struct sv_verb *data)
{
	(void)b;
	(void)kind;
	return strcmp(v->path, data->path) ? 0 : v == data ? 1 : -1;
}

/* The same for path and method: a second view of one call is none of its own. */
static int is_original(struct sv_buf *b, const struct sv_kind *kind, const struct sv_verb *v,
	const struct sv_verb *data)
{
	return v->method == data->method ? is_first(b, kind, v, data) : 0;
}

static int same_path(struct sv_buf *b, const struct sv_kind *kind, const struct sv_verb *v,
	const struct sv_verb *data)
{
	if (!strcmp(v->path, data->path) && each(is_original, b, v) > 0)
		operation(b, kind, v);
	return 0;
}

static int path(struct sv_buf *b, const struct sv_kind *kind, const struct sv_verb *v,
	const struct sv_verb *data)
{
	(void)kind;
	(void)data;
	if (each(is_first, b, v) > 0) {
		sv_openapi_line(b, 1, "%s:", v->path);
		each(same_path, b, v);
	}
	return 0;
}

static void codes(struct sv_buf *b)
{
	const struct sv_error_row *row;

	for (size_t i = 0; (row = sv_error_rows(i)); i++)
		if (*row->wire)
			sv_openapi_line(b, 2, "%s: { status: %d, text: '%s' }", row->wire,
				row->http_status, row->text);
}

int sv_openapi(struct sv_buf *b)
{
	fixed(b, head, sizeof(head) / sizeof(head[0]));
	each(path, b, NULL);
	fixed(b, components, sizeof(components) / sizeof(components[0]));
	codes(b);
	sv_openapi_line(b, 1, "schemas:");
	sv_openapi_schemas(b, 2);
	return b->failed ? SV_NOMEM : SV_OK;
}
