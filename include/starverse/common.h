/* SPDX-License-Identifier: MIT */
/** @file common.h
 * What every other header needs: export mark, version, result codes, handles. */
#ifndef STARVERSE_COMMON_H
#define STARVERSE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#define SV_VERSION_MAJOR 0
#define SV_VERSION_MINOR 1
#define SV_VERSION_PATCH 0
#define SV_VERSION "0.1.0"

#if defined(__GNUC__)
#define SV_API __attribute__((visibility("default")))
#else
#define SV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call that can fail returns: SV_OK or one of the negative codes. New codes are only added.
 */
enum sv_code {
	SV_OK = 0,
	SV_NOMEM = -1,        /**< out of memory, or a ceiling was reached */
	SV_INVALID = -2,      /**< an argument or a body was refused; the error names the field */
	SV_AUTH = -3,         /**< no key, or a wrong one */
	SV_DENIED = -4,       /**< the key may not do this */
	SV_NOTFOUND = -5,     /**< no such resource */
	SV_CONFLICT = -6,     /**< the resource's state does not allow it, or a name matches two */
	SV_QUOTA = -7,        /**< an account's limit */
	SV_BALANCE = -8,      /**< too little balance, or a budget is used up */
	SV_PRICE = -9,        /**< the price is above the limit that was given */
	SV_CAPACITY = -10,    /**< nothing of the kind is free */
	SV_RATE = -11,        /**< too many requests, also after retries */
	SV_NET = -12,         /**< the service could not be reached */
	SV_TIMEDOUT = -13,    /**< the time ran out; the work may go on */
	SV_PROTO = -14,       /**< the answer was not of the contract */
	SV_SERVER = -15,      /**< the service failed */
	SV_CONFIG = -16,      /**< configuration: no key, an unreadable or unsafe file */
	SV_FAILED = -17,      /**< the awaited work failed */
	SV_CANCELED = -18,    /**< given up by the caller */
	SV_UNSUPPORTED = -19, /**< not in this build, or not by this transport or engine */
	SV_IO = -20           /**< a local file or stream */
};

/** A connection pool, a configuration and the last error. One thread at a time. */
typedef struct sv_client sv_client;
/** One call in flight; belongs to its client. */
typedef struct sv_op sv_op;

struct sv_config;
struct sv_error;
struct sv_kind;
struct sv_verb;

/** The version of the library that runs, "major.minor.patch"; static. */
SV_API const char *sv_version(void);

#ifdef __cplusplus
}
#endif

#endif
