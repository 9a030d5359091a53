/* SPDX-License-Identifier: MIT */
/* How svctl says that something went wrong, and which exit status that is. */
#ifndef SVCTL_ERRORS_H
#define SVCTL_ERRORS_H

#include <starverse/error.h>

#include "app.h"

struct call;

/* Prints the error in at most six lines, or as a JSON object; returns its exit status. subject
 * ("instance trainer") may be NULL. */
int fail(struct app *a, const struct sv_error *err, const char *subject);
/* The same with options instead of field names. */
int fail_call(const struct call *call, const struct sv_error *err, const char *subject);
/* An error of svctl's own. */
int fail_text(struct app *a, int status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same with a second line. */
int fail_hint(struct app *a, int status, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A wrong command line: one line, then the synopsis. EXIT_USAGE. */
int usage_error(const struct call *call, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* What a body is refused for before it is sent: each field as its option, then the synopsis. */
int usage_refused(const struct call *call, const struct sv_error *err);
/* The same with a guess. */
int usage_near(const struct call *call, const char *best, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A remark on stderr; none with --quiet. */
void note(struct app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Flushes stdout and turns a failed write into an error. status or what it became. */
int finish_output(struct app *a, int status);

#endif
