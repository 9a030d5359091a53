/* SPDX-License-Identifier: MIT */
/* API keys as they come from files, variables and pasted text; random tokens. */
#ifndef SV_NET_SECRET_H
#define SV_NET_SECRET_H

#include <stddef.h>

#include <starverse/error.h>

/* Cleans a key: white space, a byte order mark and the marks of a bracketed paste around it go;
 * anything but printable ASCII inside is SV_CONFIG with its position, never its value. source is
 * for the message ("STARVERSE_API_KEY"). buf holds SV_MAX_KEY + 1 bytes. */
int sv_secret_clean(
	const char *text, size_t len, const char *source, char *buf, struct sv_error *err);
/* prefix and 32 random hex digits, NUL-ended; buf holds strlen(prefix) + 33 bytes. */
void sv_random_token(const char *prefix, char *buf);
/* 32 random bits. */
unsigned sv_random(void);

#endif
