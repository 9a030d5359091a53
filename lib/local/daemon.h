/* SPDX-License-Identifier: MIT */
/* The process that hosts a platform: svctl-local. */
#ifndef SV_LOCAL_DAEMON_H
#define SV_LOCAL_DAEMON_H

#include <stddef.h>
#include <stdint.h>

struct daemon_options {
	const char *state_dir, *socket; /* absolute */
	const char *engine;             /* "sandbox" or "none"; NULL: as before, else sandbox */
	const char *listen, *tls_cert, *tls_key;
	const char *catalog; /* file, or NULL */
	int stepped; /* 1: stepped clock, 0: real, -1: as before, else real */
	int foreground;
	int64_t idle_seconds; /* leaves after so long with nothing to do; 0: never */
};

/* Runs it. In the background: returns when its socket answers (SV_OK) or when it could not begin,
 * in the parent alone. In the foreground: when it has ended. Otherwise a code, with a phrase in
 * message. */
int daemon_run(const struct daemon_options *o, char *message, size_t size);

#endif
