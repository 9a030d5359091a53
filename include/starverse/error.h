/* SPDX-License-Identifier: MIT */
/** @file error.h
 * What went wrong. The library owns every struct sv_error, so it may grow at its end. */
#ifndef STARVERSE_ERROR_H
#define STARVERSE_ERROR_H

#include <starverse/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One refused field of a body. */
struct sv_field_error {
	char field[96];    /**< wire name, with dots for nested ones: "auto_stop.max_cost" */
	char code[48];     /**< what is wrong, as a word: "required", "unknown", "range" ... */
	char message[256]; /**< the same for people */
};

/** The whole of one failure; strings are never NULL, "" when not known. */
struct sv_error {
	int code;               /**< enum sv_code */
	int http_status;        /**< 0 when no answer came */
	int retryable;          /**< 1 when the same call may succeed later */
	int outcome_unknown;    /**< 1 when the request was sent and its answer was lost */
	int64_t retry_after_ms; /**< -1 when not said */
	char wire[48];          /**< the contract's code: "disk_busy" */
	char message[512];      /**< one line, lower case, no full stop */
	char suggestion[256];   /**< what to do about it */
	char field[96];         /**< the first refused field */
	char request_id[80];    /**< for the service's support */
	char context[1024];     /**< a JSON object with what the service added, or "" */
	size_t n_errors;        /**< how many of errors[] are set */
	struct sv_field_error errors[8];
};

/** A phrase for a code, English, static; never NULL. */
SV_API const char *sv_strerror(int code);

/** The process exit status that the command line gives for a code (0 for SV_OK). */
SV_API int sv_exit_code(int code);

/** Names one row of the error table. */
struct sv_error_row {
	const char *wire; /**< the contract's code, or "" where the failure is the client's own */
	const char *text; /**< a phrase */
	int code;         /**< enum sv_code */
	int http_status;  /**< 0 where the failure is the client's own */
	int exit;         /**< process exit status */
};

/** The i-th row of the error table, or NULL past the end. */
SV_API const struct sv_error_row *sv_error_rows(size_t i);

#ifdef __cplusplus
}
#endif

#endif
