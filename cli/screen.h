/* SPDX-License-Identifier: MIT */
/* A terminal taken whole for a while: its other screen, its keys, its size. Left as it was found.
 */
#ifndef SVCTL_SCREEN_H
#define SVCTL_SCREEN_H

#include <termios.h>

#include "app.h"

struct screen {
	struct app *app;
	struct termios modes;
	int signals; /* a descriptor that signals are read from */
	int width, height;
};

enum screen_key { SCREEN_NONE = 0, SCREEN_RESIZED = -1, SCREEN_END = -2 };

/* 0, or an errno: then nothing was changed. Signals that end a program are held meanwhile. */
int screen_begin(struct screen *s, struct app *a);
/* A key, as it is; or one of the above: nothing within so many milliseconds, another size, the end
 * (a signal, or the terminal is gone). Ctrl-Z is done with here. */
int screen_key(struct screen *s, int timeout_ms);
/* Draws lines (the whole screen, each ended by a line feed) in place of what is there. */
void screen_draw(struct screen *s, const struct text *lines);
void screen_end(struct screen *s);

#endif
