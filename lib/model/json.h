/* SPDX-License-Identifier: MIT */
/* JSON in and out by rows. cJSON parses; only lib/model knows it. */
#ifndef SV_MODEL_JSON_H
#define SV_MODEL_JSON_H

#include <starverse/kind.h>

#include "base/buf.h"

struct cJSON;

/* Parses a whole text; NULL fills *err (SV_PROTO, with the offset and a short escaped excerpt).
 * Nesting is bounded, a NUL byte inside is refused, nothing may follow. A number whose double does
 * not say all that its text says has that as its valuestring. */
struct cJSON *sv_json_parse(const char *text, size_t len, struct sv_error *err);
/* The same for a text whose nesting was looked at already. */
struct cJSON *sv_json_parse_flat(const char *text, size_t len, struct sv_error *err);
void sv_json_free(struct cJSON *tree);

/* How strict: answers pass over unknown keys; bodies refuse them, naming the nearest. */
enum sv_decode_mode { SV_DECODE_ANSWER, SV_DECODE_BODY };

/* Fills obj (zeroed, of kind) from tree with memory of root. SV_DECODE_ANSWER: SV_PROTO;
 * SV_DECODE_BODY: SV_INVALID, every wrong field in err->errors. */
int sv_decode(const struct sv_kind *kind, const struct cJSON *tree, void *root, void *obj, int mode,
	struct sv_error *err);
/* {"items":[...],"next_cursor":...} into a page. A missing or null items is an empty page. */
int sv_decode_page(const struct sv_kind *kind, const struct cJSON *tree, struct sv_page **ret,
	struct sv_error *err);
/* One member of an answer's object, into obj of page; *hint is kept from member to member. */
int sv_decode_member(const struct sv_kind *kind, const char *key, const struct cJSON *value,
	struct sv_page *page, void *obj, uint32_t *hint);
/* The same of a page's text, in the memory of one value's tree. */
int sv_page_from_json(const struct sv_kind *kind, const char *text, size_t len,
	struct sv_page **ret, struct sv_error *err);
/* SV_PROTO when the text, an answer (many: a page), has a field that is no row; it is named. */
int sv_strict(const struct sv_kind *kind, const char *text, size_t len, int many,
	struct sv_error *err);
/* A body as a client sent it (for the platform): strict. *ret is a root. */
int sv_from_body(
	const struct sv_kind *kind, const char *text, size_t len, void **ret, struct sv_error *err);
/* application/problem+json of any quality, with the HTTP status, into *err; returns err->code. */
int sv_decode_problem(const char *text, size_t len, int status, struct sv_error *err);
/* The rows of a problem document. */
const struct sv_kind *sv_problem_kind(void);
/* The other way round: a problem document for an error. */
int sv_write_problem(struct sv_buf *b, const struct sv_error *err, const char *request_id);

/* Appends obj as JSON. */
int sv_write_json(
	struct sv_buf *b, const struct sv_kind *kind, const void *obj, int mode, int indent);
/* Appends tree as compact JSON, numbers exactly as they were written. */
int sv_write_tree(struct sv_buf *b, const struct cJSON *tree);

/* Query string of a filter object, without '?': rows present, lists and maps repeated
 * ("labels.k=v"), escaped. */
int sv_write_query(struct sv_buf *b, const struct sv_kind *kind, const void *obj);
/* The other way round (for the platform); unknown names and bad values are SV_INVALID. *ret is a
 * root. */
int sv_from_query(const struct sv_kind *kind, const char *query, void **ret, struct sv_error *err);

/* A writer into a buffer; indent 0 is compact. Initialise, use as a struct sv_writer, look at
 * buf->failed. */
struct sv_json_writer {
	struct sv_writer w;
	struct sv_buf *buf;
	int indent, depth;
	uint64_t more; /* one bit a level: something stands before */
	int keyed;
};
void sv_json_writer_init(struct sv_json_writer *w, struct sv_buf *buf, int indent);

#endif
