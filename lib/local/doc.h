/* SPDX-License-Identifier: MIT */
/* What the nouns' files do with documents all the time. */
#ifndef SV_LOCAL_DOC_H
#define SV_LOCAL_DOC_H

#include "local/platform.h"
#include "model/kind.h"

/* A copy of a text into a member, marked; NULL marks null. */
#define doc_text(root, o, m, v) \
	((o)->m = sv_strdup_in(root, v), \
		(o)->m ? (sv_mark(o, m), doc_unnull(o, m)) : sv_mark_null(o, m))
/* A value, marked. */
#define doc_put(o, m, v) (sv_put(o, m, v), doc_unnull(o, m))
/* Nothing: null. */
#define doc_null(o, m) ((void)memset(&(o)->m, 0, sizeof((o)->m)), sv_mark_null(o, m))
/* A member that was null is not any more. */
#define doc_unnull(o, m) \
	((void)((o)->set.null[SV_SLOT(o, m) / 64] &= ~(UINT64_C(1) << (SV_SLOT(o, m) % 64))))

/* A new object for the row of that name, in root's memory; NULL when out of memory. */
void *doc_part(void *root, const struct sv_kind *kind, const char *field);
/* Any account's document by its id. */
int doc_get(struct platform *p, const struct sv_kind *kind, const char *id, void **ret);
/* What a body names by id or by a name that matches one: of the account or public. Released ones
 * are not found. A negative code adds the field to err. */
int doc_find(struct call *c, const struct sv_kind *kind, const char *text, const char *field,
	void **ret);
/* 1 when the account has a document of the kind with this name that is not released. */
int doc_named(
	struct platform *p, const struct sv_kind *kind, const char *account, const char *name);
#define DOC_CALLED 256 /* room for a name in a message */
/* "NAME (ID)" for a message, or the id alone where nothing has it. Returns buf. */
char *doc_called(struct platform *p, const char *id, char *buf, size_t size);
/* NULL, or what is wrong with a name. */
const char *doc_name_wrong(const char *name);
/* Replaces obj as the answer by the stored document, as it now is, with the operation that began on
 * it. 202. */
int doc_answer(struct call *c, const struct sv_kind *kind, const char *id, const char *operation);
/* A private fact, copied; "" when there is none. Returns buf. */
char *doc_fact(struct platform *p, const char *id, const char *name, char *buf, size_t size);

#endif
