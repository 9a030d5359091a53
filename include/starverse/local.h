/* SPDX-License-Identifier: MIT */
/** @file local.h
 * The platform inside your own process (link libstarverse-local): for tests of programs that use
 * the library. Instances are records (engine "none"); time can be stepped. This header may change
 * in any 0.x release. */
#ifndef STARVERSE_LOCAL_H
#define STARVERSE_LOCAL_H

#include <starverse/common.h>
#include <starverse/transport.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A platform. One thread at a time. */
typedef struct sv_local sv_local;

/** How to open one; zeroed means: in memory, the built-in catalogue, stepped clock at now. Only
 * appended to. */
struct sv_local_options {
	size_t self_size;      /**< sizeof(struct sv_local_options) */
	const char *state_dir; /**< NULL: in memory */
	const char *catalog;   /**< YAML file, NULL: built in */
	int real_clock;        /**< 1: real time; 0: stepped by sv_local_step() */
};

/** Opens a platform; options NULL as zeroed. SV_OK or a code with a phrase in message (may be
 * NULL). */
SV_API int sv_local_open(
	const struct sv_local_options *options, sv_local **ret, char *message, size_t size);
/** Ends it; clients over its transport must be freed before. NULL is allowed. */
SV_API void sv_local_close(sv_local *l);
/** A transport whose requests this platform answers; owned by the client that takes it. */
SV_API struct sv_transport *sv_local_transport(sv_local *l);
/** Lets so many seconds pass: everything that falls due happens at its own second. */
SV_API int sv_local_step(sv_local *l, int64_t seconds);
/** Registers an account and gives its key, borrowed until close. */
SV_API int sv_local_register(sv_local *l, const char *email, const char **key);

#ifdef __cplusplus
}
#endif

#endif
