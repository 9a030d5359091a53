/* SPDX-License-Identifier: MIT */
/* The error table and its readers. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct sv_error_row rows[] = {
#define X(code, wire, http, exit, text) { wire, text, code, http, exit },
#include "base/err.def"
#undef X
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

const struct sv_error_row *sv_error_rows(size_t i)
{
	return i < N_ROWS ? &rows[i] : NULL;
}

const struct sv_error_row *sv_err_of_code(int code)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].code == code)
			return &rows[i];
	return sv_err_of_wire("internal");
}

const struct sv_error_row *sv_err_of_wire(const char *wire)
{
	for (size_t i = 0; wire && *wire && i < N_ROWS; i++)
		if (!strcmp(rows[i].wire, wire))
			return &rows[i];
	return NULL;
}

const struct sv_error_row *sv_err_of_status(int status)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].http_status == status)
			return &rows[i];
	if (status == 400)
		return sv_err_of_wire("validation_failed");
	if (status == 408 || status >= 500)
		return sv_err_of_wire("unavailable");
	return sv_err_of_code(status >= 400 ? SV_DENIED : SV_PROTO);
}

const char *sv_strerror(int code)
{
	return code == SV_OK ? "success" : sv_err_of_code(code)->text;
}

int sv_exit_code(int code)
{
	return code == SV_OK ? 0 : sv_err_of_code(code)->exit;
}

void sv_err_clear(struct sv_error *err)
{
	if (!err)
		return;
	memset(err, 0, sizeof(*err));
	err->retry_after_ms = -1;
}

static void set(
	struct sv_error *err, const struct sv_error_row *row, int code, const char *fmt, va_list ap)
{
	sv_err_clear(err);
	err->code = code;
	snprintf(err->wire, sizeof(err->wire), "%s", row->wire);
	vsnprintf(err->message, sizeof(err->message), fmt, ap);
}

int sv_err(struct sv_error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	set(err, sv_err_of_code(code), code, fmt, ap);
	va_end(ap);
	return code;
}

int sv_err_wire(struct sv_error *err, const char *wire, const char *fmt, ...)
{
	const struct sv_error_row *row = sv_err_of_wire(wire);
	va_list ap;

	if (!row)
		row = sv_err_of_wire("internal");
	if (!err)
		return row->code;
	va_start(ap, fmt);
	set(err, row, row->code, fmt, ap);
	va_end(ap);
	return row->code;
}

int sv_err_field(struct sv_error *err, const char *field, const char *code, const char *fmt, ...)
{
	struct sv_field_error *one;
	va_list ap;

	if (!err)
		return SV_INVALID;
	if (err->code == SV_OK)
		sv_err(err, SV_INVALID, "%s", "");
	if (err->n_errors == sizeof(err->errors) / sizeof(err->errors[0]))
		return SV_INVALID;
	one = &err->errors[err->n_errors++];
	snprintf(one->field, sizeof(one->field), "%s", field);
	snprintf(one->code, sizeof(one->code), "%s", code);
	va_start(ap, fmt);
	vsnprintf(one->message, sizeof(one->message), fmt, ap);
	va_end(ap);
	if (err->n_errors == 1)
		snprintf(err->field, sizeof(err->field), "%s", field);
	if (!*err->message)
		snprintf(err->message, sizeof(err->message), "%s: %s", field, one->message);
	return SV_INVALID;
}

void sv_err_hint(struct sv_error *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	vsnprintf(err->suggestion, sizeof(err->suggestion), fmt, ap);
	va_end(ap);
}
