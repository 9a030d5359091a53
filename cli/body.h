/* SPDX-License-Identifier: MIT */
/* Bodies: of what is there, the one that would create it; field by field as JSON. */
#ifndef SVCTL_BODY_H
#define SVCTL_BODY_H

#include "args.h"

/* 1 when the service's answer says what this field of a create body was. */
int body_answers(const struct sv_kind *kind, const struct sv_field *f);
/* The body that would create obj (a root), nulls and empty things left out; NULL after an error was
 * printed, and *status says which. */
void *body_of(struct call *call, const struct sv_kind *kind, const void *obj, int *status);
/* The same without what the rules exclude beside what else is said; takes body and gives it
 * back. */
void *body_alone(struct call *call, const struct sv_kind *in, void *body, int *status);
/* 1 when the field holds anything. */
int body_has(const struct sv_field *f, const void *obj);
/* A field's value as JSON, secrets as they are. */
void body_value(const struct sv_field *f, const void *obj, struct text *ret);
/* The same for an update: what it clears is written as null, or as empty. */
void body_change(const struct sv_field *f, const void *obj, struct text *ret);
/* The whole as a JSON object, compact, without secrets. */
void body_json(const struct sv_kind *in, const void *body, struct text *ret);
/* A root from JSON. NULL after an error was printed. */
void *body_read(struct call *call, const struct sv_kind *in, const struct text *json, int *status);
/* The body of its create verb, or NULL. */
const struct sv_kind *body_kind(const struct sv_kind *resource);

#endif
