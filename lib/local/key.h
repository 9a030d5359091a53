/* SPDX-License-Identifier: MIT */
/* SSH public keys as text. */
#ifndef SV_LOCAL_KEY_H
#define SV_LOCAL_KEY_H

#include <stddef.h>

/* Looks at one line as OpenSSH writes it (type, base64, comment). NULL, with the line without
 * blanks around it in line and "SHA256:..." in fingerprint; else what is wrong with it. */
const char *key_text_read(
	const char *text, char *line, size_t line_size, char *fingerprint, size_t size);

#endif
