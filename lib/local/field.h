/* SPDX-License-Identifier: MIT */
/* Members by the name of their row, for code that serves every kind. A row that is missing or of
 * another type reads as nothing and takes nothing. */
#ifndef SV_LOCAL_FIELD_H
#define SV_LOCAL_FIELD_H

#include <starverse/kind.h>

const char *field_text(const struct sv_kind *kind, const void *obj, const char *name);
int64_t field_number(
	const struct sv_kind *kind, const void *obj, const char *name, int64_t otherwise);
int field_true(const struct sv_kind *kind, const void *obj, const char *name);
/* value is borrowed; NULL marks null. */
void field_set_text(const struct sv_kind *kind, void *obj, const char *name, const char *value);
void field_set_number(const struct sv_kind *kind, void *obj, const char *name, int64_t value);
/* Copies what is present in from and allowed (flag: SV_CREATE, SV_UPDATE or 0 for all) to the rows
 * of the same name and type; objects are merged member by member. Memory stays from's. */
int field_copy(void *root, const struct sv_kind *to_kind, void *to, const struct sv_kind *from_kind,
	const void *from, int flag);

#endif
