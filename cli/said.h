/* SPDX-License-Identifier: MIT */
/* What the library and the service say, in the user's language. They say it in English, and what is
 * kept (reasons, events, errors of operations) was said before anybody asked: so it is told anew
 * where it is shown, by the formats it was made with, which are the catalogue's entries with the
 * context "message". What no format made is shown as it came. */
#ifndef SVCTL_SAID_H
#define SVCTL_SAID_H

#include "mem.h"

/* Adds message, or what it says in the user's language; returns text_of(ret). */
const char *said(const char *message, struct text *ret);
/* The same from a catalogue's bytes, n of them: a file of gettext's, which may be any file. */
void said_by(const void *catalogue, size_t n, const char *message, struct text *ret);

#endif
