/* SPDX-License-Identifier: MIT */
/* application/problem+json in both directions. The problem document is a kind like any other. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "model/json.h"
#include "model/kind.h"

struct part {
	struct sv_set set;
	const char *field, *code, *message;
};

struct problem {
	struct sv_set set;
	const char *type, *title;
	int64_t status;
	const char *code, *detail, *suggestion, *request_id;
	int retryable;
	int64_t retry_after_seconds;
	struct sv_list errors;
	const char *context;
};

static const struct sv_field part_fields[] = {
	SV_FIELD(struct part, field, STR, "wire name of the field", 0),
	SV_FIELD(struct part, code, STR, "what is wrong, as a word", 0),
	SV_FIELD(struct part, message, STR, "what is wrong, for people", 0),
};
static SV_KIND(
	part_kind, struct part, "field_error", "one refused field", part_fields, .plural = NULL);

static const struct sv_field problem_fields[] = {
	SV_FIELD(struct problem, type, STR, "about:blank", SV_ALWAYS),
	SV_FIELD(struct problem, title, STR, "phrase for the code", SV_ALWAYS),
	SV_FIELD(struct problem, status, INT, "HTTP status", SV_ALWAYS),
	SV_FIELD(struct problem, code, STR, "what happened, as a word", SV_ALWAYS),
	SV_FIELD(struct problem, detail, STR, "what happened, for people", SV_ALWAYS),
	SV_FIELD(struct problem, suggestion, STR, "what to do about it", SV_ALWAYS),
	SV_FIELD(struct problem, request_id, STR, "for support", SV_ALWAYS),
	SV_FIELD(struct problem, retryable, BOOL, "the same call may succeed later", SV_ALWAYS),
	SV_FIELD(struct problem, retry_after_seconds, SECONDS, "when to try again", SV_ALWAYS),
	SV_FIELD(struct problem, errors, LIST, "refused fields", SV_ALWAYS, .kind = &part_kind),
	SV_FIELD(struct problem, context, JSON, "what else is known", SV_ALWAYS),
};
static SV_KIND(
	problem_kind, struct problem, "problem", "a failure", problem_fields, .plural = NULL);

const struct sv_kind *sv_problem_kind(void)
{
	return &problem_kind;
}

static void set(char *to, size_t size, const char *s)
{
	snprintf(to, size, "%s", s ? s : "");
}

static void take_parts(struct sv_error *err, const struct problem *p)
{
	for (size_t i = 0;
		i < p->errors.n && err->n_errors < sizeof(err->errors) / sizeof(err->errors[0]);
		i++) {
		const struct part *from = p->errors.v[i];
		struct sv_field_error *to = &err->errors[err->n_errors++];

		set(to->field, sizeof(to->field), from->field);
		set(to->code, sizeof(to->code), from->code);
		set(to->message, sizeof(to->message), from->message);
	}
	if (err->n_errors)
		set(err->field, sizeof(err->field), err->errors[0].field);
}

int sv_decode_problem(const char *text, size_t len, int status, struct sv_error *err)
{
	const struct sv_error_row *row = NULL;
	struct problem *p = NULL;
	struct sv_error ignored, own;
	void *obj = NULL;

	if (!err)
		err = &own;
	if (len && sv_from_json(&problem_kind, text, len, &obj, &ignored) == SV_OK)
		p = obj;
	if (p)
		row = sv_err_of_wire(p->code);
	if (!row)
		row = sv_err_of_status(status);
	sv_err(err, row->code, "%s", row->text);
	err->http_status = status;
	set(err->wire, sizeof(err->wire), p && p->code ? p->code : row->wire);
	err->retryable =
		status == 408 || status == 425 || status == 429 || (status >= 500 && status != 501);
	if (p) {
		const char *said = p->detail ? p->detail : p->title;

		if (said && *said)
			set(err->message, sizeof(err->message), said);
		set(err->suggestion, sizeof(err->suggestion), p->suggestion);
		set(err->request_id, sizeof(err->request_id), p->request_id);
		if (p->context && strlen(p->context) < sizeof(err->context))
			set(err->context, sizeof(err->context), p->context);
		if (sv_has(p, retryable))
			err->retryable = p->retryable;
		if (sv_has(p, retry_after_seconds) && !sv_is_null(p, retry_after_seconds))
			err->retry_after_ms = p->retry_after_seconds < INT64_MAX / 1000
						      ? p->retry_after_seconds * 1000
						      : -1;
		take_parts(err, p);
	}
	sv_free(obj);
	return err->code;
}

int sv_write_problem(struct sv_buf *b, const struct sv_error *err, const char *request_id)
{
	const struct sv_error_row *row = sv_err_of_wire(err->wire);
	struct problem *p = sv_new(&problem_kind);
	int r;

	if (!p)
		return SV_NOMEM;
	if (!row)
		row = sv_err_of_code(err->code);
	p->type = "about:blank";
	p->title = row->text;
	/* What is no matter of the contract has no code there. */
	if (!*row->wire)
		row = sv_err_of_wire("internal");
	p->status = err->http_status ? err->http_status : row->http_status;
	p->code = row->wire;
	p->detail = *err->message ? err->message : row->text;
	p->suggestion = *err->suggestion ? err->suggestion : NULL;
	p->request_id = request_id;
	sv_put(p, retryable, err->retryable);
	if (err->retry_after_ms >= 0)
		sv_put(p, retry_after_seconds, (err->retry_after_ms + 999) / 1000);
	p->context = *err->context ? err->context : "{}";
	for (size_t i = 0; i < err->n_errors; i++) {
		struct part *one = sv_new_in(p, &part_kind);

		if (!one || sv_list_add(p, &p->errors, one)) {
			sv_free(p);
			return SV_NOMEM;
		}
		one->field = err->errors[i].field;
		one->code = err->errors[i].code;
		one->message = err->errors[i].message;
	}
	r = sv_write_json(b, &problem_kind, p, SV_WALK_WIRE, 0);
	sv_free(p);
	return r;
}
