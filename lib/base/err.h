/* SPDX-License-Identifier: MIT */
/* Filling struct sv_error, and the one error table (err.def). */
#ifndef SV_BASE_ERR_H
#define SV_BASE_ERR_H

#include <starverse/error.h>

/* Empties *err; err may be NULL, as in every function here. */
void sv_err_clear(struct sv_error *err);
/* Sets code, and the first wire code of it, and the message; returns code, so that `return
 * sv_err(...)` reads well. */
int sv_err(struct sv_error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same by the contract's code; an unknown one is SV_SERVER. */
int sv_err_wire(struct sv_error *err, const char *wire, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a refused field and makes the whole SV_INVALID; the first one is also err->field and, if
 * empty, the message. Returns SV_INVALID. */
int sv_err_field(struct sv_error *err, const char *field, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Sets the hint. */
void sv_err_hint(struct sv_error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The row of a wire code, or NULL. */
const struct sv_error_row *sv_err_of_wire(const char *wire);
/* The row that an HTTP status means where no code came. Never NULL. */
const struct sv_error_row *sv_err_of_status(int status);
/* The first row of a code; never NULL for a negative enum sv_code. */
const struct sv_error_row *sv_err_of_code(int code);

#endif
