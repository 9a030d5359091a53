/* SPDX-License-Identifier: MIT */
/* The contract as an OpenAPI document, from the tables. */
#ifndef SV_MODEL_OPENAPI_H
#define SV_MODEL_OPENAPI_H

#include <starverse/kind.h>

#include "base/buf.h"

/* Appends the whole document, YAML. SV_OK or SV_NOMEM. */
int sv_openapi(struct sv_buf *b);

/* Which rows a schema shows, and what is said of them. */
enum sv_schema_form { SV_SCHEMA_ANSWER, SV_SCHEMA_CREATE, SV_SCHEMA_UPDATE, SV_SCHEMA_QUERY };

/* Appends one line: depth times two blanks, the text, a line's end. */
void sv_openapi_line(struct sv_buf *b, int depth, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for "key: text" with text quoted. */
void sv_openapi_text(struct sv_buf *b, int depth, const char *key, const char *text);
/* Appends a field's type: keywords at depth. */
void sv_openapi_type(struct sv_buf *b, int depth, const struct sv_field *f, int form);
/* "instance_create" -> "InstanceCreate", and "Update" behind it for SV_SCHEMA_UPDATE. */
const char *sv_openapi_name(const struct sv_kind *kind, int form, char *buf, size_t size);
/* Appends all schemas that the tables' verbs reach. */
void sv_openapi_schemas(struct sv_buf *b, int depth);

#endif
