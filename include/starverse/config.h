/* SPDX-License-Identifier: MIT */
/** @file config.h
 * Where to send and as whom. A configuration is a kind like any other: sv_kind_config() has its
 * rows. */
#ifndef STARVERSE_CONFIG_H
#define STARVERSE_CONFIG_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The settings of one profile, after file, environment and defaults. */
struct sv_config {
	struct sv_set set;
	const char *profile;      /**< its name */
	const char *endpoint;     /**< "https://host", "http://host", "unix:/path" or "local:" */
	const char *api_key;      /**< or NULL; secret */
	const char *api_key_file; /**< file that holds the key */
	struct sv_strs api_key_command; /**< program and arguments that print the key */
	int protected_profile;          /**< 1: destructive commands always ask */
	const char *cacert;             /**< file of certificates to trust */
	int insecure;                   /**< 1: certificates are not checked */
	int64_t timeout;                /**< seconds that waiting may take */
	int64_t request_timeout;        /**< seconds that one request may take, retries included */
	int64_t connect_timeout;        /**< seconds that connecting may take */
	int64_t retries;                /**< most attempts after the first */
	const char *state_dir;          /**< spool and the local platform's state; NULL: no spool */
	const char *cache_dir;          /**< completion's names */
	const char *local_command;      /**< path of svctl-local */
	const char *local_state;        /**< state directory of the local platform */
	const char *local_socket;       /**< socket of the local platform */
	const char *output;             /**< default output format */
	const char *user_agent;         /**< put before the library's own */
	const char *config_file;        /**< where the settings came from */
	const char *credentials_file;   /**< where keys are kept */
	int strict;                     /**< 1: an answer with a field nobody knows is SV_PROTO */
};

/** Rows of struct sv_config. */
SV_API const struct sv_kind *sv_kind_config(void);
/** A configuration with nothing set; ended by sv_free(). */
SV_API struct sv_config *sv_config_new(void);
/** Reads path (NULL: $STARVERSE_CONFIG, then the XDG places), the profile (NULL:
 * $STARVERSE_PROFILE, then the file's current one, then "local"), credentials and the environment.
 * This is the only function of the library that reads the environment. SV_CONFIG fills *err (may be
 * NULL) with file, line and what is wrong. */
SV_API int sv_config_load(
	const char *path, const char *profile, struct sv_config **ret, struct sv_error *err);
/** Where a setting came from: "flag", "environment STARVERSE_ENDPOINT", "file PATH:LINE",
 * "default"; borrowed. */
SV_API const char *sv_config_origin(const struct sv_config *config, const char *name);
/** What is wrong with the settings: an endpoint that is none, a time out of range. SV_CONFIG fills
 * *err, with the setting's name in its field. sv_client_new() asks the same. */
SV_API int sv_config_check(const struct sv_config *config, struct sv_error *err);
/** The i-th thing to mention about the file (a key that nobody knows), or NULL past the end;
 * borrowed. */
SV_API const char *sv_config_warning(const struct sv_config *config, size_t i);
/** Sets one key of the file ("profiles.local.endpoint", "current_profile", "aliases.mine") or,
 * value NULL, removes it: under a lock, atomically, keeping what it does not know, through symbolic
 * links. path NULL as for loading. */
SV_API int sv_config_set(
	const char *path, const char *key, const char *value, struct sv_error *err);
/** Writes a profile's key to the credentials file, 0600 from its first byte; key NULL removes it.
 */
SV_API int sv_credentials_set(
	const char *path, const char *profile, const char *key, struct sv_error *err);
/** A file's key or the whole file (key NULL) as JSON text, ended by sv_free_text(); SV_NOTFOUND
 * when it has none. */
SV_API int sv_config_read(const char *path, const char *key, char **ret, struct sv_error *err);

#ifdef __cplusplus
}
#endif

#endif
