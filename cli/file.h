/* SPDX-License-Identifier: MIT */
/* Files written as a whole or not at all. */
#ifndef SVCTL_FILE_H
#define SVCTL_FILE_H

#include "mem.h"

/* All n bytes, however often it takes. 0 or an errno. */
int write_all(int fd, const char *s, size_t n);
/* Replaces path (through symbolic links) by the text: a temporary file beside it, synced, renamed;
 * mode where it is new. 0, or an errno, and then path is as it was. */
int file_replace(const char *path, const struct text *text, unsigned mode);

#endif
